//! One search for every graph: A*, Dijkstra's and greedy best-first.
//!
//! **Method.** Hart, Nilsson & Raphael, "A Formal Basis for the Heuristic Determination of Minimum
//! Cost Paths", 1968; with the estimate 0 it is Dijkstra's search (1959). A node whose cost falls
//! waits again, so estimates need not be consistent. What is known of a node lies side by side in
//! 16 bytes.
//!
//! Nodes are expanded in the order of (cost + estimate, estimate, node), which is total: what is
//! found depends on the query alone, not on earlier ones. The way to a node leads through the first
//! expanded of the nodes that give it its cost.

mod queue;

use crate::graph::NONE;
use queue::Entry;
use queue::Queue;

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

/// What is known of a node.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(8))]
struct Record {
    /// The query that the node was last seen in.
    stamp: u32,
    cost: u32,
}

/// Memory of searches, used again and again.
#[derive(Clone, Debug, Default)]
pub struct Search {
    records: Vec<Record>,
    parents: Vec<u32>,
    stamp: u32,
    queue: Queue,
    expansions: u32,
}

impl Search {
    /// The cheapest way from one of the starts (node and what it costs to be there) to the first
    /// node that is a goal. With an estimate that is never more than what is left this is A*; with
    /// 0 it is Dijkstra's search, to the nearest of all goals. Of equal sums the smaller estimate
    /// goes first, then the smaller node. An estimate is asked for once a node.
    ///
    /// Sums stop at [`u32::MAX`].
    ///
    /// # Panics
    /// When a start or the end of an edge is no node of the graph.
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
            let found = self.next()?;
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
    /// When a start or the end of an edge is no node of the graph.
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
            let cost = self.records[node as usize].cost;
            let parent = self.parents[node as usize];
            if is_goal(node) {
                return Some(Found { node, cost });
            }
            graph.each_edge_from(node, parent, |to, step| {
                self.meet(to, cost.saturating_add(step), node, &estimate);
            });
        }
        None
    }

    /// Lets a node wait if it has not been seen.
    #[inline(always)]
    fn meet(&mut self, node: u32, cost: u32, parent: u32, estimate: &impl Fn(u32) -> u32) {
        let record = &mut self.records[node as usize];
        if record.stamp != self.stamp {
            let left = estimate(node);
            *record = Record { stamp: self.stamp, cost };
            self.parents[node as usize] = parent;
            self.queue.push(Entry { key: left, left: 0, node });
        }
    }

    /// Begins a search: empties the memory and puts the starts into the queue. [`Search::find`] is
    /// this, and then [`Search::next`] and [`Search::expand`] in turns.
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
    pub fn next(&mut self) -> Option<Found> {
        let Self { records, queue, .. } = self;
        let entry = queue.pop(|entry| {
            records[entry.node as usize].cost.saturating_add(entry.left) == entry.key
        })?;
        self.expansions += 1;
        Some(Found { node: entry.node, cost: records[entry.node as usize].cost })
    }

    /// Puts the neighbours of a node that [`Search::next`] gave into the queue. The estimate is the
    /// one of [`Search::begin`].
    #[inline(always)]
    pub fn expand(&mut self, graph: &impl Graph, node: u32, estimate: impl Fn(u32) -> u32) {
        let cost = self.records[node as usize].cost;
        let parent = self.parents[node as usize];
        graph.each_edge_from(node, parent, |to, step| {
            self.lower(to, cost.saturating_add(step), node, &estimate);
        });
    }

    fn clear(&mut self, nodes: u32) {
        if self.records.len() < nodes as usize {
            self.records.resize(nodes as usize, Record::default());
            self.parents.resize(nodes as usize, NONE);
        }
        self.queue.clear();
        self.expansions = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.records.fill(Record::default());
            self.stamp = 1;
        }
    }

    #[inline(always)]
    fn lower(&mut self, node: u32, cost: u32, parent: u32, estimate: &impl Fn(u32) -> u32) {
        let record = &mut self.records[node as usize];
        if record.stamp == self.stamp && record.cost <= cost {
            return;
        }
        *record = Record { stamp: self.stamp, cost };
        self.parents[node as usize] = parent;
        let left = estimate(node);
        self.queue.push(Entry { key: cost.saturating_add(left), left, node });
    }

    /// The cost at which the last search reached a node; `None` where it has not been. With a
    /// consistent estimate it is final for nodes that were expanded.
    pub fn cost(&self, node: u32) -> Option<u32> {
        let record = self.records.get(node as usize)?;
        (record.stamp == self.stamp).then_some(record.cost)
    }

    /// The node before a node that the last search reached; [`NONE`] for a start and for a node
    /// that was not reached.
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
        let records = self.records.capacity() * size_of::<Record>();
        (records + 4 * self.parents.capacity()) as u64 + self.queue.bytes()
    }
}
