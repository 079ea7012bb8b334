//! Arrivals: those who have just reached their goal's area get a place of their own in it, and those
//! who have come to rest a home.
//!
//! Places are given in the order of arrival, and of rows within a tick, from the far end of the area
//! to the near one: of the 24 farthest that the agent sees the one that lies least aside from it, as
//! seen from the entrance, so that few ways cross; else the first that it sees of eight others. Those
//! who see none follow the field, look again within a second, and then take the farthest unseen.

use crate::lane::Numbers;
use crate::math::hash2;
use crate::tick::CHUNK;
use crate::tick::Scratch;
use crate::world::Aim;
use crate::world::World;
use crate::world::state;

/// Places that an agent looks at: the farthest that are free, and others.
const FARTHEST: usize = 24;
const OTHERS: u64 = 8;

pub(super) fn run<N: Numbers>(world: &mut World<N>, scratch: &Scratch<N>) {
    for (chunk, _) in scratch.fresh.iter().enumerate().filter(|(_, fresh)| **fresh) {
        let end = ((chunk + 1) * CHUNK).min(world.len());
        for row in chunk * CHUNK..end {
            if world.agents.tag[row].state & state::FRESH != 0 {
                give_place(world, row);
            }
            if world.agents.tag[row].state & state::HOMELESS != 0 {
                make_home(world, row);
            }
        }
    }
}

/// An agent is at home where it comes to rest, or in the place that it was sent to.
fn make_home<N: Numbers>(world: &mut World<N>, row: usize) {
    let tag = &mut world.agents.tag[row];
    if world.agents.vel[row] == [N::ZERO; 2] {
        tag.state &= !state::HOMELESS;
    }
    let own = world.traits[usize::from(tag.group)].aim == Aim::Own;
    let goal = world.groups[usize::from(tag.group)].goal.as_ref();
    let place = goal.filter(|_| own && tag.state & state::PLACED != 0);
    let place = place.map(|goal| goal.places[world.place_of[tag.id as usize] as usize]);
    world.home[tag.id as usize] = place.unwrap_or(world.agents.pos[row]);
}

fn give_place<N: Numbers>(world: &mut World<N>, row: usize) {
    let tag = world.agents.tag[row];
    let group = usize::from(tag.group);
    let pos = world.agents.pos[row];
    let laid_out = world.groups[group].goal.as_ref().is_some_and(|goal| goal.is_laid_out);
    if !laid_out {
        world.lay_out_places(tag.group, pos);
    }
    let second = u64::from(world.settings.tick_rate);
    let due = (world.tick + u64::from(tag.id)).is_multiple_of(second);
    if tag.state & state::WAITING != 0 && !due {
        return;
    }
    let Some(goal) = &world.groups[group].goal else { return };
    let (first, free) = (goal.taken as usize, goal.places.len() - goal.taken as usize);
    let other = |i: u64| first + (hash2(u64::from(tag.id), i) % free as u64) as usize;
    let from = pos.map(N::to_f64);
    let to = |at: [N; 2]| [at[0].to_f64() - from[0], at[1].to_f64() - from[1]];
    let [middle, entrance] = [goal.target, goal.entrance].map(|at| at.map(N::to_f64));
    let ahead = [middle[0] - entrance[0], middle[1] - entrance[1]];
    let aside = |place: usize| {
        let [x, y] = to(goal.places[place]);
        let across = x * ahead[1] - y * ahead[0];
        across * across
    };
    let mut farthest = [(0.0, 0); FARTHEST];
    let farthest = &mut farthest[..free.min(FARTHEST)];
    for (i, entry) in (first..).zip(farthest.iter_mut()) {
        *entry = (aside(i), i);
    }
    farthest.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let offered = farthest.iter().map(|entry| entry.1).chain((0..OTHERS).map(other));
    let mut choice = None;
    if free > 0 {
        choice = offered.into_iter().find(|&i| world.sees(tag.group, pos, goal.places[i]));
        if tag.state & state::WAITING != 0 {
            choice = choice.or(Some(first));
        }
    }
    let tag = &mut world.agents.tag[row];
    let Some(goal) = &mut world.groups[group].goal else { return };
    if let Some(index) = choice {
        goal.places.swap(first, index);
        world.place_of[tag.id as usize] = goal.taken;
        goal.taken += 1;
        tag.state = tag.state & !(state::FRESH | state::WAITING) | state::PLACED;
    } else if free == 0 {
        tag.state &= !(state::FRESH | state::WAITING);
    } else {
        tag.state |= state::WAITING;
    }
}
