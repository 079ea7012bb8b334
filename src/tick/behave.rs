//! Behave: the steering behaviours of a group change what its agents desire.
//!
//! Agents stand where the sort found them, so neighbours are ranges of the grid. A block is steered
//! once for each group in it that has behaviours; one pass over its surroundings serves all of them
//! that look at others. Blocks without such a group are skipped. Agents told to `hold` stay where
//! they stand.

use crate::kernel::sense::{Flock, Nearest};
use crate::kernel::steer::Budget;
use crate::kernel::wall::Wall;
use crate::kernel::{sample, sense, steer, wall};
use crate::lane::{IntLane, Lane, Mask, Numbers};
use crate::math::each::Each;
use crate::math::{Num, Numeric, hash2, hash3};
use crate::par;
use crate::space::{Grid, Query};
use crate::tick::{Scratch, terrain};
use crate::world::thoughts::NO_VARIANT_SET;
use crate::world::{Act, MAX_BEHAVIOURS, Steering, Tag, World};

/// Input of the stage, the same for all blocks.
struct Plan<'a, N: Numbers> {
    world: &'a World<N>,
    grid: &'a Grid<N>,
    /// Factor of the terms of sums over neighbours, a power of two up to 1; and half a step of fixed
    /// point, divided by it (0 where it is 1).
    unit: N,
    half: N,
    /// Cells per metre.
    scale: N,
    /// The last position on the map.
    edge: [N; 2],
    /// Whether some ground is not plain.
    is_uneven: bool,
}

/// Agents of a block.
struct Block<'a, L> {
    row: usize,
    tags: &'a [Tag],
    pos: [L; 2],
    vel: [L; 2],
    desired: [L; 2],
}

/// The neighbours that a block sees, by view.
struct Seen<'a, L: Lane> {
    nearest: &'a [Nearest<L>],
    flocks: &'a [Flock<L>],
}

pub(super) fn run<L: Lane>(world: &World<L::Num>, scratch: &mut Scratch<L::Num>) {
    let behaves = |group: u16| !world.groups.list[usize::from(group)].steering.steps.is_empty();
    if !world.groups.list.iter().any(|group| group.members > 0 && !group.steering.steps.is_empty())
    {
        return;
    }
    let Scratch { grid, desired, share, .. } = scratch;
    let plan = plan(world, grid);
    let desired = &mut desired[share.strip.rows.clone()];
    par::bands(grid.bands(), share.strip.bands.clone(), desired, &|band, first, desired| {
        for row in plan.grid.band_rows(band) {
            let agents = plan.grid.row_agents(row);
            for start in agents.clone().step_by(L::WIDTH) {
                let count = L::WIDTH.min(agents.end - start);
                let tags = &world.agents.rows.tag[start..start + count];
                if tags.iter().any(|tag| behaves(tag.group)) {
                    let desired = &mut desired[start - first..];
                    let [x, y] = steer_block::<L>(&plan, start, tags, desired);
                    L::store_some_pairs(x, y, count, desired);
                }
            }
        }
    });
}

fn plan<'a, N: Numbers>(world: &'a World<N>, grid: &'a Grid<N>) -> Plan<'a, N> {
    let (map, n) = (&world.ground.map, N::from_f64);
    let edge = |cells: u32| n((f64::from(cells) - 1.0 / 256.0) * map.cell_size());
    let largest = |most: f64, size: N| most.max(size.to_f64());
    let ranges = world.groups.list.iter().map(|group| group.steering.range);
    let most = ranges.chain(world.groups.traits.iter().map(|t| t.top_speed)).fold(1.0, largest);
    let mut unit = 1.0;
    while N::NUMERIC == Numeric::Fixed && world.len() as f64 * most * unit > 16_384.0 {
        unit /= 2.0;
    }
    let half = if unit < 1.0 { 0.5 / 65_536.0 / unit } else { 0.0 };
    Plan {
        world,
        grid,
        unit: n(unit),
        half: n(half),
        scale: n(1.0 / map.cell_size()),
        edge: [edge(map.width()), edge(map.height())],
        is_uneven: world.ground.is_uneven(&world.groups),
    }
}

/// The desired velocity of a block after all behaviours of its groups.
#[inline(always)]
fn steer_block<L: Lane>(
    plan: &Plan<'_, L::Num>,
    row: usize,
    tags: &[Tag],
    desired: &[[L::Num; 2]],
) -> [L; 2] {
    // Lanes past the last agent repeat it.
    let (agents, last) = (&plan.world.agents, tags.len() - 1);
    let block = Block::<L> {
        row,
        tags,
        pos: L::pairs_from_fn(|i| agents.rows.pos[row + i.min(last)]),
        vel: L::pairs_from_fn(|i| agents.rows.vel[row + i.min(last)]),
        desired: L::pairs_from_fn(|i| desired[i.min(last)]),
    };
    let mut result = block.desired;
    let mut done = 0;
    for lane in 0..tags.len() {
        let group = tags[lane].group;
        let members = L::Mask::from_fn(|i| tags.get(i).is_some_and(|tag| tag.group == group));
        let steering = &plan.world.groups.list[usize::from(group)].steering;
        if done >> lane & 1 == 1 || steering.steps.is_empty() {
            continue;
        }
        done |= members.bits();
        let wish = match steering.views.len() {
            0..=2 => steer::<L, 2>(plan, &block, group, steering),
            _ => steer::<L, MAX_BEHAVIOURS>(plan, &block, group, steering),
        };
        result = [0, 1].each(|i| L::select(members, wish[i], result[i]));
    }
    result
}

/// The desired velocity of a block's agents if all were of a group.
#[inline(always)]
fn steer<L: Lane, const VIEWS: usize>(
    plan: &Plan<'_, L::Num>,
    block: &Block<'_, L>,
    group: u16,
    steering: &Steering<L::Num>,
) -> [L; 2] {
    let mut nearest = [Nearest::<L>::none(L::Num::ZERO); VIEWS];
    let mut flocks = [Flock::<L>::none(); VIEWS];
    look(plan, block, group, steering, &mut nearest, &mut flocks);
    let seen = Seen { nearest: &nearest, flocks: &flocks };
    let traits = &plan.world.groups.traits[usize::from(group)];
    let mut speed = L::splat(traits.speed);
    if plan.is_uneven {
        speed = speed * {
            let World { ground, groups, .. } = plan.world;
            terrain::speed_factor(ground, groups, block.tags, block.pos)
        };
    }
    let (zero, mut budget, mut sum) = (L::zero(), Budget::new(), [L::zero(); 2]);
    let mut moved = zero;
    for step in &steering.steps {
        if step.opens {
            budget.spend(std::mem::replace(&mut sum, [zero; 2]));
        }
        let wish = match &step.act {
            Act::Goal => steer::share(block.desired, speed),
            act => wish::<L>(plan, block, steering, speed, &seen, act),
        };
        if !matches!(step.act, Act::Goal) {
            moved = moved + wish[0].abs() + wish[1].abs();
        }
        let weight = L::splat(step.weight);
        sum = [0, 1].each(|i| sum[i] + wish[i] * weight);
    }
    budget.spend(sum);
    let [x, y] = block.desired;
    let stands = !(x.lt(zero) | zero.lt(x) | y.lt(zero) | zero.lt(y));
    let plain = L::Mask::from_fn(|_| steering.plain_goal) & !zero.lt(moved);
    let stays = plain | (stands & L::Mask::from_fn(|_| traits.hold));
    [0, 1].each(|i| L::select(stays, block.desired[i], budget.granted[i] * speed))
}

/// Fills what the views of a group see from a block.
#[inline(always)]
fn look<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block: &Block<'_, L>,
    group: u16,
    steering: &Steering<L::Num>,
    nearest: &mut [Nearest<L>],
    flocks: &mut [Flock<L>],
) {
    if steering.views.is_empty() {
        return;
    }
    for (nearest, view) in nearest.iter_mut().zip(&steering.views) {
        *nearest = Nearest::none(view.square);
    }
    let agents = &plan.world.agents;
    let (pos, vel, tags) = (&agents.rows.pos[..], &agents.rows.vel[..], &agents.rows.tag[..]);
    let [[min_x, max_x], [min_y, max_y]] = block.pos.each(L::extremes);
    let range = steering.range;
    let query = Query { min: [min_x - range, min_y - range], max: [max_x + range, max_y + range] };
    plan.grid.visit(query, |rows, _| {
        let (first, pos, vel) = (rows.start, &pos[rows.clone()], &vel[rows.clone()]);
        let tags = &tags[rows];
        for (i, view) in steering.views.iter().enumerate() {
            // Variants of a group count as the group.
            let variant_set = plan.world.kin_of_base(view.group);
            let variant_set_of = |group: u16| plan.world.minds.variant_set_of[usize::from(group)];
            let counts = |i: usize| {
                let group = tags[i].group;
                group == view.group
                    || (variant_set != NO_VARIANT_SET && variant_set_of(group) == variant_set)
            };
            if view.all {
                let limits = [view.square, plan.unit];
                sense::add_flock(block.pos, pos, vel, counts, limits, &mut flocks[i]);
            } else {
                sense::add_nearest(block.pos, pos, first, counts, &mut nearest[i]);
            }
        }
    });
    for (flock, view) in flocks.iter_mut().zip(&steering.views).filter(|(_, view)| view.all) {
        let own = view.group == group || view.group == plan.world.base_group(group);
        *flock = flock.rounded(L::splat(plan.half));
        if own {
            *flock = flock.without(block.vel, L::splat(plan.unit));
        }
    }
}

/// The velocity that a behaviour other than the goal prefers, m/s.
#[inline(always)]
fn wish<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block: &Block<'_, L>,
    steering: &Steering<L::Num>,
    speed: L,
    seen: &Seen<'_, L>,
    act: &Act<L::Num>,
) -> [L; 2] {
    let to = |at: &[L::Num; 2]| [0, 1].each(|i| L::splat(at[i]) - block.pos[i]);
    let other = |view: usize| other(plan, block, &seen.nearest[view], steering.views[view].square);
    let only = |mask: L::Mask, wish: [L; 2]| wish.each(|c| L::select(mask, c, L::zero()));
    let ahead = |i: usize| block.pos[i] + block.vel[i] * L::splat(steering.ahead);
    match *act {
        Act::Goal => [L::zero(); 2],
        Act::SeekPoint { ref at, range, slowing } => {
            let [x, y] = to(at);
            only(L::length(x, y).lt(L::splat(range)), steer::share([x, y], L::splat(slowing)))
        }
        Act::FleePoint { ref at, range } => steer::flee(to(at), L::splat(range)),
        Act::Seek { view } => {
            let (found, offset, _) = other(view);
            only(found, steer::unit(offset))
        }
        Act::Flee { view, range } => {
            let (found, offset, _) = other(view);
            only(found, steer::flee(offset, L::splat(range)))
        }
        Act::Pursue { view, horizon } => {
            let (found, offset, vel) = other(view);
            only(found, steer::pursue(offset, vel, speed, L::splat(horizon)))
        }
        Act::Evade { view, range, horizon } => {
            let (found, offset, vel) = other(view);
            let [range, horizon] = [range, horizon].each(L::splat);
            only(found, steer::evade(offset, vel, speed, horizon, range))
        }
        Act::Wander { side, period, stream } => {
            let (start, noise) = chance(plan, block, period, stream);
            steer::wander(block.vel, start, noise * L::splat(side))
        }
        Act::Cohesion { view, half } => {
            let flock = &seen.flocks[view];
            steer::share(flock.offset, whole(flock.count * L::splat(half)))
        }
        Act::Alignment { view } => {
            let flock = &seen.flocks[view];
            steer::share(flock.vel, whole(flock.count * speed))
        }
        Act::Path { ref legs, closed, radius, slowing } => {
            let at = [block.pos, [ahead(0), ahead(1)]];
            steer::follow_path(legs, closed, at, L::splat(radius), L::splat(slowing))
        }
        Act::Wall { left, keep, band, range } => {
            let wall = wall_at(plan, [ahead(0), ahead(1)]);
            let [keep, band, range] = [keep, band, range].each(L::splat);
            steer::follow_wall(&wall, left, keep, band, range)
        }
    }
}

/// A number to divide by, above 0.
#[inline(always)]
fn whole<L: Lane>(number: L) -> L {
    number.larger(L::splat(L::Num::from_f64(1.0 / 65_536.0)))
}

/// Lanes with a nearest agent; its offset and its velocity.
#[inline(always)]
fn other<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block: &Block<'_, L>,
    nearest: &Nearest<L>,
    square: L::Num,
) -> (L::Mask, [L; 2], [L; 2]) {
    let agents = &plan.world.agents;
    let row = |i: usize| usize::try_from(nearest.row.get(i)).unwrap_or(block.row);
    let pos = L::pairs_from_fn(|i| agents.rows.pos[row(i)]);
    let found = nearest.square.lt(L::splat(square));
    let offset = [0, 1].each(|i| L::select(found, pos[i] - block.pos[i], L::zero()));
    (found, offset, L::pairs_from_fn(|i| agents.rows.vel[row(i)]))
}

/// Which way agents that stand set out, and a smooth noise between −1 and 1: between random values,
/// one every `period` ticks, that each agent takes up at a time of its own.
#[inline(always)]
fn chance<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block: &Block<'_, L>,
    period: u64,
    stream: u64,
) -> ([L; 2], L) {
    let seed = hash2(plan.world.settings.seed, stream);
    let id = |i: usize| u64::from(block.tags[i.min(block.tags.len() - 1)].id);
    let time = |i: usize| plan.world.log.tick + hash2(seed, id(i)) % period;
    let q14 = |bits: u64| (bits >> 49) as i32 - (1 << 14);
    let value = |i: usize, next: u64| q14(hash3(seed, id(i), time(i) / period + next));
    let part = |i: usize| (((time(i) % period) << 14) / period) as i32;
    let [a, b] = [0, 1].each(|next| L::from_q14(L::Int::from_fn(|i| value(i, next))));
    let noise = steer::noise(a, b, L::from_q14(L::Int::from_fn(part)));
    let axis = |axis: u32| L::from_q14(L::Int::from_fn(|i| q14(hash2(seed, id(i)) << (16 * axis))));
    let start = steer::unit([axis(0), axis(1)]);
    let none =
        start[0].abs().lt(L::splat(L::Num::HALF)) & start[1].abs().lt(L::splat(L::Num::HALF));
    ([L::select(none, L::one(), start[0]), start[1]], noise)
}

/// The wall near points, which may lie off the map.
#[inline(always)]
fn wall_at<L: Lane>(plan: &Plan<'_, L::Num>, point: [L; 2]) -> Wall<L> {
    let [x, y] = [0, 1].each(|i| point[i].larger(L::zero()).smaller(L::splat(plan.edge[i])));
    let ground = plan.world.ground.open_cells();
    let stride = ground.stride as i32;
    let corners = sample::corners(x, y, L::splat(plan.scale), stride);
    wall::wall(&corners, wall::gather(&corners, ground.stride, ground.raster))
}
