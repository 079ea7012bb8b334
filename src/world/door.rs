//! Doors: ground that is closed at times. Ways lead through a door whether it is open or not, so agents
//! come up to one that is closed, wait before it, and pass once it opens.

use std::sync::Arc;

use crate::data::sets;
use crate::map::area::{self, Shape};
use crate::map::{self, Map};

/// Most doors of a world.
pub const MAX_DOORS: usize = 1_024;

/// Ground that is closed at times.
#[derive(Clone, Debug, PartialEq)]
pub struct Door {
    pub(crate) area: Vec<Shape>,
    pub(crate) is_open: bool,
    /// Derived from the area: padded indices, ascending.
    cells: Vec<u32>,
}

impl Door {
    /// A door on a map.
    pub(crate) fn new(map: &Map, area: Vec<Shape>, is_open: bool) -> Self {
        let cells = area::cells(map, &area);
        Self { area, is_open, cells }
    }

    /// Where it is, in metres.
    pub fn area(&self) -> &[Shape] {
        &self.area
    }

    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Its cells, as ascending indices into a padded raster of the map ([`Map::cell`]).
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }
}

/// The cells of all doors that are closed, ascending, each once.
pub(crate) fn closed_cells(doors: &[Door]) -> Vec<u32> {
    let closed = doors.iter().filter(|door| !door.is_open);
    sets::distinct(closed.flat_map(|door| door.cells.iter().copied()))
}

/// A map on which closed doors are walls; `None` when all doors are open.
pub(crate) fn barred(map: &Arc<Map>, doors: &[Door]) -> Option<Arc<Map>> {
    let closed = closed_cells(doors);
    let walls: Vec<_> = closed.into_iter().map(|cell| (cell, map::Ground::WALL)).collect();
    (!walls.is_empty()).then(|| {
        let mut barred = Map::clone(map);
        barred.change(&walls);
        Arc::new(barred)
    })
}
