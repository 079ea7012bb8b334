//! Contacts: agents that overlap are moved apart, in passes over all agents.
//!
//! Every pass reads the positions of the one before and writes new ones, so no order matters
//! (Jacobi's method). Near agents were noted before the move (see `near`).

use crate::kernel::contact::Sums;
use crate::kernel::separate::{ALIKE, ALL, SIZES};
use crate::kernel::{approach, contact, motion};
use crate::lane::{IntLane, Lane, Mask};
use crate::math::each::Each;
use crate::math::{Num, Numeric};
use crate::par;
use crate::tick::block_traits::{BlockTraits, all_share};
use crate::tick::motion::CRAWL;
use crate::tick::near::{Crowd, MAX_SHIFT, Members, Slot};
use crate::tick::walls::Walls;
use crate::tick::{Scratch, crowd, near};
use crate::world::{AgentRows, Ground, Groups, Settings, Tag, Traits};

/// Time in which agents that overlap are moved apart, in seconds: a quarter of the way each in a tick of as
/// long. That is half of what would part two, since many neighbours add up.
const PART: f64 = 0.05;

/// Share of the overlaps by which an agent moves in a pass.
fn share<N: Num>(settings: &Settings) -> N {
    N::from_f64(0.5 * settings.dt() / (PART + settings.dt()))
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
    for _ in 0..settings.contact_passes {
        scratch.share.near(&mut agents.pos);
        match scratch.kind {
            ALIKE => part::<L, ALIKE>(agents, share(settings), ground, groups, scratch),
            SIZES => part::<L, SIZES>(agents, share(settings), ground, groups, scratch),
            _ => part::<L, ALL>(agents, share(settings), ground, groups, scratch),
        }
    }
}

/// From which distance in metres on agents are not told apart by the squares of distances, and a number
/// that is larger than the square of the distance to any near agent.
const FAR: [f64; 2] = [40.0, 16_000.0];

/// One pass, in which agents move by this share of their overlaps.
fn part<L: Lane, const KIND: u8>(
    agents: &mut AgentRows<L::Num>,
    moves: L::Num,
    ground: &Ground<L::Num>,
    groups: &Groups<L::Num>,
    scratch: &mut Scratch<L::Num>,
) {
    let Scratch { grid, spare, desired, bodies, marks, near, near_count, share, .. } = scratch;
    let (rows, bands) = (share.strip.rows.clone(), share.strip.bands.clone());
    let AgentRows { pos, vel, tag } = agents;
    let (grid, near) = (&*grid, &near[..]);
    let (pos, tags) = (pos.padded(), tag.padded());
    let (counts, desired) = (&near_count[..], desired.padded());
    let walls = Walls::new(ground);
    let alike = all_share(groups, |t| [t.radius, t.clearance, t.wary, t.weight]);
    let crowd = Crowd { bodies: &bodies.bodies, marks };
    let largest = L::Num::from_f64(near::largest_radius(groups));
    let columns = (&mut spare.pos[rows.clone()], &mut vel[rows]);
    par::bands(grid.bands(), bands, columns, &|band, first, (to, vel)| {
        let mut left = near[band].slots();
        for row in grid.band_rows(band) {
            let agents = grid.row_agents(row);
            for start in agents.clone().step_by(L::WIDTH) {
                let count = L::WIDTH.min(agents.end - start);
                let tags = &tags[start..start + L::WIDTH];
                let block_traits =
                    BlockTraits::shared(tags, groups, KIND == ALIKE && alike).of_kind::<KIND>();
                let from = crowd::positions(&pos[start..], count);
                let (near, rest) = left.split_at(counts[start] as usize);
                left = rest;
                let block = Members { block_traits, row: start, count, pos: from };
                let rows = start - first..start - first + count;
                let (to, vel) = (&mut to[rows.clone()], &mut vel[rows]);
                let Some(sums) = touch::<L, KIND>(&crowd, pos, largest, &block, near) else {
                    L::store_some_pairs(from[0], from[1], count, to);
                    continue;
                };
                let shift = unstack(block_traits.tags, sums, block_traits.radius());
                let shift = shift.each(|c| c * L::splat(moves));
                let most = block_traits.radius::<L>() * L::splat(L::Num::from_f64(MAX_SHIFT));
                let shift = motion::limit(shift, most);
                let shift = keep_apart::<L, KIND>(&crowd, pos, &block, near, shift);
                let desired = crowd::positions::<L>(&desired[start..], count);
                let stands = desired[0].equal(L::zero()) & desired[1].equal(L::zero());
                move_apart(&walls, &block_traits, stands, shift, from, to, vel);
            }
        }
    });
    std::mem::swap(&mut agents.pos, &mut scratch.spare.pos);
}

/// Sums over all agents that touch a block; `None` where none comes near enough. `largest` is the largest
/// radius of all agents in metres.
///
/// Few of the near agents touch: positions are looked at first, and the rest of an agent only where some
/// lane may touch one. What does not touch adds exactly 0.
#[inline(always)]
fn touch<L: Lane, const KIND: u8>(
    crowd: &Crowd<'_, L::Num>,
    pos: &[[L::Num; 2]],
    largest: L::Num,
    touched: &Members<'_, L>,
    near: &[Slot],
) -> Option<Sums<L>> {
    let Members { block_traits, row, count, .. } = touched;
    let own = near::rows(*row, *count);
    let own = L::Int::from_fn(|i| own[i] as i32);
    let others = |slot: &Slot| L::pairs_from_fn(|i| pos[slot[i] as usize]);
    let itself = |slot: &Slot| own.equal(L::Int::from_fn(|i| slot[i] as i32));
    let n = |number: f64| L::splat(L::Num::from_f64(number));
    let more = match L::Num::NUMERIC {
        Numeric::F32 => 1.0 / 4_096.0,
        Numeric::Fixed => near::MORE,
    };
    let reach = block_traits.radius::<L>() + L::splat(largest) + n(more);
    let reach = L::select(reach.lt(n(FAR[0])), near::square(reach), n(FAR[1]));
    let mut sums = None;
    for slots in near.chunks(64) {
        let mut touching = 0_u64;
        for (i, slot) in slots.iter().enumerate() {
            let others = others(slot);
            let d = [0, 1].each(|axis| (touched.pos[axis] - others[axis]).near());
            let square = d[0].mul_coarse(d[0]) + d[1].mul_coarse(d[1]);
            touching |= u64::from((square.lt(reach) & !itself(slot)).any()) << i;
        }
        while touching != 0 {
            let slot = &slots[touching.trailing_zeros() as usize];
            touching &= touching - 1;
            let (block, sums) = sums.get_or_insert_with(|| {
                (near::block::<L>(crowd, block_traits, *row, touched.pos), Sums::new())
            });
            let share = near::share::<L, KIND>(block_traits, crowd.bodies, slot);
            let looks = near::looks(|i| crowd.marks[slot[i] as usize]);
            contact::add(block, others(slot), looks, share, itself(slot), sums);
        }
    }
    sums.map(|(_, sums)| sums)
}

/// What is left of shifts by which agents that choose their velocity come no nearer to others than they may.
#[inline(always)]
fn keep_apart<L: Lane, const KIND: u8>(
    crowd: &Crowd<'_, L::Num>,
    pos: &[[L::Num; 2]],
    Members { block_traits, row, pos: from, .. }: &Members<'_, L>,
    near: &[Slot],
    shift: [L; 2],
) -> [L; 2] {
    let moves = !(shift[0].equal(L::zero()) & shift[1].equal(L::zero()));
    if !(moves & block_traits.mask::<L>(Traits::is_free)).any() {
        return shift;
    }
    let block = near::block::<L>(crowd, block_traits, *row, *from);
    let part = near.iter().fold(L::one(), |part, slot| {
        let [x, y] = L::pairs_from_fn(|i| pos[slot[i] as usize]);
        let radius = L::from_fn(|i| crowd.marks[slot[i] as usize][3]);
        let heeds = L::zero().lt(near::share::<L, KIND>(block_traits, crowd.bodies, slot));
        let (normal, most) = contact::room(&block, [x, y, radius], heeds);
        approach::bounded(shift, normal, most, part)
    });
    shift.each(|c| c * part)
}

/// Moves a block apart from agents that it overlaps, within the walls.
#[inline(always)]
fn move_apart<L: Lane>(
    walls: &Walls<'_, L::Num>,
    block_traits: &BlockTraits<'_, L::Num>,
    stands: L::Mask,
    shift: [L; 2],
    pos: [L; 2],
    to_rows: &mut [[L::Num; 2]],
    vel_rows: &mut [[L::Num; 2]],
) {
    let count = to_rows.len();
    let zero = L::zero();
    let held = block_traits.holds::<L>();
    let shift = shift.each(|c| L::select(held, zero, c));
    let moves = !(shift[0].equal(zero) & shift[1].equal(zero));
    if !moves.any() {
        L::store_some_pairs(pos[0], pos[1], count, to_rows);
        return;
    }
    // An agent that means to stand gives way, and rests where it ends.
    let vel = crowd::positions::<L>(vel_rows, count);
    let yields = motion::part(shift, vel);
    let vel = [0, 1].each(|i| L::select(stands, yields[i], vel[i]));
    let crawl = L::splat(L::Num::from_f64(CRAWL));
    let rests = moves & stands & vel[0].abs().lt(crawl) & vel[1].abs().lt(crawl);
    let vel = vel.each(|v| L::select(rests, zero, v));
    let mut to = [0, 1].each(|i| pos[i] + shift[i]);
    let wary = moves & walls.near(block_traits, pos);
    if wary.any() {
        to = walls.hold(wary, pos, to, block_traits.clearance());
    }
    L::store_some_pairs(to[0], to[1], count, to_rows);
    L::store_some_pairs(vel[0], vel[1], count, vel_rows);
}

/// The shift, with a little of its own, as its id says, for every stacked agent: no push can
/// part agents that stand on one spot.
#[inline(always)]
fn unstack<L: Lane>(tags: &[Tag], sums: Sums<L>, radius: L) -> [L; 2] {
    if !sums.stacked.any() {
        return sums.shift;
    }
    let nudge = |shift: u32| {
        let byte = |i: usize| (tags[i].id.wrapping_mul(0x9e37_79b1) >> shift & 0xff) as i32 - 128;
        radius * L::from_q14(L::Int::from_fn(byte).shift_left::<7>())
    };
    [(sums.shift[0], 24), (sums.shift[1], 16)]
        .each(|(c, shift)| L::select(sums.stacked, c + nudge(shift), c))
}
