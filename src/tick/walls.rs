//! Walls, as the stages that move agents see them.

use crate::kernel::wall::Wall;
use crate::kernel::wall_limit::OpenCells;
use crate::kernel::{sample, wall};
use crate::lane::{IntLane, Lane, Mask, Numbers};
use crate::math::each::Each;
use crate::tick::block_traits::BlockTraits;
use crate::world::{Ground, LOOK_AHEAD};

/// The map's walls.
pub(super) struct Walls<'a, N: Numbers> {
    ground: OpenCells<'a, N>,
    /// Side of a cell, in metres.
    pub(super) cell: N,
    /// The last position on the map.
    edge: [N; 2],
}

impl<'a, N: Numbers> Walls<'a, N> {
    pub(super) fn new(ground: &'a Ground<N>) -> Self {
        let map = &ground.map;
        let edge = |cells: u32| N::from_f64((f64::from(cells) - 1.0 / 256.0) * map.cell_size());
        Self {
            ground: ground.open_cells(),
            cell: N::from_f64(map.cell_size()),
            edge: [edge(map.width()), edge(map.height())],
        }
    }

    /// Lanes so near to a wall that it may matter in this tick.
    #[inline(always)]
    pub(super) fn near<L: Lane<Num = N>>(
        &self,
        block_traits: &BlockTraits<'_, N>,
        pos: [L; 2],
    ) -> L::Mask {
        self.within(pos, block_traits.lanes(|t| t.wary))
    }

    /// Lanes whose cell is less than so many cells from a wall.
    #[inline(always)]
    pub(super) fn within<L: Lane<Num = N>>(&self, [x, y]: [L; 2], range: L) -> L::Mask {
        let stride = L::Int::splat(self.ground.stride as i32);
        let cell = sample::own_cell(x, y, L::splat(self.ground.scale), stride);
        let distance = L::Int::from_fn(|i| i32::from(self.ground.raster[cell.get(i) as usize]));
        L::from_q8(distance).lt(range)
    }

    /// Lanes with a wall or the edge of the map so many metres away, or some more; no others have one.
    #[inline(always)]
    pub(super) fn within_metres<L: Lane<Num = N>>(&self, pos: [L; 2], far: L) -> L::Mask {
        // Distances are measured between whole cells.
        self.within(pos, far * L::splat(self.ground.scale) + L::splat(N::from_f64(2.0)))
    }

    /// Lanes whose point is in a wall; points may lie off the map.
    #[inline(always)]
    pub(super) fn stand_at<L: Lane<Num = N>>(&self, point: [L; 2]) -> L::Mask {
        let (cells, _) = self.cells(point);
        let distance = L::Int::from_fn(|i| i32::from(self.ground.raster[cells.get(i) as usize]));
        distance.equal(L::Int::splat(0))
    }

    /// The wall near points, which may lie off the map.
    #[inline(always)]
    pub(super) fn at<L: Lane<Num = N>>(&self, point: [L; 2]) -> Wall<L> {
        let [x, y] = [0, 1].each(|i| point[i].larger(L::zero()).smaller(L::splat(self.edge[i])));
        let stride = self.ground.stride;
        let scale = L::splat(self.ground.scale);
        let corners = sample::corners(x, y, scale, stride as i32);
        wall::wall(&corners, wall::gather(&corners, stride, self.ground.raster))
    }

    /// The nearest wall of points on the map, for discs of radii in cells: exactly where the disc is
    /// no larger than a cell and the wall among the 8 cells around.
    #[inline(always)]
    pub(super) fn nearest<L: Lane<Num = N>>(&self, point: [L; 2], radius: L) -> Wall<L> {
        let wall = self.at(point);
        let (cells, share) = self.cells(point);
        let walls = wall::around::<L>(cells, self.ground.stride, self.ground.raster);
        let exact = wall::nearest(share, walls);
        let small = radius.le(L::one());
        let counts = small & exact.distance.lt(L::splat(N::from_f64(wall::NONE)));
        let pick = |yes: L, no: L| L::select(counts, yes, no);
        // All others are a cell away or more.
        let far = L::select(small, wall.distance.larger(L::one()), wall.distance);
        Wall {
            distance: pick(exact.distance, far),
            normal: [0, 1].each(|i| pick(exact.normal[i], wall.normal[i])),
            slope: pick(exact.slope, wall.slope),
        }
    }

    /// The push of the walls on agents, force per mass: away from them and along them.
    #[inline(always)]
    pub(super) fn push<L: Lane<Num = N>>(
        &self,
        block_traits: &BlockTraits<'_, N>,
        [pos, vel, desired]: [[L; 2]; 3],
    ) -> [L; 2] {
        let look_ahead = L::splat(N::from_f64(LOOK_AHEAD));
        let lean =
            L::Mask::from_fn(|i| block_traits.tags[i].id.wrapping_mul(0x9e37_79b1) >> 31 == 1);
        let mut wall = self.at([0, 1].each(|i| pos[i] + vel[i] * look_ahead));
        wall.distance = wall.distance * L::splat(self.cell);
        let [away, along] = wall::forces(&wall, block_traits.margin(), vel, lean);
        let force = block_traits.lanes::<L>(|t| t.force);
        let push = [0, 1].each(|i| (away[i] + away[i] + along[i]) * force);
        wall::no_stop(push, desired, block_traits.response())
    }

    /// Where agents that are `wary` end: discs that overlap a wall are moved out of it, and no
    /// centre enters one. The others end at `to`. Radii are in cells.
    #[inline(always)]
    pub(super) fn hold<L: Lane<Num = N>>(
        &self,
        wary: L::Mask,
        from: [L; 2],
        to: [L; 2],
        radius: L,
    ) -> [L; 2] {
        let wide = wary & L::one().lt(radius);
        let mut to = to;
        if wide.any() {
            let wall = self.at(to);
            let overlap = (radius - wall.distance).larger(L::zero()).smaller(radius);
            let depth = overlap * L::splat(self.cell);
            to = [0, 1].each(|i| L::select(wide, to[i] + wall.normal[i] * depth, to[i]));
        }
        let to = self.guard(wary, from, to);
        let (cells, share) = self.cells(to);
        let (stride, raster) = (self.ground.stride, self.ground.raster);
        let beside = |i: usize| i32::from(raster[cells.get(i) as usize]) <= wall::BESIDE;
        let near = wary & !wide & L::Mask::from_fn(beside);
        if !near.any() {
            return to;
        }
        let kept = wall::keep_off(share, radius, wall::around::<L>(cells, stride, raster));
        let moved = |i: usize| to[i] + (kept[i] - share[i]) * L::splat(self.cell);
        let kept = [0, 1].each(|i| L::select(near, moved(i), to[i]));
        self.guard(near, to, kept)
    }

    /// The padded indices of the cells of points, which may lie off the map, and where in their
    /// cells the points are, from 0 to 1.
    #[inline(always)]
    fn cells<L: Lane<Num = N>>(&self, point: [L; 2]) -> (L::Int, [L; 2]) {
        let scale = L::splat(self.ground.scale);
        let inside = |i: usize| point[i].larger(L::zero()).smaller(L::splat(self.edge[i]));
        let [u, v] = [0, 1].each(|i| inside(i) * scale);
        let (i, j, one) = (u.floor_int(), v.floor_int(), L::Int::splat(1));
        let cells = (j + one) * L::Int::splat(self.ground.stride as i32) + i + one;
        (cells, [u - L::from_int(i), v - L::from_int(j)])
    }

    /// The guarantee: agents near walls end where their step may end. Most end in their own cell.
    #[inline(always)]
    fn guard<L: Lane<Num = N>>(&self, wary: L::Mask, from: [L; 2], to: [L; 2]) -> [L; 2] {
        let crossing = wary & !self.ground.is_same(from, to);
        if !crossing.any() {
            return to;
        }
        let (mut starts, mut ends) = ([[N::ZERO; 2]; 8], [[N::ZERO; 2]; 8]);
        L::store_pairs(from[0], from[1], &mut starts);
        L::store_pairs(to[0], to[1], &mut ends);
        let mut left = crossing.bits();
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            ends[i] = self.ground.step(starts[i], ends[i]);
            left &= left - 1;
        }
        L::load_pairs(&ends).into()
    }
}
