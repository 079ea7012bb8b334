//! Roads between places, along the cheapest ways.
//!
//! **Method.** The pairs to join are the minimum spanning tree of the places by straight distance
//! (Kruskal 1956), then the shortest of the pairs that are left, as many as there shall be loops.
//! One after the other, shortest first, each gets the cheapest way over the ground by A*
//! ([`Search`]). A cell costs its slowness, a climb makes a step dearer with the square of its
//! slope, so ways go round hills or cross them aslant. Cells that carry a road cost less from then
//! on, so later roads join earlier ones where that is not far out of their way.
//!
//! ```
//! use throng::generate::roads::{Ground, Roads};
//!
//! // Plain ground with a wall; the way from left to right goes round it.
//! let slowness = [16, 0, 16, 16, 0, 16, 16, 16, 16];
//! let ground = Ground { width: 3, height: 3, cell_size: 1.0, slowness: &slowness, heights: &[] };
//! let roads = Roads::default().lay(&ground, &[[0, 0], [2, 0]])?;
//! assert_eq!(roads[0].cells, [0, 3, 6, 7, 8, 5, 2]);
//! # Ok::<(), throng::generate::roads::RoadsError>(())
//! ```

use crate::data::sets;
use crate::graph::grid::StepCosts;
use crate::graph::{Graph, Search};
use crate::map::{MapError, limits, padded};
use crate::math::each::Each;

/// Most places that roads join.
pub const MAX_PLACES: usize = 1024;

/// Most expansions of the searches for roads: a minute or so.
const MAX_EXPANSIONS: u64 = 1 << 28;

/// The most that a step costs: 256 plain cells, which is a cliff.
const MAX_STEP: u64 = 1 << 16;

/// The ground that roads are laid on; rasters are row-major, without padding.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// Cells from left to right.
    pub width: u32,
    /// Cells from top to bottom.
    pub height: u32,
    /// Side of a cell in metres.
    pub cell_size: f64,
    /// Slowness of every cell in 1/16, 16 for plain ground; 0 is a wall.
    pub slowness: &'a [u8],
    /// Height of every cell in 1/16 m; empty where all is level.
    pub heights: &'a [i16],
}

/// How roads are laid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roads {
    /// Pairs of places that are joined beyond those of the spanning tree. Default 0.
    pub loops: u32,
    /// The slope, as rise over run, at which a step costs twice as much as on level ground; at
    /// twice that slope it costs five times as much. 0.001 to 1000, default 0.1.
    pub slope: f64,
    /// What a cell that carries a road costs, as a share of what it did before, for later roads: 0
    /// to 1. Default 0.5; with 1 roads don't care for each other.
    pub reuse: f64,
}

impl Default for Roads {
    fn default() -> Self {
        Self { loops: 0, slope: 0.1, reuse: 0.5 }
    }
}

/// A road.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Road {
    /// The place where it begins, an index into the list of places.
    pub from: u32,
    /// The place where it ends.
    pub to: u32,
    /// Its cells from one to the other, both included, as indices into the raster of the ground:
    /// `y × width + x`. Each shares a side or a corner with the next; where it is a corner, both
    /// cells between them are open.
    pub cells: Vec<u32>,
}

/// Why roads cannot be laid. Cells and places count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RoadsError {
    /// The size of the ground, or of a raster.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A number of [`Roads`] that is out of its range.
    #[error("`{name}` is {value}; it must be {low} to {high}")]
    Range {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Least value.
        low: f64,
        /// Greatest value.
        high: f64,
    },
    /// Too many places.
    #[error("{places} places; roads join at most {MAX_PLACES}")]
    TooManyPlaces {
        /// Places given.
        places: usize,
    },
    /// A place that is no open cell.
    #[error("place {place} is cell ({x}, {y}), which is {}", if *.wall { "a wall" } else { "off the map" })]
    Place {
        /// Number of the place.
        place: u32,
        /// Column of its cell.
        x: u32,
        /// Row of its cell.
        y: u32,
        /// Whether it is a wall; else it is off the map.
        wall: bool,
    },
    /// Ways that are too hard to find.
    #[error("the roads take more than {most} expansions of searches")]
    TooMuchWork {
        /// Expansions that there may be.
        most: u64,
    },
    /// Two places with no way between them.
    #[error("there is no way from place {from} to place {to}")]
    NoWay {
        /// Number of a place.
        from: u32,
        /// Number of the other.
        to: u32,
    },
}

/// The pairs of places that are to be joined, in this order: those of the minimum spanning tree by
/// straight distance, shortest first, then the shortest of the others, as many as `loops`. Of equal
/// pairs the one of lesser numbers goes first.
pub fn pairs(places: &[[u32; 2]], loops: u32) -> Vec<[u32; 2]> {
    let count = places.len() as u32;
    let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
    let mut edges: Vec<(u64, [u32; 2])> = all
        .map(|[a, b]| {
            let [p, q] = [places[a as usize], places[b as usize]];
            let [x, y] = [0, 1].each(|axis| u64::from(p[axis].abs_diff(q[axis])));
            (x * x + y * y, [a, b])
        })
        .collect();
    edges.sort_unstable();
    let mut trees: Vec<u32> = (0..count).collect();
    let pairs = edges.into_iter().map(|(_, pair)| pair);
    let (mut joined, others): (Vec<_>, Vec<_>) =
        pairs.partition(|&[a, b]| sets::join(&mut trees, a, b));
    joined.extend(others.into_iter().take(loops as usize));
    joined
}

impl Roads {
    /// Lays roads between places, cells (x, y): one for each of [`pairs`], in that order. Every
    /// place can then be reached from every other by roads. It takes the memory of a [`Search`]
    /// over the ground, and 3 bytes a cell.
    ///
    /// # Errors
    /// [`RoadsError`].
    pub fn lay(&self, ground: &Ground<'_>, places: &[[u32; 2]]) -> Result<Vec<Road>, RoadsError> {
        self.lay_within(ground, places, &mut { MAX_EXPANSIONS })
    }

    /// The same with a budget for expansions of searches, which goes down by each expansion.
    pub(super) fn lay_within(
        &self,
        ground: &Ground<'_>,
        places: &[[u32; 2]],
        expansions: &mut u64,
    ) -> Result<Vec<Road>, RoadsError> {
        let most = *expansions;
        self.check(ground, places)?;
        let mut terrain = Terrain::new(ground, self.slope);
        let mut is_road = vec![false; terrain.slowness.len()];
        let mut search = Search::default();
        let mut path = Vec::new();
        let mut roads = Vec::new();
        for [from, to] in pairs(places, self.loops) {
            let [start, goal] = [from, to].each(|place| terrain.index(places[place as usize]));
            let estimate = terrain.estimate(goal);
            let found = search.find(&terrain, &[(start, 0)], |cell| cell == goal, estimate);
            let left = expansions.checked_sub(u64::from(search.expansions()));
            *expansions = left.ok_or(RoadsError::TooMuchWork { most })?;
            if found.is_none() {
                return Err(RoadsError::NoWay { from, to });
            }
            search.path(goal, &mut path);
            for &cell in &path {
                if !std::mem::replace(&mut is_road[cell as usize], true) {
                    terrain.ease(cell, self.reuse);
                }
            }
            let cells = path.iter().map(|&cell| terrain.plain_index(cell)).collect();
            roads.push(Road { from, to, cells });
        }
        Ok(roads)
    }

    fn check(&self, ground: &Ground<'_>, places: &[[u32; 2]]) -> Result<(), RoadsError> {
        let (width, height) = (ground.width, ground.height);
        limits::check_size(width, height, ground.cell_size)?;
        limits::check_count(width, height, ground.slowness.len())?;
        if !ground.heights.is_empty() {
            limits::check_count(width, height, ground.heights.len())?;
        }
        let numbers = [("slope", self.slope, 0.001, 1000.0), ("reuse", self.reuse, 0.0, 1.0)];
        for (name, value, low, high) in numbers {
            if !(low..=high).contains(&value) {
                return Err(RoadsError::Range { name, value, low, high });
            }
        }
        if places.len() > MAX_PLACES {
            return Err(RoadsError::TooManyPlaces { places: places.len() });
        }
        for (place, &[x, y]) in (0..).zip(places) {
            let is_on = x < width && y < height;
            if !is_on || ground.slowness[(y * width + x) as usize] == 0 {
                return Err(RoadsError::Place { place, x, y, wall: is_on });
            }
        }
        Ok(())
    }
}

/// The ground as a graph: cells and their eight neighbours, padded by one wall.
struct Terrain {
    stride: u32,
    slowness: Vec<u8>,
    /// Heights, padded; none where all is level.
    heights: Vec<i16>,
    /// Square of the rise in 1/16 m at which a straight step costs twice as much.
    rise: u64,
    /// Least slowness of an open cell.
    least: u8,
    /// What is added to a cell to get to its neighbours: up, left, right, down, then the corners.
    offsets: [u32; 8],
}

/// For every corner the two sides next to it.
const BESIDE: [[usize; 2]; 4] = [[0, 1], [0, 2], [3, 1], [3, 2]];

impl Terrain {
    fn new(ground: &Ground<'_>, slope: f64) -> Self {
        let stride = ground.width + 2;
        let slowness = padded(ground.slowness, ground.width);
        let is_level = ground.heights.iter().all(|&height| height == ground.heights[0]);
        let heights = if is_level { Vec::new() } else { padded(ground.heights, ground.width) };
        let rise = slope * ground.cell_size * 16.0;
        let rise = ((rise * rise + 0.5).floor() as u64).max(1);
        let least = slowness.iter().copied().filter(|&slow| slow != 0).min().unwrap_or(1);
        let off = |x: i32, y: i32| (y * stride as i32 + x) as u32;
        let [up, left, right, down] = [off(0, -1), off(-1, 0), off(1, 0), off(0, 1)];
        let offsets = [up, left, right, down, off(-1, -1), off(1, -1), off(-1, 1), off(1, 1)];
        Self { stride, slowness, heights, rise, least, offsets }
    }

    fn index(&self, [x, y]: [u32; 2]) -> u32 {
        (y + 1) * self.stride + x + 1
    }

    /// A padded index as one without padding.
    fn plain_index(&self, cell: u32) -> u32 {
        (cell / self.stride - 1) * (self.stride - 2) + cell % self.stride - 1
    }

    /// Makes a cell cheaper.
    fn ease(&mut self, cell: u32, share: f64) {
        let slow = &mut self.slowness[cell as usize];
        *slow = ((f64::from(*slow) * share + 0.5).floor() as u8).max(1);
        self.least = self.least.min(*slow);
    }

    /// Never more than what is left to a goal: the cost of the steps over level ground of the least
    /// slowness.
    fn estimate(&self, goal: u32) -> impl Fn(u32) -> u32 + use<> {
        let costs = StepCosts::FINE.between(self.least, self.least);
        let stride = self.stride;
        let (x, y) = (goal % stride, goal / stride);
        move |cell| costs.octile((cell % stride).abs_diff(x), (cell / stride).abs_diff(y))
    }

    /// What a step costs with the climb on it; `run` is the square of its length in cells.
    #[inline(always)]
    fn with_climb(&self, from: u32, to: u32, cost: u32, run: u64) -> u32 {
        if self.heights.is_empty() {
            return cost;
        }
        let [from, to] = [from, to].each(|cell| i64::from(self.heights[cell as usize]));
        let climb = from.abs_diff(to);
        if climb == 0 {
            return cost;
        }
        let cost = u64::from(cost);
        (cost + cost * climb * climb / (self.rise * run)).min(MAX_STEP) as u32
    }
}

impl Graph for Terrain {
    fn node_count(&self) -> u32 {
        self.slowness.len() as u32
    }

    #[inline(always)]
    fn each_edge(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        let own = self.slowness[node as usize];
        let ends = self.offsets.each(|offset| node.wrapping_add(offset));
        let slow = ends.each(|end| self.slowness[end as usize]);
        for side in 0..4 {
            if slow[side] != 0 {
                let cost = StepCosts::FINE.between(own, slow[side]).straight;
                visit(ends[side], self.with_climb(node, ends[side], cost, 1));
            }
        }
        for (corner, [a, b]) in (4..).zip(BESIDE) {
            if slow[corner] != 0 && slow[a] != 0 && slow[b] != 0 {
                let cost = StepCosts::FINE.between(own, slow[corner]).diagonal;
                visit(ends[corner], self.with_climb(node, ends[corner], cost, 2));
            }
        }
    }
}
