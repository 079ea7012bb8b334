//! Navigation meshes: convex polygons that share whole edges.

pub mod build;

use crate::graph::NONE;

/// A navigation mesh. Units are those of whoever made it; meshes made from a map are in cells.
///
/// Corners of a polygon go round so that `(b − a) × (c − b) ≥ 0` for three in a row, with x and y as
/// they are written (counter-clockwise where y points up).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// x, y.
    points: Vec<[f64; 2]>,
    /// First corner of every polygon, then the end.
    first: Vec<u32>,
    /// Point of every corner.
    corners: Vec<u32>,
    /// The polygon across the edge from a corner to the next; [`NONE`] for a wall.
    across: Vec<u32>,
}

impl Mesh {
    /// A mesh of polygons, each given by its corners as indices of points; polygons that share an
    /// edge are neighbours.
    pub fn new(points: Vec<[f64; 2]>, polygons: &[Vec<u32>]) -> Self {
        let mut mesh = Self { points, first: vec![0], corners: Vec::new(), across: Vec::new() };
        let mut edges = Vec::new();
        for (polygon, corners) in polygons.iter().enumerate() {
            for (i, &from) in corners.iter().enumerate() {
                let to = corners[(i + 1) % corners.len()];
                edges.push((from.min(to), from.max(to), polygon as u32, mesh.corners.len()));
                mesh.corners.push(from);
            }
            mesh.first.push(mesh.corners.len() as u32);
        }
        mesh.across = vec![NONE; mesh.corners.len()];
        edges.sort_unstable();
        for pair in edges.windows(2) {
            if (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) {
                mesh.across[pair[0].3] = pair[1].2;
                mesh.across[pair[1].3] = pair[0].2;
            }
        }
        mesh
    }

    /// All points.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The number of polygons.
    pub fn polygon_count(&self) -> u32 {
        self.first.len().saturating_sub(1) as u32
    }

    /// Points of a polygon's corners, in order.
    pub fn corners(&self, polygon: u32) -> &[u32] {
        let at = polygon as usize;
        &self.corners[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// For each edge of a polygon, from its corner to the next: the polygon across, or [`NONE`].
    pub fn across(&self, polygon: u32) -> &[u32] {
        let at = polygon as usize;
        &self.across[self.first[at] as usize..self.first[at + 1] as usize]
    }
}
