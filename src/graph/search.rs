//! One search for every graph: A*, Dijkstra's and greedy best-first.
//!
//! **Method.** Hart, Nilsson & Raphael, "A Formal Basis for the Heuristic Determination of Minimum
//! Cost Paths", 1968; with the estimate 0 it is Dijkstra's search (1959). A node whose cost falls
//! waits again, so estimates need not be consistent. All that an edge needs to know of its end are 4
//! bytes.
//!
//! Nodes are expanded in the order of (cost + estimate, estimate, node), which is total: what is
//! found depends on the query alone, not on earlier ones. The way to a node leads through the first
//! expanded of the nodes that give it its cost.
//!
//! Costs of a query are kept with the sum of all greatest costs before it added, so whatever is less
//! is of an earlier query, and nothing has to be cleared until the sum no longer fits.

mod queue;

use crate::graph::NONE;
use queue::{Entry, Queue};

/// A graph of `u32` nodes whose edges cost whole numbers.
pub trait Graph {
    /// Nodes are 0 to this.
    fn node_count(&self) -> u32;

    /// Calls `visit` with the end and the cost of every edge out of a node, always in one order.
    fn each_edge(&self, node: u32, visit: impl FnMut(u32, u32));

    /// As [`Graph::each_edge`], for a node that is reached from `parent` ([`NONE`] for a start).
    /// A graph may leave out the edges that no cheapest way from there needs.
    #[inline(always)]
    fn each_edge_from(&self, node: u32, parent: u32, visit: impl FnMut(u32, u32)) {
        let _ = parent;
        self.each_edge(node, visit);
    }
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The goal that was reached.
    pub node: u32,
    /// The cost of the way there.
    pub cost: u32,
}

/// A node, as searches have met it. Both numbers lie together, as they are written together.
#[derive(Clone, Copy, Debug)]
struct Met {
    /// What it costs to be at the node, from `base` on; less if this query has not seen it.
    cost: u32,
    parent: u32,
}

impl Met {
    const NEVER: Self = Self { cost: 0, parent: NONE };
}

/// Memory of searches, used again and again.
#[derive(Clone, Debug, Default)]
pub struct Search {
    nodes: Vec<Met>,
    base: u32,
    /// The greatest cost of this query.
    greatest: u32,
    queue: Queue,
    expansions: u32,
}

impl Search {
    /// The cheapest way from one of the starts (node and what it costs to be there) to the first
    /// node that is a goal. With an estimate that is never more than what is left this is A*; with
    /// 0 it is Dijkstra's search, to the nearest of all goals. Of equal sums the smaller estimate
    /// goes first, then the smaller node.
    ///
    /// Costs stop at `u32::MAX - 1`.
    ///
    /// # Panics
    /// It may when a start or the end of an edge is no node of the graph.
    #[inline]
    pub fn find(
        &mut self,
        graph: &impl Graph,
        starts: &[(u32, u32)],
        is_goal: impl Fn(u32) -> bool,
        estimate: impl Fn(u32) -> u32,
    ) -> Option<Found> {
        self.begin(graph, starts, &estimate);
        loop {
            let found = self.pop()?;
            if is_goal(found.node) {
                return Some(found);
            }
            self.expand(graph, found.node, &estimate);
        }
    }

    /// Greedy best-first search: always expands the node with the least estimate, and each once.
    /// The way that is found may be any way; its cost is told.
    ///
    /// # Panics
    /// It may when a start or the end of an edge is no node of the graph.
    pub fn greedy(
        &mut self,
        graph: &impl Graph,
        starts: &[(u32, u32)],
        is_goal: impl Fn(u32) -> bool,
        estimate: impl Fn(u32) -> u32,
    ) -> Option<Found> {
        self.clear(graph.node_count());
        for &(node, cost) in starts {
            self.meet(node, cost, NONE, &estimate);
        }
        while let Some(Entry { node, .. }) = self.queue.pop(|_| true) {
            self.expansions += 1;
            let cost = self.nodes[node as usize].cost - self.base;
            if is_goal(node) {
                return Some(Found { node, cost });
            }
            // What no cheapest way needs may be the one way that this search finds.
            graph.each_edge(node, |to, step| {
                self.meet(to, cost.saturating_add(step), node, &estimate);
            });
        }
        None
    }

    /// Lets a node wait if it has not been seen.
    #[inline(always)]
    fn meet(&mut self, node: u32, cost: u32, parent: u32, estimate: &impl Fn(u32) -> u32) {
        let cost = self.fit(cost);
        if self.nodes[node as usize].cost < self.base {
            self.set(node, cost, parent);
            self.queue.push(Entry { key: estimate(node), left: 0, node });
        }
    }

    /// Notes what it costs to be at a node.
    #[inline(always)]
    fn set(&mut self, node: u32, cost: u32, parent: u32) {
        self.greatest = self.greatest.max(cost);
        self.nodes[node as usize] = Met { cost: self.base + cost, parent };
    }

    /// A cost that can be kept: makes room where there is none, and stops at the largest number.
    #[inline(always)]
    fn fit(&mut self, cost: u32) -> u32 {
        if cost <= u32::MAX - self.base { cost } else { self.move_down().min(cost) }
    }

    /// Moves the costs of this query down to where all fit, and returns the largest number.
    #[cold]
    fn move_down(&mut self) -> u32 {
        for Met { cost, .. } in &mut self.nodes {
            *cost = if *cost < self.base { 0 } else { *cost - self.base + 1 };
        }
        self.base = 1;
        u32::MAX - 1
    }

    /// Begins a search: empties the memory and puts the starts into the queue. [`Search::find`] is
    /// this, and then [`Search::pop`] and [`Search::expand`] in turns.
    #[inline]
    pub fn begin(
        &mut self,
        graph: &impl Graph,
        starts: &[(u32, u32)],
        estimate: impl Fn(u32) -> u32,
    ) {
        self.clear(graph.node_count());
        for &(node, cost) in starts {
            self.lower(node, cost, NONE, &estimate);
        }
    }

    /// Takes the next node out of the queue. Its cost is final if the estimate is consistent: if it
    /// falls along an edge by no more than the edge costs.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Found> {
        let Self { nodes, base, queue, .. } = self;
        let cost = |node: u32| nodes[node as usize].cost - *base;
        let entry = queue.pop(|entry| cost(entry.node).saturating_add(entry.left) == entry.key)?;
        self.expansions += 1;
        Some(Found { node: entry.node, cost: cost(entry.node) })
    }

    /// Puts the neighbours of a node that [`Search::pop`] gave into the queue. The estimate is the
    /// one of [`Search::begin`].
    ///
    /// # Panics
    /// When there is no such node.
    #[inline(always)]
    pub fn expand(&mut self, graph: &impl Graph, node: u32, estimate: impl Fn(u32) -> u32) {
        let Met { cost, parent } = self.nodes[node as usize];
        let cost = cost - self.base;
        graph.each_edge_from(node, parent, |to, step| {
            self.lower(to, cost.saturating_add(step), node, &estimate);
        });
    }

    fn clear(&mut self, nodes: u32) {
        if self.nodes.len() < nodes as usize {
            self.nodes.resize(nodes as usize, Met::NEVER);
        }
        self.queue.clear();
        self.expansions = 0;
        // The first query begins at 1, where nothing has been seen.
        self.base = match self.base.checked_add(self.greatest + 1) {
            Some(base) if base < u32::MAX => base,
            _ => {
                self.nodes.fill(Met::NEVER);
                1
            }
        };
        self.greatest = 0;
    }

    #[inline(always)]
    fn lower(&mut self, node: u32, cost: u32, parent: u32, estimate: &impl Fn(u32) -> u32) {
        let cost = self.fit(cost);
        // What has not been seen is below 0, and so very large.
        if self.nodes[node as usize].cost.wrapping_sub(self.base) <= cost {
            return;
        }
        self.set(node, cost, parent);
        let left = estimate(node);
        self.queue.push(Entry { key: cost.saturating_add(left), left, node });
    }

    /// The cost at which the last search reached a node; `None` where it has not been. With a
    /// consistent estimate it is final for nodes that were expanded.
    pub fn cost(&self, node: u32) -> Option<u32> {
        self.nodes.get(node as usize)?.cost.checked_sub(self.base)
    }

    /// The node before a node that the last search reached; [`NONE`] for a start and for a node
    /// that was not reached.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn parent(&self, node: u32) -> u32 {
        self.cost(node).map_or(NONE, |_| self.nodes[node as usize].parent)
    }

    /// Writes the way that the last search found to a node, start first, over `path`; nothing when
    /// the node was not reached.
    pub fn path(&self, node: u32, path: &mut Vec<u32>) {
        path.clear();
        if self.cost(node).is_none() {
            return;
        }
        let mut at = node;
        while at != NONE {
            path.push(at);
            at = self.parent(at);
        }
        path.reverse();
    }

    /// Nodes that the last search took out of the queue, the goal included.
    pub fn expansions(&self) -> u32 {
        self.expansions
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Met>()) as u64 + self.queue.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Csr;

    /// A ring of nodes with steps of one cost.
    fn ring(nodes: u32, cost: u32) -> Csr {
        let edges: Vec<_> = (0..nodes).map(|node| (node, (node + 1) % nodes, cost)).collect();
        Csr::new(nodes, &edges)
    }

    #[test]
    fn nothing_of_earlier_queries_is_left_when_costs_no_longer_fit() {
        let (near, far) = (ring(9, 3), ring(9, 100));
        for short_of_the_end in 0..1_000 {
            let mut search = Search::default();
            search.find(&far, &[(0, 0)], |_| false, |_| 0);
            search.base = u32::MAX - short_of_the_end;
            search.greatest = 0;
            let mut moved = 0;
            for (graph, step) in [(&near, 3), (&far, 100), (&near, 3)] {
                let before = search.base;
                let found = search.find(graph, &[(2, 1)], |node| node == 6, |_| 0);
                assert_eq!(found, Some(Found { node: 6, cost: 4 * step + 1 }));
                assert_eq!(search.cost(1), None);
                assert_eq!((search.cost(2), search.parent(2)), (Some(1), NONE));
                assert_eq!((search.cost(6), search.parent(6)), (Some(4 * step + 1), 5));
                moved += u32::from(search.base < before);
            }
            assert_eq!(moved, u32::from(short_of_the_end < 430), "{short_of_the_end}");
        }
    }
}
