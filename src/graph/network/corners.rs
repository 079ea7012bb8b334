//! Points of visibility: nodes at the corners of obstacles (Rabin, "A* Speed Optimizations", 2000;
//! the visibility graph of Lozano-Pérez and Wesley, 1979, moved off the walls).

use crate::graph::network::draft::{Draft, Links};
use crate::graph::network::follow::nearest_spot;
use crate::graph::network::obstacles::{Corner, Obstacles, Point, enough};
use crate::math::each::Each;
use crate::math::plane::{cross, unit};
use crate::par;

/// How nodes are placed at corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corners {
    /// Metres beyond the radius between a node and both walls of its corner.
    pub margin: f64,
    /// Also at corners that ways do not bend around, so that rooms without others have nodes.
    pub reflex: bool,
    /// What happens to a node that falls into an obstacle.
    pub stray: Stray,
    /// Longest edge in metres.
    pub range: f64,
    /// Edges of a node.
    pub degree: u32,
    /// Nodes that are looked at for a node's edges, nearest first.
    pub tries: u32,
    /// Leave out edges that no shortest way uses; nothing is left out where ground differs.
    pub taut: bool,
}

/// What happens to a node that falls into an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stray {
    /// The node is left out.
    Drop,
    /// It moves to the nearest valid spot within twice its offset, or is left out.
    Move,
}

impl Default for Corners {
    fn default() -> Self {
        Self {
            margin: 0.05,
            reflex: false,
            stray: Stray::Move,
            range: 256.0,
            degree: 32,
            tries: 512,
            taut: true,
        }
    }
}

/// Nodes at the corners of obstacles and the edges between them, for agents of a radius in metres.
///
/// A node lies on its corner's bisector, at the radius and the margin from the lines of both walls,
/// so that it can be walked to along either. At corners sharper than 60° that point runs away:
/// there are two nodes instead, each beyond the end of one wall.
pub fn points_of_visibility(obstacles: &impl Obstacles, radius: f64, placing: &Corners) -> Draft {
    let offset = radius + placing.margin;
    let wanted: Vec<(Corner, Point)> = obstacles
        .corners()
        .into_iter()
        .filter(|corner| corner.convex || placing.reflex)
        .flat_map(|corner| spots(&corner, offset).each(move |at| (corner, at)))
        .filter_map(|(corner, at)| at.map(|at| (corner, at)))
        .collect();
    let valid = |at: Point| enough(obstacles.clearance(at, radius.max(1e-3)), radius);
    let settle = |index: usize| {
        let (corner, at) = wanted[index];
        if valid(at) {
            return Some((corner, at));
        }
        let found = match placing.stray {
            Stray::Drop => None,
            Stray::Move => nearest_spot(obstacles, at, radius, 2.0 * offset, |_| true),
        };
        found.map(|at| (corner, at))
    };
    let settled = par::map(wanted.len(), 16, settle);
    let mut draft = Draft::default();
    for (corner, at) in settled.into_iter().flatten() {
        if corner.convex {
            draft.add_at_corner(at, corner);
        } else {
            draft.add(at, 0);
        }
    }
    let Corners { range, degree, tries, .. } = *placing;
    let [least, greatest] = obstacles.slowness();
    let taut = placing.taut && least == greatest;
    draft.link_near(obstacles, &Links { radius, range, degree, tries, taut });
    draft
}

/// Where the nodes of a corner go: one, or two at a sharp one.
fn spots(corner: &Corner, offset: f64) -> [Option<Point>; 2] {
    let [back, on] = corner.along;
    let sign = if corner.convex { -1.0 } else { 1.0 };
    let bisector = unit([sign * (back[0] + on[0]), sign * (back[1] + on[1])]);
    let off = |d: Point, by: f64| [corner.at[0] + d[0] * by, corner.at[1] + d[1] * by];
    // Sine of the angle between bisector and wall.
    let sine = cross(bisector, on).abs();
    if sine >= 0.5 || !corner.convex {
        return [Some(off(bisector, offset / sine.max(0.25))), None];
    }
    let beyond = |wall: Point| {
        // Across the wall, away from the other one.
        let normal = [-wall[1], wall[0]];
        let side = if cross(wall, bisector) < 0.0 { -1.0 } else { 1.0 };
        off([side * normal[0] - wall[0], side * normal[1] - wall[1]], offset)
    };
    [Some(beyond(back)), Some(beyond(on))]
}
