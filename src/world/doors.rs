//! The doors of a world, and the map on which those that are closed are walls.

use std::borrow::Cow;
use std::sync::Arc;

use crate::data::DoorId;
use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::map::{self, Clearance, Map};
use crate::world::door::closed_cells;
use crate::world::{Door, Ground, World};

impl<N: Numbers> Ground<N> {
    /// The slowness of every cell for a class; closed doors are walls.
    pub(crate) fn standable<'a>(&self, class: &'a Clearance) -> Cow<'a, [u8]> {
        let mut slowness = Cow::Borrowed(class.slowness());
        for cell in closed_cells(&self.doors) {
            slowness.to_mut()[cell as usize] = 0;
        }
        slowness
    }

    /// Takes on doors in place of those that there are, and returns the former ones, with their map.
    pub(crate) fn replace_doors(
        &mut self,
        doors: Vec<Door>,
        barred: Option<Arc<Map>>,
    ) -> (Vec<Door>, Option<Arc<Map>>) {
        (std::mem::replace(&mut self.doors, doors), std::mem::replace(&mut self.barred, barred))
    }

    /// Opens or closes a door; returns the cells that have become walls, ascending.
    pub(crate) fn set_door(&mut self, door: usize, is_open: bool) -> Vec<u32> {
        let before = closed_cells(&self.doors);
        self.doors[door].is_open = is_open;
        let after = closed_cells(&self.doors);
        if after.is_empty() {
            self.barred = None;
            return Vec::new();
        }
        let map = &*self.map;
        let is_in = |list: &[u32], cell: u32| list.binary_search(&cell).is_ok();
        let closes = after.iter().filter(|&&cell| !is_in(&before, cell));
        let closes = closes.map(|&cell| (cell, map::Ground::WALL));
        let opens = before.iter().filter(|&&cell| !is_in(&after, cell));
        let opens = opens.map(|&cell| (cell, map.ground(cell)));
        let changed: Vec<_> = closes.chain(opens).collect();
        let barred = self.barred.get_or_insert_with(|| Arc::clone(&self.map));
        let is_new = |&(cell, ground): &(u32, map::Ground)| {
            ground == map::Ground::WALL && barred.slowness()[cell as usize] != 0
        };
        let walls = changed.iter().filter(|new| is_new(new)).map(|&(cell, _)| cell).collect();
        Arc::make_mut(barred).change(&changed);
        walls
    }

    /// Cells of the map have changed (padded indices, each once): so do they where doors are walls.
    pub(super) fn bar_again(&mut self, cells: &[(u32, map::Ground)]) {
        let Some(barred) = &mut self.barred else { return };
        let closed = closed_cells(&self.doors);
        let is_closed = |&(cell, _): &(u32, _)| closed.binary_search(&cell).is_ok();
        let cells: Vec<_> = cells.iter().filter(|cell| !is_closed(cell)).copied().collect();
        Arc::make_mut(barred).change(&cells);
    }
}

impl<N: Numbers> World<N> {
    /// The doors, in the order they were added. On the map ([`World::map`]) they are open ground.
    pub fn doors(&self) -> &[Door] {
        &self.ground.doors
    }

    /// The map as it stops agents and shots: as [`World::map`], with closed doors as walls.
    pub fn solid_map(&self) -> &Map {
        self.ground.solid()
    }

    /// Adds an open door.
    pub(crate) fn add_door(&mut self, area: &[Shape]) -> DoorId {
        let door = Door::new(&self.ground.map, area.to_vec(), true);
        self.ground.doors.push(door);
        DoorId::new(self.ground.doors.len() as u16 - 1)
    }
}
