//! The slow way: distances by trying everything, and worlds to try it on.

use crate::common::terrain::Random;
use throng::Map;
use throng::graph::network::{Point, Polygons};

pub(crate) fn distance(a: Point, b: Point) -> f64 {
    ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
}

pub(crate) fn between(a: Point, b: Point, t: f64) -> Point {
    [a[0] * (1.0 - t) + b[0] * t, a[1] * (1.0 - t) + b[1] * t]
}

pub(crate) fn length(path: &[Point]) -> f64 {
    path.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

/// Anything that a point has a distance to.
pub(crate) trait Solid {
    /// Distance from a point to what is solid; 0 inside.
    fn from(&self, at: Point) -> f64;
}

impl Solid for Map {
    fn from(&self, at: Point) -> f64 {
        let size = self.cell_size();
        let mut least = f64::MAX;
        for y in -1..=i64::from(self.height()) {
            for x in -1..=i64::from(self.width()) {
                let cell = (y + 1) * i64::from(self.stride()) + x + 1;
                if self.slowness()[cell as usize] == 0 {
                    let aside = |value: f64, low: i64| {
                        let (low, high) = (low as f64 * size, (low + 1) as f64 * size);
                        if value < low { low - value } else { (value - high).max(0.0) }
                    };
                    let (dx, dy) = (aside(at[0], x), aside(at[1], y));
                    least = least.min((dx * dx + dy * dy).sqrt());
                }
            }
        }
        let inside = |value: f64, cells: u32| (0.0..f64::from(cells) * size).contains(&value);
        if inside(at[0], self.width()) && inside(at[1], self.height()) { least } else { 0.0 }
    }
}

/// Obstacles and a boundary, as they were given.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) obstacles: Vec<Vec<Point>>,
    pub(crate) boundary: Option<Vec<Point>>,
}

impl Drawn {
    pub(crate) fn built(&self) -> Polygons {
        Polygons::new(&self.obstacles, self.boundary.as_deref()).expect("good polygons")
    }

    /// Stars and boxes in a hall of 40 m, some across one another and across the boundary.
    pub(crate) fn random(random: &mut Random, most: u32) -> Self {
        let mut number =
            |low: f64, high: f64| low + (high - low) * random.below(4096) as f64 / 4096.0;
        let count = number(0.0, f64::from(most) + 0.99) as usize;
        let mut obstacles = Vec::new();
        for _ in 0..count {
            let (x, y) = (number(0.0, 40.0), number(0.0, 40.0));
            // Points around the middle, in order: a star-shaped polygon, convex or not.
            let corners =
                [[1, 0], [2, 1], [1, 2], [0, 1], [-1, 2], [-2, 1], [-1, 0], [-1, -2], [1, -2]];
            let mut ring = Vec::new();
            for [dx, dy] in corners {
                let far = number(0.3, 2.0);
                ring.push([x + f64::from(dx) * far, y + f64::from(dy) * far]);
            }
            if number(0.0, 1.0) < 0.5 {
                ring.reverse();
            }
            obstacles.push(ring);
        }
        let hall =
            vec![[0.0, 0.0], [40.0, 0.0], [40.0, 25.0], [25.0, 25.0], [25.0, 40.0], [0.0, 40.0]];
        let boundary = (number(0.0, 1.0) < 0.7).then_some(hall);
        Self { obstacles, boundary }
    }
}

/// Whether a point is in a ring: the parity of the triangles of a fan that it is in.
fn in_ring(ring: &[Point], at: Point) -> bool {
    // A point on a line counts to the same side in both directions of the line.
    let left =
        |a: Point, b: Point| (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]) > 0.0;
    let side = |a: Point, b: Point| if a < b { left(a, b) } else { !left(b, a) };
    let pairs = ring[1..].windows(2);
    pairs.fold(false, |odd, pair| {
        let (p, q, r) = (ring[0], pair[0], pair[1]);
        odd ^ (side(p, q) == side(q, r) && side(q, r) == side(r, p))
    })
}

impl Solid for Drawn {
    fn from(&self, at: Point) -> f64 {
        let outside = self.boundary.as_ref().is_some_and(|ring| !in_ring(ring, at));
        if outside || self.obstacles.iter().any(|ring| in_ring(ring, at)) {
            return 0.0;
        }
        let mut least = f64::MAX;
        for ring in self.obstacles.iter().chain(&self.boundary) {
            for (i, &a) in ring.iter().enumerate() {
                let b = ring[(i + 1) % ring.len()];
                // The nearest point by cutting the side ever shorter around it.
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..50 {
                    let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                    if distance(at, between(a, b, p)) < distance(at, between(a, b, q)) {
                        high = q;
                    } else {
                        low = p;
                    }
                }
                // An end is never quite reached.
                let inner = distance(at, between(a, b, 0.5 * (low + high)));
                least = least.min(inner).min(distance(at, a)).min(distance(at, b));
            }
        }
        least
    }
}

/// Least and greatest that the least clearance along a segment can be, from samples.
pub(crate) fn sampled(solid: &impl Solid, a: Point, b: Point, samples: u32) -> [f64; 2] {
    let from = |i: u32| solid.from(between(a, b, f64::from(i) / f64::from(samples)));
    let least = (0..=samples).map(from).fold(f64::MAX, f64::min);
    // From one sample to the next a clearance changes by no more than the way between.
    [(least - 0.5 * distance(a, b) / f64::from(samples)).max(0.0), least]
}
