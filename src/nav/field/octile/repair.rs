//! Distances after some cells have changed.
//!
//! The dynamic search of Ramalingam and Reps ("An incremental algorithm for a generalization of the
//! shortest-path problem", 1996), as in `eikonal::repair`; here a cell depends on a neighbour only
//! when that one's distance and the step make up its own, so most branches end soon.

use super::Octile;
use crate::graph::grid::diagonal_cost;
use crate::graph::grid::straight_cost;
use crate::map::Clearance;
use crate::nav::field::CellChanges;
use crate::nav::field::UNREACHED;
use crate::nav::field::repair::reached;
use crate::nav::field::repair_queue::RepairQueue;

/// Marks an entry of the repair queue whose cell has yet to be compared with its neighbours; the cell of
/// others has been lowered, and its neighbours have yet to be.
const SUSPECT: u32 = 1 << 31;

/// A repair that has looked at this share, 1 / 8, of the cells that can be reached gives way to a new
/// search.
const SHARE: u32 = 8;

/// What a repair did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// Cells that it looked at, some of them more than once.
    pub looks: u32,
    /// Whether it gave way to a new search.
    pub anew: bool,
}

impl Octile {
    /// Makes the distances what a search on the changed class gives: the same bits. `goals`
    /// (ascending padded indices) are those of the search, `changes` lead from its class to this
    /// one. Where much has changed, it searches again.
    pub fn repair(&mut self, class: &Clearance, goals: &[u32], changes: &CellChanges) -> Repaired {
        let limit = reached(class, goals) / SHARE;
        let Self { distances, repair_queue, .. } = self;
        let shift = straight_cost(class.least(), class.least()).max(1).ilog2();
        let greatest = class.greatest().max(changes.greatest_before());
        repair_queue.start(shift, diagonal_cost(greatest, greatest), 8 * class.stride() as usize);
        let (slowness, stride) = (class.slowness(), class.stride() as usize);
        let mut front = Front { slowness, stride, distances, repair_queue };
        for &cell in changes.cells() {
            front.suspect_around(cell as usize, goals);
        }
        front.repair_queue.sort();
        let mut looks = 0;
        while let Some(entry) = front.repair_queue.next() {
            looks += 1;
            front.look_at(entry);
            if looks > limit {
                self.restart(class, goals);
                return Repaired { looks, anew: true };
            }
        }
        Repaired { looks, anew: false }
    }
}

/// A repair at work.
struct Front<'a> {
    slowness: &'a [u8],
    stride: usize,
    distances: &'a mut [i32],
    repair_queue: &'a mut RepairQueue,
}

impl Front<'_> {
    /// Puts on the repair queue what a change of a cell's slowness may concern: the steps that touch it.
    fn suspect_around(&mut self, cell: usize, goals: &[u32]) {
        let rows = [cell - self.stride, cell, cell + self.stride];
        for other in rows.into_iter().flat_map(|row| row - 1..=row + 1) {
            let here = self.distances[other];
            if self.slowness[other] != 0 && goals.binary_search(&(other as u32)).is_ok() {
                if here != 0 {
                    self.distances[other] = 0;
                    self.repair_queue.add(other as u32, 0);
                }
                continue;
            }
            let (new, _) = self.update(other, here);
            if new != here {
                self.repair_queue.add(other as u32 | SUSPECT, new.min(here));
            }
        }
    }

    /// The distance of a cell, no goal, from its neighbours, and from those nearer than `below`
    /// alone.
    #[inline(always)]
    fn update(&self, cell: usize, below: i32) -> (i32, i32) {
        let (mut least, mut sure) = (UNREACHED, UNREACHED);
        each_step(self.slowness, self.stride, cell, |other, cost| {
            let distance = self.distances[other];
            if distance == UNREACHED {
                return;
            }
            let new = distance + cost;
            least = least.min(new);
            sure = if distance < below { sure.min(new) } else { sure };
        });
        (least, sure)
    }

    #[inline(always)]
    fn look_at(&mut self, entry: u32) {
        let cell = (entry & !SUSPECT) as usize;
        let here = self.distances[cell];
        if entry & SUSPECT == 0 {
            if !self.repair_queue.is_later(here) {
                self.lower_around(cell, here);
            }
            return;
        }
        // A goal that can be stood on.
        if here == 0 && self.slowness[cell] != 0 {
            return;
        }
        let (new, sure) = self.update(cell, here);
        if new < here {
            if self.repair_queue.is_later(new) {
                self.repair_queue.push(entry, new);
            } else {
                self.distances[cell] = new;
                self.lower_around(cell, new);
            }
        } else if new > here {
            self.distances[cell] = sure;
            if new < sure {
                self.repair_queue.push(entry, new);
            }
            self.suspect_dependent(cell, here, sure);
        }
    }

    /// Lowers the neighbours of a cell.
    #[inline(always)]
    fn lower_around(&mut self, cell: usize, here: i32) {
        let Self { slowness, stride, distances, repair_queue } = self;
        each_step(slowness, *stride, cell, |other, cost| {
            let new = here + cost;
            if new < distances[other] {
                distances[other] = new;
                repair_queue.push(other as u32, new);
            }
        });
    }

    /// Puts the neighbours on the repair queue that had their distance from a cell which rose. Steps that
    /// are closed now need no look: their ends were suspect from the start.
    #[inline(always)]
    fn suspect_dependent(&mut self, cell: usize, old: i32, new: i32) {
        let Self { slowness, stride, distances, repair_queue } = self;
        each_step(slowness, *stride, cell, |other, cost| {
            let distance = distances[other];
            if distance == old + cost {
                repair_queue.push(other as u32 | SUSPECT, distance);
            } else if new != UNREACHED && new + cost < distance {
                distances[other] = new + cost;
                repair_queue.push(other as u32, new + cost);
            }
        });
    }
}

/// Calls `visit` with the end and the cost of every step from a cell.
#[inline(always)]
fn each_step(slowness: &[u8], stride: usize, cell: usize, mut visit: impl FnMut(usize, i32)) {
    let own = slowness[cell];
    if own == 0 {
        return;
    }
    let [up, left, right, down] = [cell - stride, cell - 1, cell + 1, cell + stride];
    for other in [up, left, right, down] {
        if slowness[other] != 0 {
            visit(other, straight_cost(own, slowness[other]));
        }
    }
    for row in [up, down] {
        if slowness[row] == 0 {
            continue;
        }
        for (side, other) in [(left, row - 1), (right, row + 1)] {
            if slowness[side] != 0 && slowness[other] != 0 {
                visit(other, diagonal_cost(own, slowness[other]));
            }
        }
    }
}
