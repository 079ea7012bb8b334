//! The target that an agent prefers: branch and bound over the raster.
//!
//! Tiles in the order of their least rank and then of their distance, in each of them cells in the
//! same order, in each of these all agents: until what is left cannot win. The result is exactly
//! what a look at all agents would give.

use crate::kernel::choose::{Best, Crowd, Key, Seeker, scan};
use crate::lane::{Compare, IntLane, Lane, Mask, Numbers, Real};
use crate::math::each::Each;
use crate::space::Grid;
use crate::tick::aim::raster::{EMPTY, Raster, TILE};
use crate::world::Tag;

/// Cells of a tile.
const CELLS: usize = TILE * TILE;

/// Cells that are looked at one by one rather than tile by tile.
const FEW: usize = 16;

/// What every search reads.
#[derive(Clone, Copy)]
pub(in crate::tick) struct Field<'a, N> {
    pub(in crate::tick) raster: &'a Raster<N>,
    pub(in crate::tick) grid: &'a Grid<N>,
    pub(in crate::tick) pos: &'a [[N; 2]],
    pub(in crate::tick) tags: &'a [Tag],
}

/// A seeker, and the agents that it searches.
#[derive(Clone, Copy)]
pub(in crate::tick) struct Search<'a, N> {
    pub(in crate::tick) field: &'a Field<'a, N>,
    pub(in crate::tick) crowd: Crowd<'a, N>,
    pub(in crate::tick) seeker: Seeker<N>,
    pub(in crate::tick) view: usize,
    pub(in crate::tick) range: N,
}

/// Cells of a tile that can win: the least rank, the square of the least distance, the place.
struct Cells {
    list: [(i32, f64, u32); CELLS],
    count: usize,
}

impl<N: Numbers> Search<'_, N> {
    /// The candidates that the seeker prefers, of the ones after `after` in its order and of those
    /// in `best`, which begins with none or with a candidate.
    pub(in crate::tick) fn run<L: Lane<Num = N>, const MOST: usize>(
        &self,
        after: Key,
        mut best: Best<MOST>,
    ) -> Best<MOST> {
        let Self { seeker, field, .. } = self;
        let [rows, columns] = field.raster.window(seeker.pos, N::ZERO, field.grid);
        let own = [rows[0], columns[0]];
        let (least, _) = field.raster.cell(self.view, own, seeker.pos);
        if least != EMPTY {
            self.scan::<L, MOST>(own, after, &mut best);
        }
        let [rows, columns] = self.window(best.bound());
        if (rows[1] - rows[0] + 1) * (columns[1] - columns[0] + 1) <= FEW {
            for row in rows[0]..=rows[1] {
                for column in columns[0]..=columns[1] {
                    let (least, near) = field.raster.cell(self.view, [row, column], seeker.pos);
                    let wins = (least, near) <= rank_and_square(best.bound());
                    if least != EMPTY && wins && [row, column] != own {
                        self.scan::<L, MOST>([row, column], after, &mut best);
                    }
                }
            }
            return best;
        }
        self.by_tiles::<L, MOST>(own, after, best)
    }

    /// The cells that can hold a candidate better than the best.
    fn window(&self, best: Key) -> [[usize; 2]; 2] {
        // Rounding takes less than this from a range.
        let slack = N::from_f64(1.0 / 64.0);
        let mut range = self.range + slack;
        if self.crowd.ranks.is_empty() && best != Key::NONE {
            range = range.smaller(N::from_f64(best.square.sqrt()) + slack);
        }
        self.field.raster.window(self.seeker.pos, range, self.field.grid)
    }

    /// The same, tile by tile.
    fn by_tiles<L: Lane<Num = N>, const MOST: usize>(
        &self,
        own: [usize; 2],
        after: Key,
        mut best: Best<MOST>,
    ) -> Best<MOST> {
        let [rows, columns] =
            self.window(best.bound()).each(|window| window.each(|cell| cell / TILE));
        let mut last = (i32::MIN, -1.0, [0; 2]);
        loop {
            let mut next = (EMPTY, f64::INFINITY, [0; 2]);
            for row in rows[0]..=rows[1] {
                for column in columns[0]..=columns[1] {
                    let at = [row, column];
                    let (least, near) = self.field.raster.tile(self.view, at, self.seeker.pos);
                    let tile = (least, near, at);
                    if near <= self.seeker.far && tile > last && tile < next {
                        next = tile;
                    }
                }
            }
            let (least, near, at) = next;
            if least == EMPTY || (least, near) > rank_and_square(best.bound()) {
                return best;
            }
            self.tile::<L, MOST>(at, own, after, &mut best);
            last = next;
        }
    }

    /// Takes over into `best` better candidates in a tile, but for the seeker's own cell.
    #[inline(always)]
    fn tile<L: Lane<Num = N>, const MOST: usize>(
        &self,
        tile: [usize; 2],
        own: [usize; 2],
        after: Key,
        best: &mut Best<MOST>,
    ) {
        let mut cells = self.cells::<L>(tile, best.bound());
        while let Some((rank, near, cell)) = cells.first() {
            if (rank, near) > rank_and_square(best.bound()) {
                return;
            }
            let cell = cell as usize;
            let at = [tile[0] * TILE + cell / TILE, tile[1] * TILE + cell % TILE];
            if at != own {
                self.scan::<L, MOST>(at, after, best);
            }
        }
    }

    /// The cells of a tile that can win.
    #[inline(always)]
    fn cells<L: Lane<Num = N>>(&self, [row, column]: [usize; 2], best: Key) -> Cells {
        let mut cells = Cells { list: [(EMPTY, 0.0, 0); CELLS], count: 0 };
        let (raster, seeker) = (self.field.raster, &self.seeker);
        let pos = seeker.pos.each(L::splat);
        let limits = [seeker.near, seeker.far, best.square].each(L::Real::splat);
        let rank = L::Int::splat(best.rank);
        for line in 0..TILE.min(raster.rows() - row * TILE) {
            for at in (0..TILE).step_by(L::WIDTH) {
                let first = column * TILE + at;
                let (least, [near, far]) =
                    raster.cells::<L>(self.view, row * TILE + line, first, pos);
                let out = L::from_real_mask(limits[1].lt(near) | far.lt(limits[0]));
                let close = L::from_real_mask(!limits[2].lt(near));
                let wins = least.less(rank) | (least.equal(rank) & close);
                let there = least.less(L::Int::splat(EMPTY));
                let mut bits = (wins & there & !out).bits();
                while bits != 0 {
                    let lane = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let place = (line * TILE + at + lane) as u32;
                    cells.list[cells.count] = (least.get(lane), near.get(lane), place);
                    cells.count += 1;
                }
            }
        }
        cells
    }

    /// Takes over into `best` better candidates in a cell.
    #[inline(always)]
    fn scan<L: Lane<Num = N>, const MOST: usize>(
        &self,
        cell: [usize; 2],
        after: Key,
        best: &mut Best<MOST>,
    ) {
        let Self { field, seeker, crowd, .. } = self;
        let id = |row: usize| field.tags[row].id;
        field.grid.visit(field.raster.query(cell), |rows, _| {
            if crowd.ranks.is_empty() {
                scan::<L, false, MOST>(seeker, crowd, rows, id, after, best);
            } else {
                scan::<L, true, MOST>(seeker, crowd, rows, id, after, best);
            }
        });
    }
}

/// What a cell has of a key.
#[inline(always)]
fn rank_and_square(key: Key) -> (i32, f64) {
    (key.rank, key.square)
}

impl Cells {
    /// Takes out the first by rank and distance.
    #[inline(always)]
    fn first(&mut self) -> Option<(i32, f64, u32)> {
        let list = &mut self.list[..self.count];
        let mut first = 0;
        for (i, cell) in list.iter().enumerate() {
            if (cell.0, cell.1) < (list[first].0, list[first].1) {
                first = i;
            }
        }
        let found = *list.get(first)?;
        list[first] = list[self.count - 1];
        self.count -= 1;
        Some(found)
    }
}
