//! Where a search on a mesh starts and ends, and where it need not go.

use crate::graph::NONE;
use crate::graph::mesh::{Locator, Mesh};

/// What both ends of a query tell before any search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    /// One end is off the mesh, or they are in different components.
    Nowhere,
    /// One polygon holds both.
    Straight,
    /// A search has to tell.
    Apart,
}

/// Polygons that hold the ends of a query, and the dead ends that lead to them.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    pub(super) starts: Vec<u32>,
    pub(super) goals: Vec<u32>,
    /// The query in which a dead end was one to enter.
    marks: Vec<u32>,
    stamp: u32,
}

impl Ends {
    pub(super) fn begin(
        &mut self,
        mesh: &Mesh,
        locator: &Locator,
        start: [f64; 2],
        goal: [f64; 2],
    ) -> Begun {
        locator.touching(mesh, start, &mut self.starts);
        locator.touching(mesh, goal, &mut self.goals);
        let meets = |goal: &u32| {
            self.starts.iter().any(|&start| mesh.component(start) == mesh.component(*goal))
        };
        if !self.goals.iter().any(meets) {
            return Begun::Nowhere;
        }
        if self.starts.iter().any(|start| self.goals.contains(start)) {
            return Begun::Straight;
        }
        self.stamp = self.stamp.wrapping_add(1);
        let polygons = mesh.polygon_count() as usize;
        if self.marks.len() < polygons || self.stamp == 0 {
            self.marks.clear();
            self.marks.resize(polygons, 0);
            self.stamp = 1;
        }
        for &end in self.starts.iter().chain(&self.goals) {
            let mut polygon = end;
            while mesh.gates[polygon as usize] != NONE && self.marks[polygon as usize] != self.stamp
            {
                self.marks[polygon as usize] = self.stamp;
                polygon = mesh.gates[polygon as usize];
            }
        }
        Begun::Apart
    }

    /// Whether a way may lead through a polygon: it is in no dead end, or in one that an end of the
    /// query is in.
    #[inline(always)]
    pub(super) fn open(&self, mesh: &Mesh, polygon: u32) -> bool {
        mesh.gates[polygon as usize] == NONE || self.marks[polygon as usize] == self.stamp
    }

    #[inline(always)]
    pub(super) fn is_goal(&self, polygon: u32) -> bool {
        self.goals.contains(&polygon)
    }

    pub(super) fn bytes(&self) -> u64 {
        let rows = self.starts.capacity() + self.goals.capacity() + self.marks.capacity();
        4 * rows as u64
    }
}
