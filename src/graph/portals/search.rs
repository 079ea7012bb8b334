//! Ways of single units through the portals.

use crate::graph::grid::StepCosts;
use crate::graph::portals::local::{SEED, STEPS};
use crate::graph::portals::{CELLS, Layout, LocalSearch, Portals, UNREACHED};
use crate::graph::{Graph, NONE, Search};
use crate::map::Clearance;
use crate::math::each::Each;

/// A way that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refined {
    /// What the way costs, 256 for a straight step on plain ground.
    pub cost: u32,
    /// What it would cost through the cells that stand for the portals; never less.
    pub coarse: u32,
    /// Portals on the way.
    pub portals: u32,
}

/// Memory of searches through portals, used again and again.
#[derive(Clone, Debug, Default)]
pub struct PortalSearch {
    search: Search,
    local: LocalSearch,
    starts: Vec<(u32, u32)>,
    /// What it costs from every portal of the goal's sector, by its place, to the goal.
    ends: Vec<u32>,
    nodes: Vec<u32>,
    /// The window steps of every leg.
    legs: Vec<u8>,
    sectors: Vec<u32>,
    /// Cells that a leg begins at, and at what cost.
    crossing: Vec<(u32, u32)>,
}

/// The portals and, as the last node, the goal.
struct Query<'a> {
    portals: &'a Portals,
    sector: u32,
    ends: &'a [u32],
}

impl Graph for Query<'_> {
    fn node_count(&self) -> u32 {
        self.portals.node_count() + 1
    }

    fn each_edge(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        if node == self.portals.node_count() {
            return;
        }
        let layout = self.portals.layout();
        if layout.sides(node).iter().any(|&(sector, _)| sector == self.sector) {
            let end = self.ends[layout.place(self.sector, node) as usize];
            if end != UNREACHED {
                visit(self.portals.node_count(), end + self.portals.half(node));
            }
        }
        self.portals.each_edge(node, visit);
    }
}

impl PortalSearch {
    /// A way from a cell to another (padded indices), start first, over `path`; `None` when there
    /// is no way. The portals are those of the class.
    pub fn find(
        &mut self,
        portals: &Portals,
        class: &Clearance,
        start: u32,
        goal: u32,
        path: &mut Vec<u32>,
    ) -> Option<Refined> {
        path.clear();
        if !class.same_component(start, goal) {
            return None;
        }
        let layout = portals.layout();
        let end = layout.sector(goal);
        self.local.load(class, layout, end);
        self.local.seed(layout.window_index(goal, end), 0);
        self.local.octile();
        self.ends.clear();
        each_portal(&self.local, layout, end, |_, cost| self.ends.push(cost));
        let begin = layout.sector(start);
        self.local.load(class, layout, begin);
        self.local.seed(layout.window_index(start, begin), 0);
        self.local.octile();
        self.starts.clear();
        each_portal(&self.local, layout, begin, |node, cost| {
            if cost != UNREACHED {
                self.starts.push((node, cost + portals.half(node)));
            }
        });
        let last = portals.node_count();
        if begin == end {
            let cost = self.local.distance(layout.window_index(goal, end));
            if cost != UNREACHED {
                self.starts.push((last, cost));
            }
        }
        let query = Query { portals, sector: end, ends: &self.ends };
        let estimate = |node| if node == last { 0 } else { left(class, layout, node, goal) };
        let found = self.search.find(&query, &self.starts, |node| node == last, estimate)?;
        self.search.path(found.node, &mut self.nodes);
        self.nodes.pop();
        let cost = self.refine(layout, class, start, goal, path);
        Some(Refined { cost, coarse: found.cost, portals: self.nodes.len() as u32 })
    }

    /// The cheapest way of cells through the portals that were found, any pair of each.
    fn refine(
        &mut self,
        layout: &Layout,
        class: &Clearance,
        start: u32,
        goal: u32,
        path: &mut Vec<u32>,
    ) -> u32 {
        let Self { local, nodes, legs, sectors, crossing, .. } = self;
        let slowness = class.slowness();
        let stride = layout.stride();
        let mut sector = layout.sector(start);
        crossing.clear();
        legs.clear();
        sectors.clear();
        for leg in 0..=nodes.len() {
            local.load(class, layout, sector);
            if leg == 0 {
                local.seed(layout.window_index(start, sector), 0);
            }
            for &(cell, cost) in crossing.iter() {
                local.seed(layout.window_index(cell, sector), cost);
            }
            local.octile();
            legs.extend_from_slice(&local.steps);
            sectors.push(sector);
            crossing.clear();
            let Some(&node) = nodes.get(leg) else { break };
            let portal = layout.portal(node);
            let next = layout.other_sector(node, sector);
            for place in 0..portal.count() {
                let mut pair = portal.pair(place, stride);
                if layout.sector(pair[0]) != sector {
                    pair.reverse();
                }
                let here = local.distance(layout.window_index(pair[0], sector));
                if here != UNREACHED {
                    let [a, b] = pair.each(|cell| slowness[cell as usize]);
                    crossing.push((pair[1], here + StepCosts::FINE.between(a, b).straight));
                }
            }
            sector = next;
        }
        let cost = local.distance(layout.window_index(goal, sector));
        self.trace(layout, goal, path);
        cost
    }

    /// Follows the steps of all legs back from the goal.
    fn trace(&self, layout: &Layout, goal: u32, path: &mut Vec<u32>) {
        let mut cell = goal;
        for leg in (0..self.sectors.len()).rev() {
            let sector = self.sectors[leg];
            let steps = &self.legs[leg * CELLS..][..CELLS];
            let mut at = layout.window_index(cell, sector);
            loop {
                path.push(layout.padded_index(at, sector));
                let step = steps[at];
                if step == SEED {
                    break;
                }
                at = at.wrapping_add_signed(-STEPS[usize::from(step)]);
            }
            if leg > 0 {
                // Across the border to the leg before.
                let portal = layout.portal(self.nodes[leg - 1]);
                let here = layout.padded_index(at, sector);
                let [a, b] = portal.pair(0, layout.stride());
                let near = layout.sector(a) == sector;
                cell = if near { here + (b - a) } else { here - (b - a) };
            }
        }
        path.reverse();
    }

    /// Portals that the last search expanded.
    pub fn expansions(&self) -> u32 {
        self.search.expansions()
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let words = self.ends.capacity() + self.nodes.capacity() + self.sectors.capacity();
        let pairs = self.starts.capacity() + self.crossing.capacity();
        let lists = 4 * words + 8 * pairs + self.legs.capacity();
        self.search.bytes() + self.local.bytes() + lists as u64
    }
}

/// Calls `visit` with every portal of a sector and its distance in the sector's window.
fn each_portal(local: &LocalSearch, layout: &Layout, sector: u32, mut visit: impl FnMut(u32, u32)) {
    for node in layout.nodes(sector).into_iter().flatten() {
        let cell = layout.window_index(layout.cell_in(sector, node), sector);
        visit(node, local.distance(cell));
    }
}

/// What is left from a portal to the goal at least: the octile distance on the least slowness from
/// the nearer side.
fn left(class: &Clearance, layout: &Layout, node: u32, goal: u32) -> u32 {
    let least = class.least();
    let costs = StepCosts::FINE.between(least, least);
    let stride = layout.stride();
    let octile = |cell: u32| {
        let across = (cell % stride).abs_diff(goal % stride);
        costs.octile(across, (cell / stride).abs_diff(goal / stride))
    };
    layout.sides(node).into_iter().map(|(_, cell)| octile(cell)).min().unwrap_or(0)
}

const _: () =
    assert!(NONE == UNREACHED, "costs between portals are taken from windows as they are");
