//! The walls of a map as obstacles: closed squares of cells; the outside of the map is a wall.
//!
//! **Method.** The distance of a segment is the least of its exact distances to wall squares. Which
//! squares could be the nearest follows from the raster of wall distances: from a point of the
//! segment, whose clearance is known within half a cell's diagonal, the walk goes on by as much as
//! no wall can come nearer than the least distance so far (sphere tracing; Hart 1996); where that
//! is less than a cell, the squares around the next piece are measured. Each is measured against
//! the whole segment, so the answer does not depend on where the walk stops.

use crate::graph::network::obstacles::{Corner, Obstacles, Point, SLACK, Stretch, enough};
use crate::map::{Clearance, Map, Window};
use crate::math::each::Each;
use crate::math::plane::{blend, distance, point_segment};

/// Cells of a segment whose surroundings are measured at once.
const PIECE: f64 = 2.0;

/// Shares of a segment that are no more than rounding where it goes through a corner.
const SLIVER: f64 = 1e-9;

/// The walls of a map.
#[derive(Clone, Copy, Debug)]
pub struct Walls<'a> {
    map: &'a Map,
    class: Option<&'a Clearance>,
    slowness: [u8; 2],
}

impl<'a> Walls<'a> {
    /// The walls of a map. Reads every cell once, for the least and greatest slowness.
    pub fn new(map: &'a Map) -> Self {
        let open = || map.slowness().iter().copied().filter(|&s| s != 0);
        let slowness = [open().min().unwrap_or(16), open().max().unwrap_or(16)];
        Self { map, class: None, slowness }
    }

    /// The walls of a map for agents of a class: their centres also stay in the cells that the
    /// class can stand on.
    pub fn of_class(map: &'a Map, class: &'a Clearance) -> Self {
        let slowness = [class.least().max(1), class.greatest().max(1)];
        Self { map, class: Some(class), slowness }
    }

    /// A window of cells of a padded raster in metres: the least and greatest x and y.
    pub fn metres(&self, window: Window) -> [Point; 2] {
        let size = self.map.cell_size();
        [window.min, window.max].each(|corner| corner.each(|v| (f64::from(v) - 1.0) * size))
    }

    /// The least distance in cells from a segment in cells to a wall, at most `cap`; the walk ends
    /// when it is below `stop`.
    fn trace(&self, a: Point, b: Point, cap: f64, stop: f64) -> f64 {
        let stride = self.map.stride() as usize;
        let distances = self.map.wall_distance();
        let length = distance(a, b);
        let (mut best, mut gone) = (cap, 0.0);
        loop {
            let at = if length > 0.0 { blend(a, b, (gone / length).min(1.0)) } else { a };
            let Some(cell) = self.padded(at) else { return 0.0 };
            let middle = [(cell % stride) as f64 - 0.5, (cell / stride) as f64 - 0.5];
            let centre = f64::from(distances[cell]) / 256.0;
            let aside = distance(at, middle);
            let free = centre - aside - best;
            if free < PIECE {
                let rest = PIECE.min(length - gone).max(0.0);
                let end =
                    if length > 0.0 { blend(a, b, ((gone + rest) / length).min(1.0)) } else { a };
                // The nearest wall of all is no further than the one that is nearest from here. The
                // raster stops at 128 cells: beyond, it says nothing.
                let known = distances[cell] < i16::MAX;
                let reach = if known { best.min(centre.max(0.0) + aside + 0.01) } else { best };
                best = self.measure([a, b], [at, end], reach, best);
                if best <= stop {
                    return best;
                }
                gone += PIECE;
            } else {
                gone += free;
            }
            if gone >= length {
                return best;
            }
        }
    }

    /// Lowers `best` by the walls within `reach` of a piece of a segment.
    fn measure(&self, whole: [Point; 2], piece: [Point; 2], reach: f64, best: f64) -> f64 {
        let stride = self.map.stride() as i64;
        let slowness = self.map.slowness();
        let rows = slowness.len() as i64 / stride;
        let range = |axis: usize, last: i64| {
            let (low, high) = if piece[0][axis] < piece[1][axis] { (0, 1) } else { (1, 0) };
            let first = (piece[low][axis] - reach - SLACK).floor() as i64 + 1;
            let end = (piece[high][axis] + reach + SLACK).floor() as i64 + 1;
            (first.max(0), end.min(last))
        };
        let (left, right) = range(0, stride - 1);
        let (top, bottom) = range(1, rows - 1);
        let mut square = best * best;
        let mut lowered = false;
        for y in top..=bottom {
            for x in left..=right {
                if slowness[(y * stride + x) as usize] == 0 {
                    let corner = [(x - 1) as f64, (y - 1) as f64];
                    let found = segment_cell(whole[0], whole[1], corner);
                    lowered |= found < square;
                    square = square.min(found);
                }
            }
        }
        if lowered { square.sqrt() } else { best }
    }

    /// The padded cell of a point in cells; `None` off the map.
    fn padded(&self, at: Point) -> Option<usize> {
        let (x, y) = (at[0].floor(), at[1].floor());
        let inside = x >= 0.0
            && y >= 0.0
            && x < f64::from(self.map.width())
            && y < f64::from(self.map.height());
        inside.then(|| self.map.index(x as u32, y as u32) as usize)
    }

    /// Whether a segment in cells crosses a cell that the class cannot stand on.
    fn leaves_class(&self, a: Point, b: Point) -> bool {
        // Up to half a cell's radius the class can stand on every open cell that it is not forbidden.
        let closes = |class: &&Clearance| class.min_distance() > 128 || class.forbids();
        let Some(class) = self.class.filter(closes) else {
            return false;
        };
        let mut left = false;
        self.each_cell(a, b, |cell, _| left |= !class.passable(cell as u32));
        left
    }

    fn cells(&self, at: Point) -> Point {
        let size = self.map.cell_size();
        [at[0] / size, at[1] / size]
    }

    /// Visits the cells, as padded indices, that a segment in cells goes through, with the share of
    /// it inside (Amanatides and Woo 1987). Cells touched at a corner alone are not gone through; a
    /// segment of no length is in one.
    fn each_cell(&self, a: Point, b: Point, mut visit: impl FnMut(usize, f64)) {
        if a == b {
            if let Some(cell) = self.padded(a) {
                visit(cell, 1.0);
            }
            return;
        }
        let delta = [b[0] - a[0], b[1] - a[1]];
        let mut at = [0.0; 2];
        let (mut next, mut step, mut each) = ([f64::MAX; 2], [0.0; 2], [0.0; 2]);
        for axis in 0..2 {
            at[axis] = a[axis].floor();
            if delta[axis] > 0.0 {
                step[axis] = 1.0;
                each[axis] = 1.0 / delta[axis];
                next[axis] = (at[axis] + 1.0 - a[axis]) / delta[axis];
            } else if delta[axis] < 0.0 {
                step[axis] = -1.0;
                each[axis] = -1.0 / delta[axis];
                next[axis] = (at[axis] - a[axis]) / delta[axis];
            }
        }
        let mut t = 0.0;
        while t < 1.0 {
            let end = next[0].min(next[1]).min(1.0);
            if end - t > SLIVER
                && let Some(cell) = self.padded([at[0] + 0.5, at[1] + 0.5])
            {
                visit(cell, end - t);
            }
            t = end;
            for axis in 0..2 {
                if next[axis] <= end {
                    at[axis] += step[axis];
                    next[axis] += each[axis];
                }
            }
        }
    }
}

impl Obstacles for Walls<'_> {
    fn segment_clearance(&self, a: Point, b: Point, cap: f64) -> f64 {
        let size = self.map.cell_size();
        let (a, b) = (self.cells(a), self.cells(b));
        if self.leaves_class(a, b) {
            return 0.0;
        }
        let found = self.trace(a, b, cap / size, 0.0) * size;
        if found < cap { found } else { cap }
    }

    fn fits(&self, a: Point, b: Point, radius: f64) -> bool {
        let size = self.map.cell_size();
        let cap = radius.max(SLACK);
        let (a, b) = (self.cells(a), self.cells(b));
        let stop = ((radius - 2.0 * SLACK) / size).max(0.0);
        let found = self.trace(a, b, cap / size, stop) * size;
        enough(found.min(cap), radius) && !self.leaves_class(a, b)
    }

    fn reach(&self, cap: f64) -> f64 {
        // The centre of a cell that a wall takes from the class is as far as this from the wall (two
        // cells on and two aside at the least), and what goes through the cell three quarters of a
        // cell from its centre.
        let taken = |class: &Clearance| (f64::from(class.min_distance()) / 256.0).max(2.125);
        let far = self.class.map_or(0.0, |class| taken(class) + 0.75);
        cap.max(far * self.map.cell_size())
    }

    fn corners(&self) -> Vec<Corner> {
        let stride = self.map.stride() as usize;
        let slowness = self.map.slowness();
        let size = self.map.cell_size();
        let mut corners = Vec::new();
        for y in 0..=self.map.height() as usize {
            for x in 0..=self.map.width() as usize {
                let cell = y * stride + x;
                // The cells around: above left, above right, below left, below right.
                let around = [cell, cell + 1, cell + stride, cell + stride + 1];
                let solid = around.each(|cell| slowness[cell] == 0);
                let count = solid.iter().filter(|&&solid| solid).count();
                if count != 1 && count != 3 {
                    continue;
                }
                let convex = count == 1;
                // The one that is unlike the others; both walls go along its sides.
                let odd = solid.iter().position(|&solid| solid == convex).unwrap_or(0);
                let (right, below) = (odd % 2 == 1, odd / 2 == 1);
                let sign = |positive: bool| if positive { 1.0 } else { -1.0 };
                let along = [[sign(right), 0.0], [0.0, sign(below)]];
                corners.push(Corner { at: [x as f64 * size, y as f64 * size], along, convex });
            }
        }
        corners
    }

    fn bounds(&self) -> [Point; 2] {
        let size = self.map.cell_size();
        let (width, height) = (self.map.width(), self.map.height());
        [[0.0, 0.0], [f64::from(width) * size, f64::from(height) * size]]
    }

    fn unit(&self) -> f64 {
        self.map.cell_size()
    }

    fn ground(&self, a: Point, b: Point) -> Stretch {
        let length = distance(a, b);
        if self.slowness[0] == self.slowness[1] {
            let slowness = self.slowness[0];
            return Stretch { cost: length * (f64::from(slowness) / 16.0), worst: slowness };
        }
        let (mut sum, mut worst) = (0.0, 0);
        self.each_cell(self.cells(a), self.cells(b), |cell, share| {
            let slowness = self.map.slowness()[cell];
            sum += share * f64::from(slowness);
            worst = worst.max(slowness);
        });
        Stretch { cost: length * (sum / 16.0), worst }
    }

    fn slowness(&self) -> [u8; 2] {
        self.slowness
    }
}

/// Squared distance from a segment to the closed unit square at a corner; 0 when they meet.
fn segment_cell(a: Point, b: Point, corner: Point) -> f64 {
    if meets(a, b, corner) {
        return 0.0;
    }
    let far = [corner[0] + 1.0, corner[1] + 1.0];
    let ends = point_cell(a, corner).min(point_cell(b, corner));
    let left = point_segment(corner, a, b).min(point_segment([corner[0], far[1]], a, b));
    let right = point_segment(far, a, b).min(point_segment([far[0], corner[1]], a, b));
    ends.min(left).min(right)
}

fn point_cell(p: Point, corner: Point) -> f64 {
    let aside = |axis: usize| (corner[axis] - p[axis]).max(p[axis] - corner[axis] - 1.0).max(0.0);
    aside(0) * aside(0) + aside(1) * aside(1)
}

/// Whether a segment meets the closed unit square at a corner: no axis and no side of the segment
/// keeps them apart.
fn meets(a: Point, b: Point, corner: Point) -> bool {
    for axis in 0..2 {
        if a[axis].max(b[axis]) < corner[axis] || a[axis].min(b[axis]) > corner[axis] + 1.0 {
            return false;
        }
    }
    let d = [b[0] - a[0], b[1] - a[1]];
    // Sides of the four corners, relative to the middle one: the reach of the square across.
    let middle = [corner[0] + 0.5 - a[0], corner[1] + 0.5 - a[1]];
    let side = d[0] * middle[1] - d[1] * middle[0];
    side.abs() <= 0.5 * (d[0].abs() + d[1].abs())
}
