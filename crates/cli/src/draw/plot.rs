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
//! Drawn by `plotters` at twice the size and halved, so that edges are smooth. The font is inside the
//! program: Ubuntu Light, which has Latin, Greek and Cyrillic letters.

use image::{RgbImage, imageops};
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::draw::colour::Rgb;
use crate::draw::paper::Paper;

/// Pixels drawn for a pixel of the picture, in both directions.
const FINE: u32 = 2;
/// What a picture in memory can be trusted with.
const SAFE: &str = "drawing into memory succeeds";

const TEXT: RGBColor = RGBColor(0x30, 0x34, 0x38);
const GRID: RGBColor = RGBColor(0xE4, 0xE7, 0xEA);
const AXES: RGBColor = RGBColor(0x90, 0x96, 0x9C);

type Area<'a> = DrawingArea<Paper<'a>, Shift>;

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
    curves: Vec<Curve>,
}

#[derive(Clone, Debug)]
struct Curve {
    name: String,
    colour: RGBColor,
    mark: Mark,
    points: Vec<[f64; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Line,
    Dashes,
    Points,
    /// A dashed line across, at the y of the only point.
    Level,
}

impl Plot {
    /// A plot without curves. Say the units in the labels, as in `time (s)`.
    pub fn new(title: &str, x: &str, y: &str) -> Self {
        let labels = [x, y].map(str::to_owned);
        Self { title: title.to_owned(), labels, ranges: [[None; 2]; 2], curves: Vec::new() }
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

    /// A dashed line across at some y.
    pub fn level(&mut self, name: &str, colour: Rgb, y: f64) -> &mut Self {
        self.curve(name, colour, Mark::Level, vec![[f64::NAN, y]])
    }

    /// The plot with more words in its title.
    pub(crate) fn noted(mut self, note: &str) -> Self {
        self.title.push_str(note);
        self
    }

    fn curve(
        &mut self,
        name: &str,
        [red, green, blue]: Rgb,
        mark: Mark,
        points: Vec<[f64; 2]>,
    ) -> &mut Self {
        let colour = RGBColor(red, green, blue);
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

    /// What an axis shows: what is asked for, else all finite data, with room above it.
    fn range(&self, axis: usize) -> [f64; 2] {
        let values = self.curves.iter().flat_map(|curve| &curve.points).map(|point| point[axis]);
        let values = values.filter(|value| value.is_finite());
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (mut low, mut high) = if low > high { (0.0, 1.0) } else { (low, high) };
        if axis == 1 {
            (low, high) = (low.min(0.0), high.max(0.0));
            let room = 0.06 * (high - low);
            (low, high) = (if low < 0.0 { low - room } else { low }, high + room);
        } else if self.curves.iter().any(|curve| curve.mark == Mark::Points) {
            let room = 0.03 * (high - low);
            (low, high) = (low - room, high + room);
        }
        let [from, to] = self.ranges[axis];
        (low, high) = (from.unwrap_or(low), to.unwrap_or(high));
        if high - low > 1e-9 * low.abs().max(high.abs()) { [low, high] } else { [low, low + 1.0] }
    }

    fn draw_on(&self, area: &Area<'_>) {
        let scale = FINE as i32;
        let (width, _) = area.dim_in_pixel();
        let font = |points: i32| (FontFamily::SansSerif, points * scale).into_font().color(&TEXT);
        let middle = plotters::style::text_anchor::Pos::new(
            plotters::style::text_anchor::HPos::Center,
            plotters::style::text_anchor::VPos::Top,
        );
        let title = font(21).pos(middle);
        area.draw_text(&self.title, &title, (width as i32 / 2, 12 * scale)).expect(SAFE);
        let top = self.draw_legend(area, 42 * scale, &font(15));
        let [[x0, x1], [y0, y1]] = [self.range(0), self.range(1)];
        let mut chart = ChartBuilder::on(area)
            .margin_top(top)
            .margin_right(22 * scale)
            .margin_bottom(10 * scale)
            .margin_left(10 * scale)
            .x_label_area_size(46 * scale)
            .y_label_area_size(66 * scale)
            .build_cartesian_2d(x0..x1, y0..y1)
            .expect(SAFE);
        chart
            .configure_mesh()
            .bold_line_style(GRID.stroke_width(FINE))
            .light_line_style(TRANSPARENT)
            .axis_style(AXES.stroke_width(FINE))
            .x_desc(&self.labels[0])
            .y_desc(&self.labels[1])
            .axis_desc_style(font(16))
            .label_style(font(14))
            .x_labels(8)
            .y_labels(9)
            .set_all_tick_mark_size(4 * scale)
            .x_label_formatter(&|value| number(*value, x1 - x0))
            .y_label_formatter(&|value| number(*value, y1 - y0))
            .draw()
            .expect(SAFE);
        for curve in &self.curves {
            let line = curve.colour.stroke_width(2 * FINE);
            let finite = |point: &[f64; 2]| point.iter().all(|value| value.is_finite());
            match curve.mark {
                Mark::Level => {
                    let ends = [[x0, curve.points[0][1]], [x1, curve.points[0][1]]];
                    let ends = ends.map(|[x, y]| (x, y));
                    let dashes = DashedLineSeries::new(ends, 7 * scale, 5 * scale, line);
                    chart.draw_series(dashes).expect(SAFE);
                }
                Mark::Points => {
                    let fill = curve.colour.mix(0.45).filled();
                    let points = curve.points.iter().filter(|point| finite(point));
                    let dots = points.map(|&[x, y]| Circle::new((x, y), 3 * scale, fill));
                    chart.draw_series(dots).expect(SAFE);
                }
                Mark::Line | Mark::Dashes => {
                    for part in curve.points.split(|point| !finite(point)) {
                        let part = part.iter().map(|&[x, y]| (x, y));
                        if curve.mark == Mark::Line {
                            chart.draw_series(LineSeries::new(part, line)).expect(SAFE);
                        } else {
                            let dashes = DashedLineSeries::new(part, 7 * scale, 5 * scale, line);
                            chart.draw_series(dashes).expect(SAFE);
                        }
                    }
                }
            }
        }
    }

    /// Draws the names of the curves below the title, in as many rows as they need; says where the
    /// plot may begin.
    fn draw_legend(&self, area: &Area<'_>, top: i32, font: &TextStyle<'_>) -> i32 {
        let scale = FINE as i32;
        let (gap, sample, row) = (18 * scale, 26 * scale, 22 * scale);
        let most = area.dim_in_pixel().0 as i32 - 40 * scale;
        let wide = |curve: &Curve| {
            let (width, _) = area.estimate_text_size(&curve.name, font).expect(SAFE);
            sample + width as i32 + gap
        };
        let mut rows: Vec<(i32, Vec<&Curve>)> = Vec::new();
        for curve in self.curves.iter().filter(|curve| !curve.name.is_empty()) {
            let width = wide(curve);
            match rows.last_mut().filter(|(used, _)| used + width <= most) {
                Some((used, curves)) => {
                    *used += width;
                    curves.push(curve);
                }
                None => rows.push((width, vec![curve])),
            }
        }
        let mut y = top;
        for (used, curves) in rows {
            let mut x = (area.dim_in_pixel().0 as i32 - used + gap) / 2;
            for curve in curves {
                self.draw_sample(area, curve, [x, y + 6 * scale]);
                area.draw_text(&curve.name, font, (x + sample, y)).expect(SAFE);
                x += wide(curve);
            }
            y += row;
        }
        y + 6 * scale
    }

    /// A piece of a curve, for the legend.
    fn draw_sample(&self, area: &Area<'_>, curve: &Curve, [x, y]: [i32; 2]) {
        let scale = FINE as i32;
        let line = curve.colour.stroke_width(2 * FINE);
        let piece = |from: i32, to: i32| {
            let ends = vec![(x + from * scale, y), (x + to * scale, y)];
            area.draw(&PathElement::new(ends, line)).expect(SAFE);
        };
        match curve.mark {
            Mark::Line => piece(0, 20),
            Mark::Dashes | Mark::Level => [(0, 8), (12, 20)].iter().for_each(|&(a, b)| piece(a, b)),
            Mark::Points => {
                let dot = Circle::new((x + 10 * scale, y), 4 * scale, curve.colour.filled());
                area.draw(&dot).expect(SAFE);
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
    let fine = [width * FINE, height * FINE];
    let mut buffer = vec![255; (fine[0] * fine[1] * 3) as usize];
    for (index, plot) in (0..).zip(plots) {
        buffer.fill(255);
        let area = Paper::new(&mut buffer, fine).into_drawing_area();
        plot.draw_on(&area);
        drop(area);
        let drawn = RgbImage::from_raw(fine[0], fine[1], buffer).expect("three bytes a pixel");
        let small = imageops::thumbnail(&drawn, width, height);
        let at = [index % columns * width, index / columns * height].map(i64::from);
        imageops::replace(&mut image, &small, at[0], at[1]);
        buffer = drawn.into_raw();
    }
    image
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
    if text == "-0" { "0".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_the_digits_they_need() {
        for (value, span, text) in [
            (0.0, 1.0, "0"),
            (-0.0, 1.0, "0"),
            (0.30000000000000004, 1.0, "0.3"),
            (0.25, 1.5, "0.25"),
            (1500.0, 4000.0, "1500"),
            (12.5, 60.0, "12.5"),
            (0.0125, 0.05, "0.0125"),
        ] {
            assert_eq!(number(value, span), text);
        }
    }
}
