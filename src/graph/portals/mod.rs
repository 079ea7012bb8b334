//! Hierarchical search: the map in sectors, joined by portals.
//!
//! **What.** The map is cut into sectors of 32 × 32 cells. Where a passable cell has a passable
//! neighbour across the border of two sectors, agents can cross; a run of such pairs, cut so that
//! no part is longer than 16 cells, is a portal. Portals are the nodes of a small graph; its edges
//! are the ways from portal to portal inside one sector, at the cost of the cheapest one
//! (Botea, Müller and Schaeffer, "Near optimal hierarchical path-finding", 2004).
//!
//! A search goes from the start to the portals of its sector, over the graph, and from the portals
//! of the goal's sector to the goal. What it finds is then refined: the cheapest way of cells that
//! goes through the same portals, each at any of its cells.
//!
//! **Bound.** Let the cheapest way cross borders c times (a diagonal step over the corner of four
//! sectors counts twice). A crossing is at most 8 cells along its portal away from the cell that
//! stands for it, so going there and back, and a diagonal step made in two straight ones, costs at
//! most 18 straight steps on the slowest ground. So what is found costs at most the optimum
//! + c · 18 · 16 · (greatest slowness), before it is refined and all the more after.

mod layout;
mod local;
mod queue;
mod search;
mod table;

pub use layout::{Layout, Portal, SECTOR};
pub(crate) use local::{CELLS, LocalSearch, SIDE, UNREACHED};
pub use search::{PortalSearch, Refined};
pub(crate) use table::{Measure, Table};

use crate::graph::grid::StepCosts;
use crate::graph::{Graph, NONE};
use crate::map::Clearance;
use crate::math::each::Each;

/// What detours to portals cost at most for every border that the cheapest way crosses, for a
/// greatest slowness.
pub fn slack(greatest: u8) -> u32 {
    18 * 16 * u32::from(greatest)
}

/// The portals of a class of agents, and what it costs to go from one to another in a sector: of the
/// pairs (a, b) with b < a, at `a·(a − 1)/2 + b`. Half of a crossing is counted at each end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portals(Table<Octile>);

/// Half of what crossings cost, and octile distances inside sectors.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Octile;

impl Measure for Octile {
    fn crossing(class: &Clearance, layout: &Layout, node: u32) -> u32 {
        let [a, b] = layout.sides(node).each(|(_, cell)| class.slowness()[cell as usize]);
        StepCosts::FINE.between(a, b).straight / 2
    }

    fn search(_: &Clearance, layout: &Layout, sector: u32, node: u32, local: &mut LocalSearch) {
        local.seed(layout.window_index(layout.cell_in(sector, node), sector), 0);
        local.octile();
    }

    fn row(place: usize, _: usize) -> usize {
        place
    }
}

impl Portals {
    /// Cuts a map, in parallel over the sectors.
    pub fn new(class: &Clearance) -> Self {
        Self(Table::new(class))
    }

    /// Brings everything up to date after cells of the class (padded indices) have changed: the
    /// same as [`Portals::new`], but only the sectors of those cells, and those beside them whose
    /// portals are others now, are searched again.
    pub fn repair(&mut self, class: &Clearance, changed: &[u32]) {
        self.0.repair(class, changed);
    }

    /// Where the portals are.
    pub fn layout(&self) -> &Layout {
        &self.0.layout
    }

    /// Edges, each in both directions.
    pub fn edge_count(&self) -> u64 {
        let joined = |costs: &Vec<u32>| costs.iter().filter(|&&cost| cost != NONE).count() as u64;
        2 * self.0.costs.iter().map(joined).sum::<u64>()
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// Half of what crossing a portal costs.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn half(&self, node: u32) -> u32 {
        self.0.crossings[node as usize]
    }

    /// What it costs to go between two portals of a sector, by their places in the sector, without
    /// crossing them; `None` when the sector does not join them.
    pub fn cost_inside(&self, sector: u32, a: u32, b: u32) -> Option<u32> {
        let (high, low) = (a.max(b) as usize, a.min(b) as usize);
        if high == low {
            return Some(0);
        }
        let cost = self.0.costs[sector as usize][high * (high - 1) / 2 + low];
        (cost != NONE).then_some(cost)
    }
}

impl Graph for Portals {
    fn node_count(&self) -> u32 {
        self.layout().node_count()
    }

    fn each_edge(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        let half = self.half(node);
        for (sector, _) in self.layout().sides(node) {
            let place = self.layout().place(sector, node);
            for (other, to) in (0..).zip(self.layout().nodes(sector).into_iter().flatten()) {
                if to != node
                    && let Some(cost) = self.cost_inside(sector, place, other)
                {
                    visit(to, cost + half + self.half(to));
                }
            }
        }
    }
}
