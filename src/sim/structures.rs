//! Walls with hit points.

use crate::data::{GroupId, StructureId};
use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::sim::Simulation;
use crate::world::{Order, Outcome, Refusal, StructureDef};

impl<N: Numbers> Simulation<N> {
    /// Adds a structure: the open cells of an area become walls with hit points
    /// ([`World::structures`](crate::World::structures)). Agents there are moved to the nearest open cell.
    ///
    /// # Errors
    /// When a number is out of range, no cell of the area is open, or no open cell would be left.
    pub fn add_structure(
        &mut self,
        area: impl Into<Vec<Shape>>,
        def: StructureDef,
    ) -> Result<StructureId, Refusal> {
        match self.add(Order::Structure { area: area.into(), def })? {
            Outcome::Structure(structure) => Ok(structure),
            outcome => unreachable!("a structure is added, not {outcome:?}"),
        }
    }

    /// Has a group go up to a structure and shoot at it, until the structure has fallen or the group is
    /// sent somewhere or stopped ([`Order::Attack`]).
    ///
    /// # Errors
    /// When there is no such group or structure, the group has no weapon that harms it, or its agents cannot
    /// get there.
    pub fn attack(&mut self, group: GroupId, structure: StructureId) -> Result<u32, Refusal> {
        self.order(Order::Attack { group, structure })
    }
}
