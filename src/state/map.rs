//! What has changed about the map, and its doors, read from an image.

use crate::lane::Numbers;
use crate::state::SnapshotError;
use crate::state::error::contradiction;
use crate::state::kept::Kept;
use crate::state::traffic::check_area;
use crate::world::{ChangedCell, Changes, Door, MAX_DOORS, World};

/// Reads the changes of a map and checks that they can be made.
pub(super) fn changes<N: Numbers>(
    world: &World<N>,
    kept: &Kept<'_, N>,
) -> Result<Changes, SnapshotError> {
    let (cells, log) = (kept.cells.0.clone(), kept.log.0.clone());
    let map = &world.ground.given_map;
    let (stride, count) = (map.stride(), map.slowness().len() as u32);
    let is_on = |changed: &ChangedCell| {
        let cell = changed.cell;
        let inside = (1..=map.width()).contains(&(cell % stride));
        cell > stride && cell < count - stride && inside
    };
    let all_on = cells.iter().chain(log.iter().map(|past| &past.was)).all(is_on);
    let each_once = cells.is_sorted_by(|a, b| a.cell < b.cell);
    let in_order = log.is_sorted_by(|a, b| (a.version, a.was.cell) < (b.version, b.was.cell));
    let known = log.first().is_none_or(|past| past.version > 0);
    if !all_on || !each_once || !in_order || !known {
        return Err(contradiction("cells of the map have changed in no way that they can"));
    }
    if cells.iter().any(|changed| map.ground(changed.cell) == changed.ground) {
        return Err(contradiction("a cell of the map is listed as changed, but is not"));
    }
    Ok(Changes { cells, log })
}

/// Reads the doors on a map and checks them.
pub(super) fn doors<N: Numbers>(
    world: &World<N>,
    kept: &Kept<'_, N>,
) -> Result<Vec<Door>, SnapshotError> {
    let parts = &kept.doors.0;
    if parts.len() > MAX_DOORS {
        return Err(contradiction(format!("{} doors are too many", parts.len())));
    }
    let mut doors = Vec::new();
    for (area, is_open) in parts {
        check_area(area)?;
        doors.push(Door::new(&world.ground.given_map, area.clone(), *is_open));
    }
    Ok(doors)
}
