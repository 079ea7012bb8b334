//! Landmarks: lower bounds on distances from a few exact ones.
//!
//! **Method.** Goldberg & Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory",
//! 2005 (ALT). With the exact distances from landmark x to all nodes, `|d(x, a) − d(x, b)|` is never
//! more than the distance from a to b, by the triangle inequality. Landmarks are taken farthest
//! first: each is the node with the greatest distance to the nearest of those before it. Nodes
//! behind the goal or the start make good bounds, and the farthest ones lie at the rim.
//!
//! Only for graphs that stay as they are: distances are wrong, and ways found with them may not be
//! the cheapest, as soon as an edge gets cheaper or is added (a building taken down). A dearer or
//! lost edge leaves the bounds lower bounds, but worse ones. Either way the remedy is to make them
//! again, at the price of one Dijkstra search each.

use crate::graph::{Graph, NONE, Search};

/// Distances from a few nodes of a graph to all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Landmarks {
    nodes: Vec<u32>,
    /// Distances of a node to all landmarks lie side by side; 0 where there is no way.
    distances: Vec<u32>,
}

impl Landmarks {
    /// At most `count` landmarks among the nodes that can be reached from `within`; fewer when there
    /// are fewer nodes. Every edge of the graph must be there both ways at one cost.
    ///
    /// # Panics
    /// When `within` is no node of the graph.
    pub fn new(graph: &impl Graph, within: u32, count: u32, search: &mut Search) -> Self {
        let nodes = graph.node_count();
        let mut landmarks = Self { nodes: Vec::new(), distances: Vec::new() };
        let width = count as usize;
        landmarks.distances.resize(nodes as usize * width, 0);
        // Distance of every node to the nearest landmark; of the first one, to `within`.
        let mut nearest = vec![u32::MAX; nodes as usize];
        let mut next = within;
        for i in 0..=width {
            search.find(graph, &[(next, 0)], |_| false, |_| 0);
            if i > 0 {
                landmarks.nodes.push(next);
            }
            let mut farthest = (0, NONE);
            for node in 0..nodes {
                let Some(cost) = search.cost(node) else { continue };
                if i > 0 {
                    landmarks.distances[node as usize * width + i - 1] = cost;
                }
                let least = &mut nearest[node as usize];
                *least = if i > 1 { cost.min(*least) } else { cost };
                if *least > farthest.0 {
                    farthest = (*least, node);
                }
            }
            next = farthest.1;
            if i == width || next == NONE {
                break;
            }
        }
        landmarks.trim(width);
        landmarks
    }

    /// Makes the rows as wide as there are landmarks.
    fn trim(&mut self, width: usize) {
        let kept = self.nodes.len();
        if kept < width {
            let rows = self.distances.chunks_exact(width);
            self.distances = rows.flat_map(|row| &row[..kept]).copied().collect();
        }
    }

    /// The landmarks.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The estimate of what is left to a goal: the greatest of the bounds by landmarks and another
    /// one, for [`Search::find`]. Consistent if the other is.
    ///
    /// # Panics
    /// When the goal is no node of the graph.
    pub fn estimate<'a>(
        &'a self,
        goal: u32,
        other: impl Fn(u32) -> u32 + 'a,
    ) -> impl Fn(u32) -> u32 + 'a {
        let of_goal = self.row(goal);
        move |node| {
            let bounds = self.row(node).iter().zip(of_goal).map(|(a, b)| a.abs_diff(*b));
            bounds.fold(other(node), u32::max)
        }
    }

    #[inline(always)]
    fn row(&self, node: u32) -> &[u32] {
        let width = self.nodes.len();
        &self.distances[node as usize * width..][..width]
    }

    /// Bytes held: 4 for every landmark and node, and a little.
    pub fn bytes(&self) -> u64 {
        4 * (self.nodes.capacity() + self.distances.capacity()) as u64
    }
}
