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

use crate::graph::{Found, Graph, Search};

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
    search: Search,
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
        let Self { search, expansions } = self;
        *expansions = 0;
        search.begin(graph, &[(start, 0)], &estimate);
        while let Some(Found { node, cost }) = search.pop() {
            let sum = cost.saturating_add(estimate(node));
            let best = search.cost(goal).map_or(u64::MAX, u64::from);
            if 5 * u64::from(sum) >= best.saturating_mul(6) {
                break;
            }
            // A way that costs as much as the best one can only get longer.
            if u64::from(cost) < best {
                *expansions += 1;
                search.expand(graph, node, &estimate);
            }
        }
        search.cost(goal).map(|cost| Found { node: goal, cost })
    }

    /// Writes the way that the last search found, start first, over `path`.
    pub fn path(&self, goal: u32, path: &mut Vec<u32>) {
        self.search.path(goal, path);
    }

    /// Nodes that the last search expanded, each time counted.
    pub fn expansions(&self) -> u32 {
        self.expansions
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.search.bytes()
    }
}
