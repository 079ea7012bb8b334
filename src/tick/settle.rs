//! Settling: agents arrive, come to rest, and are under way again.
//!
//! An agent has arrived while it is in the area of its goal. It settles at its place there; an agent
//! without a way on asks for help every quarter of a second (`arrivals` gives it), and settles where it is
//! when that has been of no use for long. Agents for which the area has no room settle at places
//! around it, and have not arrived. An agent that is moved out of the area is under way again.

use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::world::{Guidance, Log, Settings, Tag, View, state};

/// Largest distance of agents in the way of one on the way to its place, in radii.
pub(super) const REACH: f64 = 4.0;

/// What the agents of a block are about, one bit an agent.
#[derive(Clone, Copy)]
pub(super) struct Signs {
    /// Agents to look at: they walk, and are in their goal, or have a place, or have arrived.
    pub(super) looks: u32,
    /// Agents in the area of their goal.
    pub(super) in_goal: u32,
    /// Agents that make less way than a quarter, and than half of what they want.
    pub(super) blocked: u32,
    /// See `blocked`.
    pub(super) slowed: u32,
    /// Agents less than a radius, and than half of one, from their place.
    pub(super) near: u32,
    /// See `near`.
    pub(super) close: u32,
    /// Agents at their place that have all but halted.
    pub(super) there: u32,
}

/// Seconds after which agents with a place look whether they see it: that costs more than all else.
const LOOK_SECONDS: u64 = 2;
/// Of so many ticks of waiting, one counts for agents that have lost patience but have a place elsewhere.
const SLOWLY: u64 = 2;
/// How long agents at a goal that is a point wait for a way to a place elsewhere, in usual patiences.
const LONG: u8 = 4;

/// Walking agents arrive, leave, and settle. `pos` are the positions of agents; tags behind theirs are
/// padding.
pub(super) fn settle<N: Numbers>(
    world: &View<'_, N>,
    pos: &[[N; 2]],
    tags: &mut [Tag],
    signs: Signs,
) {
    let all = tags.iter_mut().zip(pos).enumerate();
    for (i, (tag, &pos)) in all.filter(|(i, _)| signs.looks >> i & 1 == 1) {
        let has = |bits: u32| bits >> i & 1 == 1;
        let traits = &world.groups.traits[usize::from(tag.group)];
        let Some(goal) = &world.groups.list[usize::from(tag.group)].goal else { continue };
        let (own, placed) = (traits.guidance == Guidance::Own, tag.state & state::PLACED != 0);
        let inside = placed && goal.is_inside(world.place_of[tag.id as usize]);
        let arrived = tag.state & state::ARRIVED != 0;
        let here = match own || goal.each {
            true => has(signs.near),
            false => has(signs.in_goal),
        };
        let may_be = arrived || has(signs.near) || placed && has(signs.blocked);
        let here = here || may_be && world.is_at_goal(*tag, pos);
        if here != arrived {
            tag.state ^= state::ARRIVED;
            // One that is pressed over the edge of too small an area and back loses patience as others do.
            let is_small = goal.inside < goal.laid_for;
            if !(is_small && placed && has(signs.blocked)) {
                tag.patience = 0;
            }
        }
        if !placed && (here && !arrived || goal.each && has(signs.in_goal)) {
            tag.state |= state::FRESH;
        }
        if !here && (inside || !placed) {
            outside(world, tag, placed, has(signs.blocked));
            continue;
        }
        if !world.halts(*tag) {
            let wide = !matches!(goal.shapes[..], [Shape::Point { .. }]);
            let hopes = placed && !own || tag.state & state::WAITING != 0;
            rest(world, tag, [hopes, wide], has, signs);
        }
    }
}

/// An agent is out of the area of its goal: where a place awaits it, it asks from time to time
/// whether there is still a straight way; where all in the area are taken, it asks for one around.
fn outside<N: Numbers>(world: &View<'_, N>, tag: &mut Tag, placed: bool, blocked: bool) {
    if !placed {
        tag.state |= state::FRESH;
        return;
    }
    // Agents that stand in the way may take its place; after long it stays where it is.
    let patience = world.groups.traits[usize::from(tag.group)].patience;
    let asks = count(world, tag, blocked, patience) && is_due(tag.patience, patience);
    if tag.patience >= 250 && !world.halts(*tag) {
        tag.state |= state::SETTLED | state::HOMELESS;
        tag.state &= !(state::FRESH | state::WAITING);
        tag.patience = 0;
    } else if asks || looks_for_place(world.settings, world.log, *tag) {
        tag.state |= state::FRESH;
    }
}

/// Whether it is an agent's turn to see whether there is a straight way to its place.
pub(super) fn looks_for_place(settings: &Settings, log: &Log, tag: Tag) -> bool {
    let every = LOOK_SECONDS * u64::from(settings.tick_rate);
    (log.tick + u64::from(tag.id)).is_multiple_of(every)
}

/// An agent in its goal, or on the way to a place around it, waits for a way on or settles; not soon
/// if it `hopes` for a place elsewhere, sooner if its goal is not `wide` but a point.
fn rest<N: Numbers>(
    world: &View<'_, N>,
    tag: &mut Tag,
    [hopes, wide]: [bool; 2],
    has: impl Fn(u32) -> bool,
    signs: Signs,
) {
    // Half a radius from its place it is not worth waiting long.
    let short = has(signs.close);
    let hindered = if short || !wide { has(signs.slowed) } else { has(signs.blocked) };
    let patience = world.groups.traits[usize::from(tag.group)].patience;
    // No agent settles in an entrance while a place further in is free.
    let hopes = hopes && !has(signs.near);
    // Around a point places are as good as any, and so is the rest once all are given away.
    let counted = count(world, tag, hindered, if hopes && wide { patience } else { 255 });
    let most = match (short, hopes) {
        (true, _) => patience / 4,
        (false, false) if has(signs.near) => patience / 2,
        (false, true) if wide => 250,
        (false, true) => patience.saturating_mul(LONG).min(250),
        (false, false) => patience,
    };
    if has(signs.there) || tag.patience > most {
        tag.state |= state::SETTLED | state::HOMELESS;
        tag.state &= !(state::FRESH | state::WAITING);
        tag.patience = 0;
    } else if hopes && hindered {
        let asks = counted && is_due(tag.patience, patience);
        tag.state |=
            if asks || looks_for_place(world.settings, world.log, *tag) { state::FRESH } else { 0 };
    }
}

/// Counts a tick of being hindered, or takes one off; beyond `fast` one of [`SLOWLY`] counts. Whether
/// the agent is more hindered now than before.
fn count<N: Numbers>(world: &View<'_, N>, tag: &mut Tag, hindered: bool, fast: u8) -> bool {
    let turn = (world.log.tick + u64::from(tag.id)).is_multiple_of(SLOWLY);
    if !hindered {
        tag.patience = tag.patience.saturating_sub(1);
        return false;
    }
    let counts = tag.patience < fast || turn;
    tag.patience = tag.patience.saturating_add(u8::from(counts));
    counts
}

/// Whether a hindered agent asks for help: eight times in every `patience`.
fn is_due(hindered: u8, patience: u8) -> bool {
    hindered.is_multiple_of((patience / 8).max(1))
}

/// Agents that stand where an order sent them are under way again when they were moved out of their
/// goal, and have arrived when they were moved in. Looked at are agents that move (`moving`, one bit an
/// agent) and agents whose turn it is (`looks`).
pub(super) fn stray<N: Numbers>(
    world: &View<'_, N>,
    pos: &[[N; 2]],
    tags: &mut [Tag],
    looks: impl Fn(&Tag) -> bool,
    moving: u32,
) {
    for (i, (tag, &pos)) in tags.iter_mut().zip(pos).enumerate() {
        let settled = tag.state & state::SETTLED != 0;
        if !settled || !(moving >> i & 1 == 1 || looks(tag)) {
            continue;
        }
        let aim = world.groups.traits[usize::from(tag.group)].guidance;
        if !matches!(aim, Guidance::Field | Guidance::Points) {
            continue;
        }
        if tag.state & state::ARRIVED == 0 {
            let inside = world.is_in_goal(tag.group, pos);
            tag.state |= if inside { state::ARRIVED } else { 0 };
        } else if !world.is_at_goal(*tag, pos) {
            tag.state &= !(state::ARRIVED | state::SETTLED | state::HOMELESS);
            tag.patience = 0;
        }
    }
}
