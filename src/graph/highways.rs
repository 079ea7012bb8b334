//! Highways: preferred nodes, between which edges cost less.
//!
//! **What.** An edge whose ends are both on the highway costs factor/16 of what it costs in the
//! graph below, rounded up and at least 1. Searches on [`Highways`] take a highway where that is
//! cheaper.
//!
//! **Two ways to search.** An estimate for the graph below may be too much here. Scaled by the
//! factor ([`Highways::scaled`]) it is right again, and A* finds the cheapest way; but off the
//! highway it says little. [`RelaxedSearch`] takes it as it is and, once it has found a way, goes
//! on as long as there are nodes whose sum of cost and estimate is less than 6/5 of the best way.
//!
//! **Bound.** Let w = 16/factor: an estimate is at most w times what is left. Until the cheapest
//! way C is found, one of its nodes waits at its least cost, with a sum of at most w·C. The search
//! ends when no sum is below 6/5 of the best way B, so B ≤ C or B ≤ 5/6·w·C: what is found costs at
//! most max(1, 5·w/6) times the optimum, and from a factor of 14 on it is the optimum.

use crate::graph::search::Found;
use crate::graph::{Graph, NONE};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A graph with highways.
#[derive(Clone, Copy, Debug)]
pub struct Highways<'a, G> {
    graph: &'a G,
    on: &'a [bool],
    factor: u32,
}

impl<'a, G: Graph> Highways<'a, G> {
    /// The graph in which edges between nodes that are `on` the highway cost `factor`/16.
    ///
    /// # Panics
    /// When the factor is not 1 to 16, or `on` does not tell of every node.
    pub fn new(graph: &'a G, on: &'a [bool], factor: u32) -> Self {
        assert!(
            (1..=16).contains(&factor),
            "a highway's factor is 1 to 16 sixteenths, not {factor}"
        );
        let nodes = graph.node_count() as usize;
        assert!(on.len() == nodes, "{} nodes on or off highways, of {nodes}", on.len());
        Self { graph, on, factor }
    }

    /// What is left at least by an estimate for the graph below.
    pub fn scaled(&self, estimate: u32) -> u32 {
        (u64::from(estimate) * u64::from(self.factor) / 16) as u32
    }

    /// What [`RelaxedSearch`] finds costs at most, where the cheapest way has a cost.
    pub fn relaxed_bound(&self, cheapest: u32) -> u64 {
        u64::from(cheapest).max(u64::from(cheapest) * 5 * 16 / (6 * u64::from(self.factor)))
    }
}

impl<G: Graph> Graph for Highways<'_, G> {
    fn node_count(&self) -> u32 {
        self.graph.node_count()
    }

    fn each_edge(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        let own = self.on[node as usize];
        self.graph.each_edge(node, |to, cost| {
            let less = u64::from(cost) * u64::from(self.factor);
            let highway = own && self.on[to as usize];
            visit(to, if highway { less.div_ceil(16).max(1) as u32 } else { cost });
        });
    }
}

/// A search that goes on after it has found a way; its memory is used again and again.
#[derive(Clone, Debug, Default)]
pub struct RelaxedSearch {
    stamps: Vec<u32>,
    costs: Vec<u32>,
    parents: Vec<u32>,
    stamp: u32,
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
    expansions: u32,
}

impl RelaxedSearch {
    /// A way from a start to a goal; `None` when there is none. The estimate may be too much, and
    /// need not be consistent: nodes that are reached at less cost are expanded again.
    pub fn find(
        &mut self,
        graph: &impl Graph,
        start: u32,
        goal: u32,
        estimate: impl Fn(u32) -> u32,
    ) -> Option<Found> {
        self.begin(graph.node_count());
        self.lower(start, 0, NONE, &estimate);
        while let Some(Reverse((sum, left, node))) = self.open.pop() {
            let cost = self.costs[node as usize];
            let best = self.cost(goal).map_or(u64::MAX, u64::from);
            if 5 * u64::from(sum) >= best.saturating_mul(6) {
                break;
            }
            // A way that costs as much as the best one can only get longer.
            if sum != cost.saturating_add(left) || u64::from(cost) >= best {
                continue;
            }
            self.expansions += 1;
            graph.each_edge(node, |to, step| {
                self.lower(to, cost.saturating_add(step), node, &estimate)
            });
        }
        self.cost(goal).map(|cost| Found { node: goal, cost })
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
        self.open.push(Reverse((cost.saturating_add(left), left, node)));
    }

    fn cost(&self, node: u32) -> Option<u32> {
        let at = node as usize;
        (self.stamps.get(at) == Some(&self.stamp)).then(|| self.costs[at])
    }

    /// Writes the way that the last search found, start first, over `path`.
    pub fn path(&self, goal: u32, path: &mut Vec<u32>) {
        path.clear();
        let mut at = goal;
        while at != NONE {
            path.push(at);
            at = self.parents[at as usize];
        }
        path.reverse();
    }

    /// Nodes that the last search expanded, each time counted.
    pub fn expansions(&self) -> u32 {
        self.expansions
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let rows = self.stamps.capacity() + self.costs.capacity() + self.parents.capacity();
        4 * rows as u64 + 12 * self.open.capacity() as u64
    }
}
