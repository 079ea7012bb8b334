//! Watches: what becomes of agents from tick to tick, found by looking at all of them.

use crate::data::Id;
use crate::lane::Numbers;
use crate::math::each::Each;
use crate::world::{World, state};

/// What a watch remembers of an agent, by id index.
#[derive(Clone, Copy, Debug, Default)]
struct Seen<T> {
    generation: u32,
    what: T,
}

/// Finds agents that have come into their goal.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    seen: Vec<Seen<bool>>,
}

impl Arrivals {
    /// Looks at a world after a tick, and lists the agents that had not arrived at the last look.
    pub(super) fn look<N: Numbers>(&mut self, world: &World<N>, arrived: &mut Vec<Id>) {
        for row in 0..world.len() {
            let (id, now) = (world.id(row), world.tags()[row].state & state::ARRIVED != 0);
            let before = seen(&mut self.seen, id, false);
            if now && !*before {
                arrived.push(id);
            }
            *before = now;
        }
    }
}

/// Finds agents that do not get on.
#[derive(Debug)]
pub(super) struct Stuck {
    /// Ticks for which an agent under way must stay within its radius.
    pub(super) ticks: u64,
    seen: Vec<Seen<Stay>>,
}

/// Where an agent was last seen to have moved by its radius.
#[derive(Clone, Copy, Debug, Default)]
struct Stay {
    at: [f64; 2],
    since: u64,
    is_told: bool,
}

impl Stuck {
    pub(super) fn new(ticks: u64) -> Self {
        Self { ticks, seen: Vec::new() }
    }

    /// Looks at a world after a tick, and lists the agents that are stuck from now on.
    pub(super) fn look<N: Numbers>(&mut self, world: &World<N>, stuck: &mut Vec<Id>) {
        let now = world.tick_count();
        for (row, tag) in world.tags().iter().enumerate() {
            let (id, at) = (world.id(row), world.positions()[row].each(N::to_f64));
            let group = &world.groups()[usize::from(tag.group)];
            let stay = seen(&mut self.seen, id, Stay { at, since: now, is_told: false });
            let [x, y] = [0, 1].each(|axis| at[axis] - stay.at[axis]);
            let is_under_way = group.has_order()
                && !tag.is_done()
                && !world.waits(tag.id)
                && !world.combat.combatants.halts(&world.groups, *tag);
            if !is_under_way || x * x + y * y >= group.def.radius * group.def.radius {
                *stay = Stay { at, since: now, is_told: false };
            } else if now - stay.since >= self.ticks && !stay.is_told {
                stay.is_told = true;
                stuck.push(id);
            }
        }
    }
}

/// What was seen of an agent; `new` of one that was not seen before.
fn seen<T: Copy + Default>(all: &mut Vec<Seen<T>>, id: Id, new: T) -> &mut T {
    let index = id.index as usize;
    if all.len() <= index {
        all.resize(index + 1, Seen::default());
    }
    let seen = &mut all[index];
    // Generations count from 1 here, so that a row of zeros is no agent's.
    if seen.generation != id.generation + 1 {
        *seen = Seen { generation: id.generation + 1, what: new };
    }
    &mut seen.what
}
