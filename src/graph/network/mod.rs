//! Path networks: nodes and edges that agents may leave.
//!
//! A node is a position with a free clearance and a tag of the caller's; an edge joins two nodes
//! that an agent can walk between straight. Nodes are drawn by hand ([`Draft`]), by flood fill
//! ([`flood_fill`]), at corners ([`points_of_visibility`]) or by walking ([`Breadcrumbs`]).
//! [`Network::route`] leads from anywhere to anywhere: to nodes in sight, along edges, and then
//! straight wherever nothing is in the way.
//!
//! Several radii share one network: each edge knows its least clearance. When the ground changes,
//! [`Network::invalidate`] measures the edges near the change again; an edge that is blocked keeps
//! its place and opens when the way is free.
//!
//! ```
//! use throng::graph::network::{Draft, Network, Outcome, Polygons, Query, Scratch, Sizes, Trip};
//!
//! let block = vec![[4.0, 2.0], [6.0, 2.0], [6.0, 8.0], [4.0, 8.0]];
//! let hall = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
//! let obstacles = Polygons::new(&[block], Some(&hall)).unwrap();
//! let mut draft = Draft::default();
//! let (a, b) = (draft.add([3.0, 1.0], 0), draft.add([7.0, 1.0], 7));
//! assert!(draft.link(a, b));
//! let network = Network::new(&draft, &obstacles, Sizes { radius: 0.5, cap: 4.0 });
//!
//! let (mut scratch, mut path) = (Scratch::default(), Vec::new());
//! let trip = Trip { from: [1.0, 5.0], to: [9.0, 5.0], radius: 0.5 };
//! let outcome = network.route(&obstacles, &trip, &Query::default(), &mut scratch, &mut path);
//! assert!(matches!(outcome, Outcome::Found { .. }));
//! assert_eq!((path[0], path[path.len() - 1]), (trip.from, trip.to));
//! ```

mod bins;
mod change;
mod corners;
mod crumbs;
mod draft;
mod file;
mod flood;
mod follow;
mod nearby;
mod obstacles;
mod placement;
mod polygons;
mod refine;
mod route;
mod scratch;
mod walls;

pub use corners::{Corners, Stray, points_of_visibility};
pub use crumbs::{Breadcrumbs, Crumbs};
pub use draft::{Draft, Links};
pub use file::NetworkError;
pub use flood::{FloodFill, flood_fill, flood_fill_raster};
pub use follow::{WallFollower, nearest_spot};
pub use obstacles::{Corner, Obstacles, Point, SLACK, Stretch, enough};
pub use placement::{Method, Placement};
pub use polygons::{PolygonError, Polygons};
pub use refine::{farthest_visible, first_blocked, pull, skip};
pub use route::{Outcome, Query, Trip, Unseen};
pub use scratch::Scratch;
pub use walls::Walls;

use crate::graph::rows::Rows;
use crate::math::each::Each;
use crate::math::plane::{blend, distance, nearest_on};
use crate::par;
use bins::Bins;

/// The dearest edge: that of 65,536 plain cells.
const DEAREST: f64 = (1 << 24) as f64;

/// Sizes of the agents of a network, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// The least radius: edges with less clearance are blocked.
    pub radius: f64,
    /// Greatest clearance that is told apart, at least the greatest radius.
    pub cap: f64,
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its ends, the smaller first.
    pub nodes: [u32; 2],
    /// What it costs: 256 for a plain cell, or for a metre between polygons; rounded up, so that a
    /// straight line's estimate never falls by more than an edge costs.
    pub cost: u32,
    /// Least clearance along it in metres, at most the cap; 0 when something is in the way.
    pub clearance: f64,
    /// Half width of its corridor at both ends in metres.
    pub widths: [f64; 2],
}

/// Nodes and edges, ready to be searched.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    sizes: Sizes,
    unit: f64,
    points: Vec<Point>,
    radii: Vec<f64>,
    tags: Vec<u32>,
    edges: Vec<Edge>,
    /// Other end and edge of every link, by node.
    links: Rows<(u32, u32)>,
    node_bins: Bins,
    edge_bins: Bins,
}

impl Network {
    /// The network of a draft. Removed nodes are left out and the others count on without gaps, in
    /// order. Edges that are not clear are kept, blocked.
    pub fn new(draft: &Draft, obstacles: &impl Obstacles, sizes: Sizes) -> Self {
        let old: Vec<u32> = draft.nodes().collect();
        let new_of = |node: u32| old.partition_point(|&other| other < node) as u32;
        let points: Vec<Point> = old.iter().filter_map(|&node| draft.at(node)).collect();
        let tags = old.iter().filter_map(|&node| draft.tag(node)).collect();
        let ends: Vec<[u32; 2]> = draft.edges().map(|(a, b)| [new_of(a), new_of(b)]).collect();
        let clearance = |node: usize| obstacles.clearance(points[node], sizes.cap);
        let radii = par::map(points.len(), 16, clearance);
        let measure = |edge: usize| measure(obstacles, sizes, &points, &radii, ends[edge]);
        let edges = par::map(ends.len(), 16, measure);
        let links = links(points.len(), &ends);
        let segment = |edge: usize| ends[edge].each(|node| points[node as usize]);
        let lengths = (0..ends.len()).map(segment).map(|[a, b]| distance(a, b));
        let mean = lengths.sum::<f64>() / ends.len().max(1) as f64;
        let node_bins = Bins::new(points.len(), mean, |node| [points[node]; 2]);
        let edge_bins = Bins::new(ends.len(), mean, segment);
        let unit = obstacles.unit();
        Self { sizes, unit, points, radii, tags, edges, links, node_bins, edge_bins }
    }

    /// The nodes and edges as a draft, with the same ids, to be edited.
    pub fn edit(&self) -> Draft {
        let mut draft = Draft::default();
        for (&at, &tag) in self.points.iter().zip(&self.tags) {
            draft.add(at, tag);
        }
        for edge in &self.edges {
            draft.link(edge.nodes[0], edge.nodes[1]);
        }
        draft
    }

    /// Sizes of the agents it was made for.
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// Positions of all nodes in metres.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Free clearance around every node in metres, at most the cap.
    pub fn radii(&self) -> &[f64] {
        &self.radii
    }

    /// Tags of all nodes.
    pub fn tags(&self) -> &[u32] {
        &self.tags
    }

    /// All edges, blocked ones too.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Whether an agent of a radius in metres can walk along an edge now.
    pub fn open(&self, edge: u32, radius: f64) -> bool {
        enough(self.edges[edge as usize].clearance, radius.max(self.sizes.radius))
    }

    /// Ends and edges of a node's links, blocked ones too.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn links(&self, node: u32) -> &[(u32, u32)] {
        self.links.row(node as usize)
    }

    /// Half width in metres of an edge's corridor, from 0 at its first node to 1 at its second: a
    /// disc of that radius around the edge's point at `t` is free.
    pub fn corridor(&self, edge: u32, t: f64) -> f64 {
        let [a, b] = self.edges[edge as usize].widths;
        a + (b - a) * t.clamp(0.0, 1.0)
    }

    /// A desired position, moved straight towards the edge as far as an agent of a radius in metres
    /// must to be inside the edge's corridor; on the edge itself where the corridor is no wider than
    /// the agent.
    pub fn clamp(&self, edge: u32, desired: Point, radius: f64) -> Point {
        let [a, b] = self.edges[edge as usize].nodes.each(|node| self.points[node as usize]);
        let t = nearest_on(desired, a, b);
        let axis = blend(a, b, t);
        let (aside, room) = (distance(axis, desired), self.corridor(edge, t) - radius);
        if aside <= room {
            desired
        } else if room > 0.0 {
            blend(axis, desired, room / aside)
        } else {
            axis
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let nodes = self.points.capacity() * 16 + self.radii.capacity() * 8;
        let edges = self.edges.capacity() * size_of::<Edge>() + self.tags.capacity() * 4;
        let rows = self.links.bytes() + self.node_bins.bytes() + self.edge_bins.bytes();
        (nodes + edges) as u64 + rows
    }
}

/// The links of every node, by the other end.
fn links(nodes: usize, ends: &[[u32; 2]]) -> Rows<(u32, u32)> {
    let mut all: Vec<(u32, u32, u32)> = Vec::with_capacity(2 * ends.len());
    for (edge, &[a, b]) in ends.iter().enumerate() {
        all.push((a, b, edge as u32));
        all.push((b, a, edge as u32));
    }
    all.sort_unstable();
    Rows::new(nodes, |visit| {
        all.iter().for_each(|&(from, to, edge)| visit(from as usize, (to, edge)));
    })
}

/// Pieces of an edge whose clearance bounds its corridor.
const PIECES: usize = 4;

/// The edge between two nodes, as the obstacles are now.
fn measure(
    obstacles: &impl Obstacles,
    sizes: Sizes,
    points: &[Point],
    radii: &[f64],
    nodes: [u32; 2],
) -> Edge {
    let [a, b] = nodes.each(|node| points[node as usize]);
    let ends = nodes.each(|node| radii[node as usize]);
    let clearance = obstacles.segment_clearance(a, b, sizes.cap);
    let mut widths = [clearance; 2];
    if clearance > 0.0 && ends[0].max(ends[1]) > clearance {
        // How much of the way from the least clearance to the blend of both ends is free: a piece
        // must be as clear as the corridor is wide at either of its ends.
        let mut share: f64 = 1.0;
        let wider = |i: usize| {
            let t = i as f64 / PIECES as f64;
            (ends[0] + (ends[1] - ends[0]) * t - clearance).max(0.0)
        };
        for piece in 0..PIECES {
            let [from, to] = [piece, piece + 1].each(|i| blend(a, b, i as f64 / PIECES as f64));
            let free = obstacles.segment_clearance(from, to, sizes.cap) - clearance;
            let wanted = wider(piece).max(wider(piece + 1));
            if wanted > free {
                share = share.min(free.max(0.0) / wanted);
            }
        }
        widths = ends.each(|end| clearance + (end - clearance).max(0.0) * share);
    }
    let cost = if clearance > 0.0 { cost_of(obstacles, a, b) } else { 1 };
    Edge { nodes, cost, clearance, widths }
}

/// What a straight way costs, rounded up.
fn cost_of(obstacles: &impl Obstacles, a: Point, b: Point) -> u32 {
    let units = obstacles.ground(a, b).cost / obstacles.unit() * 256.0;
    units.ceil().clamp(1.0, DEAREST) as u32
}
