//! One search for every graph: A*, Dijkstra and greedy best-first.

use crate::graph::NONE;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A graph of `u32` nodes whose edges cost whole numbers.
pub trait Graph {
    /// Nodes are 0 to this.
    fn node_count(&self) -> u32;

    /// Calls `visit` with the end and the cost of every edge out of a node, always in one order.
    fn each_edge(&self, node: u32, visit: impl FnMut(u32, u32));
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The goal that was reached.
    pub node: u32,
    /// The cost of the way there.
    pub cost: u32,
}

/// Memory of searches, used again and again.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The query that a node was last seen in.
    stamps: Vec<u32>,
    costs: Vec<u32>,
    parents: Vec<u32>,
    stamp: u32,
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
    expansions: u32,
}

impl Search {
    /// The cheapest way from one of the starts (node and what it costs to be there) to the first
    /// node that is a goal. With an estimate that is never more than what is left (and falls along
    /// an edge by no more than the edge costs) this is A*; with 0 it is Dijkstra's search, to the
    /// nearest of all goals. Of equal sums the smaller estimate goes first.
    pub fn find(
        &mut self,
        graph: &impl Graph,
        starts: &[(u32, u32)],
        is_goal: impl Fn(u32) -> bool,
        estimate: impl Fn(u32) -> u32,
    ) -> Option<Found> {
        self.begin(graph.node_count());
        for &(node, cost) in starts {
            self.lower(node, cost, NONE, &estimate);
        }
        while let Some(Reverse((sum, left, node))) = self.open.pop() {
            let cost = self.costs[node as usize];
            if sum - left != cost {
                continue;
            }
            self.expansions += 1;
            if is_goal(node) {
                return Some(Found { node, cost });
            }
            graph.each_edge(node, |to, step| self.lower(to, cost + step, node, &estimate));
        }
        None
    }

    fn begin(&mut self, nodes: u32) {
        if self.stamps.len() < nodes as usize {
            self.stamps.resize(nodes as usize, 0);
            self.costs.resize(nodes as usize, 0);
            self.parents.resize(nodes as usize, NONE);
        }
        self.open.clear();
        self.expansions = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    fn lower(&mut self, node: u32, cost: u32, parent: u32, estimate: &impl Fn(u32) -> u32) {
        let at = node as usize;
        if self.stamps[at] == self.stamp && self.costs[at] <= cost {
            return;
        }
        self.stamps[at] = self.stamp;
        self.costs[at] = cost;
        self.parents[at] = parent;
        let left = estimate(node);
        self.open.push(Reverse((cost + left, left, node)));
    }

    /// The cost at which the last search reached a node; `None` where it has not been. It is final
    /// for nodes that were expanded.
    pub fn cost(&self, node: u32) -> Option<u32> {
        let at = node as usize;
        (self.stamps.get(at) == Some(&self.stamp)).then(|| self.costs[at])
    }

    /// Writes the way that the last search found to a node, start first, over `path`.
    pub fn path(&self, node: u32, path: &mut Vec<u32>) {
        path.clear();
        let mut at = node;
        while at != NONE {
            path.push(at);
            at = self.parents[at as usize];
        }
        path.reverse();
    }

    /// Nodes that the last search expanded.
    pub fn expansions(&self) -> u32 {
        self.expansions
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let rows = self.stamps.capacity() + self.costs.capacity() + self.parents.capacity();
        4 * rows as u64 + 12 * self.open.capacity() as u64
    }
}
