//! Points scattered over a rectangle: by chance, Halton's sequence, or Poisson disks.
//!
//! Three ways to place things, from the most clumped to the most even:
//!
//! * **By chance**: each point independent of the others. Some clump, and there are bare spots.
//! * **Halton** (1960): coordinates are radical inverses of one running number in two bases without
//!   a common divisor. The points are as even as can be for any number of them, but look regular.
//!   The seed chooses where in the sequence they begin.
//! * **Poisson disk**: no two points closer than a radius, and nowhere a gap of two radii. Bridson,
//!   "Fast Poisson Disk Sampling in Arbitrary Dimensions", 2007: from a point still active, tries
//!   in the ring of one to two radii around it; a grid whose cells hold one point each answers
//!   whether a try is free. Tries are drawn from a square until they lie in the ring, which needs
//!   no trigonometry. In the end every cell without a point is tried once, and the spreading goes on
//!   from there: alone it can stop half-way in a narrow rectangle.
//!
//! ```
//! use throng::generate::points::Points;
//!
//! let trees = Points::Poisson { radius: 2.0, tries: 30 }.place([60.0, 40.0], 7)?;
//! assert!(trees.len() > 350 && trees.iter().all(|at| at[0] < 60.0 && at[1] < 40.0));
//! # Ok::<(), throng::generate::points::PointsError>(())
//! ```

use std::ops::RangeInclusive;

use crate::math::each::Each;
use crate::math::{hash3, unit_f64};

/// Most points of one call: 4 Mi.
pub const MAX_POINTS: u32 = 1 << 22;
/// Most cells of the grid behind Poisson disks: 16 Mi.
pub const MAX_DISK_CELLS: u64 = 1 << 24;
/// Largest base of Halton's sequence.
pub const MAX_BASE: u32 = 1000;
/// Most tries a point of Poisson disks.
pub const MAX_TRIES: u32 = 1000;

/// Sides of a rectangle.
const SIDE: RangeInclusive<f64> = 1e-6..=1e9;

/// Streams of random numbers.
const CHANCE: u64 = 0x706f_696e;
const START: u64 = 0x7374_6172;
const DISK: u64 = 0x6469_736b;

/// How points are scattered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Points {
    /// Each by chance.
    Random {
        /// How many, at most [`MAX_POINTS`].
        count: u32,
    },
    /// Halton's sequence.
    Halton {
        /// How many, at most [`MAX_POINTS`].
        count: u32,
        /// Bases of x and of y, 2 to [`MAX_BASE`], without a common divisor; usually 2 and 3.
        bases: [u32; 2],
    },
    /// Poisson disks: as many as fit.
    Poisson {
        /// No two points are closer than this, above 0, in the unit of the rectangle.
        radius: f64,
        /// Tries to find room next to a point before it is given up, 1 to [`MAX_TRIES`]; usually
        /// 30. With fewer there are more gaps.
        tries: u32,
    },
}

/// Why points cannot be scattered like that.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PointsError {
    /// A rectangle with a side that is no length.
    #[error("a rectangle of {width} x {height}; both sides must be 1e-6 to 1e9")]
    Size {
        /// Its width.
        width: f64,
        /// Its height.
        height: f64,
    },
    /// Too many points.
    #[error("{count} points; at most {limit} are possible")]
    Count {
        /// Points asked for.
        count: u32,
        /// Most points.
        limit: u32,
    },
    /// Bases of Halton's sequence that do not spread points over the plane.
    #[error("bases {x} and {y}; both must be 2 to {limit}, without a common divisor")]
    Bases {
        /// Base of x.
        x: u32,
        /// Base of y.
        y: u32,
        /// Largest base.
        limit: u32,
    },
    /// A radius that is none, or so small that there is no end of points.
    #[error("radius {radius} in a rectangle of {width} x {height}; it must be at least {least}")]
    Radius {
        /// The radius.
        radius: f64,
        /// Width of the rectangle.
        width: f64,
        /// Its height.
        height: f64,
        /// About the least radius for this rectangle.
        least: f64,
    },
    /// No tries, or too many.
    #[error("{tries} tries; 1 to {limit} are possible")]
    Tries {
        /// Tries asked for.
        tries: u32,
        /// Most tries.
        limit: u32,
    },
}

impl Points {
    /// Points in a rectangle `[0, width) × [0, height)`, as x, y in its unit, in the order in which
    /// they are found. The same seed gives the same bits everywhere.
    ///
    /// # Errors
    /// [`PointsError`], when a number is out of its range.
    pub fn place(&self, size: [f64; 2], seed: u64) -> Result<Vec<[f64; 2]>, PointsError> {
        let [width, height] = size;
        if !size.iter().all(|side| SIDE.contains(side)) {
            return Err(PointsError::Size { width, height });
        }
        match *self {
            Self::Random { count } => {
                check_count(count)?;
                let point = |i| random_point(size, seed, CHANCE, i);
                Ok((0..u64::from(count)).map(point).collect())
            }
            Self::Halton { count, bases } => {
                check_count(count)?;
                check_bases(bases)?;
                let start = hash3(seed, START, 0) >> 33;
                let along = |i, side: f64, base| side * radical_inverse(start + i, base);
                let point = |i| [along(i, width, bases[0]), along(i, height, bases[1])];
                Ok((0..u64::from(count)).map(point).collect())
            }
            Self::Poisson { radius, tries } => {
                let limit = MAX_TRIES;
                if !(1..=limit).contains(&tries) {
                    return Err(PointsError::Tries { tries, limit });
                }
                Ok(Disks::new(size, radius)?.fill(seed, tries))
            }
        }
    }
}

fn check_count(count: u32) -> Result<(), PointsError> {
    let limit = MAX_POINTS;
    if count <= limit { Ok(()) } else { Err(PointsError::Count { count, limit }) }
}

fn check_bases([x, y]: [u32; 2]) -> Result<(), PointsError> {
    let limit = MAX_BASE;
    let (mut divisor, mut rest) = (x, y);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    let good = 2..=limit;
    let is_good = good.contains(&x) && good.contains(&y) && divisor == 1;
    if is_good { Ok(()) } else { Err(PointsError::Bases { x, y, limit }) }
}

/// The radical inverse of a number (van der Corput 1935): its digits in a base, mirrored at the
/// point, so 1, 2, 3, 4 in base 2 are 1/2, 1/4, 3/4, 1/8. In `[0, 1)`; the nearest `f64` where
/// `number × base` is at most 2⁵³.
pub fn radical_inverse(number: u64, base: u32) -> f64 {
    let base = u64::from(base);
    let (mut rest, mut mirrored, mut whole) = (number, 0, 1);
    while rest != 0 {
        mirrored = mirrored * base + rest % base;
        whole *= base;
        rest /= base;
    }
    mirrored as f64 / whole as f64
}

/// A point by chance.
fn random_point([width, height]: [f64; 2], seed: u64, stream: u64, number: u64) -> [f64; 2] {
    let unit = |n| unit_f64(hash3(seed, stream, n));
    [width * unit(2 * number), height * unit(2 * number + 1)]
}

/// No point in a cell.
const EMPTY: u32 = u32::MAX;

/// Points no two of which are close, in a grid whose cells are too small for two.
struct Disks {
    size: [f64; 2],
    radius: f64,
    /// Side of a cell: radius / √2 and a little less, so that a cell's diagonal is below the radius.
    cell: f64,
    columns: usize,
    rows: usize,
    cells: Vec<u32>,
    points: Vec<[f64; 2]>,
}

impl Disks {
    fn new([width, height]: [f64; 2], radius: f64) -> Result<Self, PointsError> {
        // A cell may not be so small that dividing by it has no end.
        let cell = radius * 0.7;
        let (columns, rows) = ((width / cell).floor() + 1.0, (height / cell).floor() + 1.0);
        let is_good = radius > 0.0 && columns * rows <= MAX_DISK_CELLS as f64;
        if !is_good {
            let most = MAX_DISK_CELLS as f64;
            let least = (width * height / most).sqrt().max(width.max(height) / most) / 0.7;
            return Err(PointsError::Radius { radius, width, height, least });
        }
        let (columns, rows) = (columns as usize, rows as usize);
        let cells = vec![EMPTY; columns * rows];
        let points = Vec::new();
        Ok(Self { size: [width, height], radius, cell, columns, rows, cells, points })
    }

    fn fill(mut self, seed: u64, tries: u32) -> Vec<[f64; 2]> {
        let mut drawn = 0;
        let mut draw = || {
            drawn += 1;
            unit_f64(hash3(seed, DISK, drawn))
        };
        self.add([self.size[0] * draw(), self.size[1] * draw()]);
        self.spread(tries, &mut draw);
        // All of an empty cell is free when its middle is two radii from every point.
        for cell in 0..self.cells.len() {
            if self.cells[cell] != EMPTY {
                continue;
            }
            let corner = [cell % self.columns, cell / self.columns].each(|n| n as f64);
            let at = [0, 1].each(|axis| {
                let low = corner[axis] * self.cell;
                low + (self.size[axis] - low).min(self.cell) * draw()
            });
            if self.is_free(at) {
                self.add(at);
                self.spread(tries, &mut draw);
            }
        }
        self.points
    }

    /// Spreads from the point that came last until no more points are found.
    fn spread(&mut self, tries: u32, draw: &mut impl FnMut() -> f64) {
        let mut active = vec![self.points.len() as u32 - 1];
        while !active.is_empty() {
            let chosen = (draw() * active.len() as f64) as usize;
            let centre = self.points[active[chosen] as usize];
            let found = (0..tries).any(|_| {
                let at = self.in_ring(centre, draw);
                let is_free = self.is_free(at);
                if is_free {
                    active.push(self.points.len() as u32);
                    self.add(at);
                }
                is_free
            });
            if !found {
                active.swap_remove(chosen);
            }
        }
    }

    /// A point one to two radii from a centre.
    fn in_ring(&self, centre: [f64; 2], draw: &mut impl FnMut() -> f64) -> [f64; 2] {
        loop {
            let [x, y] = [4.0 * draw() - 2.0, 4.0 * draw() - 2.0];
            if (1.0..4.0).contains(&(x * x + y * y)) {
                return [centre[0] + x * self.radius, centre[1] + y * self.radius];
            }
        }
    }

    fn cell_of(&self, [x, y]: [f64; 2]) -> [usize; 2] {
        // A point just inside the edge may round to the cell behind it.
        let column = ((x / self.cell) as usize).min(self.columns - 1);
        let row = ((y / self.cell) as usize).min(self.rows - 1);
        [column, row]
    }

    /// Whether a point lies in the rectangle, with no other within the radius.
    fn is_free(&self, at: [f64; 2]) -> bool {
        let [width, height] = self.size;
        if !(0.0 <= at[0] && at[0] < width && 0.0 <= at[1] && at[1] < height) {
            return false;
        }
        let [column, row] = self.cell_of(at);
        let most = self.radius * self.radius;
        let columns = column.saturating_sub(2)..(column + 3).min(self.columns);
        (row.saturating_sub(2)..(row + 3).min(self.rows)).all(|row| {
            let around = &self.cells[row * self.columns..][columns.clone()];
            around.iter().filter(|&&point| point != EMPTY).all(|&point| {
                let other = self.points[point as usize];
                let (x, y) = (at[0] - other[0], at[1] - other[1]);
                x * x + y * y >= most
            })
        })
    }

    fn add(&mut self, at: [f64; 2]) {
        let [column, row] = self.cell_of(at);
        self.cells[row * self.columns + column] = self.points.len() as u32;
        self.points.push(at);
    }
}
