//! What an edge must keep clear of: one interface for polygons and for the walls of a map.

pub use crate::math::plane::Point;

use crate::math::plane::distance;

/// A clearance that falls short of a radius by less than this, in metres, is enough: coordinates
/// are rounded, and a corridor as wide as the agent is to be passable.
pub const SLACK: f64 = 1.0 / (1 << 20) as f64;

/// Things that agents may not touch, and the ground between them. Distances are in metres.
pub trait Obstacles: Sync {
    /// Distance from a segment to the nearest obstacle or boundary, at most `cap`; 0 when it
    /// touches or lies inside one. A pure function: an obstacle farther away than
    /// [`Obstacles::reach`] changes no bit of it.
    fn segment_clearance(&self, a: Point, b: Point, cap: f64) -> f64;

    /// Distance from a point to the nearest obstacle or boundary, at most `cap`; 0 inside one.
    fn clearance(&self, at: Point, cap: f64) -> f64 {
        self.segment_clearance(at, at, cap)
    }

    /// Whether an agent of a radius can walk straight from `a` to `b`: the capsule of that radius
    /// meets no obstacle. Touching is allowed, up to [`SLACK`], unless the radius is 0.
    fn fits(&self, a: Point, b: Point, radius: f64) -> bool {
        enough(self.segment_clearance(a, b, radius.max(SLACK)), radius)
    }

    /// How far, in metres, a change of the ground reaches into clearances of at most `cap`.
    fn reach(&self, cap: f64) -> f64 {
        cap
    }

    /// Corners of all obstacles and of the boundary, in a fixed order.
    fn corners(&self) -> Vec<Corner>;

    /// Least and greatest x and y where agents can be.
    fn bounds(&self) -> [Point; 2];

    /// Metres that cost 256 on plain ground: a cell of a map, else a metre.
    fn unit(&self) -> f64 {
        1.0
    }

    /// The ground along a segment that meets no obstacle.
    fn ground(&self, a: Point, b: Point) -> Stretch {
        Stretch { cost: distance(a, b), worst: 16 }
    }

    /// Least and greatest slowness of the ground in 1/16.
    fn slowness(&self) -> [u8; 2] {
        [16, 16]
    }
}

/// The ground along a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Metres of plain ground that take as long.
    pub cost: f64,
    /// Greatest slowness of what is crossed, in 1/16.
    pub worst: u8,
}

/// A corner of an obstacle or of the boundary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Where, in metres.
    pub at: Point,
    /// Directions, of length 1, from the corner along its two walls.
    pub along: [Point; 2],
    /// Whether the solid side is the smaller angle: ways bend around such corners.
    pub convex: bool,
}

/// Whether a clearance is enough for a radius; 0 never is.
#[inline]
pub fn enough(clearance: f64, radius: f64) -> bool {
    clearance > 0.0 && clearance + SLACK >= radius
}
