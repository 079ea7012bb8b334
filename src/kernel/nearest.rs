//! The nearest neighbours of each agent of a block.
//!
//! What counts is the square of the distance, coarsened to 21 bits, and among equals the order in
//! which neighbours are offered: both are the same for every lane width.
//!
//! Method: agents in lanes, neighbours broadcast one after another. A neighbour's key in a lane is
//! one integer: the square's order ([`Lane::square_order`]) with its lowest bits replaced by the
//! neighbour's ordinal in the [`Candidates`] of the block. The best keys stay sorted by a chain of
//! integer minima and maxima, nothing else. Every slot begins as the key of the range itself, so a
//! neighbour out of range is never the smaller one, and nothing tests for it. What half-planes need
//! of a neighbour is noted beside its ordinal in the same pass.
//!
//! Tried and lost: leaving the chain out where no lane improves (1.7 × the time of the whole search).

use std::ops::Range;

use crate::lane::{IntLane, Lane, Mask};
use crate::math::{Num, Numeric};

/// Neighbours that an agent heeds at most.
pub const NEAREST: usize = 10;

/// Bits of an ordinal.
const ORDINAL: u32 = 10;

/// Neighbours that a list of candidates holds.
pub const CANDIDATES: usize = 1 << ORDINAL;

/// The lowest bits of a key.
const ORDINALS: i32 = CANDIDATES as i32 - 1;

/// The candidates of a block, by ordinal, with what half-planes need of them: so much smaller than
/// the crowd that it stays in the nearest cache, and found without a second look-up. One list serves
/// block after block.
#[derive(Clone, Debug)]
pub struct Candidates<N> {
    rows: [u32; CANDIDATES],
    /// Position and velocity.
    motion: [[N; 4]; CANDIDATES],
    bodies: [[N; 2]; CANDIDATES],
    count: usize,
}

/// A neighbour of each agent, in lanes; where a lane has none, any candidate.
#[derive(Clone, Copy)]
pub struct Neighbour<L: Lane> {
    /// Position in metres.
    pub pos: [L; 2],
    /// Velocity in m/s.
    pub vel: [L; 2],
    /// Ordinals in the list.
    ordinal: L::Int,
}

impl<N: Num> Candidates<N> {
    /// An empty list.
    pub fn new() -> Self {
        let motion = [[N::ZERO; 4]; CANDIDATES];
        let bodies = [[N::ZERO; 2]; CANDIDATES];
        Self { rows: [0; CANDIDATES], motion, bodies, count: 0 }
    }

    /// Empties it, for the next block.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// The position and velocity at ordinals.
    #[inline(always)]
    fn neighbour<L: Lane<Num = N>>(&self, ordinal: L::Int) -> Neighbour<L> {
        let at = |lane: usize| ordinal.get(lane) as usize % CANDIDATES;
        let [x, y, vel_x, vel_y] = L::fours_from_fn(|lane| self.motion[at(lane)]);
        Neighbour { pos: [x, y], vel: [vel_x, vel_y], ordinal }
    }

    /// The radius in metres and the weight of a neighbour.
    #[inline(always)]
    pub fn body<L: Lane<Num = N>>(&self, neighbour: &Neighbour<L>) -> [L; 2] {
        let at = |lane: usize| neighbour.ordinal.get(lane) as usize % CANDIDATES;
        L::pairs_from_fn(|lane| self.bodies[at(lane)])
    }

    /// The row of a neighbour.
    #[inline(always)]
    pub fn rows<L: Lane<Num = N>>(&self, neighbour: &Neighbour<L>) -> L::Int {
        let at = |lane: usize| neighbour.ordinal.get(lane) as usize % CANDIDATES;
        L::Int::from_fn(|lane| self.rows[at(lane)] as i32)
    }

    /// Notes a candidate at a place that is free.
    #[inline(always)]
    fn put(&mut self, place: usize, row: usize, crowd: &Crowd<'_, N>) {
        self.rows[place] = row as u32;
        let ([x, y], [vel_x, vel_y]) = (crowd.pos[row], crowd.vel[row]);
        self.motion[place] = [x, y, vel_x, vel_y];
        if !crowd.bodies.is_empty() {
            self.bodies[place] = crowd.bodies[row];
        }
    }

    /// Keeps the ordinals that `used` names (64 to a word), in their order; calls `moved` for
    /// each old and new ordinal.
    fn keep(&mut self, used: &[u64; CANDIDATES / 64], mut moved: impl FnMut(usize, usize)) {
        let mut count = 0;
        for ordinal in 0..self.count {
            if used[ordinal / 64] >> (ordinal % 64) & 1 == 1 {
                self.rows[count] = self.rows[ordinal];
                self.motion[count] = self.motion[ordinal];
                self.bodies[count] = self.bodies[ordinal];
                moved(ordinal, count);
                count += 1;
            }
        }
        self.count = count;
    }
}

impl<N: Num> Default for Candidates<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// Possible neighbours: columns of all agents in sorted order.
#[derive(Clone, Copy, Debug)]
pub struct Crowd<'a, N> {
    /// Positions in metres.
    pub pos: &'a [[N; 2]],
    /// Velocities in m/s.
    pub vel: &'a [[N; 2]],
    /// Radius in metres and weight of each; an agent of weight 0 gives way to no other.
    /// Empty when all agents are alike: each of a pair takes half then.
    pub bodies: &'a [[N; 2]],
    /// The layers that each agent is in, as bits; empty when all agents heed all others.
    pub layers: &'a [u32],
}

/// How much the squares of distances are coarsened in fixed point, when no range of any agent of
/// the world is larger than `range` (metres, at most 16,384): the `coarse` of [`Nearest::new`].
pub fn coarseness<N: Num>(range: N) -> u32 {
    let integer = range.to_f64() * 65_536.0;
    let fits = |coarse: u32| integer < 32_767.0 * f64::from(1_u32 << coarse);
    if N::NUMERIC == Numeric::F32 { 0 } else { (0..15).find(|&c| fits(c)).unwrap_or(15) }
}

/// The nearest neighbours of a block's agents, nearest first.
#[derive(Clone, Copy)]
pub struct Nearest<L: Lane> {
    pos: [L; 2],
    /// Bits of the layers that an agent heeds.
    heeds: L::Int,
    coarse: u32,
    /// The key of an empty slot.
    empty: L::Int,
    keys: [L::Int; NEAREST],
}

impl<L: Lane> Nearest<L> {
    /// No neighbour yet, for agents at `pos` that look `range` metres far (above 0) and heed the
    /// layers of these bits. `coarse` is [`coarseness`] of the largest range in the world.
    #[inline(always)]
    pub fn new(pos: [L; 2], range: L, heeds: L::Int, coarse: u32) -> Self {
        let empty = L::square_order(range, L::zero(), coarse).and(L::Int::splat(!ORDINALS));
        Self { pos, heeds, coarse, empty, keys: [empty; NEAREST] }
    }

    /// Offers a run of rows. `own` is the row of the agent in lane 0; the next lanes hold the next
    /// rows, and no agent is a neighbour of itself.
    ///
    /// Rows may come in any order and number, each once; equals are ranked in the order in which
    /// they come. What was offered to one block must be offered to it through one list.
    #[inline(always)]
    pub fn add(
        &mut self,
        rows: Range<usize>,
        own: usize,
        crowd: &Crowd<'_, L::Num>,
        list: &mut Candidates<L::Num>,
    ) {
        let mut rest = rows;
        while !rest.is_empty() {
            if list.count == CANDIDATES {
                self.compact(list);
            }
            let taken = rest.len().min(CANDIDATES - list.count);
            let part = rest.start..rest.start + taken;
            rest.start = part.end;
            if own + L::WIDTH <= part.start || part.end <= own {
                self.offer(part, crowd, list);
                continue;
            }
            let (first, last) = (part.start.max(own), part.end.min(own + L::WIDTH));
            self.offer(part.start..first, crowd, list);
            self.offer_own(first..last, own, crowd, list);
            self.offer(last..part.end, crowd, list);
        }
    }

    /// Offers rows that hold no agent of the block; there is room for them.
    #[inline(always)]
    fn offer(
        &mut self,
        rows: Range<usize>,
        crowd: &Crowd<'_, L::Num>,
        list: &mut Candidates<L::Num>,
    ) {
        match (crowd.bodies.is_empty(), crowd.layers.is_empty()) {
            (true, true) => self.offer_columns::<false, false>(rows, crowd, list),
            (true, false) => self.offer_columns::<false, true>(rows, crowd, list),
            (false, true) => self.offer_columns::<true, false>(rows, crowd, list),
            (false, false) => self.offer_columns::<true, true>(rows, crowd, list),
        }
    }

    /// [`Nearest::offer`] of a crowd with or without columns of bodies and layers.
    #[inline(always)]
    fn offer_columns<const BODIES: bool, const LAYERS: bool>(
        &mut self,
        rows: Range<usize>,
        crowd: &Crowd<'_, L::Num>,
        list: &mut Candidates<L::Num>,
    ) {
        // A copy stays in registers.
        let mut nearest = *self;
        let count = rows.len();
        let places = list.count..list.count + count;
        let mut ordinal = L::Int::splat(list.count as i32);
        list.count += count;
        // Slices of one length need no test for each row.
        let (pos, vel) = (&crowd.pos[rows.clone()][..count], &crowd.vel[rows.clone()][..count]);
        let bodies = if BODIES { &crowd.bodies[rows.clone()][..count] } else { &[] };
        let layers = if LAYERS { &crowd.layers[rows.clone()][..count] } else { &[] };
        let list_rows = &mut list.rows[places.clone()][..count];
        let motion = &mut list.motion[places.clone()][..count];
        let list_bodies = if BODIES { &mut list.bodies[places][..count] } else { &mut [] };
        for i in 0..count {
            let key = nearest.key::<LAYERS>(pos[i], if LAYERS { layers[i] } else { 0 }, ordinal);
            nearest.take(key);
            ordinal = ordinal + L::Int::splat(1);
            list_rows[i] = (rows.start + i) as u32;
            motion[i] = [pos[i][0], pos[i][1], vel[i][0], vel[i][1]];
            if BODIES {
                list_bodies[i] = bodies[i];
            }
        }
        self.keys = nearest.keys;
    }

    /// Offers rows that hold agents of the block.
    #[inline(always)]
    fn offer_own(
        &mut self,
        rows: Range<usize>,
        own: usize,
        crowd: &Crowd<'_, L::Num>,
        list: &mut Candidates<L::Num>,
    ) {
        let lanes = L::Int::from_fn(|lane| (own + lane) as i32);
        for row in rows {
            let ordinal = L::Int::splat(list.count as i32);
            list.put(list.count, row, crowd);
            list.count += 1;
            let key = match crowd.layers.get(row) {
                Some(&layers) => self.key::<true>(crowd.pos[row], layers, ordinal),
                None => self.key::<false>(crowd.pos[row], 0, ordinal),
            };
            let itself = lanes.equal(L::Int::splat(row as i32));
            self.take(L::Int::select(itself, self.empty, key));
        }
    }

    /// The key of a neighbour in each lane.
    #[inline(always)]
    fn key<const LAYERS: bool>(&self, [x, y]: [L::Num; 2], layers: u32, ordinal: L::Int) -> L::Int {
        let (dx, dy) = (self.pos[0] - L::splat(x), self.pos[1] - L::splat(y));
        let key = L::square_order(dx, dy, self.coarse).and(L::Int::splat(!ORDINALS)).or(ordinal);
        if LAYERS {
            let shared = self.heeds.and(L::Int::splat(layers as i32));
            L::Int::select(shared.equal(L::Int::splat(0)), self.empty, key)
        } else {
            key
        }
    }

    /// Sorts a key in; the largest one falls out.
    #[inline(always)]
    fn take(&mut self, mut key: L::Int) {
        for slot in &mut self.keys {
            let nearer = slot.smaller(key);
            key = slot.larger(key);
            *slot = nearer;
        }
    }

    /// Shortens the list to candidates that are among the nearest of a lane.
    #[cold]
    fn compact(&mut self, list: &mut Candidates<L::Num>) {
        let mut used = [0_u64; CANDIDATES / 64];
        for slot in 0..NEAREST {
            let present = self.present(slot).bits();
            for lane in (0..L::WIDTH).filter(|lane| present >> lane & 1 == 1) {
                let ordinal = (self.keys[slot].get(lane) & ORDINALS) as usize;
                used[ordinal / 64] |= 1 << (ordinal % 64);
            }
        }
        let mut moved = [0_u16; CANDIDATES];
        list.keep(&used, |old, new| moved[old] = new as u16);
        for slot in 0..NEAREST {
            let present = self.present(slot);
            let key = self.keys[slot];
            let ordinal = |lane| i32::from(moved[(key.get(lane) & ORDINALS) as usize]);
            let renamed = key.and(L::Int::splat(!ORDINALS)).or(L::Int::from_fn(ordinal));
            self.keys[slot] = L::Int::select(present, renamed, key);
        }
    }

    /// A distance, in metres: no agent beyond it can be among the nearest of any lane any more.
    #[inline(always)]
    pub fn farthest(&self) -> L::Num {
        let order = self.keys[NEAREST - 1].largest() | ORDINALS;
        let length = if L::Num::NUMERIC == Numeric::F32 {
            f64::from(f32::from_bits(order as u32)).sqrt() * (1.0 + 1e-6)
        } else {
            // Coordinates were rounded down to whole units.
            (f64::from(order).sqrt() + 2.0) * f64::from(1_u32 << self.coarse) / 65_536.0
        };
        L::Num::from_f64(length)
    }

    /// The lanes that have a neighbour in a slot; 0 is the nearest one's.
    #[inline(always)]
    pub fn present(&self, slot: usize) -> L::Mask {
        self.keys[slot].less(self.empty)
    }

    /// The neighbour in a slot; where a lane has none, any candidate.
    #[inline(always)]
    pub fn neighbour(&self, slot: usize, list: &Candidates<L::Num>) -> Neighbour<L> {
        list.neighbour(self.keys[slot].and(L::Int::splat(ORDINALS)))
    }
}

#[cfg(test)]
mod tests;
