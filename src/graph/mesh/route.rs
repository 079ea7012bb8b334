//! A* over points on edges, then string pulling: a short way, and fast.
//!
//! A node is a point on an edge between two polygons and the side it is crossed to: the polygon
//! that is entered. From there the other edges of that polygon are reached, in a straight line. One
//! point in the middle of each edge makes a search quick; more follow long edges more closely.
//! The polygons that the cheapest way crosses are a channel, and the shortest way through the
//! channel is the answer. Costs are lengths in 1/256, rounded up so that no estimate is too high.

use crate::graph::mesh::ends::Ends;
use crate::graph::mesh::funnel::Funnel;
use crate::graph::mesh::{Locator, Mesh, MeshPath};
use crate::graph::{Graph, NONE, Search};
use crate::math::plane::{blend, distance};

/// The most points on an edge.
pub const MAX_POINTS: u32 = 16;

/// Points on the edges of a mesh, for one query.
pub(super) struct Crossings<'a> {
    pub(super) mesh: &'a Mesh,
    pub(super) ends: &'a Ends,
    /// Points on each edge.
    pub(super) points: u32,
}

impl Crossings<'_> {
    /// Position of a node.
    #[inline(always)]
    pub(super) fn place(&self, node: u32) -> [f64; 2] {
        let (edge, at) =
            if self.points == 1 { (node, 0) } else { (node / self.points, node % self.points) };
        let a = self.mesh.places[edge as usize];
        // The twin starts where the edge ends.
        let b = self.mesh.places[self.mesh.twins[edge as usize] as usize];
        let share = f64::from(at + 1) / f64::from(self.points + 1);
        blend(a, b, share)
    }

    /// The polygon that a node enters.
    #[inline(always)]
    pub(super) fn entered(&self, node: u32) -> u32 {
        self.mesh.owner(node / self.points)
    }

    /// A lower bound for the cost of going from a node to a place.
    #[inline(always)]
    pub(super) fn estimate(&self, node: u32, goal: [f64; 2]) -> u32 {
        (distance(self.place(node), goal) * 256.0) as u32
    }

    /// Calls `visit` with the nodes that are reached from a place in a polygon, and their costs.
    #[inline(always)]
    pub(super) fn leave(
        &self,
        polygon: u32,
        by: u32,
        from: [f64; 2],
        mut visit: impl FnMut(u32, u32),
    ) {
        for edge in self.mesh.edges(polygon) {
            let twin = self.mesh.twins[edge];
            if twin == NONE || edge as u32 == by {
                continue;
            }
            if !self.ends.open(self.mesh, self.mesh.across[edge]) {
                continue;
            }
            for at in 0..self.points {
                let node = twin * self.points + at;
                visit(node, cost(from, self.place(node)));
            }
        }
    }
}

/// The cost of a straight line: whole, more than 0, never below its length.
#[inline(always)]
fn cost(from: [f64; 2], to: [f64; 2]) -> u32 {
    (distance(from, to) * 256.0) as u32 + 1
}

impl Graph for Crossings<'_> {
    fn node_count(&self) -> u32 {
        self.mesh.edge_count() * self.points
    }

    fn each_edge(&self, node: u32, visit: impl FnMut(u32, u32)) {
        self.leave(self.entered(node), node / self.points, self.place(node), visit);
    }
}

/// Memory of funnel searches, used again and again.
#[derive(Clone, Debug)]
pub struct FunnelSearch {
    pub(super) ends: Ends,
    search: Search,
    pub(super) funnel: Funnel,
    pub(super) starts: Vec<(u32, u32)>,
    nodes: Vec<u32>,
    channel: Vec<u32>,
    pub(super) portals: Vec<[[f64; 2]; 2]>,
    pub(super) points: u32,
}

impl Default for FunnelSearch {
    fn default() -> Self {
        Self::new(1)
    }
}

impl FunnelSearch {
    /// A search over so many points on each edge: 1 for its middle, at most [`MAX_POINTS`].
    ///
    /// # Panics
    /// With none or with too many.
    pub fn new(points: u32) -> Self {
        assert!((1..=MAX_POINTS).contains(&points), "{points} points on an edge");
        Self {
            ends: Ends::default(),
            search: Search::default(),
            funnel: Funnel::default(),
            starts: Vec::new(),
            nodes: Vec::new(),
            channel: Vec::new(),
            portals: Vec::new(),
            points,
        }
    }

    /// A short way between two points of a mesh, written over `path`; no when there is none. A
    /// point on an edge or a corner belongs to every polygon there.
    pub fn find(
        &mut self,
        mesh: &Mesh,
        locator: &Locator,
        start: [f64; 2],
        goal: [f64; 2],
        path: &mut MeshPath,
    ) -> bool {
        self.channel.clear();
        if let Some(found) = self.ends.begin(mesh, locator, start, goal, path) {
            let mut starts = self.ends.starts.iter();
            self.channel.extend(starts.find(|&&polygon| self.ends.is_goal(polygon)));
            return found;
        }
        let graph = Crossings { mesh, ends: &self.ends, points: self.points };
        self.starts.clear();
        for &polygon in &self.ends.starts {
            graph.leave(polygon, NONE, start, |node, cost| self.starts.push((node, cost)));
        }
        let is_goal = |node| self.ends.is_goal(graph.entered(node));
        let estimate = |node| graph.estimate(node, goal);
        let found = self.search.find(&graph, &self.starts, is_goal, estimate);
        path.expansions = self.search.expansions();
        let Some(found) = found else { return false };
        self.search.path(found.node, &mut self.nodes);
        self.portals.clear();
        for &node in &self.nodes {
            let edge = node / self.points;
            if self.channel.is_empty() {
                self.channel.push(mesh.across[edge as usize]);
            }
            self.channel.push(mesh.owner(edge));
            self.portals.push(portal(mesh, edge));
        }
        self.funnel.pull(start, &self.portals, goal, &mut path.points);
        path.measure();
        true
    }

    /// Polygons that the last way was pulled through, the start's and the goal's among them.
    pub fn channel(&self) -> &[u32] {
        &self.channel
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let words = 2 * self.starts.capacity() + self.nodes.capacity() + self.channel.capacity();
        let portals = 32 * self.portals.capacity();
        let rest = self.ends.bytes() + self.search.bytes() + self.funnel.bytes();
        rest + 4 * words as u64 + portals as u64
    }
}

/// Left and right end of an edge, as seen when entering its polygon.
pub(super) fn portal(mesh: &Mesh, edge: u32) -> [[f64; 2]; 2] {
    [mesh.places[edge as usize], mesh.places[mesh.twins[edge as usize] as usize]]
}
