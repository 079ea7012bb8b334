//! Decide: what agents decided in `think` comes true, for all at once, in the order of rows.

use crate::lane::Numbers;
use crate::mind::MAX_SIGNALS;
use crate::tick::think::{COUNTS, FOCUSES, FORGETS, GOES, LEAVES, RELOADS, Verdict};
use crate::tick::{CHUNK, Scratch};
use crate::world::thoughts::NEVER;
use crate::world::{Aimed, TEAMS, World, state};

pub(super) fn run<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    if world.minds.variant_sets.is_empty() {
        return;
    }
    let memory = &mut scratch.think;
    for (chunk, endless) in memory.endless.iter_mut().enumerate() {
        if !memory.busy[chunk] {
            continue;
        }
        world.minds.endless.append(endless);
        let rows = chunk * CHUNK..world.len().min((chunk + 1) * CHUNK);
        for row in rows {
            let verdict = &memory.verdicts[row];
            if verdict.flags != 0 && world.agents.rows.tag[row].state & state::LEAVING == 0 {
                apply(world, row, verdict);
            }
        }
    }
}

/// Applies what one agent decided.
fn apply<N: Numbers>(world: &mut World<N>, row: usize, verdict: &Verdict<N>) {
    let tag = world.agents.rows.tag[row];
    let id = tag.id as usize;
    let team = world.groups.list[usize::from(tag.group)].def.team;
    let memory = &mut world.minds.thoughts.memory[id];
    memory[2] = verdict.health;
    if verdict.flags & COUNTS != 0 {
        memory[1] = verdict.count;
    }
    if verdict.flags & FOCUSES != 0 {
        world.minds.thoughts.focus[id] = verdict.focus;
    }
    if verdict.flags & GOES != 0 {
        memory[0] = verdict.argument;
        world.minds.thoughts.state[id] = verdict.to;
        world.minds.thoughts.since[id] = world.log.tick as u32;
        let variant_set = world.variant_set(tag.group);
        let variant = variant_set
            .map_or(tag.group, |variant_set| variant_set.variants[usize::from(verdict.to)]);
        world.move_to_group(row, variant);
    }
    if verdict.flags & FORGETS != 0
        && let Some(aim) = world.combat.combatants.aim.get_mut(id)
    {
        *aim = Aimed { ready: aim.ready, ..Aimed::NOBODY };
    }
    if verdict.flags & RELOADS != 0 {
        world.reload(tag.id, tag.group);
    }
    if verdict.flags & LEAVES != 0 {
        world.agents.rows.tag[row].state |= state::LEAVING;
        world.agents.some_leave = true;
        world.agents.left += 1;
    }
    if verdict.signals != 0 {
        signal(world, team, verdict.signals);
    }
}

/// An agent gives its team signals.
fn signal<N: Numbers>(world: &mut World<N>, team: u8, mut signals: u32) {
    if world.minds.signals.is_empty() {
        world.minds.signals.resize(usize::from(TEAMS) * MAX_SIGNALS, NEVER);
    }
    while signals != 0 {
        let at = usize::from(team) * MAX_SIGNALS + signals.trailing_zeros() as usize;
        world.minds.signals[at] = world.log.tick;
        signals &= signals - 1;
    }
}
