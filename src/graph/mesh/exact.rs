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

use crate::graph::NONE;
use crate::graph::mesh::Locator;
use crate::graph::mesh::Mesh;
use crate::graph::mesh::MeshPath;
use crate::graph::mesh::cross;
use crate::graph::mesh::distance;
use crate::graph::mesh::dot;
use crate::graph::mesh::ends::Begun;
use crate::graph::mesh::ends::Ends;
use crate::graph::mesh::minus;
use crate::graph::mesh::side;
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
    /// The least cost at which each point was a root, and the query it was in.
    best: Vec<(f64, u32)>,
    stamp: u32,
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
        path.clear();
        match self.ends.begin(mesh, locator, start, goal) {
            Begun::Nowhere => return false,
            Begun::Straight => {
                path.straight(start, goal);
                return true;
            }
            Begun::Apart => {}
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
        self.stamp = self.stamp.wrapping_add(1);
        if self.best.len() < mesh.points.len() || self.stamp == 0 {
            self.best.clear();
            self.best.resize(mesh.points.len(), (0.0, 0));
            self.stamp = 1;
        }
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
            let next = if edge + 1 == edges.end { edges.start } else { edge + 1 };
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
        root.point != NONE && root.cost * (1.0 - SLACK) > self.best[root.point as usize].0
    }

    fn push_fresh(&mut self) {
        for &(bound, node) in &self.fresh {
            self.open.push(Reverse((bound.to_bits(), self.nodes.len() as u32)));
            self.nodes.push(node);
        }
    }

    /// Successors of a node, into `fresh`.
    fn expand(&mut self, mesh: &Mesh, node: Node) {
        self.fresh.clear();
        self.expansions += 1;
        let polygon = mesh.owner(node.edge);
        let edges = mesh.edges(polygon);
        let root = self.roots[node.root as usize];
        let after = |edge: usize| if edge + 1 == edges.end { edges.start } else { edge + 1 };
        let to = |edge: usize| minus(mesh.places[edge], root.at);
        // Corners go by the edges that start there. From the right end of the edge that is entered
        // by they go round to its left end.
        let last = node.edge as usize;
        let first = after(last);
        let (mut right, mut left) = (node.right, node.left);
        // From an end of the edge all is seen.
        if mesh.corners[first] == root.point {
            right = to(after(first));
        }
        if mesh.corners[last] == root.point {
            left = to(if last == edges.start { edges.end - 1 } else { last - 1 });
        }
        let ends = [first, last].map(|edge| mesh.corners[edge]);
        // The roots at the ends of what is seen, if ways turn there.
        let mut turns = [None; 2];
        let mut can_turn = [
            side(right, to(first)) == 0 && mesh.turns[ends[0] as usize],
            side(left, to(last)) == 0 && mesh.turns[ends[1] as usize],
        ];
        let mut root_at = |search: &mut Self, end: usize| {
            if can_turn[end] && turns[end].is_none() {
                turns[end] = search.turn(mesh, node.root, ends[end]);
                can_turn[end] = turns[end].is_some();
            }
            turns[end]
        };
        if self.ends.is_goal(polygon) {
            let to_goal = minus(self.goal, root.at);
            let root = if side(right, to_goal) < 0 {
                root_at(self, 0)
            } else if side(left, to_goal) > 0 {
                root_at(self, 1)
            } else {
                Some(node.root)
            };
            self.arrive(root);
            return;
        }
        let (mut of_right, mut of_left) = (side(right, to(first)), side(left, to(first)));
        let mut edge = first;
        while edge != last {
            let next = after(edge);
            let (was_right, was_left) = (of_right, of_left);
            (of_right, of_left) = (side(right, to(next)), side(left, to(next)));
            let here = edge;
            edge = next;
            if !self.leads_on(mesh, here) {
                continue;
            }
            let (from, until) = (to(here), to(next));
            if was_right == 0 && of_right == 0 || was_left == 0 && of_left == 0 {
                self.graze(mesh, node.root, here, next);
                continue;
            }
            if (was_right < 0 || of_right < 0)
                && let Some(root) = root_at(self, 0)
            {
                let until = if of_right > 0 { right } else { minus(until, to(first)) };
                let from = if here == first { until } else { minus(from, to(first)) };
                self.see(mesh, root, here, from, until);
            }
            if of_right > 0 && was_left < 0 {
                let from = if was_right >= 0 { from } else { right };
                let until = if of_left <= 0 { until } else { left };
                self.see(mesh, node.root, here, from, until);
            }
            if (was_left > 0 || of_left > 0)
                && let Some(root) = root_at(self, 1)
            {
                let from = if was_left < 0 { left } else { minus(from, to(last)) };
                let until = if next == last { from } else { minus(until, to(last)) };
                self.see(mesh, root, here, from, until);
            }
        }
    }

    /// Whether an edge leads to a polygon that a way may lead through.
    fn leads_on(&self, mesh: &Mesh, edge: usize) -> bool {
        mesh.twins[edge] != NONE && self.ends.open(mesh, mesh.across[edge])
    }

    /// A way on the line of an edge, which may turn at the end it comes to first.
    fn graze(&mut self, mesh: &Mesh, root: u32, edge: usize, next: usize) {
        let at = self.roots[root as usize].at;
        let (a, b) = (minus(mesh.places[edge], at), minus(mesh.places[next], at));
        let (near, along) = if dot(a, a) < dot(b, b) { (edge, b) } else { (next, a) };
        if let Some(root) = self.turn(mesh, root, mesh.corners[near]) {
            self.see(mesh, root, edge, along, along);
        }
    }

    /// The root at a corner that a way from another root comes to; `None` where ways cannot turn or
    /// have come more cheaply.
    fn turn(&mut self, mesh: &Mesh, from: u32, point: u32) -> Option<u32> {
        let root = self.roots[from as usize];
        if root.point == point {
            return Some(from);
        }
        if !mesh.turns[point as usize] {
            return None;
        }
        let at = mesh.points[point as usize];
        let cost = root.cost + distance(root.at, at);
        let (best, stamp) = &mut self.best[point as usize];
        if *stamp == self.stamp && cost * (1.0 - SLACK) > *best {
            return None;
        }
        if *stamp != self.stamp || cost < *best {
            (*best, *stamp) = (cost, self.stamp);
        }
        self.roots.push(Root { at, point, parent: from, cost });
        Some(self.roots.len() as u32 - 1)
    }

    /// The goal is in sight of a root.
    fn arrive(&mut self, root: Option<u32>) {
        let Some(id) = root else { return };
        let root = self.roots[id as usize];
        let bound = root.cost + distance(root.at, self.goal);
        let nothing = [0.0; 2];
        self.fresh.push((bound, Node { root: id, edge: NONE, right: nothing, left: nothing }));
    }

    /// A root sees an edge of a polygon between two directions.
    fn see(&mut self, mesh: &Mesh, root: u32, edge: usize, right: [f64; 2], left: [f64; 2]) {
        let twin = mesh.twins[edge];
        let bound = self.bound(mesh, root, edge, right, left);
        self.fresh.push((bound, Node { root, edge: twin, right, left }));
    }

    /// The least that a way can cost which goes from a root to the goal through the seen part of an
    /// edge: straight, or by an end of it. A goal on the root's side is mirrored to the other.
    fn bound(&self, mesh: &Mesh, root: u32, edge: usize, right: [f64; 2], left: [f64; 2]) -> f64 {
        let root = self.roots[root as usize];
        // The twin ends where the edge starts.
        let (a, b) = (mesh.places[edge], mesh.places[mesh.twins[edge] as usize]);
        let corners = (mesh.corners[edge], mesh.corners[mesh.twins[edge] as usize]);
        if root.point == corners.0 || root.point == corners.1 {
            return root.cost + distance(root.at, self.goal);
        }
        let along = minus(b, a);
        let mut goal = self.goal;
        let beyond = cross(along, minus(goal, a));
        if beyond > 0.0 {
            let twice = 2.0 * beyond / dot(along, along);
            goal = [goal[0] + along[1] * twice, goal[1] - along[0] * twice];
        }
        let to_goal = minus(goal, root.at);
        let ray = if cross(right, to_goal) < 0.0 {
            right
        } else if cross(left, to_goal) > 0.0 {
            left
        } else {
            return root.cost + dot(to_goal, to_goal).sqrt();
        };
        let to_edge = minus(a, root.at);
        let end = if side(along, to_edge) == 0 {
            // The edge is seen from its own line: ways turn at its near end.
            let to_other = minus(b, root.at);
            if dot(to_edge, to_edge) < dot(to_other, to_other) { a } else { b }
        } else {
            let share = cross(to_edge, along) / cross(ray, along);
            [root.at[0] + ray[0] * share, root.at[1] + ray[1] * share]
        };
        root.cost + distance(root.at, end) + distance(end, goal)
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
            + self.fresh.capacity() * size_of::<(f64, Node)>()
            + self.best.capacity() * size_of::<(f64, u32)>();
        self.ends.bytes() + nodes as u64
    }
}
