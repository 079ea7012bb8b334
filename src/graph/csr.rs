//! Graphs as compressed sparse rows: every node's edges lie side by side.

use crate::graph::Graph;
use crate::graph::rows::Rows;

/// A graph in two flat arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Csr {
    /// End and cost of every edge, by its start.
    edges: Rows<(u32, u32)>,
}

impl Csr {
    /// A graph from (start, end, cost), in any order; a node's edges keep theirs. Directed.
    ///
    /// # Panics
    /// When an edge names a node that there is not.
    pub fn new(nodes: u32, edges: &[(u32, u32, u32)]) -> Self {
        for &(from, to, _) in edges {
            assert!(from < nodes && to < nodes, "edge {from} to {to} in a graph of {nodes} nodes");
        }
        let each = |visit: &mut dyn FnMut(usize, (u32, u32))| {
            edges.iter().for_each(|&(from, to, cost)| visit(from as usize, (to, cost)));
        };
        Self { edges: Rows::new(nodes as usize, each) }
    }

    /// Ends and costs of a node's edges.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn edges(&self, node: u32) -> &[(u32, u32)] {
        self.edges.row(node as usize)
    }

    /// Edges of all nodes.
    pub fn edge_count(&self) -> usize {
        self.edges.items().len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.edges.bytes()
    }
}

impl Graph for Csr {
    fn node_count(&self) -> u32 {
        self.edges.count() as u32
    }

    #[inline(always)]
    fn each_edge(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        for &(to, cost) in self.edges(node) {
            visit(to, cost);
        }
    }
}
