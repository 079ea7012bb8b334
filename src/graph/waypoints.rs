//! Waypoints: every open cell sees one, and a table tells the way from each to each.
//!
//! **What.** Nodes are cells such that every passable cell sees at least one of them, no farther
//! than a reach. Nodes that see each other are joined by an edge as long as the straight line. A
//! table of next hops answers any query in as many steps as the way has nodes, without a search:
//! `next[a][b]` is the node after a on the cheapest way to b.
//!
//! **Method.** Cells are tried from those farthest from walls to those nearest, which see most; a
//! cell that sees no node yet becomes one. Where two cells side by side have different nearest
//! nodes and the way from one to the other is more than one or two edges, or a detour of more than
//! a quarter, one or both cells become nodes, too. So the graph has the components of the ground,
//! and its loops.
//!
//! A line is in sight when it touches passable cells alone ([`Clearance::sees`]); how slow they are
//! does not matter here, costs are lengths. When the map changes, a new table is a new
//! [`Waypoints::new`].

use crate::graph::{Csr, Graph, NONE, Search};
use crate::map::{Clearance, Map, Window};
use crate::math::each::Each;
use crate::par;

/// Most nodes of a table: with as many it takes 32 MiB.
pub const MAX_WAYPOINTS: u32 = 4096;

/// How waypoints are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaypointOptions {
    /// How far a cell may be from a node that it sees, in cells.
    pub reach: u32,
    /// Most nodes, up to [`MAX_WAYPOINTS`].
    pub most: u32,
}

impl Default for WaypointOptions {
    /// A reach of 48 cells, 4,096 nodes.
    fn default() -> Self {
        Self { reach: 48, most: MAX_WAYPOINTS }
    }
}

/// Why there are no waypoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WaypointError {
    /// The map needs more nodes than there may be.
    #[error(
        "a map of {cells} passable cells needs more than {most} waypoints at a reach of {reach} \
         cells; a longer reach needs fewer on open ground, winding maps are for portals"
    )]
    TooMany {
        /// Passable cells.
        cells: u32,
        /// Most nodes.
        most: u32,
        /// How far a cell may be from a node.
        reach: u32,
    },
    /// Options out of their range.
    #[error(
        "waypoints take a reach of 1 cell or more and up to 4,096 nodes, not a reach of {reach} and \
         {most} nodes"
    )]
    Options {
        /// How far a cell may be from a node.
        reach: u32,
        /// Most nodes.
        most: u32,
    },
}

/// Detours between neighbouring nodes are at most one part in so many.
const DETOUR: u32 = 4;

/// No node, in the rows of cells and of the table.
const NOWHERE: u16 = u16::MAX;

/// The waypoints of a class and the table of next hops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoints {
    stride: u32,
    /// The cell of every node, a padded index.
    cells: Vec<u32>,
    graph: Csr,
    /// The nearest node that every cell sees, padded.
    nearest: Vec<u16>,
    /// The node after a on the way to b, at `b · nodes + a`.
    next: Vec<u16>,
}

impl Waypoints {
    /// Places the waypoints of a class of agents on its map, and fills the table in parallel.
    ///
    /// # Errors
    /// [`WaypointError::TooMany`], [`WaypointError::Options`].
    pub fn new(
        map: &Map,
        class: &Clearance,
        options: WaypointOptions,
    ) -> Result<Self, WaypointError> {
        let WaypointOptions { reach, most } = options;
        if reach == 0 || !(1..=MAX_WAYPOINTS).contains(&most) {
            return Err(WaypointError::Options { reach, most });
        }
        let mut placing = Placing::new(class, options);
        placing.cover(map)?;
        placing.join()?;
        let Placing { cells, near, nearest, .. } = placing;
        let edges = |(from, near): (u32, &Vec<(u32, u32)>)| {
            near.iter().map(|&(to, cost)| (from, to, cost)).collect::<Vec<_>>()
        };
        let edges: Vec<_> = (0..).zip(&near).flat_map(edges).collect();
        let graph = Csr::new(cells.len() as u32, &edges);
        let next = table(&graph);
        Ok(Self { stride: class.stride(), cells, graph, nearest, next })
    }

    /// Nodes.
    pub fn node_count(&self) -> u32 {
        self.cells.len() as u32
    }

    /// The cells of the nodes, as padded indices.
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Nodes that see each other; costs are lengths, 256 for one cell.
    pub fn graph(&self) -> &Csr {
        &self.graph
    }

    /// The nearest node that a cell (padded index) sees; `None` where agents cannot stand.
    pub fn nearest(&self, cell: u32) -> Option<u32> {
        let node = *self.nearest.get(cell as usize)?;
        (node != NOWHERE).then_some(u32::from(node))
    }

    /// The node after `from` on the cheapest way to `to`; `None` when there is no way or none left.
    pub fn next(&self, from: u32, to: u32) -> Option<u32> {
        let node = self.next[to as usize * self.cells.len() + from as usize];
        (node != NOWHERE).then_some(u32::from(node))
    }

    /// A way from a cell to another, as padded indices of cells that see each other one after the
    /// other, both ends included, over `path`. Returns its length, 256 for one cell; `None` when
    /// there is no way. Nodes at the ends that can be skipped are.
    pub fn route(&self, class: &Clearance, from: u32, to: u32, path: &mut Vec<u32>) -> Option<u32> {
        path.clear();
        let (mut node, last) = (self.nearest(from)?, self.nearest(to)?);
        if node != last {
            self.next(node, last)?;
        }
        path.push(from);
        loop {
            let cell = self.cells[node as usize];
            // A later node in sight of the start makes the ones before it needless.
            while path.len() > 1 && path.len() < 3 && class.sees(from, cell, u8::MAX) {
                path.pop();
            }
            path.push(cell);
            if node == last {
                break;
            }
            node = self.next(node, last)?;
        }
        while path.len() > 1 && class.sees(path[path.len() - 2], to, u8::MAX) {
            path.pop();
        }
        path.push(to);
        path.dedup();
        Some(path.windows(2).map(|pair| length(self.stride, pair[0], pair[1])).sum())
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let halves = self.nearest.capacity() + self.next.capacity();
        (2 * halves + 4 * self.cells.capacity()) as u64 + self.graph.bytes()
    }
}

/// Length of the straight line between two cells, 256 for one cell.
fn length(stride: u32, a: u32, b: u32) -> u32 {
    (f64::from(square(stride, a, b)).sqrt() * 256.0 + 0.5).floor() as u32
}

/// The next hops to every node: of the neighbours on a cheapest way, the first one.
fn table(graph: &Csr) -> Vec<u16> {
    let count = graph.node_count();
    let row = |search: &mut Search, to: usize| {
        search.find(graph, &[(to as u32, 0)], |_| false, |_| 0);
        let next = |from: u32| {
            let cost = search.cost(from).filter(|&cost| cost > 0)?;
            let leads = |&&(by, step): &&(u32, u32)| {
                search.cost(by).is_some_and(|left| left + step == cost)
            };
            graph.edges(from).iter().find(leads).map(|&(by, _)| by as u16)
        };
        (0..count).map(|from| next(from).unwrap_or(NOWHERE)).collect::<Vec<u16>>()
    };
    par::map_with(count as usize, 16, Search::default, row).concat()
}

/// Waypoints while they are placed.
struct Placing<'a> {
    class: &'a Clearance,
    options: WaypointOptions,
    cells: Vec<u32>,
    nearest: Vec<u16>,
    /// Squared distance to the nearest node in sight.
    squares: Vec<u32>,
    /// Ends and lengths of every node's edges.
    near: Vec<Vec<(u32, u32)>>,
}

impl<'a> Placing<'a> {
    fn new(class: &'a Clearance, options: WaypointOptions) -> Self {
        let cells = class.slowness().len();
        Self {
            class,
            options,
            cells: Vec::new(),
            nearest: vec![NOWHERE; cells],
            squares: vec![u32::MAX; cells],
            near: Vec::new(),
        }
    }

    /// Makes nodes until every passable cell sees one.
    fn cover(&mut self, map: &Map) -> Result<(), WaypointError> {
        let class = self.class;
        let mut order: Vec<u32> = (0..class.slowness().len() as u32).collect();
        order.retain(|&cell| class.passable(cell));
        let open = |cell: u32| map.wall_distance()[cell as usize];
        order.sort_by_key(|&cell| (std::cmp::Reverse(open(cell)), cell));
        for cell in order {
            if self.nearest[cell as usize] == NOWHERE {
                self.add(cell)?;
            }
        }
        Ok(())
    }

    /// Makes nodes until, wherever cells side by side see different nodes, one or two edges lead
    /// from one node to the other without a long detour. A new node can hide from a cell the one
    /// that it saw before, so this goes on until nothing is left to do.
    fn join(&mut self) -> Result<(), WaypointError> {
        loop {
            let before = self.cells.len();
            for cell in 0..self.class.slowness().len() as u32 {
                for other in [cell + 1, cell + self.class.stride()] {
                    if self.class.passable(cell) && self.class.passable(other) {
                        self.join_at(cell, other)?;
                    }
                }
            }
            if self.cells.len() == before {
                return Ok(());
            }
        }
    }

    /// Joins the nodes that two cells side by side see.
    fn join_at(&mut self, cell: u32, other: u32) -> Result<(), WaypointError> {
        let stride = self.class.stride();
        let [a, b] = [cell, other].each(|cell| u32::from(self.nearest[cell as usize]));
        let [from, to] = [a, b].each(|node| self.cells[node as usize]);
        let across = length(stride, from, cell) + 256 + length(stride, other, to);
        if a == b || self.is_joined(a, b, across + across / DETOUR) {
            return Ok(());
        }
        // It sees both cells and a, but not always b.
        if cell != from {
            self.add(cell)?;
        }
        if other != to && !self.class.sees(cell, to, u8::MAX) {
            self.add(other)?;
        }
        Ok(())
    }

    /// Whether one or two edges of a total length join two nodes.
    fn is_joined(&self, a: u32, b: u32, longest: u32) -> bool {
        let edges = &self.near[a as usize];
        let last = |(by, first): (u32, u32)| {
            self.near[by as usize].iter().any(|&(to, cost)| to == b && first + cost <= longest)
        };
        edges.iter().any(|&(to, _)| to == b) || edges.iter().any(|&edge| last(edge))
    }

    /// Makes a cell a node.
    fn add(&mut self, cell: u32) -> Result<(), WaypointError> {
        let WaypointOptions { reach, most } = self.options;
        let node = self.cells.len() as u32;
        if node == most {
            let cells = self.class.slowness().iter().filter(|&&s| s != 0).count() as u32;
            return Err(WaypointError::TooMany { cells, most, reach });
        }
        let stride = self.class.stride();
        let all = Window::all(self.class.slowness().len() as u32, stride);
        self.near.push(Vec::new());
        // Nodes of two cells side by side, each a reach away.
        let far = 2 * reach + 1;
        for other in 0..node {
            let at = self.cells[other as usize];
            let square = square(stride, cell, at);
            if square <= far * far && self.class.sees(cell, at, u8::MAX) {
                let cost = length(stride, cell, at).max(1);
                self.near[node as usize].push((other, cost));
                self.near[other as usize].push((node, cost));
            }
        }
        self.cells.push(cell);
        for at in Window::around(&[cell], stride).grow(reach).within(all).rows(stride).flatten() {
            let square = square(stride, cell, at);
            let nearer = square < self.squares[at as usize] && square <= reach * reach;
            if nearer && self.class.sees(cell, at, u8::MAX) {
                self.squares[at as usize] = square;
                self.nearest[at as usize] = node as u16;
            }
        }
        Ok(())
    }
}

fn square(stride: u32, a: u32, b: u32) -> u32 {
    let (x, y) = ((a % stride).abs_diff(b % stride), (a / stride).abs_diff(b / stride));
    x * x + y * y
}

const _: () = assert!(MAX_WAYPOINTS < NOWHERE as u32 && NONE > MAX_WAYPOINTS);
