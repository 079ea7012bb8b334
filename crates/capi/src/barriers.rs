//! Doors, which are closed at times, and structures: walls with hit points.

use std::mem::MaybeUninit;

use throng::{Order, either};

use crate::handle::{ThrongSim, answer};
use crate::ids::{ThrongDoorId, ThrongGroupId, ThrongStructureId};
use crate::order::give;
use crate::shape::{ThrongShape, shapes};
use crate::status::ThrongStatus;
use crate::traffic::missing;
use crate::traffic_def::{structure_def, truth};
use crate::traffic_defs::ThrongStructureDef;

/// A door.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongDoor {
    /// Whether it is open: 1 or 0.
    pub is_open: u8,
}

/// A structure.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongStructure {
    /// Whether it stands: 1 or 0.
    pub stands: u8,
    /// Hit points that are left; 0 once it has fallen.
    pub health: f64,
    /// The tick in which it fell, counted from 0; 0 while it stands.
    pub fell: u64,
}

/// Adds a door, open or closed (1 or 0). Ways lead through it in any case, and agents wait before it
/// while it is closed. Walls of the map in its area are taken down.
///
/// # Safety
/// `area` points to `area_count` shapes; `door` is null or points to room for an id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_add_door(
    sim: *mut ThrongSim,
    area: *const ThrongShape,
    area_count: usize,
    is_open: u8,
    door: Option<&mut MaybeUninit<ThrongDoorId>>,
) -> ThrongStatus {
    answer(sim, door, "door", |held| {
        let is_open = truth("is_open", is_open)?;
        // SAFETY: as the caller promises.
        let area = unsafe { shapes(area, area_count)? };
        Ok(either!(held.change(), sim => sim.add_door(area, is_open))?.into())
    })
}

/// Opens or closes a door (1 or 0). Agents in one that closes are moved to the nearest open cell;
/// `touched`, where it is wanted, is how many these are. Refused for one that is so already.
#[unsafe(no_mangle)]
pub extern "C" fn throng_set_door(
    sim: *mut ThrongSim,
    door: ThrongDoorId,
    is_open: u8,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || {
        Ok(Order::SetDoor { door: door.into(), open: truth("is_open", is_open)? })
    })
}

/// A door.
#[unsafe(no_mangle)]
pub extern "C" fn throng_door(
    sim: *const ThrongSim,
    door: ThrongDoorId,
    found: Option<&mut MaybeUninit<ThrongDoor>>,
) -> ThrongStatus {
    answer(sim, found, "found", |held| {
        let doors = either!(&held.sim, sim => sim.world().doors());
        let own = doors.get(usize::from(door.index));
        let own = own.ok_or_else(|| missing("door", door.index))?;
        Ok(ThrongDoor { is_open: own.is_open().into() })
    })
}

/// Adds a structure: the open cells of an area become walls with hit points, which fall when these
/// are gone. Agents there are moved to the nearest open cell.
///
/// # Safety
/// `area` points to `area_count` shapes; `def` is null or whole; `structure` is null or points to
/// room for an id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_add_structure(
    sim: *mut ThrongSim,
    area: *const ThrongShape,
    area_count: usize,
    def: Option<&ThrongStructureDef>,
    structure: Option<&mut MaybeUninit<ThrongStructureId>>,
) -> ThrongStatus {
    answer(sim, structure, "structure", |held| {
        let def = structure_def(def)?;
        // SAFETY: as the caller promises.
        let area = unsafe { shapes(area, area_count)? };
        Ok(either!(held.change(), sim => sim.add_structure(area, def))?.into())
    })
}

/// Has a group go up to a structure and shoot at it while it has no foe to shoot at, until the
/// structure has fallen or the group is sent somewhere or stopped. `touched` may be null.
#[unsafe(no_mangle)]
pub extern "C" fn throng_attack(
    sim: *mut ThrongSim,
    group: ThrongGroupId,
    structure: ThrongStructureId,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || Ok(Order::Attack { group: group.into(), structure: structure.into() }))
}

/// A structure.
#[unsafe(no_mangle)]
pub extern "C" fn throng_structure(
    sim: *const ThrongSim,
    structure: ThrongStructureId,
    found: Option<&mut MaybeUninit<ThrongStructure>>,
) -> ThrongStatus {
    answer(sim, found, "found", |held| {
        let structures = either!(&held.sim, sim => sim.world().structures());
        let own = structures.get(usize::from(structure.index));
        let own = own.ok_or_else(|| missing("structure", structure.index))?;
        Ok(ThrongStructure {
            stands: own.stands().into(),
            health: own.health(),
            fell: own.fell().unwrap_or(0),
        })
    })
}
