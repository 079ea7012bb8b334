//! Split search: gates cut a graph, so a long search becomes two shorter ones.
//!
//! **What.** A gate is a set of nodes, such as the cells of a door; without the nodes of all gates
//! the graph falls into parts. From one part to another every way leads through a gate, so the
//! search goes from the start to the node that stands for a gate, and from there to the goal; of
//! several gates it takes the one with the cheapest way.
//!
//! **Bound.** The cheapest way passes a node of some gate. Let r be the greatest cost from a node
//! that stands for a gate to any node of that gate: going there and back costs at most 2·r more, so
//! what is found costs at most the optimum + 2·r. A gate of one node has r = 0: then it is the
//! optimum. Graphs are undirected: every edge has one back at the same cost.
//!
//! **Finding gates.** [`cut_nodes`] gives the nodes without which a graph falls apart (Tarjan,
//! "Depth-first search and linear graph algorithms", 1972), with what each cuts off.

use crate::data::sets;
use crate::graph::{Graph, NONE, Search};

/// A node without which a graph falls apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutNode {
    /// The node.
    pub node: u32,
    /// Nodes outside of the largest part that is left of the node's component.
    pub cut_off: u32,
}

/// The node that stands for a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The node of the gate that is nearest to its farthest one.
    pub node: u32,
    /// The greatest cost from it to a node of the gate.
    pub radius: u32,
}

/// Why a gate cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// A gate without nodes.
    #[error("gate {gate} has no nodes")]
    Empty {
        /// Its place among the gates.
        gate: usize,
    },
    /// A gate names a node that there is not, or one that no way joins to the others.
    #[error("node {node} of gate {gate} is not joined to the gate's other nodes in the graph")]
    Node {
        /// The gate's place.
        gate: usize,
        /// The node.
        node: u32,
    },
}

/// A graph cut by gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The part of every node; [`NONE`] in a gate.
    parts: Vec<u32>,
    gates: Vec<Gate>,
}

/// Memory of split searches, used again and again.
#[derive(Clone, Debug, Default)]
pub struct SplitSearch {
    search: Search,
    /// Gates that are tried, by what a way through them costs at least.
    order: Vec<(u32, u32)>,
    leg: Vec<u32>,
    best: Vec<u32>,
    expansions: u64,
}

impl Split {
    /// Cuts a graph.
    ///
    /// # Errors
    /// [`SplitError::Empty`], [`SplitError::Node`].
    pub fn new(graph: &impl Graph, gates: &[Vec<u32>]) -> Result<Self, SplitError> {
        let mut search = Search::default();
        let mut found = Vec::new();
        let mut open = vec![true; graph.node_count() as usize];
        for (gate, nodes) in gates.iter().enumerate() {
            for &node in nodes {
                *open.get_mut(node as usize).ok_or(SplitError::Node { gate, node })? = false;
            }
            found.push(middle(graph, gate, nodes, &mut search)?);
        }
        let beside = |node: usize, visit: &mut dyn FnMut(usize)| {
            graph.each_edge(node as u32, |to, _| visit(to as usize));
        };
        let (parts, _) = sets::pieces(open.len(), |node| open[node], beside);
        Ok(Self { parts, gates: found })
    }

    /// The part of a node; `None` in a gate.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn part(&self, node: u32) -> Option<u32> {
        let part = self.parts[node as usize];
        (part != NONE).then_some(part)
    }

    /// The nodes that stand for the gates, in their order.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// What a way from one part to another costs at most more than the cheapest one.
    pub fn slack(&self) -> u32 {
        2 * self.gates.iter().map(|gate| gate.radius).max().unwrap_or(0)
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (4 * self.parts.capacity() + size_of::<Gate>() * self.gates.capacity()) as u64
    }
}

/// The node of a gate whose farthest other node is nearest; of equal ones the first.
fn middle(
    graph: &impl Graph,
    gate: usize,
    nodes: &[u32],
    search: &mut Search,
) -> Result<Gate, SplitError> {
    let mut best = Gate { node: *nodes.first().ok_or(SplitError::Empty { gate })?, radius: NONE };
    for &node in nodes {
        let mut radius = 0;
        for &to in nodes {
            let found = search.find(graph, &[(node, 0)], |node| node == to, |_| 0);
            radius = radius.max(found.ok_or(SplitError::Node { gate, node: to })?.cost);
        }
        if radius < best.radius {
            best = Gate { node, radius };
        }
    }
    Ok(best)
}

impl SplitSearch {
    /// A way from a node to another, both included, over `path`, and its cost; `None` when there is
    /// none. Between nodes of one part, and from or to a gate, it is the cheapest; else it costs at
    /// most [`Split::slack`] more. `estimate(a, b)` is never more than the cost from a to b, and
    /// falls along an edge by no more than the edge costs.
    pub fn find(
        &mut self,
        split: &Split,
        graph: &impl Graph,
        (start, goal): (u32, u32),
        estimate: impl Fn(u32, u32) -> u32,
        path: &mut Vec<u32>,
    ) -> Option<u32> {
        let Self { search, order, leg, best, expansions } = self;
        *expansions = 0;
        path.clear();
        let mut find = |from: u32, to: u32, leg: &mut Vec<u32>| {
            let found =
                search.find(graph, &[(from, 0)], |node| node == to, |node| estimate(node, to));
            *expansions += u64::from(search.expansions());
            search.path(to, leg);
            found.map(|found| found.cost)
        };
        let (from, to) = (split.parts[start as usize], split.parts[goal as usize]);
        if from == to || from == NONE || to == NONE {
            let cost = find(start, goal, leg)?;
            path.extend_from_slice(leg);
            return Some(cost);
        }
        order.clear();
        order.extend((0..).zip(&split.gates).map(|(gate, &Gate { node, .. })| {
            (estimate(start, node).saturating_add(estimate(node, goal)), gate)
        }));
        order.sort_unstable();
        let mut least = NONE;
        for &(bound, gate) in order.iter() {
            let node = split.gates[gate as usize].node;
            if bound >= least {
                break;
            }
            let Some(first) = find(start, node, leg) else { continue };
            if first.saturating_add(estimate(node, goal)) >= least {
                continue;
            }
            best.clear();
            best.extend_from_slice(leg);
            let Some(second) = find(node, goal, leg) else { continue };
            if first + second < least {
                least = first + second;
                best.extend_from_slice(&leg[1..]);
                std::mem::swap(best, path);
            }
        }
        (least != NONE).then_some(least)
    }

    /// Nodes that the last search expanded.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let words = self.leg.capacity() + self.best.capacity() + 2 * self.order.capacity();
        self.search.bytes() + 4 * words as u64
    }
}

/// What the depth-first search knows of a node.
#[derive(Clone, Copy)]
struct Visit {
    /// When the node was reached; 0 is not yet.
    time: u32,
    /// The earliest time that its subtree reaches back to.
    low: u32,
    parent: u32,
    /// Nodes of its subtree.
    size: u32,
    /// Nodes of the subtrees that it cuts off, and the largest of these.
    below: u32,
    largest: u32,
    /// Subtrees that it cuts off.
    cuts: u32,
}

/// All nodes without which a graph falls apart, ascending.
pub fn cut_nodes(graph: &impl Graph) -> Vec<CutNode> {
    let none = Visit { time: 0, low: 0, parent: NONE, size: 1, below: 0, largest: 0, cuts: 0 };
    let mut visits = vec![none; graph.node_count() as usize];
    let mut found = Vec::new();
    let (mut edges, mut trail) = (Vec::new(), Vec::new());
    let mut time = 0;
    for root in 0..graph.node_count() {
        if visits[root as usize].time != 0 {
            continue;
        }
        let first = found.len();
        trail.push((root, edges.len()));
        while let Some(&(node, start)) = trail.last() {
            if visits[node as usize].time == 0 {
                time += 1;
                (visits[node as usize].time, visits[node as usize].low) = (time, time);
                graph.each_edge(node, |to, _| edges.push(to));
            }
            if edges.len() > start {
                let to = edges.pop().unwrap_or(NONE);
                if visits[to as usize].time == 0 {
                    visits[to as usize].parent = node;
                    trail.push((to, edges.len()));
                } else {
                    let back = visits[to as usize].time;
                    let low = &mut visits[node as usize].low;
                    *low = back.min(*low);
                }
                continue;
            }
            trail.pop();
            close(&mut visits, node, &mut found);
        }
        // The rest above a node is known once the component is.
        let whole = visits[root as usize].size;
        for cut in &mut found[first..] {
            let Visit { below, largest, .. } = visits[cut.node as usize];
            cut.cut_off = whole - 1 - largest.max(whole - 1 - below);
        }
    }
    found.sort_unstable_by_key(|cut| cut.node);
    found
}

/// Ends the visit of a node: its parent learns what its subtree reaches.
fn close(visits: &mut [Visit], node: u32, found: &mut Vec<CutNode>) {
    let Visit { parent, low, size, cuts, .. } = visits[node as usize];
    let needed = if parent == NONE { 2 } else { 1 };
    if cuts >= needed {
        found.push(CutNode { node, cut_off: 0 });
    }
    let Some(parent) = visits.get_mut(parent as usize) else { return };
    parent.size += size;
    parent.low = parent.low.min(low);
    if low >= parent.time {
        parent.cuts += 1;
        parent.below += size;
        parent.largest = parent.largest.max(size);
    }
}
