//! Crowding: how much longer it takes to cross each part of the map because of the agents there.
//!
//! **What.** The map is cut into square blocks of cells, about a metre wide, or one cell where cells
//! are wider. Of every block and its neighbours (about 3 m in all) two things are counted, in whole
//! numbers, so that their order does not matter: the share of the open ground that agents cover,
//! and how well they get on: how far they came since the last count in the direction that they want
//! to go, as a share of the way at the speed they like, weighted by area. (Velocities say less: in a
//! queue they point ahead, while neighbours push back.) Crossing takes `1 / (1 − b · (1 − u))` times
//! as long, where u is that share, and b rises from 0 where an eighth of the ground is covered to 1
//! at three eighths: a few agents that stand are no obstacle, a column that gets on is none either, and a
//! queue is one in the measure of its slowness, up to 16 times. For standing people of radius 0.2 m these
//! are densities of one and three a square metre.
//!
//! An agent that a field leads needs room to walk and counts with twice its radius: the densities are one
//! and three on four square metres. A queue round a wide corner is slow long before it is dense; without
//! the wider radius its slowness does not count, and crowds keep to the inner side.
//!
//! **In time.** The cost is the mean of the new one and the kept one, so that it follows the crowd
//! within a few updates and does not jump.
//!
//! **For people.** Groups that keep a `time_gap` walk the slower the denser they are, and their routes pay a
//! toll: what crowds add, up to three times the ground's cost, is the mean over the open blocks near a block,
//! so that agents part over the whole width that there is; without that, a free file between two queues
//! draws agents from both sides and is the next queue when they come. And 3.5 times of that is paid, as an
//! agent that joins a queue holds up all behind it (Pigou, "The Economics of Welfare", 1920): so agents go
//! around a corner or to another door before the queue is as long as the way round.
//! Lost for others: corridors of 3 m between two streams take up to 325 s for 235 with ORCA.
//!
//! An agent counts in the block of its centre, with at most 16 m².

use crate::data::bytes::Write;
use crate::map::Map;
use crate::math::Num;
use crate::nav::field::CrowdCosts;
use crate::par;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU64};

/// Widest block in metres, unless a cell is wider.
const BLOCK: f64 = 1.0;
/// Width in metres below which a block's neighbours count too.
const WIDE: f64 = 1.5;
/// Blocks at most; on larger maps they are wider.
const MAX_BLOCKS: u64 = 1 << 22;

/// Rows of blocks that are updated together.
const ROWS: usize = 8;

/// Units of area: 1/1024 m².
const AREA: f64 = 1024.0;
/// Cover of the ground, in 1/256, from which a crowd matters, and from which its speed is all.
const FREE: i64 = 32;
const FULL: i64 = 96;
/// How much wider agents count that a field leads.
const LED: f64 = 2.0;
/// Cost added to the ground's, in 1/16 of it, at most and at least.
const MOST: i64 = 240;
const LEAST: u16 = 4;

/// Cost that counts for the toll at most, in 1/4096 of the ground's, and how many halves of it are paid.
const MOST_TOLLED: u16 = 48 << 8;
const TOLL: u32 = 7;
/// How far it is smoothed to each side along rows and columns, in metres, and how often: much like a bell
/// of a standard deviation of 2.5 m.
const SMOOTH: f64 = 2.0;
const PASSES: usize = 3;

/// The crowding of a map. Empty while no group needs it.
#[derive(Clone, Debug, Default)]
pub struct Crowding {
    /// Cells to a side of a block.
    block: u32,
    /// Blocks from one row of the padded raster to the next.
    stride: usize,
    /// How many blocks on each side count with a block.
    reach: usize,
    /// How far the toll is smoothed to each side, in blocks.
    smooth: usize,
    /// Half the area of a block, in units of area.
    half: i64,
    /// By block: its open ground, and that of it and of the blocks that count with it, in units of area.
    own: Vec<i64>,
    open: Vec<i64>,
    /// By block: the smoothed cost added, in 1/4096 of the ground's.
    kept: Vec<u16>,
    /// By id: where an agent was at the last count, or appeared since.
    past: Past,
    costs: CrowdCosts,
}

/// Cells to a side of a block of a map.
pub(super) fn block_on(map: &Map) -> u32 {
    let mut block = ((BLOCK / map.cell_size()).floor() as u32).max(1);
    let count = |block: u32| {
        u64::from(map.width().div_ceil(block)) * u64::from(map.height().div_ceil(block))
    };
    while count(block) > MAX_BLOCKS {
        block += 1;
    }
    block
}

/// What an agent adds to its block, packed into one number that can be summed: its area in the high
/// half, and in the low half, signed, its area times its progress in 1/256.
#[inline(always)]
pub(crate) fn share(radius: f64, is_led: bool, progress: f64) -> i64 {
    let radius = if is_led { LED * radius } else { radius };
    let area = (std::f64::consts::PI * AREA * radius * radius).min(16.0 * AREA) as i64;
    let speed_factor = (256.0 * progress).clamp(-256.0, 256.0) as i64;
    (area << 32) + ((area * speed_factor) >> 8)
}

/// Positions by id, each written by its own agent alone, so that agents can be counted in parallel.
///
/// Only the tick has a reference to it ([`Crowding::counting`]): it cannot be written through `&World`.
#[derive(Debug, Default)]
pub(crate) struct Past(Vec<AtomicU64>);

impl Past {
    /// Sets where an agent is, by id, and returns where it was.
    #[inline(always)]
    pub(crate) fn moves<N: Num>(&self, id: u32, pos: [N; 2]) -> [N; 2] {
        let past = &self.0[id as usize];
        let was = past.load(Relaxed);
        past.store(bits(pos), Relaxed);
        [N::from_bits((was >> 32) as u32), N::from_bits(was as u32)]
    }
}

impl Clone for Past {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|bits| bits.load(Relaxed).into()).collect())
    }
}

#[inline(always)]
fn block_of([x, y]: [u32; 2], block: u32, stride: usize) -> usize {
    y.div_ceil(block) as usize * stride + x.div_ceil(block) as usize
}

#[inline(always)]
fn bits<N: Num>([x, y]: [N; 2]) -> u64 {
    u64::from(x.bits()) << 32 | u64::from(y.bits())
}

/// What a crowd adds to the cost of ground, in 1/16, from which on agents inside their goal go around it.
const DENSE: u8 = 96;

impl Crowding {
    /// Whether a crowd is in a cell (padded index) that agents go around inside their goal.
    pub(crate) fn is_dense(&self, map: &Map, cell: u32) -> bool {
        self.costs.at([cell % map.stride(), cell / map.stride()]) >= DENSE
    }

    /// What crowds add to the cost of cells.
    pub fn costs(&self) -> &CrowdCosts {
        &self.costs
    }

    /// Cells to a side of a block; 0 while crowding is not counted.
    pub fn block(&self) -> u32 {
        self.block
    }

    /// The smoothed costs, which the next ones depend on.
    pub(crate) fn kept(&self) -> &[u16] {
        &self.kept
    }

    /// How many ids have a position at the last count.
    pub(crate) fn past_len(&self) -> usize {
        self.past.0.len()
    }

    /// Appends where agents were at the last count, by id: the bits of x and y.
    pub(crate) fn write_past(&self, ids: Range<usize>, to: &mut Vec<u8>) {
        for bits in &self.past.0[ids] {
            let bits = bits.load(Relaxed);
            to.u32((bits >> 32) as u32);
            to.u32(bits as u32);
        }
    }

    /// Blocks of the padded raster of a map.
    pub(crate) fn blocks_on(map: &Map) -> usize {
        let block = block_on(map);
        let side = |cells: u32| cells.div_ceil(block) as usize + 2;
        side(map.width()) * side(map.height())
    }

    /// Takes on what was kept: costs by block, and positions by id; none of either while crowding is
    /// not counted.
    ///
    /// # Panics
    /// When there are not as many blocks as on this map.
    pub(crate) fn restore(
        &mut self,
        map: &Map,
        kept: impl ExactSizeIterator<Item = u16>,
        past: impl Iterator<Item = [impl Num; 2]>,
    ) {
        if kept.len() == 0 {
            self.clear();
            return;
        }
        self.lay_out(map);
        assert_eq!(kept.len(), self.kept.len(), "the blocks of this map");
        self.kept.iter_mut().zip(kept).for_each(|(cost, kept)| *cost = kept);
        let bits = past.map(|[x, y]| u64::from(x.bits()) << 32 | u64::from(y.bits()));
        self.past.0.clear();
        self.past.0.extend(bits.map(AtomicU64::new));
        self.price();
    }

    /// Begins to count on a map, with a position for each of so many ids, living or not.
    pub(crate) fn begin(&mut self, map: &Map, ids: usize) {
        self.lay_out(map);
        self.past.0.resize_with(ids, AtomicU64::default);
    }

    /// Sets where a new agent is, by id.
    pub(crate) fn appears<N: Num>(&mut self, id: u32, pos: [N; 2]) {
        let past = &mut self.past.0;
        past.resize_with(past.len().max(id as usize + 1), AtomicU64::default);
        *past[id as usize].get_mut() = bits(pos);
    }

    /// Where agents were, to be written while they are counted, and the block of a cell as by
    /// [`Crowding::index`].
    pub(crate) fn counting(&mut self) -> (&Past, impl Fn([u32; 2]) -> usize + Sync + use<>) {
        let (block, stride) = (self.block, self.stride);
        (&self.past, move |cell| block_of(cell, block, stride))
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.kept.clear();
        self.past.0.clear();
        self.costs.clear();
        self.block = 0;
    }

    /// Lays the blocks out.
    fn lay_out(&mut self, map: &Map) {
        let block = block_on(map);
        self.block = block;
        self.stride = map.width().div_ceil(block) as usize + 2;
        let side = f64::from(block) * map.cell_size();
        self.reach = usize::from(side < WIDE);
        self.smooth = (SMOOTH / side).round() as usize;
        let blocks = self.stride * (map.height().div_ceil(block) as usize + 2);
        self.kept.resize(blocks, 0);
        if self.open.len() == blocks {
            return;
        }
        let area = (map.cell_size() * map.cell_size() * AREA) as i64;
        self.half = i64::from(block * block) * area / 2;
        let mut own = vec![0_i64; blocks];
        for (cell, _) in map.slowness().iter().enumerate().filter(|(_, slowness)| **slowness > 0) {
            let (y, x) = (cell as u32 / map.stride(), cell as u32 % map.stride());
            own[self.index([x, y])] += area;
        }
        let (stride, reach) = (self.stride, self.reach);
        self.open.clear();
        self.open.resize(blocks, 0);
        for y in 1..blocks / stride - 1 {
            let own = &own[(y - reach) * stride..(y + reach + 1) * stride];
            for x in 1..stride - 1 {
                self.open[y * stride + x] = sum(own, x, stride, |&own| own);
            }
        }
        self.own = own;
    }

    /// Takes on that cells of a map (padded indices) have become open, or walls.
    pub(crate) fn map_changed(&mut self, map: &Map, cells: impl Iterator<Item = (u32, bool)>) {
        if self.block == 0 {
            self.open.clear();
            return;
        }
        let area = (map.cell_size() * map.cell_size() * AREA) as i64;
        let (stride, reach, rows) = (self.stride, self.reach, self.open.len() / self.stride);
        for (cell, opens) in cells {
            let block = self.index([cell % map.stride(), cell / map.stride()]);
            let (x, y) = (block % stride, block / stride);
            self.own[block] += if opens { area } else { -area };
            for y in (y - reach).max(1)..=(y + reach).min(rows - 2) {
                for x in (x - reach).max(1)..=(x + reach).min(stride - 2) {
                    self.open[y * stride + x] += if opens { area } else { -area };
                }
            }
        }
    }

    /// Forgets all, and the map.
    pub(crate) fn forget_map(&mut self) {
        self.clear();
        self.open.clear();
    }

    /// The padded block of a padded cell.
    #[inline(always)]
    pub(crate) fn index(&self, cell: [u32; 2]) -> usize {
        block_of(cell, self.block, self.stride)
    }

    /// Blocks of the padded raster.
    pub(crate) fn blocks(&self) -> usize {
        self.kept.len()
    }

    /// Takes new counts, by block: sums of [`share`].
    pub(crate) fn update(&mut self, counts: &[AtomicI64]) {
        let Self { stride, reach, open, kept, .. } = self;
        let (stride, reach) = (*stride, *reach);
        let (rows, blocks) = (kept.len() / stride - 1, kept.len());
        par::chunks(blocks, ROWS * stride, &mut kept[..], &|chunk, _, kept| {
            for (y, kept) in (ROWS * chunk..).zip(kept.chunks_exact_mut(stride)) {
                if (1..rows).contains(&y) {
                    let first = (y - reach) * stride;
                    let counts = &counts[first..(y + reach + 1) * stride];
                    update_row(counts, stride, &open[y * stride..][..stride], kept);
                }
            }
        });
        self.price();
    }

    /// Makes the costs of cells from the smoothed ones.
    fn price(&mut self) {
        let extra = |&kept: &u16| if kept >> 8 < LEAST { 0 } else { (kept >> 8) as u8 };
        self.costs.set(self.block, self.stride as u32, self.kept.iter().map(extra));
    }

    /// What crowds add to the cost of cells for groups that pay the toll.
    pub(crate) fn toll(&self, Toll { costs: [from, to], paid }: &mut Toll) {
        if self.block == 0 {
            paid.clear();
            return;
        }
        let (stride, reach, rows) = (self.stride, self.smooth, self.kept.len() / self.stride - 1);
        let is_open = |block: usize| self.own[block] >= self.half;
        to.clear();
        to.extend(self.kept.iter().map(|&kept| kept.min(MOST_TOLLED)));
        from.resize(to.len(), 0);
        let passes = if reach > 0 { 2 * PASSES } else { 0 };
        for pass in 0..passes {
            let step = [1, stride][pass % 2];
            std::mem::swap(from, to);
            par::chunks(from.len(), ROWS * stride, &mut to[..], &|chunk, _, to| {
                for (y, to) in (ROWS * chunk..).zip(to.chunks_exact_mut(stride)) {
                    if (1..rows).contains(&y) {
                        smooth_row(from, y * stride, step, reach, is_open, to);
                    }
                }
            });
        }
        let extra = |&cost: &u16| match (TOLL * u32::from(cost)) >> 9 {
            extra if extra < u32::from(LEAST) => 0,
            extra => extra as u8,
        };
        paid.set(self.block, stride as u32, to.iter().map(extra));
    }
}

/// Costs for groups that pay the toll. Means nothing between uses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Toll {
    /// By block, in 1/4096 of the ground's, before and after a pass of smoothing.
    costs: [Vec<u16>; 2],
    pub(crate) paid: CrowdCosts,
}

/// A row of costs as means along the row (a step of 1) or the columns (a step of a row), so many blocks to
/// each side up to the first wall. Blocks of walls keep their own.
fn smooth_row(
    from: &[u16],
    first: usize,
    step: usize,
    reach: usize,
    is_open: impl Fn(usize) -> bool,
    to: &mut [u16],
) {
    let (rows, stride) = (if step == 1 { 0 } else { reach }, to.len());
    let near = first.saturating_sub(rows * stride)..(first + (rows + 1) * stride).min(from.len());
    to.copy_from_slice(&from[first..][..stride]);
    if from[near].iter().fold(0, |all, cost| all | cost) == 0 {
        return;
    }
    for (block, cost) in (first..).zip(to).filter(|(block, _)| is_open(*block)) {
        let before = (1..=reach).map(|i| block - i * step).take_while(|&block| is_open(block));
        let after = (1..=reach).map(|i| block + i * step).take_while(|&block| is_open(block));
        let (mut sum, mut count) = (u32::from(*cost), 1);
        for block in before.chain(after) {
            (sum, count) = (sum + u32::from(from[block]), count + 1);
        }
        *cost = (sum / count) as u16;
    }
}

/// New costs of a row from the counts of it and the rows around it.
fn update_row(counts: &[AtomicI64], stride: usize, open: &[i64], kept: &mut [u16]) {
    let empty = counts.iter().fold(0, |all, count| all | count.load(Relaxed)) == 0;
    if empty && kept.iter().fold(0, |all, kept| all | kept) == 0 {
        return;
    }
    for x in 1..stride - 1 {
        let all = if empty { 0 } else { sum(counts, x, stride, |count| count.load(Relaxed)) };
        kept[x] /= 2;
        if all != 0 {
            kept[x] += 128 * cost(all, open[x]) as u16;
        }
    }
}

/// The sum over column x, and the columns beside it where there are three rows; of one row x alone.
#[inline(always)]
fn sum<T>(rows: &[T], x: usize, stride: usize, read: impl Fn(&T) -> i64) -> i64 {
    if rows.len() == stride {
        return read(&rows[x]);
    }
    let row = |row: &[T]| row[x - 1..=x + 1].iter().fold(0, |all, v| read(v).wrapping_add(all));
    rows.chunks_exact(stride).fold(0, |all, values| all.wrapping_add(row(values)))
}

/// What crowds with this sum of [`share`]s add to the cost of open ground, in 1/16.
fn cost(all: i64, open: i64) -> i64 {
    let moving = i64::from(all as i32);
    let area = all.wrapping_sub(moving) >> 32;
    if area <= 0 || open == 0 {
        return 0;
    }
    let cover = ((area << 8) / open).min(FULL);
    let weight = (cover.max(FREE) - FREE) * 256 / (FULL - FREE);
    let speed = ((moving << 8) / area).clamp(0, 256);
    let speed_factor = 256 - ((weight * (256 - speed)) >> 8);
    (4096 / speed_factor.max(16) - 16).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::{Crowding, MOST_TOLLED, PASSES, Toll};
    use crate::map::Map;

    /// Of each open block the mean of it and up to two open ones to each side, up to the first wall.
    fn means(costs: &[u32], step: usize, open: &[bool]) -> Vec<u32> {
        let mean = |at: usize| {
            let mut all = vec![costs[at]];
            for side in [1, -1_isize] {
                let next = (1..=2).map(|i| at.wrapping_add_signed(side * (i * step) as isize));
                all.extend(next.take_while(|&at| open[at]).map(|at| costs[at]));
            }
            all.iter().sum::<u32>() / all.len() as u32
        };
        let own = |at: usize| if open[at] { mean(at) } else { costs[at] };
        (0..costs.len()).map(own).collect()
    }

    #[test]
    fn the_toll_is_smoothed_up_to_walls() {
        // A wall with a gap, and two crowds: a slow one and one that stands.
        let (width, height) = (31_u32, 14_u32);
        let is_wall = |x: u32, y: u32| x == 15 && !(6..8).contains(&y);
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
        let slowness: Vec<u8> = cells.map(|[x, y]| if is_wall(x, y) { 0 } else { 16 }).collect();
        let map = Map::from_slowness(width, height, 1.0, &slowness);
        let stride = width as usize + 2;
        let blocks = stride * (height as usize + 2);
        let crowd = |block: usize| match (block % stride, block / stride) {
            (11..=15, 2..=5) => 20 << 8,
            (3..=4, 10..=11) => 240 << 8,
            _ => 0,
        };
        let mut crowding = Crowding::default();
        crowding.restore(&map, (0..blocks).map(crowd), std::iter::empty::<[f32; 2]>());
        let mut toll = Toll::default();
        crowding.toll(&mut toll);
        let open = |block: usize| {
            let (x, y) = ((block % stride) as u32, (block / stride) as u32);
            (1..=width).contains(&x) && (1..=height).contains(&y) && !is_wall(x - 1, y - 1)
        };
        let open: Vec<bool> = (0..blocks).map(open).collect();
        let mut costs: Vec<u32> = (0..blocks).map(|at| crowd(at).min(MOST_TOLLED).into()).collect();
        for _ in 0..PASSES {
            costs = means(&means(&costs, 1, &open), stride, &open);
        }
        let expected: Vec<u8> = costs.iter().map(|cost| (cost * 7 / 512) as u8).collect();
        let expected: Vec<u8> = expected.iter().map(|&e| if e < 4 { 0 } else { e }).collect();
        assert_eq!(toll.paid.extra(), expected);
        let at = |x: usize, y: usize| expected[y * stride + x];
        assert!(at(13, 3) > 24 && at(9, 3) > 8, "in the crowd and beside it");
        assert_eq!(at(17, 3), 0, "nothing comes through the wall");
        assert!(expected.iter().all(|&extra| extra <= 168), "at most 3.5 times");
    }
}
