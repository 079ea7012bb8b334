//! Floor plans: what a drawing shows as walls, in cells.

use crate::import::problem::Problem;
use crate::import::raster::{Inside, Point, Raster};
use crate::import::scenario;

/// Largest coordinate of a plan in metres from its middle.
const FAR: f64 = 1.0e7;

/// Something that is drawn, in the units of the drawing, x right and y down: walls, or ground that is
/// drawn over walls.
pub(super) enum Mark {
    /// A filled shape.
    Fill { rings: Vec<Vec<Point>>, inside: Inside, is_wall: bool },
    /// Lines of a width, and what is filled to draw them. Ground is only drawn by lines of more than a
    /// cell.
    Lines { lines: Vec<Vec<Point>>, width: f64, outline: Vec<Vec<Point>>, is_wall: bool },
    /// Marks of which only what lies in a shape is seen.
    Clipped { marks: Vec<Mark>, clip: Vec<Vec<Point>>, inside: Inside },
}

/// A drawing.
#[derive(Default)]
pub(super) struct Plan {
    /// In the order in which they are drawn.
    pub(super) marks: Vec<Mark>,
    /// Names of layers that there are, for messages.
    pub(super) layers: Vec<String>,
    /// Parts of the file that are not taken over, in words.
    pub(super) notes: Vec<String>,
}

/// How a plan becomes cells.
pub(super) struct Rules {
    /// Metres of a unit.
    pub(super) scale: f64,
    /// Side of a cell in metres, unless it follows from the size.
    pub(super) cell: Option<f64>,
    /// Least width of lines in metres.
    pub(super) line: f64,
}

/// Least and largest x and y.
type Bounds = [Point; 2];

/// The bounds of points, wider by a length.
fn around<'a>(points: impl Iterator<Item = &'a Point>, more: f64) -> Option<Bounds> {
    let boxes = points.map(|at| [at.map(|part| part - more), at.map(|part| part + more)]);
    boxes.reduce(|a, b| {
        let least = [0, 1].map(|k: usize| a[0][k].min(b[0][k]));
        [least, [0, 1].map(|k: usize| a[1][k].max(b[1][k]))]
    })
}

/// The bounds of all walls, in units; `line` is the least width of lines.
fn bounds(marks: &[Mark], line: f64) -> Option<Bounds> {
    let each = marks.iter().filter_map(|mark| match mark {
        Mark::Fill { is_wall: false, .. } | Mark::Lines { is_wall: false, .. } => None,
        Mark::Fill { rings, .. } => around(rings.iter().flatten(), 0.0),
        Mark::Lines { lines, width, .. } => around(lines.iter().flatten(), width.max(line) / 2.0),
        Mark::Clipped { marks, clip, .. } => {
            let (inner, clip) = (bounds(marks, line)?, around(clip.iter().flatten(), 0.0)?);
            let least = [0, 1].map(|k: usize| inner[0][k].max(clip[0][k]));
            let most = [0, 1].map(|k: usize| inner[1][k].min(clip[1][k]));
            (least[0] < most[0] && least[1] < most[1]).then_some([least, most])
        }
    });
    let corners: Vec<Point> = each.flatten().collect();
    around(corners.iter(), 0.0)
}

impl Plan {
    /// The walls as cells; (0, 0) is the upper left corner of all that is wall.
    pub(super) fn raster(&self, rules: &Rules) -> Result<Raster, Problem> {
        let Rules { scale, cell, line } = *rules;
        let Some([low, high]) = bounds(&self.marks, line / scale) else {
            let expected = "dark lines or filled shapes on the layers that are taken";
            return Err(Problem::whole("nothing in it is a wall", expected));
        };
        let far =
            low.iter().chain(&high).map(|at| at * scale).find(|at| at.is_nan() || at.abs() > FAR);
        if let Some(far) = far {
            let wrong = format!("something is drawn at {far} m");
            return Err(Problem::whole(wrong, "at most 10,000,000 m, or another --scale"));
        }
        let size = [0, 1].map(|k: usize| ((high[k] - low[k]) * scale).max(0.1));
        let cell = cell.unwrap_or_else(|| crate::import::side(size));
        let mut raster = scenario::open(size, cell)?;
        Pen { scale, line, origin: low }.draw(&self.marks, &mut raster)?;
        Ok(raster)
    }
}

/// Draws marks into cells.
struct Pen {
    scale: f64,
    /// Least width of lines in metres.
    line: f64,
    /// The point that becomes (0, 0).
    origin: Point,
}

impl Pen {
    /// Rings in metres of the cells.
    fn placed(&self, rings: &[Vec<Point>]) -> Vec<Vec<Point>> {
        let place = |at: &Point| [0, 1].map(|k: usize| (at[k] - self.origin[k]) * self.scale);
        rings.iter().map(|ring| ring.iter().map(place).collect()).collect()
    }

    fn draw(&self, marks: &[Mark], raster: &mut Raster) -> Result<(), Problem> {
        let least = raster.cell.max(self.line);
        for mark in marks {
            match mark {
                Mark::Fill { rings, inside, is_wall: true } => {
                    raster.fill(&self.placed(rings), *inside)?;
                }
                Mark::Fill { rings, inside, .. } => {
                    raster.paint(&self.placed(rings), *inside, false)?;
                }
                Mark::Lines { width, outline, is_wall: false, .. } => {
                    if width * self.scale > raster.cell {
                        raster.paint(&self.placed(outline), Inside::NonZero, false)?;
                    }
                }
                Mark::Lines { width, outline, .. }
                    if width * self.scale > least && !outline.is_empty() =>
                {
                    raster.fill(&self.placed(outline), Inside::NonZero)?;
                }
                Mark::Lines { lines, width, .. } => {
                    for points in self.placed(lines) {
                        raster.line(&points, (width * self.scale).max(self.line))?;
                    }
                }
                Mark::Clipped { marks, clip, inside } => {
                    let Some(window) = raster.window(&self.placed(clip)) else { continue };
                    let mut part = raster.part(window);
                    let shift = window[0].map(|cells| cells as f64 * raster.cell / self.scale);
                    let origin = [self.origin[0] + shift[0], self.origin[1] + shift[1]];
                    let pen = Self { origin, ..*self };
                    pen.draw(marks, &mut part)?;
                    raster.take(&part, window[0], &pen.placed(clip), *inside)?;
                }
            }
        }
        Ok(())
    }
}
