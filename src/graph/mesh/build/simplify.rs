//! Outlines with fewer corners.

use super::outline::Outlines;
use crate::math::each::Each;

impl Outlines {
    /// Leaves out corners, so that no corner left out is farther than `error` cells (in steps of
    /// 1/16) from the outline. The enclosed area only shrinks: what it loses are pockets of free
    /// ground, and it never enters an impassable cell. No two rings touch that did not touch
    /// before, so what was joined stays joined. Corners on the window's border stay.
    ///
    /// A corner goes when its angle on the free side is below 180° and the triangle of it and its
    /// neighbours holds no other corner, so only that triangle is lost: the inner side of the cuts
    /// of Douglas and Peucker. No centre of a passable cell is farther than `error` − ½ from the
    /// area that is left.
    pub fn simplify(&mut self, error: f64) {
        let error = (error * 16.0).floor().clamp(0.0, 4096.0) as i64;
        let mut corners = Corners::new(self);
        let mut kept = vec![true; self.fixed.len()];
        for ring in 0..self.corners.count() {
            let range = self.corners.range(ring);
            let ring = Ring { outlines: self, start: range.start, count: range.len(), error };
            ring.thin(&mut corners, &mut kept);
        }
        self.retain(&kept);
    }

    fn retain(&mut self, kept: &[bool]) {
        let old = std::mem::take(&mut self.corners);
        for ring in 0..old.count() {
            self.corners.extend(old.range(ring).filter(|&i| kept[i]).map(|i| old[i]));
        }
        let mut kept = kept.iter();
        self.fixed.retain(|_| kept.next() == Some(&true));
    }
}

/// One bit for every corner of the lattice: whether a ring has it.
struct Corners {
    min: [i32; 2],
    words: usize,
    bits: Vec<u64>,
}

impl Corners {
    fn new(outlines: &Outlines) -> Self {
        let [columns, rows] = outlines.size.each(|n| n as usize + 1);
        let words = columns.div_ceil(64);
        let min = outlines.origin;
        let mut corners = Self { min, words, bits: vec![0; words * rows] };
        for &corner in outlines.corners.items() {
            let (word, bit) = corners.place(corner);
            corners.bits[word] |= bit;
        }
        corners
    }

    fn place(&self, [x, y]: [i32; 2]) -> (usize, u64) {
        let [x, y] = [(x - self.min[0]) as usize, (y - self.min[1]) as usize];
        (y * self.words + x / 64, 1 << (x % 64))
    }

    fn clear(&mut self, corner: [i32; 2]) {
        let (word, bit) = self.place(corner);
        self.bits[word] &= !bit;
    }

    /// Whether a closed triangle, counter-clockwise where y points up, holds no corner but its own.
    fn empty(&self, triangle: [[i32; 2]; 3]) -> bool {
        let [a, b, c] = triangle;
        let (low, high) = (a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1]));
        let (left, right) = (a[0].min(b[0]).min(c[0]), a[0].max(b[0]).max(c[0]));
        (low..=high).all(|y| {
            let first = self.place([left, y]).0;
            let last = self.place([right, y]).0;
            (first..=last).all(|word| {
                let mut bits = self.bits[word];
                while bits != 0 {
                    let column = (word - y_word(self, y)) * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let corner = [column as i32 + self.min[0], y];
                    if !triangle.contains(&corner) && holds(triangle, corner) {
                        return false;
                    }
                }
                true
            })
        })
    }
}

fn y_word(corners: &Corners, y: i32) -> usize {
    (y - corners.min[1]) as usize * corners.words
}

/// `(b − a) × (c − b)`.
fn turn(a: [i32; 2], b: [i32; 2], c: [i32; 2]) -> i64 {
    let wide = |p: [i32; 2]| p.each(i64::from);
    let (a, b, c) = (wide(a), wide(b), wide(c));
    (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
}

fn holds([a, b, c]: [[i32; 2]; 3], point: [i32; 2]) -> bool {
    turn(a, b, point) >= 0 && turn(b, c, point) >= 0 && turn(c, a, point) >= 0
}

struct Ring<'a> {
    outlines: &'a Outlines,
    start: usize,
    count: usize,
    /// In 1/16 of a cell.
    error: i64,
}

impl Ring<'_> {
    /// Goes round until no corner can be left out.
    fn thin(&self, corners: &mut Corners, kept: &mut [bool]) {
        let mut next: Vec<usize> = (0..self.count).map(|i| (i + 1) % self.count).collect();
        let mut before: Vec<usize> =
            (0..self.count).map(|i| (i + self.count - 1) % self.count).collect();
        let mut left = self.count;
        loop {
            let left_before = left;
            let mut at = 0;
            while at < self.count {
                let (a, c) = (before[at], next[at]);
                let drop = kept[self.start + at] && left > 3 && self.can_drop(a, at, c, corners);
                if drop {
                    kept[self.start + at] = false;
                    corners.clear(self.corner(at));
                    (next[a], before[c]) = (c, a);
                    left -= 1;
                    // The neighbour's turn comes in the next round, so cuts spread evenly.
                    at += 1;
                }
                at += 1;
            }
            if left == left_before {
                return;
            }
        }
    }

    fn corner(&self, at: usize) -> [i32; 2] {
        self.outlines.corners[self.start + at]
    }

    fn can_drop(&self, a: usize, b: usize, c: usize, corners: &Corners) -> bool {
        if self.outlines.fixed[self.start + b] {
            return false;
        }
        let triangle = [a, b, c].each(|at| self.corner(at));
        let turn = turn(triangle[0], triangle[1], triangle[2]);
        turn == 0 || turn > 0 && self.near(a, c) && corners.empty(triangle)
    }

    /// Whether all corners that lay between two are near the edge from one to the other.
    fn near(&self, a: usize, c: usize) -> bool {
        let (from, to) = (self.corner(a).each(i64::from), self.corner(c).each(i64::from));
        let edge = [to[0] - from[0], to[1] - from[1]];
        let length = edge[0] * edge[0] + edge[1] * edge[1];
        let error = self.error * self.error;
        let mut at = (a + 1) % self.count;
        while at != c {
            let point = self.corner(at).each(i64::from);
            let offset = [point[0] - from[0], point[1] - from[1]];
            let along = offset[0] * edge[0] + offset[1] * edge[1];
            let across = edge[0] * offset[1] - edge[1] * offset[0];
            let near = if along < 0 {
                (offset[0] * offset[0] + offset[1] * offset[1]) * 256 <= error
            } else if along > length {
                let end = [point[0] - to[0], point[1] - to[1]];
                (end[0] * end[0] + end[1] * end[1]) * 256 <= error
            } else {
                i128::from(across * across) * 256 <= i128::from(error) * i128::from(length)
            };
            if !near {
                return false;
            }
            at = (at + 1) % self.count;
        }
        true
    }
}
