//! Walls, as the stages that move agents see them.

use crate::kernel::guard::Ground;
use crate::kernel::sample;
use crate::kernel::wall;
use crate::kernel::wall::Wall;
use crate::lane::IntLane;
use crate::lane::Lane;
use crate::lane::Mask;
use crate::lane::Numbers;
use crate::tick::cast::Cast;
use crate::world::World;

/// The map's walls.
pub(super) struct Walls<'a, N: Numbers> {
    ground: Ground<'a, N>,
    /// Side of a cell, in metres.
    pub(super) cell: N,
    /// The last position on the map.
    edge: [N; 2],
}

impl<'a, N: Numbers> Walls<'a, N> {
    pub(super) fn new(world: &'a World<N>) -> Self {
        let map = &world.map;
        let edge = |cells: u32| N::from_f64((f64::from(cells) - 1.0 / 256.0) * map.cell_size());
        Self {
            ground: world.ground(),
            cell: N::from_f64(map.cell_size()),
            edge: [edge(map.width()), edge(map.height())],
        }
    }

    /// Where a wall may matter in this tick.
    #[inline(always)]
    pub(super) fn near<L: Lane<Num = N>>(&self, cast: &Cast<'_, N>, pos: [L; 2]) -> L::Mask {
        self.within(pos, cast.lanes(|t| t.wary))
    }

    /// Where the own cell is less than so many cells from a wall.
    #[inline(always)]
    pub(super) fn within<L: Lane<Num = N>>(&self, [x, y]: [L; 2], range: L) -> L::Mask {
        let stride = L::Int::splat(self.ground.stride as i32);
        let cell = sample::own_cell(x, y, L::splat(self.ground.scale), stride);
        let distance = L::Int::from_fn(|i| i32::from(self.ground.raster[cell.get(i) as usize]));
        L::from_q8(distance).lt(range)
    }

    /// The wall near points, which may lie off the map.
    #[inline(always)]
    pub(super) fn at<L: Lane<Num = N>>(&self, point: [L; 2]) -> Wall<L> {
        let [x, y] = [0, 1].map(|i| point[i].larger(L::zero()).smaller(L::splat(self.edge[i])));
        let stride = self.ground.stride;
        let scale = L::splat(self.ground.scale);
        let corners = sample::corners(x, y, scale, L::Int::splat(stride as i32));
        wall::wall(&corners, wall::gather(&corners, stride, self.ground.raster))
    }

    /// Where agents that are `wary` end: discs that overlap a wall are moved out of it, and no
    /// centre enters one. The others end at `to`.
    #[inline(always)]
    pub(super) fn hold<L: Lane<Num = N>>(
        &self,
        wary: L::Mask,
        from: [L; 2],
        to: [L; 2],
        clearance: L,
    ) -> [L; 2] {
        let wall = self.at(to);
        let overlap = (clearance - wall.distance).larger(L::zero()).smaller(clearance);
        let depth = overlap * L::splat(self.cell);
        let to = [0, 1].map(|i| L::select(wary, to[i] + wall.normal[i] * depth, to[i]));
        self.guard(wary, from, to)
    }

    /// The guarantee: agents near walls end where their step may end. Most end in their own cell.
    #[inline(always)]
    fn guard<L: Lane<Num = N>>(&self, wary: L::Mask, from: [L; 2], to: [L; 2]) -> [L; 2] {
        let cell = |x: L| (x * L::splat(self.ground.scale)).floor_int();
        let stays = |i: usize| cell(from[i]).equal(cell(to[i]));
        let crossing = wary & !(stays(0) & stays(1));
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
