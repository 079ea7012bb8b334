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
//! Over wide ground memory is what limits. So costs, which are read at every edge, lie by themselves,
//! and an entry of the queue bears the node before it, so that parents are only written.
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

/// Where a search starts, as edges.
struct Starts<'a>(&'a [(u32, u32)]);

impl Graph for Starts<'_> {
    fn node_count(&self) -> u32 {
        0
    }

    fn each_edge(&self, _: u32, mut visit: impl FnMut(u32, u32)) {
        self.0.iter().for_each(|&(node, cost)| visit(node, cost));
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

/// Moves the costs of a query down to where all fit, and returns where they begin.
#[cold]
#[inline(never)]
fn move_down(costs: &mut [u32], base: u32) -> u32 {
    for cost in costs {
        *cost = if *cost < base { 0 } else { *cost - base + 1 };
    }
    1
}

/// Memory of searches, used again and again.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// What it costs to be at a node, from `base` on; less if this query has not seen it.
    costs: Vec<u32>,
    /// The node before it.
    parents: Vec<u32>,
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
            let Entry { node, parent, .. } = self.take()?;
            let found = self.found(node);
            if is_goal(node) {
                return Some(found);
            }
            self.reach(graph, node, found.cost, parent, &estimate);
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
            let cost = self.costs[node as usize] - self.base;
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
    fn meet(&mut self, node: u32, mut cost: u32, parent: u32, estimate: &impl Fn(u32) -> u32) {
        if cost > u32::MAX - self.base {
            self.base = move_down(&mut self.costs, self.base);
            cost = cost.min(u32::MAX - 1);
        }
        if self.costs[node as usize] < self.base {
            self.greatest = self.greatest.max(cost);
            self.costs[node as usize] = self.base + cost;
            self.parents[node as usize] = parent;
            self.queue.push(Entry { key: estimate(node), left: 0, node, parent });
        }
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
        self.reach(&Starts(starts), NONE, 0, NONE, estimate);
    }

    /// Takes the next node out of the queue. Its cost is final if the estimate is consistent: if it
    /// falls along an edge by no more than the edge costs.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Found> {
        let Entry { node, .. } = self.take()?;
        Some(self.found(node))
    }

    fn found(&self, node: u32) -> Found {
        Found { node, cost: self.costs[node as usize] - self.base }
    }

    /// Takes the next entry whose cost is that of its node.
    #[inline(always)]
    fn take(&mut self) -> Option<Entry> {
        let Self { costs, base, queue, .. } = self;
        let cost = |node: u32| costs[node as usize] - *base;
        let entry = queue.pop(|entry| cost(entry.node).saturating_add(entry.left) == entry.key)?;
        self.expansions += 1;
        Some(entry)
    }

    /// Puts the neighbours of a node that [`Search::pop`] gave into the queue. The estimate is the
    /// one of [`Search::begin`].
    ///
    /// # Panics
    /// When there is no such node.
    #[inline(always)]
    pub fn expand(&mut self, graph: &impl Graph, node: u32, estimate: impl Fn(u32) -> u32) {
        let parent = self.parents[node as usize];
        let cost = self.costs[node as usize] - self.base;
        self.reach(graph, node, cost, parent, estimate);
    }

    /// Puts the neighbours of a node that is reached from `parent` at some cost into the queue.
    #[inline(always)]
    fn reach(
        &mut self,
        graph: &impl Graph,
        node: u32,
        cost: u32,
        parent: u32,
        estimate: impl Fn(u32) -> u32,
    ) {
        // In registers, as for all the compiler knows what is written is a field of the search.
        let Self { costs, parents, base, greatest, queue, .. } = self;
        let (costs, mut from) = (costs.as_mut_slice(), *base);
        let parents = &mut parents[..costs.len()];
        graph.each_edge_from(node, parent, |to, step| {
            let mut cost = cost.saturating_add(step);
            if cost > u32::MAX - from {
                from = move_down(costs, from);
                *base = from;
                cost = cost.min(u32::MAX - 1);
            }
            // What has not been seen is below 0, and so very large.
            if costs[to as usize].wrapping_sub(from) <= cost {
                return;
            }
            *greatest = cost.max(*greatest);
            costs[to as usize] = from + cost;
            parents[to as usize] = node;
            let left = estimate(to);
            queue.push(Entry { key: cost.saturating_add(left), left, node: to, parent: node });
        });
    }

    fn clear(&mut self, nodes: u32) {
        if self.costs.len() < nodes as usize {
            self.costs.resize(nodes as usize, 0);
            self.parents.resize(nodes as usize, NONE);
        }
        self.queue.clear();
        self.expansions = 0;
        // The first query begins at 1, where nothing has been seen.
        self.base = match self.base.checked_add(self.greatest + 1) {
            Some(base) if base < u32::MAX => base,
            _ => {
                self.costs.fill(0);
                1
            }
        };
        self.greatest = 0;
    }

    /// The cost at which the last search reached a node; `None` where it has not been. With a
    /// consistent estimate it is final for nodes that were expanded.
    pub fn cost(&self, node: u32) -> Option<u32> {
        self.costs.get(node as usize)?.checked_sub(self.base)
    }

    /// The node before a node that the last search reached; [`NONE`] for a start and for a node
    /// that was not reached.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn parent(&self, node: u32) -> u32 {
        self.cost(node).map_or(NONE, |_| self.parents[node as usize])
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
        4 * (self.costs.capacity() + self.parents.capacity()) as u64 + self.queue.bytes()
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
