//! Motion: forces become velocities, velocities become positions, and walls hold.

use crate::kernel::guard::Ground;
use crate::kernel::motion;
use crate::kernel::sample;
use crate::kernel::wall;
use crate::kernel::wall::Wall;
use crate::lane::IntLane;
use crate::lane::Lane;
use crate::lane::Mask;
use crate::lane::Numbers;
use crate::math::Num;
use crate::par;
use crate::tick::CHUNK;
use crate::tick::Scratch;
use crate::tick::cast::Cast;
use crate::tick::cast::all_share;
use crate::world::LOOK_AHEAD;
use crate::world::Traits;
use crate::world::World;

/// Share of the contact by which an agent moves: below a quarter, since many neighbours add up.
const CONTACT_SHARE: f64 = 0.2;

/// What the whole stage reads.
struct Plan<'a, N: Numbers> {
    world: &'a World<N>,
    ground: Ground<'a, N>,
    dt: N,
    rate: N,
    cell: N,
    /// The last position on the map.
    edge: [N; 2],
    look_ahead: N,
    /// Whether all groups share the traits that this stage reads.
    alike: bool,
}

pub(super) fn run<L: Lane>(world: &mut World<L::Num>, scratch: &mut Scratch<L::Num>)
where
    L::Num: Numbers,
{
    if world.is_empty() {
        return;
    }
    let rows = world.len().next_multiple_of(L::WIDTH);
    let mut pos = std::mem::take(&mut world.agents.pos);
    let mut vel = std::mem::take(&mut world.agents.vel);
    let plan = plan(world);
    let Scratch { push, contact, desired, .. } = &*scratch;
    let columns = (&mut pos.padded_mut()[..rows], &mut vel.padded_mut()[..rows]);
    par::chunks(rows, CHUNK, columns, &|_, first, (pos, vel)| {
        for at in (0..pos.len()).step_by(L::WIDTH) {
            let row = first + at;
            let forces = Forces::<L> {
                desired: L::load_pairs(&desired.padded()[row..]).into(),
                push: L::load_pairs(&push.padded()[row..]).into(),
                contact: L::load_pairs(&contact.padded()[row..]).into(),
            };
            block(&plan, row, forces, &mut pos[at..at + L::WIDTH], &mut vel[at..at + L::WIDTH]);
        }
    });
    world.agents.pos = pos;
    world.agents.vel = vel;
}

fn plan<N: Numbers>(world: &World<N>) -> Plan<'_, N> {
    let (map, n) = (&world.map, N::from_f64);
    let edge = |cells: u32| n((f64::from(cells) - 1.0 / 256.0) * map.cell_size());
    Plan {
        world,
        ground: world.ground(),
        dt: n(world.dt()),
        rate: n(f64::from(world.settings.tick_rate)),
        cell: n(map.cell_size()),
        edge: [edge(map.width()), edge(map.height())],
        look_ahead: n(LOOK_AHEAD),
        alike: all_share(world, |t| {
            let Traits { top_speed, force, response, push, radius, yield_scale, .. } = *t;
            let Traits { margin, clearance, wary, .. } = *t;
            [top_speed, force, response, push, radius, yield_scale, margin, clearance, wary]
        }),
    }
}

/// What moves a block.
struct Forces<L> {
    desired: [L; 2],
    push: [L; 2],
    contact: [L; 2],
}

/// Moves a block.
#[inline(always)]
fn block<L: Lane>(
    plan: &Plan<'_, L::Num>,
    row: usize,
    forces: Forces<L>,
    pos_rows: &mut [[L::Num; 2]],
    vel_rows: &mut [[L::Num; 2]],
) where
    L::Num: Numbers,
{
    let n = |value: f64| L::splat(L::Num::from_f64(value));
    let agents = &plan.world.agents;
    let tags = &agents.tag.padded()[row..row + L::WIDTH];
    let cast = Cast::shared(tags, &plan.world.traits, plan.alike);
    let pos: [L; 2] = L::load_pairs(pos_rows).into();
    let vel: [L; 2] = L::load_pairs(vel_rows).into();
    let (force, speed) = (cast.lanes::<L>(|t| t.force), cast.lanes::<L>(|t| t.top_speed));
    let stands = is_zero(forces.desired);
    let mut push = turn_right(forces.push, stands).map(|p| p * cast.lanes::<L>(|t| t.push));
    let wary = near_wall::<L>(plan, &cast, pos);
    let any_wary = wary.any();
    if any_wary {
        let ahead = [0, 1].map(|i| pos[i] + vel[i] * L::splat(plan.look_ahead));
        let lean = L::Mask::from_fn(|i| tags[i].id.wrapping_mul(0x9e37_79b1) >> 31 == 1);
        let wall = wall_at(plan, ahead);
        let [away, along] = wall::forces(&wall, cast.lanes(|t| t.margin), vel, lean);
        let walled = [0, 1].map(|i| push[i] + (away[i] + away[i] + along[i]) * force);
        push = [0, 1].map(|i| L::select(wary, walled[i], push[i]));
    }
    let response = cast.lanes::<L>(|t| t.response);
    let dt = L::splat(plan.dt);
    let next = motion::accelerate(vel, forces.desired, push, response, force, speed, dt);
    let crawl = n(1.0 / 64.0);
    let rests = stands & next[0].abs().lt(crawl) & next[1].abs().lt(crawl);
    let next = next.map(|v| L::select(rests, L::zero(), v));
    let share = forces.contact.map(|c| c.mul_coarse(n(CONTACT_SHARE)));
    let radius = cast.lanes::<L>(|t| t.radius);
    let (shift, next) = motion::part(share, next, radius, cast.lanes(|t| t.yield_scale));
    let mut to = [0, 1].map(|i| pos[i] + next[i] * dt + shift[i]);
    if any_wary {
        let out = push_out(plan, to, cast.lanes(|t| t.clearance));
        to = [0, 1].map(|i| L::select(wary, out[i], to[i]));
        to = guard(plan, wary, pos_rows, pos, to);
    }
    let mut walked = next;
    if any_wary {
        let moved = [0, 1].map(|i| (to[i] - pos[i] - shift[i]) * L::splat(plan.rate));
        let moved = motion::limit(moved, speed);
        walked = [0, 1].map(|i| L::select(wary, moved[i], next[i]));
    }
    L::store_pairs(to[0], to[1], pos_rows);
    L::store_pairs(walked[0], walked[1], vel_rows);
}

/// Where both components are zero.
#[inline(always)]
fn is_zero<L: Lane>([x, y]: [L; 2]) -> L::Mask {
    let zero = L::zero();
    !(x.lt(zero) | zero.lt(x) | y.lt(zero) | zero.lt(y))
}

/// Turns the push on walkers a little to their right, so that those who meet head-on pass.
#[inline(always)]
fn turn_right<L: Lane>([x, y]: [L; 2], stands: L::Mask) -> [L; 2] {
    let quarter = L::splat(L::Num::from_f64(0.25));
    [
        L::select(stands, x, x + y.mul_coarse(quarter)),
        L::select(stands, y, y - x.mul_coarse(quarter)),
    ]
}

/// Where a wall may matter in this tick.
#[inline(always)]
fn near_wall<L: Lane>(plan: &Plan<'_, L::Num>, cast: &Cast<'_, L::Num>, [x, y]: [L; 2]) -> L::Mask
where
    L::Num: Numbers,
{
    let stride = L::Int::splat(plan.ground.stride as i32);
    let cell = sample::own_cell(x, y, L::splat(plan.ground.scale), stride);
    let distance = L::Int::from_fn(|i| i32::from(plan.ground.raster[cell.get(i) as usize]));
    L::from_q8(distance).lt(cast.lanes(|t| t.wary))
}

/// The wall near points, which may lie off the map.
#[inline(always)]
fn wall_at<L: Lane>(plan: &Plan<'_, L::Num>, point: [L; 2]) -> Wall<L>
where
    L::Num: Numbers,
{
    let [x, y] = [0, 1].map(|i| point[i].larger(L::zero()).smaller(L::splat(plan.edge[i])));
    let stride = plan.ground.stride;
    let corners = sample::corners(x, y, L::splat(plan.ground.scale), L::Int::splat(stride as i32));
    wall::wall(&corners, wall::gather(&corners, stride, plan.ground.raster))
}

/// Moves discs that overlap a wall out of it.
#[inline(always)]
fn push_out<L: Lane>(plan: &Plan<'_, L::Num>, to: [L; 2], clearance: L) -> [L; 2]
where
    L::Num: Numbers,
{
    let wall = wall_at(plan, to);
    let overlap = (clearance - wall.distance).larger(L::zero()).smaller(clearance);
    let depth = overlap * L::splat(plan.cell);
    [0, 1].map(|i| to[i] + wall.normal[i] * depth)
}

/// The guarantee: agents near walls end where their step may end. Most steps end in their own cell.
#[inline(always)]
fn guard<L: Lane>(
    plan: &Plan<'_, L::Num>,
    wary: L::Mask,
    from: &[[L::Num; 2]],
    pos: [L; 2],
    to: [L; 2],
) -> [L; 2]
where
    L::Num: Numbers,
{
    let cell = |x: L| (x * L::splat(plan.ground.scale)).floor_int();
    let stays = |i: usize| cell(pos[i]).equal(cell(to[i]));
    let crossing = wary & !(stays(0) & stays(1));
    if !crossing.any() {
        return to;
    }
    let mut ends = [[L::Num::ZERO; 2]; 8];
    L::store_pairs(to[0], to[1], &mut ends);
    let mut left = crossing.bits();
    while left != 0 {
        let i = left.trailing_zeros() as usize;
        ends[i] = plan.ground.step(from[i], ends[i]);
        left &= left - 1;
    }
    L::load_pairs(&ends).into()
}
