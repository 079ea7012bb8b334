//! Desire: everybody's desired velocity.
//!
//! By the flow field, straight to a point where there is no field yet or inside the area of a goal
//! point; zero for those who stand. Inside the goal's area an agent has arrived; when it then finds
//! no way further in for half a second it settles.

use crate::kernel::sample;
use crate::kernel::sample::Direction;
use crate::lane::IntLane;
use crate::lane::Lane;
use crate::lane::Mask;
use crate::lane::Numbers;
use crate::math::Num;
use crate::par;
use crate::tick::CHUNK;
use crate::tick::Scratch;
use crate::tick::cast::Cast;
use crate::world::Aim;
use crate::world::Tag;
use crate::world::World;
use crate::world::state;

/// What the whole stage reads.
struct Plan<'a, N: Numbers> {
    world: &'a World<N>,
    /// Codes of each group's field; groups without one have none.
    scale: N,
    stride: usize,
    /// Ticks of being blocked after which an agent settles.
    patience: u8,
}

pub(super) fn run<L: Lane>(world: &mut World<L::Num>, scratch: &mut Scratch<L::Num>)
where
    L::Num: Numbers,
{
    if world.is_empty() {
        return;
    }
    let rows = world.len().next_multiple_of(L::WIDTH);
    let mut tags = std::mem::take(&mut world.agents.tag);
    let plan = Plan {
        world: &*world,
        scale: L::Num::from_f64(1.0 / world.map.cell_size()),
        stride: world.map.stride() as usize,
        patience: (world.settings.tick_rate / 2).clamp(1, 255) as u8,
    };
    let columns = (&mut tags.padded_mut()[..rows], &mut scratch.desired.padded_mut()[..rows]);
    par::chunks(rows, CHUNK, columns, &|_, first, (tags, desired)| {
        for at in (0..tags.len()).step_by(L::WIDTH) {
            let tags = &mut tags[at..at + L::WIDTH];
            let [x, y] = block::<L>(&plan, first + at, tags);
            L::store_pairs(x, y, &mut desired[at..]);
        }
    });
    world.agents.tag = tags;
}

/// The desired velocity of a block, and its new tags.
#[inline(always)]
fn block<L: Lane>(plan: &Plan<'_, L::Num>, row: usize, tags: &mut [Tag]) -> [L; 2]
where
    L::Num: Numbers,
{
    let (agents, traits) = (&plan.world.agents, &plan.world.traits);
    let cast = Cast::new(tags, traits);
    let walks = |i: usize| cast.traits(i).aim != Aim::Stand && tags[i].state & state::SETTLED == 0;
    let walking = L::Mask::from_fn(walks);
    if !walking.any() {
        return [L::zero(); 2];
    }
    let (x, y) = L::load_pairs(&agents.pos.padded()[row..]);
    let field = by_field::<L>(plan, &cast, x, y);
    let straight = L::Mask::from_fn(|i| cast.traits(i).aim == Aim::Straight);
    let to_point = L::Mask::from_fn(|i| cast.traits(i).aim == Aim::FieldThenPoint);
    let direct = straight | (to_point & field.in_goal);
    let (mut dir, mut ramp) = ([field.x, field.y], L::one());
    if direct.any() {
        let (to_x, to_y) =
            (cast.lanes::<L>(|t| t.target[0]) - x, cast.lanes::<L>(|t| t.target[1]) - y);
        let distance = L::length(to_x, to_y);
        let unit = unit(to_x, to_y, distance);
        dir = [0, 1].map(|i| L::select(direct, unit[i], dir[i]));
        let scale = cast.lanes::<L>(|t| t.slowing_scale);
        let slowed = distance.smaller(L::splat(L::Num::from_f64(1000.0))) * scale;
        ramp = L::select(to_point & field.in_goal, slowed.smaller(L::one()), ramp);
    }
    let speed = cast.lanes::<L>(|t| t.speed).mul_coarse(pace::<L>(tags)) * ramp;
    let inside = walking & field.in_goal;
    if inside.any() {
        let (vx, vy) = L::load_pairs(&agents.vel.padded()[row..]);
        let progress = vx * dir[0] + vy * dir[1];
        let blocked = progress.le(speed * L::splat(L::Num::from_f64(0.25)));
        settle(tags, inside.bits(), blocked.bits(), plan.patience);
    }
    dir.map(|d| L::select(walking, d * speed, L::zero()))
}

/// The direction by the field of each lane's group; zero without one.
#[inline(always)]
fn by_field<L: Lane>(plan: &Plan<'_, L::Num>, cast: &Cast<'_, L::Num>, x: L, y: L) -> Direction<L>
where
    L::Num: Numbers,
{
    let stride = plan.stride;
    let corners = sample::corners(x, y, L::splat(plan.scale), L::Int::splat(stride as i32));
    let codes_of = |lane: usize| {
        let group = &plan.world.groups[usize::from(cast.tags[lane].group)];
        group.field.and_then(|id| plan.world.fields.directions(id)).unwrap_or_default()
    };
    let pair = |codes: &[u32], index: usize| {
        codes.get(index..index + 2).map_or([0; 2], |pair| [pair[0], pair[1]])
    };
    let codes = if cast.uniform {
        let codes = codes_of(0);
        sample::gather::<L>(&corners, stride, |_, index| pair(codes, index))
    } else {
        sample::gather::<L>(&corners, stride, |lane, index| pair(codes_of(lane), index))
    };
    sample::blend::<L>(&corners, &codes)
}

/// A vector of this length as a unit vector; zero when it is shorter than a millimetre or so.
#[inline(always)]
fn unit<L: Lane>(x: L, y: L, length: L) -> [L; 2] {
    let zero = L::zero();
    let none = length.lt(L::splat(L::Num::from_f64(1.0 / 1024.0)));
    let safe = L::select(none, L::one(), length);
    [x, y].map(|c| {
        let share = c.abs().smaller(safe).ratio(safe);
        L::select(none, zero, L::select(c.lt(zero), -share, share))
    })
}

/// A share of top speed between 31/32 and 1 by the agent's id, so that no two stay in step.
#[inline(always)]
fn pace<L: Lane>(tags: &[Tag]) -> L {
    let byte = L::Int::from_fn(|i| (tags[i].id.wrapping_mul(0x9e37_79b1) >> 24) as i32);
    L::one() - L::from_q14(byte.shift_left::<1>())
}

/// Counts how long agents inside their goal have been blocked.
fn settle(tags: &mut [Tag], inside: u32, blocked: u32, patience: u8) {
    for (i, tag) in tags.iter_mut().enumerate().filter(|(i, _)| inside >> i & 1 == 1) {
        tag.state |= state::ARRIVED;
        if blocked >> i & 1 == 0 {
            tag.patience = 0;
            continue;
        }
        tag.patience = tag.patience.saturating_add(1);
        if tag.patience >= patience {
            tag.state |= state::SETTLED;
        }
    }
}
