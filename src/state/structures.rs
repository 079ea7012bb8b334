//! Structures of an image, checked before they are taken on.

use crate::data::sets;
use crate::lane::Numbers;
use crate::map::Map;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::kept::{Kept, expect_lists};
use crate::state::traffic::check_area;
use crate::world::{Condition, MAX_STRUCTURES, Structure, Structures};

/// The structures of a state on a map, with so many groups.
pub(super) fn structures<N: Numbers>(
    kept: &Kept<'_, N>,
    map: &Map,
    groups: usize,
) -> Result<Structures, SnapshotError> {
    let (parts, conditions, walls) = (&kept.structures.0, &kept.conditions.0, &kept.walls);
    expect_lists("structures", parts.len(), [conditions.len(), walls.len()])?;
    if parts.len() > MAX_STRUCTURES {
        return Err(contradiction(format!("{} structures are too many", parts.len())));
    }
    let mut list = Vec::new();
    for (index, ((area, def), &condition)) in parts.iter().zip(conditions).enumerate() {
        def.check().map_err(|error| contradiction(error.to_string()))?;
        check_area(area)?;
        let Condition { health, fell } = condition;
        let cells: Vec<u32> = walls[index].iter().collect();
        let is_wall = |&cell: &u32| is_wall(map, cell);
        let is_sound = (0.0..=def.health).contains(&health)
            && fell.is_some() == cells.is_empty()
            && fell.is_none_or(|tick| health == 0.0 && tick <= kept.tick())
            && cells.is_sorted_by(|a, b| a < b)
            && cells.iter().all(is_wall);
        if !is_sound {
            return Err(contradiction(format!("structure {index} does not stand so")));
        }
        list.push(Structure { area: area.clone(), def: def.clone(), condition, cells });
    }
    let count: usize = list.iter().map(|structure| structure.cells.len()).sum();
    if sets::distinct(list.iter().flat_map(|own| own.cells.iter().copied())).len() != count {
        return Err(contradiction("two structures share a wall"));
    }
    let attacks = kept.attacks.0.clone();
    let in_order = attacks.is_sorted_by(|a, b| a.group < b.group);
    let known = attacks.iter().all(|attack| {
        usize::from(attack.group) < groups && usize::from(attack.structure) < list.len()
    });
    if !in_order || !known {
        return Err(contradiction("a group attacks no structure"));
    }
    let ways = attacks.iter().flat_map(|attack| [&attack.to, &attack.then]);
    ways.filter(|shapes| !shapes.is_empty()).try_for_each(|shapes| check_area(shapes))?;
    Ok(Structures::restored(list, attacks))
}

/// Whether a padded index is a wall of the map.
fn is_wall(map: &Map, cell: u32) -> bool {
    let inside = (1..=map.width()).contains(&(cell % map.stride()))
        && (1..=map.height()).contains(&(cell / map.stride()));
    inside && map.slowness()[cell as usize] == 0
}
