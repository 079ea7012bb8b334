//! Navigation meshes from a boundary and obstacles.

use super::arrange::{Place, Segment, Winding, side, touch};
use super::obstacles::ObstacleMesh;
use crate::data::number::plural;
use crate::graph::Mesh;
use crate::math::each::Each;
use thiserror::Error;

/// Corners that a polygon may have.
pub const MAX_CORNERS: usize = 1000;

/// Largest coordinate, in any unit.
pub const MAX_COORDINATE: f64 = 1.0e7;

/// Why polygons make no mesh. Corners count from 0.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PolygonError {
    /// A polygon of less than three corners or more than [`MAX_CORNERS`].
    #[error("{polygon} has {}, not 3 to {MAX_CORNERS}", plural(*found as u64, "corner"))]
    CornerCount {
        /// "the boundary" or "obstacle 3".
        polygon: String,
        /// How many corners it has.
        found: usize,
    },
    /// A coordinate that is not a number from −[`MAX_COORDINATE`] to [`MAX_COORDINATE`].
    #[error("corner {corner} of {polygon} has the coordinate {value}, not one up to ±10,000,000")]
    Coordinate {
        /// "the boundary" or "obstacle 3".
        polygon: String,
        /// The corner.
        corner: usize,
        /// The coordinate.
        value: f64,
    },
    /// A polygon that crosses or touches itself.
    #[error(
        "{polygon} crosses or touches itself: its edges from corners {first} and {second} meet"
    )]
    Crossing {
        /// "the boundary" or "obstacle 3".
        polygon: String,
        /// The corner where one edge starts.
        first: usize,
        /// The corner where the other starts.
        second: usize,
    },
    /// An obstacle of which no part is inside the boundary.
    #[error("{polygon} is outside the boundary")]
    Outside {
        /// "obstacle 3".
        polygon: String,
    },
    /// Edges that come so near each other without meeting that they cannot be cut where they cross.
    #[error("edges of {polygon} come too near to others: {detail}")]
    TooNear {
        /// "the boundary" or "obstacle 3", or all of them.
        polygon: String,
        /// The edges, in words.
        detail: String,
    },
}

impl Mesh {
    /// The mesh of the area inside a boundary and outside of all obstacles: simple polygons in any
    /// unit, each given by its corners in order, either way round.
    ///
    /// Obstacles may overlap each other and the boundary; what any of them covers is not free.
    /// Edges that touch are cut there exactly. Where edges cross, the place is rounded to a
    /// multiple of 2^−20, so a cut edge's parts leave its line by up to that much; all other
    /// corners are as given. Polygons of the mesh are convex as merged Delaunay triangles are
    /// ([`Triangulation::merged`](super::Triangulation::merged)).
    ///
    /// # Errors
    /// Any of [`PolygonError`].
    pub fn from_polygons(
        boundary: &[[f64; 2]],
        obstacles: &[Vec<[f64; 2]>],
    ) -> Result<Self, PolygonError> {
        Ok(ObstacleMesh::new(boundary, obstacles)?.into_mesh())
    }
}

/// What errors call an obstacle.
pub(super) fn obstacle(id: u32) -> String {
    format!("obstacle {id}")
}

/// The edges of a simple polygon, with `winding` more on their inner side.
pub(super) fn segments(
    corners: &[[f64; 2]],
    winding: Winding,
    name: impl Fn() -> String,
) -> Result<Vec<Segment>, PolygonError> {
    if !(3..=MAX_CORNERS).contains(&corners.len()) {
        return Err(PolygonError::CornerCount { polygon: name(), found: corners.len() });
    }
    for (corner, point) in corners.iter().enumerate() {
        let bad = point.iter().find(|value| !(-MAX_COORDINATE..=MAX_COORDINATE).contains(*value));
        if let Some(&value) = bad {
            return Err(PolygonError::Coordinate { polygon: name(), corner, value });
        }
    }
    let places: Vec<Place> = corners.iter().map(|&corner| Place::new(corner)).collect();
    let count = places.len();
    let edge = |i: usize| Segment { from: places[i], to: places[(i + 1) % count], winding };
    let mut segments: Vec<Segment> = (0..count).map(edge).collect();
    for first in 0..count {
        for second in first + 1..count {
            let near = second == first + 1 || (first == 0 && second == count - 1);
            if meets(&segments[first], &segments[second], near) {
                return Err(PolygonError::Crossing { polygon: name(), first, second });
            }
        }
    }
    // The lowest corner's turn tells which way round they go; straight corners are never lowest.
    let lowest = (0..count).min_by_key(|&i| places[i]).unwrap_or(0);
    let before = places[(lowest + count - 1) % count];
    if side(before, places[lowest], places[(lowest + 1) % count]) < 0 {
        segments.iter_mut().for_each(|segment| std::mem::swap(&mut segment.from, &mut segment.to));
    }
    Ok(segments)
}

/// Whether two edges of a polygon have a point in common, beside the corner that neighbours share.
fn meets(a: &Segment, b: &Segment, neighbours: bool) -> bool {
    if a.from == a.to || b.from == b.to {
        return true;
    }
    if neighbours {
        // They share more only when one folds back on the other.
        let (shared, one, other) =
            if a.to == b.from { (a.to, a.from, b.to) } else { (a.from, a.to, b.from) };
        return one == other || side(one, shared, other) == 0 && folds(shared, one, other);
    }
    touch(a.bounds(), b.bounds()) && {
        let of = |s: &Segment, ends: [Place; 2]| ends.each(|end| side(s.from, s.to, end));
        let (one, two) = (of(a, [b.from, b.to]), of(b, [a.from, a.to]));
        // With touching boxes, edges on one line meet too.
        one[0] * one[1] <= 0 && two[0] * two[1] <= 0
    }
}

/// Whether two points on a line through a third are on the same side of it.
fn folds(shared: Place, one: Place, other: Place) -> bool {
    (shared < one) == (shared < other)
}

/// Whether a place is inside a polygon of edges, not on it.
pub(super) fn inside(segments: &[Segment], place: Place) -> bool {
    let mut crossings = 0;
    for segment in segments {
        let (low, high) = (segment.from.min(segment.to), segment.from.max(segment.to));
        let side = side(low, high, place);
        let [x, y] = place.0;
        if side == 0 && touch(segment.bounds(), [[x, y], [x, y]]) {
            return false;
        }
        crossings += i32::from(low.0[1] <= y && y < high.0[1] && side > 0);
    }
    crossings % 2 == 1
}
