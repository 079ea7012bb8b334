//! Strips: the ground beside a block on which agents will walk the way of its group, or against it, and
//! what blocks cost by their strips.
//!
//! Nearly all time of pricing goes by looking at blocks along straight lines and ways, one a step. A strip
//! is followed over eight blocks at once, since it is straight; eight ways are followed side by side, since
//! a step of one waits for what it finds. Tiles of blocks know what all blocks in reach have in common, so
//! that in the open most strips are known to be as wide as can be. A way ahead is followed for an eighth; the
//! rest is found by doubling, from the middle of the block to which a part leads.
//!
//! Tried and lost: one way for four blocks (2 % fewer instructions; over 16 seeds of `crossing` agents are
//! stuck for 345 s all together, for 114); strips of four blocks by that of one (4 %; by `horde` in a gap of
//! 3 m more are deep); all strips by sweeps along lines across 24 headings (8 %; 100,000 are stuck twice as
//! long, and two crowds pass a fifth later on a field); counting crowds half as often (675 s for 608).

use crate::lane::{BLOCK, Int8, IntLane, Mask};
use crate::math::each::{Each, Make};
use crate::nav::field::LEFT_HALF;
use crate::nav::field::direction::{GOAL_AREA, SOLID};
use crate::nav::streams::look::{CELL, Common, LIKE, Look};
use crate::par;

/// How far to each side a strip is followed, in metres.
const REACH: f64 = 40.0;
/// How far ahead of a block the narrowest strip is looked for, in metres.
const AHEAD: f64 = 80.0;
/// By how much more room there is on the left than on the right of a way round a corner on the right,
/// in metres.
const ROUND: f64 = 3.0;
/// How far back on the way to a block, in metres.
const BEHIND: f64 = 8.0;
/// How wide the narrowest strips ahead and behind are at least where crowds count in a strip, in metres.
const WIDE: [f64; 2] = [4.0, 6.0];
/// Up to which width of the narrowest strip ahead, in metres, the group's own crowd in a strip costs nothing.
/// Each metre more lets it cost 1/16 of the ground.
const QUEUE: f64 = 12.0;
/// What the left half of a strip costs more, in 1/16 of the ground.
pub(super) const LEFT: u8 = 200 | LEFT_HALF;
/// What a block costs more at least that other groups will cross, where they share no strip: so no
/// agents wait before a gate where others come out of it.
const CROSSED: u8 = 64;
/// Blocks that are looked at together.
const PART: usize = 4_096;
/// Blocks to a side of a tile, and the power of two of it.
const TILE: usize = 1 << TILE_BITS;
/// See [`TILE`].
const TILE_BITS: u32 = 3;
/// The upper half of a strip that is as wide as can be.
const WIDEST: i32 = 0xffff;
/// Tiles that are looked at together.
const TILES: usize = 64;
/// How often a way ahead is doubled from the part of it that is followed.
const DOUBLED: u32 = 3;

/// The strips of all blocks of a raster, for one group. Mean nothing between uses.
#[derive(Clone, Debug, Default)]
pub(super) struct Strips {
    /// Blocks from one row of the padded raster to the next, and rows of it.
    stride: usize,
    rows: usize,
    /// Blocks to which a strip reaches at most.
    reach: i32,
    /// Blocks ahead and behind in which the narrowest strip is looked for.
    ahead: i32,
    behind: i32,
    /// By how many blocks more room there is on the left of a way round a corner on the right.
    round: i32,
    /// Blocks across the narrowest strips ahead and behind from which on crowds count.
    wide: [i32; 2],
    /// See [`QUEUE`], in blocks; and 1/256 m of a block.
    queue: i32,
    side: i32,
    /// By block: how many more agents of the group are in it than of all others, under way; zero where the
    /// group's own crowd counts as any other.
    excess: Vec<i16>,
    looks: Vec<Look>,
    strips: Vec<Strip>,
    /// By tile: what the blocks of it and of all tiles have in common that a strip from it may reach.
    around: Vec<Common>,
    /// By block: the way ahead.
    ways: Vec<Way>,
    /// Memory for finding them.
    spare: Vec<Common>,
    parts: Vec<Way>,
}

/// The sector of a heading, 0 to 7, in the order of turns to the right (x right, y down).
#[inline(always)]
pub(super) fn sector((x, y): (i16, i16)) -> u32 {
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

impl Strips {
    /// Begins anew on a padded raster of so many columns and rows of blocks, each so many metres wide.
    pub(super) fn shape(&mut self, [stride, rows]: [usize; 2], block: f64) {
        let blocks = |metres: f64| (metres / block).ceil() as i32;
        (self.stride, self.rows) = (stride, rows);
        self.reach = blocks(REACH);
        self.ahead = blocks(AHEAD);
        self.behind = blocks(BEHIND);
        self.round = blocks(ROUND);
        self.wide = WIDE.each(blocks);
        self.queue = blocks(QUEUE);
        self.side = (block * 256.0).round() as i32;
        self.excess.clear();
        self.excess.resize(stride * rows, 0);
    }

    /// Counts an agent of the group, or of another one, in a block.
    pub(super) fn count(&mut self, block: usize, is_own: bool) {
        let one = if is_own { 1 } else { -1 };
        self.excess[block] = self.excess[block].saturating_add(one);
    }

    /// Finds the strips of all blocks; `look` writes the looks of blocks from an index in the raster on.
    pub(super) fn find(&mut self, look: impl Fn(usize, &mut [Look]) + Sync) {
        let blocks = self.stride * self.rows;
        self.looks.resize(blocks, Look::default());
        par::chunks(blocks, PART, &mut self.looks[..], &|_, first, looks| look(first, looks));
        self.note_common();
        let mut strips = std::mem::take(&mut self.strips);
        strips.resize(blocks, Strip::default());
        par::chunks(blocks, PART, &mut strips[..], &|_, first, strips| {
            for (at, strips) in (first..).step_by(BLOCK).zip(strips.chunks_mut(BLOCK)) {
                let looks = &self.looks[at..at + strips.len()];
                if !Look(looks.iter().fold(0, |all, look| all | look.0)).has(u8::MAX) {
                    strips.fill(Strip(0));
                    continue;
                }
                for ((to, block), &look) in strips.iter_mut().zip(at..).zip(looks) {
                    *to = self.strip(block, look);
                }
            }
        });
        self.strips = strips;
        self.find_ways();
    }

    /// Tiles to a side of the raster.
    fn tiles(&self) -> [usize; 2] {
        [self.stride, self.rows].each(|blocks| blocks.div_ceil(TILE))
    }

    /// Finds what the blocks around every tile have in common.
    fn note_common(&mut self) {
        let ([width, height], far) = (self.tiles(), (self.reach as usize).div_ceil(TILE));
        let Self { looks, around, spare, stride, .. } = self;
        around.clear();
        around.resize(width * height, Common::ALL);
        par::chunks(around.len(), TILES, &mut around[..], &|_, first, tiles| {
            for (tile, to) in (first..).zip(tiles) {
                let mut looks = rows_of(looks, *stride, [tile % width, tile / width]).flatten();
                // In most tiles the first block has nothing in common with any other.
                looks.all(|&look| to.note(look));
            }
        });
        // Tiles along a row, then along a column. The border has nothing in common with any tile.
        for is_row in [true, false] {
            spare.clone_from(around);
            for (i, tile) in around.iter_mut().enumerate() {
                let (at, all, step) = match is_row {
                    true => (i % width, width, 1),
                    false => (i / width, height, width),
                };
                let (low, high) = (at.saturating_sub(far), (at + far).min(all - 1));
                let first = i - (at - low) * step;
                *tile = (0..=high - low).fold(*tile, |tile, n| tile.with(spare[first + n * step]));
            }
        }
    }

    /// The own strip of agents of the group that cross a block by its directions.
    fn strip(&self, block: usize, look: Look) -> Strip {
        if !look.has(u8::MAX) {
            return Strip(0);
        }
        let Some(way) = look.leads() else { return Strip(0) };
        let sector = sector(way);
        let along = around(sector, [7, 0, 1]);
        let against = around(sector, [3, 4, 5]);
        let bit = |is_so: bool, bit: u64| if is_so { bit } else { 0 };
        let crossed = bit(look.is_crossed(!along), Strip::IS_CROSSED);
        if !look.has(along | against) {
            return Strip(crossed);
        }
        let [x, y] = [i32::from(way.0), i32::from(way.1)];
        let is_shared = look.has(along) && look.is_opposed(against);
        let [column, row] = self.place(block).each(|c| c as usize / TILE);
        let tile = row * self.tiles()[0] + column;
        let [left, right] = match is_shared && self.around[tile].is_strip([x, y], sector) {
            true => [Side { blocks: self.reach as u8, is_at_wall: false, all: 0 }; 2],
            false => [[y, -x], [-y, x]]
                .each(|aside| self.side(self.center(block), [x, y], along | against, aside)),
        };
        let all = Look(look.0 | left.all | right.all);
        Strip(
            look.0 & Strip::WAY
                | u64::from(left.blocks) << Strip::LEFT
                | u64::from(right.blocks) << Strip::RIGHT
                | Strip::IS_ONE
                | crossed
                | bit(left.is_at_wall || right.is_at_wall, Strip::IS_AT_WALL)
                | bit(all.has(along) && all.is_opposed(against), Strip::IS_SHARED),
        )
    }

    /// How far a strip goes on from the middle of a block to one side: over blocks with much the same way
    /// that agents cross by these sectors. Looks at eight blocks at once.
    fn side(&self, from: [i32; 2], [x, y]: [i32; 2], sectors: u8, aside: [i32; 2]) -> Side {
        let int = Int8::splat;
        let ordinals = Int8::from_fn(|i| i as i32 + 1);
        let mut at = [0, 1].each(|i| int(from[i]) + ordinals * int(aside[i]));
        let (reach, last) = (self.reach as u32, int(self.looks.len() as i32 - 1));
        let (mut blocks, mut all, mut is_at_wall) = (0, int(0), false);
        while blocks < reach {
            // No strip goes on from the border of the raster: what is read beyond it does not count.
            let there = self.block_at(at).larger(int(0)).smaller(last);
            let [low, high] = gather(there, |block| self.looks[block].0);
            let code = low.and(int(!(GOAL_AREA as i32)));
            let [along_x, along_y] = components(code);
            let like = int(x) * along_x + int(y) * along_y;
            let is_wall = low.equal(int(SOLID as i32));
            let is_like = int(LIKE).less(like) | code.equal(int(0));
            let is_crossed = !high.and(int(i32::from(sectors))).equal(int(0));
            let ends = (is_wall | !is_like | !is_crossed).bits();
            let on = ends.trailing_zeros().min(BLOCK as u32).min(reach - blocks);
            all = all.or(Int8::select(ordinals.less(int(on as i32 + 1)), high, int(0)));
            blocks += on;
            if on < BLOCK as u32 {
                is_at_wall = blocks < reach && is_wall.bits() >> on & 1 == 1;
                break;
            }
            at = [0, 1].each(|i| at[i] + int(BLOCK as i32 * aside[i]));
        }
        let all = (0..BLOCK).fold(0, |bits, i| bits | all.get(i) as u32);
        Side { blocks: blocks as u8, is_at_wall, all: u64::from(all) << Look::SECTORS }
    }

    /// Finds the ways ahead of all blocks.
    fn find_ways(&mut self) {
        let blocks = self.strips.len();
        let [mut ways, mut parts] = [&mut self.ways, &mut self.parts].map(std::mem::take);
        ways.resize(blocks, Way::default());
        parts.resize(blocks, Way::default());
        let all = |ways: &mut [Way], way: &(dyn Fn(Int8) -> [Int8; 2] + Sync)| {
            par::chunks(blocks, PART, ways, &|_, first, ways| {
                for (at, ways) in (first..).step_by(BLOCK).zip(ways.chunks_mut(BLOCK)) {
                    let strips = &self.strips[at..at + ways.len()];
                    if !Strip(strips.iter().fold(0, |all, strip| all | strip.0)).has(Strip::IS_ONE)
                    {
                        ways.iter_mut().zip(at..).for_each(|(to, at)| *to = Way::to(at));
                        continue;
                    }
                    // The last blocks stand there several times.
                    let blocks = Int8::from_fn(|i| (at + i).min(blocks - 1) as i32);
                    let found = Int8::joined(way(blocks));
                    ways.iter_mut().zip(found).for_each(|(to, found)| *to = Way(found));
                }
            });
        };
        let steps = (self.ahead as u32).div_ceil(1 << DOUBLED) as i32;
        all(&mut ways, &|blocks| self.follow(blocks, steps));
        for _ in 0..DOUBLED {
            std::mem::swap(&mut ways, &mut parts);
            all(&mut ways, &|blocks| {
                let [middle, first] = gather(blocks, |block| parts[block].0);
                let [end, second] = gather(middle, |block| parts[block].0);
                [end, narrower(first, second)]
            });
        }
        (self.ways, self.parts) = (ways, parts);
    }

    /// Prices the blocks from `first` on: what crowds add to each becomes what it costs agents of the
    /// group more, both in 1/16 of its ground.
    pub(super) fn price(&self, first: usize, prices: &mut [u8]) {
        let (mut waiting, mut count) = ([first; BLOCK], 0);
        for block in first..first + prices.len() {
            let (strip, price) = (self.strips[block], &mut prices[block - first]);
            if !strip.has(Strip::IS_SHARED) {
                let crossed = if strip.has(Strip::IS_CROSSED) { CROSSED } else { 0 };
                *price = crossed.max(*price) & !LEFT_HALF;
            } else if strip.left() < strip.right() || *price > 0 {
                waiting[count] = block;
                count += 1;
                if count == BLOCK {
                    self.price_by_ways(first, &waiting, prices);
                    count = 0;
                }
            }
        }
        if count > 0 {
            // Each is priced by what crowds add to it, so that one may stand there several times.
            let again = waiting[0];
            waiting[count..].fill(again);
            self.price_by_ways(first, &waiting, prices);
        }
    }

    /// Prices blocks of which shared strips have a larger right half, or crowds.
    fn price_by_ways(&self, first: usize, blocks: &[usize; BLOCK], prices: &mut [u8]) {
        let crowds = blocks.each(|block| prices[block - first]);
        let ahead = blocks.each(|block| self.ways[block].narrowest());
        let behind = match crowds == [0; BLOCK] {
            true => ahead,
            false => {
                let [_, narrowest] = self.follow(Int8::from_fn(|i| blocks[i] as i32), -self.behind);
                Make::make(|i| Strip::of_upper(narrowest.get(i)))
            }
        };
        for (i, &block) in blocks.iter().enumerate() {
            let crowd = match crowds[i] {
                0 => 0,
                _ if self.is_narrow(ahead[i], behind[i]) => 0,
                crowd if self.is_own(block) => crowd.min(self.most_of_queue(ahead[i])),
                crowd => crowd,
            };
            let strip = self.strips[block];
            let has_left = strip.left() < strip.right() && !self.goes_round(ahead[i]);
            prices[block - first] =
                (crowd & !LEFT_HALF).saturating_add(if has_left { LEFT } else { 0 });
        }
    }

    /// Whether most agents in a block and around it are of the group.
    fn is_own(&self, block: usize) -> bool {
        let row = |middle: usize| self.excess[middle - 1..=middle + 1].iter().copied();
        let rows = [block - self.stride, block, block + self.stride];
        rows.into_iter().flat_map(row).map(i32::from).sum::<i32>() > 0
    }

    /// What the group's own crowd costs more at most, by the narrowest strip ahead.
    fn most_of_queue(&self, ahead: Strip) -> u8 {
        ((ahead.width() - self.queue) * self.side / 256).clamp(0, 255) as u8
    }

    /// Whether a narrow place is near, by the narrowest strips ahead and behind. Behind it counts only where
    /// agents come the other way.
    fn is_narrow(&self, ahead: Strip, behind: Strip) -> bool {
        ahead.width() < self.wide[0]
            || behind.has(Strip::IS_SHARED) && behind.width() < self.wide[1]
    }

    /// Follows the ways from blocks for so many steps, backwards where there are less than none: gives to
    /// which blocks they lead, and the upper halves of the narrowest strips at walls on them.
    fn follow(&self, mut block: Int8, steps: i32) -> [Int8; 2] {
        let int = Int8::splat;
        let mut narrowest = int(WIDEST);
        let centers: [[i32; 2]; BLOCK] = Make::make(|i| self.center(block.get(i) as usize));
        let mut at = [0, 1].each(|axis| Int8::from_fn(|i| centers[i][axis]));
        for _ in 0..steps.abs() {
            let [way, rest] = gather(block, |block| self.strips[block].0);
            let is_at_wall = !rest.and(int((Strip::IS_AT_WALL >> 32) as i32)).equal(int(0));
            narrowest = narrower(narrowest, Int8::select(is_at_wall, rest, int(WIDEST)));
            // Where there is no strip there is no way.
            let way = components(way);
            at = [0, 1].each(|i| at[i] + int(steps.signum()) * way[i]);
            block = self.block_at(at);
        }
        [block, narrowest]
    }

    /// Whether the narrowest strip on a way has much more room on its left: it lies at a corner on the
    /// right.
    fn goes_round(&self, narrowest: Strip) -> bool {
        narrowest.left() - narrowest.right() >= self.round
    }

    /// The middle of a block, in units of [`CELL`] to a block, from the corner of the padded raster.
    fn center(&self, block: usize) -> [i32; 2] {
        self.place(block).each(|c| c as i32 * CELL + CELL / 2)
    }

    /// The column and the row of a block. There are far fewer than 2³² of them.
    fn place(&self, block: usize) -> [u32; 2] {
        let (block, stride) = (block as u32, self.stride as u32);
        [block % stride, block / stride]
    }

    /// The blocks in which such points lie.
    #[inline(always)]
    fn block_at(&self, [x, y]: [Int8; 2]) -> Int8 {
        y.shift_right::<14>() * Int8::splat(self.stride as i32) + x.shift_right::<14>()
    }
}

/// The places of blocks in a raster with so many to a row, from the index `first` on.
pub(super) fn places(stride: usize, first: usize) -> impl Iterator<Item = [usize; 2]> {
    let (mut x, mut y) = (first % stride, first / stride);
    std::iter::repeat_with(move || {
        let place = [x, y];
        x += 1;
        if x == stride {
            (x, y) = (0, y + 1);
        }
        place
    })
}

/// The rows of a tile in a raster with so many blocks to a row.
fn rows_of<T>(all: &[T], stride: usize, [x, y]: [usize; 2]) -> impl Iterator<Item = &[T]> {
    let columns = x * TILE..(x * TILE + TILE).min(stride);
    all.chunks_exact(stride).skip(y * TILE).take(TILE).map(move |row| &row[columns.clone()])
}

/// The lower and upper halves of what `number` gives for every lane.
#[inline(always)]
fn gather(places: Int8, number: impl Fn(usize) -> u64) -> [Int8; 2] {
    let mut words = [0; BLOCK];
    for (i, word) in words.iter_mut().enumerate() {
        *word = number(places.get(i) as usize);
    }
    Int8::halves(&words)
}

/// The components of packed directions.
#[inline(always)]
fn components(codes: Int8) -> [Int8; 2] {
    [codes.shift_left::<16>().shift_right::<16>(), codes.shift_right::<16>()]
}

/// Of the upper halves of strips the narrower ones, of equal ones the first.
#[inline(always)]
fn narrower(first: Int8, second: Int8) -> Int8 {
    let byte = Int8::splat(0xff);
    let width = |rest: Int8| rest.and(byte) + rest.shift_right::<8>().and(byte);
    Int8::select(width(second).less(width(first)), second, first)
}

/// Where the way ahead of a block leads, and the narrowest strip at a wall on it: the index of a block, and
/// above it the upper half of a strip.
#[derive(Clone, Copy, Debug, Default)]
struct Way(u64);

impl Way {
    /// That leads from a block to itself, with no strip on it.
    fn to(block: usize) -> Self {
        Self(block as u64 | (WIDEST as u64) << 32)
    }

    fn narrowest(self) -> Strip {
        Strip(self.0 >> 32 << 32)
    }
}

/// The half of a strip to one side of a block.
#[derive(Clone, Copy)]
struct Side {
    /// Blocks of it.
    blocks: u8,
    is_at_wall: bool,
    /// The sectors of all its blocks, as in [`Look`].
    all: u64,
}

/// The ground beside a block on which agents will walk the way of its group, or against it, in one number:
/// where agents walk across the block, as the field has it (zero where there is no strip), the blocks of
/// the strip to each side, and the bits below.
#[derive(Clone, Copy, Debug, Default)]
struct Strip(u64);

impl Strip {
    /// The bits of the way.
    const WAY: u64 = !GOAL_AREA as u64;
    /// First bits of the numbers of blocks to the left and to the right.
    const LEFT: u32 = 32;
    const RIGHT: u32 = 40;
    /// There is a strip.
    const IS_ONE: u64 = 1 << 48;
    /// It ends at a wall.
    const IS_AT_WALL: u64 = 1 << 49;
    /// Agents in it walk along the way and against it.
    const IS_SHARED: u64 = 1 << 50;
    /// Agents of other groups will cross the block in other directions.
    const IS_CROSSED: u64 = 1 << 51;

    /// With this upper half.
    fn of_upper(upper: i32) -> Self {
        Self(u64::from(upper as u32) << 32)
    }

    fn has(self, bit: u64) -> bool {
        self.0 & bit != 0
    }

    fn left(self) -> i32 {
        (self.0 >> Self::LEFT & 0xff) as i32
    }

    fn right(self) -> i32 {
        (self.0 >> Self::RIGHT & 0xff) as i32
    }

    fn width(self) -> i32 {
        self.left() + self.right()
    }
}

#[cfg(test)]
mod tests;
