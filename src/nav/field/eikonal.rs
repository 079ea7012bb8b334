//! Any-angle distances: the integer eikonal equation.
//!
//! **What.** `f = 16·slowness` is the cost of crossing a cell. Of a cell's neighbours, let `lo` be
//! the lesser of the smaller horizontal and the smaller vertical distance, `hi` the greater one and
//! `d = hi − lo`. The cell's distance is `lo + ((d + ⌊√(2f² − d²)⌋ + 1) >> 1)` for `d < f` and
//! `lo + f` otherwise: the first-order upwind solution of |∇T| = f (Rouy and Tourin, 1992; Sethian,
//! "A fast marching level set method", 1996), rounded to integers.
//!
//! **Why the order of work does not matter.** The update never falls when a neighbour's distance
//! rises, and never gives less than `hi`, for any slowness (a test tries all), so repeating it from
//! above ends in one fixpoint, whatever the order. Buckets are a matter of speed alone.
//!
//! **Tricks.** What a step adds to `lo` depends on f and d alone and is read from a table (512
//! bytes for plain ground). A neighbour that is not farther than the cell at work cannot improve;
//! if the cell beyond it is nearer, that one improves it, or did. While a search is at work walls
//! have the distance −1: as a signed number not farther than any cell, as an unsigned one farther
//! than all, so nobody asks for their slowness. Of the cells that fall, 99.5 % had no distance
//! before. That they fall is known before what they fall to is, and branches that are guessed wrong
//! cost less the sooner that shows. Cells are taken from the queue in blocks, and even ground has
//! a loop of its own.
//!
//! **Tried and lost.** One branch for all conditions: 9 % more time in rooms. All four neighbours
//! in lanes, with roots in place of the table: up to twice the time, as cells wait for the ones
//! before them. Cells from four places of a bucket in turn: twice the time. Touching cells that wait
//! before their turn: up to 5 % more.

mod repair;

pub use repair::DistanceRepair;

use crate::nav::field::buckets::{BLOCK, Buckets};
use crate::nav::field::{Costs, Progress, UNREACHED};
use std::sync::LazyLock;

/// What is added to `lo`, for every slowness and every `d` from 0 to f.
static RISES: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let rises_of = |slowness: u32| {
        let f = 16 * slowness;
        // The root of a whole number below 2^53, taken in f64 and cut, is the exact floor.
        (0..=f).map(move |d| (d + f64::from(2 * f * f - d * d).sqrt() as u32 + 1) >> 1)
    };
    (0..=255).flat_map(rises_of).map(|rise| rise as u16).collect()
});

/// Where the rises of a slowness begin: before them are 16·s + 1 for each smaller s.
#[inline(always)]
fn first_rise(slowness: u8) -> usize {
    let s = usize::from(slowness);
    8 * s * s - 7 * s
}

/// The distance of a cell of some slowness from the smaller distance of each axis, at least one of
/// which is reached.
pub fn update(slowness: u8, horizontal: i32, vertical: i32) -> i32 {
    step(&RISES, slowness, horizontal, vertical)
}

#[inline(always)]
fn step(rises: &[u16], slowness: u8, horizontal: i32, vertical: i32) -> i32 {
    let lo = horizontal.min(vertical);
    let d = (horizontal.max(vertical) - lo).min(16 * i32::from(slowness));
    lo + i32::from(rises[first_rise(slowness) + d as usize])
}

/// Distance of walls during a search: not greater than any, and as an unsigned number not less.
const WALL: i32 = -1;

/// Cells whose distance is cleared for one unit of work.
const CLEARED_PER_UNIT: usize = 16;

/// A solver and its memory. It can be stopped after any number of cells and go on later: the
/// distances do not depend on it.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    /// [`WALL`] in walls, until the search is done.
    distances: Vec<i32>,
    /// Distances that are not cleared yet begin here.
    cleared: usize,
    /// Goals not placed yet, then none.
    goals: Vec<u32>,
    /// Cells that are asked for and not settled; empty also when all are asked for.
    until: Vec<u32>,
    early_stop: bool,
    buckets: Buckets,
}

impl Solver {
    /// Prepares the distances to the nearest of the goals (padded indices; impassable ones are left
    /// out). With `until`, the search ends once those of its cells that can be reached are settled:
    /// the settled distances are the same as without, all others are [`UNREACHED`].
    pub fn start<'a>(&mut self, costs: impl Into<Costs<'a>>, goals: &[u32], until: Option<&[u32]>) {
        let Costs { slowness, stride, least, greatest } = costs.into();
        self.distances.resize(slowness.len(), UNREACHED);
        self.cleared = 0;
        self.goals.clear();
        let passable = |cell: u32| slowness.get(cell as usize).is_some_and(|&s| s != 0);
        self.goals.extend(goals.iter().filter(|&&goal| passable(goal)));
        self.until.clear();
        self.until.extend_from_slice(until.unwrap_or(&[]));
        self.early_stop = until.is_some();
        let f = 16 * i32::from(least);
        // One plain cell wide. A quarter or twice of it costs 2 to 8 % more on every map tried.
        let shift = f.max(1).ilog2();
        let largest_step = 16 * i32::from(greatest);
        self.buckets.start(shift, largest_step, 8 * stride as usize);
    }

    /// Distance of every cell, padded, 256 for one plain cell; [`UNREACHED`] in walls and where no
    /// goal can be reached from. Whole once the search is done.
    pub fn distances(&self) -> &[i32] {
        &self.distances
    }

    /// Uses the memory of some distances for those of the next start.
    pub fn give_memory(&mut self, distances: Vec<i32>) {
        self.distances = distances;
    }

    /// Takes the distances out, finished or not.
    pub fn take_distances(&mut self) -> Vec<i32> {
        std::mem::take(&mut self.distances)
    }

    /// Works on until done, or until `budget` units are used: one for each cell taken from the
    /// queue, and one for 16 distances cleared beforehand. `costs` are those it was started with.
    pub fn advance<'a>(&mut self, costs: impl Into<Costs<'a>>, budget: u32) -> Progress {
        let costs = costs.into();
        let mut work = 0;
        while self.cleared < self.distances.len() {
            if work >= budget {
                return Progress { work, done: false };
            }
            let units = (budget - work) as usize;
            let room = self.distances.len() - self.cleared;
            let count = room.min(units.saturating_mul(CLEARED_PER_UNIT));
            let slowness = &costs.slowness[self.cleared..][..count];
            let cleared = &mut self.distances[self.cleared..][..count];
            for (distance, &slowness) in cleared.iter_mut().zip(slowness) {
                *distance = if slowness == 0 { WALL } else { UNREACHED };
            }
            self.cleared += count;
            work += count.div_ceil(CLEARED_PER_UNIT) as u32;
        }
        for goal in self.goals.drain(..) {
            if std::mem::replace(&mut self.distances[goal as usize], 0) != 0 {
                self.buckets.lower(goal, UNREACHED, 0);
            }
        }
        self.relax(costs, work, budget)
    }

    fn relax(&mut self, costs: Costs<'_>, mut work: u32, budget: u32) -> Progress {
        loop {
            let Self { distances, buckets, .. } = self;
            let is_even = costs.least == costs.greatest;
            let relax = if is_even { relax_bucket::<true> } else { relax_bucket::<false> };
            work += relax(distances, buckets, costs, budget.saturating_sub(work));
            if work >= budget {
                return Progress { work, done: false };
            }
            if self.early_stop && self.asked_are_settled() {
                self.forget_unsettled();
                self.leave_walls();
                return Progress { work, done: true };
            }
            if !self.buckets.next_bucket() {
                self.leave_walls();
                return Progress { work, done: true };
            }
        }
    }

    /// Gives walls the distance [`UNREACHED`] that all other cells without a distance have.
    fn leave_walls(&mut self) {
        self.distances.iter_mut().for_each(|distance| *distance &= UNREACHED);
    }

    /// Whether all asked cells are settled, now that the current bucket is worked: no later update
    /// gives less than its end.
    fn asked_are_settled(&mut self) -> bool {
        let end = self.buckets.end_of_current() as u32;
        while let Some(&cell) = self.until.last() {
            // Walls never are.
            if self.distances.get(cell as usize).is_some_and(|&distance| distance as u32 >= end) {
                return false;
            }
            self.until.pop();
        }
        true
    }

    /// Ends the search: cells that wait with a later distance count as unreached.
    fn forget_unsettled(&mut self) {
        let end = self.buckets.end_of_current();
        while self.buckets.next_bucket() {
            while let Some(cell) = self.buckets.next_in_current() {
                let distance = &mut self.distances[cell as usize];
                // A settled cell may have left a stale entry.
                *distance = if *distance < end { *distance } else { UNREACHED };
            }
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        4 * (self.distances.capacity() + self.goals.capacity() + self.until.capacity()) as u64
            + self.buckets.bytes()
    }
}

/// Lowers the neighbours of the cells of the current bucket until it is worked or `budget` cells
/// are taken; returns how many were.
fn relax_bucket<const EVEN: bool>(
    distances: &mut [i32],
    buckets: &mut Buckets,
    costs: Costs<'_>,
    budget: u32,
) -> u32 {
    let f = 16 * u32::from(costs.least);
    let rises = RISES.as_slice();
    let rises = if EVEN { &rises[first_rise(costs.least)..][..=f as usize] } else { rises };
    let stride = costs.stride as usize;
    // One length for both, so that one bounds check serves both.
    let slowness = &costs.slowness[..distances.len()];
    let mut ground = Ground::<EVEN> { distances, slowness, rises, f, buckets };
    let mut cells = [0; BLOCK];
    let mut work = 0;
    while work < budget {
        let count = ground.buckets.take(budget - work, &mut cells);
        if count == 0 {
            break;
        }
        work += count as u32;
        for &cell in &cells[..count] {
            let cell = cell as usize;
            let here = ground.distances[cell];
            if !ground.buckets.is_current(here) {
                continue;
            }
            let (up, down) = (cell - stride, cell + stride);
            ground.lower(here, up, up.wrapping_sub(stride), [up - 1, up + 1]);
            ground.lower(here, cell - 1, cell.wrapping_sub(2), [up - 1, down - 1]);
            ground.lower(here, cell + 1, cell + 2, [up + 1, down + 1]);
            ground.lower(here, down, down + stride, [down - 1, down + 1]);
        }
    }
    work
}

/// What lowering a cell reads and writes.
struct Ground<'a, const EVEN: bool> {
    distances: &'a mut [i32],
    slowness: &'a [u8],
    /// Table of rises: on even ground the part for its slowness, else the whole.
    rises: &'a [u16],
    /// Cost of crossing a cell of even ground.
    f: u32,
    buckets: &'a mut Buckets,
}

impl<const EVEN: bool> Ground<'_, EVEN> {
    /// Lowers a neighbour of a cell of distance `here`; `along` is the cell beyond it.
    #[inline(always)]
    fn lower(&mut self, here: i32, cell: usize, along: usize, [before, after]: [usize; 2]) {
        let Self { distances, slowness, rises, f, buckets } = self;
        let old = distances[cell];
        // Two branches, as what goes before one that is guessed wrong is done in vain.
        if old <= here {
            return;
        }
        // Unsigned from here on, for walls.
        let here = here as u32;
        if (distances[along] as u32) < here {
            return;
        }
        let across = (distances[before] as u32).min(distances[after] as u32);
        let (lo, hi) = (here.min(across), here.max(across));
        let slow = slowness[cell];
        let (first, f) = if EVEN { (0, *f) } else { (first_rise(slow), 16 * u32::from(slow)) };
        let new = (lo + u32::from(rises[first + (hi - lo).min(f) as usize])) as i32;
        // A branch of its own, as it need not wait for what is new.
        if old == UNREACHED {
            distances[cell] = new;
            buckets.push(cell as u32, new);
        } else if new < old {
            distances[cell] = new;
            buckets.lower(cell as u32, old, new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RISES, first_rise};

    #[test]
    fn update_is_monotone_and_never_below_its_neighbours() {
        for slowness in 1..=255_u8 {
            let f = 16 * usize::from(slowness);
            let rises = &RISES[first_rise(slowness)..][..=f];
            assert_eq!(usize::from(rises[f]), f, "the far end of slowness {slowness}");
            for d in 1..=f {
                let (before, here) = (rises[d - 1], rises[d]);
                // A greater hi never lowers it, a greater lo (which shrinks d) neither.
                assert!(before <= here && here <= before + 1, "slowness {slowness}, d {d}");
                assert!(usize::from(here) >= d, "below hi: slowness {slowness}, d {d}");
                let square = 2 * f * f - d * d;
                assert_eq!(usize::from(here), (d + square.isqrt() + 1) >> 1);
            }
        }
    }
}
