//! What it costs to cross portals, and to go from one to another in a sector.

use crate::graph::portals::{Layout, LocalSearch};
use crate::map::Clearance;
use crate::par;
use std::marker::PhantomData;

/// How costs are measured.
pub(crate) trait Measure {
    /// What crossing a portal costs.
    fn crossing(class: &Clearance, layout: &Layout, node: u32) -> u32;

    /// Searches a sector, which is loaded, from a portal.
    fn search(class: &Clearance, layout: &Layout, sector: u32, node: u32, local: &mut LocalSearch);

    /// To how many of a sector's portals, of `count`, costs are kept from the one at a place.
    fn row(place: usize, count: usize) -> usize;
}

/// The portals of a class, and their costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table<M> {
    pub(crate) layout: Layout,
    /// What crossing every portal costs.
    pub(crate) crossings: Vec<u32>,
    /// For every sector the costs from each of its portals to the first [`Measure::row`] of them,
    /// without crossing any; [`NONE`](crate::graph::NONE) where the sector does not join them.
    pub(crate) costs: Vec<Vec<u32>>,
    measure: PhantomData<M>,
}

impl<M: Measure> Table<M> {
    /// Cuts a map, in parallel over the sectors.
    pub(crate) fn new(class: &Clearance) -> Self {
        let layout = Layout::new(class);
        let sectors: Vec<u32> = (0..layout.sectors()).collect();
        let costs = Self::measured(class, &layout, &sectors);
        let crossings = Self::crossings(class, &layout);
        Self { layout, crossings, costs, measure: PhantomData }
    }

    /// Brings everything up to date after cells of the class (padded indices) have changed; returns
    /// the sectors that were searched again, ascending.
    pub(crate) fn repair(&mut self, class: &Clearance, changed: &[u32]) -> Vec<u32> {
        let touched = self.layout.repair(class, changed);
        let made = Self::measured(class, &self.layout, &touched);
        for (&sector, costs) in touched.iter().zip(made) {
            self.costs[sector as usize] = costs;
        }
        self.crossings = Self::crossings(class, &self.layout);
        touched
    }

    fn crossings(class: &Clearance, layout: &Layout) -> Vec<u32> {
        (0..layout.node_count()).map(|node| M::crossing(class, layout, node)).collect()
    }

    /// The costs inside some sectors.
    fn measured(class: &Clearance, layout: &Layout, sectors: &[u32]) -> Vec<Vec<u32>> {
        let costs = |local: &mut LocalSearch, sector: usize| {
            let sector = sectors[sector];
            let nodes = || layout.nodes(sector).into_iter().flatten();
            let at = |node| layout.window_index(layout.cell_in(sector, node), sector);
            let count = nodes().count();
            let rows = nodes().enumerate().map(|(place, node)| (node, M::row(place, count)));
            let mut costs = Vec::with_capacity(rows.clone().map(|(_, row)| row).sum());
            let mut is_loaded = false;
            for (node, row) in rows.filter(|&(_, row)| row > 0) {
                if !std::mem::replace(&mut is_loaded, true) {
                    local.load(class, layout, sector);
                }
                local.clear();
                M::search(class, layout, sector, node, local);
                costs.extend(nodes().take(row).map(|to| local.distance(at(to))));
            }
            costs
        };
        par::map_with(sectors.len(), 4, LocalSearch::default, costs)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let row = |costs: &Vec<u32>| (4 * costs.capacity() + size_of::<Vec<u32>>()) as u64;
        let costs: u64 = self.costs.iter().map(row).sum();
        self.layout.bytes() + costs + 4 * self.crossings.capacity() as u64
    }
}
