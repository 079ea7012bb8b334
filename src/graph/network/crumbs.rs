//! Breadcrumbs: a network that is drawn by walking.
//!
//! **Method.** While the last waypoint is in sight the walker goes on; when it is lost, the last
//! position that saw it becomes a node, joined to it, and is the next waypoint. New nodes are
//! joined to near ones that they see, so that loops close.

use crate::data::sets;
use crate::graph::network::draft::Draft;
use crate::graph::network::obstacles::{Obstacles, Point};
use crate::math::each::Each;
use crate::math::plane::distance;
use std::collections::BTreeMap;

/// How crumbs are dropped; lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crumbs {
    /// Radius of the agents.
    pub radius: f64,
    /// Longest edge; a waypoint that is farther away counts as out of sight.
    pub range: f64,
    /// A node that is as near as this and sees as much is used instead of a new one.
    pub merge: f64,
    /// Edges of a node, but for edges of the trail itself.
    pub degree: u32,
    /// Nodes from which on a clean-up takes redundant ones away.
    pub most: u32,
}

/// A network that grows as an agent walks.
#[derive(Clone, Debug)]
pub struct Breadcrumbs {
    settings: Crumbs,
    draft: Draft,
    /// Nodes by squares of `range` metres.
    bins: BTreeMap<(i64, i64), Vec<u32>>,
    count: u32,
    /// Nodes at which the next clean-up comes.
    clean_at: u32,
    waypoint: Option<u32>,
    safe: Point,
}

impl Breadcrumbs {
    /// An empty network.
    pub fn new(settings: Crumbs) -> Self {
        Self {
            settings,
            draft: Draft::default(),
            bins: BTreeMap::new(),
            count: 0,
            clean_at: settings.most,
            waypoint: None,
            safe: [0.0; 2],
        }
    }

    /// The network so far.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// Nodes so far.
    pub fn node_count(&self) -> u32 {
        self.count
    }

    /// The walker has moved to a position. One that cannot be walked to from the one before begins
    /// a new trail.
    pub fn walk(&mut self, obstacles: &impl Obstacles, at: Point) {
        let Crumbs { radius, range, .. } = self.settings;
        let trail = self.waypoint.and_then(|node| self.draft.at(node).map(|there| (node, there)));
        let Some((waypoint, there)) = trail else {
            self.waypoint = Some(self.drop_at(obstacles, at));
            self.safe = at;
            return;
        };
        if distance(there, at) <= range && obstacles.fits(there, at, radius) {
            self.safe = at;
            return;
        }
        let node = match self.like(obstacles, there, at) {
            _ if self.safe == there => waypoint,
            Some(node) => node,
            None => self.drop_at(obstacles, self.safe),
        };
        self.draft.link(waypoint, node);
        let sees = self.draft.at(node).is_some_and(|node| obstacles.fits(node, at, radius));
        self.waypoint = Some(if sees { node } else { self.drop_at(obstacles, at) });
        self.safe = at;
        if self.count > self.clean_at {
            self.clean_up(obstacles);
            // Clean-ups that find little come less often.
            self.clean_at = self.settings.most.max(self.count + self.count / 4);
        }
    }

    /// A node near the last safe position from which the waypoint and the walker are in sight.
    fn like(&self, obstacles: &impl Obstacles, waypoint: Point, at: Point) -> Option<u32> {
        let Crumbs { radius, merge, .. } = self.settings;
        let near = self.near(self.safe, merge);
        let good = |&&(_, node): &&(f64, u32)| {
            self.draft.at(node).is_some_and(|here| {
                obstacles.fits(here, waypoint, radius) && obstacles.fits(here, at, radius)
            })
        };
        near.iter().find(good).map(|&(_, node)| node)
    }

    /// Adds a node and joins it to near ones in sight.
    fn drop_at(&mut self, obstacles: &impl Obstacles, at: Point) -> u32 {
        let Crumbs { radius, range, degree, .. } = self.settings;
        let near = self.near(at, range);
        let node = self.draft.add(at, 0);
        self.count += 1;
        self.bins.entry(self.square(at)).or_default().push(node);
        let mut left = degree;
        for (_, other) in near {
            let Some(there) = self.draft.at(other) else { continue };
            if left > 0 && obstacles.fits(at, there, radius) {
                self.draft.link(node, other);
                left -= 1;
            }
        }
        node
    }

    fn square(&self, at: Point) -> (i64, i64) {
        let place = |value: f64| (value / self.settings.range).floor() as i64;
        (place(at[1]), place(at[0]))
    }

    /// Nodes within a distance of at most `range`, nearest first.
    fn near(&self, at: Point, within: f64) -> Vec<(f64, u32)> {
        let (y, x) = self.square(at);
        let mut found = Vec::new();
        for row in y - 1..=y + 1 {
            for (_, nodes) in self.bins.range((row, x - 1)..=(row, x + 1)) {
                for &node in nodes {
                    let length = self.draft.at(node).map_or(f64::MAX, |there| distance(at, there));
                    if length <= within {
                        found.push((length, node));
                    }
                }
            }
        }
        found.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        found
    }

    /// Takes nodes away until there are a quarter fewer than the most: those nearest to a neighbour
    /// first, and only where the neighbours stay joined among themselves, if need be by new edges;
    /// then ends of the trail. Others stay, even when they are too many.
    pub fn clean_up(&mut self, obstacles: &impl Obstacles) {
        let target = self.settings.most - self.settings.most / 4;
        for ends in [false, true] {
            let mut order: Vec<(f64, u32)> = Vec::new();
            for node in self.draft.nodes() {
                let at = self.draft.at(node).unwrap_or_default();
                let near = self.near(at, self.settings.range);
                order.push((near.get(1).map_or(f64::MAX, |&(length, _)| length), node));
            }
            order.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
            for (_, node) in order {
                if self.count <= target {
                    return;
                }
                if Some(node) != self.waypoint {
                    self.take_away(obstacles, node, ends);
                }
            }
        }
    }

    fn take_away(&mut self, obstacles: &impl Obstacles, node: u32, ends: bool) {
        let around = self.draft.neighbours(node);
        if around.len() < 2 && !ends {
            return;
        }
        let Some(at) = self.draft.at(node) else { return };
        if let Some(bridges) = self.bridges(obstacles, &around) {
            self.draft.remove(node);
            self.count -= 1;
            for (a, b) in bridges {
                self.draft.link(a, b);
            }
            let square = self.square(at);
            if let Some(nodes) = self.bins.get_mut(&square) {
                nodes.retain(|&other| other != node);
            }
        }
    }

    /// New edges that join some nodes among themselves; `None` when they cannot be joined.
    fn bridges(&self, obstacles: &impl Obstacles, nodes: &[u32]) -> Option<Vec<(u32, u32)>> {
        let Crumbs { radius, range, .. } = self.settings;
        let mut part: Vec<u32> = (0..nodes.len() as u32).collect();
        let mut bridges = Vec::new();
        for new in [false, true] {
            for i in 0..nodes.len() {
                for j in i + 1..nodes.len() {
                    let (Some(a), Some(b)) = (self.draft.at(nodes[i]), self.draft.at(nodes[j]))
                    else {
                        continue;
                    };
                    let joined = self.draft.joined(nodes[i], nodes[j]);
                    let clear = || distance(a, b) <= range && obstacles.fits(a, b, radius);
                    let [one, other] = [i, j].each(|at| sets::root(&mut part, at as u32));
                    if one == other || !(joined || new && clear()) {
                        continue;
                    }
                    if !joined {
                        bridges.push((nodes[i], nodes[j]));
                    }
                    sets::join(&mut part, one, other);
                }
            }
        }
        (0..nodes.len() as u32).all(|at| sets::root(&mut part, at) == 0).then_some(bridges)
    }
}
