//! The guarantee: no centre enters a wall.
//!
//! A step that would end in a wall, or cut a corner, is replaced by its x part, else its y part,
//! else no step. Steps longer than a cell are walked in parts. The start is open, so by induction
//! every position of every tick is.

use crate::lane::Numbers;

/// The ground as the guard sees it: open where the padded raster is positive.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a, N> {
    /// Wall distance, padded, positive in open cells.
    pub raster: &'a [i16],
    /// Cells from one row to the next.
    pub stride: usize,
    /// Cells per metre.
    pub scale: N,
}

impl<N: Numbers> Ground<'_, N> {
    /// The padded cell of a coordinate; a negative one far beyond what cells can count.
    #[inline(always)]
    pub fn cell(&self, [x, y]: [N; 2]) -> [i32; 2] {
        use crate::lane::IntLane;
        use crate::lane::Lane;
        let floor = |v: N| N::Single::splat(v * self.scale).floor_int().get(0);
        [floor(x).wrapping_add(1), floor(y).wrapping_add(1)]
    }

    /// Whether a padded cell is open; cells off the map are not.
    #[inline(always)]
    pub fn is_open(&self, [i, j]: [i32; 2]) -> bool {
        let inside = i >= 0 && (i as usize) < self.stride && j >= 0;
        inside && self.raster.get(j as usize * self.stride + i as usize).is_some_and(|&d| d > 0)
    }

    /// Where a step from an open cell may end.
    #[inline(always)]
    pub fn step(&self, from: [N; 2], to: [N; 2]) -> [N; 2] {
        let (start, end) = (self.cell(from), self.cell(to));
        if start == end {
            return to;
        }
        let far = (start[0] - end[0]).abs().max((start[1] - end[1]).abs());
        if far > 1 { self.walk(from, to, far) } else { self.short_step(from, to) }
    }

    /// A step to the same or a neighbouring cell.
    fn short_step(&self, from: [N; 2], to: [N; 2]) -> [N; 2] {
        let (start, end) = (self.cell(from), self.cell(to));
        let (side, beyond) = ([end[0], start[1]], [start[0], end[1]]);
        if self.is_open(end) && self.is_open(side) && self.is_open(beyond) {
            to
        } else if self.is_open(side) {
            [to[0], from[1]]
        } else if self.is_open(beyond) {
            [from[0], to[1]]
        } else {
            from
        }
    }

    /// A longer step, in parts that each reach at most the next cell.
    #[cold]
    fn walk(&self, from: [N; 2], to: [N; 2], far: i32) -> [N; 2] {
        let parts = far + 1;
        let share = N::from_f64(1.0 / f64::from(parts));
        let part = [(to[0] - from[0]) * share, (to[1] - from[1]) * share];
        let mut at = from;
        for _ in 0..parts {
            let next = [at[0] + part[0], at[1] + part[1]];
            let reached = self.short_step(at, next);
            if reached == at {
                break;
            }
            at = reached;
        }
        at
    }
}
