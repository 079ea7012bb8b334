//! Streams: where crowds that head different ways will share the ground, and how they part.
//!
//! Two solid crowds that meet in a corridor stand still, whatever each agent does about its
//! neighbours: room for both must be made where their routes still lie ahead of them. So routes
//! keep to one side, as traffic does. Agents under way are sent down the flow field of their group,
//! and every block of cells on the way notes in which of eight sectors of heading it will be crossed
//! (one bit each). A group's own strip across its way goes from block to block as far as agents will
//! walk along the way or against it; it ends at walls, where no agents will come, and where the way
//! turns by more than 60 degrees. Where agents will come against it, the half of the strip to the
//! left of its heading costs more, so its next field leads through the right one; the other group,
//! which heads the other way, does the same.
//!
//! Ground that agents of other groups will cross, out of a gate or on a way of their own, costs more as well,
//! so that it is crossed where that is short and no agents wait on it.
//!
//! A crowd that waits behind a corner on its right fills the ground there, which leads nowhere; as
//! part of the strip it would make the free way round the corner a left half, and the crowd would
//! leave by a file or two along the wall. So what counts there is the strip at the corner: where the
//! narrowest one ahead has much more room on the left, no half costs more.
//!
//! Crowds cost more too, but not in a strip close before or behind a narrow place: before it the price of
//! a queue would drive agents that wait in it to the other side; behind it a crowd that waits to come the
//! other way would turn agents out along the wall, by one file, as far back as in the narrow place.
//!
//! All in whole numbers: no result depends on the number type or on the order of agents. The idea
//! that streams and not agents part is from Treuille, Cooper and Popović, "Continuum Crowds" (2006),
//! who raise the cost of a field by the speed of agents that come against it; that alone parts the
//! streams only where they have already met.

use crate::map::Map;
use crate::math::each::Each;
use crate::nav::field::direction::{GOAL_AREA, SOLID, unpack};
use crate::par;

/// Widest block in metres, unless a cell is wider.
const BLOCK: f64 = 0.5;
/// Blocks at most; on larger maps they are wider.
const MAX_BLOCKS: u64 = 1 << 22;
/// How far to each side a strip is followed, in metres.
const REACH: f64 = 40.0;
/// Width in metres that a stream has on each side of the shortest routes, which all touch the same
/// corners.
const BESIDE: f64 = 3.0;
/// How far ahead of a block the narrowest strip is looked for, in metres.
const AHEAD: f64 = 80.0;
/// By how much more room there is on the left than on the right of a way round a corner on the right,
/// in metres.
const ROUND: f64 = 3.0;
/// How far back on the way to a block, in metres.
const BEHIND: f64 = 8.0;
/// How wide the narrowest strips ahead and behind are at least where crowds count in a strip, in metres.
const WIDE: [f64; 2] = [4.0, 6.0];
/// What the left half of a strip costs more, in 1/16 of the ground.
const LEFT: u8 = 200;
/// What a block costs more at least that other groups will cross, where they share no strip: so no
/// agents wait before a gate where others come out of it.
const CROSSED: u8 = 64;
/// Cosine up to which headings lead the same way, in units of [`CELL`] squared: 0.5.
const LIKE: i32 = CELL / 2 * CELL;
/// Blocks that an agent is sent down its field at most.
const MAX_STEPS: u32 = 1 << 16;
/// One cell, in the units of positions here.
const CELL: i32 = 1 << 14;
/// Blocks that are looked at together.
const PART: usize = 4_096;
/// Ways that are followed side by side: a step of one waits for its memory while the others go on.
const WAYS: usize = 6;

/// The raster of blocks, and what was noted in it. Means nothing between uses.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    /// Cells to a side of a block.
    block: u32,
    /// Blocks from one row of the padded raster to the next, and rows of it.
    stride: usize,
    rows: usize,
    /// Cells from one row of the padded raster of cells to the next.
    cells: usize,
    /// Blocks to which a strip reaches at most.
    reach: i32,
    /// Blocks ahead and behind in which the narrowest strip is looked for.
    ahead: i32,
    behind: i32,
    /// By how many blocks crowds are wider than the lines that they are sent along.
    beside: usize,
    /// By how many blocks more room there is on the left of a way round a corner on the right.
    round: i32,
    /// Blocks across the narrowest strips ahead and behind from which on crowds count.
    wide: [i32; 2],
    /// By block: the sectors of the headings by which it will be crossed.
    marked: Vec<u8>,
    /// The same, with what is noted [`BESIDE`] it; that without the last group, whose agents come together
    /// from both sides of a door and are not against each other; and without it a block around.
    sectors: Vec<u8>,
    opposed: Vec<u8>,
    others: Vec<u8>,
    /// The same, with what is noted to the left and right alone, and whether blocks of a row are in sight
    /// up or down. Mean nothing between uses.
    across: Vec<u8>,
    sees: Vec<u8>,
    /// By block: all bits where there is no wall in it, else none.
    open: Vec<u8>,
    /// By block: the last group whose agents were sent through it.
    seen: Vec<u32>,
    group: u32,
    /// By block, for the last group: see [`Look`].
    looks: Vec<Look>,
}

/// A block as seen by a search along a strip or a way, in one number: the direction in the middle of
/// the block, the sectors by which it will be crossed, and of these the ones that are not the last
/// group's. In the border of the raster it is zero.
#[derive(Clone, Copy, Debug)]
struct Look(u64);

impl Look {
    /// First bits of the sectors.
    const SECTORS: u32 = 32;
    const OPPOSED: u32 = 40;

    /// Where it leads; `None` when it leads nowhere. Zero in a goal.
    #[inline(always)]
    fn way(self) -> Option<(i16, i16)> {
        unpack(self.0 as u32)
    }

    /// Whether a direction is needed there, and which.
    #[inline(always)]
    fn leads(self) -> Option<(i16, i16)> {
        self.way().filter(|&way| way != (0, 0))
    }

    /// Whether it is crossed by some of these sectors.
    #[inline(always)]
    fn has(self, sectors: u8) -> bool {
        self.0 & u64::from(sectors) << Self::SECTORS != 0
    }

    /// Whether it is crossed by some of these sectors, the last group aside.
    #[inline(always)]
    fn is_opposed(self, sectors: u8) -> bool {
        self.0 & u64::from(sectors) << Self::OPPOSED != 0
    }
}

/// The sector of a heading, 0 to 7, in the order of turns to the right (x right, y down).
#[inline(always)]
fn sector((x, y): (i16, i16)) -> u32 {
    let (x, y) = (i32::from(x), i32::from(y));
    // tan 22.5° is 12/29 but for 1/2000.
    let flat = y.abs() * 29 < x.abs() * 12;
    let steep = x.abs() * 29 < y.abs() * 12;
    match (flat, steep, x > 0, y > 0) {
        (true, _, true, _) => 0,
        (true, _, false, _) => 4,
        (_, true, _, true) => 2,
        (_, true, _, false) => 6,
        (_, _, true, true) => 1,
        (_, _, false, true) => 3,
        (_, _, false, false) => 5,
        (_, _, true, false) => 7,
    }
}

/// The sectors at these turns from a sector, as bits.
#[inline(always)]
fn around(sector: u32, turns: [u32; 3]) -> u8 {
    turns.iter().fold(0, |bits, turn| bits | 1 << ((sector + turn) % 8))
}

/// Whether a heading leads much the same way as that of a block, or none is needed there.
#[inline(always)]
fn is_like((a, b): (i16, i16), Look(look): Look) -> bool {
    let code = look as u32 & !GOAL_AREA;
    let (c, d) = (i32::from(code as i16), i32::from((code >> 16) as i16));
    code == 0 || i32::from(a) * c + i32::from(b) * d > LIKE
}

impl Streams {
    /// Begins anew on a map.
    pub fn clear(&mut self, map: &Map) {
        let mut block = ((BLOCK / map.cell_size()).floor() as u32).max(1);
        let count = |block: u32| {
            u64::from(map.width().div_ceil(block)) * u64::from(map.height().div_ceil(block))
        };
        while count(block) > MAX_BLOCKS {
            block += 1;
        }
        self.block = block;
        self.stride = map.width().div_ceil(block) as usize + 2;
        self.rows = map.height().div_ceil(block) as usize + 2;
        self.cells = map.stride() as usize;
        let blocks = |metres: f64| (metres / (f64::from(block) * map.cell_size())).ceil() as i32;
        self.reach = blocks(REACH);
        self.ahead = blocks(AHEAD);
        self.behind = blocks(BEHIND);
        self.beside = blocks(BESIDE) as usize;
        self.round = blocks(ROUND);
        self.wide = WIDE.map(blocks);
        self.note_walls(map);
        self.marked.clear();
        self.marked.resize(self.stride * self.rows, 0);
        self.seen.clear();
        self.seen.resize(self.stride * self.rows, 0);
        self.group = 0;
    }

    /// Looks in which blocks there are walls.
    fn note_walls(&mut self, map: &Map) {
        let Self { block, stride, .. } = *self;
        self.open.clear();
        self.open.resize(stride * self.rows, 0);
        let [width, height] = [map.width(), map.height()];
        for (y, row) in map.slowness().chunks_exact(map.stride() as usize).enumerate().skip(1) {
            if y > height as usize {
                break;
            }
            let blocks = &mut self.open[y.div_ceil(block as usize) * stride..][..stride];
            let is_first = (y - 1).is_multiple_of(block as usize);
            if is_first {
                blocks[1..stride - 1].fill(u8::MAX);
            }
            for (cells, open) in
                row[1..=width as usize].chunks(block as usize).zip(&mut blocks[1..])
            {
                if cells.contains(&0) {
                    *open = 0;
                }
            }
        }
    }

    /// Begins with the next group.
    pub fn next_group(&mut self) {
        self.group += 1;
    }

    /// The block of a point, and the padded index of its cell. `None` off the map.
    #[inline(always)]
    fn place(&self, [x, y]: [i32; 2]) -> Option<(usize, usize)> {
        let (i, j) = (x >> 14, y >> 14);
        if i < 0 || j < 0 {
            return None;
        }
        let (bi, bj) = (i as u32 / self.block + 1, j as u32 / self.block + 1);
        if bi as usize + 1 >= self.stride || bj as usize + 1 >= self.rows {
            return None;
        }
        let cell = (j as usize + 1) * self.cells + i as usize + 1;
        Some((bj as usize * self.stride + bi as usize, cell))
    }

    /// Sends an agent of the present group from a padded cell down its field, up to the first block
    /// that an agent of the group was sent through.
    pub fn send(&mut self, from: [i32; 2], directions: &[u32]) {
        let mut at = center(from);
        for _ in 0..MAX_STEPS {
            let Some((block, cell)) = self.place(at) else { return };
            if self.seen[block] == self.group {
                return;
            }
            self.seen[block] = self.group;
            let Some(way) = way(directions, cell) else { return };
            self.marked[block] |= 1 << sector(way);
            // A block's length, until the block is left.
            for _ in 0..3 {
                at = self.ahead_of(at, way);
                if self.place(at).is_none_or(|(next, _)| next != block) {
                    break;
                }
            }
        }
    }

    /// A block's length from a point among cells in a direction.
    fn ahead_of(&self, at: [i32; 2], (x, y): (i16, i16)) -> [i32; 2] {
        [at[0] + i32::from(x) * self.block as i32, at[1] + i32::from(y) * self.block as i32]
    }

    /// Ends the notes of all groups but the last one.
    pub fn end_others(&mut self) {
        let [mut others, mut opposed] = [&mut self.others, &mut self.opposed].each(std::mem::take);
        self.widen(1, &mut others);
        self.widen(self.beside, &mut opposed);
        (self.others, self.opposed) = (others, opposed);
    }

    /// Ends the notes.
    pub fn end(&mut self) {
        let mut sectors = std::mem::take(&mut self.sectors);
        self.widen(self.beside, &mut sectors);
        self.sectors = sectors;
    }

    /// Notes in every block what is noted in the blocks up to so many around it, as far as no wall
    /// lies between.
    fn widen(&mut self, by: usize, target: &mut Vec<u8>) {
        let Self { stride, rows, marked, open, across, sees, .. } = self;
        let (stride, rows) = (*stride, *rows);
        across.clone_from(marked);
        // A row of blocks is crossed at once; blocks in sight of a block end with the first wall.
        for row in 1..rows - 1 {
            let row = row * stride..(row + 1) * stride;
            let (from, open) = (&marked[row.clone()], &open[row.clone()]);
            if from.iter().all(|&sectors| sectors == 0) {
                continue;
            }
            let to = &mut across[row];
            for is_left in [true, false] {
                sees.clear();
                sees.extend_from_slice(open);
                for far in 1..=by.min(stride) {
                    let (near, there) = match is_left {
                        true => (far..stride, 0..stride - far),
                        false => (0..stride - far, far..stride),
                    };
                    spread(
                        &mut to[near.clone()],
                        &mut sees[near],
                        &from[there.clone()],
                        &open[there],
                    );
                }
            }
        }
        target.clone_from(across);
        for row in 1..rows - 1 {
            let to = &mut target[row * stride..][..stride];
            for is_above in [true, false] {
                sees.clear();
                sees.extend_from_slice(&open[row * stride..][..stride]);
                for far in 1..=by {
                    let from = if is_above { row.checked_sub(far) } else { Some(row + far) };
                    let Some(from) = from.filter(|&from| from < rows) else { break };
                    spread(to, sees, &across[from * stride..], &open[from * stride..]);
                }
            }
        }
    }

    /// Blocks of the padded raster.
    pub fn blocks(&self) -> usize {
        self.sectors.len()
    }

    /// Cells to a side of a block, and blocks from one row of the padded raster to the next.
    pub fn layout(&self) -> [u32; 2] {
        [self.block, self.stride as u32]
    }

    /// The padded cell in the middle of a block of the padded raster of blocks; `None` in its border.
    pub fn middle(&self, block: usize) -> Option<[u32; 2]> {
        let (i, j) = (block % self.stride, block / self.stride);
        let inner = i > 0 && j > 0 && i + 1 < self.stride && j + 1 < self.rows;
        let cell = |b: usize| (b as u32 - 1) * self.block + self.block / 2 + 1;
        inner.then(|| [cell(i), cell(j)])
    }

    /// Begins to price the ground for the last group, which goes by these directions.
    pub fn look(&mut self, directions: &[u32]) {
        let mut looks = std::mem::take(&mut self.looks);
        looks.clear();
        looks.resize(self.blocks(), Look(0));
        par::chunks(looks.len(), PART, &mut looks[..], &|_, first, looks| {
            for (block, look) in (first..).zip(looks) {
                let Some([i, j]) = self.middle(block) else { continue };
                let code = directions[j as usize * self.cells + i as usize];
                *look = Look(
                    u64::from(code)
                        | u64::from(self.sectors[block]) << Look::SECTORS
                        | u64::from(self.opposed[block]) << Look::OPPOSED,
                );
            }
        });
        self.looks = looks;
    }

    /// The own strip of agents of the last group that cross a block by its directions.
    pub fn strip(&self, block: usize) -> Strip {
        let none = Strip::default();
        let look = self.looks[block];
        if !look.has(u8::MAX) {
            return none;
        }
        let Some(way) = look.leads() else { return none };
        let sector = sector(way);
        let along = around(sector, [7, 0, 1]);
        let against = around(sector, [3, 4, 5]);
        let is_crossed = self.others[block] & !along != 0;
        if !look.has(along | against) {
            return Strip { is_crossed, ..none };
        }
        let (mut all, mut is_at_wall) = (look.0, false);
        let mut room = |aside: (i16, i16)| {
            let mut at = self.center(block);
            for blocks in 0..self.reach {
                let look = self.step(&mut at, aside);
                if look.0 as u32 == SOLID {
                    is_at_wall = true;
                    return blocks as u8;
                }
                if !is_like(way, look) || !look.has(along | against) {
                    return blocks as u8;
                }
                all |= look.0;
            }
            self.reach as u8
        };
        let (left, right) = (room((way.1, -way.0)), room((-way.1, way.0)));
        let is_shared = Look(all).has(along) && Look(all).is_opposed(against);
        Strip { way, left, right, is_one: true, is_at_wall, is_shared, is_crossed }
    }

    /// Prices the blocks from `first` on: what crowds add to each becomes what it costs agents of the last
    /// group more, both in 1/16 of its ground. `strips` are those of all blocks.
    pub fn price(&self, first: usize, strips: &[Strip], prices: &mut [u8]) {
        let (mut waiting, mut count) = ([first; WAYS], 0);
        for block in first..first + prices.len() {
            let (strip, price) = (strips[block], &mut prices[block - first]);
            if !strip.is_one || !strip.is_shared {
                let crossed = if strip.is_crossed { CROSSED } else { 0 };
                *price = crossed.max(*price);
            } else if strip.left < strip.right || *price > 0 {
                waiting[count] = block;
                count += 1;
                if count == WAYS {
                    self.price_by_ways(first, strips, &waiting, prices);
                    count = 0;
                }
            }
        }
        if count > 0 {
            // Each is priced by what crowds add to it, so that one may stand there several times.
            let again = waiting[0];
            waiting[count..].fill(again);
            self.price_by_ways(first, strips, &waiting, prices);
        }
    }

    /// Prices blocks of which shared strips have a larger right half, or crowds.
    fn price_by_ways(
        &self,
        first: usize,
        strips: &[Strip],
        blocks: &[usize; WAYS],
        prices: &mut [u8],
    ) {
        let crowds = blocks.map(|block| prices[block - first]);
        let ahead = self.narrowest(*blocks, strips, self.ahead);
        let behind = match crowds == [0; WAYS] {
            true => ahead,
            false => self.narrowest(*blocks, strips, -self.behind),
        };
        for (i, &block) in blocks.iter().enumerate() {
            let crowd = if self.is_narrow(ahead[i], behind[i]) { 0 } else { crowds[i] };
            let has_left = strips[block].left < strips[block].right && !self.goes_round(ahead[i]);
            prices[block - first] = crowd.saturating_add(if has_left { LEFT } else { 0 });
        }
    }

    /// Whether a narrow place is near, by the narrowest strips ahead and behind. Behind it counts only where
    /// agents come the other way.
    fn is_narrow(&self, ahead: Strip, behind: Strip) -> bool {
        ahead.width() < self.wide[0] || behind.is_shared && behind.width() < self.wide[1]
    }

    /// The narrowest strips at walls on the ways from blocks within so many steps, backwards where there are
    /// less than none; as wide as can be where there is none.
    fn narrowest(&self, blocks: [usize; WAYS], strips: &[Strip], steps: i32) -> [Strip; WAYS] {
        let mut narrowest = [Strip { left: u8::MAX, right: u8::MAX, ..Strip::default() }; WAYS];
        let mut at = blocks.map(|block| (block, self.center(block)));
        for _ in 0..steps.abs() {
            let mut goes_on = false;
            for ((block, at), narrowest) in at.iter_mut().zip(&mut narrowest) {
                let strip = strips[*block];
                if !strip.is_one {
                    continue;
                }
                if strip.is_at_wall && strip.width() < narrowest.width() {
                    *narrowest = strip;
                }
                let step = <[i16; 2]>::from(strip.way).each(|c| steps.signum() * i32::from(c));
                *at = [at[0] + step[0], at[1] + step[1]];
                *block = self.block_at(*at);
                goes_on = true;
            }
            if !goes_on {
                break;
            }
        }
        narrowest
    }

    /// Whether the narrowest strip on a way has much more room on its left: it lies at a corner on the
    /// right.
    fn goes_round(&self, narrowest: Strip) -> bool {
        i32::from(narrowest.left) - i32::from(narrowest.right) >= self.round
    }

    /// The middle of a block, in units of [`CELL`] to a block, from the corner of the padded raster.
    fn center(&self, block: usize) -> [i32; 2] {
        [block % self.stride, block / self.stride].each(|c| c as i32 * CELL + CELL / 2)
    }

    /// The block in which such a point lies.
    #[inline(always)]
    fn block_at(&self, [x, y]: [i32; 2]) -> usize {
        (y >> 14) as usize * self.stride + (x >> 14) as usize
    }

    /// Goes on by a block's length; gives what is there. No search goes on from the border of the raster.
    #[inline(always)]
    fn step(&self, at: &mut [i32; 2], (x, y): (i16, i16)) -> Look {
        *at = [at[0] + i32::from(x), at[1] + i32::from(y)];
        self.looks[self.block_at(*at)]
    }
}

/// Adds to blocks the notes of the blocks that they see; beyond a wall they see none any more.
fn spread(to: &mut [u8], sees: &mut [u8], from: &[u8], open: &[u8]) {
    for (((to, sees), from), open) in to.iter_mut().zip(sees).zip(from).zip(open) {
        *to |= from & *sees;
        *sees &= open;
    }
}

/// The middle of a padded cell in units of [`CELL`], from the corner of the first cell of the map.
#[inline(always)]
fn center(cell: [i32; 2]) -> [i32; 2] {
    cell.each(|c| (c - 1) * CELL + CELL / 2)
}

/// The heading of a field in a padded cell.
#[inline(always)]
fn way(directions: &[u32], cell: usize) -> Option<(i16, i16)> {
    directions.get(cell).and_then(|&code| unpack(code)).filter(|&way| way != (0, 0))
}

/// The ground beside a block on which agents will walk the way of its group, or against it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strip {
    /// Where agents walk across it, as the field has it.
    way: (i16, i16),
    /// Blocks of it to each side.
    left: u8,
    right: u8,
    /// Whether there is one, whether it ends at a wall, and whether agents in it walk along and against it.
    is_one: bool,
    is_at_wall: bool,
    is_shared: bool,
    /// Whether agents of other groups will cross the block in other directions.
    is_crossed: bool,
}

impl Strip {
    fn width(self) -> i32 {
        i32::from(self.left) + i32::from(self.right)
    }
}

#[cfg(test)]
mod tests;
