//! Motion: forces become velocities, velocities become positions, and walls hold.

use crate::kernel::approach::Limit;
use crate::kernel::motion;
use crate::kernel::separate::{ALIKE, ALL, SIZES};
use crate::lane::{BLOCK, Lane, Mask, Numbers};
use crate::math::Num;
use crate::math::each::Each;
use crate::par;
use crate::par::PerBand;
use crate::tick::block_traits::{BlockTraits, all_share};
use crate::tick::near::{Crowd, Members, Slot, Turn};
use crate::tick::walls::Walls;
use crate::tick::{Scratch, crowd, near, terrain};
use crate::world::{AgentRows, Avoidance, Ground, Groups, Settings, Tag, Traits};

/// Agents that mean to stand, slower than this along both axes (m/s), rest at once: as friction does,
/// it keeps a crowd that stands from creeping for ever.
pub(super) const CRAWL: f64 = 0.1;

/// Time constants with which agents in a queue that choose their velocity turn, in seconds: those that keep a
/// time gap, and others, which stop and go more often. They choose anew in every tick, by limits that
/// neighbours set, and their heading would tremble: before a door of 2 m by 14° a tick of 50 ms with the
/// preset `rts` and by 13° with `pedestrian` (rms over agents faster than 0.1 m/s).
/// Steady, and with the time to part of `avoid`, it turns by 8° to 10° and 7°, and as many get through.
///
/// Tried and lost: steady at every speed (by 5 to 15 % fewer pedestrians pass doors and corridors); steady
/// along the velocity too (likewise); before all limits are obeyed (`rts` trembles by 12 to 15°), or after
/// all (`rts` agents of many sizes in a press are 0.56 of the sum of their radii apart, for 0.7).
const STEADY: [f64; 2] = [0.12, 0.16];

/// Shares of the desired speed below which such agents are in a queue.
const QUEUES: [f64; 2] = [0.25, 0.35];

/// Input of the stage, the same for all blocks.
struct Plan<'a, N: Numbers> {
    groups: &'a Groups<N>,
    /// Positions before the move, and tags, padded.
    pos: &'a [[N; 2]],
    tags: &'a [Tag],
    crowd: Crowd<'a, N>,
    walls: Walls<'a, N>,
    dt: N,
    rate: N,
    /// The shares of a turn that [`STEADY`] keeps back in a tick.
    steady: [N; 2],
    /// Whether all groups share the traits that this stage reads.
    alike: bool,
}

pub(super) fn run<L: Lane>(
    agents: &mut AgentRows<L::Num>,
    settings: &Settings,
    ground: &Ground<L::Num>,
    groups: &Groups<L::Num>,
    scratch: &mut Scratch<L::Num>,
) {
    if agents.pos.is_empty() {
        return;
    }
    let rows = scratch.share.strip.rows.clone();
    let desired = &mut scratch.desired[rows.clone()];
    terrain::hold_back(agents, settings, ground, groups, rows.start, desired);
    let move_all = match scratch.kind {
        ALIKE => move_all::<L, ALIKE>,
        SIZES => move_all::<L, SIZES>,
        _ => move_all::<L, ALL>,
    };
    move_all(agents, settings, ground, groups, scratch);
    std::mem::swap(&mut agents.pos, &mut scratch.spare.pos);
}

/// Moves all agents: from the positions of the world to the spare ones.
fn move_all<L: Lane, const KIND: u8>(
    AgentRows { pos, vel, tag }: &mut AgentRows<L::Num>,
    settings: &Settings,
    ground: &Ground<L::Num>,
    groups: &Groups<L::Num>,
    scratch: &mut Scratch<L::Num>,
) {
    let Scratch { grid, spare, push, desired, bodies, marks, near, near_count, .. } = scratch;
    let (rows, bands) = (scratch.share.strip.rows.clone(), scratch.share.strip.bands.clone());
    let (grid, desired, push, counts) = (&*grid, desired.padded(), push.padded(), &near_count[..]);
    let plan = Plan {
        groups,
        pos: pos.padded(),
        tags: tag.padded(),
        crowd: Crowd { bodies: &bodies.bodies, marks },
        walls: Walls::new(ground),
        dt: L::Num::from_f64(settings.dt()),
        rate: L::Num::from_f64(f64::from(settings.tick_rate)),
        steady: STEADY.each(|time| L::Num::from_f64(time / (time + settings.dt()))),
        alike: are_alike(groups),
    };
    let near = PerBand(&mut near[bands.clone()]);
    let columns = (&mut spare.pos[rows.clone()], &mut vel[rows], near);
    par::bands(grid.bands(), bands, columns, &|band, first, (to, vel, near)| {
        let (mut left, limits) = near.0[0].parts();
        for row in grid.band_rows(band) {
            let agents = grid.row_agents(row);
            for start in agents.clone().step_by(L::WIDTH) {
                let count = L::WIDTH.min(agents.end - start);
                let at = start - first..start - first + count;
                let forces = Forces::<L> {
                    desired: crowd::positions(&desired[start..], count),
                    push: crowd::positions(&push[start..], count),
                };
                let tags = &plan.tags[start..start + L::WIDTH];
                let block_traits =
                    BlockTraits::shared(tags, plan.groups, plan.alike).of_kind::<KIND>();
                let from = crowd::positions::<L>(&plan.pos[start..], count);
                let moving = Members { block_traits, row: start, count, pos: from };
                let vel = &mut vel[at.clone()];
                let (near, rest) = left.split_at(counts[start] as usize);
                left = rest;
                let to = &mut to[at.clone()];
                block::<L, KIND>(&plan, &moving, forces, near, limits, to, vel);
            }
        }
    });
}

/// Whether all groups with agents share the traits that this stage reads.
fn are_alike<N: Numbers>(groups: &Groups<N>) -> bool {
    let separates = |t: &Traits<N>| t.avoidance == Avoidance::Separation && !t.hold;
    let mut present = groups.list.iter().zip(&groups.traits).filter(|(group, _)| group.members > 0);
    present.all(|(_, traits)| separates(traits))
        && all_share(groups, |t| {
            let Traits { speed, top_speed, force, response, push, .. } = *t;
            let Traits { margin, clearance, wary, radius, approach_range, .. } = *t;
            let Traits { approach_rate, weight, .. } = *t;
            [
                speed,
                top_speed,
                force,
                response,
                push,
                margin,
                clearance,
                wary,
                radius,
                approach_range,
                approach_rate,
                weight,
            ]
        })
}

/// Desired velocities of a block, m/s, and the soft push on it, m.
struct Forces<L> {
    desired: [L; 2],
    push: [L; 2],
}

/// Moves a block.
#[inline(always)]
fn block<L: Lane, const KIND: u8>(
    plan: &Plan<'_, L::Num>,
    moving: &Members<'_, L>,
    forces: Forces<L>,
    near: &[Slot],
    limits: &mut Vec<[L::Num; 4 * BLOCK]>,
    pos_rows: &mut [[L::Num; 2]],
    vel_rows: &mut [[L::Num; 2]],
) {
    let Members { block_traits, row, count, pos } = moving;
    let pos = *pos;
    let n = |value: f64| L::splat(L::Num::from_f64(value));
    let vel = crowd::positions::<L>(vel_rows, *count);
    let (force, speed) =
        (block_traits.lanes::<L>(|t| t.force), block_traits.lanes::<L>(|t| t.top_speed));
    let zero = L::zero();
    let stands = forces.desired[0].equal(zero) & forces.desired[1].equal(zero);
    let mut push = turn_right(forces.push, stands).each(|p| p * block_traits.push::<L>());
    let wary = plan.walls.near(block_traits, pos);
    let any_wary = wary.any();
    if any_wary {
        let walls = plan.walls.push(block_traits, [pos, vel, forces.desired]);
        push = [0, 1].each(|i| L::select(wary, push[i] + walls[i], push[i]));
    }
    let response = block_traits.response::<L>();
    let dt = L::splat(plan.dt);
    let next = motion::accelerate(vel, forces.desired, push, response, force, speed, dt);
    let crawl = n(CRAWL);
    let rests = stands & next[0].abs().lt(crawl) & next[1].abs().lt(crawl);
    let next = next.each(|v| L::select(rests, L::zero(), v));
    // What avoidance has chosen is taken as it is.
    let held = block_traits.holds::<L>();
    let next = next.each(|v| L::select(held, zero, v));
    let chosen = block_traits.mask::<L>(|t| t.avoidance == Avoidance::Orca) & !held;
    let next = [0, 1].each(|i| L::select(chosen, forces.desired[i], next[i]));
    let turn = turn(plan, block_traits, vel, chosen);
    let next = match near.is_empty() {
        true => turn.map_or(next, |turn| turn.of(next)),
        false => {
            let moves = [pos, next];
            let wall = wall(plan, block_traits, pos, wary);
            near::obey::<L, KIND>(&plan.crowd, block_traits, *row, moves, turn, near, wall, limits)
        }
    };
    let mut to = [0, 1].each(|i| pos[i] + next[i] * dt);
    let mut walked = next;
    if any_wary {
        to = plan.walls.hold(wary, pos, to, block_traits.clearance());
        let moved = [0, 1].each(|i| (to[i] - pos[i]) * L::splat(plan.rate));
        let moved = motion::limit(moved, speed);
        walked = [0, 1].each(|i| L::select(wary, moved[i], next[i]));
    }
    L::store_some_pairs(to[0], to[1], *count, pos_rows);
    L::store_some_pairs(walked[0], walked[1], *count, vel_rows);
}

/// The limit that the nearest wall sets to agents that choose their velocity.
#[inline(always)]
fn wall<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block_traits: &BlockTraits<'_, L::Num>,
    pos: [L; 2],
    wary: L::Mask,
) -> Option<Limit<L>> {
    let near = wary & block_traits.mask::<L>(Traits::is_free);
    if !near.any() {
        return None;
    }
    let clearance = block_traits.clearance();
    let wall = plan.walls.nearest(pos, clearance);
    let level = wall.normal[0].equal(L::zero()) & wall.normal[1].equal(L::zero());
    let distance = (wall.distance - clearance) * L::splat(plan.walls.cell);
    Some(Limit::of_wall(wall.normal, distance, L::splat(plan.rate), near & !level))
}

/// How a block turns after these velocities: steadily where an agent that has `chosen` is in a queue.
#[inline(always)]
fn turn<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block_traits: &BlockTraits<'_, L::Num>,
    former: [L; 2],
    chosen: L::Mask,
) -> Option<Turn<L>> {
    if !chosen.any() {
        return None;
    }
    let free = block_traits.mask::<L>(Traits::is_free);
    let of_kind =
        |[keeps_gap, other]: [L::Num; 2]| L::select(free, L::splat(other), L::splat(keeps_gap));
    let walks = block_traits.lanes::<L>(|t| t.speed) * of_kind(QUEUES.each(L::Num::from_f64));
    let queues = chosen & L::length(former[0], former[1]).lt(walks);
    Some(Turn { former, kept: L::select(queues, of_kind(plan.steady), L::zero()) })
}

/// Turns the push on walkers a little to their right, so that walkers that meet head-on pass.
#[inline(always)]
fn turn_right<L: Lane>([x, y]: [L; 2], stands: L::Mask) -> [L; 2] {
    let quarter = L::splat(L::Num::from_f64(0.25));
    [
        L::select(stands, x, x + y.mul_coarse(quarter)),
        L::select(stands, y, y - x.mul_coarse(quarter)),
    ]
}
