//! Where a search on a mesh starts and ends, and where it need not go.

use crate::graph::NONE;
use crate::graph::mesh::{Locator, Mesh, MeshPath};
use crate::graph::stamped::Stamped;
use crate::math::plane::distance;

/// Polygons that hold the ends of a query, and the dead ends that lead to them.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    pub(super) starts: Vec<u32>,
    pub(super) goals: Vec<u32>,
    /// Dead ends to enter.
    entered: Stamped<()>,
}

impl Ends {
    /// Whether there is a way, where that is known without a search: the straight one inside a
    /// polygon, written over `path`, or none, where an end is off the mesh or they are in different
    /// components.
    pub(super) fn begin(
        &mut self,
        mesh: &Mesh,
        locator: &Locator,
        start: [f64; 2],
        goal: [f64; 2],
        path: &mut MeshPath,
    ) -> Option<bool> {
        path.clear();
        locator.touching(mesh, start, &mut self.starts);
        locator.touching(mesh, goal, &mut self.goals);
        let meets = |goal: &u32| {
            self.starts.iter().any(|&start| mesh.component(start) == mesh.component(*goal))
        };
        if !self.goals.iter().any(meets) {
            return Some(false);
        }
        if self.starts.iter().any(|start| self.goals.contains(start)) {
            path.points.extend([start, goal]);
            path.length = distance(start, goal);
            return Some(true);
        }
        self.entered.clear(mesh.polygon_count() as usize);
        for &end in self.starts.iter().chain(&self.goals) {
            let mut polygon = end;
            while !self.open(mesh, polygon) {
                self.entered.set(polygon, ());
                polygon = mesh.gates[polygon as usize];
            }
        }
        None
    }

    /// Whether a way may lead through a polygon: it is in no dead end, or in one that an end of the
    /// query is in.
    #[inline(always)]
    pub(super) fn open(&self, mesh: &Mesh, polygon: u32) -> bool {
        mesh.gates[polygon as usize] == NONE || self.entered.get(polygon).is_some()
    }

    #[inline(always)]
    pub(super) fn is_goal(&self, polygon: u32) -> bool {
        self.goals.contains(&polygon)
    }

    pub(super) fn bytes(&self) -> u64 {
        4 * (self.starts.capacity() + self.goals.capacity()) as u64 + self.entered.bytes()
    }
}
