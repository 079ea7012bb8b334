//! Avoid: agents that avoid by choice of velocity pick the one nearest to the desired that collides
//! with no other agent.
//!
//! All agents choose from the velocities of the last tick, so no order matters. The preferred
//! velocity is the one that the agent's acceleration allows; what is chosen is taken as it is, but for
//! turns in a queue (see `motion`).
//!
//! Agents that stand look at what walkers mean to do instead: so they make way for a walker that they have
//! stopped. Agents that are blocked in the left half of a shared strip do the same, as far as they keep clear
//! of others as they move: without it a hundred that have come round their queue to the exit half of a gate
//! block the exit, and the crowd behind the exit blocks their queue.

use crate::kernel::half_planes::HalfPlanes;
use crate::kernel::nearest::{Candidates, Nearest};
use crate::kernel::{headway, motion, nearest, orca, own_side};
use crate::lane::{Compare, IntLane, Lane, Mask, Numbers, Real};
use crate::math::Num;
use crate::math::each::Each;
use crate::par;
use crate::space::Grid;
use crate::tick::block_traits::BlockTraits;
use crate::tick::walls::Walls;
use crate::tick::{CHUNK, Scratch, crowd, marks, streams};
use crate::world::{Avoidance, Tag, World};

/// Input of the stage, the same for all blocks.
struct Plan<'a, N: Numbers> {
    world: &'a World<N>,
    grid: &'a Grid<N>,
    walls: Walls<'a, N>,
    /// All agents: with their velocities, and with what walkers desire in place of theirs.
    moving: nearest::Crowd<'a, N>,
    wishing: nearest::Crowd<'a, N>,
    desired: &'a [[N; 2]],
    coarse: u32,
    /// See [`NARROW`], in cells.
    narrow: N,
    dt: N,
    /// See [`PART`], a tick at the least.
    part: N,
    /// See [`NEAR`].
    near: N,
}

/// Time in which two agents that overlap choose to part, in seconds. `contacts` moves them apart as well;
/// within a tick of 50 ms they jumped apart, into the way of others. With this, and turns that are steady
/// (see `motion`), two crowds of 500 with the preset `rts` pass a corridor of 3 m by 60 m in 119 to 123 s
/// on four of five seeds, and one agent passes through another; without both in 175 to 187 s, and 22 do.
const PART: f64 = 0.4;

/// How far an agent looks ahead at least, however slow it is, unless its horizon is shorter: in seconds, in
/// ticks, and in radii that it would walk.
const NEAR: f64 = 0.4;
/// See [`NEAR`].
const NEAR_TICKS: f64 = 4.0;
/// See [`NEAR`].
const NEAR_RADII: f64 = 2.5;
/// The same of agents that get on at once: so many seconds, less so many times the time that they take to
/// reach their speed. With the preset `rts`, which takes 0.15 s, queues tremble less and are less dense so.
const NEAR_STARTS: [f64; 2] = [1.5, 5.0];

/// How far ahead agents that make way keep clear of others as they move, in radii that they would walk; a
/// tick at the least.
///
/// Measured: two groups of 500 `rts` agents pass a corridor of 3 m by 60 m in 125 to 134 s on each of 12
/// seeds, and where agents keep clear for half a radius in 124 to 174, or for two radii in 124 to 192. Where
/// they do not keep clear at all, large agents at four ticks a second come nearer to each other than RVO2's.
const CLEAR: f64 = 1.0;

/// Share of the desired velocity below which an agent counts as stopped (see [`is_in_the_way`]).
const SLOW: f64 = 0.1;

/// How near to a wall agents keep to their own side of oncoming ones, in metres.
const NARROW: f64 = 5.0;

pub(super) fn run<L: Lane>(world: &World<L::Num>, scratch: &mut Scratch<L::Num>) {
    let groups = world.groups.list.iter().filter(|group| group.members > 0);
    let choosing = groups.filter(|group| group.def.avoidance == Avoidance::Orca);
    let Some(range) = choosing.map(|group| group.def.neighbour_range).reduce(f64::max) else {
        return;
    };
    let Scratch { grid, desired, preferred, chosen, bodies, share, .. } = scratch;
    let strip = &share.strip;
    let (pos, vel) = (world.agents.rows.pos.padded(), world.agents.rows.vel.padded());
    let (first, wishes) = (strip.near.start, &mut preferred[strip.near.clone()]);
    let several = streams::are_several(world);
    par::chunks_from(first, wishes.len(), CHUNK, wishes, &|_, first, preferred| {
        for (row, wish) in (first..).zip(preferred) {
            let tag = world.agents.rows.tag[row];
            let stands = world.groups.traits[usize::from(tag.group)].stands(tag);
            let gives_way = stands || several && is_in_the_way(world, row, desired[row]);
            *wish = if gives_way { vel[row] } else { desired[row] };
        }
    });
    let crowd = |vel| nearest::Crowd { pos, vel, bodies: &bodies.discs, layers: &bodies.layers };
    let plan = Plan {
        world,
        grid,
        walls: Walls::new(&world.ground),
        moving: crowd(vel),
        wishing: crowd(preferred.padded()),
        desired: desired.padded(),
        coarse: nearest::coarseness(L::Num::from_f64(range)),
        narrow: L::Num::from_f64(NARROW / world.ground.map.cell_size()),
        dt: L::Num::from_f64(world.dt()),
        part: L::Num::from_f64(world.dt().max(PART)),
        near: L::Num::from_f64((NEAR_TICKS * world.dt()).max(NEAR)),
    };
    let velocities = &mut chosen[strip.rows.clone()];
    par::bands(grid.bands(), strip.bands.clone(), velocities, &|band, first, chosen| {
        let mut list = Candidates::new();
        for row in plan.grid.band_rows(band) {
            let agents = plan.grid.row_agents(row);
            for start in agents.clone().step_by(L::WIDTH) {
                let count = L::WIDTH.min(agents.end - start);
                let [x, y] = block::<L>(&plan, row, start, count, &mut list);
                L::store_some_pairs(x, y, count, &mut chosen[start - first..]);
            }
        }
    });
    std::mem::swap(desired, chosen);
}

/// Chooses the velocities of a block.
#[inline(always)]
fn block<L: Lane>(
    plan: &Plan<'_, L::Num>,
    row: usize,
    start: usize,
    count: usize,
    list: &mut Candidates<L::Num>,
) -> [L; 2] {
    let agents = &plan.world.agents;
    let tags = &agents.rows.tag.padded()[start..start + L::WIDTH];
    let block_traits = BlockTraits::new(tags, &plan.world.groups);
    let desired = crowd::positions::<L>(&plan.desired[start..], count);
    let chooses =
        block_traits.mask::<L>(|t| t.avoidance == Avoidance::Orca) & !block_traits.holds::<L>();
    if !chooses.any() {
        return desired;
    }
    let zero = L::zero();
    let stands = chooses & desired[0].equal(zero) & desired[1].equal(zero);
    let makes_way = chooses & !stands & makes_way(plan, tags, start, count, desired);
    let walks = chooses & !stands & !makes_way;
    let block = Block {
        row,
        start,
        block_traits,
        pos: crowd::positions(&agents.rows.pos.padded()[start..], count),
        vel: crowd::positions(&agents.rows.vel.padded()[start..], count),
        desired,
    };
    let mut chosen = desired;
    if walks.any() {
        let among = choose(plan, &block, &plan.moving, makes_way, list);
        chosen = [0, 1].each(|i| L::select(walks, among[i], chosen[i]));
    }
    if (stands | makes_way).any() {
        let mut among = choose(plan, &block, &plan.wishing, makes_way, list);
        if makes_way.any() {
            let clear = keep_clear(plan, &block, among, list);
            among = [0, 1].each(|i| L::select(makes_way, clear[i], among[i]));
        }
        // An agent that means to stand comes to rest at once, as it does without avoidance. One that makes
        // way and would hardly move stands.
        let crawl = L::splat(L::Num::from_f64(1.0 / 32.0));
        let rests = among[0].abs().lt(crawl) & among[1].abs().lt(crawl);
        let among = among.each(|among| L::select(rests, zero, among));
        chosen = [0, 1].each(|i| L::select(stands | makes_way, among[i], chosen[i]));
    }
    chosen
}

/// Lanes of walkers that make way: `run` has noted their velocity in place of the desired one.
#[inline(always)]
fn makes_way<L: Lane>(
    plan: &Plan<'_, L::Num>,
    tags: &[Tag],
    start: usize,
    count: usize,
    desired: [L; 2],
) -> L::Mask {
    let wishes = crowd::positions::<L>(&plan.wishing.vel[start..], count);
    let differs = !(desired[0].equal(wishes[0]) & desired[1].equal(wishes[1]));
    if !differs.any() {
        return differs;
    }
    let traits = &plan.world.groups.traits;
    let stands = |i: usize| traits[usize::from(tags[i].group)].stands(tags[i]);
    differs & !L::Mask::from_fn(stands)
}

/// Whether an agent under way makes way: it is in the left half of a shared strip, and moves along its
/// desired velocity by less than [`SLOW`] of it.
#[inline(always)]
fn is_in_the_way<N: Numbers>(world: &World<N>, row: usize, desired: [N; 2]) -> bool {
    let tag = world.agents.rows.tag[row];
    let [wish, vel] = [desired, world.agents.rows.vel[row]].each(|v| v.each(N::to_f64));
    let dot = |other: [f64; 2]| wish[0] * other[0] + wish[1] * other[1];
    dot(vel) < SLOW * dot(wish)
        && marks::walks(&world.groups, tag)
        && streams::is_in_left_half(world, usize::from(tag.group), world.agents.rows.pos[row])
}

/// Agents of a block.
struct Block<'a, L: Lane> {
    row: usize,
    start: usize,
    block_traits: BlockTraits<'a, L::Num>,
    pos: [L; 2],
    vel: [L; 2],
    desired: [L; 2],
}

impl<L: Lane> Block<'_, L> {
    /// The agents as ORCA sees them, that look so many seconds ahead.
    #[inline(always)]
    fn agents(&self, plan: &Plan<'_, L::Num>, horizon: L) -> orca::Agents<L> {
        orca::Agents {
            pos: self.pos,
            vel: self.vel,
            radius: self.block_traits.radius(),
            weight: self.block_traits.lanes(|t| t.weight),
            horizon,
            part: L::splat(plan.part),
        }
    }

    /// The velocities nearest to the preferred ones that the half planes allow.
    #[inline(always)]
    fn solve(&self, planes: &HalfPlanes<L::Real>, preferred: [L; 2]) -> [L; 2] {
        let most = self.block_traits.lanes::<L>(|t| t.top_speed);
        planes.solve(preferred.each(L::real), most.real()).vel.each(L::from_real)
    }
}

/// The velocities nearest to the preferred ones, which make way, with which agents keep clear of others as
/// they move, for a short time (see [`CLEAR`]).
#[inline(always)]
fn keep_clear<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block: &Block<'_, L>,
    preferred: [L; 2],
    list: &mut Candidates<L::Num>,
) -> [L; 2] {
    let Block { row, start, block_traits, pos, desired, .. } = block;
    let nearest = look::<L>(plan, block_traits, &plan.moving, *row, *start, *pos, list);
    let (_, speed) = headway::heading(desired.each(L::real));
    let time = walking_time::<L>(block_traits, CLEAR, speed.larger(L::Real::splat(headway::STILL)));
    let agents = block.agents(plan, L::from_real(time).larger(L::splat(plan.dt)));
    let mut planes = HalfPlanes::new();
    add_wall(plan, block_traits, *pos, &mut planes);
    orca::add(&agents, *start, &nearest, list, plan.moving.bodies.is_empty(), &mut planes);
    block.solve(&planes, preferred)
}

/// The velocities that a block chooses among others with the velocities of `crowd`. Agents that make way
/// do not press on, however long they have been blocked.
#[inline(always)]
fn choose<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block: &Block<'_, L>,
    crowd: &nearest::Crowd<'_, L::Num>,
    makes_way: L::Mask,
    list: &mut Candidates<L::Num>,
) -> [L; 2] {
    let Block { row, start, block_traits, pos, vel, desired } = block;
    let nearest = look::<L>(plan, block_traits, crowd, *row, *start, *pos, list);
    let agents = block.agents(plan, horizon(block_traits, L::splat(plan.near), *vel, *desired));
    let (alike, gap) = (crowd.bodies.is_empty(), block_traits.lanes::<L>(|t| t.headway));
    let held_up = if L::zero().lt(gap).any() {
        headway::velocity(&agents, *desired, gap, &nearest, list, alike)
    } else {
        *desired
    };
    let preferred = preferred::<L>(plan, block_traits, nearest.present(0), *vel, held_up);
    let mut planes = HalfPlanes::new();
    add_wall(plan, block_traits, *pos, &mut planes);
    let narrow = plan.walls.within(*pos, L::splat(plan.narrow));
    if narrow.any() {
        own_side::add(&agents, *desired, narrow, &nearest, list, &mut planes);
    }
    orca::add(&agents, *start, &nearest, list, alike, &mut planes);
    let chosen = block.solve(&planes, preferred);
    // An agent that has been blocked for long presses on, as far as the gaps around it allow (see `near`).
    let presses = L::Mask::from_fn(|i| marks::presses(&plan.world.groups, block_traits.tags[i]));
    [0, 1].each(|i| L::select(presses & !makes_way, preferred[i], chosen[i]))
}

/// How far the agents of a block look ahead, in seconds: as far as their horizon where they walk as they
/// desire, and the less, the slower they get on. In a crowd that hardly moves the gaps to others are short,
/// and an agent that keeps clear of all for two seconds waits for room that nobody makes.
///
/// Measured: two groups of 200 pass a gap of 3 m in 112 to 118 s on each of eight seeds, and where agents
/// look ahead for four radii at the least in 111 to 129 s on six. Large agents at four ticks a second come
/// nearer to each other than RVO2's where that is 0.4 s, or two radii.
#[inline(always)]
fn horizon<L: Lane>(
    block_traits: &BlockTraits<'_, L::Num>,
    near: L,
    vel: [L; 2],
    desired: [L; 2],
) -> L {
    let whole = block_traits.lanes::<L>(|t| t.horizon).real();
    let (heading, speed) = headway::heading(desired.each(L::real));
    let still = speed.lt(L::Real::splat(headway::STILL));
    let speed = L::Real::select(still, L::Real::one(), speed);
    let share = L::Real::dot(heading, vel.each(L::real)) / speed;
    let [most, less] = NEAR_STARTS.each(L::Real::splat);
    let full = block_traits.lanes::<L>(|t| t.speed).real();
    let quick = most - less * full / block_traits.lanes::<L>(|t| t.force).real();
    let least =
        walking_time::<L>(block_traits, NEAR_RADII, speed).larger(near.real()).larger(quick);
    let time = (whole * share).larger(least).smaller(whole);
    L::from_real(L::Real::select(still, whole, time))
}

/// How long agents walk so many of their radii, in seconds.
#[inline(always)]
fn walking_time<L: Lane>(
    block_traits: &BlockTraits<'_, L::Num>,
    radii: f64,
    speed: L::Real,
) -> L::Real {
    block_traits.radius::<L>().real() * L::Real::splat(radii) / speed
}

/// How far agents that see others turn to one side of where they want to go, about in radians:
/// streams that meet pass each other as wholes, since agents behind turn in time too.
const TURN: f64 = 7.0 / 64.0;

/// The velocity that the agent can reach in a tick nearest to the desired one, turned to one side:
/// by [`TURN`] if it sees any other, and by 1/128 to 3/128 more as its id says, so that no two are
/// each other's mirror image. Agents that keep a time gap step aside by that instead, and have the
/// velocity that they can reach turned.
#[inline(always)]
fn preferred<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block_traits: &BlockTraits<'_, L::Num>,
    sees: L::Mask,
    vel: [L; 2],
    [x, y]: [L; 2],
) -> [L; 2] {
    let byte =
        L::Int::from_fn(|i| (block_traits.tags[i].id.wrapping_mul(0x9e37_79b1) >> 24) as i32);
    let (zero, own) = (L::zero(), L::from_q14(byte));
    let keeps_gap = zero.lt(block_traits.lanes::<L>(|t| t.headway));
    let common = L::select(sees, L::splat(L::Num::from_f64(TURN)), zero);
    let least = L::splat(L::Num::from_f64(1.0 / 128.0));
    let before = L::select(keeps_gap, zero, own + common + least);
    let after = L::select(keeps_gap, own, zero);
    let turned = [x - y * before, y + x * before];
    let response = block_traits.response::<L>();
    let steer = [0, 1].each(|i| (turned[i] - vel[i]) * response);
    let steer = motion::limit(steer, block_traits.lanes(|t| t.force));
    let [x, y] = [0, 1].each(|i| vel[i] + steer[i] * L::splat(plan.dt));
    [x - y * after, y + x * after]
}

/// The nearest neighbours of a block of a grid row: rows are looked at from the inside out, as long
/// as they may hold a nearer one.
#[inline(always)]
fn look<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block_traits: &BlockTraits<'_, L::Num>,
    crowd: &nearest::Crowd<'_, L::Num>,
    row: usize,
    start: usize,
    pos: [L; 2],
    list: &mut Candidates<L::Num>,
) -> Nearest<L> {
    let grid = plan.grid;
    let range = block_traits.lanes::<L>(|t| t.range);
    let heeds = L::Int::from_fn(|i| block_traits.traits(i).avoids as i32);
    let mut nearest = Nearest::new(pos, range, heeds, plan.coarse);
    list.clear();
    let ([min_x, max_x], [min_y, max_y]) = (pos[0].extremes(), pos[1].extremes());
    let mut reach = nearest.farthest();
    let (height, [above, below]) = grid.row_gaps(row, [min_y, max_y]);
    let mut away = -height;
    for step in 0..grid.rows() {
        let (up, down) = (above + away, below + away);
        let (near_up, near_down) = (up < reach && step <= row, down < reach);
        if !near_up && !near_down {
            break;
        }
        let columns = [min_x - reach, max_x + reach];
        let mut offer = |row: usize| {
            nearest.add(grid.row_range(row, columns), start, crowd, list);
        };
        if near_up {
            offer(row - step);
        }
        if near_down && step > 0 && row + step < grid.rows() {
            offer(row + step);
        }
        reach = nearest.farthest();
        away += height;
    }
    nearest
}

/// Adds the nearest wall.
#[inline(always)]
fn add_wall<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block_traits: &BlockTraits<'_, L::Num>,
    pos: [L; 2],
    planes: &mut HalfPlanes<L::Real>,
) {
    let close = plan.walls.within(pos, block_traits.lanes(|t| t.wall_range));
    if !close.any() {
        return;
    }
    let wall = plan.walls.nearest(pos, block_traits.clearance());
    let level = wall.normal[0].equal(L::zero()) & wall.normal[1].equal(L::zero());
    let near = L::real_mask(close & !level);
    let distance = (wall.distance * L::splat(plan.walls.cell)).real();
    let normal = wall.normal.each(L::real);
    let radius = block_traits.radius::<L>().real();
    // Where the distance grows slowly along the normal, so does the time to the wall.
    let horizon = (block_traits.lanes::<L>(|t| t.wall_horizon) * wall.slope).real();
    planes.add_wall(distance, normal, radius, horizon, near);
}
