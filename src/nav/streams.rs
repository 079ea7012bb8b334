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
//! other way would turn agents out along the wall, by one file, as far back as in the narrow place. And what
//! a group's own crowd costs in a strip has a bound that grows with the width of the narrowest place ahead:
//! thousands before a gate of 12 m would leave their queue around its tail, and come to the gate on the left,
//! where the others come out.
//!
//! All in whole numbers: no result depends on the number type or on the order of agents. The idea
//! that streams and not agents part is from Treuille, Cooper and Popović, "Continuum Crowds" (2006),
//! who raise the cost of a field by the speed of agents that come against it; that alone parts the
//! streams only where they have already met.

mod look;
mod strips;

use crate::map::Map;
use crate::math::each::Each;
use crate::nav::field::direction::unpack;
use crate::nav::streams::look::{CELL, Look};
use crate::nav::streams::strips::{Strips, places, sector};

/// Widest block in metres, unless a cell is wider.
const BLOCK: f64 = 0.5;
/// Blocks at most; on larger maps they are wider.
const MAX_BLOCKS: u64 = 1 << 22;
/// Width in metres that a stream has on each side of the shortest routes, which all touch the same
/// corners.
const BESIDE: f64 = 3.0;
/// Blocks that an agent is sent down its field at most.
const MAX_STEPS: u32 = 1 << 16;

/// The raster of blocks, and what was noted in it. Means nothing between uses.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    /// Cells to a side of a block, and 2³² over that, rounded up.
    block: u32,
    block_share: u64,
    /// Blocks from one row of the padded raster to the next, and rows of it.
    stride: usize,
    rows: usize,
    /// Cells from one row of the padded raster of cells to the next.
    cells: usize,
    /// By how many blocks crowds are wider than the lines that they are sent along.
    beside: usize,
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
    /// For the last group.
    strips: Strips,
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
        self.block_share = (1_u64 << 32).div_ceil(u64::from(block));
        self.stride = map.width().div_ceil(block) as usize + 2;
        self.rows = map.height().div_ceil(block) as usize + 2;
        self.cells = map.stride() as usize;
        let side = f64::from(block) * map.cell_size();
        self.beside = (BESIDE / side).ceil() as usize;
        self.strips.shape([self.stride, self.rows], side);
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
            let (cells, blocks) = (&row[1..=width as usize], blocks[1..].iter_mut());
            let close = |(open, is_open): (&mut u8, bool)| {
                if !is_open {
                    *open = 0;
                }
            };
            match block {
                // Many cells at once.
                1 => blocks.zip(cells.iter().map(|&cell| cell != 0)).for_each(close),
                _ => {
                    let cells = cells.chunks(block as usize).map(|cells| !cells.contains(&0));
                    blocks.zip(cells).for_each(close);
                }
            }
        }
    }

    /// Counts an agent under way in a padded cell, of the last group or of another.
    pub fn count(&mut self, cell: [i32; 2], is_last: bool) {
        if let Some((block, _)) = self.place(center(cell)) {
            self.strips.count(block, is_last);
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
        // Exact for the cells of any map, and no division.
        let [bi, bj] = [i, j].each(|c| ((c as u64 * self.block_share) >> 32) as usize + 1);
        if bi + 1 >= self.stride || bj + 1 >= self.rows {
            return None;
        }
        let cell = (j as usize + 1) * self.cells + i as usize + 1;
        Some((bj * self.stride + bi, cell))
    }

    /// Sends an agent of the present group from a padded cell down its field, up to the first block
    /// that an agent of the group was sent through.
    pub fn send(&mut self, from: [i32; 2], directions: &[u32]) {
        let mut at = center(from);
        let mut place = self.place(at);
        for _ in 0..MAX_STEPS {
            let Some((block, cell)) = place else { return };
            if self.seen[block] == self.group {
                return;
            }
            self.seen[block] = self.group;
            let Some(way) = way(directions, cell) else { return };
            self.marked[block] |= 1 << sector(way);
            // A block's length, until the block is left.
            for _ in 0..3 {
                at = self.ahead_of(at, way);
                place = self.place(at);
                if place.is_none_or(|(next, _)| next != block) {
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
        let [mut others, mut opposed] = [&mut self.others, &mut self.opposed].map(std::mem::take);
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

    /// The padded cells in the middle of the blocks of the padded raster from `first` on; `None` in its
    /// border.
    pub fn middles(&self, first: usize) -> impl Iterator<Item = Option<[u32; 2]>> {
        let Self { block, stride, rows, .. } = *self;
        places(stride, first).map(move |[i, j]| {
            let is_inner = i > 0 && j > 0 && i + 1 < stride && j + 1 < rows;
            let cell = |b: usize| (b as u32 - 1) * block + block / 2 + 1;
            is_inner.then(|| [cell(i), cell(j)])
        })
    }

    /// Begins to price the ground for the last group, which goes by these directions.
    pub fn look(&mut self, directions: &[u32]) {
        let mut strips = std::mem::take(&mut self.strips);
        strips.find(|first, looks| {
            let middles = (first..).zip(self.middles(first));
            for (to, (block, middle)) in looks.iter_mut().zip(middles) {
                *to = middle.map_or(Look::default(), |[i, j]| {
                    let direction = directions[j as usize * self.cells + i as usize];
                    let [sectors, opposed, others] =
                        [&self.sectors, &self.opposed, &self.others].each(|notes| notes[block]);
                    Look::new(direction, sectors, opposed, others)
                });
            }
        });
        self.strips = strips;
    }

    /// Prices the blocks from `first` on: what crowds add to each becomes what it costs agents of the last
    /// group more, both in 1/16 of its ground.
    pub fn price(&self, first: usize, prices: &mut [u8]) {
        self.strips.price(first, prices);
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

#[cfg(test)]
mod tests;
