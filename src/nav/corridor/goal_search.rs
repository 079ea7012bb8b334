//! How far every portal is from a goal.

use crate::graph::portals::{LocalSearch, UNREACHED};
use crate::map::Clearance;
use crate::nav::corridor::integrate;
use crate::nav::corridor::ways::Ways;
use crate::nav::field::Progress;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Work of integrating one sector, in cells.
pub(super) const SECTOR_WORK: u32 = 1024;

/// Edges between portals that count as one unit of work.
const EDGES_PER_UNIT: u32 = 4;

/// Dijkstra's search over the portals from all goals. It can be stopped after any sector or portal.
#[derive(Clone, Debug, Default)]
pub(super) struct GoalSearch {
    /// Distance of every portal: what is left from either side of it at most.
    pub(super) distances: Vec<u32>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
    /// Sectors with goals that are not integrated yet.
    sectors: Vec<u32>,
}

impl GoalSearch {
    /// Prepares the distances to some goals, ascending cells of the map; `distances` is memory to
    /// use again.
    pub(super) fn start(&mut self, ways: &Ways, goals: &[u32], distances: Vec<u32>) {
        self.distances = distances;
        self.distances.clear();
        self.distances.resize(ways.layout.node_count() as usize, UNREACHED);
        self.open.clear();
        self.sectors.clear();
        self.sectors.extend(goals.iter().filter_map(|&cell| ways.layout.sector_at(cell)));
        self.sectors.sort_unstable();
        self.sectors.dedup();
    }

    /// Works on until done or until `budget` units are used.
    pub(super) fn advance(
        &mut self,
        ways: &Ways,
        class: &Clearance,
        goals: &[u32],
        local: &mut LocalSearch,
        budget: u32,
    ) -> Progress {
        let mut work = 0;
        while work < budget {
            if let Some(sector) = self.sectors.pop() {
                self.start_in(ways, class, goals, local, sector);
                work += SECTOR_WORK;
                continue;
            }
            let Some(Reverse((distance, node))) = self.open.pop() else {
                return Progress { work, done: true };
            };
            work += 1;
            if distance > self.distances[node as usize] {
                continue;
            }
            let Self { distances, open, .. } = self;
            let mut edges = 0;
            ways.each_before(node, |to, cost| {
                edges += 1;
                let new = distance.saturating_add(cost);
                if new < distances[to as usize] {
                    distances[to as usize] = new;
                    open.push(Reverse((new, to)));
                }
            });
            work += edges / EDGES_PER_UNIT;
        }
        Progress { work, done: false }
    }

    /// Seeds the portals of a sector from the goals in it.
    fn start_in(
        &mut self,
        ways: &Ways,
        class: &Clearance,
        goals: &[u32],
        local: &mut LocalSearch,
        sector: u32,
    ) {
        let layout = &ways.layout;
        local.load(class, layout, sector);
        integrate::seed_goals(local, class, layout, sector, goals);
        integrate::integrate(local);
        for node in layout.nodes(sector).into_iter().flatten() {
            let at = layout.window_index(layout.cell_in(sector, node), sector);
            let new = local.distance(at).saturating_add(ways.crossing(node));
            if new < self.distances[node as usize] {
                self.distances[node as usize] = new;
                self.open.push(Reverse((new, node)));
            }
        }
    }

    /// Bytes held, without the distances.
    pub(super) fn bytes(&self) -> u64 {
        (8 * self.open.capacity() + 4 * self.sectors.capacity()) as u64
    }
}
