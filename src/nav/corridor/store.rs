//! The tiles that are held, in the order of use.

use crate::graph::NONE;
use crate::graph::use_order::UseOrder;
use crate::nav::corridor::tile::TILE;

/// A tile.
#[derive(Clone, Debug, Default)]
pub(super) struct Tile {
    /// Slot of its corridor.
    pub(super) corridor: u32,
    pub(super) sector: u32,
    /// Counts what the tile was used for, so that what waits for an earlier use is known as stale.
    serial: u32,
    /// Whether it is to be made or made again.
    pub(super) waits: bool,
    /// Whether cells that it depends on have changed since it was made.
    pub(super) dirty: bool,
    /// A hash of the distances it was made from.
    pub(super) inputs: u64,
    pub(super) used: u64,
    /// Empty until it is made.
    pub(super) directions: Vec<u32>,
}

/// Tiles by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    pub(super) tiles: Vec<Tile>,
    free: Vec<u32>,
    order: UseOrder,
    /// Tiles to be made, in the order in which they were asked for, with their serials.
    queue: Vec<(u32, u32)>,
    /// Memory for directions that no tile uses.
    spare: Vec<Vec<u32>>,
}

/// Bytes of a tile, with its place in the order of use.
pub(super) const TILE_BYTES: u64 = DIRECTIONS_BYTES + (size_of::<Tile>() + 8) as u64;

/// Bytes of a tile's directions.
const DIRECTIONS_BYTES: u64 = 4 * TILE as u64;

impl Store {
    /// Tiles in use.
    pub(super) fn len(&self) -> u32 {
        (self.tiles.len() - self.free.len()) as u32
    }

    /// Bytes held, without the rows of tiles that are gone; a tile counts whole before it is made.
    pub(super) fn bytes(&self) -> u64 {
        let spare = self.spare.len() as u64 * DIRECTIONS_BYTES;
        u64::from(self.len()) * TILE_BYTES + spare
    }

    /// Bytes that one more tile takes beside what is held.
    pub(super) fn bytes_for_one(&self) -> u64 {
        if self.spare.is_empty() { TILE_BYTES } else { TILE_BYTES - DIRECTIONS_BYTES }
    }

    /// Frees memory that no tile uses; `false` when there is none.
    pub(super) fn drop_spare(&mut self) -> bool {
        self.spare.pop().is_some()
    }

    /// Adds a tile, newest in use, and lets it wait.
    pub(super) fn add(&mut self, corridor: u32, sector: u32, tick: u64) -> u32 {
        let at = self.free.pop().unwrap_or_else(|| {
            self.tiles.push(Tile::default());
            self.tiles.len() as u32 - 1
        });
        let tile = &mut self.tiles[at as usize];
        (tile.corridor, tile.sector, tile.used) = (corridor, sector, tick);
        tile.serial = tile.serial.wrapping_add(1);
        (tile.waits, tile.dirty) = (false, false);
        tile.directions = self.spare.pop().unwrap_or_default();
        self.order.add(at);
        self.enqueue(at);
        at
    }

    /// Lets a tile wait to be made, if it does not.
    pub(super) fn enqueue(&mut self, at: u32) {
        let tile = &mut self.tiles[at as usize];
        if !tile.waits {
            tile.waits = true;
            self.queue.push((at, tile.serial));
        }
    }

    /// Takes those of the first tiles that wait for which `take` says so, at most `most`; their
    /// directions are handed over.
    pub(super) fn dequeue(
        &mut self,
        most: u32,
        take: impl Fn(&Tile) -> bool,
        mut each: impl FnMut(u32, &mut Tile),
    ) {
        let Self { tiles, queue, .. } = self;
        let mut taken = 0;
        queue.retain(|&(at, serial)| {
            let tile = &mut tiles[at as usize];
            if tile.serial != serial || !tile.waits {
                return false;
            }
            if taken == most || !take(tile) {
                return true;
            }
            taken += 1;
            tile.waits = false;
            each(at, tile);
            false
        });
    }

    /// Tiles that wait.
    pub(super) fn waiting(&self) -> u32 {
        let waits = |&&(at, serial): &&(u32, u32)| {
            let tile = &self.tiles[at as usize];
            tile.waits && tile.serial == serial
        };
        self.queue.iter().filter(waits).count() as u32
    }

    /// Notes that a tile is used.
    pub(super) fn touch(&mut self, at: u32, tick: u64) {
        let tile = &mut self.tiles[at as usize];
        tile.used = tile.used.max(tick);
        self.order.touch(at);
    }

    /// Gives back the tile used longest ago, if that was before a tick, and returns its corridor
    /// and sector.
    pub(super) fn evict(&mut self, tick: u64) -> Option<(u32, u32)> {
        let at = self.order.oldest();
        let tile = self.tiles.get(at as usize).filter(|tile| tile.used < tick)?;
        let place = (tile.corridor, tile.sector);
        self.remove(at);
        Some(place)
    }

    /// Gives a tile back.
    pub(super) fn remove(&mut self, at: u32) {
        self.order.remove(at);
        let tile = &mut self.tiles[at as usize];
        tile.corridor = NONE;
        tile.serial = tile.serial.wrapping_add(1);
        tile.waits = false;
        let mut directions = std::mem::take(&mut tile.directions);
        if directions.capacity() > 0 {
            directions.clear();
            self.spare.push(directions);
        }
        self.free.push(at);
    }
}
