//! Lanes: an agent with oncoming agents ahead turns to the side where fewer come, and a little
//! to the right where both are alike; an agent with slow agents ahead turns to a side that is freer.
//!
//! A raster of blocks of about a metre holds the sum of the headings of all agents under way, and of
//! the shares of their speeds that slow agents have lost, in whole numbers, so that their order does
//! not matter. Everybody looks at it in three directions (straight, and [`ASIDE`] to each side), in two
//! distances each; what counts is the density that comes against the own heading, the nearer one
//! twice. So lanes form in a crowd before discs touch (Helbing and Molnár 1995 describe the effect;
//! there it comes from pushes). Of slow agents it counts by how much fewer there are on a side than
//! straight ahead, where a wall is as good as a crowd: so a queue uses the whole width of a gate, and
//! in the middle of one nobody turns. Agents that keep a time gap step aside by that, and agents with
//! foes do not queue.
//!
//! Tried and lost: five directions, six distances and bilinear samples (no better); turns that are
//! smoothed over half a second (corridors jam); neighbours within a metre in place of the raster (too late).

use crate::data::Column;
use crate::kernel::approach::polar;
use crate::lane::{IntLane, Lane, Mask, Numbers};
use crate::math::Num;
use crate::par;
use crate::tick::walls::Walls;
use crate::tick::{CHUNK, marks};
use crate::world::{Tag, World};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU16};

/// Width of a block in metres, unless there would be too many.
const BLOCK: f64 = 1.0;
/// Blocks at most.
const MAX_BLOCKS: f64 = 4_194_304.0;
/// Distances at which everybody looks, in radii, and what counts there.
const LOOKS: [(f64, f64); 2] = [(5.0, 1.0), (10.0, 0.5)];
/// Cosine and sine of the angle to each side, 0.6 rad.
const ASIDE: [f64; 2] = [0.825_336, 0.564_642];
/// Largest turn, as a tangent.
const MAX_TURN: f64 = 0.684;
/// Turn to the right of an agent with others straight ahead, as a tangent, from the density at
/// which it is whole, in agents a square metre.
const RIGHT: f64 = 0.31;
/// See [`RIGHT`].
const DENSE: f64 = 0.5;
/// Units of a heading in the raster.
const UNIT: f64 = 256.0;
/// From which share of its speed, in 256ths, that an agent has lost it is slow.
const SLOW: i32 = 128;
/// What slow agents count beside oncoming ones.
const QUEUE: f64 = 1.0;
/// Least width of a tile in metres, and tiles at most.
const TILE: f64 = 8.0;
/// See [`TILE`].
const MAX_TILES: f64 = 16_384.0;

/// The raster, and which headings there are in every tile of the map and around it, as a bit for each
/// eighth of a turn: most agents need look no further. All zero between uses.
#[derive(Debug, Default)]
pub(super) struct Momentum {
    blocks: Vec<AtomicI64>,
    tiles: Vec<AtomicU16>,
    around: Vec<u16>,
}

/// It means nothing between ticks.
impl Clone for Momentum {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The shape of the raster.
struct Plan<'a, N: Numbers> {
    world: &'a World<N>,
    momentum: &'a [AtomicI64],
    walls: Walls<'a, N>,
    blocks: Shape<N>,
    tiles: Shape<N>,
    /// Blocks per square metre over [`UNIT`]: from sums to densities.
    density: N,
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
        let [width, height] = [world.ground.map.width(), world.ground.map.height()].map(size);
        let side = least.max((width * height / most).sqrt() * 1.01);
        let [across, down] = [width, height].map(|metres| (metres / side).ceil() as i32 + 1);
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

/// The eighth of a turn in which headings lie, 0 to 7.
#[inline(always)]
fn octant<L: Lane>([x, y]: [L; 2]) -> L::Int {
    let flat = y.abs().lt(x.abs());
    let (left, up) = (x.lt(L::zero()), y.lt(L::zero()));
    let turned = |one, other| L::Int::select(flat, L::Int::splat(one), L::Int::splat(other));
    L::Int::select(
        up,
        L::Int::select(left, turned(4, 5), turned(7, 6)),
        L::Int::select(left, turned(3, 2), turned(0, 1)),
    )
}

/// The octants, counted from an agent's own, that are two or more away: of an octant beside the own one
/// no heading is against any in it.
const AGAINST: u8 = 0b0111_1100;

pub(super) fn run<L: Lane>(
    world: &World<L::Num>,
    momentum: &mut Momentum,
    desired: &mut Column<[L::Num; 2]>,
) where
    L::Num: Numbers,
{
    let under_way = |group: usize| {
        world.groups.list[group].members > 0 && marks::goes_somewhere(&world.groups.traits[group])
    };
    if (0..world.groups.list.len()).filter(|&group| under_way(group)).count() < 2 {
        return;
    }
    let (block, blocks) = Shape::new(world, BLOCK, MAX_BLOCKS);
    let radius = world.groups.list.iter().map(|group| group.def.radius).fold(0.0, f64::max);
    let farthest = LOOKS.iter().fold(0.0, |most: f64, (far, _)| most.max(far * radius));
    let (_, tiles) = Shape::new(world, TILE.max(farthest + 2.0 * block), MAX_TILES);
    let Momentum { blocks: momentum, tiles: noted, around } = momentum;
    momentum.resize_with(blocks.parts(), AtomicI64::default);
    noted.resize_with(tiles.parts(), AtomicU16::default);
    let density = L::Num::from_f64(1.0 / (UNIT * block * block));
    let plan = Plan {
        world,
        momentum: &momentum[..],
        walls: Walls::new(&world.ground),
        blocks,
        tiles,
        density,
    };
    let rows = world.len().next_multiple_of(L::WIDTH);
    let all = desired.padded();
    par::chunks(rows, CHUNK, (), &|chunk, first, ()| {
        add::<L>(&plan, noted, all, first..rows.min((chunk + 1) * CHUNK));
    });
    spread(tiles, noted, around);
    par::chunks(rows, CHUNK, &mut desired.padded_mut()[..rows], &|_, first, desired| {
        for at in (0..desired.len()).step_by(L::WIDTH) {
            turn::<L>(&plan, around, first + at, &mut desired[at..at + L::WIDTH]);
        }
    });
    par::chunks(rows, CHUNK, (), &|chunk, first, ()| {
        for row in (first..rows.min((chunk + 1) * CHUNK)).step_by(L::WIDTH) {
            let (x, y) = L::load_pairs(&world.agents.rows.pos.padded()[row..]);
            let blocks = plan.blocks.of([x, y]);
            (0..L::WIDTH).for_each(|i| plan.momentum[blocks.get(i) as usize].store(0, Relaxed));
        }
    });
}

/// For every tile what was noted in it and in the eight around it, and nothing noted any more.
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
        let mut sums = [[0_i32; 3]; 8];
        for (i, sums) in sums.iter_mut().enumerate().take(L::WIDTH) {
            *sums = parts(self.momentum[blocks.get(i) as usize].load(Relaxed));
        }
        let part = |part: usize| L::from_int(L::Int::from_fn(|i| sums[i][part]));
        let [x, y, slow] = [0, 1, 2].map(|i| part(i) * L::splat(self.density));
        [(L::zero() - (x * heading[0] + y * heading[1])).larger(L::zero()), slow]
    }
}

/// One sum for a block: headings along x and y, and how slow, in 21 bits each.
#[inline(always)]
fn sum([x, y, slow]: [i32; 3]) -> i64 {
    (i64::from(x) << 42).wrapping_add(i64::from(y) << 21).wrapping_add(i64::from(slow))
}

/// What was added up.
#[inline(always)]
fn parts(sum: i64) -> [i32; 3] {
    let slow = sum & 0x1f_ffff;
    let y = (sum - slow) << 22 >> 43;
    let x = (sum - slow - (y << 21)) >> 42;
    [x as i32, y as i32, slow as i32].map(|part| part.clamp(-16_383, 16_383))
}

/// Adds the headings of some rows.
fn add<L: Lane>(
    plan: &Plan<'_, L::Num>,
    noted: &[AtomicU16],
    desired: &[[L::Num; 2]],
    rows: std::ops::Range<usize>,
) where
    L::Num: Numbers,
{
    // Neighbouring rows share a block more often than not.
    let (mut block, mut all) = (0, 0_i64);
    let agents = &plan.world.agents;
    for row in rows.step_by(L::WIDTH) {
        let (x, y) = L::load_pairs(&agents.rows.pos.padded()[row..]);
        let (blocks, tiles) = (plan.blocks.of([x, y]), plan.tiles.of([x, y]));
        let (speed, heading, stands) = polar::<L>(L::load_pairs(&desired[row..]).into());
        let octants = octant(heading);
        let vel: [L; 2] = L::load_pairs(&agents.rows.vel.padded()[row..]).into();
        let lost = (speed - vel[0] * heading[0] - vel[1] * heading[1]).larger(L::zero());
        let slow = lost.smaller(speed).ratio(L::select(stands, L::one(), speed));
        let [x, y, slow] = [heading[0], heading[1], slow]
            .map(|h| (h * L::splat(L::Num::from_f64(UNIT))).floor_int());
        for i in 0..L::WIDTH.min(plan.world.len().saturating_sub(row)) {
            let tag = agents.rows.tag[row + i];
            if !marks::walks(&plan.world.groups, tag) {
                continue;
            }
            let is_slow = slow.get(i) > SLOW;
            let tile = &noted[tiles.get(i) as usize];
            let bits = 1 << octants.get(i) | u16::from(is_slow) << 8;
            if tile.load(Relaxed) & bits != bits {
                tile.fetch_or(bits, Relaxed);
            }
            let own = blocks.get(i) as usize;
            if own != block {
                plan.momentum[block].fetch_add(all, Relaxed);
                (block, all) = (own, 0);
            }
            let slow = if is_slow { slow.get(i) } else { 0 };
            all = all.wrapping_add(sum([x.get(i), y.get(i), slow]));
        }
    }
    plan.momentum[block].fetch_add(all, Relaxed);
}

/// Turns the desired velocities of a block.
#[inline(always)]
fn turn<L: Lane>(plan: &Plan<'_, L::Num>, around: &[u16], row: usize, desired: &mut [[L::Num; 2]])
where
    L::Num: Numbers,
{
    let n = |value: f64| L::splat(L::Num::from_f64(value));
    let (x, y) = L::load_pairs(&plan.world.agents.rows.pos.padded()[row..]);
    let wanted: [L; 2] = L::load_pairs(desired).into();
    let (tiles, octants) = (plan.tiles.of([x, y]), octant(wanted));
    let meets = |i: usize| {
        let found = around[tiles.get(i) as usize];
        found >> 8 != 0 || (found as u8).rotate_right(octants.get(i) as u32) & AGAINST != 0
    };
    let tags = &plan.world.agents.rows.tag.padded()[row..row + L::WIDTH];
    let groups = &plan.world.groups;
    let turns = |tag: Tag| marks::walks(groups, tag) && !marks::trusts(groups, tag);
    let under_way = L::Mask::from_fn(|i| meets(i) && turns(tags[i]));
    if !under_way.any() {
        return;
    }
    let (speed, [ex, ey], _) = polar(wanted);
    let [cos, sin] = ASIDE.map(n);
    let ways = [
        [ex * cos + ey * sin, ey * cos - ex * sin],
        [ex, ey],
        [ex * cos - ey * sin, ey * cos + ex * sin],
    ];
    let radius = L::from_fn(|i| plan.world.groups.traits[usize::from(tags[i].group)].radius);
    let sums = ways.map(|[to_x, to_y]| {
        LOOKS.iter().fold([L::zero(); 2], |sums, &(far, weight)| {
            let at = [x + to_x * (radius * n(far)), y + to_y * (radius * n(far))];
            let [against, slow] = plan.seen(at, [ex, ey]);
            [sums[0] + against * n(weight), sums[1] + slow * n(weight)]
        })
    });
    let [left, ahead, right] = sums.map(|[against, _]| against);
    // A side counts as far as it is freer than the way ahead.
    let freer = |side: usize| {
        let [to_x, to_y] = ways[side];
        let far = radius * n(LOOKS[0].0);
        let wall = plan.walls.stand_at([x + to_x * far, y + to_y * far]);
        let gain = (sums[1][1] - sums[side][1]).larger(L::zero()) * n(QUEUE);
        L::select(wall, L::zero(), gain)
    };
    let queues = L::Mask::from_fn(|i| {
        let traits = &plan.world.groups.traits[usize::from(tags[i].group)];
        traits.headway == L::Num::ZERO && traits.foes == 0
    });
    let aside = L::select(queues, freer(2) - freer(0), L::zero());
    let any = (L::zero().lt(left + ahead + right) | L::zero().lt(aside.abs())) & under_way;
    if !any.any() {
        return;
    }
    let free = (left - right + aside).larger(-L::one()).smaller(L::one()) * n(MAX_TURN);
    let right = ahead.smaller(n(DENSE)) * n(RIGHT / DENSE);
    let turn = (free + right).larger(n(-MAX_TURN)).smaller(n(MAX_TURN));
    let length = L::length(L::one(), turn);
    let (along, aside) = (L::one().ratio(length) * speed, turn.ratio(length) * speed);
    let turned = [ex * along - ey * aside, ey * along + ex * aside];
    let turned = [0, 1].map(|i| L::select(any, turned[i], wanted[i]));
    L::store_pairs(turned[0], turned[1], desired);
}

#[cfg(test)]
mod tests {
    use super::{AGAINST, AtomicU16, Shape, octant, spread};
    use crate::math::{Fx, Num, hash2};

    /// Two headings that are against each other lie in octants of which each says so of the other.
    #[test]
    fn headings_that_are_against_each_other_are_in_octants_that_are() {
        let ways = || (-8..=8).flat_map(|x| (-8..=8).map(move |y| [x, y]));
        let octants = |way: [i32; 2]| {
            let [x, y] = way.map(f64::from);
            let single = octant([x as f32, y as f32]);
            assert_eq!(single, octant([Fx::from_f64(x), Fx::from_f64(y)]), "{way:?}");
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
