//! Parts of the view of goals: what a repair looks at again.
//!
//! A slope is lit or not, whatever is walked beside it; so a walk over a range of slopes finds what
//! the whole walk finds there.

use super::{Lit, OCTANTS, Sector, Sight, Slope, opaque};
use crate::map::Clearance;
use crate::nav::field::marks::Marks;
use crate::nav::field::{CellChanges, Progress};
use std::ops::Range;

impl Sector {
    /// No part of an octant.
    const NONE: Self = Self {
        lit: Lit { low: Slope { aside: 2, out: 1 }, high: Slope { aside: -1, out: 1 } },
        last: 0,
        first: i64::MAX,
    };

    /// Widens the slopes by those of the square of a cell, its corners included.
    fn cover(&mut self, aside: i64, out: i64) {
        let Lit { low, high } = &mut self.lit;
        // Ranges are open, so they end a little beyond.
        let beside = |aside: i64, out: i64, by: i64| Slope::new(16 * aside + by, 16 * out);
        let near = if aside > 0 { 2 * out + 1 } else { 2 * out - 1 };
        let below = beside(2 * aside - 1, near, -1);
        let above = beside(2 * aside + 1, 2 * out - 1, 1);
        let Lit { low: least, high: most } = Self::WHOLE.lit;
        if below.less(*low) {
            *low = if below.less(least) { least } else { below };
        }
        if high.less(above) {
            *high = if most.less(above) { most } else { above };
        }
    }
}

impl Sight {
    /// Prepares a walk over the cells that may have seen a goal before some changes or see it after
    /// them: those that see it past or through the changed cells.
    pub(in crate::nav::field) fn start_behind(
        &mut self,
        class: &Clearance,
        goals: &[u32],
        changes: &CellChanges,
    ) {
        let is_clear = |goal: u32| class.passable(goal) && !opaque(class, goal as usize);
        self.set_goals(goals, |goal| is_clear(goal) || changes.contains(goal));
        self.sectors.clear();
        let stride = i64::from(class.stride());
        for &goal in &self.goals {
            let mut sectors = [Sector::NONE; OCTANTS.len()];
            for &cell in changes.cells() {
                let (cell, goal) = (i64::from(cell), i64::from(goal));
                cover_changed(
                    &mut sectors,
                    cell % stride - goal % stride,
                    cell / stride - goal / stride,
                );
            }
            self.sectors.extend(sectors);
        }
        self.begin(class, Some(changes));
    }

    /// Adds the cells of the walk to `marks`, until done or until `budget` cells are looked at.
    pub(in crate::nav::field) fn mark_behind(
        &mut self,
        class: &Clearance,
        changes: &CellChanges,
        marks: &mut Marks,
        budget: u32,
    ) -> Progress {
        self.walk(class, Some(changes), budget, |_, seen| marks.insert(seen.cell))
    }

    /// Prepares the straight lines of the marked cells alone.
    pub(in crate::nav::field) fn start_marked(
        &mut self,
        class: &Clearance,
        goals: &[u32],
        marks: &Marks,
    ) {
        self.set_goals(goals, |goal| class.passable(goal) && !opaque(class, goal as usize));
        if goals.len() > 1 && !self.goals.is_empty() {
            self.nearest.resize(class.slowness().len(), u32::MAX);
            marks.each_run(marks.range(), |run| self.nearest[run].fill(u32::MAX));
        } else {
            self.nearest.clear();
        }
        self.sectors.clear();
        let stride = i64::from(class.stride());
        for &goal in &self.goals {
            let mut sectors = [Sector::NONE; OCTANTS.len()];
            let (x, y) = (i64::from(goal) % stride, i64::from(goal) / stride);
            marks.each_run(marks.range(), |run| {
                // A run may go on over the border of two rows.
                let (mut first, end) = (run.start as i64, run.end as i64);
                while first < end {
                    let row = first / stride;
                    let stop = end.min((row + 1) * stride);
                    let left = row * stride + x;
                    cover_run(&mut sectors, first - left..stop - left, row - y);
                    first = stop;
                }
            });
            self.sectors.extend(sectors);
        }
        self.begin(class, None);
    }

    /// Writes the directions of marked cells, like [`Sight::advance`].
    pub(in crate::nav::field) fn advance_marked(
        &mut self,
        class: &Clearance,
        distances: &[i32],
        marks: &Marks,
        directions: &mut [u32],
        budget: u32,
    ) -> Progress {
        self.walk(class, None, budget, |nearest, seen| {
            if marks.contains(seen.cell) {
                seen.point(class, distances, nearest, directions);
            }
        })
    }
}

/// Adds what lies behind a cell at some offset from the goal, and the cell.
fn cover_changed(sectors: &mut [Sector; 8], x: i64, y: i64) {
    if x.abs() <= 1 && y.abs() <= 1 {
        // It may close a diagonal, or is the goal.
        *sectors = [Sector::WHOLE; 8];
        return;
    }
    for (sector, [out_x, out_y, aside_x, aside_y]) in sectors.iter_mut().zip(OCTANTS) {
        let (out, aside) = (x * out_x + y * out_y, x * aside_x + y * aside_y);
        // The square of a cell beside the octant touches its edge.
        if out >= 1 && (0..=out + 1).contains(&aside) {
            sector.cover(aside, out);
            sector.first = sector.first.min(out);
            sector.last = i64::MAX;
        }
    }
}

/// Adds the cells of a row at some offsets from the goal.
fn cover_run(sectors: &mut [Sector; 8], xs: Range<i64>, y: i64) {
    for (sector, [out_x, out_y, aside_x, aside_y]) in sectors.iter_mut().zip(OCTANTS) {
        // The side of the octant, as a factor of x, and the part of the run in the octant.
        let side = out_x + aside_x;
        let (from, to) = if side > 0 { (xs.start, xs.end - 1) } else { (1 - xs.end, -xs.start) };
        let (least, most) = if out_x != 0 {
            let aside = y * aside_y;
            if aside < 0 {
                continue;
            }
            (aside.max(1), i64::MAX)
        } else {
            (0, y * out_y)
        };
        let (from, to) = (from.max(least), to.min(most));
        if from > to || (out_y != 0 && y * out_y < 1) {
            continue;
        }
        for along in [from, to] {
            let (aside, out) = if out_x != 0 { (y * aside_y, along) } else { (along, y * out_y) };
            sector.cover(aside, out);
            sector.first = 1;
            sector.last = sector.last.max(out);
        }
    }
}
