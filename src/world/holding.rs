//! Holding: what agents that stand and keep their place add to the cost of the ground.
//!
//! **What.** The map is cut into the blocks of [`Crowding`](crate::world::Crowding), about a metre
//! wide. A block is held when discs of such agents take up three eighths of its width. They cannot be
//! pushed away, so a held block costs as much as a block can. In front of a line of held blocks,
//! straight or diagonal, so does the ground for [`DEPTH`] blocks, up to the next wall: a line that
//! is shut all across is worth a detour of some 200 m. Gaps in a line stay as they are, and agents without
//! another way still have this one.
//!
//! All sums are of whole numbers, so their order does not matter.

use crate::map::Map;
use crate::math::Num;
use crate::math::each::Each;
use crate::nav::field::CrowdCosts;
use crate::world::crowding::block_on;

/// Blocks in front of a line that cost more.
const DEPTH: i32 = 6;
/// What is added to the ground's cost, in 1/16 of it.
const MOST: u8 = 240;
/// Units of length: 1/1024 m.
const LENGTH: f64 = 1024.0;
/// Steps straight and diagonal.
const STEPS: [[i32; 2]; 8] = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, -1], [1, -1], [-1, 1]];

/// The costs of ground that is held. Empty while no agent holds a place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holding {
    costs: CrowdCosts,
    /// Memory of a count: what discs take up of every block, in units of length; and new costs.
    taken: Vec<u32>,
    extra: Vec<u8>,
}

impl Holding {
    /// The costs of held ground alone.
    pub(crate) fn costs(&self) -> &CrowdCosts {
        &self.costs
    }

    /// Takes on what was kept: costs by block, none while no agent holds a place.
    pub(crate) fn restore(&mut self, map: &Map, extra: &[u8]) {
        let layout = Layout::of(map);
        self.costs.set(layout.block, layout.stride as u32, extra.iter().copied());
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.costs.clear();
    }

    /// Counts anew which blocks are held: agents' discs by centre and radius in metres.
    pub(crate) fn count<N: Num>(&mut self, map: &Map, discs: impl Iterator<Item = ([N; 2], f64)>) {
        let layout = Layout::of(map);
        self.taken.clear();
        self.taken.resize(layout.stride * layout.rows, 0);
        for (pos, radius) in discs {
            layout.add(pos.each(N::to_f64), radius, &mut self.taken);
        }
        let least = (layout.width * LENGTH * 3.0 / 8.0) as u32;
        let Self { costs, taken, extra, .. } = self;
        extra.clear();
        extra.resize(taken.len(), 0);
        let is_held = |index: usize| taken[index] >= least;
        for index in (0..taken.len()).filter(|&index| taken[index] >= least) {
            extra[index] = MOST;
            for step in STEPS {
                layout.raise_before(map, index, step, is_held, extra);
            }
        }
        if extra[..] != *costs.extra() {
            costs.set(layout.block, layout.stride as u32, extra.iter().copied());
        }
    }
}

/// How blocks lie on a map.
struct Layout {
    /// Cells to a side of a block, and its width in metres.
    block: u32,
    width: f64,
    /// Blocks of the padded raster.
    stride: usize,
    rows: usize,
}

impl Layout {
    fn of(map: &Map) -> Self {
        let block = block_on(map);
        let [stride, rows] =
            [map.width(), map.height()].each(|side| side.div_ceil(block) as usize + 2);
        Self { block, width: f64::from(block) * map.cell_size(), stride, rows }
    }

    /// Adds what a disc takes up to the blocks that it reaches into by a quarter of its width.
    fn add(&self, at: [f64; 2], radius: f64, taken: &mut [u32]) {
        let block = |at: f64, most: usize| {
            let block = (at / self.width).floor().max(0.0) as usize + 1;
            block.min(most - 2)
        };
        let low = [block(at[0] - radius, self.stride), block(at[1] - radius, self.rows)];
        let high = [block(at[0] + radius, self.stride), block(at[1] + radius, self.rows)];
        let reach = |axis: usize, block: usize| {
            let first = (block as f64 - 1.0) * self.width;
            (at[axis] + radius).min(first + self.width) - (at[axis] - radius).max(first)
        };
        for y in low[1]..=high[1] {
            for x in low[0]..=high[0] {
                let (wide, high) = (reach(0, x), reach(1, y));
                if wide.min(high) >= 0.5 * radius {
                    let taken = &mut taken[y * self.stride + x];
                    *taken = taken.saturating_add((wide.max(high) * LENGTH) as u32);
                }
            }
        }
    }

    /// Raises the cost in front of a held block, as seen from it, if the blocks beside it are held or shut.
    fn raise_before(
        &self,
        map: &Map,
        index: usize,
        [x, y]: [i32; 2],
        is_held: impl Fn(usize) -> bool,
        extra: &mut [u8],
    ) {
        let (column, row) = ((index % self.stride) as i32, (index / self.stride) as i32);
        let at = |x: i32, y: i32| y as usize * self.stride + x as usize;
        let beside = [[column - y, row + x], [column + y, row - x]];
        if !beside.into_iter().all(|[x, y]| is_held(at(x, y)) || !self.is_open(map, [x, y])) {
            return;
        }
        for step in 1..=DEPTH {
            let [column, row] = [column + step * x, row + step * y];
            if !self.is_open(map, [column, row]) {
                return;
            }
            extra[at(column, row)] = MOST;
        }
    }

    /// Whether a padded block is on the map, and its middle is open.
    fn is_open(&self, map: &Map, place: [i32; 2]) -> bool {
        let cell = place.each(|at| (at - 1) * self.block as i32 + self.block as i32 / 2);
        let sizes = [map.width(), map.height()];
        let inside = (0..2).all(|axis| cell[axis] >= 0 && (cell[axis] as u32) < sizes[axis]);
        inside && map.slowness()[map.index(cell[0] as u32, cell[1] as u32) as usize] > 0
    }
}

#[cfg(test)]
mod tests {
    use super::Holding;
    use crate::map::Map;

    /// The costs of a map of 30 by 30 cells of 1 m, without padding, under some discs.
    fn costs(map: &Map, discs: &[[f32; 2]]) -> Vec<Vec<u8>> {
        let mut holding = Holding::default();
        holding.count(map, discs.iter().map(|&at| (at, 0.3)));
        let extra = holding.costs().extra();
        if extra.is_empty() {
            return vec![vec![0; 30]; 30];
        }
        extra.chunks(32).skip(1).take(30).map(|row| row[1..31].to_vec()).collect()
    }

    #[test]
    fn a_line_costs_in_front_and_behind_and_its_gap_does_not() {
        let mut cells = vec![16; 900];
        cells[13 * 30..14 * 30].fill(0);
        let map = Map::from_slowness(30, 30, 1.0, &cells);
        let line: Vec<[f32; 2]> = (0..20).map(|i| [0.5 + i as f32 * 0.8, 10.5]).collect();
        let costs = costs(&map, &line);
        // From x = 0.2 to 16.
        assert!(costs[10][..16].iter().all(|&extra| extra == 240), "{:?}", costs[10]);
        for (y, row) in costs.iter().enumerate() {
            assert!(row[16..].iter().all(|&extra| extra == 0), "the gap is free: {y} {row:?}");
            // A block at the end of the line has none beside it on one side; a wall ends it.
            let is_near = (4..13).contains(&y);
            assert!(row[1..15].iter().all(|&extra| (extra > 0) == is_near), "{y}: {row:?}");
        }
    }

    #[test]
    fn one_who_stands_alone_costs_in_its_block_only() {
        let map = Map::from_slowness(30, 30, 1.0, &[16; 900]);
        let all: u32 = costs(&map, &[[4.5, 4.5]]).iter().flatten().map(|&e| u32::from(e)).sum();
        assert_eq!(all, 240);
        assert_eq!(costs(&map, &[]), vec![vec![0; 30]; 30]);
    }
}
