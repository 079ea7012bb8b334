//! Near agents: they limit an agent's approach in this tick, or may touch it after the move. Found
//! once for all agents, together with the soft push (see `neighbours`), and visited by `motion` and by
//! every pass of `contacts` in the order of rows.

use crate::kernel::approach::{Block, Limit, Mark};
use crate::kernel::separate::{ALL, Body};
use crate::kernel::{approach, motion, separate};
use crate::lane::{BLOCK, IntLane, Lane, Mask, Numbers, eight_mut};
use crate::math::Num;
use crate::math::each::{Each, Make};
use crate::space::Grid;
use crate::tick::block_traits::BlockTraits;
use crate::tick::crowd;
use crate::world::{Avoidance, Groups, Settings, Traits};
use std::ops::Range;

/// The largest radius of agents, in metres.
pub(super) fn largest_radius<N: Numbers>(groups: &Groups<N>) -> f64 {
    let present = groups.list.iter().filter(|group| group.members > 0);
    present.map(|group| group.def.radius).fold(0.0, f64::max)
}

/// By how much the gap between two agents may shrink in a tick until the last pass of contacts, in
/// metres: both move, and are moved in every pass before.
pub(super) fn closing<N: Numbers>(settings: &Settings, groups: &Groups<N>) -> f64 {
    let present = groups.list.iter().zip(&groups.traits).filter(|(group, _)| group.members > 0);
    let speed = present.map(|(_, traits)| traits.top_speed.to_f64()).fold(0.0, f64::max);
    let radius = largest_radius(groups);
    let passes = f64::from(settings.contact_passes.saturating_sub(1));
    2.0 * (speed * settings.dt() + passes * MAX_SHIFT * radius)
}

/// From which distance between their centres on two agents do not matter to each other, in metres.
pub(super) fn range<N: Numbers>(settings: &Settings, groups: &Groups<N>) -> f64 {
    let closing = closing(settings, groups);
    let present = groups.list.iter().zip(&groups.traits);
    let present = present.filter(|(group, _)| group.members > 0);
    let near = |traits: &Traits<N>| traits.approach_range.to_f64().max(closing);
    let range = present.map(|(group, traits)| {
        (2.0 * group.def.reach()).max(2.0 * group.def.radius + near(traits))
    });
    range.fold(0.0, f64::max)
}

/// Most that an agent is moved in a pass of contacts, in radii.
pub(super) const MAX_SHIFT: f64 = 0.5;

/// Near agents of one at most, the first ones in the order of rows: many more than stand around the
/// largest. Where thousands are placed on one spot, memory and time have a bound.
const MAX_NEAR: usize = 1_024;

/// Rounds in which a velocity is projected on all limits.
const ROUNDS: usize = 2;

/// A near agent for every lane of a block, or the lane's own row.
pub(super) type Slot = [u32; BLOCK];

/// The near agents of the blocks of a band, block by block. A block has as many slots as the agent of
/// it that has most near; each lane's near agents come in the order of rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Near<N> {
    slots: Vec<Slot>,
    /// Rows in which the agents of the present block look, and for every 64 of them and every lane a
    /// bit each, the first one highest: whether that agent is near.
    candidates: Vec<u32>,
    count: usize,
    bits: Vec<[u64; BLOCK]>,
    /// The near ones among the candidates, lane by lane, as ordinals.
    ordinals: [Ordinals; BLOCK],
    /// The limits that the near agents of a block set, lane by lane.
    limits: Vec<[N; 4 * BLOCK]>,
}

/// The rows of a block of `count` agents; lanes past the last agent repeat its row.
#[inline(always)]
pub(super) fn rows(row: usize, count: usize) -> Slot {
    Make::make(|i| (row + i.min(count - 1)) as u32)
}

/// What counts as near for the agents of a block, in lanes, in metres.
pub(super) struct Search<L> {
    pub(super) pos: [L; 2],
    /// From a distance of this and its radius on another agent is too far to matter...
    pub(super) own: L,
    /// ... unless this and its reach are more.
    pub(super) reach: L,
}

impl<N: Numbers> Near<N> {
    /// Forgets all, and makes room for what so many agents usually have near.
    pub(super) fn clear(&mut self, agents: usize) {
        self.slots.clear();
        self.slots.reserve((2 * agents).next_power_of_two());
        self.candidates.resize(self.candidates.len().max(1_024), 0);
        self.bits.reserve(16);
        self.limits.reserve(256);
    }

    /// All slots, and memory for limits.
    pub(super) fn parts(&mut self) -> (&[Slot], &mut Vec<[N; 4 * BLOCK]>) {
        (&self.slots, &mut self.limits)
    }

    /// All slots.
    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Finds the near agents of a block of `count` agents from `row` on; gives its slots. `spans` are radius
    /// and reach of all agents, or none when all are alike; `most` are the largest.
    #[inline(always)]
    pub(super) fn find<L: Lane<Num = N>>(
        &mut self,
        grid: &Grid<N>,
        all: &[[N; 2]],
        (spans, most): (&[[N; 2]], [N; 2]),
        search: &Search<L>,
        (row, count): (usize, usize),
    ) -> &[Slot] {
        let more = L::splat(N::from_f64(MORE));
        let range = |[radius, reach]: [N; 2]| {
            (search.own + L::splat(radius)).larger(search.reach + L::splat(reach)) + more
        };
        let largest = range(most);
        let equal = square(largest);
        let zero = L::Int::splat(0);
        let is_near = |pos: &[N; 2], range: L| {
            let d = [0, 1].each(|i| (L::splat(pos[i]) - search.pos[i]).near());
            let squares = d[0].mul_coarse(d[0]) + d[1].mul_coarse(d[1]);
            L::Int::from_mask(squares.lt(range))
        };
        let (mut bits, mut filled, mut own_at) = (zero, 0, 0);
        self.count = 0;
        self.bits.clear();
        for (rows, _) in grid.ranges(crowd::query(search.pos, largest.extremes()[1])) {
            if rows.contains(&row) {
                own_at = self.count + row - rows.start;
            }
            self.note(rows.clone());
            let mut left = rows;
            while !left.is_empty() {
                // No more than the lanes have bits left.
                let part = left.start..left.end.min(left.start + WORD - filled % WORD);
                left.start = part.end;
                filled += part.len();
                match spans.is_empty() {
                    true => {
                        for pos in &all[part] {
                            bits = bits.shift_left::<1>() - is_near(pos, equal);
                        }
                    }
                    false => {
                        for (pos, &span) in all[part.clone()].iter().zip(&spans[part]) {
                            bits = bits.shift_left::<1>() - is_near(pos, square(range(span)));
                        }
                    }
                }
                if filled.is_multiple_of(WORD) {
                    self.keep::<L>(bits, filled);
                    bits = zero;
                }
            }
        }
        if !filled.is_multiple_of(WORD) {
            self.keep::<L>(bits, filled);
        }
        self.fill(own_at, (row, count))
    }

    /// Notes a range of candidates, by whole eights: what is written beyond its end does not count.
    #[inline(always)]
    fn note(&mut self, rows: Range<usize>) {
        let first = self.count;
        self.count += rows.len();
        if self.count + BLOCK > self.candidates.len() {
            self.candidates.resize(2 * (self.count + BLOCK), 0);
        }
        let (eights, _) = self.candidates[first..].as_chunks_mut::<BLOCK>();
        for (to, row) in eights.iter_mut().zip(rows.step_by(BLOCK)) {
            *to = Make::make(|i| (row + i) as u32);
        }
    }

    /// Keeps what was found out about the last 32 candidates, or fewer in the end.
    #[inline(always)]
    fn keep<L: Lane<Num = N>>(&mut self, bits: L::Int, filled: usize) {
        let unused = filled.next_multiple_of(2 * WORD) - filled;
        if unused >= WORD {
            self.bits.push([0; BLOCK]);
        }
        let last = self.bits.last_mut().expect("there is one for every 64");
        for (i, lane) in last.iter_mut().enumerate().take(L::WIDTH) {
            *lane |= u64::from(bits.get(i) as u32) << unused;
        }
    }

    /// Makes slots of it, without the agents themselves, which stand among the candidates from `own_at`
    /// on.
    #[inline(always)]
    fn fill(&mut self, own_at: usize, (row, count): (usize, usize)) -> &[Slot] {
        // They follow one another, in one word or two.
        for (word, bits) in self.bits[own_at / 64..].iter_mut().take(2).enumerate() {
            for (lane, bits) in bits.iter_mut().enumerate() {
                let at = (own_at % 64 + lane).wrapping_sub(64 * word);
                *bits &= !if at < 64 { 1 << 63 >> at } else { 0 };
            }
        }
        let first = self.slots.len();
        if self.count <= FEW {
            self.fill_few(own_at, count);
        } else {
            self.fill_many(&rows(row, count), count);
        }
        &self.slots[first..]
    }

    /// The slots of a block with few candidates.
    ///
    /// No processor can foretell which candidates are near, so nothing is decided one by one: the bits of
    /// eight candidates name their ordinals in a table, which are written one after another.
    #[inline(always)]
    fn fill_few(&mut self, own_at: usize, count: usize) {
        let Self { slots, candidates, bits, ordinals, .. } = self;
        let mut near = [0; BLOCK];
        let mut eights = self.count.div_ceil(8);
        for (word, bits) in (0..).zip(bits) {
            for (lane, Ordinals(list)) in ordinals.iter_mut().enumerate().take(count) {
                let (mut left, mut ordinals) = (bits[lane], word * 64 * ALL_BYTES);
                for _ in 0..eights.min(8) {
                    let byte = (left >> 56) as usize;
                    let places = PLACES[byte].wrapping_add(ordinals);
                    *eight_mut(&mut list[near[lane] % FEW..]) = places.to_le_bytes();
                    near[lane] += byte.count_ones() as usize;
                    (left, ordinals) = (left << 8, ordinals.wrapping_add(8 * ALL_BYTES));
                }
            }
            eights = eights.saturating_sub(8);
        }
        let most = near.into_iter().fold(0, usize::max);
        // A lane that has no more takes itself.
        for (lane, Ordinals(list)) in ordinals.iter_mut().enumerate() {
            let own = [(own_at + lane.min(count - 1)) as u8; 8];
            let mut at = near[lane];
            while at < most {
                *eight_mut(&mut list[at % FEW..]) = own;
                at += 8;
            }
        }
        let candidates: &[u32; FEW] = candidates.first_chunk().expect("there is room for more");
        slots.extend((0..most).map(|i| {
            let mut slot = [0; BLOCK];
            for (other, Ordinals(list)) in slot.iter_mut().zip(&*ordinals) {
                *other = candidates[usize::from(list[i % FEW])];
            }
            slot
        }));
    }

    /// The slots of a block with any number of candidates.
    #[cold]
    fn fill_many(&mut self, own: &Slot, count: usize) {
        let first = self.slots.len();
        let near = |lane: usize| self.bits.iter().map(|bits| bits[lane].count_ones()).sum::<u32>();
        let most = (0..count).map(near).fold(0, u32::max).min(MAX_NEAR as u32);
        self.slots.resize(first + most as usize, *own);
        for lane in 0..count {
            let mut slots = self.slots[first..].iter_mut();
            for (bits, candidates) in self.bits.iter().zip(self.candidates[..self.count].chunks(64))
            {
                let near = (0..candidates.len()).filter(|i| bits[lane] << i >> 63 == 1);
                for (i, slot) in near.zip(&mut slots) {
                    slot[lane] = candidates[i];
                }
            }
        }
    }
}

/// Bits of a lane.
const WORD: usize = 32;

/// Candidates of a block that have ordinals of a byte.
const FEW: usize = 256;

/// The ordinals of near candidates, one after another; eight are written at once.
#[derive(Clone, Debug)]
struct Ordinals([u8; FEW + 8]);

impl Default for Ordinals {
    fn default() -> Self {
        Self([0; FEW + 8])
    }
}

/// 1 in every byte.
const ALL_BYTES: u64 = 0x0101_0101_0101_0101;

/// For every byte which of its bits are set, counted from the highest: a byte each, the first one lowest.
const PLACES: [u64; 256] = {
    let mut places = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte << bit & 0x80 != 0 {
                places[byte] |= bit << (8 * count);
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};

/// By how much farther agents look than they must, in metres: squares are coarse.
pub(super) const MORE: f64 = 1.0 / 64.0;

/// The square of a range, as coarse as squares of distances are.
#[inline(always)]
pub(super) fn square<L: Lane>(range: L) -> L {
    let range = range.smaller(L::splat(L::Num::from_f64(44.0)));
    range.mul_coarse(range)
}

/// The agents of a block.
pub(super) struct Members<'a, L: Lane> {
    pub(super) block_traits: BlockTraits<'a, L::Num>,
    /// Row of the first one, and how many there are.
    pub(super) row: usize,
    pub(super) count: usize,
    pub(super) pos: [L; 2],
}

/// All agents, as they look at each other.
#[derive(Clone, Copy)]
pub(super) struct Crowd<'a, N> {
    /// Empty when agents are alike.
    pub(super) bodies: &'a [Body<N>],
    pub(super) marks: &'a [Mark<N>],
}

/// The agents of a block, as near agents see them.
#[inline(always)]
pub(super) fn block<L: Lane>(
    crowd: &Crowd<'_, L::Num>,
    block_traits: &BlockTraits<'_, L::Num>,
    row: usize,
    pos: [L; 2],
) -> Block<L> {
    let marks = &crowd.marks[row..row + L::WIDTH];
    let [x, y, soft, _] = looks::<L>(|i| marks[i]);
    Block {
        pos,
        heading: [x, y],
        soft,
        radius: block_traits.radius(),
        reach: block_traits.lanes(|t| t.approach_range),
        rate: block_traits.lanes(|t| t.approach_rate),
        chooses: block_traits.mask::<L>(Traits::is_free),
        pushes: block_traits.mask::<L>(|t| t.avoidance == Avoidance::Separation),
    }
}

/// Heading, `soft` and radius of the agents with these marks.
#[inline(always)]
pub(super) fn looks<L: Lane>(mut mark: impl FnMut(usize) -> Mark<L::Num>) -> [L; 4] {
    L::fours_from_fn(|i| {
        let [x, y, soft, radius, ..] = mark(i);
        [x, y, soft, radius]
    })
}

/// The share of the contact with a neighbour in every lane that an agent of the block makes up for.
#[inline(always)]
pub(super) fn share<L: Lane, const KIND: u8>(
    block_traits: &BlockTraits<'_, L::Num>,
    bodies: &[Body<L::Num>],
    slot: &Slot,
) -> L {
    if KIND == ALL {
        let layer = L::Int::from_fn(|i| block_traits.traits(i).layer as i32);
        let avoids = L::Int::from_fn(|i| block_traits.traits(i).avoids as i32);
        let body = |i: usize| &bodies[slot[i] as usize];
        let weight = L::from_fn(|i| body(i).weight);
        let other_layer = L::Int::from_fn(|i| body(i).layer as i32);
        let other_avoids = L::Int::from_fn(|i| body(i).avoids as i32);
        let own = block_traits.lanes(|t| t.weight);
        separate::share([own, weight], [layer, avoids], [other_layer, other_avoids])
    } else {
        L::one()
    }
}

/// How the agents of a block turn.
#[derive(Clone, Copy)]
pub(super) struct Turn<L> {
    /// Velocities before the move, in m/s.
    pub(super) former: [L; 2],
    /// The share of what a velocity has across the former one that is kept back, between 0 and 1.
    pub(super) kept: L,
}

impl<L: Lane> Turn<L> {
    /// What is left of these velocities.
    #[inline(always)]
    pub(super) fn of(self, next: [L; 2]) -> [L; 2] {
        motion::steady(next, self.former, self.kept)
    }
}

/// Velocities of a block that bring no agent nearer to others than the gaps between them allow, nor to a
/// wall: one that neighbours lead aside into it would slide along it, into others. Agents turn before the
/// last round, so that limits hold.
#[inline(always)]
pub(super) fn obey<L: Lane, const KIND: u8>(
    crowd: &Crowd<'_, L::Num>,
    block_traits: &BlockTraits<'_, L::Num>,
    row: usize,
    [pos, vel]: [[L; 2]; 2],
    turn: Option<Turn<L>>,
    near: &[Slot],
    wall: Option<Limit<L>>,
    limits: &mut Vec<[L::Num; 4 * BLOCK]>,
) -> [L; 2] {
    let block = block::<L>(crowd, block_traits, row, pos);
    let mut obeying = vel;
    limits.clear();
    let limits_of_near = near.iter().map(|slot| {
        let share = share::<L, KIND>(block_traits, crowd.bodies, slot).smaller(L::one());
        let mark = L::eights_from_fn(|i| crowd.marks[slot[i] as usize]);
        approach::limit(&block, mark, share)
    });
    for limit in limits_of_near.chain(wall) {
        obeying = approach::obey(obeying, &limit);
        limits.push(store(limit));
    }
    if let Some(turn) = turn {
        obeying = turn.of(obeying);
    }
    for _ in 1..ROUNDS {
        for lanes in &*limits {
            obeying = approach::obey(obeying, &load(lanes));
        }
    }
    if block.chooses.any() {
        let part = limits.iter().fold(L::one(), |part, lanes| {
            let Limit { normal, bound, .. } = load(lanes);
            approach::bounded(obeying, normal, bound, part)
        });
        obeying = obeying.each(|c| c * part);
    }
    let heeds = block_traits.mask::<L>(|t| t.avoidance != Avoidance::None);
    [0, 1].each(|i| L::select(heeds, obeying[i], vel[i]))
}

/// The limits of a block, to keep.
#[inline(always)]
fn store<L: Lane>(Limit { normal: [x, y], most, bound }: Limit<L>) -> [L::Num; 4 * BLOCK] {
    let mut lanes = [L::Num::ZERO; 4 * BLOCK];
    for (i, column) in [x, y, most, bound].into_iter().enumerate() {
        column.store(&mut lanes[i * BLOCK..]);
    }
    lanes
}

/// The limits of a block that were kept.
#[inline(always)]
fn load<L: Lane>(lanes: &[L::Num; 4 * BLOCK]) -> Limit<L> {
    let [x, y, most, bound] = Make::make(|i| L::load(&lanes[i * BLOCK..]));
    Limit { normal: [x, y], most, bound }
}
