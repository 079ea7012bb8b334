//! What a mesh works out about itself when it is made: twins of edges, components, dead ends and
//! points to turn at.

use crate::data::sets;
use crate::graph::NONE;
use crate::graph::mesh::Mesh;
use crate::graph::rows::Rows;
use crate::math::plane::{cross, dot, minus};

impl Mesh {
    /// The point that every edge ends at.
    pub(super) fn ends(&self) -> Vec<u32> {
        let mut ends = Vec::with_capacity(self.corners.items().len());
        for polygon in 0..self.polygon_count() {
            let corners = self.corners(polygon);
            ends.extend((0..corners.len()).map(|i| corners[(i + 1) % corners.len()]));
        }
        ends
    }

    /// The edges that leave each point, by their ends.
    fn leaving(&self, ends: &[u32]) -> Rows<u32> {
        let mut leaving = Rows::new(self.points.len(), |visit| {
            (0_u32..)
                .zip(self.corners.items())
                .for_each(|(edge, &from)| visit(from as usize, edge));
        });
        for point in 0..self.points.len() {
            leaving.row_mut(point).sort_unstable_by_key(|&edge| (ends[edge as usize], edge));
        }
        leaving
    }

    /// The first edge that fits and runs the other way between the same points.
    pub(super) fn pairs(&self, fits: impl Fn(usize, usize) -> bool) -> Vec<u32> {
        let ends = self.ends();
        let leaving = self.leaving(&ends);
        let mut twins = vec![NONE; self.corners.items().len()];
        for edge in 0..self.corners.items().len() {
            if twins[edge] != NONE {
                continue;
            }
            let (from, to) = (self.corners[edge], ends[edge] as usize);
            let bucket = leaving.row(to);
            let start = bucket.partition_point(|&other| ends[other as usize] < from);
            for &other in &bucket[start..] {
                let other = other as usize;
                if ends[other] != from {
                    break;
                }
                if twins[other] == NONE && fits(edge, other) {
                    twins[edge] = other as u32;
                    twins[other] = edge as u32;
                    break;
                }
            }
        }
        twins
    }

    /// Fills in what follows from polygons, neighbours and twins.
    pub(super) fn derive(&mut self) {
        self.places =
            self.corners.items().iter().map(|&point| self.points[point as usize]).collect();
        let beside = |polygon: usize, visit: &mut dyn FnMut(usize)| {
            self.neighbours(polygon as u32).for_each(|other| visit(other as usize));
        };
        let count = self.polygon_count() as usize;
        (self.components, self.component_count) = sets::pieces(count, |_| true, beside);
        self.find_dead_ends();
        self.find_turns();
    }

    /// Polygons with one neighbour are taken away until none is left. No way needs to enter one of
    /// them unless it starts or ends in it or behind it: in and out is through one line.
    fn find_dead_ends(&mut self) {
        let polygons = self.polygon_count();
        self.gates = vec![NONE; polygons as usize];
        let mut gone = vec![false; polygons as usize];
        let mut open: Vec<u32> = (0..polygons).collect();
        while let Some(polygon) = open.pop() {
            let mut left = NONE;
            let mut several = gone[polygon as usize];
            for edge in self.edges(polygon) {
                let other = self.across[edge];
                if other != NONE && !gone[other as usize] {
                    several |= left != NONE && left != other;
                    left = other;
                }
            }
            if !several && left != NONE {
                gone[polygon as usize] = true;
                self.gates[polygon as usize] = left;
                open.push(left);
            }
        }
    }

    /// A wall's edges meet at a point at some angle; below a half turn it can be walked around.
    /// Where several walls meet in a point they are not told apart, and it counts.
    fn find_turns(&mut self) {
        let ends = self.ends();
        // The last wall edge that ends at and that starts from each point.
        let mut arriving = vec![NONE; self.points.len()];
        let mut leaving = vec![NONE; self.points.len()];
        self.turns = vec![false; self.points.len()];
        for (edge, (&from, &to)) in self.corners.items().iter().zip(&ends).enumerate() {
            if self.twins[edge] == NONE {
                let (from, to) = (from as usize, to as usize);
                self.turns[from] |= leaving[from] != NONE;
                leaving[from] = edge as u32;
                arriving[to] = edge as u32;
            }
        }
        for point in 0..self.points.len() {
            if leaving[point] == NONE || arriving[point] == NONE {
                continue;
            }
            let at = self.points[point];
            let before = self.points[self.corners[arriving[point] as usize] as usize];
            let after = self.points[ends[leaving[point] as usize] as usize];
            let (back, forth) = (minus(before, at), minus(after, at));
            let turn = cross(back, forth);
            self.turns[point] |= turn > 0.0 || turn == 0.0 && dot(back, forth) > 0.0;
        }
    }
}
