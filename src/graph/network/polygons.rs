//! Polygons as obstacles, inside a boundary polygon if there is one.

use crate::data::number::plural;
use crate::graph::network::bins::Bins;
use crate::graph::network::obstacles::{Corner, Obstacles, Point};
use crate::math::plane;
use crate::math::plane::{cross, distance, minus, segment_segment, unit};

/// Why points are not obstacles.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PolygonError {
    /// Fewer than three points.
    #[error("{polygon} has {}; a polygon has at least 3", plural(*points as u64, "point"))]
    TooFew {
        /// `obstacle N`, counted from 0, or `the boundary`.
        polygon: String,
        /// Points it has.
        points: usize,
    },
    /// A coordinate that is no number, or beyond 32,768 m.
    #[error("point {point} of {polygon} is ({x}, {y}); coordinates are within ±32,768 m")]
    Coordinate {
        /// `obstacle N`, counted from 0, or `the boundary`.
        polygon: String,
        /// The point, counted from 0.
        point: usize,
        /// Its x.
        x: f64,
        /// Its y.
        y: f64,
    },
}

/// Simple polygons that agents may not touch, and the one that they stay inside. Points go round
/// either way; polygons may overlap.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygons {
    /// All rings, the obstacles first, then the boundary.
    rings: Vec<Vec<Point>>,
    bounded: bool,
    /// Ring, start and end of every side.
    sides: Vec<(u32, Point, Point)>,
    bins: Bins,
    /// Sides by their y alone, for rays.
    rows: Bins,
    bounds: [Point; 2],
}

impl Polygons {
    /// Obstacles in metres, and the boundary around the free space; without one the plane is free.
    ///
    /// # Errors
    /// [`PolygonError`]: too few points, or a coordinate out of range.
    pub fn new(obstacles: &[Vec<Point>], boundary: Option<&[Point]>) -> Result<Self, PolygonError> {
        let mut rings: Vec<Vec<Point>> = obstacles.to_vec();
        rings.extend(boundary.map(<[Point]>::to_vec));
        for (index, ring) in rings.iter().enumerate() {
            check(ring, index, obstacles.len())?;
        }
        let mut sides = Vec::new();
        for (index, ring) in rings.iter().enumerate() {
            for (i, &from) in ring.iter().enumerate() {
                sides.push((index as u32, from, ring[(i + 1) % ring.len()]));
            }
        }
        let bounds = plane::bounds(rings.iter().flatten().copied()).unwrap_or_default();
        // About as long as the mean side, so that a side is in few bins and a bin has few sides.
        let sum: f64 = sides.iter().map(|&(_, a, b)| distance(a, b)).sum();
        let size = sum / sides.len().max(1) as f64;
        let bins = Bins::new(sides.len(), size, |i| [sides[i].1, sides[i].2]);
        let rows = Bins::new(sides.len(), size, |i| [[0.0, sides[i].1[1]], [0.0, sides[i].2[1]]]);
        Ok(Self { rings, bounded: boundary.is_some(), sides, bins, rows, bounds })
    }

    /// All rings: the obstacles, then the boundary if there is one.
    pub fn rings(&self) -> &[Vec<Point>] {
        &self.rings
    }

    /// Whether a point is inside an obstacle, or outside the boundary. On a side it may be either.
    fn solid(&self, at: Point) -> bool {
        // Sides come ring by ring, as items are in ascending order.
        let (mut ring, mut odd, mut solid, mut inside) = (u32::MAX, false, false, !self.bounded);
        let boundary = if self.bounded { self.rings.len() as u32 - 1 } else { u32::MAX - 1 };
        let mut close = |ring: u32, odd: bool| {
            if ring == boundary {
                inside |= odd;
            } else {
                solid |= odd;
            }
        };
        self.rows.each_in_one([0.0, at[1]], |side| {
            let (own, a, b) = self.sides[side as usize];
            if own != ring {
                close(ring, odd);
                (ring, odd) = (own, false);
            }
            if (a[1] > at[1]) != (b[1] > at[1]) {
                let turn = cross(minus(b, a), minus(at, a));
                odd ^= (turn < 0.0) == (b[1] > a[1]);
            }
        });
        close(ring, odd);
        solid || !inside
    }
}

fn check(ring: &[Point], index: usize, obstacles: usize) -> Result<(), PolygonError> {
    let polygon =
        || if index < obstacles { format!("obstacle {index}") } else { "the boundary".to_owned() };
    if ring.len() < 3 {
        return Err(PolygonError::TooFew { polygon: polygon(), points: ring.len() });
    }
    let good = |value: f64| (-32_768.0..=32_768.0).contains(&value);
    match ring.iter().position(|&[x, y]| !good(x) || !good(y)) {
        Some(point) => {
            let [x, y] = ring[point];
            Err(PolygonError::Coordinate { polygon: polygon(), point, x, y })
        }
        None => Ok(()),
    }
}

impl Obstacles for Polygons {
    fn segment_clearance(&self, a: Point, b: Point, cap: f64) -> f64 {
        let mut square = cap * cap;
        let mut lowered = false;
        self.bins.each_near(a, b, cap, |side| {
            let (_, from, to) = self.sides[side as usize];
            let found = segment_segment(a, b, from, to);
            lowered |= found < square;
            square = square.min(found);
        });
        // Where no side is touched, one end tells for both.
        if square == 0.0 || self.solid(a) {
            return 0.0;
        }
        if lowered { square.sqrt().min(cap) } else { cap }
    }

    fn corners(&self) -> Vec<Corner> {
        let mut corners = Vec::new();
        for (index, ring) in self.rings.iter().enumerate() {
            let boundary = self.bounded && index + 1 == self.rings.len();
            let count = ring.len();
            let twice: f64 = (0..count).map(|i| cross(ring[i], ring[(i + 1) % count])).sum();
            for (i, &at) in ring.iter().enumerate() {
                let back = unit(minus(ring[(i + count - 1) % count], at));
                let on = unit(minus(ring[(i + 1) % count], at));
                let turn = cross(on, back);
                // Straight on is no corner; 1e-6 is 0.2 seconds of arc.
                if turn.abs() < 1e-6 {
                    continue;
                }
                let convex = ((turn > 0.0) == (twice > 0.0)) != boundary;
                corners.push(Corner { at, along: [back, on], convex });
            }
        }
        corners
    }

    fn bounds(&self) -> [Point; 2] {
        self.bounds
    }
}
