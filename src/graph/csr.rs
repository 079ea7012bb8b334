//! Graphs as compressed sparse rows: every node's edges lie side by side.

use crate::graph::Graph;

/// A graph in two flat arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Csr {
    /// First edge of every node, then the end.
    first: Vec<u32>,
    /// End and cost of every edge.
    edges: Vec<(u32, u32)>,
}

impl Csr {
    /// A graph from (start, end, cost), in any order; a node's edges keep theirs. Directed.
    ///
    /// # Panics
    /// When an edge names a node that there is not.
    pub fn new(nodes: u32, edges: &[(u32, u32, u32)]) -> Self {
        let mut first = vec![0; nodes as usize + 1];
        for &(from, to, _) in edges {
            assert!(from < nodes && to < nodes, "edge {from} to {to} in a graph of {nodes} nodes");
            first[from as usize + 1] += 1;
        }
        for node in 0..nodes as usize {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut sorted = vec![(0, 0); edges.len()];
        for &(from, to, cost) in edges {
            sorted[next[from as usize] as usize] = (to, cost);
            next[from as usize] += 1;
        }
        Self { first, edges: sorted }
    }

    /// Ends and costs of a node's edges.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn edges(&self, node: u32) -> &[(u32, u32)] {
        let node = node as usize;
        &self.edges[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Edges of all nodes.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        4 * self.first.capacity() as u64 + 8 * self.edges.capacity() as u64
    }
}

impl Graph for Csr {
    fn node_count(&self) -> u32 {
        self.first.len().saturating_sub(1) as u32
    }

    #[inline(always)]
    fn each_edge(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        for &(to, cost) in self.edges(node) {
            visit(to, cost);
        }
    }
}
