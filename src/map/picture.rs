//! Maps drawn as pictures: PNG files of one pixel a cell.

use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Transformations};

use crate::map::{Legend, Map, MapError, limits};

/// Bytes that a PNG file may take beside its pixels.
const PNG_BYTES: usize = 1 << 20;

/// Red, green, blue and how opaque.
type Colour = [u8; 4];

/// Which letters the colours of a picture stand for.
///
/// The default is for pictures in black and white: greys 0 to 127 are walls (`@`), 128 to 255 open
/// ground (`.`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colours {
    /// Single colours, in order.
    single: Vec<(Colour, u8)>,
    /// A letter for each grey of a range; 0 for none.
    greys: [u8; 256],
}

impl Default for Colours {
    fn default() -> Self {
        let mut greys = [b'@'; 256];
        greys[128..].fill(b'.');
        Self { single: Vec::new(), greys }
    }
}

impl Colours {
    /// No colours at all.
    pub fn empty() -> Self {
        Self { single: Vec::new(), greys: [0; 256] }
    }

    /// Says which letter (printable ASCII) a colour stands for: `#rrggbb`, `#rrggbbaa` with how
    /// opaque it is, or a range of opaque greys, as `0-127`. A single colour goes before a range
    /// that it lies in. All colours that cannot be seen count as `#00000000`.
    ///
    /// # Errors
    /// [`MapError::ColourName`] when the name is none, or given before; [`MapError::LegendLetter`].
    pub fn set(&mut self, key: &str, letter: char) -> Result<(), MapError> {
        let refused = |wrong| MapError::ColourName { key: key.chars().take(40).collect(), wrong };
        if !matches!(letter, ' '..='~') {
            return Err(MapError::LegendLetter { letter });
        }
        if let Some(digits) = key.strip_prefix('#') {
            let colour = colour(digits).ok_or_else(|| refused("is no colour"))?;
            let Err(at) = self.single.binary_search_by_key(&colour, |entry| entry.0) else {
                return Err(refused("is given twice"));
            };
            self.single.insert(at, (colour, letter as u8));
            return Ok(());
        }
        let grey = |text: &str| text.parse::<u8>().ok().map(usize::from);
        let range = key.split_once('-').and_then(|(low, high)| Some((grey(low)?, grey(high)?)));
        let Some((low, high)) = range.filter(|(low, high)| low <= high) else {
            return Err(refused("is no colour"));
        };
        let greys = &mut self.greys[low..=high];
        if greys.iter().any(|&letter| letter != 0) {
            return Err(refused("overlaps another range"));
        }
        greys.fill(letter as u8);
        Ok(())
    }

    /// The letter of a colour.
    fn letter(&self, colour: Colour) -> Option<u8> {
        if let Ok(at) = self.single.binary_search_by_key(&colour, |entry| entry.0) {
            return Some(self.single[at].1);
        }
        let [red, green, blue, opaque] = colour;
        let is_grey = red == green && red == blue && opaque == u8::MAX;
        let letter = self.greys[usize::from(red)];
        (is_grey && letter != 0).then_some(letter)
    }

    /// The colour nearest to one, of those that stand for a letter; the first of equals.
    fn nearest(&self, colour: Colour) -> Option<Colour> {
        let single = self.single.iter().map(|entry| entry.0);
        let is_known = |grey: &u8| self.greys[usize::from(*grey)] != 0;
        let greys = (0..=u8::MAX).filter(is_known).map(|grey| [grey, grey, grey, u8::MAX]);
        single.chain(greys).min_by_key(|other| {
            let square = |i: usize| u32::from(colour[i].abs_diff(other[i])).pow(2);
            (0..4).map(square).sum::<u32>()
        })
    }
}

/// A colour of 6 or 8 hexadecimal digits.
fn colour(digits: &str) -> Option<Colour> {
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    match digits.len() {
        6 => Some(((number << 8) | 0xff).to_be_bytes()),
        8 => Some(seen(number.to_be_bytes())),
        _ => None,
    }
}

/// All that cannot be seen is one colour.
fn seen(colour: Colour) -> Colour {
    if colour[3] == 0 { [0; 4] } else { colour }
}

fn name(colour: Colour) -> String {
    let [red, green, blue, opaque] = colour;
    let opaque = if opaque == u8::MAX { String::new() } else { format!("{opaque:02x}") };
    format!("#{red:02x}{green:02x}{blue:02x}{opaque}")
}

impl Map {
    /// The map of a PNG picture, a pixel a cell: grey, palette or full colour, with or without an
    /// alpha channel, not interlaced. Of 16 bits a channel the upper 8 count. `cell_size` is in
    /// metres. It takes the memory of the map alone.
    ///
    /// # Errors
    /// [`MapError::Picture`] when the file is no such picture; [`MapError::PixelColour`],
    /// [`MapError::PixelLetter`]; those of [`Map::try_from_slowness`].
    pub fn parse_picture(
        bytes: &[u8],
        colours: &Colours,
        legend: &Legend,
        cell_size: f64,
    ) -> Result<Self, MapError> {
        let refused = |error: png::DecodingError| MapError::Picture { wrong: error.to_string() };
        let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: PNG_BYTES });
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        decoder.set_transformations(Transformations::normalize_to_color8());
        let info = decoder.read_header_info().map_err(refused)?;
        let (width, height) = (info.width, info.height);
        if info.interlaced {
            let wrong = "the picture is interlaced; save it without".to_owned();
            return Err(MapError::Picture { wrong });
        }
        limits::check_size(width, height, cell_size)?;
        let mut reader = decoder.read_info().map_err(refused)?;
        // The decoder panics on such palettes.
        let palette = reader.info().palette.as_ref().map_or(0, |palette| palette.len());
        if palette % 3 != 0 || palette > 3 * 256 {
            let wrong =
                format!("the palette has {palette} bytes, not 3 for each of 256 colours at most");
            return Err(MapError::Picture { wrong });
        }
        let channels = reader.output_color_type().0;
        let mut rows =
            Rows { colours, legend, last: None, letters: Vec::new(), slowness: Vec::new() };
        for y in 0..height {
            let Some(row) = reader.next_row().map_err(refused)? else {
                let wrong = format!("the picture ends after {y} of {height} rows");
                return Err(MapError::Picture { wrong });
            };
            rows.add(row.data(), channels, y)?;
        }
        reader.finish().map_err(refused)?;
        Self::build(width, height, cell_size, rows.letters, &rows.slowness)
    }
}

/// The rows of a picture so far, as letters.
struct Rows<'a> {
    colours: &'a Colours,
    legend: &'a Legend,
    /// The last colour, its letter and slowness: it mostly is the next one too.
    last: Option<(Colour, u8, u8)>,
    letters: Vec<u8>,
    slowness: Vec<u8>,
}

impl Rows<'_> {
    fn add(&mut self, row: &[u8], channels: ColorType, y: u32) -> Result<(), MapError> {
        for (x, pixel) in (0..).zip(row.chunks_exact(channels.samples())) {
            let colour = seen(match *pixel {
                [grey] => [grey, grey, grey, u8::MAX],
                [grey, opaque] => [grey, grey, grey, opaque],
                [red, green, blue] => [red, green, blue, u8::MAX],
                [red, green, blue, opaque, ..] => [red, green, blue, opaque],
                [] => [0; 4],
            });
            let (letter, slowness) = match self.last {
                Some((last, letter, slowness)) if last == colour => (letter, slowness),
                _ => self.look_up(colour, [x, y])?,
            };
            self.last = Some((colour, letter, slowness));
            self.letters.push(letter);
            self.slowness.push(slowness);
        }
        Ok(())
    }

    fn look_up(&self, colour: Colour, [x, y]: [u32; 2]) -> Result<(u8, u8), MapError> {
        let Some(letter) = self.colours.letter(colour) else {
            let (found, nearest) = (name(colour), self.colours.nearest(colour));
            let nearest = nearest.map_or(String::new(), name);
            return Err(MapError::PixelColour { x, y, found, nearest });
        };
        let Some(slowness) = self.legend.get(letter) else {
            let (letter, known) = (char::from(letter), self.legend.letters());
            return Err(MapError::PixelLetter { x, y, letter, known });
        };
        Ok((letter, slowness))
    }
}
