//! Aim: targets are chosen, and shots fired.
//!
//! Every agent sees the world as it is before any moves; nothing that one does here changes what
//! another sees. In order:
//!
//! 1. Targets are dropped that are dead or leave, no foe any more, nearer or farther than the
//!    weapon allows, or (where it needs sight, each time a choice is due) out of sight.
//! 2. An agent that has none, or does not stick to it, chooses anew every `retarget` ticks, at ticks
//!    that depend on its id. Where sight is needed, it takes the first in sight of the [`LOOKS`]
//!    that it prefers.
//! 3. An agent that has a target and is ready fires, where a shot hits within the projectile's life;
//!    else it drops the target. The first shot of its life waits, as its id says, for up to
//!    [`FIRST_SHOT`] or the cooldown, whichever is less, so that no army fires as one.
//! 4. Shots take to the air in the order of rows, as long as there is room for them.
//!
//! An agent without a foe may aim at a structure (`walls`): the one that its group attacks, or, where no way
//! leads to its goal, the nearest that its shots harm.
//!
//! An agent whose group halts means to stand while it has a target.

mod fire;
mod plan;
pub(in crate::tick) mod raster;
mod roles;
pub(in crate::tick) mod search;
mod walls;

use std::sync::atomic::{AtomicU32, Ordering};

use crate::data::{Column, Id, WeaponId};
use crate::kernel::choose;
use crate::kernel::choose::{Best, Key, Seeker};
use crate::lane::{Lane, Numbers};
use crate::par;
use crate::par::PerBand;
use crate::space::Grid;
use crate::tick::CHUNK;
use crate::tick::aim::fire::Muzzle;
use crate::tick::aim::plan::{CHANGED, FIRES, Plan, SEEKS, SHOOTS, drop_target, plan};
use crate::tick::aim::roles::{Roles, Shooter, note_roles};
use crate::tick::aim::search::{Field, Search};
use crate::world::{Aimed, MAX_PROJECTILES, ShotOwner, Tag, World, state};

/// Candidates that a choice looks at where sight is needed.
const LOOKS: usize = 16;

/// Rows of all id indices that live. Each is written by one row alone.
#[derive(Debug, Default)]
struct Rows(Vec<AtomicU32>);

impl Clone for Rows {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Memory of the stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory<N> {
    rows: Rows,
    roles: Roles<N>,
    /// Targets, flags (`SEEKS` and the others) and shots of agents; by row.
    aims: Vec<Aimed>,
    flags: Vec<u8>,
    muzzles: Vec<Muzzle<N>>,
    /// Flags of all agents of a chunk, joined; by chunk.
    busy: Vec<u8>,
}

pub(super) fn run<L: Lane>(
    world: &mut World<L::Num>,
    grid: &Grid<L::Num>,
    desired: &mut Column<[L::Num; 2]>,
    memory: &mut Memory<L::Num>,
) {
    let longest = note_roles(world, &mut memory.roles);
    if longest.is_some() {
        find_rows(world, &mut memory.rows.0);
    }
    // Agents that have no foe any more may still have a target to drop.
    keep(world, memory, desired);
    if longest.is_some() || memory.roles.breach {
        act::<L>(world, memory, grid, desired, longest);
    }
    launch(world, memory, MAX_PROJECTILES);
}

/// Notes the row of every id index.
fn find_rows<N: Numbers>(world: &World<N>, rows: &mut Vec<AtomicU32>) {
    rows.resize_with(world.agents.ids.capacity(), AtomicU32::default);
    let rows = &*rows;
    par::chunks(world.len(), CHUNK, (), &|chunk, first, ()| {
        let end = world.len().min((chunk + 1) * CHUNK);
        for (row, tag) in (first..).zip(&world.agents.rows.tag[first..end]) {
            rows[tag.id as usize].store(row as u32, Ordering::Relaxed);
        }
    });
}

/// Drops targets, and marks the agents that are to choose a target and those that are to fire.
fn keep<N: Numbers>(world: &World<N>, memory: &mut Memory<N>, desired: &mut [[N; 2]]) {
    let Memory { rows, roles, aims, flags, muzzles, busy } = memory;
    aims.resize(world.len(), Aimed::NOBODY);
    flags.resize(world.len(), 0);
    muzzles.resize(world.len(), Muzzle::default());
    busy.resize(world.len().div_ceil(CHUNK), 0);
    let plan = plan(world, &roles.shooters, &rows.0);
    let columns = (&mut aims[..], &mut flags[..], &mut desired[..], PerBand(&mut busy[..]));
    par::chunks(world.len(), CHUNK, columns, &|_, first, (aims, flags, desired, busy)| {
        let tags = &world.agents.rows.tag[first..first + flags.len()];
        // Alone, so that the rows from all over the table are fetched together.
        for (aim, tag) in aims.iter_mut().zip(tags) {
            *aim = world.combat.combatants.aim[tag.id as usize];
        }
        let mut all = 0;
        for (i, tag) in tags.iter().enumerate() {
            let shooter = &plan.shooters[usize::from(tag.group)];
            let mut flag = 0;
            let empty = shooter.counted && world.combat.combatants.rounds[tag.id as usize] == 0;
            if shooter.acts() && !empty && tag.state & state::LEAVING == 0 {
                flag = check(&plan, shooter, first + i, &mut aims[i]);
                if flag & SEEKS == 0 && aims[i].is_engaged() {
                    plan.engage(shooter, aims[i], &mut desired[i], &mut flag);
                }
            } else if aims[i].is_engaged() {
                flag = drop_target(&mut aims[i]);
            }
            flags[i] = flag;
            all |= flag;
        }
        busy.0[0] = all;
    });
}

/// Drops the target of an agent if it must. Returns flags: `SEEKS` if it is to choose, and `CHANGED`.
#[inline(always)]
fn check<N: Numbers>(plan: &Plan<'_, N>, shooter: &Shooter<N>, row: usize, aim: &mut Aimed) -> u8 {
    let tag = plan.world.agents.rows.tag[row];
    if aim.wall().is_some() || !shooter.armed {
        return check_wall(plan, shooter, row, aim);
    }
    let had = aim.target().is_some();
    let mut target = None;
    if had {
        target = plan.target(shooter, plan.world.agents.rows.pos[row], *aim);
    }
    let due = (target.is_none() || !shooter.sticky || shooter.sight) && plan.is_due(shooter, tag);
    if due && shooter.sight {
        target = target.filter(|&target| plan.sees(row, target));
    }
    let mut flag = if had && target.is_none() { drop_target(aim) } else { 0 };
    if due && (target.is_none() || !shooter.sticky) {
        flag |= SEEKS;
    }
    flag
}

/// The same of an agent that aims at a structure, or has no foes: whenever a choice is due it looks for
/// a foe first.
fn check_wall<N: Numbers>(
    plan: &Plan<'_, N>,
    shooter: &Shooter<N>,
    row: usize,
    aim: &mut Aimed,
) -> u8 {
    let tag = plan.world.agents.rows.tag[row];
    let mut flag = if plan.is_due(shooter, tag) { SEEKS } else { 0 };
    if aim.is_engaged() && !plan.may_strike(shooter, row, *aim) {
        flag |= drop_target(aim);
    }
    flag
}

/// Agents that are to choose a target do, and agents that are to fire find their shots. `longest` is
/// the longest range of groups that have foes.
fn act<L: Lane>(
    world: &World<L::Num>,
    memory: &mut Memory<L::Num>,
    grid: &Grid<L::Num>,
    desired: &mut [[L::Num; 2]],
    longest: Option<f64>,
) {
    let Memory { rows, roles, aims, flags, muzzles, busy } = memory;
    let Roles { shooters, targets, raster, .. } = roles;
    if let Some(longest) = longest
        && busy.iter().any(|flags| flags & SEEKS != 0)
    {
        raster.build(world, grid, targets, longest);
    }
    let plan = plan(world, shooters, &rows.0);
    let field = Field {
        raster: &*raster,
        grid,
        pos: world.agents.rows.pos.padded(),
        tags: &world.agents.rows.tag,
    };
    let columns = (
        &mut aims[..],
        (&mut flags[..], &mut muzzles[..]),
        &mut desired[..],
        PerBand(&mut busy[..]),
    );
    par::chunks(
        world.len(),
        CHUNK,
        columns,
        &|_, first, (aims, (flags, muzzles), desired, busy)| {
            if busy.0[0] & SEEKS != 0 {
                for i in 0..flags.len() {
                    if flags[i] & SEEKS == 0 {
                        continue;
                    }
                    let tag = world.agents.rows.tag[first + i];
                    let shooter = &plan.shooters[usize::from(tag.group)];
                    seek::<L>(&plan, &field, first + i, &mut aims[i], &mut flags[i]);
                    if aims[i].is_engaged() {
                        plan.engage(shooter, aims[i], &mut desired[i], &mut flags[i]);
                    }
                    busy.0[0] |= flags[i];
                }
            }
            if busy.0[0] & FIRES != 0 {
                fire::fire::<L>(&plan, first, aims, flags, muzzles);
                busy.0[0] |= CHANGED;
            }
        },
    );
}

/// An agent chooses a foe or, without one in range, a structure.
#[inline(always)]
fn seek<L: Lane>(
    plan: &Plan<'_, L::Num>,
    field: &Field<'_, L::Num>,
    row: usize,
    aim: &mut Aimed,
    flag: &mut u8,
) {
    let tag = field.tags[row];
    let shooter = &plan.shooters[usize::from(tag.group)];
    let mut chosen = Aimed { ready: aim.ready, ..Aimed::NOBODY };
    if let Some(Id { index, generation }) = foe::<L>(plan, field, row, *aim) {
        (chosen.target, chosen.generation) = (index, generation);
    } else if shooter.breaches
        && let Some((structure, cell)) = plan.wall_to_strike(shooter, row)
    {
        chosen = chosen.at_wall(structure, cell);
    }
    if chosen.is_engaged() && chosen.ready == 0 {
        chosen.ready = plan.first_shot(shooter, tag);
    }
    if chosen != *aim {
        *aim = chosen;
        *flag |= CHANGED;
    }
}

/// The foe that an agent chooses.
#[inline(always)]
fn foe<L: Lane>(
    plan: &Plan<'_, L::Num>,
    field: &Field<'_, L::Num>,
    row: usize,
    aim: Aimed,
) -> Option<Id> {
    let tag = field.tags[row];
    let shooter = &plan.shooters[usize::from(tag.group)];
    if !shooter.armed {
        return None;
    }
    let Shooter { foes, near, far, range, view, .. } = *shooter;
    let seeker = Seeker { pos: field.pos[row], row, foes, near, far };
    let crowd = field.raster.crowd(field.pos, view);
    let search = Search { field, crowd, seeker, view, range };
    // The target that it has is a good one to begin with.
    let had = aim.target().map(|_| {
        choose::key::<<L::Num as Numbers>::Single>(&seeker, &crowd, plan.row_of(aim), aim.target)
    });
    let Best([mut best]) = search.run::<L, 1>(Key::FIRST, Best([had.unwrap_or(Key::NONE)]));
    let sees = |key: &Key| plan.sees(row, key.row as usize);
    // One search more finds all others that it may look at.
    if shooter.sight && best != Key::NONE && !sees(&best) {
        let Best(others) = search.run::<L, { LOOKS - 1 }>(best, Best::NONE);
        let mut others = others.into_iter().take_while(|&key| key != Key::NONE);
        best = others.find(sees).unwrap_or(Key::NONE);
    }
    (best != Key::NONE).then(|| plan.world.agents.ids.id(best.id))
}

/// Writes down the targets that have changed, and launches the shots that were fired as long as there
/// are fewer than `most` projectiles.
fn launch<N: Numbers>(world: &mut World<N>, memory: &Memory<N>, most: usize) {
    let Memory { roles, aims, flags, muzzles, busy, .. } = memory;
    for (chunk, _) in busy.iter().enumerate().filter(|(_, flags)| **flags & CHANGED != 0) {
        let rows = chunk * CHUNK..flags.len().min((chunk + 1) * CHUNK);
        for row in rows.filter(|&row| flags[row] & (CHANGED | SHOOTS) != 0) {
            let Tag { id, group, .. } = world.agents.rows.tag[row];
            let mut aim = aims[row];
            if flags[row] & SHOOTS != 0 && world.combat.projectiles.shot.len() < most {
                let (weapon, Muzzle { pos, vel }) =
                    (WeaponId::new(world.groups.traits[usize::from(group)].weapon), muzzles[row]);
                world.launch(pos, vel, ShotOwner { id, group, weapon, aim });
                let cooldown = roles.shooters[usize::from(group)].cooldown;
                aim.ready = (world.log.tick as u32).wrapping_add(cooldown).max(1);
                let rounds = &mut world.combat.combatants.rounds[id as usize];
                *rounds = rounds.saturating_sub(1);
            }
            world.combat.combatants.aim[id as usize] = aim;
        }
    }
}

#[cfg(test)]
mod tests;
