//! Navigation meshes: convex polygons that share whole edges, and the searches on them.
//!
//! * [`Mesh`]: polygons, the neighbours across their edges, components, dead ends;
//! * [`build`]: meshes of grids and of polygons, and how they follow changes;
//! * [`mod@format`]: Polyanya's mesh files, read and written; [`check`]: what makes a mesh a good one;
//! * [`Locator`]: which polygon holds a point;
//! * [`FunnelSearch`]: A* over points on edges, then string pulling; [`RelaxedSearch`] looks at
//!   some more channels than the first; [`ExactSearch`] finds the shortest way there is.
//!
//! Positions go in and come out as `f64`, which holds every `f32` and every Q16.16 value exactly: a
//! path is the same whatever numbers the caller's world has.

pub mod build;
pub mod check;
mod ends;
pub mod exact;
pub mod format;
pub mod funnel;
mod links;
pub mod locate;
pub mod relaxed;
pub mod route;

pub use check::MeshError;
pub use exact::ExactSearch;
pub use format::MeshFileError;
pub use locate::Locator;
pub use relaxed::RelaxedSearch;
pub use route::FunnelSearch;

use crate::graph::NONE;
use crate::graph::rows::Rows;
use crate::math::plane::{cross, distance, minus};
use std::ops::Range;

/// A navigation mesh. Units are the ones of its points; meshes made from a map are in cells.
///
/// Corners of a polygon go round so that `(b − a) × (c − b) ≥ 0` for three in a row, with x and y
/// as they are written (counter-clockwise where y points up). Corners may lie on a straight line.
/// An edge goes by the number of the corner it starts at, counted over all polygons; it has its
/// polygon on the left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// x, y.
    points: Vec<[f64; 2]>,
    /// Point of every corner, by polygon.
    corners: Rows<u32>,
    /// The polygon across the edge from a corner to the next; [`NONE`] for a wall.
    across: Vec<u32>,
    /// The same edge as a neighbour has it; [`NONE`] for a wall.
    twins: Vec<u32>,
    /// Position of every corner.
    places: Vec<[f64; 2]>,
    /// Whether a shortest way can turn at a point: some wall there leaves less than a half plane.
    turns: Vec<bool>,
    /// Component of every polygon, counted from 0 in the order of their first polygons.
    components: Vec<u32>,
    component_count: u32,
    /// The one neighbour through which a polygon in a dead end is left; [`NONE`] elsewhere.
    gates: Vec<u32>,
}

/// A way over a mesh, written into memory that its owner keeps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshPath {
    /// Start, turning points and goal; empty when there is no way.
    pub points: Vec<[f64; 2]>,
    /// Length, in units of the mesh.
    pub length: f64,
    /// Nodes that the search expanded.
    pub expansions: u32,
}

impl MeshPath {
    fn clear(&mut self) {
        self.points.clear();
        self.length = 0.0;
        self.expansions = 0;
    }

    /// Leaves out points that are where the one before is, and adds up the length.
    fn measure(&mut self) {
        self.points.dedup();
        self.length = 0.0;
        for pair in self.points.windows(2) {
            self.length += distance(pair[0], pair[1]);
        }
    }
}

impl Mesh {
    /// A mesh of polygons, each given by its corners as indices of points; polygons that share an
    /// edge are neighbours. [`Mesh::check`] tells whether they make a good mesh.
    ///
    /// # Panics
    /// When a polygon names a point that there is not.
    pub fn new(points: Vec<[f64; 2]>, polygons: &[Vec<u32>]) -> Self {
        let mut mesh = Self { points, ..Self::default() };
        polygons.iter().for_each(|corners| mesh.corners.extend(corners.iter().copied()));
        mesh.twins = mesh.pairs(|_, _| true);
        let owners = mesh.corners.owners();
        let across = mesh.twins.iter().map(|&twin| owners.get(twin as usize).copied());
        mesh.across = across.map(|owner| owner.unwrap_or(NONE)).collect();
        mesh.derive();
        mesh
    }

    /// A mesh whose polygons are neighbours only across the edges at which they say so.
    fn with_neighbours(points: Vec<[f64; 2]>, corners: Rows<u32>, across: Vec<u32>) -> Self {
        let mut mesh = Self { points, corners, across, ..Self::default() };
        let owners = mesh.corners.owners();
        mesh.twins = mesh.pairs(|a, b| mesh.across[a] == owners[b] && mesh.across[b] == owners[a]);
        mesh.derive();
        mesh
    }

    /// All points.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The number of polygons.
    pub fn polygon_count(&self) -> u32 {
        self.corners.count() as u32
    }

    /// The number of edges of all polygons; an edge between two counts twice.
    pub fn edge_count(&self) -> u32 {
        self.corners.items().len() as u32
    }

    /// Points of a polygon's corners, in order.
    pub fn corners(&self, polygon: u32) -> &[u32] {
        self.corners.row(polygon as usize)
    }

    /// For each edge of a polygon, from its corner to the next: the polygon across, or [`NONE`].
    pub fn across(&self, polygon: u32) -> &[u32] {
        &self.across[self.edges(polygon)]
    }

    /// Where a polygon's corners are, in order.
    pub fn places(&self, polygon: u32) -> &[[f64; 2]] {
        &self.places[self.edges(polygon)]
    }

    /// A polygon's neighbours, in the order of its edges; twice where two edges are shared.
    pub fn neighbours(&self, polygon: u32) -> impl Iterator<Item = u32> {
        self.across(polygon).iter().copied().filter(|&other| other != NONE)
    }

    /// A polygon's area, in squares of the mesh's unit.
    pub fn area(&self, polygon: u32) -> f64 {
        let places = self.places(polygon);
        let mut doubled = 0.0;
        for i in 1..places.len().saturating_sub(1) {
            doubled += cross(minus(places[i], places[0]), minus(places[i + 1], places[0]));
        }
        doubled * 0.5
    }

    /// The mean of a polygon's corners; it is inside.
    pub fn centre(&self, polygon: u32) -> [f64; 2] {
        let places = self.places(polygon);
        let origin = places[0];
        let (mut x, mut y) = (0.0, 0.0);
        for place in places {
            x += place[0] - origin[0];
            y += place[1] - origin[1];
        }
        let count = places.len() as f64;
        [origin[0] + x / count, origin[1] + y / count]
    }

    /// The component that a polygon belongs to: there is a way between two polygons when they share
    /// one. Components count from 0.
    pub fn component(&self, polygon: u32) -> u32 {
        self.components[polygon as usize]
    }

    /// The number of components.
    pub fn component_count(&self) -> u32 {
        self.component_count
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let rows = self.across.capacity()
            + self.twins.capacity()
            + self.components.capacity()
            + self.gates.capacity();
        let pairs = self.points.capacity() + self.places.capacity();
        self.corners.bytes() + (4 * rows + 16 * pairs + self.turns.capacity()) as u64
    }

    fn edges(&self, polygon: u32) -> Range<usize> {
        self.corners.range(polygon as usize)
    }

    /// The polygon that an edge between two belongs to.
    #[inline(always)]
    fn owner(&self, edge: u32) -> u32 {
        self.across[self.twins[edge as usize] as usize]
    }

    /// Whether a polygon, its rim included, holds a point. Points whose direction from a corner is
    /// within a sine of 1e-12 of an edge's are on that edge's line.
    pub fn contains(&self, polygon: u32, point: [f64; 2]) -> bool {
        let edges = self.edges(polygon);
        edges.clone().all(|edge| self.side(edge, after(edge, &edges), point) >= 0)
    }

    /// The side of the edge between two corners that a point is on: 1 left, -1 right, 0 on its
    /// line. The twin of an edge always gives the opposite answer, so neighbours leave no gap.
    #[inline(always)]
    fn side(&self, from: usize, to: usize, point: [f64; 2]) -> i32 {
        let (a, b) = (self.places[from], self.places[to]);
        if self.corners[from] < self.corners[to] {
            side(minus(b, a), minus(point, a))
        } else {
            -side(minus(a, b), minus(point, b))
        }
    }
}

/// The edge of a polygon after one of its edges.
#[inline(always)]
fn after(edge: usize, edges: &Range<usize>) -> usize {
    if edge + 1 == edges.end { edges.start } else { edge + 1 }
}

/// The edge of a polygon before one of its edges.
#[inline(always)]
fn before(edge: usize, edges: &Range<usize>) -> usize {
    (if edge == edges.start { edges.end } else { edge }) - 1
}

/// The sine below which two directions count as one: points that were rotated and rounded stay on
/// their lines.
const SAME: f64 = 1e-12;

/// Which side of a direction a vector is on: 1 left, -1 right, 0 along it.
#[inline(always)]
fn side(direction: [f64; 2], to: [f64; 2]) -> i32 {
    let turn = cross(direction, to);
    let same = SAME * ((direction[0].abs() + direction[1].abs()) * (to[0].abs() + to[1].abs()));
    i32::from(turn > same) - i32::from(turn < -same)
}
