//! Ground that is closed at times.

use crate::data::DoorId;
use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::sim::Simulation;
use crate::world::{Order, Outcome, Refusal};

impl<N: Numbers> Simulation<N> {
    /// Adds a door ([`World::doors`](crate::World::doors)): ways lead through it, and agents wait before it
    /// while it is closed. Walls in its area are taken down.
    ///
    /// # Errors
    /// When the area has no cell of the map, or is to be closed and no open cell would be left.
    pub fn add_door(&mut self, area: impl Into<Vec<Shape>>, open: bool) -> Result<DoorId, Refusal> {
        match self.add(Order::Door { area: area.into(), open })? {
            Outcome::Door(door) => Ok(door),
            outcome => unreachable!("a door is added, not {outcome:?}"),
        }
    }

    /// Opens or closes a door; agents in it when it closes are moved to the nearest open cell.
    /// Returns how many.
    ///
    /// # Errors
    /// When there is no such door, it is so already, or no open cell would be left.
    pub fn set_door(&mut self, door: DoorId, open: bool) -> Result<u32, Refusal> {
        self.order(Order::SetDoor { door, open })
    }
}
