//! Distances after some cells have changed.
//!
//! **What.** The distances of a search on the new ground, from those on the old: the same bits,
//! because the fixpoint of the update is the only one (a cell's distance depends on smaller ones
//! alone, so two fixpoints cannot differ first anywhere).
//!
//! **Method.** The dynamic fixpoint of Ramalingam and Reps ("An incremental algorithm for a
//! generalization of the shortest-path problem", 1996). A cell whose distance is not what the
//! update makes of its neighbours is suspect and waits with the lesser of the two. A suspect whose
//! distance is too great takes the update. One whose distance is too small takes what its nearer
//! neighbours alone give: the farther ones may have their distance from it. The neighbours that
//! depend on a cell are looked at again when it changes.
//!
//! Inside a bucket of distances all rises come before the first fall: after them no distance up to
//! the bucket's end is too small, so nothing falls to a distance that has to rise again. (In any
//! other order, cells that are cut off could lift each other without end.)
//!
//! **Why it is fast.** In the order of distances a suspect's nearer neighbours are final, so a
//! branch ends at the first cell that keeps its distance. On open ground roundings keep thin fans
//! alive up to the edge of the map.

use super::{RISES, step};
use crate::map::Clearance;
use crate::math::each::Each;
use crate::nav::field::buckets::Buckets;
use crate::nav::field::marks::Marks;
use crate::nav::field::{CellChanges, Costs, Progress, UNREACHED};

/// Marks an entry of the queue whose cell may have to rise; it waits with its distance.
const RISE: u32 = 1 << 31;

/// Marks an entry whose cell may have to fall; it waits with what it falls to. The cell of an entry
/// without a mark has fallen, and its neighbours may have to.
const FALL: u32 = 1 << 30;

/// The cell of an entry.
const CELL: u32 = FALL - 1;

/// A repair of distances and its memory. It can be stopped after any number of cells and go on
/// later: the distances do not depend on it.
#[derive(Clone, Debug, Default)]
pub struct DistanceRepair {
    distances: Vec<i32>,
    buckets: Buckets,
    /// Entries of the bucket at work that wait until no cell of it has to rise.
    falls: Vec<u32>,
    /// Greatest slowness that a distance may still come from.
    greatest: u8,
    changed: Marks,
}

impl DistanceRepair {
    /// Prepares the repair of the distances to some goals (ascending padded indices; impassable
    /// ones are left out). `class` is the changed one, `distances` are exact for the class before.
    pub fn start(
        &mut self,
        class: &Clearance,
        goals: &[u32],
        changes: &CellChanges,
        distances: Vec<i32>,
    ) {
        self.distances = distances;
        self.changed.clear(self.distances.len());
        self.greatest = 0;
        self.falls.clear();
        self.begin(class, goals, changes);
    }

    /// Takes later changes of the class in; from now on `class` is the one to work with.
    pub fn extend(&mut self, class: &Clearance, goals: &[u32], changes: &CellChanges) {
        while let Some(entry) = self.buckets.next() {
            self.falls.push(entry);
        }
        self.begin(class, goals, changes);
    }

    /// Fills the queue with the entries and the changed cells.
    fn begin(&mut self, class: &Clearance, goals: &[u32], changes: &CellChanges) {
        let costs = Costs::from(class);
        self.greatest = self.greatest.max(costs.greatest).max(changes.greatest_before());
        let shift = (16 * u32::from(costs.least)).max(1).ilog2();
        let room = 8 * costs.stride as usize;
        self.buckets.start(shift, 16 * i32::from(self.greatest), room);
        let Self { distances, buckets, falls, changed, .. } = self;
        let stencil = Stencil::new(costs);
        for &entry in falls.iter().filter(|&&entry| entry & (RISE | FALL) == 0) {
            buckets.add(entry, distances[entry as usize]);
        }
        let suspects = falls.iter().filter(|&&entry| entry & (RISE | FALL) != 0);
        let suspects = suspects.map(|entry| entry & CELL);
        for cell in suspects.chain(changes.cells().iter().copied()) {
            let here = distances[cell as usize];
            if stencil.slowness[cell as usize] != 0 && goals.binary_search(&cell).is_ok() {
                if here != 0 {
                    distances[cell as usize] = 0;
                    changed.insert(cell as usize);
                    buckets.add(cell, 0);
                }
                continue;
            }
            let new = stencil.update(cell as usize, stencil.around(distances, cell as usize));
            if new != here {
                buckets.add(cell | if new < here { FALL } else { RISE }, new.min(here));
            }
        }
        falls.clear();
        buckets.sort();
    }

    /// Works on until done, or until `budget` units are used, one for each cell that is looked at.
    /// `class` is the one of the last start or extension.
    pub fn advance(&mut self, class: &Clearance, budget: u32) -> Progress {
        let Self { distances, buckets, falls, changed, .. } = self;
        let stencil = Stencil::new(Costs::from(class));
        let mut front = Front { stencil, distances, buckets, changed };
        let mut work = 0;
        while work < budget {
            if let Some(entry) = front.buckets.next_in_current() {
                if entry & RISE == 0 {
                    falls.push(entry);
                    continue;
                }
                front.rise(entry & CELL);
            } else if let Some(entry) = falls.pop() {
                front.fall(entry);
            } else if front.buckets.turn() {
                continue;
            } else {
                return Progress { work, done: true };
            }
            work += 1;
        }
        Progress { work, done: false }
    }

    /// Distance of every cell, padded; exact once the repair is done.
    pub fn distances(&self) -> &[i32] {
        &self.distances
    }

    /// Takes the distances out.
    pub fn take_distances(&mut self) -> Vec<i32> {
        std::mem::take(&mut self.distances)
    }

    /// The cells whose distance has changed, and maybe some more.
    pub(in crate::nav::field) fn changed(&self) -> &Marks {
        &self.changed
    }

    /// Bytes held, without the distances.
    pub fn workspace_bytes(&self) -> u64 {
        self.buckets.bytes() + 4 * self.falls.capacity() as u64 + self.changed.bytes()
    }
}

/// What the update reads, beside the distances.
#[derive(Clone, Copy)]
struct Stencil<'a> {
    slowness: &'a [u8],
    stride: usize,
    rises: &'a [u16],
}

impl<'a> Stencil<'a> {
    fn new(costs: Costs<'a>) -> Self {
        Self { slowness: costs.slowness, stride: costs.stride as usize, rises: &RISES }
    }

    /// Distances left, right, above and below of a cell. Cells of the border have none.
    #[inline(always)]
    fn around(&self, distances: &[i32], cell: usize) -> [i32; 4] {
        if self.slowness[cell] == 0 {
            return [UNREACHED; 4];
        }
        let (up, down) = (cell - self.stride, cell + self.stride);
        [distances[cell - 1], distances[cell + 1], distances[up], distances[down]]
    }

    /// The distance of a cell, no goal, from those around.
    #[inline(always)]
    fn update(&self, cell: usize, [left, right, up, down]: [i32; 4]) -> i32 {
        let (horizontal, vertical) = (left.min(right), up.min(down));
        let slowness = self.slowness[cell];
        if slowness == 0 || horizontal.min(vertical) == UNREACHED {
            return UNREACHED;
        }
        step(self.rises, slowness, horizontal, vertical)
    }
}

/// A repair at work.
struct Front<'a> {
    stencil: Stencil<'a>,
    distances: &'a mut [i32],
    buckets: &'a mut Buckets,
    changed: &'a mut Marks,
}

impl Front<'_> {
    /// Lifts a cell if its distance is too small.
    #[inline(always)]
    fn rise(&mut self, entry: u32) {
        let cell = entry as usize;
        let here = self.distances[cell];
        // A goal that can be stood on.
        if here == 0 && self.stencil.slowness[cell] != 0 {
            return;
        }
        let around = self.stencil.around(self.distances, cell);
        let new = self.stencil.update(cell, around);
        if new > here {
            let nearer = around.each(|other| if other < here { other } else { UNREACHED });
            let sure = self.stencil.update(cell, nearer);
            self.set(cell, sure);
            if new < sure {
                self.buckets.put(entry | FALL, new);
            }
            self.spread::<true>(cell, here);
        } else if new < here {
            self.buckets.put(entry | FALL, new);
        }
    }

    /// Lowers a cell if its distance is too great, or its neighbours if it has fallen.
    #[inline(always)]
    fn fall(&mut self, entry: u32) {
        let cell = (entry & CELL) as usize;
        let here = self.distances[cell];
        if entry & FALL == 0 {
            if !self.buckets.is_later(here) {
                self.spread::<false>(cell, here);
            }
            return;
        }
        if here == 0 && self.stencil.slowness[cell] != 0 {
            return;
        }
        let around = self.stencil.around(self.distances, cell);
        let new = self.stencil.update(cell, around);
        if new > here {
            self.buckets.put(cell as u32 | RISE, here);
        } else if new < here && self.buckets.is_later(new) {
            self.buckets.put(entry, new);
        } else if new < here {
            self.set(cell, new);
            self.spread::<false>(cell, new);
        }
    }

    #[inline(always)]
    fn set(&mut self, cell: usize, distance: i32) {
        self.distances[cell] = distance;
        self.changed.insert(cell);
    }

    /// Looks at the neighbours of a cell whose distance was or is `least`, and not less. With
    /// `ROSE`, the distance has risen.
    #[inline(always)]
    fn spread<const ROSE: bool>(&mut self, cell: usize, least: i32) {
        let stride = self.stencil.stride;
        let mut look = |other: usize, along: Option<usize>| {
            let old = self.distances[other];
            // The neighbour is not farther, or the cell beyond it stands for its axis.
            if old <= least || self.stencil.slowness[other] == 0 {
                return;
            }
            if along.is_some_and(|along| self.distances[along] < least) {
                return;
            }
            let new = self.stencil.update(other, self.stencil.around(self.distances, other));
            if new < old && ROSE {
                self.buckets.put(other as u32 | FALL, new);
            } else if new < old {
                self.distances[other] = new;
                self.changed.insert(other);
                self.buckets.put(other as u32, new);
            } else if new > old && ROSE {
                self.buckets.put(other as u32 | RISE, old);
            }
        };
        look(cell - stride, cell.checked_sub(2 * stride));
        look(cell - 1, Some(cell - 2));
        look(cell + 1, Some(cell + 2));
        look(cell + stride, Some(cell + 2 * stride));
    }
}
