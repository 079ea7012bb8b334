//! One sector's cells with a frame of one cell, and the search inside it.

use crate::graph::grid::StepCosts;
use crate::graph::portals::queue::Queue;
use crate::graph::portals::{Layout, SECTOR};
use crate::map::Clearance;

/// Cells to a side of a window.
pub(crate) const SIDE: usize = SECTOR as usize + 2;

/// Cells of a window.
pub(crate) const CELLS: usize = SIDE * SIDE;

/// Distance of a cell that a search has not reached.
pub(crate) const UNREACHED: u32 = u32::MAX;

/// Mark of a cell that a search started from.
pub(crate) const SEED: u8 = 8;

/// Offsets of the eight neighbours: up, left, right, down, then the diagonal ones.
pub(crate) const STEPS: [isize; 8] = [
    -(SIDE as isize),
    -1,
    1,
    SIDE as isize,
    -(SIDE as isize) - 1,
    1 - SIDE as isize,
    SIDE as isize - 1,
    SIDE as isize + 1,
];

/// A sector and the memory of a search in it. The frame is impassable, so searches stay inside.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocalSearch {
    pub(crate) slowness: Vec<u8>,
    pub(crate) distances: Vec<u32>,
    /// The step, an index into [`STEPS`], that led to every cell, or [`SEED`].
    pub(crate) steps: Vec<u8>,
    pub(crate) queue: Queue,
    least: u8,
    greatest: u8,
}

impl LocalSearch {
    /// Reads the cells of a sector.
    pub(crate) fn load(&mut self, class: &Clearance, layout: &Layout, sector: u32) {
        self.slowness.clear();
        self.slowness.resize(CELLS, 0);
        self.distances.resize(CELLS, UNREACHED);
        self.steps.resize(CELLS, SEED);
        let (columns, rows) = layout.cells(sector);
        let count = columns.len();
        for (row, y) in rows.enumerate() {
            let first = layout.index(columns.start, y) as usize;
            self.slowness[(row + 1) * SIDE + 1..][..count]
                .copy_from_slice(&class.slowness()[first..][..count]);
        }
        (self.least, self.greatest) = (class.least(), class.greatest());
        self.clear();
    }

    /// Forgets distances and seeds.
    pub(crate) fn clear(&mut self) {
        self.distances.fill(UNREACHED);
        let shift = (16 * u32::from(self.least)).max(1).ilog2();
        let StepCosts { diagonal, .. } = StepCosts::FINE.between(self.greatest, self.greatest);
        self.queue.start(shift, diagonal.max(16 * u32::from(self.greatest)));
    }

    /// Lets the next search start from a cell at a distance, too.
    pub(crate) fn seed(&mut self, cell: usize, distance: u32) {
        if distance < self.distances[cell] {
            self.distances[cell] = distance;
            self.steps[cell] = SEED;
            self.queue.seed(cell as u16, distance);
        }
    }

    /// The distance that the last search found.
    pub(crate) fn distance(&self, cell: usize) -> u32 {
        self.distances[cell]
    }

    /// Searches over the eight neighbours from the seeds.
    pub(crate) fn octile(&mut self) {
        let Self { slowness, distances, steps, queue, .. } = self;
        queue.begin();
        while let Some(cell) = queue.next(distances) {
            let cell = usize::from(cell);
            let (here, own) = (distances[cell], slowness[cell]);
            let open = |step: usize| slowness[cell.wrapping_add_signed(STEPS[step])];
            let mut lower = |step: usize, cost: u32| {
                let other = cell.wrapping_add_signed(STEPS[step]);
                let (old, new) = (distances[other], here + cost);
                if new < old {
                    distances[other] = new;
                    steps[other] = step as u8;
                    queue.lower(other as u16, old, new);
                }
            };
            let sides = [open(0), open(1), open(2), open(3)];
            for (step, &side) in sides.iter().enumerate() {
                if side != 0 {
                    lower(step, StepCosts::FINE.between(own, side).straight);
                }
            }
            for (step, a, b) in [(4, 0, 1), (5, 0, 2), (6, 3, 1), (7, 3, 2)] {
                let across = open(step);
                if across != 0 && sides[a] != 0 && sides[b] != 0 {
                    lower(step, StepCosts::FINE.between(own, across).diagonal);
                }
            }
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let cells = self.slowness.capacity() + self.steps.capacity();
        (cells + 4 * self.distances.capacity()) as u64 + self.queue.bytes()
    }
}
