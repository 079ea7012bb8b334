//! Streams: where crowds that head different ways will share the ground, and how they part.
//!
//! Two solid crowds that meet in a corridor stand still, whatever each agent does about its
//! neighbours: room for both must be made where their routes still lie ahead of them. So routes
//! keep to one side, as traffic does. Everybody under way is sent down the flow field of its group,
//! and every block of cells on the way notes in which of eight sectors of heading it will be crossed
//! (one bit each). A group's own strip across its way, from block to block as far as somebody will
//! walk its way or against it, ends at walls and where nobody will come. Where somebody will come
//! against it, the half of the strip to the left of its heading costs more, so its next field leads
//! through the right one; the others, who head the other way, do the same.
//!
//! All in whole numbers: no result depends on the number type or on the order of agents. The idea
//! that streams and not agents part is from Treuille, Cooper and Popović, "Continuum Crowds" (2006),
//! who raise the cost of a field by the speed of those who come against it; that alone parts the
//! streams only where they have already met.

use crate::map::Map;
use crate::nav::field::direction::unpack;

/// Widest block in metres, unless a cell is wider.
const BLOCK: f64 = 0.5;
/// Blocks at most; on larger maps they are wider.
const MOST_BLOCKS: u64 = 1 << 22;
/// How far to each side a strip is followed, in metres.
const REACH: f64 = 20.0;
/// What the left half of a strip costs more, in 1/16 of the ground.
const LEFT: u8 = 48;
/// What crowds may add to that at most where streams share a strip: no queue drives those who wait
/// in it to the other side. Nothing in a strip narrower than this many blocks.
const MOST_SHARED: u8 = 32;
/// See [`MOST_SHARED`].
const WIDE: i32 = 60;
/// Blocks that an agent is sent down its field at most.
const MOST_STEPS: u32 = 1 << 16;
/// One cell, in the units of positions here.
const CELL: i32 = 1 << 14;

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
    /// By block: the sectors of the headings by which it will be crossed.
    marked: Vec<u8>,
    /// The same, with what is noted of the blocks around.
    sectors: Vec<u8>,
    /// By block: the last group whose agents were sent through it.
    seen: Vec<u32>,
    group: u32,
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

/// Those sectors, counted from one, as bits.
#[inline(always)]
fn around(sector: u32, turns: [u32; 3]) -> u8 {
    turns.iter().fold(0, |bits, turn| bits | 1 << ((sector + turn) % 8))
}

impl Streams {
    /// Begins anew on a map.
    pub fn clear(&mut self, map: &Map) {
        let mut block = ((BLOCK / map.cell_size()).floor() as u32).max(1);
        let count = |block: u32| {
            u64::from(map.width().div_ceil(block)) * u64::from(map.height().div_ceil(block))
        };
        while count(block) > MOST_BLOCKS {
            block += 1;
        }
        self.block = block;
        self.stride = map.width().div_ceil(block) as usize + 2;
        self.rows = map.height().div_ceil(block) as usize + 2;
        self.cells = map.stride() as usize;
        self.reach = (REACH / (f64::from(block) * map.cell_size())).ceil() as i32;
        self.marked.clear();
        self.marked.resize(self.stride * self.rows, 0);
        self.seen.clear();
        self.seen.resize(self.stride * self.rows, 0);
        self.group = 0;
    }

    /// Begins with the next group.
    pub fn next_group(&mut self) {
        self.group += 1;
    }

    /// The block of a point in units of [`CELL`], from the corner of the first cell of the map; and
    /// the padded index of its cell. `None` off the map.
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

    /// Sends an agent of the present group from a padded cell down its field, as far as nobody of the
    /// group was sent before.
    pub fn send(&mut self, from: [i32; 2], directions: &[u32]) {
        let mut at = from.map(|c| (c - 1) * CELL + CELL / 2);
        let step = self.block as i32;
        for _ in 0..MOST_STEPS {
            let Some((block, cell)) = self.place(at) else { return };
            if self.seen[block] == self.group {
                return;
            }
            self.seen[block] = self.group;
            let Some(way) = directions.get(cell).and_then(|&code| unpack(code)) else { return };
            if way == (0, 0) {
                return;
            }
            self.marked[block] |= 1 << sector(way);
            // A block's length, until the block is left.
            for _ in 0..3 {
                at = [at[0] + i32::from(way.0) * step, at[1] + i32::from(way.1) * step];
                if self.place(at).is_none_or(|(next, _)| next != block) {
                    break;
                }
            }
        }
    }

    /// Ends the notes: crowds are a block wider than the lines that they were sent along.
    pub fn widen(&mut self) {
        self.sectors.clear();
        self.sectors.resize(self.marked.len(), 0);
        let stride = self.stride;
        for row in 1..self.rows - 1 {
            let rows = [row - 1, row, row + 1].map(|row| &self.marked[row * stride..][..stride]);
            let column = |x: usize| rows[0][x] | rows[1][x] | rows[2][x];
            let target = &mut self.sectors[row * stride..][..stride];
            for (x, sectors) in target.iter_mut().enumerate().take(stride - 1).skip(1) {
                *sectors = column(x - 1) | column(x) | column(x + 1);
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

    /// What a block costs those more who go by a field, in 1/16 of its ground, where crowds add
    /// `crowd` to it.
    pub fn price(&self, block: usize, directions: &[u32], crowd: u8) -> u8 {
        let Some([x, y]) = self.middle(block).filter(|_| self.sectors[block] != 0) else {
            return crowd;
        };
        let code = directions.get(y as usize * self.cells + x as usize);
        let Some(way) = code.and_then(|&code| unpack(code)).filter(|&way| way != (0, 0)) else {
            return crowd;
        };
        let sector = sector(way);
        let along = around(sector, [7, 0, 1]);
        let against = around(sector, [3, 4, 5]);
        if self.sectors[block] & (along | against) == 0 {
            return crowd;
        }
        let mut met = self.sectors[block];
        let middle = [x, y].map(|c| (c as i32 - 1) * CELL + CELL / 2);
        let to_right = [-i32::from(way.1), i32::from(way.0)];
        let mut room = |side: i32| {
            let step = to_right.map(|c| c * side * self.block as i32);
            let mut at = middle;
            for blocks in 0..self.reach {
                at = [at[0] + step[0], at[1] + step[1]];
                let Some((block, cell)) = self.place(at) else { return blocks };
                let here = self.sectors[block];
                let open = directions.get(cell).is_some_and(|&code| unpack(code).is_some());
                if !open || here & (along | against) == 0 {
                    return blocks;
                }
                met |= here;
            }
            self.reach
        };
        let (left, right) = (room(-1), room(1));
        let shared = met & along != 0 && met & against != 0;
        let queue = if left + right < WIDE { 0 } else { crowd.min(MOST_SHARED) };
        match (shared, left < right) {
            (true, true) => LEFT + queue,
            (true, false) => queue,
            (false, _) => crowd,
        }
    }
}
