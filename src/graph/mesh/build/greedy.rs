//! Greedy triangulation: the first triples of points that fit.
//!
//! Slow, so for small maps only, and independent of the other ways: they are tested against it.

use super::arrange::{Place, side};
use crate::graph::Mesh;
use crate::math::each::Each;
use thiserror::Error;

/// Points that the greedy triangulation takes at most: its time grows with their cube.
pub const MAX_POINTS: usize = 256;

/// Why a greedy triangulation is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GreedyError {
    /// More points than [`MAX_POINTS`].
    #[error("{found} points; the greedy triangulation takes at most {MAX_POINTS}")]
    TooManyPoints {
        /// The points.
        found: usize,
    },
    /// A wall between points that there are not, or from a point to itself.
    #[error("a wall from point {from} to {to} of {points} points")]
    Wall {
        /// Index of the point where it starts.
        from: u32,
        /// Index of the point where it ends.
        to: u32,
        /// How many points there are.
        points: usize,
    },
}

/// A mesh of triangles that fill the free area on the left of walls (y pointing up).
///
/// Takes triples of points in their order, each turned counter-clockwise, and keeps one when it is
/// free ground, holds no other point, and each edge is a wall or crosses none and no edge of the
/// triangles kept before: so neighbours share whole edges. Walls must not cross or go through
/// points.
///
/// # Errors
/// Any of [`GreedyError`].
pub fn mesh(points: &[[f64; 2]], walls: &[[u32; 2]]) -> Result<Mesh, GreedyError> {
    let count = points.len();
    if count > MAX_POINTS {
        return Err(GreedyError::TooManyPoints { found: count });
    }
    let bad = |wall: &&[u32; 2]| wall[0] == wall[1] || wall.iter().any(|&p| p as usize >= count);
    if let Some(&[from, to]) = walls.iter().find(bad) {
        return Err(GreedyError::Wall { from, to, points: count });
    }
    let mut sight = Sight::new(points, walls);
    let mut kept = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            if !sight.open(a, b) {
                continue;
            }
            for c in b + 1..count {
                if sight.open(a, c) && sight.open(b, c) {
                    kept.extend(sight.keep([a, b, c]));
                }
            }
        }
    }
    Ok(Mesh::new(points.to_vec(), &kept))
}

/// Which points can still be joined.
struct Sight<'a> {
    places: Vec<Place>,
    walls: &'a [[u32; 2]],
    open: Vec<bool>,
}

impl<'a> Sight<'a> {
    fn new(points: &[[f64; 2]], walls: &'a [[u32; 2]]) -> Self {
        let places: Vec<Place> = points.iter().map(|&point| Place::new(point)).collect();
        let open = vec![true; places.len() * places.len()];
        let mut sight = Self { places, walls, open };
        for a in 0..sight.places.len() {
            for b in a + 1..sight.places.len() {
                let clear = (0..sight.places.len()).all(|c| !sight.between(a, b, c));
                sight.set(a, b, clear);
            }
        }
        for &[from, to] in walls {
            sight.close_across(from as usize, to as usize);
        }
        sight
    }

    fn open(&self, a: usize, b: usize) -> bool {
        self.open[a * self.places.len() + b]
    }

    fn set(&mut self, a: usize, b: usize, open: bool) {
        let count = self.places.len();
        self.open[a * count + b] = open;
        self.open[b * count + a] = open;
    }

    fn side(&self, a: usize, b: usize, c: usize) -> i32 {
        side(self.places[a], self.places[b], self.places[c])
    }

    /// Whether a point lies on the edge between two others.
    fn between(&self, a: usize, b: usize, c: usize) -> bool {
        let [low, high] = [self.places[a].min(self.places[b]), self.places[a].max(self.places[b])];
        low < self.places[c] && self.places[c] < high && self.side(a, b, c) == 0
    }

    /// Closes what crosses an edge.
    fn close_across(&mut self, from: usize, to: usize) {
        let sides: Vec<i32> = (0..self.places.len()).map(|c| self.side(from, to, c)).collect();
        for a in 0..self.places.len() {
            for b in (a + 1..self.places.len()).filter(|&b| sides[a] * sides[b] < 0) {
                if self.open(a, b) && self.side(a, b, from) * self.side(a, b, to) < 0 {
                    self.set(a, b, false);
                }
            }
        }
    }

    /// The corners of a triple, counter-clockwise, if it fits; then nothing may cross its edges.
    fn keep(&mut self, [a, b, c]: [usize; 3]) -> Option<Vec<u32>> {
        let corners = match self.side(a, b, c) {
            0 => return None,
            1 => [a, b, c],
            _ => [a, c, b],
        };
        let holds = |point: usize| {
            let outer = |i: usize| self.side(corners[i], corners[(i + 1) % 3], point) < 0;
            !corners.contains(&point) && !(0..3).any(outer)
        };
        if !self.free(corners) || (0..self.places.len()).any(holds) {
            return None;
        }
        for i in 0..3 {
            self.close_across(corners[i], corners[(i + 1) % 3]);
        }
        Some(corners.each(|corner| corner as u32).to_vec())
    }

    /// Whether the middle of a triangle is free ground: walls wind round it once, counter-clockwise.
    fn free(&self, corners: [usize; 3]) -> bool {
        let sum = |i: usize| corners.iter().map(|&corner| self.places[corner].0[i]).sum::<f64>();
        let middle = Place::new([sum(0) / 3.0, sum(1) / 3.0]);
        let mut winding = 0;
        for wall in self.walls {
            let [from, to] = wall.each(|end| self.places[end as usize]);
            let up = from.0[1] <= middle.0[1] && middle.0[1] < to.0[1];
            let down = to.0[1] <= middle.0[1] && middle.0[1] < from.0[1];
            let left = side(from, to, middle);
            winding += i32::from(up && left > 0) - i32::from(down && left < 0);
        }
        winding > 0
    }
}
