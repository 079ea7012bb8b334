//! What crossing a cell costs: the ground's own slowness, and crowds on top.

use crate::map::Clearance;
use crate::map::limits::MAX_DISTANCE;
use xxhash_rust::xxh3::Xxh3;

/// What a search reads of its ground.
#[derive(Clone, Copy, Debug)]
pub struct Costs<'a> {
    /// Slowness of every cell in 1/16, padded; 0 is impassable.
    pub(super) slowness: &'a [u8],
    pub(super) stride: u32,
    /// No passable cell has a smaller or a greater one.
    pub(super) least: u8,
    pub(super) greatest: u8,
}

impl<'a> From<&'a Clearance> for Costs<'a> {
    fn from(class: &'a Clearance) -> Self {
        let (least, greatest) = (class.least(), class.greatest());
        Self { slowness: class.slowness(), stride: class.stride(), least, greatest }
    }
}

/// What crowds add to the cost of cells: one number for every square block of cells.
///
/// A number e makes the block's cells `1 + e/16` times as slow. Where streams are priced too it is odd in the
/// left halves of shared strips. The raster of blocks is padded by one block on every side.
/// The default is no crowd anywhere.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CrowdCosts {
    /// Cells to a side of a block.
    block: u32,
    /// Blocks from one row of the padded raster to the next.
    stride: u32,
    extra: Vec<u8>,
    /// Blocks where crossing costs more.
    crowded: u32,
    hash: u64,
}

/// Lowest bit of a block's number, set in the left half of a shared strip: ground that groups with opposite
/// ways will cross (see [`streams`](crate::nav::streams)).
pub(crate) const LEFT_HALF: u8 = 1;

impl Clone for CrowdCosts {
    fn clone(&self) -> Self {
        Self { extra: self.extra.clone(), ..*self }
    }

    /// Uses the memory again.
    fn clone_from(&mut self, source: &Self) {
        let mut extra = std::mem::take(&mut self.extra);
        extra.clone_from(&source.extra);
        *self = Self { extra, ..*source };
    }
}

impl CrowdCosts {
    /// Sets the costs. `extra` gives one number for every block of the padded raster, row by row;
    /// when all are 0, these are the costs of no crowd.
    pub fn set(&mut self, block: u32, stride: u32, extra: impl Iterator<Item = u8>) {
        self.extra.clear();
        self.extra.extend(extra);
        self.crowded = self.extra.iter().map(|&extra| u32::from(extra > 0)).sum();
        if self.crowded == 0 {
            self.clear();
            return;
        }
        (self.block, self.stride) = (block, stride);
        let mut hash = Xxh3::new();
        hash.update(&block.to_le_bytes());
        hash.update(&self.extra);
        self.hash = hash.digest();
    }

    /// Cells to a side of a block, and blocks from one row of the padded raster to the next; both 0
    /// without a crowd.
    pub fn layout(&self) -> [u32; 2] {
        [self.block, self.stride]
    }

    /// Takes all crowds away.
    pub fn clear(&mut self) {
        self.extra.clear();
        (self.block, self.stride, self.crowded, self.hash) = (0, 0, 0, 0);
    }

    /// Whether no cell costs more.
    pub fn is_free(&self) -> bool {
        self.crowded == 0
    }

    /// What every block of the padded raster costs more, in 1/16 of its ground; empty without a
    /// crowd.
    pub fn extra(&self) -> &[u8] {
        &self.extra
    }

    /// What a padded cell costs more, in 1/16 of its ground.
    pub fn at(&self, [x, y]: [u32; 2]) -> u8 {
        let Self { block, stride, .. } = *self;
        if self.is_free() {
            return 0;
        }
        self.extra[(y.div_ceil(block) * stride + x.div_ceil(block)) as usize]
    }

    /// Whether a padded cell is in the left half of a strip that the group shares with others.
    #[inline(always)]
    pub(crate) fn is_left_half(&self, cell: [u32; 2]) -> bool {
        self.at(cell) & LEFT_HALF != 0
    }

    /// Changes with the costs; 0 for none.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// The most that a cell's slowness may grow so that no distance overflows: a way costs at most
    /// what it does on empty ground, and the growth of all crowded cells.
    fn most(&self, class: &Clearance) -> u32 {
        let cells = u64::from(self.crowded) * u64::from(self.block) * u64::from(self.block);
        let room = MAX_DISTANCE as u64 - class.longest().min(MAX_DISTANCE as u64);
        (room / (16 * cells.max(1))).min(255) as u32
    }

    /// Writes the slowness of the rows `first..first + n` of a class's padded raster among crowds,
    /// where `target` holds n rows. Passable cells stay so: at most 255, at least their own.
    pub(super) fn raise(&self, class: &Clearance, first: u32, target: &mut [u8]) {
        let stride = class.stride() as usize;
        let own = &class.slowness()[first as usize * stride..][..target.len()];
        target.copy_from_slice(own);
        if self.is_free() {
            return;
        }
        let most = self.most(class);
        let block = self.block as usize;
        for (y, row) in (first as usize..).zip(target.chunks_exact_mut(stride)) {
            // The padding of cells lies in the padding of blocks, which costs nothing.
            let blocks = y.div_ceil(block) * self.stride as usize;
            let extra = &self.extra[blocks + 1..][..self.stride as usize - 2];
            for (cells, &extra) in row[1..stride - 1].chunks_mut(block).zip(extra) {
                if extra > 0 {
                    cells.iter_mut().for_each(|cell| *cell = raised(*cell, extra, most));
                }
            }
        }
    }
}

/// Slowness of a cell in a crowd.
#[inline(always)]
fn raised(own: u8, extra: u8, most: u32) -> u8 {
    let more = (u32::from(own) * u32::from(extra)) >> 4;
    (u32::from(own) + more.min(most)).min(255) as u8
}

#[cfg(test)]
mod tests {
    use super::CrowdCosts;
    use crate::map::Map;

    #[test]
    fn growth_is_cut_where_distances_could_overflow() {
        // 9 Mi cells at slowness 14 leave room for little more.
        let side = 3072;
        let map = Map::from_slowness(side, side, 1.0, &vec![13; (side * side) as usize]);
        let class = map.class(0.3);
        let stride = side + 2;
        let mut crowd = CrowdCosts::default();
        crowd.set(1, stride, (0..stride * stride).map(|_| 240));
        let mut row = vec![0; stride as usize];
        crowd.raise(&class, 5, &mut row);
        let grown = u64::from(row[9]);
        assert!((13..20).contains(&grown), "{grown}");
        let bound = 16 * grown * u64::from(side) * u64::from(side);
        assert!(bound <= super::MAX_DISTANCE as u64 + 16 * u64::from(stride), "{bound}");
    }
}
