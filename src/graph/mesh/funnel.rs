//! String pulling: the shortest way through a row of portals.
//!
//! The funnel of Lee and Preparata ("Euclidean shortest paths in the presence of rectilinear
//! barriers", 1984): two chains of corners from an apex to the ends of the last portal, in one
//! double-ended row. Each portal end takes away the corners of its chain that it makes needless; an
//! end that crosses the other chain moves the apex on. Every corner comes and goes once.

use crate::math::plane::{cross, minus};

/// Memory of string pulling, used again and again.
#[derive(Clone, Debug, Default)]
pub struct Funnel {
    /// The left chain backwards, the apex, the right chain: the part from `front` to `back`.
    row: Vec<[f64; 2]>,
    front: usize,
    apex: usize,
    back: usize,
}

impl Funnel {
    /// Writes the shortest way from start to goal through portals (left end and right end, as seen
    /// when going through) over `way`: start, corners, goal.
    pub fn pull(
        &mut self,
        start: [f64; 2],
        portals: &[[[f64; 2]; 2]],
        goal: [f64; 2],
        way: &mut Vec<[f64; 2]>,
    ) {
        way.clear();
        let middle = portals.len() + 1;
        self.row.clear();
        self.row.resize(2 * middle + 1, start);
        (self.front, self.apex, self.back) = (middle, middle, middle);
        for &[left, right] in portals {
            self.add_left(left, way);
            self.add_right(right, way);
        }
        self.add_left(goal, way);
        way.extend(self.row[self.front..=self.apex].iter().rev());
        way.dedup();
    }

    fn add_left(&mut self, point: [f64; 2], way: &mut Vec<[f64; 2]>) {
        let row = &mut self.row;
        if row[self.front] == point {
            return;
        }
        while self.front < self.apex && turn(row[self.front + 1], row[self.front], point) <= 0.0 {
            self.front += 1;
        }
        while self.front == self.apex
            && self.apex < self.back
            && turn(row[self.apex], row[self.apex + 1], point) < 0.0
        {
            way.push(row[self.apex]);
            self.apex += 1;
            self.front += 1;
        }
        self.front -= 1;
        row[self.front] = point;
    }

    fn add_right(&mut self, point: [f64; 2], way: &mut Vec<[f64; 2]>) {
        let row = &mut self.row;
        if row[self.back] == point {
            return;
        }
        while self.back > self.apex && turn(row[self.back - 1], row[self.back], point) >= 0.0 {
            self.back -= 1;
        }
        while self.back == self.apex
            && self.apex > self.front
            && turn(row[self.apex], row[self.apex - 1], point) > 0.0
        {
            way.push(row[self.apex]);
            self.apex -= 1;
            self.back -= 1;
        }
        self.back += 1;
        row[self.back] = point;
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        16 * self.row.capacity() as u64
    }
}

/// More than 0 when going from `a` by `b` to `c` turns left.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    cross(minus(b, a), minus(c, a))
}
