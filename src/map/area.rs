//! Areas: where agents appear, where they go, what a gate covers.
//!
//! An area is a slice of [`Shape`]s, taken together. A cell belongs to a shape when its centre
//! does; a shape so small that it holds no centre has the one cell that holds its own centre.

use crate::data::number::plural;
use crate::data::sets;
use crate::math::each::Each;
use std::ops::Range;

mod free;
mod goals;

pub use free::{free_area, free_rects, open_length};
pub use goals::GoalCells;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::map::Map;

/// Corners that a polygon may have.
pub const MAX_CORNERS: usize = 1000;

/// Largest coordinate or radius of a shape, in metres.
pub const MAX_COORDINATE: f64 = 1.0e6;

/// A part of the map, in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// One point.
    Point {
        /// x, y.
        at: [f64; 2],
    },
    /// An axis-parallel rectangle.
    Rect {
        /// Smallest x, y.
        min: [f64; 2],
        /// Largest x, y.
        max: [f64; 2],
    },
    /// A disc.
    Disc {
        /// x, y of the centre.
        centre: [f64; 2],
        /// Radius.
        radius: f64,
    },
    /// A simple polygon, its corners in order. Where it crosses itself, points inside an odd number
    /// of turns belong to it.
    Polygon {
        /// x, y of every corner.
        corners: Vec<[f64; 2]>,
    },
}

/// Why a shape cannot be used.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum AreaError {
    /// A coordinate or radius is NaN, infinite or beyond [`MAX_COORDINATE`].
    #[error("{shape} has the number {value}, which is not a length in metres up to ±1,000,000")]
    Number {
        /// The shape, as [`Shape::label`] gives it.
        shape: String,
        /// The number.
        value: f64,
    },
    /// A rectangle whose largest corner is not beyond its smallest, a disc without a radius, or
    /// a polygon whose corners enclose nothing.
    #[error("{shape} covers no area")]
    Empty {
        /// The shape, as [`Shape::label`] gives it.
        shape: String,
    },
    /// A polygon with fewer than 3 or more than [`MAX_CORNERS`] corners.
    #[error("{shape} has {}, not 3 to 1,000", plural(*corners as u64, "corner"))]
    Corners {
        /// The shape, as [`Shape::label`] gives it.
        shape: String,
        /// Its corners.
        corners: usize,
    },
    /// A shape that reaches over the edge of the map.
    #[error("{shape} reaches over the edge of the map, which is {width} m × {height} m")]
    OffMap {
        /// The shape, as [`Shape::label`] gives it.
        shape: String,
        /// Width of the map in metres.
        width: f64,
        /// Height of the map in metres.
        height: f64,
    },
    /// A shape without one cell that an agent can stand in.
    #[error("{shape} lies wholly in walls (or where the agents are too wide to stand)")]
    InWall {
        /// The shape, as [`Shape::label`] gives it.
        shape: String,
    },
}

/// The smallest axis-parallel box around something, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest x, y.
    pub min: [f64; 2],
    /// Largest x, y.
    pub max: [f64; 2],
}

impl Bounds {
    /// The box around several shapes; `None` when there are none.
    pub fn of(shapes: &[Shape]) -> Option<Self> {
        let join = |a: Self, b: Self| Self {
            min: [a.min[0].min(b.min[0]), a.min[1].min(b.min[1])],
            max: [a.max[0].max(b.max[0]), a.max[1].max(b.max[1])],
        };
        shapes.iter().map(Shape::bounds).reduce(join)
    }

    /// The part of this box on the map.
    pub fn on(&self, map: &Map) -> Self {
        let [width, height] = extent(map);
        let clamp = |p: [f64; 2]| [p[0].clamp(0.0, width), p[1].clamp(0.0, height)];
        Self { min: clamp(self.min), max: clamp(self.max) }
    }
}

impl From<Shape> for Vec<Shape> {
    /// An area of one shape.
    fn from(shape: Shape) -> Self {
        vec![shape]
    }
}

impl Shape {
    /// A point, in metres.
    pub fn point(at: [f64; 2]) -> Self {
        Self::Point { at }
    }

    /// An axis-parallel rectangle between two opposite corners, in metres.
    pub fn rect(a: [f64; 2], b: [f64; 2]) -> Self {
        let (min, max) = ([0, 1].each(|i| a[i].min(b[i])), [0, 1].each(|i| a[i].max(b[i])));
        Self::Rect { min, max }
    }

    /// A disc, in metres.
    pub fn disc(centre: [f64; 2], radius: f64) -> Self {
        Self::Disc { centre, radius }
    }

    /// The kind and numbers of the shape, as in `rect [0, 0, 10, 5]`, for messages.
    pub fn label(&self) -> String {
        match self {
            Self::Point { at } => format!("point [{}, {}]", at[0], at[1]),
            Self::Rect { min, max } => {
                format!("rect [{}, {}, {}, {}]", min[0], min[1], max[0], max[1])
            }
            Self::Disc { centre, radius } => {
                format!("disc [{}, {}, {radius}]", centre[0], centre[1])
            }
            Self::Polygon { corners } => {
                let [x, y] = corners.first().copied().unwrap_or_default();
                format!("polygon of {} corners from [{x}, {y}]", corners.len())
            }
        }
    }

    /// The smallest box around the shape.
    pub fn bounds(&self) -> Bounds {
        match self {
            Self::Point { at } => Bounds { min: *at, max: *at },
            Self::Rect { min, max } => Bounds { min: *min, max: *max },
            Self::Disc { centre: [x, y], radius: r } => {
                Bounds { min: [x - r, y - r], max: [x + r, y + r] }
            }
            Self::Polygon { corners } => {
                let mut bounds = Bounds { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };
                for &[x, y] in corners {
                    bounds.min = [bounds.min[0].min(x), bounds.min[1].min(y)];
                    bounds.max = [bounds.max[0].max(x), bounds.max[1].max(y)];
                }
                bounds
            }
        }
    }

    /// The middle of the bounding box.
    pub fn centre(&self) -> [f64; 2] {
        let Bounds { min, max } = self.bounds();
        [min[0] + (max[0] - min[0]) * 0.5, min[1] + (max[1] - min[1]) * 0.5]
    }

    /// Whether a point lies in the shape, its outline included (a polygon's lower and right outline
    /// is not).
    pub fn contains(&self, x: f64, y: f64) -> bool {
        match self {
            Self::Point { at } => at[0] == x && at[1] == y,
            Self::Rect { min, max } => min[0] <= x && x <= max[0] && min[1] <= y && y <= max[1],
            Self::Disc { centre, radius } => {
                let (dx, dy) = (x - centre[0], y - centre[1]);
                dx * dx + dy * dy <= radius * radius
            }
            Self::Polygon { corners } => {
                let mut inside = false;
                each_crossing(corners, y, |at| inside ^= at <= x);
                inside
            }
        }
    }

    /// Area in m²; 0 for a point.
    pub fn area(&self) -> f64 {
        match self {
            Self::Point { .. } => 0.0,
            Self::Rect { min, max } => (max[0] - min[0]) * (max[1] - min[1]),
            Self::Disc { radius, .. } => std::f64::consts::PI * radius * radius,
            Self::Polygon { corners } => {
                // Shoelace formula about the first corner, which keeps the products small.
                let Some(&[x0, y0]) = corners.first() else { return 0.0 };
                let mut twice = 0.0;
                for pair in corners.windows(2) {
                    let [[ax, ay], [bx, by]] = [pair[0], pair[1]];
                    twice += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
                }
                twice.abs() * 0.5
            }
        }
    }

    /// Whether the shape's numbers make a shape.
    ///
    /// # Errors
    /// [`AreaError::Number`], [`AreaError::Corners`] and [`AreaError::Empty`].
    pub fn validate(&self) -> Result<(), AreaError> {
        let shape = || self.label();
        let mut numbers: Vec<f64> = Vec::new();
        match self {
            Self::Point { at } => numbers.extend(at),
            Self::Rect { min, max } => numbers.extend(min.iter().chain(max)),
            Self::Disc { centre, radius } => numbers.extend([centre[0], centre[1], *radius]),
            Self::Polygon { corners } => numbers.extend(corners.iter().flatten()),
        }
        for value in numbers {
            if value.is_nan() || value.abs() > MAX_COORDINATE {
                return Err(AreaError::Number { shape: shape(), value });
            }
        }
        let empty = match self {
            Self::Point { .. } => false,
            Self::Rect { min, max } => max[0] <= min[0] || max[1] <= min[1],
            Self::Disc { radius, .. } => *radius <= 0.0,
            Self::Polygon { corners } => {
                if corners.len() < 3 || corners.len() > MAX_CORNERS {
                    return Err(AreaError::Corners { shape: shape(), corners: corners.len() });
                }
                self.area() <= 0.0
            }
        };
        if empty { Err(AreaError::Empty { shape: shape() }) } else { Ok(()) }
    }

    /// Whether the whole shape lies on a map.
    ///
    /// # Errors
    /// [`AreaError::OffMap`].
    pub fn check_on(&self, map: &Map) -> Result<(), AreaError> {
        let Bounds { min, max } = self.bounds();
        let [width, height] = extent(map);
        let inside = min[0] >= 0.0 && min[1] >= 0.0 && max[0] <= width && max[1] <= height;
        // A point on the far edge belongs to no cell.
        let point_off = matches!(self, Self::Point { at } if map.cell_at(at[0], at[1]).is_none());
        if inside && !point_off {
            Ok(())
        } else {
            Err(AreaError::OffMap { shape: self.label(), width, height })
        }
    }

    /// Adds the x ranges of the shape at height y to `spans`, in no order. A point has none.
    pub(super) fn spans(&self, y: f64, spans: &mut Vec<[f64; 2]>) {
        match self {
            Self::Point { .. } => {}
            Self::Rect { min, max } => {
                if min[1] <= y && y <= max[1] {
                    spans.push([min[0], max[0]]);
                }
            }
            Self::Disc { centre, radius } => {
                let dy = y - centre[1];
                let square = radius * radius - dy * dy;
                if square >= 0.0 {
                    let half = square.sqrt();
                    spans.push([centre[0] - half, centre[0] + half]);
                }
            }
            Self::Polygon { corners } => {
                let mut crossings = Vec::new();
                each_crossing(corners, y, |x| crossings.push(x));
                crossings.sort_unstable_by(f64::total_cmp);
                spans.extend(crossings.chunks_exact(2).map(|pair| [pair[0], pair[1]]));
            }
        }
    }
}

/// Calls `visit` with x of every edge that crosses the height y. An edge has its upper end and not
/// its lower one, so the crossings are even in number.
fn each_crossing(corners: &[[f64; 2]], y: f64, mut visit: impl FnMut(f64)) {
    let Some(&last) = corners.last() else { return };
    let mut from = last;
    for &to in corners {
        if (from[1] <= y) != (to[1] <= y) {
            visit(from[0] + (y - from[1]) / (to[1] - from[1]) * (to[0] - from[0]));
        }
        from = to;
    }
}

/// Width and height of a map in metres.
pub fn extent(map: &Map) -> [f64; 2] {
    [f64::from(map.width()) * map.cell_size(), f64::from(map.height()) * map.cell_size()]
}

/// The cells of an area, as indices into a padded raster, sorted, each once. Parts of a shape off
/// the map are left out.
pub fn cells(map: &Map, shapes: &[Shape]) -> Vec<u32> {
    let mut list = Vec::new();
    for shape in shapes {
        shape_cells(map, shape, &mut list);
    }
    sets::distinct(list)
}

fn shape_cells(map: &Map, shape: &Shape, list: &mut Vec<u32>) {
    each_run(map, shape, |row, columns| {
        list.extend(columns.map(|column| map.index(column, row)));
        true
    });
}

/// Calls `visit` with the row and columns of every run of a shape's cells, from the top, until it
/// returns false. Crossing spans of a polygon are disjoint, so no cell comes twice.
pub(crate) fn each_run(map: &Map, shape: &Shape, mut visit: impl FnMut(u32, Range<u32>) -> bool) {
    let size = map.cell_size();
    let (mut spans, mut found) = (Vec::new(), false);
    for row in rows(map, shape) {
        spans.clear();
        shape.spans((f64::from(row) + 0.5) * size, &mut spans);
        for &[from, to] in &spans {
            let columns = centres(from / size, to / size, map.width());
            if columns.is_empty() {
                continue;
            }
            found = true;
            if !visit(row, columns) {
                return;
            }
        }
    }
    let [x, y] = shape.centre();
    if let Some(cell) = map.cell_at(x, y).filter(|_| !found) {
        let (column, row) = map.cell(cell);
        visit(row, column..column + 1);
    }
}

/// The cell rows that a shape may have cells in.
fn rows(map: &Map, shape: &Shape) -> Range<u32> {
    let bounds = shape.bounds().on(map);
    let first = (bounds.min[1] / map.cell_size()).floor() as u32;
    first..((bounds.max[1] / map.cell_size()).ceil() as u32).min(map.height())
}

/// Steps that finding a shape's cells takes at most: for every cell row, its columns and corners.
pub(crate) fn work(map: &Map, shape: &Shape) -> u64 {
    let bounds = shape.bounds().on(map);
    let columns = ((bounds.max[0] - bounds.min[0]) / map.cell_size()).ceil() as u64;
    let corners = match shape {
        Shape::Polygon { corners } => corners.len() as u64,
        _ => 1,
    };
    (rows(map, shape).len() as u64 + 1) * (columns + corners)
}

/// Whether a shape has a cell where `slowness` (padded) is not 0.
pub fn has_room(map: &Map, shape: &Shape, slowness: &[u8]) -> bool {
    let mut found = false;
    each_run(map, shape, |row, columns| {
        let first = map.index(columns.start, row) as usize;
        found = slowness[first..first + columns.len()].iter().any(|&slowness| slowness != 0);
        !found
    });
    found
}

/// The whole numbers i in `0..count` with `from ≤ i + ½ ≤ to`.
fn centres(from: f64, to: f64, count: u32) -> Range<u32> {
    let count = f64::from(count);
    let first = (from - 0.5).ceil().clamp(0.0, count);
    let end = ((to - 0.5).floor() + 1.0).clamp(first, count);
    first as u32..end as u32
}

/// The cells of a goal for agents that can stand where `slowness` (padded) is not 0.
///
/// A point's cell is both seed and area. Of every other connected piece of the area the seeds are
/// the core: the cells at least ¾ as deep (in king's moves from outside; walls are outside) as the
/// piece's deepest, so that a crowd goes on inwards.
///
/// # Errors
/// [`AreaError::InWall`] names the first shape in which no agent can stand.
pub fn goal_cells(map: &Map, shapes: &[Shape], slowness: &[u8]) -> Result<GoalCells, AreaError> {
    let (mut seeds, mut area) = (Vec::new(), Vec::new());
    for shape in shapes {
        let mut cells = Vec::new();
        shape_cells(map, shape, &mut cells);
        cells.retain(|&cell| slowness[cell as usize] != 0);
        if cells.is_empty() {
            return Err(AreaError::InWall { shape: shape.label() });
        }
        if matches!(shape, Shape::Point { .. }) {
            seeds.extend_from_slice(&cells);
        }
        area.append(&mut cells);
    }
    let area = sets::distinct(area);
    core(map, &area, &mut seeds);
    Ok(GoalCells::new(seeds, area))
}

/// Adds the core of every connected piece of `area` (sorted) to `seeds`.
fn core(map: &Map, area: &[u32], seeds: &mut Vec<u32>) {
    let Some((corner, stride, mut depth)) = window(map, area) else { return };
    let local = |index: u32| {
        let (x, y) = map.cell(index);
        (y - corner[1] + 1) as usize * stride + (x - corner[0] + 1) as usize
    };
    // Exact king's-move distance in two sweeps (Rosenfeld and Pfaltz 1966).
    for &index in area {
        let at = local(index);
        let least = [at - 1, at - stride - 1, at - stride, at - stride + 1];
        depth[at] = least.each(|i| depth[i]).into_iter().min().unwrap_or(0) + 1;
    }
    for &index in area.iter().rev() {
        let at = local(index);
        let least = [at + 1, at + stride - 1, at + stride, at + stride + 1];
        let back = least.each(|i| depth[i]).into_iter().min().unwrap_or(0) + 1;
        depth[at] = depth[at].min(back);
    }
    let mut seen = vec![false; depth.len()];
    let mut piece: Vec<(u32, usize)> = Vec::new();
    for &start in area {
        if seen[local(start)] {
            continue;
        }
        piece.clear();
        piece.push((start, local(start)));
        seen[local(start)] = true;
        let (mut next, mut deepest) = (0, 0);
        while let Some(&(index, at)) = piece.get(next) {
            next += 1;
            deepest = deepest.max(depth[at]);
            let row = map.stride();
            let sides = [(index - row, at - stride), (index - 1, at - 1)];
            let more = [(index + 1, at + 1), (index + row, at + stride)];
            for (side, place) in sides.into_iter().chain(more) {
                if depth[place] > 0 && !seen[place] {
                    seen[place] = true;
                    piece.push((side, place));
                }
            }
        }
        let deep = piece.iter().filter(|(_, at)| depth[*at] * 4 >= deepest * 3);
        seeds.extend(deep.map(|(index, _)| index));
    }
}

/// First cell, row length and raster (all zero) of the box around `area`, one cell wider on every
/// side.
fn window(map: &Map, area: &[u32]) -> Option<([u32; 2], usize, Vec<u32>)> {
    let top = map.cell(*area.first()?).1;
    let bottom = map.cell(*area.last()?).1;
    let (mut left, mut right) = (u32::MAX, 0);
    for &index in area {
        let (x, _) = map.cell(index);
        left = left.min(x);
        right = right.max(x);
    }
    let stride = (right - left) as usize + 3;
    let rows = (bottom - top) as usize + 3;
    Some(([left, top], stride, vec![0; stride * rows]))
}

#[cfg(test)]
mod tests;
