//! The portals of a map with any-angle costs between them.

use crate::graph::portals::{Layout, LocalSearch};
use crate::map::Clearance;
use crate::nav::corridor::integrate;
use rayon::prelude::*;

/// What distances from portal to portal are made of. A way is followed from its goal, so costs are
/// those of coming from a portal's seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ways {
    pub(super) layout: Layout,
    /// What crossing every portal costs at most.
    crossings: Vec<u32>,
    /// For every sector a square: distance, inside it, of the cell that stands for portal b, seeded
    /// from portal a, at `a · portals + b`.
    costs: Vec<Vec<u32>>,
}

impl Ways {
    /// Cuts a map, in parallel over the sectors.
    pub(super) fn new(class: &Clearance) -> Self {
        let layout = Layout::new(class);
        let sectors = 0..layout.sectors();
        let costs = |local: &mut LocalSearch, sector| costs(class, &layout, sector, local);
        let costs = sectors.into_par_iter().map_init(LocalSearch::default, costs).collect();
        let crossings = crossings(class, &layout);
        Self { layout, crossings, costs }
    }

    /// Brings everything up to date after cells of the class have changed; returns the sectors that
    /// were made again, ascending.
    pub(super) fn repair(&mut self, class: &Clearance, changed: &[u32]) -> Vec<u32> {
        let touched = self.layout.repair(class, changed);
        let layout = &self.layout;
        let again = |local: &mut LocalSearch, &sector: &u32| costs(class, layout, sector, local);
        let made: Vec<_> = touched.par_iter().map_init(LocalSearch::default, again).collect();
        for (&sector, costs) in touched.iter().zip(made) {
            self.costs[sector as usize] = costs;
        }
        self.crossings = crossings(class, &self.layout);
        touched
    }

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

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let row = |costs: &Vec<u32>| (4 * costs.capacity() + size_of::<Vec<u32>>()) as u64;
        let costs: u64 = self.costs.iter().map(row).sum();
        self.layout.bytes() + costs + 4 * self.crossings.capacity() as u64
    }
}

fn crossings(class: &Clearance, layout: &Layout) -> Vec<u32> {
    (0..layout.node_count()).map(|node| integrate::crossing(class, layout, node)).collect()
}

/// Costs between the portals of a sector.
fn costs(class: &Clearance, layout: &Layout, sector: u32, local: &mut LocalSearch) -> Vec<u32> {
    let nodes = || layout.nodes(sector).into_iter().flatten();
    let count = nodes().count();
    let mut costs = Vec::with_capacity(count * count);
    if count == 0 {
        return costs;
    }
    local.load(class, layout, sector);
    for node in nodes() {
        local.clear();
        integrate::seed_portal(local, class, layout, sector, (node, 0));
        integrate::integrate(local);
        let at = |node| layout.window_index(layout.cell_in(sector, node), sector);
        costs.extend(nodes().map(|to| local.distance(at(to))));
    }
    costs
}
