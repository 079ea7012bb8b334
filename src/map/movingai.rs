//! The MovingAI `.map` format, and maps drawn as rows of letters.
//!
//! ```text
//! type octile
//! height 2
//! width 3
//! map
//! ..@
//! .T.
//! ```
//!
//! Lines end in LF or CRLF; blank lines may follow the last row; `height` and `width` may change
//! places. Sizes are checked before anything is allocated.

use crate::data::glimpse;
use crate::map::{Legend, Map, MapError, limits};

impl Map {
    /// The map of a MovingAI `.map` file. `cell_size` is in metres.
    ///
    /// # Errors
    /// Any [`MapError`] of files, with line and column; [`MapError::CellSize`] and
    /// [`MapError::DistanceBound`].
    pub fn parse_movingai(bytes: &[u8], legend: &Legend, cell_size: f64) -> Result<Self, MapError> {
        let mut lines = Lines { rest: bytes, line: 0 };
        let (width, height) = header(&mut lines)?;
        limits::check_size(width, height, cell_size)?;
        let cells = width as usize * height as usize;
        let mut letters = Vec::with_capacity(cells.min(lines.rest.len()));
        let mut slowness = Vec::with_capacity(cells.min(lines.rest.len()));
        for row in 0..height {
            let Some(text) = lines.next() else {
                return Err(MapError::TooFewRows {
                    line: lines.line + 1,
                    column: 1,
                    found: row,
                    expected: height,
                });
            };
            read_row(text, Place { line: lines.line, row }, width, legend, &mut slowness)?;
            letters.extend_from_slice(text);
        }
        while let Some(text) = lines.next() {
            check_text(text, lines.line)?;
            if !text.is_empty() {
                return Err(MapError::TooManyRows {
                    line: lines.line,
                    column: 1,
                    found: glimpse(text),
                    expected: height,
                });
            }
        }
        Self::build(width, height, cell_size, letters, &slowness)
    }

    /// A map drawn as rows of letters. `cell_size` is in metres; lines in errors are rows.
    ///
    /// # Errors
    /// [`MapError::Size`], [`MapError::TooManyCells`], [`MapError::RowLength`],
    /// [`MapError::UnknownLetter`], [`MapError::NotText`], [`MapError::CellSize`],
    /// [`MapError::DistanceBound`].
    pub fn from_rows(rows: &[&str], legend: &Legend, cell_size: f64) -> Result<Self, MapError> {
        let (width, height) = (rows.first().map_or(0, |row| row.len()), rows.len());
        let (width, height) = limits::sides(width as u64, height as u64)?;
        limits::check_size(width, height, cell_size)?;
        let mut letters = Vec::new();
        let mut slowness = Vec::new();
        for (row, text) in (0_u32..).zip(rows) {
            let place = Place { line: row + 1, row };
            read_row(text.as_bytes(), place, width, legend, &mut slowness)?;
            letters.extend_from_slice(text.as_bytes());
        }
        Self::build(width, height, cell_size, letters, &slowness)
    }

    /// The map as a MovingAI `.map` file with LF line ends. Reading it again with the same legend
    /// and cell size gives an equal map, but for its heights, which the format does not have.
    pub fn to_movingai(&self) -> String {
        let (width, height) = (self.width(), self.height());
        let mut text = format!("type octile\nheight {height}\nwidth {width}\nmap\n");
        text.reserve((width as usize + 1) * height as usize);
        for row in self.letters().chunks_exact(width as usize) {
            text.extend(row.iter().map(|&letter| char::from(letter)));
            text.push('\n');
        }
        text
    }
}

/// Lines of a file without their ends. What follows the last line end is a line if it is not empty.
struct Lines<'a> {
    rest: &'a [u8],
    /// Number of the line that came last, from 1.
    line: u32,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|&b| b == b'\n');
        let (text, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &self.rest[self.rest.len()..]),
        };
        self.rest = rest;
        self.line = self.line.saturating_add(1);
        Some(text.strip_suffix(b"\r").unwrap_or(text))
    }
}

/// Width and height of the four header lines.
fn header(lines: &mut Lines) -> Result<(u32, u32), MapError> {
    fixed_line(lines, "type octile", "`type octile`")?;
    let (mut width, mut height) = (None, None);
    while width.is_none() || height.is_none() {
        let expected = match (width, height) {
            (None, None) => "`height` or `width` and a number of cells",
            (None, _) => "`width` and a number of cells",
            (Some(_), _) => "`height` and a number of cells",
        };
        let text = header_line(lines, expected)?;
        let mut words = words(text);
        let (key, target) = match words.next() {
            Some((_, b"height")) => ("height", &mut height),
            Some((_, b"width")) => ("width", &mut width),
            _ => return Err(wrong(lines.line, 1, text, expected)),
        };
        if target.is_some() {
            return Err(MapError::DuplicateHeader { line: lines.line, column: 1, key });
        }
        let Some((column, number)) = words.next() else {
            return Err(wrong(lines.line, text.len() + 1, text, expected));
        };
        if let Some((column, _)) = words.next() {
            return Err(wrong(lines.line, column, text, expected));
        }
        *target = Some(side(lines.line, column, key, number)?);
    }
    fixed_line(lines, "map", "`map`")?;
    Ok((width.unwrap_or(0), height.unwrap_or(0)))
}

/// Reads a header line that can only be one text.
fn fixed_line(lines: &mut Lines, text: &str, expected: &'static str) -> Result<(), MapError> {
    let found = header_line(lines, expected)?;
    if words(found).map(|word| word.1).eq(text.split(' ').map(str::as_bytes)) {
        return Ok(());
    }
    let key = words(found).next().map_or(&b""[..], |word| word.1);
    for key_known in ["height", "width"] {
        if text == "map" && key == key_known.as_bytes() {
            let (line, key) = (lines.line, key_known);
            return Err(MapError::DuplicateHeader { line, column: 1, key });
        }
    }
    Err(wrong(lines.line, 1, found, expected))
}

fn header_line<'a>(lines: &mut Lines<'a>, expected: &'static str) -> Result<&'a [u8], MapError> {
    let Some(text) = lines.next() else {
        return Err(MapError::HeaderTruncated { line: lines.line + 1, column: 1, expected });
    };
    check_text(text, lines.line)?;
    Ok(text)
}

/// Words between blanks, each with its column.
fn words(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut column = 1;
    text.split(|b| matches!(b, b' ' | b'\t')).filter_map(move |word| {
        let at = column;
        column += word.len() + 1;
        (!word.is_empty()).then_some((at, word))
    })
}

/// A side of the map: digits alone, within the limit.
fn side(line: u32, column: usize, key: &'static str, word: &[u8]) -> Result<u32, MapError> {
    let number = std::str::from_utf8(word).ok().filter(|_| word.iter().all(u8::is_ascii_digit));
    match number.and_then(|digits| digits.parse::<u32>().ok()) {
        Some(cells @ 1..=limits::MAX_SIDE) => Ok(cells),
        _ => Err(MapError::HeaderSize {
            line,
            column: column as u32,
            key,
            found: glimpse(word),
            limit: limits::MAX_SIDE,
        }),
    }
}

/// The place of a row of letters.
#[derive(Clone, Copy)]
struct Place {
    line: u32,
    /// Row of the map, from 0.
    row: u32,
}

/// Appends the slowness of every letter of a row.
fn read_row(
    text: &[u8],
    place: Place,
    width: u32,
    legend: &Legend,
    slowness: &mut Vec<u8>,
) -> Result<(), MapError> {
    let Place { line, row } = place;
    for (column, &letter) in (1..=width).zip(text) {
        let Some(value) = legend.get(letter) else {
            check_text(text, line)?;
            let (letter, known) = (char::from(letter), legend.letters());
            return Err(MapError::UnknownLetter { line, column, letter, known });
        };
        slowness.push(value);
    }
    if text.len() != width as usize {
        check_text(text, line)?;
        let column = (text.len() as u64).min(u64::from(width)) as u32 + 1;
        let found = text.len() as u64;
        return Err(MapError::RowLength { line, column, row: row + 1, found, expected: width });
    }
    Ok(())
}

/// Refuses control bytes and everything beyond ASCII.
fn check_text(text: &[u8], line: u32) -> Result<(), MapError> {
    match text.iter().position(|b| !matches!(b, b' '..=b'~' | b'\t')) {
        None => Ok(()),
        Some(at) => {
            let column = u32::try_from(at + 1).unwrap_or(u32::MAX);
            Err(MapError::NotText { line, column, byte: text[at] })
        }
    }
}

fn wrong(line: u32, column: usize, text: &[u8], expected: &'static str) -> MapError {
    let rest = text.get(column - 1..).filter(|rest| !rest.is_empty()).unwrap_or(b"\n");
    MapError::Header { line, column: column as u32, found: glimpse(rest), expected }
}
