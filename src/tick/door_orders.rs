//! Doors: orders to add, open and close them.

use crate::data::DoorId;
use crate::lane::Numbers;
use crate::map::area::{self, Shape};
use crate::tick::building;
use crate::world::{MAX_DOORS, Outcome, Refusal, World, WorldError};

/// A new door; walls in its area are taken down.
pub(super) fn add<N: Numbers>(
    world: &mut World<N>,
    area: &[Shape],
    open: bool,
) -> Result<Outcome, Refusal> {
    let asked = world.ground.doors.len() as u64 + 1;
    if asked > MAX_DOORS as u64 {
        let error = WorldError::TooMany { what: "doors", asked, most: MAX_DOORS as u64 };
        return Err(Refusal::NoSuchKind(error.to_string()));
    }
    let mut walls = area::cells(&world.ground.map, area);
    if walls.is_empty() {
        let why = "no cell of the map is in the area of the door";
        return Err(Refusal::NoSuchPlace(why.to_owned()));
    }
    if !open {
        building::leaves_ground(world, &walls)?;
    }
    walls.retain(|&cell| world.ground.map.slowness()[cell as usize] == 0);
    if !walls.is_empty() {
        building::take_down(world, walls)?;
    }
    let door = world.add_door(area);
    if !open {
        swing(world, usize::from(door), false);
    }
    Ok(Outcome::Door(door))
}

/// Opens or closes a door, and says how many agents had to move.
pub(super) fn set<N: Numbers>(
    world: &mut World<N>,
    door: DoorId,
    open: bool,
) -> Result<u32, Refusal> {
    let doors = world.ground.doors.len();
    let Some(own) = world.ground.doors.get(usize::from(door)) else {
        let why = format!("there is no door {door}: the world has {doors}");
        return Err(Refusal::NoSuchKind(why));
    };
    if own.is_open == open {
        let how = if open { "open" } else { "closed" };
        return Err(Refusal::NothingChanges(format!("door {door} is {how} already")));
    }
    if !open {
        building::leaves_ground(world, own.cells())?;
    }
    Ok(swing(world, usize::from(door), open))
}

/// A door opens or closes: agents that stand in it then are moved out to the nearest open cell.
fn swing<N: Numbers>(world: &mut World<N>, door: usize, open: bool) -> u32 {
    let walls = world.ground.set_door(door, open);
    if walls.is_empty() { 0 } else { building::clear(world, &walls) }
}
