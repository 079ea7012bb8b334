//! The guarantee: no centre enters a wall.
//!
//! A step that would end in a wall, or cut a corner, is replaced by its x part, else its y part,
//! else no step. Steps longer than a cell are walked in parts. The start is open, so by induction
//! every position of every tick is.

use crate::lane::{IntLane, Lane, Numbers};
use crate::math::Numeric;
use crate::math::each::Each;

/// The ground as the guard sees it: open where the padded raster is positive.
#[derive(Clone, Copy, Debug)]
pub struct OpenCells<'a, N> {
    /// Wall distance, padded, positive in open cells.
    pub raster: &'a [i16],
    /// Cells from one row to the next.
    pub stride: usize,
    /// Cells per metre, as near as the number type comes.
    pub scale: N,
    /// Side of a cell in metres.
    cell: f64,
    /// So far from the edge of a cell, in cells, a coordinate times `scale` may lie in the next one.
    slack: N,
}

impl<'a, N: Numbers> OpenCells<'a, N> {
    /// The ground of a padded raster of so many columns and rows inside the padding; `cell` is the
    /// side of a cell in metres.
    pub fn new(raster: &'a [i16], [columns, rows]: [u32; 2], cell: f64) -> Self {
        let scale = N::from_f64(1.0 / cell);
        // A product is off by what the scale is off, and by what it is rounded by.
        let cells = f64::from(columns.max(rows));
        let rounded = match N::NUMERIC {
            Numeric::F32 => cells * N::STEP,
            Numeric::Fixed => N::STEP,
        };
        let off = (scale.to_f64() - 1.0 / cell).abs() * cells * cell + rounded;
        let (stride, slack) = (columns as usize + 2, N::from_f64(2.0 * off));
        Self { raster, stride, scale, cell, slack }
    }

    /// The padded cell of a point, as the map has it: by its quotient by the side of a cell, exactly.
    #[inline(always)]
    pub fn cell(&self, point: [N; 2]) -> [i32; 2] {
        point.each(|v| ((v.to_f64() / self.cell).floor() as i32).wrapping_add(1))
    }

    /// Where the cells of two points, times `scale`, are the same for sure.
    #[inline(always)]
    pub fn is_same<L: Lane<Num = N>>(&self, from: [L; 2], to: [L; 2]) -> L::Mask {
        let (scale, slack) = (L::splat(self.scale), L::splat(self.slack));
        let inner = L::one() - slack;
        let cell = |at: L| {
            let at = at * scale;
            let cell = at.floor_int();
            let share = at - L::from_int(cell);
            (cell, slack.le(share) & share.le(inner))
        };
        let along = |i: usize| {
            let ((from, is_sure), (to, is_too)) = (cell(from[i]), cell(to[i]));
            from.equal(to) & is_sure & is_too
        };
        along(0) & along(1)
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
