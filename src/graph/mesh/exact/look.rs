//! What a root sees of a polygon: successors of a node, and the least they can cost.

use crate::graph::NONE;
use crate::graph::mesh::exact::{ExactSearch, Node, Root, SLACK};
use crate::graph::mesh::{Mesh, after, before, side};
use crate::math::plane::{cross, distance, dot, minus};
use std::ops::Range;

/// A polygon as a root sees it through one of its edges. Corners go by the edges that start there,
/// from the right end of the edge that is entered by, round to its left end.
struct View {
    root: u32,
    at: [f64; 2],
    first: usize,
    last: usize,
    /// The cone from the root.
    right: [f64; 2],
    left: [f64; 2],
    /// Points at the right and the left end of the edge.
    ends: [u32; 2],
    /// Whether ways turn there; no once it is known that others came there more cheaply.
    can_turn: [bool; 2],
    /// The roots there.
    turned: [Option<u32>; 2],
}

impl ExactSearch {
    /// Successors of a node, into `fresh`.
    pub(super) fn expand(&mut self, mesh: &Mesh, node: Node) {
        self.fresh.clear();
        self.expansions += 1;
        let polygon = mesh.owner(node.edge);
        let edges = mesh.edges(polygon);
        let mut view = self.view(mesh, node, &edges);
        if self.ends.is_goal(polygon) {
            self.arrive(mesh, &mut view);
            return;
        }
        let (at, right, left, last) = (view.at, view.right, view.left, view.last);
        let sides = |edge: usize| {
            let to = minus(mesh.places[edge], at);
            [side(right, to), side(left, to)]
        };
        let mut here = view.first;
        let mut from = sides(here);
        while here != last {
            let next = after(here, &edges);
            let until = sides(next);
            if self.leads_on(mesh, here) {
                self.look(mesh, &mut view, [here, next], from, until);
            }
            (here, from) = (next, until);
        }
    }

    /// What a node's root sees of the polygon that is entered.
    #[inline(always)]
    fn view(&self, mesh: &Mesh, node: Node, edges: &Range<usize>) -> View {
        let root = self.roots[node.root as usize];
        let to = |edge: usize| minus(mesh.places[edge], root.at);
        let last = node.edge as usize;
        let first = after(last, edges);
        let ends = [mesh.corners[first], mesh.corners[last]];
        let (mut right, mut left) = (node.right, node.left);
        // From an end of the edge all is seen.
        if ends[0] == root.point {
            right = to(after(first, edges));
        }
        if ends[1] == root.point {
            left = to(before(last, edges));
        }
        let can_turn = [
            side(right, to(first)) == 0 && mesh.turns[ends[0] as usize],
            side(left, to(last)) == 0 && mesh.turns[ends[1] as usize],
        ];
        let at = root.at;
        View { root: node.root, at, first, last, right, left, ends, can_turn, turned: [None; 2] }
    }

    /// The root at an end of what is seen, if ways turn there.
    fn root_at(&mut self, mesh: &Mesh, view: &mut View, end: usize) -> Option<u32> {
        if view.can_turn[end] && view.turned[end].is_none() {
            view.turned[end] = self.turn(mesh, view.root, view.ends[end]);
            view.can_turn[end] = view.turned[end].is_some();
        }
        view.turned[end]
    }

    /// What is seen of a far edge, and what is beyond the cone to its right and left. `from` and
    /// `until` are the sides of both rays that the edge's two corners are on.
    #[inline(always)]
    fn look(
        &mut self,
        mesh: &Mesh,
        view: &mut View,
        [here, next]: [usize; 2],
        from: [i32; 2],
        until: [i32; 2],
    ) {
        if from[0] == 0 && until[0] == 0 || from[1] == 0 && until[1] == 0 {
            self.graze(mesh, view.root, here, next);
            return;
        }
        let (a, b) = (mesh.places[here], mesh.places[next]);
        let right_of = from[0] < 0 || until[0] < 0;
        if right_of && let Some(root) = self.root_at(mesh, view, 0) {
            let end = mesh.places[view.first];
            let left = if until[0] > 0 { view.right } else { minus(b, end) };
            let right = if here == view.first { left } else { minus(a, end) };
            self.see(mesh, root, here, right, left);
        }
        if until[0] > 0 && from[1] < 0 {
            let right = if from[0] >= 0 { minus(a, view.at) } else { view.right };
            let left = if until[1] <= 0 { minus(b, view.at) } else { view.left };
            self.see(mesh, view.root, here, right, left);
        }
        let left_of = from[1] > 0 || until[1] > 0;
        if left_of && let Some(root) = self.root_at(mesh, view, 1) {
            let end = mesh.places[view.last];
            let right = if from[1] < 0 { view.left } else { minus(a, end) };
            let left = if next == view.last { right } else { minus(b, end) };
            self.see(mesh, root, here, right, left);
        }
    }

    /// Whether an edge leads to a polygon that a way may lead through.
    pub(super) fn leads_on(&self, mesh: &Mesh, edge: usize) -> bool {
        mesh.twins[edge] != NONE && self.ends.open(mesh, mesh.across[edge])
    }

    /// A way on the line of an edge, which may turn at the end it comes to first.
    pub(super) fn graze(&mut self, mesh: &Mesh, root: u32, edge: usize, next: usize) {
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
        let best = self.best.get(point).unwrap_or(f64::INFINITY);
        if cost * (1.0 - SLACK) > best {
            return None;
        }
        if cost < best {
            self.best.set(point, cost);
        }
        self.roots.push(Root { at, point, parent: from, cost });
        Some(self.roots.len() as u32 - 1)
    }

    /// The goal is in the polygon that is entered: in sight, or round an end of what is seen.
    fn arrive(&mut self, mesh: &Mesh, view: &mut View) {
        let to_goal = minus(self.goal, view.at);
        let id = if side(view.right, to_goal) < 0 {
            self.root_at(mesh, view, 0)
        } else if side(view.left, to_goal) > 0 {
            self.root_at(mesh, view, 1)
        } else {
            Some(view.root)
        };
        let Some(id) = id else { return };
        let root = self.roots[id as usize];
        let bound = root.cost + distance(root.at, self.goal);
        let nothing = [0.0; 2];
        self.fresh.push((bound, Node { root: id, edge: NONE, right: nothing, left: nothing }));
    }

    /// A root sees an edge of a polygon between two directions.
    pub(super) fn see(
        &mut self,
        mesh: &Mesh,
        root: u32,
        edge: usize,
        right: [f64; 2],
        left: [f64; 2],
    ) {
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
}
