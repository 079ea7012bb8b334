//! Desire: the desired velocity of every agent.
//!
//! By the flow field; straight to the middle of the goal while there is no field yet, or to the point
//! that a navigator names; straight to the own place once inside the goal's area; zero for agents that
//! stand. An agent has arrived when it enters the area. It settles at its place, or where it finds no
//! way on for two seconds (more where it is slow for its size).
//!
//! Agents that stand go back home at half speed when they were pushed away from it, unless they are
//! told to hold, which nothing moves. An agent's home is where it came to rest; where it finds no
//! way back for as long, it makes a new one. None of this time counts for an agent that halts because
//! it has a target: it neither settles nor makes a new home where it fights.

use crate::data::Column;
use crate::kernel::approach::polar;
use crate::kernel::sample;
use crate::kernel::sample::{Codes, Corners, Direction};
use crate::lane::{IntLane, Lane, Mask, Numbers};
use crate::math::Num;
use crate::math::each::{Each, Make};
use crate::par;
use crate::par::PerBand;
use crate::tick::block_traits::{BlockTraits, TagLanes, all_share};
use crate::tick::courses::{Bound, Courses};
use crate::tick::settle::Signs;
use crate::tick::{CHUNK, Scratch, courses, settle, share, terrain};
use crate::world::navigation::mode;
use crate::world::{AgentRows, Guidance, Tag, View, state};

/// Input of the stage, the same for all blocks.
struct Plan<'a, N: Numbers> {
    world: View<'a, N>,
    pos: &'a Column<[N; 2]>,
    vel: &'a Column<[N; 2]>,
    /// Cells per metre.
    scale: N,
    stride: usize,
    has_corridors: bool,
    /// Whether some ground is not plain, or forbidden.
    is_uneven: bool,
    forbids: bool,
    courses: Courses<'a, N>,
    /// Whether all groups share the traits that this stage reads in lanes.
    alike: bool,
    /// Whether the world has structures, and weapons to strike at them.
    storms: bool,
}

/// Distance in metres from where a follower heads for within which it stands.
const CLOSE: f64 = 0.1;

/// Agents that stand look every so many ticks whether they are away from home.
const LOOK_EVERY: u64 = 8;

pub(super) fn run<L: Lane>(
    AgentRows { pos, vel, tag }: &mut AgentRows<L::Num>,
    world: View<'_, L::Num>,
    scratch: &mut Scratch<L::Num>,
) {
    if pos.is_empty() {
        return;
    }
    let strip = &scratch.share.strip.rows;
    let padded = strip.start..strip.start + strip.len().next_multiple_of(L::WIDTH);
    let plan = Plan {
        world,
        pos,
        vel,
        scale: L::Num::from_f64(1.0 / world.ground.map.cell_size()),
        stride: world.ground.map.stride() as usize,
        has_corridors: world.routes.sectors.are_used(),
        is_uneven: world.ground.is_uneven(world.groups),
        forbids: world.ground.forbids(world.groups),
        courses: Courses::new(world.groups, world.routes),
        alike: all_share(world.groups, |t| [t.speed, t.slowing_scale, t.radius]),
        storms: !world.structures.is_empty() && !world.combat.weapons.is_empty(),
    };
    let Scratch { desired, news, .. } = scratch;
    news.resize(pos.len().div_ceil(CHUNK), 0);
    let (first, rows) = (padded.start, padded.len());
    let (tags, desired) =
        (&mut tag.padded_mut()[padded.clone()], &mut desired.padded_mut()[padded]);
    let columns = (tags, desired, PerBand(&mut news[..]));
    par::chunks_from(first, rows, CHUNK, columns, &|_, first, (tags, desired, news)| {
        for at in (0..tags.len()).step_by(L::WIDTH) {
            let tags = &mut tags[at..at + L::WIDTH];
            let [x, y] = block::<L>(&plan, first + at, tags);
            L::store_pairs(x, y, &mut desired[at..]);
        }
        share::note_news(tags, &mut news.0[0]);
    });
}

/// The desired velocity of a block, and its new tags.
#[inline(always)]
fn block<L: Lane>(plan: &Plan<'_, L::Num>, row: usize, tags: &mut [Tag]) -> [L; 2] {
    let groups = plan.world.groups;
    let bound = Bound::<L>::new(&plan.courses, tags);
    let placed = bound.tags.have(state::PLACED);
    let own = bound.has(courses::OWN);
    let (x, y) = L::load_pairs(&plan.pos.padded()[row..]);
    let settled = bound.tags.have(state::SETTLED);
    let settled = if settled.any() { stray::<L>(plan, row, tags) } else { settled };
    let walking = !settled & bound.has(courses::ORDERED) & (placed | !own);
    let block_traits = BlockTraits::shared(tags, groups, plan.alike || bound.uniform);
    let way_home = go_home(plan, &block_traits, walking, [x, y], row);
    let way_home = match way_home {
        Some((wish, news)) => {
            note(&plan.world, tags, news);
            wish
        }
        None => [L::zero(); 2],
    };
    if !walking.any() {
        return way_home;
    }
    let block_traits = BlockTraits::shared(tags, groups, plan.alike || bound.uniform);
    let field = by_field::<L>(plan, &block_traits, bound.uniform, [x, y]);
    let guided = bound.has(courses::GUIDED);
    let counts = bound.has(courses::GUIDED | courses::BY_FIELD);
    let seeks = counts & bound.tags.have(state::WAITING) & !placed;
    let direct = walking
        & (bound.has(courses::STRAIGHT)
            | placed
            | seeks
            | (guided & !by_fields_meanwhile::<L>(plan, tags, guided))
            | cut_off::<L>(plan, tags, bound.has(courses::BY_FIELD), &field));
    let nobody = L::Mask::from_fn(|_| false);
    let (mut dir, mut ramp) = ([field.x, field.y], L::one());
    let (mut near, mut close, mut there) = (nobody, nobody, nobody);
    if direct.any() {
        let to = L::pairs_from_fn(|i| target(plan, &tags[i]));
        let (distance, unit, _) = polar([to[0] - x, to[1] - y]);
        dir = [0, 1].each(|i| L::select(direct, unit[i], dir[i]));
        let short = distance.smaller(L::splat(L::Num::from_f64(1000.0)));
        let slowed = (short * block_traits.lanes::<L>(|t| t.slowing_scale)).smaller(L::one());
        ramp = L::select(placed, slowed, ramp);
        let led = bound.has(courses::LED);
        if led.any() {
            let more = (short - L::splat(L::Num::from_f64(CLOSE))).larger(L::zero());
            let slowed = more * block_traits.lanes::<L>(|t| t.slowing_scale);
            ramp = L::select(led, slowed.smaller(L::one()), ramp);
        }
        let radius = block_traits.lanes::<L>(|t| t.radius);
        near = placed & distance.lt(radius);
        close = placed & distance.lt(radius * L::splat(L::Num::HALF));
        there = placed & distance.lt(radius * L::splat(L::Num::from_f64(0.25)));
    }
    if plan.forbids {
        dir = terrain::lead_out(
            plan.world.ground,
            plan.world.groups,
            tags,
            [x, y],
            walking & !placed,
            dir,
        );
    }
    let speed = block_traits.lanes::<L>(|t| t.speed) * ramp;
    let mut speed = speed.mul_coarse(speed_factor(&bound.tags));
    if !plan.world.paces.is_empty() {
        let quicker = |i: usize| i32::from(plan.world.paces[tags[i].id as usize] as i8);
        let pace = L::Int::from_fn(quicker) + L::Int::splat(64);
        speed = speed.mul_coarse(L::from_q14(pace.shift_left::<8>()));
    }
    if plan.is_uneven {
        speed = speed * terrain::speed_factor(plan.world.ground, plan.world.groups, tags, [x, y]);
    }
    let in_goal = in_area::<L>(plan, row, &block_traits, bound.apart(), field.in_goal);
    let arrived = bound.tags.have(state::ARRIVED);
    let is_blocked = |i: usize| tags[i].patience > block_traits.traits(i).patience / 4;
    let zoned = bound.in_zone(&plan.courses, tags, [x, y], is_blocked);
    let turns = counts & !placed & !in_goal & zoned;
    let inside = walking & ((counts & (in_goal | placed | arrived)) | (own & (near | arrived)));
    let looks = inside | (walking & turns);
    if looks.any() {
        let (vx, vy) = L::load_pairs(&plan.vel.padded()[row..]);
        let slow = block_traits.lanes::<L>(|t| t.speed) * L::splat(L::Num::from_f64(0.125));
        let there = there & vx.abs().lt(slow) & vy.abs().lt(slow);
        let progress = vx * dir[0] + vy * dir[1];
        let slower = |share| progress.le(speed * L::splat(L::Num::from_f64(share)));
        let (blocked, slowed) = (slower(0.25), slower(0.5));
        let bits = [looks, in_goal, blocked, slowed, near, close, there].map(|mask| mask.bits());
        let [looks, in_goal, blocked, slowed, near, close, there] = bits;
        let signs = Signs { looks, in_goal, blocked, slowed, near, close, there };
        settle::settle(&plan.world, &plan.pos[row..], tags, signs);
    }
    [0, 1].each(|i| L::select(walking, dir[i] * speed, way_home[i]))
}

/// What agents that stand do about home, one bit a lane.
#[derive(Clone, Copy)]
struct News {
    /// Agents that look at all.
    looks: u32,
    /// Agents on the way back.
    returns: u32,
    /// Agents that make next to no way.
    blocked: u32,
}

/// The velocity back home of the standing agents of a block; `None` when none of them is to look.
#[inline(always)]
fn go_home<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block_traits: &BlockTraits<'_, L::Num>,
    walking: L::Mask,
    [x, y]: [L; 2],
    row: usize,
) -> Option<([L; 2], News)> {
    let standing = (!walking).bits();
    if standing == 0 {
        return None;
    }
    let looks = |i: usize| {
        let tag = &block_traits.tags[i];
        let homeless = tag.state & state::HOMELESS != 0;
        let due = (plan.world.log.tick + u64::from(tag.id)).is_multiple_of(LOOK_EVERY);
        let group = &plan.world.groups.list[usize::from(tag.group)];
        // Agents with behaviours of their own, or on the march with their company, have no home.
        let roams = group.marches || !group.steering.steps.is_empty();
        let away = !homeless && !roams && (due || tag.patience > 0);
        standing >> i & 1 == 1 && away && !block_traits.traits(i).keeps_place(*tag)
    };
    let looks = L::Mask::from_fn(looks);
    if !looks.any() {
        return None;
    }
    let home = L::pairs_from_fn(|i| plan.world.home[block_traits.tags[i].id as usize]);
    let (distance, dir, _) = polar([home[0] - x, home[1] - y]);
    let radius = block_traits.lanes::<L>(|t| t.radius);
    let returning = L::Mask::from_fn(|i| block_traits.tags[i].patience > 0);
    // In a packed goal a diameter is not worth the stir.
    let settled = L::Mask::from_fn(|i| {
        block_traits.tags[i].state & state::SETTLED != 0
            && block_traits.traits(i).guidance != Guidance::Own
    });
    let far = L::select(settled, radius + radius, radius);
    let there = L::select(returning, radius * L::splat(L::Num::from_f64(0.25)), far);
    let returns = looks & there.lt(distance);
    let short = distance.smaller(L::splat(L::Num::from_f64(1000.0)));
    let slowed = (short * block_traits.lanes::<L>(|t| t.slowing_scale)).smaller(L::one());
    let mut speed = block_traits.lanes::<L>(|t| t.speed) * slowed * L::splat(L::Num::HALF);
    if plan.is_uneven {
        speed = speed
            * terrain::speed_factor(
                plan.world.ground,
                plan.world.groups,
                block_traits.tags,
                [x, y],
            );
    }
    let (vx, vy) = L::load_pairs(&plan.vel.padded()[row..]);
    let progress = vx * dir[0] + vy * dir[1];
    let blocked = progress.le(speed * L::splat(L::Num::from_f64(0.25)));
    let wish = dir.each(|d| L::select(returns, d * speed, L::zero()));
    let news = News { looks: looks.bits(), returns: returns.bits(), blocked: blocked.bits() };
    Some((wish, news))
}

/// Counts how long agents have been on the way home, double while they are blocked; an agent for which
/// it takes too long makes a new home.
fn note<N: Numbers>(world: &View<'_, N>, tags: &mut [Tag], news: News) {
    let looks = |i: usize, tag: Tag| news.looks >> i & 1 == 1 && !world.halts(tag);
    for (i, tag) in tags.iter_mut().enumerate().filter(|(i, tag)| looks(*i, **tag)) {
        if news.returns >> i & 1 == 0 {
            tag.patience = 0;
        } else {
            tag.patience = tag.patience.saturating_add(1 + (news.blocked >> i & 1) as u8);
        }
        let most = world.groups.traits[usize::from(tag.group)].patience.saturating_mul(2).min(250);
        if tag.patience > most {
            tag.patience = 0;
            tag.state |= state::HOMELESS;
        }
    }
}

/// Where an agent walks straight to: its place, a point on the way to a free one, or the middle of its
/// group's goal.
#[inline(always)]
fn target<N: Numbers>(plan: &Plan<'_, N>, tag: &Tag) -> [N; 2] {
    let group = usize::from(tag.group);
    if tag.state & state::PLACED == 0 {
        let traits = &plan.world.groups.traits[group];
        let seeks = matches!(traits.guidance, Guidance::Field | Guidance::Points);
        if seeks && tag.state & state::WAITING != 0 {
            return plan.world.home[tag.id as usize];
        }
        return match traits.guidance {
            Guidance::Points => plan.world.routes.steps.point[tag.id as usize],
            Guidance::Focus => plan.world.minds.thoughts.focus[tag.id as usize],
            Guidance::Leader => plan.world.heads[tag.id as usize],
            _ => traits.target,
        };
    }
    let place = plan.world.place_of[tag.id as usize] as usize;
    let goal = plan.world.groups.list[group].goal.as_ref();
    goal.map_or(plan.world.groups.traits[group].target, |goal| goal.places[place])
}

/// Agents that go by a navigator and have no route yet, but a field of their group to go by meanwhile.
#[inline(always)]
fn by_fields_meanwhile<L: Lane>(plan: &Plan<'_, L::Num>, tags: &[Tag], guided: L::Mask) -> L::Mask {
    if !guided.any() {
        return guided;
    }
    let has_field = |group: u16| {
        let group = &plan.world.groups.list[usize::from(group)];
        let field = group.field.filter(|_| group.def.navigator.is_by_routes());
        field.is_some_and(|id| plan.world.routes.fields.directions(id).is_some())
    };
    let is_lost = |tag: &Tag| {
        let mode = plan.world.routes.steps.step[tag.id as usize].mode;
        mode & (mode::ROUTED | mode::IN_GOAL) == 0 && has_field(tag.group)
    };
    let guided = guided.bits();
    L::Mask::from_fn(|i| guided >> i & 1 == 1 && is_lost(&tags[i]))
}

/// Agents that could strike at a structure, and to whose goal their field shows no way: they head straight
/// for the middle of the goal, up to what is in the way.
#[inline(always)]
fn cut_off<L: Lane>(
    plan: &Plan<'_, L::Num>,
    tags: &[Tag],
    by_field: L::Mask,
    field: &Direction<L>,
) -> L::Mask {
    let nobody = L::Mask::from_fn(|_| false);
    if !plan.storms {
        return nobody;
    }
    let zero = L::zero();
    let is_zero = |c: L| c.le(zero) & zero.le(c);
    let lost = by_field & is_zero(field.x) & is_zero(field.y) & !field.in_goal;
    if !lost.any() {
        return nobody;
    }
    let weapons = plan.world.combat.weapons.len();
    let is_armed = |i: usize| {
        let group = usize::from(tags[i].group);
        let weapon = usize::from(plan.world.groups.traits[group].weapon);
        let row = &plan.world.groups.list[group];
        weapon < weapons && row.field.is_some() && !row.def.hold_fire
    };
    lost & L::Mask::from_fn(is_armed)
}

/// Agents in the area of their goal: as the field says, or where there is none, the navigator or, for
/// agents that no longer ask it, the goal's cells.
#[inline(always)]
fn in_area<L: Lane>(
    plan: &Plan<'_, L::Num>,
    row: usize,
    block_traits: &BlockTraits<'_, L::Num>,
    apart: L::Mask,
    by_field: L::Mask,
) -> L::Mask {
    if !apart.any() {
        return by_field;
    }
    let (apart, by_field) = (apart.bits(), by_field.bits());
    let is_in = |i: usize| {
        let tag = &block_traits.tags[i];
        if tag.state & (state::PLACED | state::ARRIVED) != 0 {
            return plan.world.is_in_goal(tag.group, plan.pos[row + i]);
        }
        let steps = &plan.world.routes.steps.step;
        match block_traits.traits(i).guidance {
            Guidance::Points => steps[tag.id as usize].mode & mode::IN_GOAL != 0,
            _ => by_field >> i & 1 == 1,
        }
    };
    L::Mask::from_fn(|i| if apart >> i & 1 == 1 { is_in(i) } else { by_field >> i & 1 == 1 })
}

/// Agents that have settled, once agents that were moved out of their goal walk again.
#[inline(always)]
fn stray<L: Lane>(plan: &Plan<'_, L::Num>, row: usize, tags: &mut [Tag]) -> L::Mask {
    let (vx, vy) = L::load_pairs(&plan.vel.padded()[row..]);
    let zero = L::zero();
    let still = vx.le(zero) & zero.le(vx) & vy.le(zero) & zero.le(vy);
    let due = |tag: &Tag| (plan.world.log.tick + u64::from(tag.id)).is_multiple_of(LOOK_EVERY);
    settle::stray(&plan.world, &plan.pos[row..], tags, due, (!still).bits());
    L::Mask::from_fn(|i| tags[i].state & state::SETTLED != 0)
}

/// The direction by the field of each lane's group; zero without one.
#[inline(always)]
fn by_field<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block_traits: &BlockTraits<'_, L::Num>,
    uniform: bool,
    [x, y]: [L; 2],
) -> Direction<L> {
    let stride = plan.stride;
    let corners = sample::corners(x, y, L::splat(plan.scale), stride as i32);
    let codes_of = |lane: usize| plan.courses.codes(block_traits.tags[lane].group);
    let codes = if uniform {
        let codes = codes_of(0);
        sample::gather::<L>(&corners, |_, first| sample::quad(codes, first, stride))
    } else {
        sample::gather::<L>(&corners, |lane, first| sample::quad(codes_of(lane), first, stride))
    };
    let codes =
        if plan.has_corridors { by_corridor(plan, block_traits, &corners, codes) } else { codes };
    sample::blend::<L>(&corners, &codes)
}

/// The codes of a field, or of the corridor in lanes of agents whose group goes by one.
#[inline(never)]
fn by_corridor<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block_traits: &BlockTraits<'_, L::Num>,
    corners: &Corners<L>,
    codes: Codes<L>,
) -> Codes<L> {
    let of_lane = |lane: usize| {
        let (first, group) = (corners.first.get(lane) as u32, block_traits.tags[lane].group);
        let class = plan.world.groups.list[usize::from(group)].class;
        let found = plan.world.routes.sectors.codes(group, class, first);
        found.map_or(codes.each(|code| code.get(lane)), |found| found.each(|code| code as i32))
    };
    let all: [[i32; 4]; 8] =
        Make::make(|lane| if lane < L::WIDTH { of_lane(lane) } else { [0; 4] });
    [0, 1, 2, 3].each(|i| L::Int::from_fn(|lane| all[lane][i]))
}

/// A share of top speed between 31/32 and 1 by the agent's id, so that no two stay in step.
#[inline(always)]
fn speed_factor<L: Lane>(tags: &TagLanes<L>) -> L {
    L::one() - L::from_q14(tags.byte().shift_left::<1>())
}
