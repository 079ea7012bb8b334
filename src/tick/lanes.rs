//! Lanes: an agent with oncoming agents ahead turns to the side where fewer come, and a little
//! to the right where both are alike; an agent with slow agents ahead turns to a side that is freer.
//!
//! A raster of blocks of about a metre holds the sum of the headings of all agents under way, and of
//! the shares of their speeds that slow agents have lost, in whole numbers, so that their order does
//! not matter. Agents look at it in three directions (straight, and [`ASIDE`] to each side), in two
//! distances each; what counts is the density that comes against the own heading, the nearer one
//! twice. So lanes form in a crowd before discs touch (Helbing and Molnár 1995 describe the effect;
//! there it comes from pushes). Of slow agents it counts by how much fewer there are on a side than
//! straight ahead, where a wall is as good as a crowd: so a queue uses the whole width of a gate, and
//! in the middle of one no agent turns. Agents that keep a time gap step aside by that: while they walk
//! they turn for agents straight ahead alone, to the right; with turns to the freer side they left half
//! of their half of a corridor empty beside the other stream, and took 397 s for 336. In a queue they
//! turn to the freer side too, or the door that they prefer lets less through. Agents with foes do not
//! queue.
//!
//! Tried and lost: five directions, six distances and bilinear samples (no better); turns that are
//! smoothed over half a second (corridors jam); neighbours within a metre in place of the raster (too late).

use crate::data::Column;
use crate::kernel::approach::polar;
use crate::lane::{BLOCK as LANES, IntLane, Lane, Mask, Numbers};
use crate::math::Num;
use crate::math::each::Each;
use crate::par;
use crate::space::Grid;
use crate::tick::block_traits::{BlockTraits, all_share};
use crate::tick::courses::{Bound, Courses};
use crate::tick::strip::Strip;
use crate::tick::walls::Walls;
use crate::tick::{CHUNK, courses, marks};
use crate::world::World;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU16, AtomicU64};

/// Blocks per agent up to which all blocks are emptied after use, not only the ones with agents.
const CLEAR_ALL: usize = 8;
/// Width of a block in metres, unless there would be too many.
const BLOCK: f64 = 1.0;
/// Blocks at most.
const MAX_BLOCKS: f64 = 4_194_304.0;
/// Distances at which agents look, in radii, and the weight of what is there.
const LOOKS: [(f64, f64); 2] = [(5.0, 1.0), (10.0, 0.5)];
/// Cosine and sine of the angle to each side, 0.6 rad.
const ASIDE: [f64; 2] = [0.825_336, 0.564_642];
/// Largest turn, as a tangent.
const MAX_TURN: f64 = 0.684;
/// Speed along its desired direction above which an agent walks and is in no queue, in desired speeds.
const WALKS: f64 = 0.125;
/// Turn to the right of an agent with others straight ahead, as a tangent, from the density at
/// which it is whole, in agents a square metre.
const RIGHT: f64 = 0.31;
/// See [`RIGHT`].
const DENSE: f64 = 0.5;
/// Units of a heading in the raster.
const UNIT: f64 = 256.0;
/// An agent is slow that has lost more than this share of its speed, in 256ths.
const SLOW: i32 = 128;
/// Weight of slow agents beside oncoming ones.
const QUEUE: f64 = 1.0;
/// Least width of a tile in metres, and tiles at most.
const TILE: f64 = 8.0;
/// See [`TILE`].
const MAX_TILES: f64 = 16_384.0;

/// The raster, and which headings there are in every tile of the map and around it, as a bit for each
/// eighth of a turn: most agents need look no further. All zero between uses.
#[derive(Debug, Default)]
pub(super) struct Momentum {
    blocks: Vec<AtomicU64>,
    tiles: Vec<AtomicU16>,
    around: Vec<u16>,
}

/// The sums mean nothing between ticks.
impl Clone for Momentum {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The shape of the raster.
struct Plan<'a, N: Numbers> {
    world: &'a World<N>,
    momentum: &'a [AtomicU64],
    walls: Walls<'a, N>,
    blocks: Shape<N>,
    tiles: Shape<N>,
    /// Blocks per square metre over [`UNIT`]: from sums to densities.
    density: N,
    courses: Courses<'a, N>,
    /// Whether all groups have agents of the same radius and time gap.
    alike: bool,
}

/// A raster: parts per metre, and parts to a side.
#[derive(Clone, Copy)]
struct Shape<N> {
    scale: N,
    width: i32,
    height: i32,
}

impl<N: Numbers> Shape<N> {
    /// Parts of so many metres, or wider ones where there would be more than `most`.
    fn new(world: &World<N>, least: f64, most: f64) -> (f64, Self) {
        let size = |cells: u32| f64::from(cells) * world.ground.map.cell_size();
        let [width, height] = [world.ground.map.width(), world.ground.map.height()].each(size);
        let side = least.max((width * height / most).sqrt() * 1.01);
        let [across, down] = [width, height].each(|metres| (metres / side).ceil() as i32 + 1);
        (side, Self { scale: N::from_f64(1.0 / side), width: across, height: down })
    }

    fn parts(self) -> usize {
        (self.width * self.height) as usize
    }

    /// The parts in which points lie; points off the map lie in its outermost ones.
    #[inline(always)]
    fn of<L: Lane<Num = N>>(self, pos: [L; 2]) -> L::Int {
        let clamp = |x: L, most: i32| {
            let most = L::from_int(L::Int::splat(most - 1));
            (x * L::splat(self.scale)).larger(L::zero()).smaller(most).floor_int()
        };
        let [x, y] = [clamp(pos[0], self.width), clamp(pos[1], self.height)];
        y * L::Int::splat(self.width) + x
    }
}

/// What `number` gives for the eighth of a turn in which headings lie, 0 to 7.
#[inline(always)]
fn by_octant<L: Lane>([x, y]: [L; 2], number: impl Fn(u32) -> i32) -> L::Int {
    let flat = y.abs().lt(x.abs());
    let (left, up) = (x.lt(L::zero()), y.lt(L::zero()));
    let turned = |one, other| {
        let [one, other] = [one, other].each(|octant| L::Int::splat(number(octant)));
        L::Int::select(flat, one, other)
    };
    L::Int::select(
        up,
        L::Int::select(left, turned(4, 5), turned(7, 6)),
        L::Int::select(left, turned(3, 2), turned(0, 1)),
    )
}

/// The octants, counted from an agent's own, that are two or more away: of an octant beside the own one
/// no heading is against any in it.
const AGAINST: u8 = 0b0111_1100;
/// The bit of slow agents, after the bits of the octants.
const SLOW_ONES: i32 = 1 << 8;

pub(super) fn run<L: Lane>(
    world: &World<L::Num>,
    grid: &Grid<L::Num>,
    strip: &Strip,
    momentum: &mut Momentum,
    desired: &mut Column<[L::Num; 2]>,
) {
    if !may_form(world) {
        return;
    }
    let (block, blocks) = Shape::new(world, BLOCK, MAX_BLOCKS);
    let (_, tiles) = tiles(world, block);
    let Momentum { blocks: momentum, tiles: noted, around } = momentum;
    momentum.resize_with(blocks.parts(), AtomicU64::default);
    noted.resize_with(tiles.parts(), AtomicU16::default);
    let density = L::Num::from_f64(1.0 / (UNIT * block * block));
    let plan = Plan {
        world,
        momentum: &momentum[..],
        walls: Walls::new(&world.ground),
        blocks,
        tiles,
        density,
        courses: Courses::new(&world.groups, &world.routes),
        alike: all_share(&world.groups, |t| [t.radius, t.headway]),
    };
    let is_alone = are_apart(grid, blocks);
    let turns = if is_alone { 2 } else { 1 };
    for turn in 0..turns {
        par::bands(grid.bands(), strip.sight.clone(), (), &|band, first, ()| {
            if band % turns == turn {
                let rows = first..grid.bands()[band] as usize;
                add::<L>(&plan, noted, desired.padded(), rows, is_alone);
            }
        });
    }
    spread(tiles, noted, around);
    let padded =
        |rows: &Range<usize>| rows.start..rows.start + rows.len().next_multiple_of(L::WIDTH);
    let own = padded(&strip.rows);
    let (first, desired) = (own.start, &mut desired.padded_mut()[own]);
    par::chunks_from(first, desired.len(), CHUNK, desired, &|_, first, desired| {
        for at in (0..desired.len()).step_by(L::WIDTH) {
            turn::<L>(&plan, around, first + at, &mut desired[at..at + L::WIDTH]);
        }
    });
    let seen = padded(&strip.seen);
    if momentum.len() <= CLEAR_ALL * seen.len() {
        par::chunks(momentum.len(), CHUNK, &mut momentum[..], &|_, _, momentum| {
            momentum.iter_mut().for_each(|sum| *sum.get_mut() = 0);
        });
        return;
    }
    par::chunks_from(seen.start, seen.len(), CHUNK, (), &|_, first, ()| {
        for row in (first..seen.end.min(first + CHUNK)).step_by(L::WIDTH) {
            let (x, y) = L::load_pairs(&world.agents.rows.pos.padded()[row..]);
            let blocks = plan.blocks.of([x, y]);
            (0..L::WIDTH).for_each(|i| plan.momentum[blocks.get(i) as usize].store(0, Relaxed));
        }
    });
}

/// Whether there are groups whose agents may meet.
fn may_form<N: Numbers>(world: &World<N>) -> bool {
    let under_way = |group: usize| {
        world.groups.list[group].members > 0 && courses::goes_somewhere(&world.groups.traits[group])
    };
    (0..world.groups.list.len()).filter(|&group| under_way(group)).count() >= 2
}

/// Tiles, with their side, beside blocks of a side: no agent looks farther than to the tiles around its own.
fn tiles<N: Numbers>(world: &World<N>, block: f64) -> (f64, Shape<N>) {
    let radius = world.groups.list.iter().map(|group| group.def.radius).fold(0.0, f64::max);
    let farthest = LOOKS.iter().fold(0.0, |most: f64, (far, _)| most.max(far * radius));
    Shape::new(world, TILE.max(farthest + 2.0 * block), MAX_TILES)
}

/// From how far away agents count, in metres; `None` where no lanes form.
pub(super) fn sight<N: Numbers>(world: &World<N>) -> Option<f64> {
    let (block, _) = Shape::new(world, BLOCK, MAX_BLOCKS);
    may_form(world).then(|| 2.0 * tiles(world, block).0)
}

/// Whether bands of agents share no block with the band after the next one.
fn are_apart<N: Numbers>(grid: &Grid<N>, blocks: Shape<N>) -> bool {
    let block_row = |y: N| blocks.of([N::ZERO, y].each(N::Single::splat)).get(0) / blocks.width;
    let rows = |band: usize| grid.band_rows(band);
    let bands = grid.bands().len();
    (2..bands).all(|band| {
        let (upper, lower) = (rows(band - 2).end - 1, rows(band).start);
        block_row(grid.row_span(upper)[1]) < block_row(grid.row_span(lower)[0])
    })
}

/// Joins, for every tile, what was noted in it and in the eight around it; clears what was noted.
fn spread<N: Numbers>(tiles: Shape<N>, noted: &mut [AtomicU16], around: &mut Vec<u16>) {
    let (width, height) = (tiles.width as usize, tiles.height as usize);
    around.clear();
    around.resize(noted.len(), 0);
    for y in 0..height {
        for x in 0..width {
            let own = std::mem::take(noted[y * width + x].get_mut());
            if own != 0 {
                for row in y.saturating_sub(1)..height.min(y + 2) {
                    for column in x.saturating_sub(1)..width.min(x + 2) {
                        around[row * width + column] |= own;
                    }
                }
            }
        }
    }
}

impl<N: Numbers> Plan<'_, N> {
    /// The density that comes against headings at points, and of slow agents, in agents a
    /// square metre.
    #[inline(always)]
    fn seen<L: Lane<Num = N>>(&self, pos: [L; 2], heading: [L; 2]) -> [L; 2] {
        let blocks = self.blocks.of(pos);
        let mut sums = [0; 8];
        for (i, sum) in sums.iter_mut().enumerate().take(L::WIDTH) {
            *sum = self.momentum[blocks.get(i) as usize].load(Relaxed);
        }
        let [x, y, slow] = parts::<L>(&sums);
        let density = L::splat(self.density);
        let [x, y] = [L::from_int(x) * density, L::from_int(y) * density];
        let slow = L::from_int(slow) * density;
        [(L::zero() - (x * heading[0] + y * heading[1])).larger(L::zero()), slow]
    }
}

/// One sum for a block in every lane: headings along x and y in 22 and 21 bits, and how slow in the
/// lowest 21.
#[inline(always)]
fn words<L: Lane>([x, y, slow]: [L::Int; 3]) -> [u64; LANES] {
    // 11 bits of y are in the lower half; a negative one takes one from x.
    let low = y.shift_left::<21>().or(slow);
    L::Int::joined([low, x.shift_left::<10>() + y.shift_right::<11>()])
}

/// Takes sums of [`words`] apart: headings along x and y, and how slow, in every lane.
#[inline(always)]
fn parts<L: Lane>(sums: &[u64]) -> [L::Int; 3] {
    let [low, high] = L::Int::halves(sums);
    let slow = low.and(L::Int::splat(0x1f_ffff));
    // 10 of its bits are in the upper half, 11 in the lower one.
    let lower = low.shift_right::<10>().and(L::Int::splat(0x003f_f800));
    let y = high.shift_left::<22>().or(lower).shift_right::<11>();
    // A negative y has taken one from x.
    let x = high.shift_right::<10>() - y.shift_right::<31>();
    let (least, most) = (L::Int::splat(-16_383), L::Int::splat(16_383));
    [x.limit(least, most), y.limit(least, most), slow.smaller(most)]
}

/// Adds the headings of some rows; `is_alone` when no other thread adds to their blocks meanwhile.
fn add<L: Lane>(
    plan: &Plan<'_, L::Num>,
    noted: &[AtomicU16],
    desired: &[[L::Num; 2]],
    rows: Range<usize>,
    is_alone: bool,
) {
    let agents = &plan.world.agents.rows;
    for row in rows.clone().step_by(L::WIDTH) {
        let count = L::WIDTH.min(rows.end - row);
        let tags = &agents.tag.padded()[row..row + L::WIDTH];
        let walking = Bound::<L>::new(&plan.courses, tags).walk().bits() & ((1 << count) - 1);
        let (x, y) = L::load_pairs(&agents.pos.padded()[row..]);
        let (blocks, tiles) = (plan.blocks.of([x, y]), plan.tiles.of([x, y]));
        let (speed, heading, stands) = polar::<L>(L::load_pairs(&desired[row..]).into());
        let vel: [L; 2] = L::load_pairs(&agents.vel.padded()[row..]).into();
        let lost = (speed - vel[0] * heading[0] - vel[1] * heading[1]).larger(L::zero());
        let slow = lost.smaller(speed).ratio(L::select(stands, L::one(), speed));
        let [x, y, slow] = [heading[0], heading[1], slow]
            .each(|h| (h * L::splat(L::Num::from_f64(UNIT))).floor_int());
        let is_slow = L::Int::splat(SLOW).less(slow);
        let only_slow = |number: L::Int| L::Int::select(is_slow, number, L::Int::splat(0));
        let slow = only_slow(slow);
        let bits = by_octant(heading, |octant| 1 << octant).or(only_slow(L::Int::splat(SLOW_ONES)));
        let sums = words::<L>([x, y, slow]);
        let add = |i: usize| {
            let (tile, bits) = (&noted[tiles.get(i) as usize], bits.get(i) as u16);
            if tile.load(Relaxed) & bits != bits {
                tile.fetch_or(bits, Relaxed);
            }
            let block = &plan.momentum[blocks.get(i) as usize];
            match is_alone {
                true => block.store(block.load(Relaxed).wrapping_add(sums[i]), Relaxed),
                false => _ = block.fetch_add(sums[i], Relaxed),
            }
        };
        match walking == (1 << L::WIDTH) - 1 {
            true => (0..L::WIDTH).for_each(add),
            false => (0..count).filter(|i| walking >> i & 1 == 1).for_each(add),
        }
    }
}

/// Turns the desired velocities of a block.
#[inline(always)]
fn turn<L: Lane>(plan: &Plan<'_, L::Num>, around: &[u16], row: usize, desired: &mut [[L::Num; 2]]) {
    let n = |value: f64| L::splat(L::Num::from_f64(value));
    let (x, y) = L::load_pairs(&plan.world.agents.rows.pos.padded()[row..]);
    let wanted: [L; 2] = L::load_pairs(desired).into();
    let tiles = plan.tiles.of([x, y]);
    let found = L::Int::from_fn(|i| i32::from(around[tiles.get(i) as usize]));
    let against = by_octant(wanted, |octant| i32::from(AGAINST.rotate_left(octant)));
    let meets = !found.and(against.or(L::Int::splat(SLOW_ONES))).equal(L::Int::splat(0));
    let tags = &plan.world.agents.rows.tag.padded()[row..row + L::WIDTH];
    let groups = &plan.world.groups;
    let bound = Bound::<L>::new(&plan.courses, tags);
    let mut under_way = meets & bound.walk();
    if bound.has(courses::ORCA).any() {
        under_way = under_way & !L::Mask::from_fn(|i| marks::trusts(groups, tags[i]));
    }
    if !under_way.any() {
        return;
    }
    let (speed, [ex, ey], _) = polar(wanted);
    let [cos, sin] = ASIDE.each(n);
    let ways = [
        [ex * cos + ey * sin, ey * cos - ex * sin],
        [ex, ey],
        [ex * cos - ey * sin, ey * cos + ex * sin],
    ];
    let block_traits = BlockTraits::shared(tags, groups, plan.alike || bound.uniform);
    let radius = block_traits.lanes::<L>(|t| t.radius);
    let sums = ways.each(|[to_x, to_y]| {
        LOOKS.iter().fold([L::zero(); 2], |sums, &(far, weight)| {
            let at = [x + to_x * (radius * n(far)), y + to_y * (radius * n(far))];
            let [against, slow] = plan.seen(at, [ex, ey]);
            [sums[0] + against * n(weight), sums[1] + slow * n(weight)]
        })
    });
    let [left, ahead, right] = sums.each(|[against, _]| against);
    // A side counts as far as it is freer than the way ahead.
    let freer = |side: usize| {
        let gain = (sums[1][1] - sums[side][1]).larger(L::zero()) * n(QUEUE);
        if !L::zero().lt(gain).any() {
            return L::zero();
        }
        let [to_x, to_y] = ways[side];
        let far = radius * n(LOOKS[0].0);
        if !plan.walls.within_metres([x, y], far).any() {
            return gain;
        }
        let wall = plan.walls.stand_at([x + to_x * far, y + to_y * far]);
        L::select(wall, L::zero(), gain)
    };
    let queues = bound.has(courses::QUEUES);
    let aside = match queues.any() {
        true => L::select(queues, freer(2) - freer(0), L::zero()),
        false => L::zero(),
    };
    let any = (L::zero().lt(left + ahead + right) | L::zero().lt(aside.abs())) & under_way;
    if !any.any() {
        return;
    }
    let free = (left - right + aside).larger(-L::one()).smaller(L::one()) * n(MAX_TURN);
    let keeps_gap = L::zero().lt(block_traits.lanes::<L>(|t| t.headway));
    let vel: [L; 2] = L::load_pairs(&plan.world.agents.rows.vel.padded()[row..]).into();
    let walks = (speed * n(WALKS)).lt(vel[0] * ex + vel[1] * ey);
    let free = L::select(keeps_gap & walks, L::zero(), free);
    let right = ahead.smaller(n(DENSE)) * n(RIGHT / DENSE);
    let turn = (free + right).larger(n(-MAX_TURN)).smaller(n(MAX_TURN));
    let length = L::length(L::one(), turn);
    let (along, aside) = (L::one().ratio(length) * speed, turn.ratio(length) * speed);
    let turned = [ex * along - ey * aside, ey * along + ex * aside];
    let turned = [0, 1].each(|i| L::select(any, turned[i], wanted[i]));
    L::store_pairs(turned[0], turned[1], desired);
}

#[cfg(test)]
mod tests {
    use super::{AGAINST, AtomicU16, Shape, by_octant, parts, spread, words};
    use crate::lane::{F32x8, Int8, IntLane};
    use crate::math::{Fx, Num, hash2};
    use std::num::Wrapping;

    /// Two headings that are against each other lie in octants of which each says so of the other.
    #[test]
    fn headings_that_are_against_each_other_are_in_octants_that_are() {
        let ways = || (-8..=8).flat_map(|x| (-8..=8).map(move |y| [x, y]));
        let octants = |way: [i32; 2]| {
            let [x, y] = way.map(f64::from);
            let Wrapping(single) = by_octant([x as f32, y as f32], |octant| octant as i32);
            let Wrapping(fixed) =
                by_octant([Fx::from_f64(x), Fx::from_f64(y)], |octant| octant as i32);
            assert_eq!(single, fixed, "{way:?}");
            assert!((0..8).contains(&single), "{way:?}");
            single as u32
        };
        let mut alike = 0;
        for one in ways() {
            for other in ways() {
                let counts = (1_u8 << octants(other)).rotate_right(octants(one)) & AGAINST != 0;
                let against = one[0] * other[0] + one[1] * other[1] < 0;
                assert!(counts || !against, "{one:?} and {other:?}");
                alike += u32::from(!counts);
            }
        }
        assert!(alike > 20_000, "most that head the same way need not look: {alike} of 83,521");
    }

    /// Sums of many agents come apart again, also where parts are negative, in lanes as in one lane.
    #[test]
    fn sums_come_apart() {
        let part = |i: u64, axis| (hash2(i, axis) % 4_001) as i32 - 2_000;
        let mut sums = [0_u64; 8];
        let mut expected = [[0_i32; 3]; 8];
        for i in 0..24 {
            let added = [part(i, 0), part(i, 1), part(i, 2).abs()];
            let lane = i as usize % 8;
            let lanes = added.map(|part| Int8::from_fn(|i| if i == lane { part } else { 7 }));
            let word = words::<F32x8>(lanes)[lane];
            assert_eq!(word, words::<f32>(added.map(Wrapping))[0], "{added:?}");
            sums[lane] = sums[lane].wrapping_add(word);
            expected[lane] = std::array::from_fn(|k| expected[lane][k] + added[k]);
        }
        let wide = parts::<F32x8>(&sums);
        for (lane, expected) in expected.iter().enumerate() {
            assert_eq!(wide.map(|part| part.get(lane)), *expected, "lane {lane}");
            assert_eq!(
                parts::<f32>(&sums[lane..]).map(|part| part.0),
                *expected,
                "lane {lane} alone"
            );
        }
    }

    /// A tile has the headings of its own and of the eight around it, and what was noted is forgotten.
    #[test]
    fn tiles_have_the_headings_around_them() {
        let (width, height) = (9, 7);
        let noted_at = |x: i32, y: i32| -> u16 {
            let is_on_map = (0..width).contains(&x) && (0..height).contains(&y);
            let bits = hash2(x as u64, y as u64);
            if is_on_map && bits.is_multiple_of(3) { 1 << ((bits >> 8) % 9) } else { 0 }
        };
        let all = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let mut noted: Vec<_> = all().map(|(x, y)| AtomicU16::new(noted_at(x, y))).collect();
        let mut around = vec![0x1ff; 3];
        spread(Shape { scale: 1.0_f32, width, height }, &mut noted, &mut around);
        for ((x, y), found) in all().zip(around) {
            let near = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
            let expected = near.fold(0, |bits, (x, y)| bits | noted_at(x, y));
            assert_eq!(found, expected, "{x}, {y}");
        }
        assert!(noted.iter_mut().all(|bits| *bits.get_mut() == 0));
    }
}
