//! A number of its own for every agent of a run, by which tables of the run can be joined.

use crate::lane::Numbers;
use crate::world::World;

/// Numbers agents from 1: by the tick in which they first appear, then by the index of their id. An
/// id's index goes to another agent once its own is gone; a number never does.
///
/// Feed it every tick, and all that are fed the same run give the same numbers.
#[derive(Clone, Debug, Default)]
pub struct Roll {
    /// By id index: generation and number of the agent last seen; number 0 is none.
    known: Vec<(u32, u64)>,
    /// Id index and generation of new agents.
    fresh: Vec<(u32, u32)>,
    /// How many were numbered so far.
    count: u64,
}

impl Roll {
    /// Numbers the agents that are new in a world.
    pub fn enrol<N: Numbers>(&mut self, world: &World<N>) {
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

    /// The number of the agent that was seen last under the index of an id; 0 without one.
    pub fn number(&self, index: u32) -> u64 {
        self.known.get(index as usize).map_or(0, |known| known.1)
    }
}
