//! Graphs of maps whose cells are hexagons in rows ([`throng::map::hexagons`]).

use throng::graph::grid::{Neighbours, StepCosts};
use throng::graph::{Graph, Grid, Search};
use throng::map::Clearance;

/// The graph of a map of hexagons.
pub(crate) fn grid(class: &Clearance) -> Grid {
    Grid::with(class, Neighbours::Hex, StepCosts::FINE)
}

/// The fewest steps from one hexagon to another (padded indices), whatever the ground costs.
pub(crate) fn fewest_steps(grid: &Grid, from: u32, to: u32) -> Option<u32> {
    Search::default()
        .find(&Alike(grid), &[(from, 0)], |cell| cell == to, |_| 0)
        .map(|found| found.cost)
}

/// A grid on which every step costs the same.
struct Alike<'a>(&'a Grid);

impl Graph for Alike<'_> {
    fn node_count(&self) -> u32 {
        self.0.node_count()
    }

    fn each_edge(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        self.0.each_edge(node, |to, _| visit(to, 1));
    }
}
