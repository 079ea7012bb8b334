//! What may be held: eviction below the cap, and the sum of all bytes.

use crate::graph::NONE;
use crate::map::area::GoalCells;
use crate::nav::corridor::advance::Worker;
use crate::nav::corridor::{Corridor, CorridorError, Corridors, Stage};

/// The thing that room is made for.
#[derive(Clone, Copy)]
pub(super) enum Need {
    /// A tile.
    Tile,
    /// A corridor of so many bytes.
    Goal(u64),
    /// Nothing new: what is there has to fit.
    Nothing,
}

impl Corridors {
    /// A free slot, if possible one with memory.
    pub(super) fn vacant(&mut self) -> u32 {
        let gone = |corridor: &Corridor| corridor.stage == Stage::Gone;
        let spare = self.corridors.iter().position(Corridor::is_spare);
        if let Some(slot) = spare.or_else(|| self.corridors.iter().position(gone)) {
            return slot as u32;
        }
        self.corridors.push(Corridor::default());
        self.corridors.len() as u32 - 1
    }

    /// Makes room below the cap: memory that nothing uses goes, then of the corridors without a
    /// holder the one used longest ago, then the tiles used longest ago. So there is room or not by
    /// what is in use alone, whatever was used before.
    pub(super) fn make_room(
        &mut self,
        need: Need,
        tick: u64,
        keep: Option<u32>,
    ) -> Result<(), CorridorError> {
        loop {
            let slots = 0..self.corridors.len();
            let mut spares = slots.filter(|&slot| self.corridors[slot].is_spare());
            // A new corridor takes the memory of the first one.
            let (bytes, unused) = match need {
                Need::Tile => (self.store.bytes_for_one(), spares.next()),
                Need::Goal(bytes) if spares.next().is_some() => {
                    (bytes - self.rows_bytes(), spares.next())
                }
                Need::Goal(bytes) => (bytes, None),
                Need::Nothing => (0, spares.next()),
            };
            if self.bytes() + bytes <= self.limits.cap_bytes {
                return Ok(());
            }
            match unused {
                Some(slot) => self.corridors[slot].drop_memory(),
                None if self.store.drop_spare() => {}
                None if self.evict(tick, keep) => {}
                _ => {
                    let (cap, corridors) = (self.limits.cap_bytes, self.corridor_count());
                    let tiles = self.store.len();
                    return Err(CorridorError::CapReached { cap, corridors, tiles, bytes });
                }
            }
        }
    }

    /// Evicts what is not in use until all is below the cap, as far as that goes.
    pub(crate) fn trim(&mut self, tick: u64) {
        let _ = self.make_room(Need::Nothing, tick, None);
    }

    /// Evicts a corridor or a tile; `false` when all are in use.
    fn evict(&mut self, tick: u64, keep: Option<u32>) -> bool {
        let free = (0..self.corridors.len() as u32).filter(|&slot| {
            let corridor = &self.corridors[slot as usize];
            let in_use = corridor.holders > 0 || corridor.used >= tick || Some(slot) == keep;
            corridor.stage != Stage::Gone && !in_use
        });
        let key = |&slot: &u32| (self.corridors[slot as usize].used, slot);
        if let Some(oldest) = free.min_by_key(key) {
            self.forget(oldest);
            return true;
        }
        let Some((slot, sector)) = self.store.evict(tick) else { return false };
        self.corridors[slot as usize].tiles[sector as usize] = NONE;
        true
    }

    /// Gives a corridor and its tiles back; its memory stays for the next one.
    fn forget(&mut self, slot: u32) {
        let corridor = &mut self.corridors[slot as usize];
        corridor.stage = Stage::Gone;
        for &tile in corridor.tiles.iter().filter(|&&tile| tile != NONE) {
            self.store.remove(tile);
        }
        corridor.tiles.clear();
        self.queue.retain(|&waiting| waiting != slot);
        for worker in self.workers.iter_mut().filter(|worker| worker.corridor == Some(slot)) {
            worker.corridor = None;
            corridor.distances = std::mem::take(&mut worker.search.distances);
        }
    }

    /// Bytes that the cap counts: tiles, and what is known of the goals.
    pub fn bytes(&self) -> u64 {
        let of = |corridor: &Corridor| match corridor.stage {
            Stage::Gone if corridor.is_spare() => self.rows_bytes(),
            Stage::Gone => 0,
            _ => self.bytes_per_goal(&corridor.goals),
        };
        self.store.bytes() + self.corridors.iter().map(of).sum::<u64>()
    }

    /// Bytes of what is known of some goals.
    pub(super) fn bytes_per_goal(&self, goals: &GoalCells) -> u64 {
        let cells = goals.seeds().len() + goals.area().len();
        (size_of::<Corridor>() + 4 * cells) as u64 + self.rows_bytes()
    }

    /// Bytes of what is known of every portal and every sector.
    fn rows_bytes(&self) -> u64 {
        4 * u64::from(self.layout().node_count() + self.layout().sectors())
    }

    /// Bytes of the graph of portals.
    pub fn graph_bytes(&self) -> u64 {
        self.ways.bytes()
    }

    /// Bytes of the workers' memory.
    pub fn workspace_bytes(&self) -> u64 {
        let of = |worker: &Worker| worker.maker.bytes() + worker.search.bytes();
        self.workers.iter().map(of).sum()
    }
}

impl Corridor {
    /// Whether it is free and holds memory.
    fn is_spare(&self) -> bool {
        self.stage == Stage::Gone && self.tiles.capacity() > 0
    }

    fn drop_memory(&mut self) {
        self.tiles = Vec::new();
        self.distances = Vec::new();
        self.goals = GoalCells::default();
    }
}
