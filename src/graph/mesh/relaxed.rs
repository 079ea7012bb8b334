//! A* that looks at more channels than the first.
//!
//! Points on edges say roughly how long a channel is; the pulled way says exactly. So after the
//! first arrival the search goes on while a node's bound is below 1.2 times the best pulled length,
//! and every other arrival is pulled as well. A point may be left by two ways that came to it: the
//! roughly shortest need not be the one that pulls shortest.
//!
//! It is never longer than the way of a [`FunnelSearch`], which it starts from.

use crate::graph::mesh::route::{Crossings, portal};
use crate::graph::mesh::{FunnelSearch, Locator, Mesh, MeshPath};
use crate::graph::stamped::Stamped;
use crate::graph::{Graph, NONE};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Ways by which a point may be left.
const WAYS: u32 = 2;

/// A way to a node.
#[derive(Clone, Copy, Debug)]
struct Step {
    node: u32,
    cost: u32,
    /// The step before; [`NONE`] for the first.
    parent: u32,
}

/// Memory of relaxed searches, used again and again.
#[derive(Clone, Debug, Default)]
pub struct RelaxedSearch {
    first: FunnelSearch,
    steps: Vec<Step>,
    /// Bound, estimate, step.
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// How many ways have left each node.
    left: Stamped<u32>,
    trial: MeshPath,
}

impl RelaxedSearch {
    /// A search over so many points on each edge.
    ///
    /// # Panics
    /// As [`FunnelSearch::new`].
    pub fn new(points: u32) -> Self {
        Self { first: FunnelSearch::new(points), ..Self::default() }
    }

    /// A short way between two points of a mesh, written over `path`; no when there is none.
    pub fn find(
        &mut self,
        mesh: &Mesh,
        locator: &Locator,
        start: [f64; 2],
        goal: [f64; 2],
        path: &mut MeshPath,
    ) -> bool {
        if !self.first.find(mesh, locator, start, goal, path) {
            return false;
        }
        // Nothing is shorter than a straight line.
        if path.points.len() > 2 {
            self.improve(mesh, start, goal, path);
        }
        true
    }

    /// Looks for a shorter way than the one in `path`.
    fn improve(&mut self, mesh: &Mesh, start: [f64; 2], goal: [f64; 2], path: &mut MeshPath) {
        let graph = Crossings { mesh, ends: &self.first.ends, points: self.first.points };
        self.steps.clear();
        self.open.clear();
        self.left.clear(graph.node_count() as usize);
        for &(node, cost) in &self.first.starts {
            let estimate = graph.estimate(node, goal);
            self.open.push(Reverse((cost + estimate, estimate, self.steps.len() as u32)));
            self.steps.push(Step { node, cost, parent: NONE });
        }
        let limit = |length: f64| (length * (1.2 * 256.0)) as u32;
        let mut most = limit(path.length);
        while let Some(Reverse((bound, _, id))) = self.open.pop() {
            if bound >= most {
                break;
            }
            let step = self.steps[id as usize];
            let ways = self.left.get(step.node).unwrap_or(0);
            if ways == WAYS {
                continue;
            }
            self.left.set(step.node, ways + 1);
            path.expansions += 1;
            let polygon = graph.entered(step.node);
            if self.first.ends.is_goal(polygon) {
                let portals = &mut self.first.portals;
                portals.clear();
                let mut at = id;
                while at != NONE {
                    let step = self.steps[at as usize];
                    portals.push(portal(mesh, step.node / graph.points));
                    at = step.parent;
                }
                portals.reverse();
                self.first.funnel.pull(start, portals, goal, &mut self.trial.points);
                self.trial.measure();
                if self.trial.length < path.length {
                    path.points.clone_from(&self.trial.points);
                    path.length = self.trial.length;
                    most = limit(path.length);
                }
                continue;
            }
            let (left, steps, open) = (&self.left, &mut self.steps, &mut self.open);
            graph.leave(polygon, step.node / graph.points, graph.place(step.node), |node, cost| {
                let cost = step.cost + cost;
                let estimate = graph.estimate(node, goal);
                if cost + estimate < most && left.get(node).is_none_or(|ways| ways < WAYS) {
                    open.push(Reverse((cost + estimate, estimate, steps.len() as u32)));
                    steps.push(Step { node, cost, parent: id });
                }
            });
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let rows = self.steps.capacity() + self.open.capacity();
        let trial = 16 * self.trial.points.capacity();
        self.first.bytes() + (12 * rows + trial) as u64 + self.left.bytes()
    }
}
