//! Corridors: flow fields on large maps, made only where agents are.
//!
//! **What.** The map is cut into sectors joined by portals ([`crate::graph::portals`]). A corridor
//! leads to the goals of a group: it knows how far every portal is from them, by one search over
//! the graph of portals. From that the directions of single sectors, tiles, are made when they are
//! asked for: a tile needs its own sector and the four beside it, nothing else. Directions have the
//! same form as those of whole fields ([`direction`](crate::nav::field::direction)).
//!
//! **What is promised.** Where a goal can be reached, following directions from cell to cell comes
//! nearer at every step, across borders too, and ends at a goal. A way is longer than
//! that of a whole field, which sees the whole map. A tile depends on the map and the goals alone;
//! when it is made depends on what was asked for before, in which order, and on nothing else.
//!
//! **Work** is counted, never timed: each tick a fixed number of workers does a fixed amount each,
//! first on the searches of new goals, then on tiles. **Memory** is capped: tiles used longest ago
//! give way first, then corridors without a holder.
//!
//! ```
//! use throng::map::Map;
//! use throng::nav::corridor::{CorridorLimits, Corridors};
//! use throng::nav::field::{GoalCells, direction};
//!
//! let map = Map::from_slowness(200, 40, 1.0, &[16; 200 * 40]);
//! let class = map.class(0.4);
//! let mut corridors = Corridors::new(&class, CorridorLimits::default());
//! let id = corridors.request(&GoalCells::point(map.index(190, 20)), 0)?;
//! let cell = map.index(5, 20);
//! while !corridors.need(id, cell, 0)? {
//!     corridors.advance(&class);
//! }
//! let (x, y) = direction::unpack(corridors.code(id, cell).unwrap()).unwrap();
//! assert!(x > 16_000 && y.abs() < 2_000);
//! # Ok::<(), throng::nav::corridor::CorridorError>(())
//! ```

mod advance;
mod goal_search;
mod integrate;
mod room;
mod store;
mod tile;
mod ways;

use crate::data::number::plural;
use crate::graph::NONE;
use crate::graph::portals::Layout;
use crate::map::Clearance;
use crate::map::area::GoalCells;
use crate::math::each::Each;
use crate::nav::field::SOLID;
use advance::Worker;
use goal_search::SECTOR_WORK;
use room::Need;
use store::Store;
use ways::Ways;

/// A handle of a corridor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CorridorId {
    slot: u32,
    generation: u32,
}

/// How much memory and work the corridors of a class may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorridorLimits {
    /// Bytes of all tiles (4 KiB each) and of what is known of each goal: 4 bytes a portal and 4
    /// bytes a sector. The graph of portals and the workers' memory come on top.
    pub cap_bytes: u64,
    /// Work that each worker may do in a tick, in cells, on a search and as much on tiles; a tile
    /// is 5 sectors of 1,024 cells.
    pub cells_per_tick: u32,
    /// Workers, 1 to [`MAX_WORKERS`]. It decides when tiles are there, so it never follows the
    /// number of threads.
    pub workers: u32,
}

/// Most workers.
pub const MAX_WORKERS: u32 = 64;

/// Work of a tile, in cells.
const TILE_WORK: u32 = 5 * SECTOR_WORK;

/// Cells from the border at which the sector beyond is asked for, too.
const NEAR: u32 = 4;

impl Default for CorridorLimits {
    /// 64 MiB; 65,536 cells a worker and tick; 8 workers.
    fn default() -> Self {
        Self { cap_bytes: 64 << 20, cells_per_tick: 65_536, workers: 8 }
    }
}

/// Why a corridor or a tile is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CorridorError {
    /// Everything that fits is in use.
    #[error(
        "the cap of {cap} bytes holds {} and {}, all in use, and {bytes} bytes more are asked for; \
         raise the cap",
        plural(u64::from(*corridors), "corridor"),
        plural(u64::from(*tiles), "tile")
    )]
    CapReached {
        /// Bytes that may be held.
        cap: u64,
        /// Corridors that are held.
        corridors: u32,
        /// Tiles used in this tick.
        tiles: u32,
        /// Bytes of what was asked for.
        bytes: u64,
    },
    /// A corridor without goals.
    #[error("a corridor needs at least one goal cell")]
    NoGoal,
    /// A cell that is not on the map.
    #[error("cell {cell} is off the map, which has {cells} cells with its padding")]
    Outside {
        /// The padded index.
        cell: u32,
        /// Cells of a padded raster.
        cells: u32,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// The slot is free.
    #[default]
    Gone,
    /// Its search waits for a worker.
    Waiting,
    /// A worker has its distances.
    Searching,
    Ready,
}

#[derive(Clone, Debug, Default)]
struct Corridor {
    generation: u32,
    stage: Stage,
    holders: u32,
    used: u64,
    hash: u64,
    goals: GoalCells,
    /// Distance of every portal.
    distances: Vec<u32>,
    /// Number of the tile of every sector, or none.
    tiles: Vec<u32>,
}

/// The corridors of a class on one map.
#[derive(Clone, Debug)]
pub struct Corridors {
    limits: CorridorLimits,
    cells: u32,
    ways: Ways,
    corridors: Vec<Corridor>,
    /// Slots of corridors whose search waits.
    queue: Vec<u32>,
    store: Store,
    workers: Vec<Worker>,
}

impl Corridors {
    /// Cuts the map of a class, in parallel; there are no corridors yet.
    ///
    /// # Panics
    /// When the number of workers is out of its range.
    pub fn new(class: &Clearance, limits: CorridorLimits) -> Self {
        let workers = limits.workers;
        assert!((1..=MAX_WORKERS).contains(&workers), "{workers} workers, not 1 to {MAX_WORKERS}");
        Self {
            limits,
            cells: class.slowness().len() as u32,
            ways: Ways::new(class),
            corridors: Vec::new(),
            queue: Vec::new(),
            store: Store::default(),
            workers: vec![Worker::default(); workers as usize],
        }
    }

    /// The corridor to some goals: an existing one if its goals are equal, else a new one at the
    /// end of the queue. It is not held yet.
    ///
    /// # Errors
    /// [`CorridorError::NoGoal`], [`CorridorError::Outside`], [`CorridorError::CapReached`].
    pub fn request(&mut self, goals: &GoalCells, tick: u64) -> Result<CorridorId, CorridorError> {
        self.admit(goals, tick, true)
    }

    /// The same beyond the cap: for corridors that had room once, before their portals became more.
    pub(crate) fn resume(
        &mut self,
        goals: &GoalCells,
        tick: u64,
    ) -> Result<CorridorId, CorridorError> {
        self.admit(goals, tick, false)
    }

    fn admit(
        &mut self,
        goals: &GoalCells,
        tick: u64,
        is_capped: bool,
    ) -> Result<CorridorId, CorridorError> {
        if goals.seeds().is_empty() {
            return Err(CorridorError::NoGoal);
        }
        if let Some(&cell) = goals.area().last().filter(|&&cell| cell >= self.cells) {
            return Err(CorridorError::Outside { cell, cells: self.cells });
        }
        let hash = goals.hash(0);
        let equal = |c: &Corridor| c.stage != Stage::Gone && c.hash == hash && c.goals == *goals;
        if let Some(slot) = self.corridors.iter().position(equal) {
            let corridor = &mut self.corridors[slot];
            corridor.used = corridor.used.max(tick);
            return Ok(CorridorId { slot: slot as u32, generation: corridor.generation });
        }
        if is_capped {
            self.make_room(Need::Goal(self.bytes_per_goal(goals)), tick, None)?;
        }
        let slot = self.vacant();
        let sectors = self.layout().sectors() as usize;
        let corridor = &mut self.corridors[slot as usize];
        corridor.generation = corridor.generation.wrapping_add(1);
        corridor.stage = Stage::Waiting;
        (corridor.holders, corridor.used, corridor.hash) = (0, tick, hash);
        corridor.goals.clone_from(goals);
        corridor.tiles.clear();
        corridor.tiles.resize(sectors, NONE);
        self.queue.push(slot);
        Ok(CorridorId { slot, generation: corridor.generation })
    }

    /// Counts one more holder of a corridor; a held corridor is never evicted, its tiles may be.
    ///
    /// # Panics
    /// When the corridor is gone.
    pub fn hold(&mut self, id: CorridorId) {
        self.corridor_mut(id).holders += 1;
    }

    /// Counts one holder less.
    ///
    /// # Panics
    /// When the corridor is gone or has no holder.
    pub fn release(&mut self, id: CorridorId) {
        let corridor = self.corridor_mut(id);
        assert!(corridor.holders > 0, "a corridor is released as often as it is held");
        corridor.holders -= 1;
    }

    /// Asks for the directions around a cell: those of its sector and of the sectors up to 4 cells
    /// away, and returns whether those of the cell itself are there. They count as used, and are
    /// not evicted before a later tick.
    ///
    /// # Errors
    /// [`CorridorError::Outside`]; [`CorridorError::CapReached`] when the cap leaves no room for
    /// what is asked for in one tick.
    ///
    /// # Panics
    /// When the corridor is gone.
    pub fn need(&mut self, id: CorridorId, cell: u32, tick: u64) -> Result<bool, CorridorError> {
        let corridor = self.corridor_mut(id);
        corridor.used = corridor.used.max(tick);
        let Some(own) = self.layout().sector_at(cell) else {
            return Err(CorridorError::Outside { cell, cells: self.cells });
        };
        let mut last = own;
        let tile = self.touch(id.slot, own, tick)?;
        let stride = self.layout().stride();
        // The cells around that are on the map.
        let ends = |at: u32, last: u32| [at.saturating_sub(NEAR).max(1), (at + NEAR).min(last)];
        let columns = ends(cell % stride, stride - 2);
        let rows = ends(cell / stride, self.cells / stride - 2);
        for corner in rows.into_iter().flat_map(|y| columns.each(|x| y * stride + x)) {
            let sector = self.layout().sector(corner);
            if sector != own && sector != last {
                last = sector;
                self.touch(id.slot, sector, tick)?;
            }
        }
        Ok(!self.store.tiles[tile as usize].directions.is_empty())
    }

    /// The tile of a sector, used in a tick; a new one if there is none.
    fn touch(&mut self, slot: u32, sector: u32, tick: u64) -> Result<u32, CorridorError> {
        let tile = self.corridors[slot as usize].tiles[sector as usize];
        if tile != NONE {
            self.store.touch(tile, tick);
            return Ok(tile);
        }
        self.make_room(Need::Tile, tick, Some(slot))?;
        let tile = self.store.add(slot, sector, tick);
        self.corridors[slot as usize].tiles[sector as usize] = tile;
        Ok(tile)
    }

    fn corridor_mut(&mut self, id: CorridorId) -> &mut Corridor {
        let corridor = &mut self.corridors[id.slot as usize];
        let known = corridor.generation == id.generation && corridor.stage != Stage::Gone;
        assert!(known, "corridor {id:?} is gone: only held corridors stay");
        corridor
    }

    /// The direction of a cell; `None` until its tile is made, and when the corridor is gone.
    pub fn code(&self, id: CorridorId, cell: u32) -> Option<u32> {
        let layout = self.layout();
        let corridor = self.corridors.get(id.slot as usize)?;
        if corridor.generation != id.generation {
            return None;
        }
        let sector = layout.sector_at(cell)?;
        let tile = *corridor.tiles.get(sector as usize)?;
        let tile = self.store.tiles.get(tile as usize)?;
        tile.directions.get(layout.tile_index(cell)).copied()
    }

    /// The directions of a cell, of the cells right of it and below it, and of the one across, for a
    /// bilinear sample; solid where there is no tile. The cell is a padded index and may be padding.
    pub fn codes(&self, id: CorridorId, upper_left: u32) -> [u32; 4] {
        let stride = self.layout().stride();
        let cells = [0, 1, stride, stride + 1].each(|offset| upper_left + offset);
        cells.each(|cell| self.code(id, cell).unwrap_or(SOLID))
    }

    /// The sectors and portals of the map.
    pub fn layout(&self) -> &Layout {
        &self.ways.layout
    }

    /// Corridors that are known.
    pub fn corridor_count(&self) -> u32 {
        self.corridors.iter().filter(|corridor| corridor.stage != Stage::Gone).count() as u32
    }

    /// Tiles in use, made or not.
    pub fn tile_count(&self) -> u32 {
        self.store.len()
    }

    /// Searches and tiles that are not done.
    pub fn pending(&self) -> u32 {
        let open = |corridor: &&Corridor| {
            corridor.stage == Stage::Waiting || corridor.stage == Stage::Searching
        };
        self.corridors.iter().filter(open).count() as u32 + self.store.waiting()
    }
}
