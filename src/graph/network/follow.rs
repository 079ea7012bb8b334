//! Off the network: valid spots, and walking along walls.

use crate::graph::network::obstacles::{Obstacles, Point, enough};
use crate::math::plane::{distance, dot, minus};

/// The valid spot nearest to a point: a point of a lattice around it, of a quarter of the unit or
/// half the radius, where an agent of `radius` metres stands clear and that `accept` takes; `None`
/// when there is none within `range` metres.
pub fn nearest_spot(
    obstacles: &impl Obstacles,
    at: Point,
    radius: f64,
    range: f64,
    mut accept: impl FnMut(Point) -> bool,
) -> Option<Point> {
    let step = (0.25 * obstacles.unit()).max(0.5 * radius);
    let mut best: Option<(f64, Point)> = None;
    for ring in 0..=(range / step) as i64 {
        if best.is_some_and(|(length, _)| length <= ring as f64 * step) {
            break;
        }
        each_of_ring(ring, |x, y| {
            let spot = [at[0] + x as f64 * step, at[1] + y as f64 * step];
            let length = distance(at, spot);
            let nearer = length <= range && best.is_none_or(|(least, _)| length < least);
            let valid = || enough(obstacles.clearance(spot, radius.max(1e-3)), radius);
            if nearer && valid() && accept(spot) {
                best = Some((length, spot));
            }
        });
    }
    best.map(|(_, spot)| spot)
}

/// Points of the square ring at a distance, row by row.
pub(super) fn each_of_ring(ring: i64, mut visit: impl FnMut(i64, i64)) {
    for y in -ring..=ring {
        let step = if y.abs() == ring || ring == 0 { 1 } else { 2 * ring };
        let mut x = -ring;
        while x <= ring {
            visit(x, y);
            x += step;
        }
    }
}

/// Sixteen directions, from +x over +y (down): cosine and sine of multiples of 22.5°.
const DIRECTIONS: [Point; 16] = {
    const A: f64 = 0.923_879_532_511_286_7;
    const B: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const C: f64 = 0.382_683_432_365_089_8;
    [
        [1.0, 0.0],
        [A, C],
        [B, B],
        [C, A],
        [0.0, 1.0],
        [-C, A],
        [-B, B],
        [-A, C],
        [-1.0, 0.0],
        [-A, -C],
        [-B, -B],
        [-C, -A],
        [0.0, -1.0],
        [C, -A],
        [B, -B],
        [A, -C],
    ]
};

/// A walker that goes straight until it meets a wall and then keeps it on its left hand. In a maze
/// whose walls hang together it comes everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallFollower {
    at: Point,
    heading: usize,
    met: bool,
    radius: f64,
    step: f64,
}

impl WallFollower {
    /// A walker at a position, on its way towards another; radius and length of a step in metres.
    pub fn new(at: Point, towards: Point, radius: f64, step: f64) -> Self {
        let d = minus(towards, at);
        let mut heading = 0;
        for (other, &direction) in DIRECTIONS.iter().enumerate() {
            if dot(direction, d) > dot(DIRECTIONS[heading], d) {
                heading = other;
            }
        }
        Self { at, heading, met: false, radius, step }
    }

    /// Where it is, in metres.
    pub fn at(&self) -> Point {
        self.at
    }

    /// Makes a step and returns where it leads; `None` when there is no room for any.
    pub fn step(&mut self, obstacles: &impl Obstacles) -> Option<Point> {
        if !self.met
            && let Some(next) = self.towards(obstacles, self.heading)
        {
            self.at = next;
            return Some(next);
        }
        // From a quarter to the left round to the right; but a wall that is met is to the left of
        // all that is tried.
        let first = if self.met { 12 } else { 0 };
        self.met = true;
        for turn in 0..DIRECTIONS.len() {
            let heading = (self.heading + first + turn) % DIRECTIONS.len();
            if let Some(next) = self.towards(obstacles, heading) {
                (self.at, self.heading) = (next, heading);
                return Some(next);
            }
        }
        None
    }

    fn towards(&self, obstacles: &impl Obstacles, heading: usize) -> Option<Point> {
        let [x, y] = DIRECTIONS[heading];
        let next = [self.at[0] + x * self.step, self.at[1] + y * self.step];
        obstacles.fits(self.at, next, self.radius).then_some(next)
    }
}
