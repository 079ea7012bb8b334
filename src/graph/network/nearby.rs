//! Which nodes a position sees.

use crate::graph::network::Network;
use crate::graph::network::obstacles::{Obstacles, Point, enough};
use crate::graph::network::scratch::Scratch;
use crate::math::each::Each;
use crate::math::plane::{blend, distance};

/// Of its clearance, what an agent that stands closer to a wall than its radius must keep on its
/// first steps.
const SQUEEZED: f64 = 0.999;

/// Straight ways of an agent between two positions. Where one of them is closer to a wall than the
/// agent's radius, the first two radii from there need only be as clear as the position itself.
pub(super) struct Sight<'a, O> {
    pub(super) obstacles: &'a O,
    radius: f64,
    ends: [(Point, f64); 2],
}

impl<'a, O: Obstacles> Sight<'a, O> {
    pub(super) fn new(obstacles: &'a O, radius: f64, ends: [Point; 2]) -> Self {
        let need = |at: Point| {
            let clearance = obstacles.clearance(at, radius.max(1e-3));
            (at, if enough(clearance, radius) { radius } else { SQUEEZED * clearance })
        };
        Self { obstacles, radius, ends: ends.each(need) }
    }

    /// Whether the agent can walk straight from `a` to `b`.
    pub(super) fn sees(&self, a: Point, b: Point) -> bool {
        let (here, there) = (self.need(a), self.need(b));
        if here >= self.radius && there >= self.radius {
            return self.obstacles.fits(a, b, self.radius);
        }
        let (length, near) = (distance(a, b), 2.0 * self.radius);
        if length <= 2.0 * near {
            return self.obstacles.fits(a, b, here.min(there));
        }
        let (first, last) = (blend(a, b, near / length), blend(b, a, near / length));
        self.obstacles.fits(first, last, self.radius)
            && self.obstacles.fits(a, first, here)
            && self.obstacles.fits(last, b, there)
    }

    fn need(&self, at: Point) -> f64 {
        let [start, goal] = self.ends;
        if at == start.0 {
            start.1
        } else if at == goal.0 {
            goal.1
        } else {
            self.radius
        }
    }
}

/// A search for nodes in sight: how many are wanted, and how many are looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) nodes: u32,
    pub(super) tries: u32,
}

impl Network {
    /// Writes the nearest nodes that `sees` takes over `found`, nearest first, and returns how many
    /// were looked at. `near` is memory.
    pub(super) fn in_sight(
        &self,
        at: Point,
        wanted: Wanted,
        sees: impl Fn(Point) -> bool,
        near: &mut Vec<(f64, u32)>,
        found: &mut Vec<u32>,
    ) -> u32 {
        found.clear();
        let mut tried = 0;
        let point = |node: u32| self.points[node as usize];
        self.node_bins.nearest(at, point, near, |_, node| {
            tried += 1;
            if sees(point(node)) {
                found.push(node);
            }
            tried < wanted.tries && (found.len() as u32) < wanted.nodes
        });
        tried
    }

    /// The nearest node that an agent of a radius (metres) can walk to straight; `None` when there
    /// is none among the 256 nearest nodes. Once warm it allocates nothing.
    pub fn nearest_visible(
        &self,
        obstacles: &impl Obstacles,
        at: Point,
        radius: f64,
        scratch: &mut Scratch,
    ) -> Option<u32> {
        let sight = Sight::new(obstacles, radius, [at, at]);
        let wanted = Wanted { nodes: 1, tries: 256 };
        let Scratch { near, seen, .. } = scratch;
        self.in_sight(at, wanted, |node| sight.sees(at, node), near, seen);
        seen.first().copied()
    }
}
