//! Methods of simulations: doors, which are closed at times, and structures, which are walls with hit
//! points.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use throng::{DoorId, Order, StructureDef, StructureId, either};

use crate::define::plain;
use crate::errors::OrSaid;
use crate::ids::{Door, Group, Structure};
use crate::shape::area;
use crate::simulation::Simulation;

#[pymethods]
impl Simulation {
    /// Adds a door. Ways lead through it whether it is open or not, and agents wait before it while
    /// it is closed. Walls of the map in its area are taken down.
    #[pyo3(signature = (area_of, open=false))]
    fn add_door(&self, area_of: &Bound<'_, PyAny>, open: bool) -> PyResult<Door> {
        let area = area(area_of)?;
        let mut held = self.look()?;
        Ok(either!(held.change()?, sim => sim.add_door(area, open)).or_said()?.into())
    }

    /// Opens or closes a door, and says how many agents stood in it and were moved out. Refused for
    /// one that is so already.
    fn set_door(&self, door: &Door, open: bool) -> PyResult<u32> {
        self.give(Order::SetDoor { door: door.into(), open })
    }

    /// All doors as they are now: a dict each.
    fn doors<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let held = self.look()?;
        let doors = either!(&held.sim, sim => sim.world().doors());
        let about = (0..).zip(doors).map(|(index, door)| {
            let all = PyDict::new(py);
            all.set_item("door", Door::from(DoorId::new(index)))?;
            all.set_item("open", door.is_open())?;
            Ok(all)
        });
        about.collect()
    }

    /// Adds a structure: the open cells of an area become walls with hit points, which fall when these
    /// are gone. `declared("structure")` lists the keywords.
    #[pyo3(signature = (area_of, **traits))]
    fn add_structure(
        &self,
        area_of: &Bound<'_, PyAny>,
        traits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Structure> {
        let (area, def): (_, StructureDef) = (area(area_of)?, plain(traits)?);
        def.check().or_said()?;
        let mut held = self.look()?;
        Ok(either!(held.change()?, sim => sim.add_structure(area, def)).or_said()?.into())
    }

    /// Has a group go up to a structure and shoot at it while it has no foe to shoot at, until the
    /// structure has fallen or the group is sent somewhere or stopped.
    fn attack(&self, group: &Group, structure: &Structure) -> PyResult<u32> {
        self.give(Order::Attack { group: group.into(), structure: structure.into() })
    }

    /// All structures as they are now, fallen ones too: a dict each.
    fn structures<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let held = self.look()?;
        let structures = either!(&held.sim, sim => sim.world().structures());
        let about = (0..).zip(structures).map(|(index, structure)| {
            let all = PyDict::new(py);
            all.set_item("structure", Structure::from(StructureId::new(index)))?;
            all.set_item("stands", structure.stands())?;
            all.set_item("health", structure.health())?;
            all.set_item("fell", structure.fell())?;
            Ok(all)
        });
        about.collect()
    }
}
