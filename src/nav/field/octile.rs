//! Exact distances over the eight neighbours: the reference, and the paths of single units.
//!
//! **Costs.** A straight step between cells of slowness a and b costs `8·(a + b)`: half of each
//! cell, 256 on plain ground. A diagonal step costs `(181·(a + b)) >> 4`, which is 362/256 of the
//! straight one, rounded down: 362 on plain ground. Both are symmetric. A diagonal step needs both
//! orthogonal cells between to be passable.
//!
//! **Method.** Dijkstra with buckets no wider than the cheapest step, so a cell that is taken from
//! the current bucket is final.

mod repair;

pub use repair::Repaired;

use crate::graph::grid::diagonal_cost;
use crate::graph::grid::straight_cost;
use crate::map::Clearance;
use crate::nav::field::UNREACHED;
use crate::nav::field::buckets::Buckets;
use crate::nav::field::repair_queue::RepairQueue;

/// Distances of a search over the eight neighbours, 256 for one plain cell, padded.
#[derive(Clone, Debug, Default)]
pub struct Octile {
    distances: Vec<i32>,
    buckets: Buckets,
    repair_queue: RepairQueue,
}

/// A way from a cell to the nearest goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// Padded indices from the first cell to the goal, both included.
    pub cells: Vec<u32>,
    /// Straight steps.
    pub straights: u32,
    /// Diagonal steps.
    pub diagonals: u32,
}

impl Path {
    /// Length in cells: straight steps + diagonal steps · √2.
    pub fn length(&self) -> f64 {
        f64::from(self.straights) + f64::from(self.diagonals) * std::f64::consts::SQRT_2
    }
}

/// Distance from every cell to the nearest of the goals (padded indices; impassable ones are
/// left out).
pub fn solve(class: &Clearance, goals: &[u32]) -> Octile {
    let mut octile = Octile::default();
    octile.restart(class, goals);
    octile
}

impl Octile {
    /// Distance of every cell, [`UNREACHED`] in walls and where no goal can be reached from.
    pub fn distances(&self) -> &[i32] {
        &self.distances
    }

    /// Searches again, in the same memory.
    pub fn restart(&mut self, class: &Clearance, goals: &[u32]) {
        self.distances.clear();
        self.distances.resize(class.slowness().len(), UNREACHED);
        let shift = straight_cost(class.least(), class.least()).max(1).ilog2();
        let largest_step = diagonal_cost(class.greatest(), class.greatest());
        self.buckets.start(shift, largest_step, 8 * class.stride() as usize);
        for &goal in goals.iter().filter(|&&goal| class.passable(goal)) {
            if self.distances[goal as usize] != 0 {
                self.distances[goal as usize] = 0;
                self.buckets.lower(goal, UNREACHED, 0);
            }
        }
        loop {
            while let Some(cell) = self.buckets.next_in_current() {
                if self.buckets.is_current(self.distances[cell as usize]) {
                    self.spread(class.slowness(), class.stride() as usize, cell as usize);
                }
            }
            if !self.buckets.next_bucket() {
                return;
            }
        }
    }

    /// Lowers the neighbours of a cell.
    #[inline(always)]
    fn spread(&mut self, slowness: &[u8], stride: usize, cell: usize) {
        let here = self.distances[cell];
        let own = slowness[cell];
        let mut lower = |other: usize, cost: i32| {
            let (old, new) = (self.distances[other], here + cost);
            if new < old {
                self.distances[other] = new;
                self.buckets.lower(other as u32, old, new);
            }
        };
        let [up, left, right, down] = [cell - stride, cell - 1, cell + 1, cell + stride];
        for other in [up, left, right, down] {
            if slowness[other] != 0 {
                lower(other, straight_cost(own, slowness[other]));
            }
        }
        for (row, vertical) in [(up, up), (down, down)] {
            if slowness[vertical] == 0 {
                continue;
            }
            for (side, other) in [(left, row - 1), (right, row + 1)] {
                if slowness[side] != 0 && slowness[other] != 0 {
                    lower(other, diagonal_cost(own, slowness[other]));
                }
            }
        }
    }

    /// A shortest way from a cell (padded index) to a goal: of the neighbours whose distance and
    /// step make up the own distance, the first in the order up, left, right, down, up-left,
    /// up-right, down-left, down-right. `None` where no goal can be reached from. `class` is the
    /// one of the search.
    pub fn trace(&self, class: &Clearance, from: u32) -> Option<Path> {
        let distance = *self.distances.get(from as usize)?;
        if distance == UNREACHED {
            return None;
        }
        let mut path = Path { cells: vec![from], ..Path::default() };
        let mut cell = from as usize;
        while self.distances[cell] != 0 {
            let (next, diagonal) = self.next(class.slowness(), class.stride() as usize, cell);
            path.straights += u32::from(!diagonal);
            path.diagonals += u32::from(diagonal);
            path.cells.push(next as u32);
            cell = next;
        }
        Some(path)
    }

    /// The cell after a cell that is reached and no goal, and whether the step is diagonal.
    fn next(&self, slowness: &[u8], stride: usize, cell: usize) -> (usize, bool) {
        let [up, left, right, down] = [cell - stride, cell - 1, cell + 1, cell + stride];
        let leads = |other: usize, cost: fn(u8, u8) -> i32| {
            slowness[other] != 0
                && self.distances[other] != UNREACHED
                && self.distances[other] + cost(slowness[cell], slowness[other])
                    == self.distances[cell]
        };
        for other in [up, left, right, down] {
            if leads(other, straight_cost) {
                return (other, false);
            }
        }
        let corners = [(up, left, up - 1), (up, right, up + 1)];
        for (a, b, other) in
            corners.into_iter().chain([(down, left, down - 1), (down, right, down + 1)])
        {
            if slowness[a] != 0 && slowness[b] != 0 && leads(other, diagonal_cost) {
                return (other, true);
            }
        }
        unreachable!("a reached cell has a neighbour that its distance came from")
    }
}
