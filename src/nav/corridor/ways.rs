//! The portals of a map with any-angle costs between them.

use crate::graph::portals::{Layout, LocalSearch, Measure, Table};
use crate::map::Clearance;
use crate::nav::corridor::integrate;

/// What distances from portal to portal are made of. A way is followed from its goal: they are
/// the costs of coming from a portal's seeds: of every sector a square, from portal a to the cell that
/// stands for portal b at `a · portals + b`.
pub(super) type Ways = Table<AnyAngle>;

/// What crossings cost at most, and any-angle distances inside sectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnyAngle;

impl Measure for AnyAngle {
    fn crossing(class: &Clearance, layout: &Layout, node: u32) -> u32 {
        integrate::crossing(class, layout, node)
    }

    fn search(class: &Clearance, layout: &Layout, sector: u32, node: u32, local: &mut LocalSearch) {
        integrate::seed_portal(local, class, layout, sector, (node, 0));
        integrate::integrate(local);
    }

    fn row(_: usize, count: usize) -> usize {
        count
    }
}

impl Ways {
    /// Calls `visit` with every portal that can be reached from a portal inside one of its sectors,
    /// and what it costs to come from there and cross it.
    pub(super) fn each_before(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        for (sector, _) in self.layout.sides(node) {
            let nodes = self.layout.nodes(sector);
            let count: usize = nodes.iter().map(|range| range.len()).sum();
            let place = self.layout.place(sector, node) as usize;
            let costs = &self.costs[sector as usize][place * count..][..count];
            for (to, &cost) in nodes.into_iter().flatten().zip(costs) {
                visit(to, cost.saturating_add(self.crossing(to)));
            }
        }
    }

    /// What crossing a portal costs at most.
    pub(super) fn crossing(&self, node: u32) -> u32 {
        self.crossings[node as usize]
    }
}
