//! Contacts: agents that overlap are moved apart, in passes over everybody.
//!
//! Every pass reads the positions of the one before and writes new ones, so no order matters
//! (Jacobi's method). The grid holds the positions before the tick: boxes are wider by as much as
//! an agent may have moved since.

use crate::kernel::contact;
use crate::kernel::contact::Block;
use crate::kernel::contact::Sums;
use crate::kernel::motion;
use crate::kernel::separate::ALIKE;
use crate::kernel::separate::ALL;
use crate::kernel::separate::Body;
use crate::kernel::separate::Neighbours;
use crate::kernel::separate::SIZES;
use crate::kernel::separate::is_compact;
use crate::lane::IntLane;
use crate::lane::Lane;
use crate::lane::Mask;
use crate::lane::Numbers;
use crate::math::Num;
use crate::par;
use crate::space::Grid;
use crate::tick::Scratch;
use crate::tick::cast::Cast;
use crate::tick::cast::all_share;
use crate::tick::crowd;
use crate::tick::motion::CRAWL;
use crate::tick::walls::Walls;
use crate::world::Tag;
use crate::world::World;

/// Share of the contact by which an agent moves: below a quarter, since many neighbours add up.
const SHARE: f64 = 0.2;
/// Most that an agent moves in a pass, in radii.
const MOST_SHIFT: f64 = 0.5;

pub(super) fn run<L: Lane>(world: &mut World<L::Num>, scratch: &mut Scratch<L::Num>)
where
    L::Num: Numbers,
{
    for pass in 0..world.settings.contact_passes {
        match scratch.kind {
            ALIKE => part::<L, ALIKE>(world, scratch, pass),
            SIZES => part::<L, SIZES>(world, scratch, pass),
            _ => part::<L, ALL>(world, scratch, pass),
        }
    }
}

/// One pass.
fn part<L: Lane, const KIND: u8>(
    world: &mut World<L::Num>,
    scratch: &mut Scratch<L::Num>,
    pass: u32,
) where
    L::Num: Numbers,
{
    let Scratch { grid, spare, close, desired, bodies, .. } = scratch;
    let mut vel = std::mem::take(&mut world.agents.vel);
    spare.pos.resize(world.len());
    let (world_now, bodies, grid) = (&*world, &bodies[..], &*grid);
    let (pos, tags) = (world_now.agents.pos.padded(), world_now.agents.tag.padded());
    let walls = Walls::new(world_now);
    let alike = all_share(world_now, |t| [t.radius, t.yield_scale, t.clearance, t.wary]);
    let reach = Reach::of(world_now, pass);
    par::bands(grid.bands(), (&mut spare.pos[..], &mut vel[..]), &|band, first, (to, vel)| {
        for row in grid.band_rows(band) {
            let agents = grid.row_agents(row);
            for start in agents.clone().step_by(L::WIDTH) {
                let count = L::WIDTH.min(agents.end - start);
                let cast = Cast::shared(
                    &tags[start..start + L::WIDTH],
                    &world_now.traits,
                    KIND == ALIKE && alike,
                );
                let block = block::<L>(&pos[start..], count, &cast);
                let close = close[start];
                if close == 0 {
                    L::store_some_pairs(block.x, block.y, count, &mut to[start - first..]);
                    continue;
                }
                let sums = visit::<L, KIND>(grid, &block, reach, pos, bodies);
                let touched = L::Mask::from_fn(|i| close >> i & 1 == 1);
                let contact = unstack(cast.tags, sums.stacked(), sums.contact(), block.radius);
                let rows = start - first..start - first + count;
                let (to, vel) = (&mut to[rows.clone()], &mut vel[rows]);
                let contact = contact.map(|c| L::select(touched, c, L::zero()));
                let desired = crowd::positions::<L>(&desired.padded()[start..], count);
                let stands = desired[0].equal(L::zero()) & desired[1].equal(L::zero());
                let from = [block.x, block.y];
                move_apart(&walls, &cast, stands, contact, from, to, vel);
            }
        }
    });
    world.agents.vel = vel;
    std::mem::swap(&mut world.agents.pos, &mut scratch.spare.pos);
}

/// How far blocks look.
#[derive(Clone, Copy)]
struct Reach<N> {
    /// Largest radius.
    most: N,
    /// How far an agent may be from where the grid has it.
    moved: N,
}

impl<N: Numbers> Reach<N> {
    fn of(world: &World<N>, pass: u32) -> Self {
        let groups = || {
            let groups = world.groups.iter().zip(&world.traits);
            groups.filter(|(group, _)| group.members > 0)
        };
        let most = groups().map(|(group, _)| group.def.radius).fold(0.0, f64::max);
        let speeds = groups().map(|(g, traits)| g.def.speed * g.def.sprint * traits.quickest);
        let step = speeds.fold(0.0, f64::max) * world.dt();
        let moved = step + f64::from(pass) * most * MOST_SHIFT;
        Self { most: N::from_f64(most), moved: N::from_f64(moved) }
    }
}

/// The agents of a block.
#[inline(always)]
fn block<L: Lane>(pos: &[[L::Num; 2]], count: usize, cast: &Cast<'_, L::Num>) -> Block<L> {
    let [x, y] = crowd::positions(pos, count);
    let root = L::Num::from_f64(std::f64::consts::SQRT_2);
    Block {
        x,
        y,
        radius: cast.lanes(|t| t.radius),
        scale: cast.lanes::<L>(|t| t.radius_scale) * L::splat(root),
        weight: cast.lanes(|t| t.weight),
        layer: L::Int::from_fn(|i| cast.traits(i).layer as i32),
        avoids: L::Int::from_fn(|i| cast.traits(i).avoids as i32),
    }
}

/// What a block feels from all that touch it.
#[inline(always)]
fn visit<L: Lane, const KIND: u8>(
    grid: &Grid<L::Num>,
    block: &Block<L>,
    reach: Reach<L::Num>,
    pos: &[[L::Num; 2]],
    bodies: &[Body<L::Num>],
) -> Sums<L>
where
    L::Num: Numbers,
{
    let mut sums = Sums::new();
    let [_, radius] = block.radius.extremes();
    let (query, span) = crowd::query([block.x, block.y], radius + reach.most + reach.moved);
    grid.visit(query, |range, slack| {
        let bodies = if KIND == ALIKE { &[] } else { &bodies[range.clone()] };
        let neighbours = Neighbours { pos: &pos[range], bodies };
        if is_compact(span + slack + reach.moved) {
            contact::add::<L, false, KIND>(block, neighbours, &mut sums);
        } else {
            contact::add::<L, true, KIND>(block, neighbours, &mut sums);
        }
    });
    sums
}

/// Moves a block apart from those it overlaps, within the walls.
#[inline(always)]
fn move_apart<L: Lane>(
    walls: &Walls<'_, L::Num>,
    cast: &Cast<'_, L::Num>,
    stands: L::Mask,
    contact: [L; 2],
    pos: [L; 2],
    to_rows: &mut [[L::Num; 2]],
    vel_rows: &mut [[L::Num; 2]],
) where
    L::Num: Numbers,
{
    let count = to_rows.len();
    let zero = L::zero();
    let held = cast.holds::<L>();
    let share = contact.map(|c| {
        let c = c.mul_coarse(L::splat(L::Num::from_f64(SHARE)));
        L::select(held, zero, c)
    });
    let moves = !(share[0].equal(zero) & share[1].equal(zero));
    if !moves.any() {
        L::store_some_pairs(pos[0], pos[1], count, to_rows);
        return;
    }
    let vel = crowd::positions::<L>(vel_rows, count);
    let radius = cast.lanes::<L>(|t| t.radius);
    let most = radius * L::splat(L::Num::from_f64(MOST_SHIFT));
    // Who means to stand gives way at once.
    let at_once = L::splat(L::Num::from_f64(1000.0));
    let scale = L::select(stands, at_once, cast.lanes(|t| t.yield_scale));
    let (shift, vel) = motion::part(share, vel, most, scale);
    let crawl = L::splat(L::Num::from_f64(CRAWL));
    // Only who is moved: the others of the block might be alone in theirs.
    let rests = moves & stands & vel[0].abs().lt(crawl) & vel[1].abs().lt(crawl);
    let vel = vel.map(|v| L::select(rests, zero, v));
    let mut to = [0, 1].map(|i| pos[i] + shift[i]);
    let wary = moves & walls.near(cast, pos);
    if wary.any() {
        to = walls.hold(wary, pos, to, cast.lanes(|t| t.clearance));
    }
    L::store_some_pairs(to[0], to[1], count, to_rows);
    L::store_some_pairs(vel[0], vel[1], count, vel_rows);
}

/// The contact with a little of its own, as its id says, for everyone who is `stacked`: no push can
/// part agents who stand on one spot.
#[inline(always)]
fn unstack<L: Lane>(tags: &[Tag], stacked: L::Mask, contact: [L; 2], radius: L) -> [L; 2] {
    if !stacked.any() {
        return contact;
    }
    let step = radius * L::splat(L::Num::from_f64(5.0 / 16.0));
    let nudge = |shift: u32| {
        let byte = |i: usize| (tags[i].id.wrapping_mul(0x9e37_79b1) >> shift & 0xff) as i32 - 128;
        step * L::from_q14(L::Int::from_fn(byte).shift_left::<7>())
    };
    [(contact[0], 24), (contact[1], 16)].map(|(c, shift)| L::select(stacked, c + nudge(shift), c))
}
