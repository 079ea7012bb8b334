//! The shortest way over a mesh, by Polyanya (Cui, Harabor and Grastien, "Compromise-free
//! pathfinding on a navigation mesh", IJCAI 2017).
//!
//! A node is a root (the start, or a corner the way turns at) and what it sees of an edge. Here the
//! seen part is kept as the cone between two directions, both of them differences of points of the
//! mesh and the start, never as points where rays meet edges: every question of left or right is
//! about points as they were given, and exact for whole and half cells. Points where a ray meets an
//! edge enter only into bounds, which order the work.
//!
//! * A polygon's far edges are seen in part from the root, and in part, beyond a corner at the end
//!   of the cone, from that corner.
//! * A way that reaches a corner no cheaper than an earlier one did is dropped.
//! * A node with a single successor hands over to it at once.
//! * Dead ends are entered only towards an end of the query.
//!
//! Directions whose sine is below 1e-12 count as one: points that were rotated and rounded stay on
//! their lines. All sums go in one order and ties in the order of making, so a query has the same
//! answer everywhere.

mod look;

use crate::graph::NONE;
use crate::graph::mesh::ends::Ends;
use crate::graph::mesh::{Locator, Mesh, MeshPath, after};
use crate::graph::stamped::Stamped;
use crate::math::plane::{dot, minus};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A part of costs that rounding may add: a way is dropped only when it costs this much more.
const SLACK: f64 = 1e-11;

/// The start, or a corner that a way turns at.
#[derive(Clone, Copy, Debug)]
struct Root {
    at: [f64; 2],
    /// Point of the mesh; [`NONE`] at the start.
    point: u32,
    /// The root before; [`NONE`] at the start.
    parent: u32,
    /// Length of the way here.
    cost: f64,
}

/// What a root sees through an edge, from the side of the polygon that is entered.
#[derive(Clone, Copy, Debug)]
struct Node {
    root: u32,
    /// Edge of the polygon entered; [`NONE`] when the goal is in sight.
    edge: u32,
    /// The cone from the root.
    right: [f64; 2],
    left: [f64; 2],
}

/// Memory of exact searches, used again and again.
#[derive(Clone, Debug, Default)]
pub struct ExactSearch {
    ends: Ends,
    goal: [f64; 2],
    nodes: Vec<Node>,
    roots: Vec<Root>,
    /// Bits of the bound, then the node: bounds are not negative, so bits are in their order.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// Successors of the node in hand, with their bounds.
    fresh: Vec<(f64, Node)>,
    /// The least cost at which each point was a root.
    best: Stamped<f64>,
    expansions: u32,
}

impl ExactSearch {
    /// The shortest way between two points of a mesh, written over `path`; no when there is none.
    /// A point on an edge or a corner belongs to every polygon there. Ways may touch corners. Two
    /// polygons that meet in a point only are not neighbours.
    pub fn find(
        &mut self,
        mesh: &Mesh,
        locator: &Locator,
        start: [f64; 2],
        goal: [f64; 2],
        path: &mut MeshPath,
    ) -> bool {
        if let Some(found) = self.ends.begin(mesh, locator, start, goal, path) {
            return found;
        }
        self.begin(mesh, start, goal);
        let found = self.run(mesh);
        path.expansions = self.expansions;
        if let Some(root) = found {
            self.trace(root, path);
        }
        found.is_some()
    }

    fn begin(&mut self, mesh: &Mesh, start: [f64; 2], goal: [f64; 2]) {
        self.goal = goal;
        self.nodes.clear();
        self.roots.clear();
        self.open.clear();
        self.expansions = 0;
        self.best.clear(mesh.points.len());
        self.roots.push(Root { at: start, point: NONE, parent: NONE, cost: 0.0 });
        self.fresh.clear();
        for i in 0..self.ends.starts.len() {
            self.leave_start(mesh, self.ends.starts[i], start);
        }
        self.push_fresh();
    }

    /// What the start sees of the edges of a polygon that holds it.
    fn leave_start(&mut self, mesh: &Mesh, polygon: u32, start: [f64; 2]) {
        let edges = mesh.edges(polygon);
        for edge in edges.clone() {
            let next = after(edge, &edges);
            if !self.leads_on(mesh, edge) {
                continue;
            }
            let right = minus(mesh.places[edge], start);
            let left = minus(mesh.places[next], start);
            if mesh.side(edge, next, start) > 0 {
                self.see(mesh, 0, edge, right, left);
            } else if dot(right, left) > 0.0 {
                // The start is on the edge's line, but not on the edge.
                self.graze(mesh, 0, edge, next);
            }
        }
    }

    /// The goal's root, once nothing shorter can be left.
    fn run(&mut self, mesh: &Mesh) -> Option<u32> {
        while let Some(Reverse((_, id))) = self.open.pop() {
            let mut node = self.nodes[id as usize];
            if node.edge == NONE {
                return Some(node.root);
            }
            if self.is_late(node.root) {
                continue;
            }
            loop {
                self.expand(mesh, node);
                match self.fresh[..] {
                    [(_, only)] if only.edge != NONE => node = only,
                    _ => break,
                }
            }
            self.push_fresh();
        }
        None
    }

    /// Whether a root's corner has been reached at less cost.
    fn is_late(&self, root: u32) -> bool {
        let root = &self.roots[root as usize];
        let is_late = |best| root.cost * (1.0 - SLACK) > best;
        root.point != NONE && self.best.get(root.point).is_some_and(is_late)
    }

    fn push_fresh(&mut self) {
        for &(bound, node) in &self.fresh {
            self.open.push(Reverse((bound.to_bits(), self.nodes.len() as u32)));
            self.nodes.push(node);
        }
    }

    /// The way to the goal by a root.
    fn trace(&mut self, root: u32, path: &mut MeshPath) {
        let mut at = root;
        while at != NONE {
            let root = self.roots[at as usize];
            path.points.push(root.at);
            at = root.parent;
        }
        path.points.reverse();
        path.points.push(self.goal);
        path.measure();
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>()
            + self.roots.capacity() * size_of::<Root>()
            + self.open.capacity() * size_of::<(u64, u32)>()
            + self.fresh.capacity() * size_of::<(f64, Node)>();
        self.ends.bytes() + self.best.bytes() + nodes as u64
    }
}
