//! A walker's next cell, by navigator.

use crate::math::each::Each;
use crate::math::hash2;
use crate::nav::navigator::ground::Ground;
use crate::nav::navigator::walker::{Walker, any_step};
use crate::nav::navigator::{Navigator, line, outline, road, trail};

impl Walker {
    /// The next cell by a navigator that goes [by cells](Navigator::is_by_cells), which it is in
    /// afterwards; `None` when it stays where it is. `seed` is its own; `trail` are crumbs, oldest
    /// first.
    pub fn next(
        &mut self,
        navigator: Navigator,
        ground: &Ground<'_>,
        goal: u32,
        seed: u64,
        trail: &[u32],
    ) -> Option<u32> {
        let random = hash2(seed, u64::from(self.steps));
        self.steps = self.steps.wrapping_add(1);
        let (heading, cell) = match navigator {
            Navigator::Straight => self.straight(ground, goal)?,
            Navigator::RandomAvoid => {
                let (headings, count) = ground.towards(self.cell, goal);
                let ahead = |heading| Some((heading, ground.step(self.cell, heading)?));
                let first = headings[..count].first().and_then(|&heading| ahead(heading));
                first.or_else(|| any_step(ground, self.cell, random))?
            }
            Navigator::Trace => outline::trace(self, ground, goal, false, random)?,
            Navigator::TraceSight => outline::trace(self, ground, goal, true, random)?,
            Navigator::Breadcrumbs => trail::follow(self, ground, trail, random)?,
            Navigator::Road => road::follow(self, ground)?,
            Navigator::LeftHand => outline::left_hand(self, ground)?,
            Navigator::Flow
            | Navigator::Waypoints
            | Navigator::Path
            | Navigator::Network
            | Navigator::Mesh
            | Navigator::Corridor => return None,
        };
        (self.heading, self.cell) = (heading, cell);
        Some(cell)
    }

    /// The next cell of the line from where it began.
    fn straight(&mut self, ground: &Ground<'_>, goal: u32) -> Option<(u8, u32)> {
        let [at, to] = [self.cell, goal].each(|cell| ground.place(cell));
        let mut from = ground.place(self.began);
        let along = |from: [i32; 2]| (at[0] - from[0]).abs().max((at[1] - from[1]).abs());
        if line::on_line(from, to, along(from)) != at {
            (self.began, from) = (self.cell, at);
        }
        if at == to {
            return None;
        }
        let next = ground.cell(line::on_line(from, to, along(from) + 1));
        let heading = ground.heading_to(self.cell, next)?;
        Some((heading, ground.step(self.cell, heading)?))
    }
}
