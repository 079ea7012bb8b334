//! A point agent that follows a flow field in `f64`, with wall-safe bilinear sampling and walls
//! that stop it.

use throng::map::Clearance;
use throng::nav::field::direction;

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Walk {
    /// Length in cells.
    Arrived(f64),
    /// The point where it stuck, in cells.
    Stuck(f64, f64),
}

/// Steps that had to be changed because of a wall.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bumps {
    pub(crate) slid: u64,
    pub(crate) own_cell: u64,
    pub(crate) cancelled: u64,
}

pub(crate) struct Walker<'a> {
    pub(crate) class: &'a Clearance,
    pub(crate) directions: &'a [u32],
    pub(crate) bumps: Bumps,
}

/// Cells a step.
const STEP: f64 = 0.25;

impl Walker<'_> {
    /// Padded index of the cell that holds a point, in cells.
    fn cell(&self, x: f64, y: f64) -> usize {
        let (i, j) = (x.floor() as i64 + 1, y.floor() as i64 + 1);
        (j * i64::from(self.class.stride()) + i) as usize
    }

    fn open(&self, cell: usize) -> bool {
        self.class.slowness()[cell] != 0
    }

    /// Direction of a cell; zero where it leads nowhere.
    fn vector(&self, cell: usize) -> (f64, f64) {
        let (x, y) = direction::unpack(self.directions[cell]).unwrap_or((0, 0));
        (f64::from(x) / 16_384.0, f64::from(y) / 16_384.0)
    }

    /// The blend of the four nearest cells: solid ones do not count, nor does the one diagonally
    /// across where a side neighbour of the own cell is solid.
    fn sample(&mut self, x: f64, y: f64) -> (f64, f64) {
        let own = self.cell(x, y);
        let stride = self.class.stride() as usize;
        let (fx, fy) = (x - x.floor() - 0.5, y - y.floor() - 0.5);
        let side_x = if fx < 0.0 { own - 1 } else { own + 1 };
        let side_y = if fy < 0.0 { own - stride } else { own + stride };
        let across = side_x + side_y - own;
        let (wx, wy) = (fx.abs(), fy.abs());
        let clear = self.open(side_x) && self.open(side_y);
        let corners = [
            (own, (1.0 - wx) * (1.0 - wy), true),
            (side_x, wx * (1.0 - wy), self.open(side_x)),
            (side_y, (1.0 - wx) * wy, self.open(side_y)),
            (across, wx * wy, clear && self.open(across)),
        ];
        let mut sum = (0.0, 0.0);
        for (cell, weight, counts) in corners {
            if counts {
                let vector = self.vector(cell);
                sum = (sum.0 + weight * vector.0, sum.1 + weight * vector.1);
            }
        }
        let square = sum.0 * sum.0 + sum.1 * sum.1;
        if square < 0.01 {
            self.bumps.cancelled += 1;
            return self.vector(own);
        }
        let length = square.sqrt();
        (sum.0 / length, sum.1 / length)
    }

    /// Whether a point agent may step from one point to another, at most one cell away: into an
    /// open cell, and not between two walls that meet at a corner.
    fn free(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        let (a, b) = (self.cell(from.0, to.1), self.cell(to.0, from.1));
        self.open(self.cell(to.0, to.1)) && (self.open(a) || self.open(b))
    }

    /// One step; the point it ends at.
    fn step(&mut self, (x, y): (f64, f64)) -> (f64, f64) {
        let own = self.vector(self.cell(x, y));
        for (attempt, (vx, vy)) in [self.sample(x, y), own].into_iter().enumerate() {
            self.bumps.own_cell += attempt as u64;
            let to = (x + STEP * vx, y + STEP * vy);
            if self.free((x, y), to) {
                return to;
            }
            self.bumps.slid += 1;
            let slides = [(to.0, y), (x, to.1)];
            let moved = |p: (f64, f64)| (p.0 - x).abs() + (p.1 - y).abs() > 0.05 * STEP;
            if let Some(to) = slides.into_iter().find(|&p| moved(p) && self.free((x, y), p)) {
                return to;
            }
        }
        (x, y)
    }

    /// Walks from a point to the centre of a cell, both in cells without padding.
    pub(crate) fn walk(&mut self, start: (f64, f64), goal: (u32, u32), longest: f64) -> Walk {
        let (mut at, end) = (start, (f64::from(goal.0) + 0.5, f64::from(goal.1) + 0.5));
        let goal_cell = self.cell(end.0, end.1);
        let distance = |a: (f64, f64), b: (f64, f64)| {
            ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt()
        };
        let mut length = 0.0;
        let mut steps = 0.0;
        while self.cell(at.0, at.1) != goal_cell {
            let next = self.step(at);
            steps += STEP;
            if next == at || steps > longest {
                return Walk::Stuck(at.0, at.1);
            }
            length += distance(at, next);
            at = next;
        }
        Walk::Arrived(length + distance(at, end))
    }
}
