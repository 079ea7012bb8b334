//! A crowd at one moment, each agent under a number of its own.

use rayon::prelude::*;

use crate::lane::Numbers;
use crate::world::World;

/// Rows that are copied together.
const CHUNK: usize = 4_096;

/// An agent in a frame. Metres and m/s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) id: u64,
    pub(super) group: u16,
    pub(super) pos: [f64; 2],
    pub(super) vel: [f64; 2],
}

/// A frame, and what is known of those who were in the frames before.
///
/// An id's index goes to another agent once its own is gone, so agents get running numbers from 1:
/// by the frame in which they first appear, then by the index of their id.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// Number of the frame.
    pub(super) number: u64,
    /// Simulated seconds.
    pub(super) t: f64,
    /// By their number.
    pub(super) rows: Vec<Row>,
    /// By id index: generation and number of the agent last seen; number 0 is nobody.
    known: Vec<(u32, u64)>,
    /// Id index and generation of those who are new.
    fresh: Vec<(u32, u32)>,
    /// How many were numbered so far.
    count: u64,
}

impl Frame {
    /// Takes the crowd of a world.
    pub(super) fn load<N: Numbers>(&mut self, world: &World<N>, number: u64) {
        self.number = number;
        // From whole numbers: a product with the length of a tick would be off in the last digit.
        self.t = world.tick_count() as f64 / f64::from(world.settings().tick_rate);
        self.enrol(world);
        let known = &self.known;
        let [positions, velocities] = [world.positions(), world.velocities()];
        let row = |row: usize| {
            let tag = &world.tags()[row];
            Row {
                id: known[tag.id as usize].1,
                group: world.base_group(tag.group),
                pos: positions[row].map(N::to_f64),
                vel: velocities[row].map(N::to_f64),
            }
        };
        (0..world.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(row)
            .collect_into_vec(&mut self.rows);
        self.rows.par_sort_unstable_by_key(|row| row.id);
    }

    /// Numbers those who are new.
    fn enrol<N: Numbers>(&mut self, world: &World<N>) {
        self.fresh.clear();
        for row in 0..world.len() {
            let id = world.id(row);
            let known = self.known.get(id.index as usize);
            if known.is_none_or(|&(generation, number)| number == 0 || generation != id.generation)
            {
                self.fresh.push((id.index, id.generation));
            }
        }
        self.fresh.sort_unstable();
        if let Some(&(most, _)) = self.fresh.last() {
            self.known.resize(self.known.len().max(most as usize + 1), (0, 0));
        }
        for &(index, generation) in &self.fresh {
            self.count += 1;
            self.known[index as usize] = (generation, self.count);
        }
    }
}
