//! Plots: lines, steps and points over two axes, drawn to a picture.
//!
//! ```
//! use throng_cli::draw::plot::Plot;
//!
//! let mut plot = Plot::new("Speed against density", "density (1/m²)", "speed (m/s)");
//! plot.scatter("measured", [0, 114, 178], vec![[0.5, 1.3], [1.0, 1.1], [2.0, 0.6]]);
//! plot.dashes("expected", [120; 3], vec![[0.0, 1.34], [5.4, 0.0]]);
//! plot.level("top speed", [213, 94, 0], 1.4);
//! let image = plot.draw([800, 500]);
//! assert_eq!((image.width(), image.height()), (800, 500));
//! ```
//!
use image::{RgbImage, imageops};

use crate::draw::canvas;
use crate::draw::caption::{INK, round_down};
use crate::draw::colour::Rgb;
use crate::draw::lettering::{Lettering, Style};
use throng::report::number::thousands;

const GRID: Rgb = [0xe4, 0xe7, 0xea];
const AXES: Rgb = [0x90, 0x96, 0x9c];
/// Pixels of a dash, and from one to the next.
const DASH: [f32; 2] = [7.0, 12.0];
/// Width of a line in pixels.
const LINE: f32 = 2.0;
/// A text with its middle at its place; its size fits labels of axes.
const LABEL: Style = Style { size: 14.0, before: 0.5, upwards: false };
/// Numbers along axes, and names in the legend.
const SMALL: Style = Style { size: 13.0, ..LABEL };

/// Colours for curves that have none of their own, chosen to differ for most eyes (Okabe and Ito
/// 2008).
pub const COLOURS: [Rgb; 7] = [
    [0x00, 0x72, 0xB2],
    [0xD5, 0x5E, 0x00],
    [0x00, 0x9E, 0x73],
    [0xCC, 0x79, 0xA7],
    [0xE6, 0x9F, 0x00],
    [0x56, 0xB4, 0xE9],
    [0x60, 0x60, 0x60],
];

/// A plot: a title, two axes with their units, and curves.
///
/// A curve's points are x and y; one that is not finite is left out and ends a line. A curve without
/// a name is not in the legend.
#[derive(Clone, Debug)]
pub struct Plot {
    title: String,
    labels: [String; 2],
    /// The ranges of x and y that are asked for.
    ranges: [[Option<f64>; 2]; 2],
    /// Whether both axes have one scale.
    even: bool,
    /// Whether y grows downwards.
    down: bool,
    /// Whether y is by powers of ten.
    powers: bool,
    curves: Vec<Curve>,
}

#[derive(Clone, Debug)]
struct Curve {
    name: String,
    colour: Rgb,
    mark: Mark,
    points: Vec<[f64; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Line,
    Dashes,
    Points,
    /// Discs that stand out.
    Spots,
    Rings,
    /// A dashed line across, at the y of the only point.
    Level,
}

/// Where the numbers of a plot are on its picture: the ends of x and y, in numbers and in pixels.
struct Axes {
    ranges: [[f64; 2]; 2],
    ends: [[f32; 2]; 2],
    /// Whether y is by powers of ten: numbers are then exponents.
    powers: bool,
}

impl Axes {
    /// The pixel of a point, or of the nearest one that is shown.
    fn pixel(&self, point: [f64; 2]) -> [f32; 2] {
        [0, 1].map(|axis| {
            let ([low, high], [from, to]) = (self.ranges[axis], self.ends[axis]);
            let share = ((point[axis] - low) / (high - low)).clamp(0.0, 1.0);
            from + (to - from) * share as f32
        })
    }

    /// Lines at round numbers, with the numbers, then the axes.
    fn draw(&self, image: &mut RgbImage, letters: &mut Lettering) {
        let [[left, right], [bottom, top]] = self.ends.map(|ends| ends.map(|end| end as u32));
        let (top, bottom) = (top.min(bottom), top.max(bottom));
        for (axis, most) in [(0, 9.0), (1, 11.0)] {
            let [low, high] = self.ranges[axis];
            // The least step that a number of 1, 2 or 5 allows.
            let step = 1.0 / round_down(most / (high - low));
            let powers = self.powers && axis == 1;
            let step = if powers { step.max(1.0) } else { step };
            let [first, last] = [(low / step).ceil(), (high / step).floor()];
            for line in first as i64..=last as i64 {
                let value = line as f64 * step;
                let [x, y] = self.pixel([value; 2]).map(|at| at as u32);
                let text = if powers { power(value) } else { number(value, high - low) };
                let (at, style) = if axis == 0 {
                    canvas::fill(image, [x, top], [1, bottom - top], GRID);
                    canvas::fill(image, [x, bottom], [1, 4], AXES);
                    ([x as f32, bottom as f32 + 15.0], SMALL)
                } else {
                    canvas::fill(image, [left, y], [right - left, 1], GRID);
                    canvas::fill(image, [left - 4, y], [4, 1], AXES);
                    ([left as f32 - 9.0, y as f32], Style { before: 1.0, ..SMALL })
                };
                letters.draw(image, &text, at, style, INK);
            }
        }
        canvas::fill(image, [left, top], [1, bottom - top], AXES);
        canvas::fill(image, [left, bottom], [right - left, 1], AXES);
    }
}

impl Plot {
    /// A plot without curves. Say the units in the labels, as in `time (s)`.
    pub fn new(title: &str, x: &str, y: &str) -> Self {
        let (labels, ranges) = ([x, y].map(str::to_owned), [[None; 2]; 2]);
        let (even, down, powers, curves) = (false, false, false, Vec::new());
        Self { title: title.to_owned(), labels, ranges, even, down, powers, curves }
    }

    /// Shows x from one number to another; `None` leaves an end to the data.
    pub fn x_range(&mut self, from: Option<f64>, to: Option<f64>) -> &mut Self {
        self.ranges[0] = [from, to];
        self
    }

    /// Shows y from one number to another; `None` leaves an end to the data, and 0.
    pub fn y_range(&mut self, from: Option<f64>, to: Option<f64>) -> &mut Self {
        self.ranges[1] = [from, to];
        self
    }

    /// Shows y by powers of ten, for numbers above 0; others are left out.
    pub fn powers(&mut self) -> &mut Self {
        self.powers = true;
        self
    }

    /// Gives both axes one scale, for places in metres; with `down`, y grows downwards.
    pub fn to_scale(&mut self, down: bool) -> &mut Self {
        (self.even, self.down) = (true, down);
        self
    }

    /// A line through points.
    pub fn line(&mut self, name: &str, colour: Rgb, points: Vec<[f64; 2]>) -> &mut Self {
        self.curve(name, colour, Mark::Line, points)
    }

    /// A dashed line through points, for what a line is compared with.
    pub fn dashes(&mut self, name: &str, colour: Rgb, points: Vec<[f64; 2]>) -> &mut Self {
        self.curve(name, colour, Mark::Dashes, points)
    }

    /// A line that keeps the y of each point until the x of the next: for counts.
    pub fn steps(&mut self, name: &str, colour: Rgb, points: &[[f64; 2]]) -> &mut Self {
        let before = points.iter().skip(1).zip(points).map(|(next, point)| [next[0], point[1]]);
        let mut corners: Vec<[f64; 2]> = Vec::with_capacity(points.len() * 2);
        for (point, corner) in points.iter().zip(before.map(Some).chain([None])) {
            corners.push(*point);
            corners.extend(corner);
        }
        self.curve(name, colour, Mark::Line, corners)
    }

    /// Points.
    pub fn scatter(&mut self, name: &str, colour: Rgb, points: Vec<[f64; 2]>) -> &mut Self {
        self.curve(name, colour, Mark::Points, points)
    }

    /// Points that stand out.
    pub fn spots(&mut self, name: &str, colour: Rgb, points: Vec<[f64; 2]>) -> &mut Self {
        self.curve(name, colour, Mark::Spots, points)
    }

    /// Rings around points.
    pub fn rings(&mut self, name: &str, colour: Rgb, points: Vec<[f64; 2]>) -> &mut Self {
        self.curve(name, colour, Mark::Rings, points)
    }

    /// A dashed line across at some y.
    pub fn level(&mut self, name: &str, colour: Rgb, y: f64) -> &mut Self {
        self.curve(name, colour, Mark::Level, vec![[f64::NAN, y]])
    }

    /// The plot with more words in its title.
    pub(crate) fn noted(mut self, note: &str) -> Self {
        self.title.push_str(note);
        self
    }

    fn curve(&mut self, name: &str, colour: Rgb, mark: Mark, points: Vec<[f64; 2]>) -> &mut Self {
        self.curves.push(Curve { name: name.to_owned(), colour, mark, points });
        self
    }

    /// Draws the plot, so many pixels wide and high.
    ///
    /// # Panics
    /// When the picture is smaller than 200 × 150 pixels.
    pub fn draw(&self, size: [u32; 2]) -> RgbImage {
        sheet(std::slice::from_ref(self), 1, size)
    }

    /// What an axis shows: what is asked for, else all finite data, with room around it.
    fn range(&self, axis: usize) -> [f64; 2] {
        let points = self.curves.iter().flat_map(|curve| &curve.points);
        let values = points.map(|point| self.shown(*point)[axis]).filter(|value| value.is_finite());
        // Numbers beyond these leave no room for round ones.
        let values = values.filter(|value| value.abs() < 1e300);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (mut low, mut high) = if low > high { (0.0, 1.0) } else { (low, high) };
        if self.powers && axis == 1 {
            (low, high) = (low.floor(), high.ceil().max(low.floor() + 1.0));
        } else if self.even || axis == 0 {
            let dotted = self.curves.iter().any(|curve| curve.mark == Mark::Points);
            let share = if self.even || dotted { 0.03 } else { 0.0 };
            (low, high) = (low - share * (high - low), high + share * (high - low));
        } else {
            (low, high) = (low.min(0.0), high.max(0.0));
            let room = 0.06 * (high - low);
            (low, high) = (if low < 0.0 { low - room } else { low }, high + room);
        }
        let [from, to] = self.ranges[axis];
        (low, high) = (from.unwrap_or(low), to.unwrap_or(high));
        if high - low > 1e-9 * low.abs().max(high.abs()) { [low, high] } else { [low, low + 1.0] }
    }

    /// A point as the axes have it.
    fn shown(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let exponent = || if y > 0.0 { y.log10() } else { f64::NAN };
        [x, if self.powers { exponent() } else { y }]
    }

    /// The axes between these pixels. With one scale, what an axis leaves free goes to both sides, or
    /// beyond the end where the beginning is asked for.
    fn axes(&self, ends: [[f32; 2]; 2]) -> Axes {
        let mut ranges = [self.range(0), self.range(1)];
        if self.even {
            let pixels = ends.map(|[from, to]| f64::from((to - from).abs()));
            let of = |axis: usize| (ranges[axis][1] - ranges[axis][0]) / pixels[axis];
            let scale = of(0).max(of(1));
            ranges = [0, 1].map(|axis| {
                let ([low, high], spare) = (ranges[axis], (scale - of(axis)) * pixels[axis]);
                let before = if self.ranges[axis][0].is_some() { 0.0 } else { 0.5 * spare };
                [low - before, high + spare - before]
            });
        }
        Axes { ranges, ends, powers: self.powers }
    }

    fn draw_with(&self, letters: &mut Lettering, [width, height]: [u32; 2]) -> RgbImage {
        let mut image = RgbImage::from_pixel(width, height, image::Rgb([255; 3]));
        let [wide, high] = [width as f32, height as f32];
        let title = Style { size: 19.0, ..LABEL };
        letters.draw(&mut image, &self.title, [0.5 * wide, 20.0], title, INK);
        let top = self.draw_legend(&mut image, letters, 42.0);
        let mut ends = [[76.0, wide - 22.0], [high - 56.0, top]];
        let [x, y] = ends.map(|[from, to]| 0.5 * (from + to));
        letters.draw(&mut image, &self.labels[0], [x, high - 18.0], LABEL, INK);
        let upwards = Style { upwards: true, ..LABEL };
        letters.draw(&mut image, &self.labels[1], [18.0, y], upwards, INK);
        if self.down {
            ends[1].reverse();
        }
        let axes = self.axes(ends);
        axes.draw(&mut image, letters);
        for curve in &self.curves {
            let points = curve.points.iter().map(|&point| self.shown(point)).collect();
            let curve = Curve { points, ..curve.clone() };
            for part in curve.parts(&axes) {
                curve.draw(&mut image, &part);
            }
        }
        image
    }

    /// Draws the names of the curves below the title, in as many rows as they need; returns the
    /// pixel at which the plot may begin.
    fn draw_legend(&self, image: &mut RgbImage, letters: &mut Lettering, top: f32) -> f32 {
        let (gap, sample, row) = (18.0, 26.0, 22.0);
        let width = image.width() as f32;
        let wide = |curve: &Curve| sample + letters.length(&curve.name, SMALL.size) + gap;
        let mut rows: Vec<(f32, Vec<&Curve>)> = Vec::new();
        for curve in self.curves.iter().filter(|curve| !curve.name.is_empty()) {
            match rows.last_mut().filter(|(used, _)| used + wide(curve) <= width - 40.0) {
                Some((used, curves)) => {
                    *used += wide(curve);
                    curves.push(curve);
                }
                None => rows.push((wide(curve), vec![curve])),
            }
        }
        let mut y = top + 6.0;
        for (used, curves) in rows {
            let mut x = 0.5 * (width - used + gap);
            for curve in curves {
                let middle = matches!(curve.mark, Mark::Points | Mark::Spots | Mark::Rings);
                let ends = if middle { vec![[x + 10.0, y]] } else { vec![[x, y], [x + 20.0, y]] };
                curve.draw(image, &ends);
                let style = Style { before: 0.0, ..SMALL };
                letters.draw(image, &curve.name, [x + sample, y], style, INK);
                x += sample + letters.length(&curve.name, SMALL.size) + gap;
            }
            y += row;
        }
        y
    }
}

impl Curve {
    /// The points on the picture, in parts that hang together.
    fn parts(&self, axes: &Axes) -> Vec<Vec<[f32; 2]>> {
        if let (Mark::Level, [[_, y]]) = (self.mark, &self.points[..]) {
            return vec![axes.ranges[0].map(|x| axes.pixel([x, *y])).to_vec()];
        }
        let finite = |point: &[f64; 2]| point.iter().all(|value| value.is_finite());
        let parts = self.points.split(|point| !finite(point));
        parts.map(|part| part.iter().map(|&point| axes.pixel(point)).collect()).collect()
    }

    fn draw(&self, image: &mut RgbImage, points: &[[f32; 2]]) {
        match self.mark {
            Mark::Line => canvas::path(image, points, LINE, self.colour, None),
            Mark::Dashes | Mark::Level => {
                canvas::path(image, points, LINE, self.colour, Some(DASH));
            }
            Mark::Points => {
                points.iter().for_each(|&at| canvas::disc(image, at, 3.0, self.colour, 0.45))
            }
            Mark::Spots => {
                points.iter().for_each(|&at| canvas::disc(image, at, 7.0, self.colour, 1.0))
            }
            Mark::Rings => {
                points.iter().for_each(|&at| canvas::ring(image, at, 8.0, 3.0, self.colour, 1.0));
            }
        }
    }
}

/// Draws plots row by row, so many to a row, each so many pixels wide and high.
///
/// # Panics
/// When there is no plot or no column, or a plot is smaller than 200 × 150 pixels.
pub fn sheet(plots: &[Plot], columns: usize, [width, height]: [u32; 2]) -> RgbImage {
    assert!(!plots.is_empty() && columns > 0, "a sheet has at least one plot in one column");
    assert!(width >= 200 && height >= 150, "{width} × {height} pixels are too few for a plot");
    let columns = columns.min(plots.len()) as u32;
    let rows = (plots.len() as u32).div_ceil(columns);
    let mut image = RgbImage::from_pixel(width * columns, height * rows, image::Rgb([255; 3]));
    let mut letters = Lettering::new();
    for (index, plot) in (0..).zip(plots) {
        let drawn = plot.draw_with(&mut letters, [width, height]);
        let at = [index % columns * width, index / columns * height].map(i64::from);
        imageops::replace(&mut image, &drawn, at[0], at[1]);
    }
    image
}

/// A power of ten as an axis shows it.
fn power(exponent: f64) -> String {
    let exponent = exponent as i32;
    match exponent {
        -4..=-1 => format!("0.{}1", "0".repeat(exponent.unsigned_abs() as usize - 1)),
        0..=6 => thousands(10_u64.pow(exponent as u32)),
        _ => format!("1e{exponent}"),
    }
}

/// A number as an axis shows it, where all of the axis is so long: no more digits than it takes.
fn number(value: f64, span: f64) -> String {
    let digits = [1.0, 0.1, 0.01, 0.001, 0.0001].iter().take_while(|step| span < **step * 10.0);
    let text = format!("{value:.*}", digits.count() + 1);
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    };
    match text.parse::<i64>() {
        Ok(0) => "0".to_owned(),
        Ok(whole) if whole < 0 => format!("-{}", thousands(whole.unsigned_abs())),
        Ok(whole) => thousands(whole.unsigned_abs()),
        Err(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{number, power};

    #[test]
    fn powers_of_ten_are_written_out() {
        let texts = [-3, 0, 1, 4, 9].map(|exponent| power(f64::from(exponent)));
        assert_eq!(texts, ["0.001", "1", "10", "10,000", "1e9"]);
    }

    #[test]
    fn numbers_have_the_digits_they_need() {
        for (value, span, text) in [
            (0.0, 1.0, "0"),
            (-0.0, 1.0, "0"),
            (0.30000000000000004, 1.0, "0.3"),
            (0.25, 1.5, "0.25"),
            (1500.0, 4000.0, "1,500"),
            (-20_000.0, 90_000.0, "-20,000"),
            (12.5, 60.0, "12.5"),
            (0.0125, 0.05, "0.0125"),
        ] {
            assert_eq!(number(value, span), text);
        }
    }
}
