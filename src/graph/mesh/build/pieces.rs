//! Convex polygons on shared points, while a mesh is being made.

use crate::graph::mesh::after;
use crate::graph::rows::Rows;
use crate::graph::{Mesh, NONE};

/// Polygons as corners in a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Pieces {
    /// Point of every corner, by polygon.
    pub(super) corners: Rows<u32>,
    /// Whether the edge from a corner to the next is a wall.
    pub(super) walls: Vec<bool>,
}

impl Pieces {
    /// Ends the polygon whose corners were added last: turns it so that its lowest point comes
    /// first.
    pub(super) fn close(&mut self) {
        let added = self.corners.open_row();
        let lowest = (0..added.len()).min_by_key(|&i| added[i]).unwrap_or(0);
        added.rotate_left(lowest);
        let start = self.walls.len() - added.len();
        self.walls[start..].rotate_left(lowest);
        self.corners.end_row();
    }

    /// The same polygons in the order of their first edges, of which no two are the same.
    pub(super) fn sorted(&self) -> Self {
        let key = |piece: usize| {
            let corners = self.corners.row(piece);
            (u64::from(corners[0]) << 32 | u64::from(corners[1]), piece as u32)
        };
        let mut order: Vec<(u64, u32)> = (0..self.corners.count()).map(key).collect();
        order.sort_unstable();
        let mut sorted = Self::default();
        for piece in order.into_iter().map(|(_, piece)| piece as usize) {
            sorted.corners.extend(self.corners.row(piece).iter().copied());
            sorted.walls.extend_from_slice(&self.walls[self.corners.range(piece)]);
        }
        sorted
    }

    /// The same edge of the polygon on its other side, for the edge from each corner to the next;
    /// [`NONE`] for walls.
    pub(super) fn twins(&self) -> Vec<u32> {
        let mut edges = Vec::with_capacity(self.walls.len());
        for piece in 0..self.corners.count() {
            let range = self.corners.range(piece);
            for at in range.clone() {
                let (from, to) = (self.corners[at], self.corners[after(at, &range)]);
                if !self.walls[at] {
                    let key = u64::from(from.min(to)) << 32 | u64::from(from.max(to));
                    edges.push((key, at as u32));
                }
            }
        }
        edges.sort_unstable();
        let mut twins = vec![NONE; self.walls.len()];
        for pair in edges.windows(2) {
            if pair[0].0 == pair[1].0 {
                twins[pair[0].1 as usize] = pair[1].1;
                twins[pair[1].1 as usize] = pair[0].1;
            }
        }
        twins
    }

    /// The polygon across each edge, by the twins.
    pub(super) fn across(&self, twins: &[u32]) -> Vec<u32> {
        let owner = self.corners.owners();
        twins.iter().map(|&twin| owner.get(twin as usize).copied().unwrap_or(NONE)).collect()
    }

    /// A mesh of the polygons.
    pub(super) fn mesh(self, points: Vec<[f64; 2]>) -> Mesh {
        let twins = self.twins();
        let across = self.across(&twins);
        mesh(points, self.corners, across, twins)
    }
}

/// A mesh of its parts; `across` and `twins` tell the polygon across each edge and its edge there.
pub(super) fn mesh(
    points: Vec<[f64; 2]>,
    corners: Rows<u32>,
    across: Vec<u32>,
    twins: Vec<u32>,
) -> Mesh {
    let mut mesh = Mesh { points, corners, across, twins, ..Mesh::default() };
    mesh.derive();
    mesh
}
