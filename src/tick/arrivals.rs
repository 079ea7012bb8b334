//! Arrivals: those who have just reached their goal's area get a place of their own in it.
//!
//! Places are given in the order of arrival, and of rows within a tick, from the far end of the area
//! to the near one.

use crate::lane::Numbers;
use crate::tick::CHUNK;
use crate::tick::Scratch;
use crate::world::World;
use crate::world::state;

pub(super) fn run<N: Numbers>(world: &mut World<N>, scratch: &Scratch<N>) {
    for (chunk, _) in scratch.fresh.iter().enumerate().filter(|(_, fresh)| **fresh) {
        let end = ((chunk + 1) * CHUNK).min(world.len());
        for row in chunk * CHUNK..end {
            if world.agents.tag[row].state & state::FRESH != 0 {
                give_place(world, row);
            }
        }
    }
}

fn give_place<N: Numbers>(world: &mut World<N>, row: usize) {
    let tag = world.agents.tag[row];
    let group = usize::from(tag.group);
    let is_first = world.groups[group].goal.as_ref().is_some_and(|goal| goal.taken == 0);
    if is_first {
        world.lay_out_places(tag.group, world.agents.pos[row]);
    }
    let tag = &mut world.agents.tag[row];
    tag.state &= !state::FRESH;
    let Some(goal) = &mut world.groups[group].goal else { return };
    if (goal.taken as usize) < goal.places.len() {
        world.place_of[tag.id as usize] = goal.taken;
        tag.state |= state::PLACED;
    }
    goal.taken += 1;
}
