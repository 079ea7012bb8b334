//! Networks while they are drawn: nodes and edges that can be added, moved and removed.

use crate::graph::network::bins::Bins;
use crate::graph::network::obstacles::{Corner, Obstacles, Point};
use crate::math::plane::{cross, minus};
use crate::par;
use std::collections::BTreeSet;

/// A node that is being placed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    at: Point,
    tag: u32,
    /// The corner that it stands at, if edges that do not bend around it are of no use.
    corner: Option<Corner>,
    removed: bool,
}

/// Nodes and edges to be edited; [`super::Network::new`] makes them a network. A node keeps its id
/// until then; ids of removed nodes are not given again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    nodes: Vec<Node>,
    edges: BTreeSet<(u32, u32)>,
}

/// Which nodes [`Draft::link_near`] joins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Links {
    /// Radius of the agents in metres.
    pub radius: f64,
    /// Longest edge in metres.
    pub range: f64,
    /// Edges of a node; edges that are there already count, but stay even when they are more.
    pub degree: u32,
    /// Nodes that are looked at for a node's edges, nearest first.
    pub tries: u32,
    /// Leave out edges that bend around neither corner that they end at: no shortest way uses one
    /// where all ground is alike.
    pub taut: bool,
}

impl Draft {
    /// Adds a node at a position in metres with a tag of the caller's, and returns its id.
    pub fn add(&mut self, at: Point, tag: u32) -> u32 {
        self.nodes.push(Node { at, tag, corner: None, removed: false });
        self.nodes.len() as u32 - 1
    }

    /// Adds a node that stands at a corner.
    pub(super) fn add_at_corner(&mut self, at: Point, corner: Corner) {
        self.nodes.push(Node { at, tag: 0, corner: Some(corner), removed: false });
    }

    /// Removes a node and its edges; whether it was there.
    pub fn remove(&mut self, node: u32) -> bool {
        let there = self.contains(node);
        if there {
            self.nodes[node as usize].removed = true;
            self.edges.retain(|&(a, b)| a != node && b != node);
        }
        there
    }

    /// Moves a node; whether it is there. Its edges go with it.
    pub fn shift(&mut self, node: u32, at: Point) -> bool {
        let there = self.contains(node);
        if there {
            self.nodes[node as usize].at = at;
            self.nodes[node as usize].corner = None;
        }
        there
    }

    /// Sets the tag of a node (cover, loot, whatever the caller looks up by it); whether it is
    /// there.
    pub fn set_tag(&mut self, node: u32, tag: u32) -> bool {
        let there = self.contains(node);
        if there {
            self.nodes[node as usize].tag = tag;
        }
        there
    }

    /// Joins two nodes both ways; `false` when they are one, not there, or joined already.
    pub fn link(&mut self, a: u32, b: u32) -> bool {
        a != b && self.contains(a) && self.contains(b) && self.edges.insert((a.min(b), a.max(b)))
    }

    /// Takes the edge between two nodes away; whether there was one.
    pub fn unlink(&mut self, a: u32, b: u32) -> bool {
        self.edges.remove(&(a.min(b), a.max(b)))
    }

    /// Whether there is an edge between two nodes.
    pub fn joined(&self, a: u32, b: u32) -> bool {
        self.edges.contains(&(a.min(b), a.max(b)))
    }

    /// Whether a node is there.
    pub fn contains(&self, node: u32) -> bool {
        self.nodes.get(node as usize).is_some_and(|node| !node.removed)
    }

    /// Position of a node in metres.
    pub fn at(&self, node: u32) -> Option<Point> {
        self.nodes.get(node as usize).filter(|node| !node.removed).map(|node| node.at)
    }

    /// Tag of a node.
    pub fn tag(&self, node: u32) -> Option<u32> {
        self.nodes.get(node as usize).filter(|node| !node.removed).map(|node| node.tag)
    }

    /// Ids of all nodes, ascending.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.nodes.len() as u32).filter(|&node| self.contains(node))
    }

    /// All edges, the smaller id first, ascending.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.edges.iter().copied()
    }

    /// Nodes that a node is joined to, ascending.
    pub fn neighbours(&self, node: u32) -> Vec<u32> {
        let mut found: Vec<u32> = self
            .edges
            .iter()
            .filter(|&&(a, b)| a == node || b == node)
            .map(|&(a, b)| if a == node { b } else { a })
            .collect();
        found.sort_unstable();
        found
    }

    /// Joins nodes that can be walked between straight, nearest pairs first, as `links` allows.
    pub fn link_near(&mut self, obstacles: &impl Obstacles, links: &Links) {
        let bins = Bins::new(self.nodes.len(), links.range / 16.0, |i| [self.nodes[i].at; 2]);
        let near = |node: usize| self.near(obstacles, links, &bins, node as u32);
        let mut pairs = par::map(self.nodes.len(), 16, near).concat();
        pairs.sort_by(|p, q| p.0.total_cmp(&q.0).then((p.1, p.2).cmp(&(q.1, q.2))));
        pairs.dedup();
        let mut degrees = vec![0; self.nodes.len()];
        for &(a, b) in &self.edges {
            degrees[a as usize] += 1;
            degrees[b as usize] += 1;
        }
        for (_, a, b) in pairs {
            let full = |node: u32| degrees[node as usize] >= links.degree;
            if !full(a) && !full(b) && self.edges.insert((a, b)) {
                degrees[a as usize] += 1;
                degrees[b as usize] += 1;
            }
        }
    }

    /// The nearest nodes that a node may be joined to, as (distance, smaller id, greater id).
    fn near(
        &self,
        obstacles: &impl Obstacles,
        links: &Links,
        bins: &Bins,
        node: u32,
    ) -> Vec<(f64, u32, u32)> {
        let own = &self.nodes[node as usize];
        let mut found = Vec::new();
        if own.removed {
            return found;
        }
        let (mut degree, mut tries) = (links.degree, links.tries);
        let point = |other: u32| self.nodes[other as usize].at;
        bins.nearest(own.at, point, &mut Vec::new(), |length, other| {
            let there = &self.nodes[other as usize];
            let useful = || !links.taut || (bends(own, there.at) && bends(there, own.at));
            if length > links.range || degree == 0 || tries == 0 {
                return false;
            }
            if other != node && !there.removed && useful() {
                let (a, b) = (node.min(other), node.max(other));
                // The same way round from either end, so that both find the same.
                let fits = || obstacles.fits(point(a), point(b), links.radius);
                tries -= 1;
                if self.edges.contains(&(a, b)) || fits() {
                    degree -= 1;
                    found.push((length, a, b));
                }
            }
            true
        });
        found
    }
}

/// Whether a way along the line between a node and a point can bend around the node's corner: both
/// walls are on one side of the line.
fn bends(node: &Node, to: Point) -> bool {
    node.corner.is_none_or(|corner| {
        let d = minus(to, node.at);
        cross(d, corner.along[0]) * cross(d, corner.along[1]) >= 0.0
    })
}
