//! The way that a group's flow field shows, for readers.

use crate::data::GroupId;
use crate::kernel::sample;
use crate::lane::{Lane, Numbers};
use crate::math::each::Each;
use crate::nav::field::SOLID;
use crate::world::World;

impl<N: Numbers> World<N> {
    /// The direction in which a group's flow field leads at a point (metres), as a vector of
    /// length 1: the one that an agent of the group there would follow in the next tick. Zero in
    /// the core of the goal.
    ///
    /// `None` when there is no such group, it follows no finished field (nor a corridor that is
    /// made there), or the point is off the
    /// map, in a wall, or where no way leads to the goal from. Costs the same everywhere.
    pub fn flow(&self, group: GroupId, at: [f64; 2]) -> Option<[f64; 2]> {
        let row = self.group(group)?;
        let codes = row.field.and_then(|field| self.routes.fields.directions(field));
        self.ground.map.cell_at(at[0], at[1])?;
        let (ground, pos) = (self.ground.open_cells(), at.each(N::from_f64));
        let [i, j] = ground.cell(pos);
        let cell = j as usize * ground.stride + i as usize;
        let code = |cell: usize| match codes {
            Some(codes) => Some(codes[cell]),
            None => self.routes.sectors.code(group.index(), row.class, cell as u32),
        };
        if !ground.is_open([i, j]) || code(cell).is_none_or(|code| code == SOLID) {
            return None;
        }
        let [x, y, scale] = [pos[0], pos[1], ground.scale].each(N::Single::splat);
        let corners = sample::corners::<N::Single>(x, y, scale, ground.stride as i32);
        let quad = |_, first| {
            let row = |first| [first, first + 1].each(|cell| code(cell).unwrap_or(SOLID));
            [first, first + ground.stride].each(row)
        };
        let codes = sample::gather::<N::Single>(&corners, quad);
        let direction = sample::blend::<N::Single>(&corners, &codes);
        Some([direction.x, direction.y].each(|c| c.get(0).to_f64()))
    }
}
