//! Methods of [`Simulation`]: doors, which are closed at times, and structures, which are walls with hit
//! points.

use serde::Serialize;
use throng::{DoorId, Order, StructureDef, either};
use wasm_bindgen::prelude::*;

use crate::area::read_area;
use crate::definition::read;
use crate::names::Name;
use crate::simulation::Simulation;
use crate::{Result, wrong};

/// A door as it is now.
#[derive(Serialize)]
struct DoorInfo<'a> {
    index: usize,
    name: &'a str,
    open: bool,
}

/// A structure as it is now.
#[derive(Serialize)]
struct StructureInfo<'a> {
    index: usize,
    name: &'a str,
    stands: bool,
    health: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fell: Option<u64>,
}

#[wasm_bindgen]
impl Simulation {
    /// Adds a door, closed unless said otherwise, and returns its index. Ways lead through it whether it is
    /// open or not, and agents wait before it while it is closed. Walls in its area are taken down.
    ///
    /// # Errors
    /// When the name is taken, the area has no cell of the map, or no open cell would be left.
    #[wasm_bindgen(js_name = addDoor)]
    pub fn add_door(
        &mut self,
        name: String,
        #[wasm_bindgen(unchecked_param_type = "Area")] area: JsValue,
        open: Option<bool>,
    ) -> Result<u16> {
        self.names.is_new("door", &name)?;
        let (area, open) = (read_area(area)?, open.unwrap_or(false));
        let added = either!(&mut self.engine, sim => sim.add_door(area, open));
        let index = added.map_err(wrong)?.index();
        self.names.add("door", index, name);
        Ok(index)
    }

    /// Opens or closes a door, and returns how many agents stood in it and were moved out.
    ///
    /// # Errors
    /// When there is no such door, or it is so already.
    #[wasm_bindgen(js_name = setDoor)]
    pub fn set_door(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Name")] door: JsValue,
        open: bool,
    ) -> Result<u32> {
        let name: Name = serde_wasm_bindgen::from_value(door)?;
        let door = DoorId::new(self.names.index("door", &name)?);
        self.give(Order::SetDoor { door, open })
    }

    /// All doors as they are now.
    #[wasm_bindgen(unchecked_return_type = "DoorInfo[]")]
    pub fn doors(&self) -> Result<JsValue> {
        let doors = either!(&self.engine, sim => sim.world().doors());
        let about = doors.iter().enumerate().map(|(index, door)| {
            let name = self.names.at("door", index);
            DoorInfo { index, name, open: door.is_open() }
        });
        Ok(serde_wasm_bindgen::to_value(&about.collect::<Vec<_>>())?)
    }

    /// Adds a structure and returns its index: the open cells of an area become walls with hit points, which
    /// fall when these are gone.
    ///
    /// # Errors
    /// When the name is taken, a number is out of range, or no cell of the area is open.
    #[wasm_bindgen(js_name = addStructure)]
    pub fn add_structure(
        &mut self,
        name: String,
        #[wasm_bindgen(unchecked_param_type = "Area")] area: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "StructureDef")] def: JsValue,
    ) -> Result<u16> {
        self.names.is_new("structure", &name)?;
        let (area, mut structure) = (read_area(area)?, StructureDef::default());
        read(&mut structure, &def, &self.names)?;
        let added = either!(&mut self.engine, sim => sim.add_structure(area, structure));
        let index = added.map_err(wrong)?.index();
        self.names.add("structure", index, name);
        Ok(index)
    }

    /// All structures as they are now, fallen ones too.
    #[wasm_bindgen(unchecked_return_type = "StructureInfo[]")]
    pub fn structures(&self) -> Result<JsValue> {
        let structures = either!(&self.engine, sim => sim.world().structures());
        let about = structures.iter().enumerate().map(|(index, structure)| StructureInfo {
            index,
            name: self.names.at("structure", index),
            stands: structure.stands(),
            health: structure.health(),
            fell: structure.fell(),
        });
        Ok(serde_wasm_bindgen::to_value(&about.collect::<Vec<_>>())?)
    }
}
