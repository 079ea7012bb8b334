//! Placement: where a crowd stands when it appears.
//!
//! Agents stand on a hexagonal lattice, the densest there is, as wide as the area allows, and are
//! then moved a little so that no two crowds look drawn by a ruler. The lattice is counted, not
//! listed, until its spacing is known: one row of it crosses a shape in a few spans, a span crosses
//! a few runs of open cells, and the lattice points of a run follow from its ends. A million agents
//! take tens of milliseconds.
//!
//! Positions are whole multiples of 1/512 m, which `f32` and Q16.16 both hold exactly up to
//! 32,768 m: what is placed apart here stays apart in either number type.

use crate::math::each::Each;
use thiserror::Error;

use crate::data::number::{plural, thousands};
use crate::map::Map;
use crate::map::area::{Bounds, Shape};

/// Agents that one call places at most: 16 Mi.
pub const MAX_COUNT: u64 = 1 << 24;

/// Largest agent radius in metres.
pub const MAX_RADIUS: f64 = 50.0;

/// Smallest agent radius in metres: below it 1/512 m is too coarse a step.
pub const MIN_RADIUS: f64 = 0.05;

/// Positions are multiples of `1 / STEPS` metres.
const STEPS: f64 = 512.0;

/// Furthest that rounding to a step moves a point: half a step's diagonal, rounded up.
const ROUNDING: f64 = 0.0015;

/// Least distance in metres from an agent's centre to a cell that it may not stand in, so that
/// a cell found in coarser numbers is an open one too.
const INSET: f64 = 1.0 / 256.0;

/// Height of a row of the hexagonal lattice over its spacing: √3 / 2.
const ROW: f64 = 0.866_025_403_784_438_6;

/// Why a crowd cannot be placed.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PlaceError {
    /// The area is too small, or too much of it is wall.
    #[error(
        "{} of radius {radius} m {} not fit: the area has {area_m2:.1} m² to stand on, room for {}",
        plural(*asked, "agent"), if *asked == 1 { "does" } else { "do" }, thousands(*fits)
    )]
    TooMany {
        /// Agents asked for.
        asked: u64,
        /// Agents that fit at the densest spacing, 2.05 radii.
        fits: u64,
        /// Area in which their centres may be, in m².
        area_m2: f64,
        /// Radius in metres.
        radius: f64,
    },
    /// More than [`MAX_COUNT`] agents.
    #[error("{} are more than one placement's 16,777,216", plural(*asked, "agent"))]
    Limit {
        /// Agents asked for.
        asked: u64,
    },
    /// A radius outside [`MIN_RADIUS`] to [`MAX_RADIUS`].
    #[error("an agent's radius of {radius} m is outside 0.05 to 50 m")]
    Radius {
        /// Radius in metres.
        radius: f64,
    },
}

/// Positions in metres of `count` agents of a radius (metres) inside an area, no two closer than
/// two radii, every centre inside a cell whose `slowness` (padded; 0 is where no such agent can
/// stand) is not 0. Row by row from the top. A pure function of its arguments.
///
/// An area of points alone takes one agent at each point, exactly there, in their order, whatever
/// their distance; beside larger shapes points count for nothing.
///
/// # Errors
/// [`PlaceError`]: the agents do not fit, or count or radius is out of range.
pub fn place(
    map: &Map,
    slowness: &[u8],
    shapes: &[Shape],
    count: u64,
    radius: f64,
    seed: u64,
) -> Result<Vec<[f64; 2]>, PlaceError> {
    if count > MAX_COUNT {
        return Err(PlaceError::Limit { asked: count });
    }
    if !(MIN_RADIUS..=MAX_RADIUS).contains(&radius) {
        return Err(PlaceError::Radius { radius });
    }
    let ground = Standing::new(map, slowness, shapes);
    if shapes.iter().all(|shape| matches!(shape, Shape::Point { .. })) {
        return points(&ground, count, radius);
    }
    if count == 0 {
        return Ok(Vec::new());
    }
    let (lattice, found) = ground.widest(count, radius)?;
    let mut positions = Vec::with_capacity(count as usize);
    let mut seen = 0;
    ground.each_point(lattice, |x, y| {
        // Of `found` points every (found / count)th or so stays, spread evenly.
        if (seen + 1) * count / found > seen * count / found {
            let index = positions.len() as u64;
            positions.push(ground.jitter([x, y], lattice.room(radius), seed, index));
        }
        seen += 1;
    });
    debug_assert_eq!(positions.len() as u64, count);
    Ok(positions)
}

/// One agent at each point.
fn points(ground: &Standing<'_>, count: u64, radius: f64) -> Result<Vec<[f64; 2]>, PlaceError> {
    let mut positions = Vec::new();
    for shape in ground.shapes {
        let at = shape.centre();
        let cell = ground.map.cell_at(at[0], at[1]);
        if cell.is_some_and(|cell| ground.slowness[cell as usize] != 0) {
            positions.push(at);
        }
    }
    let fits = positions.len() as u64;
    if fits < count {
        return Err(PlaceError::TooMany { asked: count, fits, area_m2: 0.0, radius });
    }
    positions.truncate(count as usize);
    Ok(positions)
}

/// A hexagonal lattice.
#[derive(Clone, Copy, Debug)]
struct Lattice {
    /// A lattice point, metres.
    origin: [f64; 2],
    /// Distance of neighbours, metres.
    spacing: f64,
}

impl Lattice {
    /// How far every agent may move from its lattice point, metres: to 90 % of the way to contact,
    /// and never so far that the lattice turns into clumps.
    fn room(self, radius: f64) -> f64 {
        let contact = self.spacing * 0.5 - radius - ROUNDING;
        (contact * 0.9).min(self.spacing * 0.3).max(0.0)
    }
}

/// The runs of cells that an area may use, row by row.
struct Standing<'a> {
    map: &'a Map,
    slowness: &'a [u8],
    shapes: &'a [Shape],
    /// The area on the map.
    bounds: Bounds,
    /// First cell row of `runs`.
    top: u32,
    /// Where every cell row's runs start in `runs`, and the end.
    starts: Vec<usize>,
    /// Runs of standable cells: x in metres, drawn in by [`INSET`].
    runs: Vec<[f64; 2]>,
}

impl<'a> Standing<'a> {
    fn new(map: &'a Map, slowness: &'a [u8], shapes: &'a [Shape]) -> Self {
        let size = map.cell_size();
        let nothing = Bounds { min: [0.0; 2], max: [0.0; 2] };
        let bounds = Bounds::of(shapes).unwrap_or(nothing).on(map);
        let first = |at: f64| (at / size).floor() as u32;
        let end = |at: f64, most: u32| ((at / size).floor() as u32 + 1).min(most);
        let (left, right) = (first(bounds.min[0]), end(bounds.max[0], map.width()));
        let (top, bottom) = (first(bounds.min[1]), end(bounds.max[1], map.height()));
        let (mut starts, mut runs) = (vec![0], Vec::new());
        for row in top..bottom {
            let mut column = left;
            while column < right {
                let open = |x: u32| slowness[map.index(x, row) as usize] != 0;
                let from = column;
                while column < right && open(column) {
                    column += 1;
                }
                if column > from {
                    let (from, to) = (f64::from(from) * size, f64::from(column) * size);
                    runs.push([from + INSET, to - INSET]);
                }
                column += 1;
            }
            starts.push(runs.len());
        }
        Self { map, slowness, shapes, bounds, top, starts, runs }
    }

    /// The widest lattice with at least `count` points on the ground, to about a millionth, and how
    /// many points it has.
    fn widest(&self, count: u64, radius: f64) -> Result<(Lattice, u64), PlaceError> {
        // The floor leaves rounding its room when the radius is tiny.
        let floor = (radius * 2.05).max(radius * 2.0 + 1.0 / 256.0);
        let at = |spacing: f64| {
            let middle = |axis: usize| (self.bounds.min[axis] + self.bounds.max[axis]) * 0.5;
            let lattice = Lattice { origin: [middle(0), middle(1)], spacing };
            (lattice, self.count(lattice))
        };
        let span = |axis: usize| self.bounds.max[axis] - self.bounds.min[axis];
        let per_agent = span(0) * span(1) / (ROW * count as f64);
        let mut wide = (per_agent.sqrt() * 1.5).min(span(0).max(span(1))).max(floor);
        let mut best = at(wide);
        if best.1 < count {
            let mut narrow = wide;
            while best.1 < count && narrow > floor {
                wide = narrow;
                narrow = (narrow * 0.75).max(floor);
                best = at(narrow);
            }
            if best.1 < count {
                best = self.densest(floor, best, count, radius)?;
                return Ok(best);
            }
            let mut low = narrow;
            for _ in 0..20 {
                let middle = (low + wide) * 0.5;
                let tried = at(middle);
                if tried.1 >= count {
                    (low, best) = (middle, tried);
                } else {
                    wide = middle;
                }
            }
        }
        Ok(best)
    }

    /// The lattice of the smallest spacing, shifted until enough points fall on the ground: small
    /// areas hold more when the lattice starts at their edge.
    fn densest(
        &self,
        spacing: f64,
        centred: (Lattice, u64),
        count: u64,
        radius: f64,
    ) -> Result<(Lattice, u64), PlaceError> {
        let mut best = centred;
        let corner = self.bounds.min.each(|at| at + INSET);
        for shift in 0..8 {
            let shift = f64::from(shift) * 0.125 * spacing;
            for origin in [[corner[0] + shift, corner[1]], [corner[0], corner[1] + shift]] {
                let lattice = Lattice { origin, spacing };
                let found = self.count(lattice);
                if found > best.1 {
                    best = (lattice, found);
                }
            }
        }
        if best.1 >= count {
            return Ok(best);
        }
        let area_m2 = self.area();
        Err(PlaceError::TooMany { asked: count, fits: best.1, area_m2, radius })
    }

    /// Points of a lattice on the ground.
    fn count(&self, lattice: Lattice) -> u64 {
        let mut count = 0;
        self.each_run(lattice, |_, run| count += run.end - run.start);
        count as u64
    }

    /// Calls `visit` with x and y of every point of a lattice on the ground, row by row.
    fn each_point(&self, lattice: Lattice, mut visit: impl FnMut(f64, f64)) {
        self.each_run(lattice, |[x, y], run| {
            for i in run {
                visit(x + i as f64 * lattice.spacing, y);
            }
        });
    }

    /// Calls `visit` with every run of lattice points on the ground: x of the row's point 0, y, and
    /// the numbers of the run's points.
    fn each_run(&self, lattice: Lattice, mut visit: impl FnMut([f64; 2], std::ops::Range<i64>)) {
        let Lattice { origin: [x0, y0], spacing } = lattice;
        let height = spacing * ROW;
        let first = ((self.bounds.min[1] - y0) / height).ceil() as i64;
        let last = ((self.bounds.max[1] - y0) / height).floor() as i64;
        let (mut spans, mut both) = (Vec::new(), Vec::new());
        for row in first..=last {
            let y = snap(y0 + row as f64 * height);
            let x = x0 + if row & 1 == 0 { 0.0 } else { spacing * 0.5 };
            self.spans_at(y, &mut spans);
            let mut runs = self.runs_at(y - INSET);
            // Beside the line between two cell rows both have to be open.
            if self.cell_row(y - INSET) != self.cell_row(y + INSET) {
                both.clear();
                overlaps(runs, self.runs_at(y + INSET), |from, to| both.push([from, to]));
                runs = &both;
            }
            overlaps(&spans, runs, |from, to| {
                let first = ((from - x) / spacing).ceil() as i64;
                let last = ((to - x) / spacing).floor() as i64;
                if first <= last {
                    visit([x, y], first..last + 1);
                }
            });
        }
    }

    /// The x ranges of the area at height y, drawn in by [`INSET`], from left to right.
    fn spans_at(&self, y: f64, spans: &mut Vec<[f64; 2]>) {
        spans.clear();
        for shape in self.shapes {
            shape.spans(y, spans);
        }
        spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
        spans.dedup_by(|next, last| {
            let joined = next[0] <= last[1];
            if joined {
                last[1] = last[1].max(next[1]);
            }
            joined
        });
        for span in spans.iter_mut() {
            *span = [span[0] + INSET, span[1] - INSET];
        }
    }

    /// The row of `starts` that height y lies in; meaningless off the bounds.
    fn cell_row(&self, y: f64) -> i64 {
        (y / self.map.cell_size()).floor() as i64 - i64::from(self.top)
    }

    fn runs_at(&self, y: f64) -> &[[f64; 2]] {
        let row = self.cell_row(y);
        if row < 0 || row as usize + 1 >= self.starts.len() {
            return &[];
        }
        &self.runs[self.starts[row as usize]..self.starts[row as usize + 1]]
    }

    /// Area on which centres may be, in m², cell row by cell row.
    fn area(&self) -> f64 {
        let size = self.map.cell_size();
        let (mut spans, mut length) = (Vec::new(), 0.0);
        for row in 0..self.starts.len() - 1 {
            let y = (f64::from(self.top) + row as f64 + 0.5) * size;
            self.spans_at(y, &mut spans);
            overlaps(&spans, self.runs_at(y), |from, to| length += to - from + 2.0 * INSET);
        }
        length * size
    }

    /// A lattice point moved by up to `room` metres in a direction that follows from (seed, index),
    /// where that leaves it on the ground; else by less, at last not at all.
    fn jitter(&self, [x, y]: [f64; 2], room: f64, seed: u64, index: u64) -> [f64; 2] {
        let bits = hash(seed, index);
        // A square inside the circle of radius `room`.
        let unit = |bits: u64| (bits & 0xFFFF) as f64 / 32_768.0 - 1.0;
        let mut reach = room * 0.707;
        for _ in 0..3 {
            let moved = [snap(x + unit(bits) * reach), snap(y + unit(bits >> 32) * reach)];
            if self.holds(moved) {
                return moved;
            }
            reach *= 0.5;
        }
        [snap(x), y]
    }

    /// Whether an agent's centre may be at a point.
    fn holds(&self, [x, y]: [f64; 2]) -> bool {
        let open = |x: f64, y: f64| {
            self.map.cell_at(x, y).is_some_and(|cell| self.slowness[cell as usize] != 0)
        };
        self.shapes.iter().any(|shape| shape.contains(x, y))
            && open(x - INSET, y - INSET)
            && open(x + INSET, y - INSET)
            && open(x - INSET, y + INSET)
            && open(x + INSET, y + INSET)
    }
}

/// Calls `visit` with every overlap of two sorted lists of disjoint ranges.
fn overlaps(a: &[[f64; 2]], b: &[[f64; 2]], mut visit: impl FnMut(f64, f64)) {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (from, to) = (a[i][0].max(b[j][0]), a[i][1].min(b[j][1]));
        if from <= to {
            visit(from, to);
        }
        if a[i][1] < b[j][1] {
            i += 1;
        } else {
            j += 1;
        }
    }
}

/// The nearest multiple of a step.
fn snap(at: f64) -> f64 {
    (at * STEPS + 0.5).floor() / STEPS
}

/// 64 bits that follow from a seed and an index (`SplitMix64`: Steele, Lea and Flood 2014).
pub(crate) fn hash(seed: u64, index: u64) -> u64 {
    let mut bits = seed ^ index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests;
