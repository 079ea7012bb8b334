//! The caption below a picture: what it shows, a scale, and the groups.

use image::RgbImage;

use crate::draw::{canvas, colour, font};
use throng::report::number::thousands;

pub(crate) const PAPER: colour::Rgb = [0xfb, 0xfa, 0xf6];
pub(crate) const INK: colour::Rgb = [0x33, 0x36, 0x3d];

/// The narrowest picture with a caption, pixels.
const NARROWEST: u32 = 480;

/// Rows of groups at most; more are counted in words.
const GROUP_ROWS: u32 = 3;

/// Rows of other things at most.
const OTHER_ROWS: u32 = 2;

/// How a thing of the caption looks on the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A disc, as agents are.
    Disc,
    /// The same, and at its right one of this colour, as agents are that have arrived.
    Discs(colour::Rgb),
    /// A square of ground.
    Ground,
    /// A full outline.
    Outline,
    /// A dashed outline.
    Dashes,
    /// A pale band.
    Band,
    /// A stroke.
    Stroke,
    /// A dashed outline around a stroke that rises to the right.
    Source,
    /// A full outline around a stroke that falls to the right.
    Sink,
}

/// A group in the caption, or another thing that the picture shows.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) colour: colour::Rgb,
    pub(crate) text: String,
    pub(crate) mark: Mark,
}

impl Entry {
    /// A disc.
    pub(crate) fn new(colour: colour::Rgb, text: impl Into<String>) -> Self {
        Self::marked(Mark::Disc, colour, text)
    }

    /// The key to entries of two discs: the second one is an agent that has arrived.
    pub(crate) fn arrived() -> Self {
        Self::marked(Mark::Discs(colour::mix(PAPER, INK, 0.75)), PAPER, "second disc: arrived")
    }

    /// A thing that looks like this.
    pub(crate) fn marked(mark: Mark, colour: colour::Rgb, text: impl Into<String>) -> Self {
        Self { colour, text: text.into(), mark }
    }

    /// Draws what it looks like, in 8 dots from x and 7 from y.
    fn draw(&self, image: &mut RgbImage, [x, y]: [u32; 2], dot: u32) {
        let at = |dx: f32, dy: f32| [x as f32 + dx * dot as f32, y as f32 + dy * dot as f32];
        let size = dot as f32;
        let corners = [at(0.5, 0.0), at(7.5, 0.0), at(7.5, 7.0), at(0.5, 7.0), at(0.5, 0.0)];
        match self.mark {
            Mark::Disc => canvas::disc(image, at(4.0, 3.5), 3.6 * size, self.colour, 1.0),
            Mark::Discs(arrived) => {
                canvas::disc(image, at(2.0, 3.5), 2.3 * size, self.colour, 1.0);
                canvas::disc(image, at(5.6, 3.5), 2.3 * size, colour::darker(arrived, 0.55), 1.0);
                canvas::disc(image, at(5.6, 3.5), 1.6 * size, arrived, 1.0);
            }
            Mark::Ground => {
                canvas::fill(image, [x, y], [8 * dot, 7 * dot], colour::darker(self.colour, 0.7));
                let inner = [8 * dot - 2, 7 * dot - 2];
                canvas::fill(image, [x + 1, y + 1], inner, self.colour);
            }
            Mark::Outline | Mark::Sink => {
                canvas::path(image, &corners, 0.9 * size, self.colour, None);
            }
            Mark::Dashes | Mark::Source => {
                let dash = Some([2.0 * size, 3.5 * size]);
                canvas::path(image, &corners, 0.9 * size, self.colour, dash);
            }
            Mark::Band => {
                let pale = colour::mix(PAPER, self.colour, 0.4);
                canvas::line(image, at(1.0, 6.0), at(7.0, 1.0), 3.0 * size, pale, 1.0);
            }
            Mark::Stroke => {
                canvas::line(image, at(1.0, 6.0), at(7.0, 1.0), size, self.colour, 1.0);
            }
        }
        let stripe = match self.mark {
            Mark::Source => [at(2.0, 5.5), at(6.0, 1.5)],
            Mark::Sink => [at(2.0, 1.5), at(6.0, 5.5)],
            _ => return,
        };
        canvas::line(image, stripe[0], stripe[1], 0.9 * size, self.colour, colour::STRIPE);
    }
}

/// The text of a caption and its place below a picture.
pub(crate) struct Caption {
    width: u32,
    /// Pixels a dot of the font.
    dot: u32,
    caption: String,
    /// Entries and where they begin: x in pixels, row from 0.
    entries: Vec<(Entry, u32, u32)>,
    rows: u32,
}

impl Caption {
    /// Groups come first; what else the picture shows begins in a row of its own.
    fn new(width: u32, caption: &str, groups: Vec<Entry>, others: Vec<Entry>) -> Self {
        let dot = if width >= 1000 { 2 } else { 1 };
        let mut caption =
            Self { width, dot, caption: caption.to_owned(), entries: Vec::new(), rows: 0 };
        caption.place(groups, GROUP_ROWS);
        caption.place(others, OTHER_ROWS);
        caption
    }

    /// Places entries in so many more rows at most.
    fn place(&mut self, entries: Vec<Entry>, most: u32) {
        let (count, first, dot, width) = (entries.len(), self.rows, self.dot, self.width);
        let (mut x, mut row) = (self.margin(), first);
        for (i, entry) in entries.into_iter().enumerate() {
            let advance = (font::width(&entry.text) + 26) * dot;
            let last = row + 1 == first + most && i + 1 < count;
            let room = if last { 70 * dot } else { 0 };
            if x + advance + room > width && x > self.margin() {
                if last {
                    let text = format!("and {} more", count - i);
                    self.entries.push((Entry::new(PAPER, text), x, row));
                    break;
                }
                (x, row) = (self.margin(), row + 1);
            }
            self.entries.push((entry, x, row));
            x += advance;
        }
        self.rows = if count == 0 { first } else { row + 1 };
    }

    /// Where the first line of the text begins on a picture that ends with this caption, pixels a dot
    /// of its letters, and how wide it may be.
    pub(crate) fn line_at(&self, image: &RgbImage) -> ([u32; 2], u32, u32) {
        ([self.margin(), self.row_top(image, 0)], self.dot, self.width * 3 / 4)
    }

    fn margin(&self) -> u32 {
        8 * self.dot
    }

    fn line(&self) -> u32 {
        13 * self.dot
    }

    /// Upper edge of the text of row `row` in a picture that ends with this caption.
    fn row_top(&self, image: &RgbImage, row: u32) -> u32 {
        image.height() - self.height() + 7 * self.dot + self.line() * row
    }

    /// Shares from 0 to 1 as a bar of colours at the right end of row 1, between two words.
    pub(crate) fn draw_ramp(&self, image: &mut RgbImage, from: &str, to: &str) {
        let (y, size) = (self.row_top(image, 1), [self.width * 3 / 10, 9 * self.dot]);
        let to_left = self.width - self.margin() - font::width(to) * self.dot;
        let left = to_left - self.margin() / 2 - size[0];
        let from_left = left - self.margin() / 2 - font::width(from) * self.dot;
        canvas::text(image, [from_left, y], from, self.dot, INK);
        canvas::text(image, [to_left, y], to, self.dot, INK);
        for x in 0..size[0] {
            let colour = colour::ramp(x as f32 / size[0] as f32);
            canvas::fill(image, [left + x, y - self.dot], [1, size[1]], colour);
        }
    }

    fn height(&self) -> u32 {
        self.line() * (1 + self.rows) + 9 * self.dot
    }

    /// Draws at the bottom of a picture; `per_metre` pixels are a metre.
    fn draw(&self, image: &mut RgbImage, per_metre: f32) {
        let top = image.height() - self.height();
        canvas::fill(image, [0, top], [self.width, self.dot], INK);
        let base = top + 7 * self.dot;
        canvas::text(image, [self.margin(), base], &self.caption, self.dot, INK);
        self.draw_scale(image, base, per_metre);
        for (entry, x, row) in &self.entries {
            let y = base + self.line() * (row + 1);
            entry.draw(image, [*x, y], self.dot);
            canvas::text(image, [x + 12 * self.dot, y], &entry.text, self.dot, INK);
        }
    }

    /// A bar of a round number of metres at the right end, unless the caption is in the way.
    fn draw_scale(&self, image: &mut RgbImage, y: u32, per_metre: f32) {
        let metres = round_down(f64::from(self.width) * 0.15 / f64::from(per_metre));
        let text = format!("{} m", number(metres));
        let bar = (metres * f64::from(per_metre)) as u32;
        let text_width = font::width(&text) * self.dot;
        let needed = bar + text_width + 3 * self.margin();
        if font::width(&self.caption) * self.dot + self.margin() + needed > self.width {
            return;
        }
        let left = self.width - self.margin() - bar;
        canvas::text(image, [left - text_width - self.dot, y], &text, self.dot, INK);
        canvas::fill(image, [left, y + 5 * self.dot], [bar, self.dot], INK);
        for x in [left, left + bar - self.dot] {
            canvas::fill(image, [x, y + 2 * self.dot], [self.dot, 4 * self.dot], INK);
        }
    }
}

/// A picture with a caption below, which is given, too; `per_metre` pixels are a metre.
pub(crate) fn below(
    image: RgbImage,
    text: &str,
    entries: Vec<Entry>,
    per_metre: f32,
) -> (RgbImage, Caption) {
    below_with(image, text, [entries, Vec::new()], per_metre)
}

/// The same with what else there is to be named behind the groups.
pub(crate) fn below_with(
    image: RgbImage,
    text: &str,
    [groups, others]: [Vec<Entry>; 2],
    per_metre: f32,
) -> (RgbImage, Caption) {
    let caption = Caption::new(image.width().max(NARROWEST), text, groups, others);
    let size = [caption.width, image.height() + caption.height()];
    let mut whole = RgbImage::from_pixel(size[0], size[1], image::Rgb(PAPER));
    image::imageops::replace(&mut whole, &image, 0, 0);
    caption.draw(&mut whole, per_metre);
    (whole, caption)
}

/// The largest of 1, 2 and 5 times a power of ten up to a positive number.
pub(crate) fn round_down(number: f64) -> f64 {
    let (number, mut step) = (number.clamp(1e-300, 1e300), 1e-3);
    while step > number {
        step /= 10.0;
    }
    while step * 10.0 <= number {
        step *= 10.0;
    }
    [5.0, 2.0, 1.0].map(|factor| factor * step).into_iter().find(|&n| n <= number).unwrap_or(step)
}

/// A number without needless digits, thousands apart.
pub(crate) fn number(number: f64) -> String {
    if number >= 1000.0 {
        return thousands(number.round() as u64);
    }
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
