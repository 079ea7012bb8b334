//! The work of a tick, and what a changed map asks for.

use crate::graph::NONE;
use crate::map::Clearance;
use crate::nav::corridor::goal_search::GoalSearch;
use crate::nav::corridor::tile::{Source, TileMaker};
use crate::nav::corridor::ways::Ways;
use crate::nav::corridor::{Corridor, Corridors, Stage, TILE_WORK, tile};
use crate::nav::field::Progress;
use crate::par;
/// A worker: a search that may last, and tiles to make in this tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Worker {
    pub(super) maker: TileMaker,
    pub(super) search: GoalSearch,
    /// Slot of the corridor whose search is under way.
    pub(super) corridor: Option<u32>,
    progress: Option<Progress>,
    /// Corridor, sector, tile, and memory for the directions.
    jobs: Vec<(u32, u32, u32, Vec<u32>)>,
}

impl Corridors {
    /// Lets every worker work for a tick, in parallel; what gets done is visible from then on. The
    /// class is the one of [`Corridors::new`] or [`Corridors::repair`].
    pub fn advance(&mut self, class: &Clearance) {
        self.start_searches();
        self.hand_out_tiles();
        let Self { ways, corridors, workers, limits, .. } = self;
        let (ways, corridors) = (&*ways, &*corridors);
        let budget = limits.cells_per_tick.max(1);
        par::each(workers, &|worker| worker.work(ways, class, corridors, budget));
        for worker in 0..self.workers.len() {
            self.collect(class, worker);
        }
    }

    /// Gives the searches that wait to workers that have none.
    fn start_searches(&mut self) {
        for worker in self.workers.iter_mut().filter(|worker| worker.corridor.is_none()) {
            if self.queue.is_empty() {
                return;
            }
            let slot = self.queue.remove(0);
            let corridor = &mut self.corridors[slot as usize];
            corridor.stage = Stage::Searching;
            worker.corridor = Some(slot);
            let distances = std::mem::take(&mut corridor.distances);
            worker.search.start(&self.ways, corridor.goals.seeds(), distances);
        }
    }

    /// Deals the first tiles that can be made to all workers in turn.
    fn hand_out_tiles(&mut self) {
        let Self { store, corridors, workers, limits, .. } = self;
        let count = workers.len();
        let each = (limits.cells_per_tick / TILE_WORK).max(1);
        let mut turn = 0;
        store.dequeue(
            each * count as u32,
            |tile| corridors[tile.corridor as usize].stage == Stage::Ready,
            |at, tile| {
                let directions = std::mem::take(&mut tile.directions);
                workers[turn % count].jobs.push((tile.corridor, tile.sector, at, directions));
                turn += 1;
            },
        );
    }

    /// Takes over what a worker has done.
    fn collect(&mut self, class: &Clearance, worker: usize) {
        let Self { workers, corridors, store, ways, .. } = self;
        let worker = &mut workers[worker];
        for (slot, sector, at, directions) in worker.jobs.drain(..) {
            let tile = &mut store.tiles[at as usize];
            tile.directions = directions;
            tile.dirty = false;
            tile.inputs = tile::inputs(corridors[slot as usize].source(class, ways), sector);
        }
        let Some((slot, true)) = worker.corridor.zip(worker.progress.map(|p| p.done)) else {
            return;
        };
        worker.corridor = None;
        let corridor = &mut corridors[slot as usize];
        corridor.stage = Stage::Ready;
        corridor.distances = std::mem::take(&mut worker.search.distances);
        // After a repair, tiles that depend on nothing that has changed stay as they are.
        for &at in corridor.tiles.iter().filter(|&&at| at != NONE) {
            let tile = &store.tiles[at as usize];
            let source = corridor.source(class, ways);
            if !tile.directions.is_empty()
                && (tile.dirty || tile.inputs != tile::inputs(source, tile.sector))
            {
                store.enqueue(at);
            }
        }
    }

    /// Brings everything up to date after cells of the class (padded indices) have changed: goals
    /// are searched again, and then the tiles that depend on the change are made again, both in the
    /// course of later ticks. Until then the old directions are visible.
    pub fn repair(&mut self, class: &Clearance, changed: &[u32]) {
        if changed.is_empty() {
            return;
        }
        let touched = self.ways.repair(class, changed);
        for tile in &mut self.store.tiles {
            if tile.corridor == NONE {
                continue;
            }
            let around = self.ways.layout.neighbours(tile.sector).into_iter().flatten();
            let mut around = around.chain([tile.sector]);
            tile.dirty |= around.any(|sector| touched.binary_search(&sector).is_ok());
        }
        for worker in &mut self.workers {
            if let Some(slot) = worker.corridor.take() {
                let distances = std::mem::take(&mut worker.search.distances);
                self.corridors[slot as usize].distances = distances;
            }
        }
        self.queue.clear();
        for (slot, corridor) in (0..).zip(&mut self.corridors) {
            if corridor.stage != Stage::Gone {
                corridor.stage = Stage::Waiting;
                self.queue.push(slot);
            }
        }
    }
}

impl Corridor {
    fn source<'a>(&'a self, class: &'a Clearance, ways: &'a Ways) -> Source<'a> {
        Source { class, layout: &ways.layout, goals: &self.goals, distances: &self.distances }
    }
}

impl Worker {
    /// Works on the search, then makes the tiles.
    fn work(&mut self, ways: &Ways, class: &Clearance, corridors: &[Corridor], budget: u32) {
        self.progress = None;
        let Self { maker, search, corridor, jobs, .. } = self;
        if let &mut Some(slot) = corridor {
            let goals = corridors[slot as usize].goals.seeds();
            self.progress = Some(search.advance(ways, class, goals, &mut maker.local, budget));
        }
        for (slot, sector, _, directions) in jobs {
            maker.make(corridors[*slot as usize].source(class, ways), *sector, directions);
        }
    }
}
