//! Convex polygons on shared points, while a mesh is being made.

use crate::graph::{Mesh, NONE};

/// Polygons as corners in a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pieces {
    /// First corner of every polygon, then the end.
    pub(super) first: Vec<u32>,
    /// Point of every corner.
    pub(super) corners: Vec<u32>,
    /// Whether the edge from a corner to the next is a wall.
    pub(super) walls: Vec<bool>,
}

impl Default for Pieces {
    fn default() -> Self {
        Self { first: vec![0], corners: Vec::new(), walls: Vec::new() }
    }
}

impl Pieces {
    pub(super) fn count(&self) -> usize {
        self.first.len() - 1
    }

    pub(super) fn corners(&self, piece: usize) -> &[u32] {
        &self.corners[self.first[piece] as usize..self.first[piece + 1] as usize]
    }

    /// Ends the polygon whose corners were added last: turns it so that its lowest point comes
    /// first.
    pub(super) fn close(&mut self) {
        let start = self.first[self.count()] as usize;
        let added = &self.corners[start..];
        let lowest = (0..added.len()).min_by_key(|&i| added[i]).unwrap_or(0);
        self.corners[start..].rotate_left(lowest);
        self.walls[start..].rotate_left(lowest);
        self.first.push(self.corners.len() as u32);
    }

    /// The same polygons in the order of their first edges, of which no two are the same.
    pub(super) fn sorted(&self) -> Self {
        let key = |piece: usize| {
            let corners = self.corners(piece);
            (u64::from(corners[0]) << 32 | u64::from(corners[1]), piece as u32)
        };
        let mut order: Vec<(u64, u32)> = (0..self.count()).map(key).collect();
        order.sort_unstable();
        let mut sorted = Self {
            first: Vec::with_capacity(self.first.len()),
            corners: Vec::with_capacity(self.corners.len()),
            walls: Vec::with_capacity(self.walls.len()),
        };
        sorted.first.push(0);
        for (_, piece) in order {
            let range =
                self.first[piece as usize] as usize..self.first[piece as usize + 1] as usize;
            sorted.corners.extend_from_slice(&self.corners[range.clone()]);
            sorted.walls.extend_from_slice(&self.walls[range]);
            sorted.first.push(sorted.corners.len() as u32);
        }
        sorted
    }

    /// The same edge of the polygon on its other side, for the edge from each corner to the next;
    /// [`NONE`] for walls.
    pub(super) fn twins(&self) -> Vec<u32> {
        let mut edges = Vec::with_capacity(self.corners.len());
        for piece in 0..self.count() {
            let range = self.first[piece] as usize..self.first[piece + 1] as usize;
            for at in range.clone() {
                let next = if at + 1 == range.end { range.start } else { at + 1 };
                let (from, to) = (self.corners[at], self.corners[next]);
                if !self.walls[at] {
                    let key = u64::from(from.min(to)) << 32 | u64::from(from.max(to));
                    edges.push((key, at as u32));
                }
            }
        }
        edges.sort_unstable();
        let mut twins = vec![NONE; self.corners.len()];
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
        let mut owner = vec![0; self.corners.len()];
        for piece in 0..self.count() {
            owner[self.first[piece] as usize..self.first[piece + 1] as usize].fill(piece as u32);
        }
        twins.iter().map(|&twin| owner.get(twin as usize).copied().unwrap_or(NONE)).collect()
    }

    /// A mesh of the polygons.
    pub(super) fn mesh(self, points: Vec<[f64; 2]>) -> Mesh {
        let twins = self.twins();
        let across = self.across(&twins);
        mesh(points, self.first, self.corners, across, twins)
    }
}

/// A mesh of its parts; `across` and `twins` tell the polygon across each edge and its edge there.
pub(super) fn mesh(
    points: Vec<[f64; 2]>,
    first: Vec<u32>,
    corners: Vec<u32>,
    across: Vec<u32>,
    twins: Vec<u32>,
) -> Mesh {
    let mut mesh = Mesh { points, first, corners, across, twins, ..Mesh::default() };
    mesh.derive();
    mesh
}
