//! What makes a mesh a good one.

use crate::data::number::plural;
use crate::graph::NONE;
use crate::graph::mesh::Mesh;
use crate::math::plane::{cross, dot, minus};

/// How far from straight three corners in a row may bend the wrong way: the sine of the angle.
/// Points that were rotated and rounded lie this close to their line.
const STRAIGHT: f64 = 1e-12;

/// What is wrong with a mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// A polygon of fewer than three corners.
    #[error(
        "polygon {polygon} has {}; three are the fewest",
        plural(u64::from(*corners), "corner")
    )]
    Corners {
        /// The polygon.
        polygon: u32,
        /// How many corners it has.
        corners: u32,
    },
    /// A polygon that is not convex, goes round the wrong way or has no area.
    #[error(
        "polygon {polygon} is not convex and counter-clockwise at point {point} \
         (x {x}, y {y})"
    )]
    Convex {
        /// The polygon.
        polygon: u32,
        /// The point of the corner.
        point: u32,
        /// x of the point.
        x: f64,
        /// y of the point.
        y: f64,
    },
    /// A polygon whose corners go round more than once, or that has no area.
    #[error("polygon {polygon} does not go round an area once")]
    Round {
        /// The polygon.
        polygon: u32,
    },
    /// A polygon names a neighbour that does not name it.
    #[error(
        "polygon {polygon} has {other} across the edge from point {from} to {to}, which polygon \
         {other} does not have"
    )]
    Neighbour {
        /// The polygon.
        polygon: u32,
        /// The neighbour it names.
        other: u32,
        /// Where the edge starts.
        from: u32,
        /// Where it ends.
        to: u32,
    },
}

impl Mesh {
    /// Whether every polygon is convex, goes round its area once and counter-clockwise (with y
    /// upwards), and has for a neighbour one that has the same edge and names it back.
    ///
    /// # Errors
    /// The first polygon that is not so.
    pub fn check(&self) -> Result<(), MeshError> {
        for polygon in 0..self.polygon_count() {
            self.check_shape(polygon)?;
            let corners = self.corners(polygon);
            for (i, edge) in self.edges(polygon).enumerate() {
                if self.across[edge] != NONE && self.twins[edge] == NONE {
                    return Err(MeshError::Neighbour {
                        polygon,
                        other: self.across[edge],
                        from: corners[i],
                        to: corners[(i + 1) % corners.len()],
                    });
                }
            }
        }
        Ok(())
    }

    fn check_shape(&self, polygon: u32) -> Result<(), MeshError> {
        let corners = self.corners(polygon);
        let count = corners.len();
        if count < 3 {
            return Err(MeshError::Corners { polygon, corners: count as u32 });
        }
        let at = |i: usize| self.points[corners[i % count] as usize];
        let mut bends = false;
        for i in 0..count {
            let (before, after) = (minus(at(i + 1), at(i)), minus(at(i + 2), at(i + 1)));
            let size = (dot(before, before) * dot(after, after)).sqrt();
            let turn = cross(before, after);
            let straight = turn.abs() <= STRAIGHT * size;
            if size == 0.0 || if straight { dot(before, after) < 0.0 } else { turn < 0.0 } {
                let point = corners[(i + 1) % count];
                let [x, y] = at(i + 1);
                return Err(MeshError::Convex { polygon, point, x, y });
            }
            bends |= !straight;
        }
        // Seen from the first corner, the others of a polygon that goes round once stand in order
        // on one side of the first edge.
        let left = |a: [f64; 2], b: [f64; 2]| {
            let size = dot(a, a) * dot(b, b);
            size > 0.0 && cross(a, b) >= -STRAIGHT * size.sqrt()
        };
        let from_first = |i: usize| minus(at(i), at(0));
        let in_order = (2..count)
            .all(|i| left(from_first(i - 1), from_first(i)) && left(from_first(1), from_first(i)));
        if !bends || !in_order || self.area(polygon) <= 0.0 {
            return Err(MeshError::Round { polygon });
        }
        Ok(())
    }
}
