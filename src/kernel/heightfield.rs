//! The heightfield: how high the ground and the walls stand, and what a straight shot meets first.
//!
//! The ground is flat within a cell. A cell blocks a shot that is in it and strictly below its top;
//! one that only touches a top passes on, so a muzzle exactly on the ground is free. A point on a
//! grid line is in the cell to its right or below, as everywhere, and so is a shot along the line.
//!
//! **Method**: the walk over the cells that a segment crosses, by Amanatides and Woo ("A fast voxel
//! traversal algorithm for ray tracing", Eurographics 1987), but every crossing is divided anew from
//! the segment's start, so that no error grows with its length, and the number of crossings is known
//! from the cells of both ends, so that rounding can neither add nor lose a cell.
//!
//! **Corners**: a segment that passes exactly through a corner of four cells goes to the cell
//! diagonally across. It is held up there when it is below the tops of *both* side cells, and goes
//! by the corner of a single one. Two walls that meet at a corner leave no gap.
//!
//! Everything is IEEE `f64` in both number types, and only `+ − × ÷`, floor and comparisons: exact
//! enough that Q16.16 loses nothing, and the same bits everywhere.

use crate::math::Num;
use crate::math::each::Each;

/// Steps of a height in a metre.
pub const STEPS: i16 = 16;

/// Cells along a side of the squares whose extremes are known.
pub const SQUARE: u32 = 16;

/// Squares that are looked at one by one; longer shots take the extremes of the whole map.
const FEW: usize = 16;

/// Heights of the cells of a map, as a shot sees them. Rasters are padded by one cell on every side.
#[derive(Clone, Copy, Debug)]
pub struct Heightfield<'a> {
    /// Slowness, padded; 0 is a wall.
    pub slowness: &'a [u8],
    /// Height of the ground in 1/16 m, padded; empty where all of it is 0.
    pub heights: &'a [i16],
    /// How far a wall rises above its ground, in 1/16 m.
    pub wall: i16,
    /// The greatest top of all cells that are not padding, in 1/16 m.
    pub highest: i16,
    /// The lowest ground and the greatest top, in 1/16 m, of every square of [`SQUARE`] × `SQUARE`
    /// cells, row by row.
    pub squares: &'a [[i16; 2]],
    /// Width and height of the map in cells, without padding.
    pub size: [u32; 2],
    /// Side of a cell in metres.
    pub cell_size: f64,
}

/// What a shot meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Obstacle {
    /// It came down on the top of a cell: open ground, or a wall from above.
    Top,
    /// It ran into the side of a wall, or began inside one.
    Wall,
    /// It ran into the side of open ground that is higher, or began below the ground.
    Cliff,
    /// It left the map, or began off it.
    Edge,
}

/// Where a shot meets something first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// How far along the segment: 0 at its start, 1 at its end.
    pub share: f64,
    /// The cell that was met, as an index into a padded raster. At the edge of the map it is the
    /// padding beyond; 0 for a segment that begins off the map.
    pub cell: u32,
    /// What the shot ran into.
    pub obstacle: Obstacle,
}

impl Heightfield<'_> {
    /// Height of the ground of a padded cell in 1/16 m.
    #[inline(always)]
    pub fn ground(&self, cell: usize) -> i16 {
        self.heights.get(cell).copied().unwrap_or(0)
    }

    /// What a shot must clear in a padded cell, in 1/16 m: its ground, with the wall on it.
    #[inline(always)]
    pub fn top(&self, cell: usize) -> i16 {
        // At most 1,000 m of each, so the sum fits.
        self.ground(cell) + if self.slowness[cell] == 0 { self.wall } else { 0 }
    }

    /// Height in metres of the ground under a point, exactly; off the map that of the nearest cell.
    #[inline(always)]
    pub fn ground_at<N: Num>(&self, [x, y]: [N; 2]) -> N {
        if self.heights.is_empty() {
            return N::ZERO;
        }
        let cell = |v: N, size: u32| {
            // `as` saturates, and takes NaN to 0.
            ((v.to_f64() / self.cell_size).floor() as i64).clamp(0, i64::from(size) - 1)
        };
        N::from_f64(metres(self.ground(self.index([cell(x, self.size[0]), cell(y, self.size[1])]))))
    }

    /// No ground in a rectangle (metres) is lower than the first of these heights, and no top
    /// higher than the second, in metres. In a large rectangle they may be far from the extremes.
    #[inline]
    pub fn bounds(&self, min: [f64; 2], max: [f64; 2]) -> [f64; 2] {
        let square = |metres: f64, i: usize| {
            let last = (self.size[i] - 1) / SQUARE;
            // `as` saturates, and takes NaN to 0.
            ((metres / self.cell_size) as u32 / SQUARE).min(last) as usize
        };
        let wide = self.size[0].div_ceil(SQUARE) as usize;
        let [x0, y0, x1, y1] =
            [square(min[0], 0), square(min[1], 1), square(max[0], 0), square(max[1], 1)];
        if (x1 - x0 + 1) * (y1 - y0 + 1) > FEW {
            return [-f64::from(i16::MAX), f64::from(self.highest)].each(|h| h / f64::from(STEPS));
        }
        let mut bounds = [i16::MAX, i16::MIN];
        for row in y0..=y1 {
            for square in &self.squares[row * wide + x0..=row * wide + x1] {
                bounds = [bounds[0].min(square[0]), bounds[1].max(square[1])];
            }
        }
        bounds.each(metres)
    }

    /// What a shot from one point to another, x, y, z in metres, meets first; `None` when it is free
    /// from end to end. The time grows with the number of cells crossed; it is constant for shots
    /// above everything near them that stay on the map.
    #[inline]
    pub fn first_contact<N: Num>(&self, from: [N; 3], to: [N; 3]) -> Option<Contact> {
        let real = |p: [N; 3]| p.each(N::to_f64);
        let ([x0, y0, z0], [x1, y1, z1]) = (real(from), real(to));
        let start = [x0 / self.cell_size, y0 / self.cell_size];
        let end = [x1 / self.cell_size, y1 / self.cell_size];
        let inside = |p: [f64; 2]| (0..2).all(|i| p[i] >= 0.0 && p[i] < f64::from(self.size[i]));
        if !inside(start) {
            return Some(Contact { share: 0.0, cell: 0, obstacle: Obstacle::Edge });
        }
        let highest = metres(self.highest);
        if inside(end) {
            let lower = if z0 < z1 { z0 } else { z1 };
            let ends = [[x0, x1], [y0, y1]].each(|[a, b]| if a < b { [a, b] } else { [b, a] });
            let min = [ends[0][0], ends[1][0]];
            let max = [ends[0][1], ends[1][1]];
            if lower >= highest || lower >= self.bounds(min, max)[1] {
                return None;
            }
        }
        self.walk(Walk::new(start, end, self.size), [z0, z1])
    }

    /// Whether a shot from one point to another, x, y, z in metres, meets nothing.
    #[inline]
    pub fn is_clear<N: Num>(&self, from: [N; 3], to: [N; 3]) -> bool {
        self.first_contact(from, to).is_none()
    }

    /// Follows a walk that begins on the map.
    fn walk(&self, mut walk: Walk, [z0, z1]: [f64; 2]) -> Option<Contact> {
        let rise = z1 - z0;
        let (mut share, mut z) = (0.0, z0);
        loop {
            let cell = self.index(walk.cell);
            let top = metres(self.top(cell));
            if z < top {
                return Some(self.side(share, cell));
            }
            let crossing = walk.next();
            let (next, z_next) = match crossing {
                // Rounding may put a crossing an instant before the last one, never after the end.
                Some(at) if at.share > share => (at.share, z0 + at.share * rise),
                Some(_) => (share, z),
                None => (1.0, z1),
            };
            if z_next < top {
                let down = (top - z0) / rise;
                let share = if down > share { down } else { share };
                let share = if share < next { share } else { next };
                return Some(Contact { share, cell: cell as u32, obstacle: Obstacle::Top });
            }
            let at = crossing?;
            (share, z) = (next, z_next);
            let sides = walk.go(at);
            if !walk.is_inside() {
                let cell = self.index(walk.cell) as u32;
                return Some(Contact { share, cell, obstacle: Obstacle::Edge });
            }
            if let Some(sides) = sides {
                let [a, b] = sides.each(|side| self.index(side));
                if z < metres(self.top(a)) && z < metres(self.top(b)) {
                    return Some(self.side(share, a));
                }
            }
        }
    }

    /// A contact with the side of a cell.
    fn side(&self, share: f64, cell: usize) -> Contact {
        let wall = self.slowness[cell] == 0;
        let obstacle = if wall { Obstacle::Wall } else { Obstacle::Cliff };
        Contact { share, cell: cell as u32, obstacle }
    }

    /// The padded index of a cell on the map or next to it.
    #[inline(always)]
    fn index(&self, [i, j]: [i64; 2]) -> usize {
        ((j + 1) * (i64::from(self.size[0]) + 2) + i + 1) as usize
    }
}

/// A height in metres, exactly.
#[inline(always)]
fn metres(height: i16) -> f64 {
    f64::from(height) / f64::from(STEPS)
}

/// Where the next grid line is crossed.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// Share of the segment.
    share: f64,
    /// Which grid lines: of x, of y, or both at a corner.
    axes: [bool; 2],
}

/// The cells along a segment, in units of cells.
#[derive(Clone, Copy, Debug)]
struct Walk {
    start: [f64; 2],
    length: [f64; 2],
    size: [i64; 2],
    /// The cell that the walk is in.
    cell: [i64; 2],
    /// −1 or 1 along each axis.
    step: [i64; 2],
    /// Grid lines still to be crossed.
    left: [i64; 2],
    /// Shares of the segment at which the next ones are.
    shares: [f64; 2],
}

impl Walk {
    fn new(start: [f64; 2], end: [f64; 2], size: [u32; 2]) -> Self {
        let size = size.each(i64::from);
        let cell = start.each(|v| v.floor() as i64);
        // The walk ends beyond the edge, so farther ends need no more crossings.
        let last = [0, 1].each(|i| (end[i].floor() as i64).clamp(-1, size[i]));
        let mut walk = Self {
            start,
            length: [end[0] - start[0], end[1] - start[1]],
            size,
            cell,
            step: [0, 1].each(|i| if last[i] < cell[i] { -1 } else { 1 }),
            left: [0, 1].each(|i| (last[i] - cell[i]).abs()),
            shares: [0.0; 2],
        };
        walk.shares = [0, 1].each(|i| walk.share(i));
        walk
    }

    /// The share of the segment at which its next grid line is along an axis.
    #[inline(always)]
    fn share(&self, i: usize) -> f64 {
        let line = self.cell[i] + i64::from(self.step[i] > 0);
        (line as f64 - self.start[i]) / self.length[i]
    }

    #[inline(always)]
    fn is_inside(&self) -> bool {
        (0..2).all(|i| self.cell[i] >= 0 && self.cell[i] < self.size[i])
    }

    /// The next crossing, if there is one.
    #[inline(always)]
    fn next(&self) -> Option<Crossing> {
        let [x, y] = self.shares;
        match self.left {
            [0, 0] => None,
            [_, 0] => Some(Crossing { share: x, axes: [true, false] }),
            [0, _] => Some(Crossing { share: y, axes: [false, true] }),
            _ => {
                // What is not a number goes on along both, so that every walk ends.
                let (y_first, x_first) = (y < x, x < y);
                let axes = [!y_first, !x_first];
                Some(Crossing { share: if y_first { y } else { x }, axes })
            }
        }
    }

    /// Goes on to the cell behind a crossing; at a corner the two side cells are returned.
    #[inline(always)]
    fn go(&mut self, at: Crossing) -> Option<[[i64; 2]; 2]> {
        let before = self.cell;
        for i in 0..2 {
            if at.axes[i] {
                self.cell[i] += self.step[i];
                self.left[i] -= 1;
                self.shares[i] = self.share(i);
            }
        }
        let [i, j] = self.cell;
        (at.axes == [true, true]).then_some([[i, before[1]], [before[0], j]])
    }
}
