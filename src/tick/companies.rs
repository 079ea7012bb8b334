//! Companies: no agent of a company goes faster than its slowest group; formations move, and their
//! members keep them.
//!
//! A formation's anchor follows the field of the company's widest group. It goes at the slowest
//! speed times a pace that falls with the members' distances from their slots, so that it waits for
//! them. A member in sight of its slot goes there: with the slot's own velocity and, on top, a share
//! of what it lags, at which its response is critically damped. One whose slot is out of its sight,
//! or out of the anchor's, follows the field as without a formation (which dissolves) until both see
//! it again.

use crate::math::each::Each;
use std::sync::atomic::Ordering::Relaxed;

use crate::kernel::motion;
use crate::lane::{Lane, Numbers};
use crate::par;
use crate::tick::march::{March, length, place};
use crate::tick::{CHUNK, Scratch, anchor};
use crate::world::{
    AgentRows, Ground, Group, Groups, Guidance, Slot, Tag, Traits, View, World, state,
};

/// A member looks for its slot once in so many ticks.
const LOOK_EVERY: u64 = 8;
/// Lag beyond which a member counts no more, in spacings.
const MAX_LAG: f64 = 4.0;
/// Distance from its slot at which a member looks whether to exchange it, in spacings.
const FAR: f64 = 0.35;
/// Parts of a metre in which lag is summed.
const LAG_UNITS: f64 = 256.0;
/// The root of the mean squared lag, in spacings, up to which the anchor goes at full speed, that from
/// which it is slowest, and the slowest pace.
const PACES: [f64; 3] = [0.04, 0.9, 0.05];

pub(super) fn run<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    if world.groups.companies.is_empty() || world.is_empty() {
        return;
    }
    let Scratch { desired, marches, ranks, .. } = scratch;
    marches.resize_with(world.groups.companies.len(), March::default);
    let mut some_form = false;
    for index in 0..world.groups.companies.len() as u16 {
        let slowest = slowest(&world.groups, index);
        let march = &mut marches[usize::from(index)];
        *march = March::default();
        let spacing = world.groups.spacing(index);
        march.most_lag = N::from_f64(MAX_LAG * spacing);
        march.far = N::from_f64(FAR * spacing);
        let forms = world.groups.companies[usize::from(index)].forms;
        if let Some(slowest) = slowest.filter(|_| forms) {
            anchor::lead(world, index, slowest, march, ranks);
            some_form = true;
        }
    }
    if !some_form {
        return;
    }
    let (agents, rest) = world.split();
    keep(agents, rest, &mut desired[..], marches);
    for index in 0..world.groups.companies.len() as u16 {
        let spacing = world.groups.spacing(index);
        let march = &marches[usize::from(index)];
        if let Some(anchor) = &mut world.groups.companies[usize::from(index)].anchor {
            anchor.speed_factor = speed_factor(march, spacing);
            anchor.is_untidy = march.late.load(Relaxed) > 0;
            anchor.reform |= march.strangers.load(Relaxed) > 0;
        }
    }
}

/// The speed of the slowest group of a company that marches with agents.
fn slowest<N: Numbers>(groups: &Groups<N>, index: u16) -> Option<f64> {
    groups.marching(index).map(|(_, group)| group.def.speed).min_by(f64::total_cmp)
}

/// Sets the speeds of all groups in companies. Every tick begins with it, so that they follow from
/// the state alone.
pub(super) fn limit_speeds<N: Numbers>(groups: &mut Groups<N>) {
    for index in 0..groups.companies.len() as u16 {
        let slowest = slowest(groups, index);
        let company = &groups.companies[usize::from(index)];
        for &group in &company.def.groups {
            let group = usize::from(group);
            let (row, traits) = (&groups.list[group], &mut groups.traits[group]);
            let own = row.def.speed;
            let speed = slowest.filter(|_| row.marches).map_or(own, |slowest| slowest.min(own));
            // To keep its slot a member may be as fast as it can.
            let top = if company.forms && row.marches { own } else { speed };
            traits.speed = N::from_f64(speed);
            traits.top_speed = N::from_f64(top * row.def.sprint * traits.quickest);
        }
    }
}

/// The pace that the members' lag leaves the anchor.
fn speed_factor<N: Numbers>(march: &March<N>, spacing: f64) -> N {
    let counted = f64::from(march.counted.load(Relaxed).max(1));
    let walled = f64::from(march.walled.load(Relaxed));
    let lag = (march.lag.load(Relaxed) as f64 / counted).sqrt() / LAG_UNITS / spacing;
    let [none, full, least] = PACES;
    // Where the formation does not fit, waiting does not help.
    let least = least.max(walled / (counted + walled));
    N::from_f64((1.0 - (lag - none) / (full - none)).clamp(least, 1.0))
}

/// What every member of a formation reads.
struct Plan<'a, N: Numbers> {
    world: View<'a, N>,
    pos: &'a [[N; 2]],
    vel: &'a [[N; 2]],
    marches: &'a [March<N>],
    rate: N,
    /// Whether some ground is not plain.
    is_uneven: bool,
    /// Ticks of being blocked after which a member settles.
    patience: u8,
    /// Ticks of being blocked after which a member on the march steps aside.
    sidestep: u8,
}

/// The members of formations go to their slots.
fn keep<N: Numbers>(
    AgentRows { pos, vel, tag }: &mut AgentRows<N>,
    world: View<'_, N>,
    desired: &mut [[N; 2]],
    marches: &[March<N>],
) {
    let plan = Plan {
        world,
        pos,
        vel,
        marches,
        rate: N::from_f64(f64::from(world.settings.tick_rate)),
        is_uneven: world.ground.is_uneven(world.groups),
        patience: (3 * world.settings.tick_rate).min(254) as u8,
        sidestep: (world.settings.tick_rate / 2).clamp(1, 100) as u8,
    };
    par::chunks(pos.len(), CHUNK, (&mut tag[..], desired), &|_, first, (tags, desired)| {
        for (i, (tag, desired)) in tags.iter_mut().zip(desired).enumerate() {
            let group = usize::from(tag.group);
            if plan.world.groups.traits[group].guidance != Guidance::Formation {
                continue;
            }
            let Some(company) = plan.world.groups.list[group].company else { continue };
            let slots = &plan.world.groups.companies[usize::from(company)].slots;
            let march = &plan.marches[usize::from(company)];
            match slots.get(plan.world.place_of[tag.id as usize] as usize) {
                Some(slot) if slot.id == tag.id => {
                    *desired = member(&plan, first + i, tag, slot, march, *desired);
                }
                _ => {
                    march.strangers.fetch_add(1, Relaxed);
                    tag.state &= !state::FORMED;
                    *desired = [N::ZERO; 2];
                }
            }
        }
    });
}

/// The desired velocity of a member and its new state; `walking` is what it would do without a
/// formation.
fn member<N: Numbers>(
    plan: &Plan<'_, N>,
    row: usize,
    tag: &mut Tag,
    slot: &Slot<N>,
    march: &March<N>,
    walking: [N; 2],
) -> [N; 2] {
    let View { log, ground, groups, .. } = plan.world;
    let (pos, vel) = (plan.pos[row], plan.vel[row]);
    let group = &groups.list[usize::from(tag.group)];
    let traits = &groups.traits[usize::from(tag.group)];
    let (from, to) = (place(march.from, slot.offset), place(march.to, slot.offset));
    let looks = (log.tick + u64::from(tag.id)).is_multiple_of(LOOK_EVERY);
    let passable = ground.can_walk(group, pos, to);
    if looks || !passable {
        look(ground, group, tag, passable, [march.to[0], pos], to);
    }
    let free = tag.state & state::WAITING == 0;
    let lag = near([from[0] - pos[0], from[1] - pos[1]]);
    let length = length(lag);
    if free {
        let lag = (length.smaller(march.most_lag).to_f64() * LAG_UNITS) as u64;
        march.lag.fetch_add(lag * lag, Relaxed);
        march.counted.fetch_add(1, Relaxed);
        march.late.fetch_add(u32::from(march.far < length), Relaxed);
    } else {
        march.walled.fetch_add(1, Relaxed);
    }
    let formed = tag.state & state::FORMED != 0;
    let gain = traits.response * N::from_f64(0.25);
    let top_speed = match plan.is_uneven {
        false => traits.top_speed,
        true => N::from_f64(group.def.speed * group.def.sprint) * ground.pace_at(group, pos),
    };
    let mut pull = limit(lag.each(|c| c * gain), top_speed);
    let slot_vel = [0, 1].each(|i| (to[i] - from[i]) * plan.rate);
    if !march.rests {
        tag.state &= !(state::ARRIVED | state::SETTLED);
        let gains = [0, 1].each(|i| vel[i] - slot_vel[i]);
        let blocked = march.far < length && is_blocked(gains, pull);
        tag.patience = sidestep(tag.patience, formed && blocked, plan.sidestep);
        if tag.patience > plan.sidestep {
            pull = [pull[0] - pull[1], pull[1] + pull[0]];
        }
    }
    let goes =
        if formed { limit([0, 1].each(|i| slot_vel[i] + pull[i]), top_speed) } else { walking };
    if !march.rests {
        return goes;
    }
    settle(tag, traits, length, vel, formed, plan.patience);
    if tag.state & state::SETTLED == 0 { goes } else { [N::ZERO; 2] }
}

/// Notes whether a slot is free, which is where the anchor sees it, and in sight of its holder.
fn look<N: Numbers>(
    ground: &Ground<N>,
    group: &Group<N>,
    tag: &mut Tag,
    passable: bool,
    [anchor, pos]: [[N; 2]; 2],
    slot: [N; 2],
) {
    let free = passable && ground.sees(group, anchor, slot);
    let sees = free && ground.sees(group, pos, slot);
    tag.state &= !(state::FORMED | state::WAITING);
    tag.state |= if free { 0 } else { state::WAITING } | if sees { state::FORMED } else { 0 };
}

/// Counts the ticks for which a member has been blocked; after `most` it steps aside for as long.
fn sidestep(patience: u8, blocked: bool, most: u8) -> u8 {
    if patience >= 2 * most {
        0
    } else if blocked || patience > most {
        patience + 1
    } else {
        0
    }
}

/// Whether an agent gains less on its slot than a quarter of what it wants to.
fn is_blocked<N: Numbers>(gains: [N; 2], pull: [N; 2]) -> bool {
    let (gains, pull) = (near(gains), near(pull));
    let quarter = pull.each(|c| c * N::from_f64(0.25));
    gains[0] * pull[0] + gains[1] * pull[1] < quarter[0] * pull[0] + quarter[1] * pull[1]
}

/// Patience of members that have settled where they found no way on.
const GIVEN_UP: u8 = 255;

/// A member of a formation that rests settles in its slot, or where it finds no way on; one that is
/// pushed out of its slot goes back.
fn settle<N: Numbers>(
    tag: &mut Tag,
    traits: &Traits<N>,
    lag: N,
    vel: [N; 2],
    formed: bool,
    patience: u8,
) {
    let slower = |share: f64| {
        let most = traits.speed * N::from_f64(share);
        vel.iter().all(|&v| v < most && -v < most)
    };
    if tag.state & state::SETTLED != 0 {
        if formed && traits.radius < lag && tag.patience != GIVEN_UP {
            tag.state &= !state::SETTLED;
        }
        return;
    }
    let there = formed && lag < traits.radius * N::from_f64(0.25) && slower(0.125);
    tag.patience = if slower(0.25) { tag.patience + 1 } else { 0 };
    let gives_up = tag.patience >= patience;
    if there || gives_up {
        tag.state |= state::ARRIVED | state::SETTLED;
        tag.patience = if there { 0 } else { GIVEN_UP };
    }
}

/// A difference, limited to what fixed point can square.
fn near<N: Numbers>(delta: [N; 2]) -> [N; 2] {
    let most = N::from_f64(30.0);
    delta.each(|c| c.smaller(most).larger(-most))
}

/// A vector no longer than `most`.
fn limit<N: Numbers>(v: [N; 2], most: N) -> [N; 2] {
    motion::limit(v.each(N::Single::splat), N::Single::splat(most)).each(|c| c.get(0))
}
