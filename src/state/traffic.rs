//! Sources, sinks, varieties and choices of an image, checked before they are taken on.

use crate::data::GroupId;
use crate::lane::Numbers;
use crate::map::Map;
use crate::map::area::Shape;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::kept::{Kept, expect_lists};
use crate::world::{
    Comers, Exits, Following, Group, MAX_COMERS, MAX_SINKS, MAX_SOURCES, MAX_TRAIL, Sink, Source,
    Traffic, Variety, WorldError,
};

/// The traffic of a state with these groups on a map.
pub(super) fn traffic<N: Numbers>(
    kept: &Kept<'_, N>,
    groups: &[Group<N>],
    map: &Map,
) -> Result<Traffic, SnapshotError> {
    let is_there = |id: GroupId| {
        let row = groups.get(usize::from(id));
        row.is_some_and(|row| row.generation == id.generation() && !row.is_removed)
    };
    let varieties = kept.varieties.0.clone();
    for variety in &varieties {
        check_variety(variety, groups, is_there(variety.group))?;
    }
    let choices = kept.choices.0.clone();
    for choice in &choices {
        check_choice(choice, groups, is_there(choice.group))?;
    }
    let followings = kept.followings.0.clone();
    for own in &followings {
        check_following(own, is_there(own.group), map)?;
    }
    let traffic = Traffic {
        sources: sources(kept, is_there)?,
        sinks: sinks(kept)?,
        varieties,
        choices,
        followings,
        ..Traffic::default()
    };
    Ok(traffic)
}

fn sources<N: Numbers>(
    kept: &Kept<'_, N>,
    is_there: impl Fn(GroupId) -> bool,
) -> Result<Vec<Source>, SnapshotError> {
    let (parts, comers) = (&kept.sources.0, &kept.comers.0);
    expect_lists("sources", parts.len(), [comers.len()])?;
    if parts.len() > MAX_SOURCES {
        return Err(contradiction(format!("{} sources are too many", parts.len())));
    }
    let mut sources = Vec::new();
    for ((group, area, def), &comers) in parts.iter().zip(comers) {
        def.check().map_err(wrong)?;
        check_area(area)?;
        let Comers { since, due, entered, closed } = comers;
        let counts = entered <= due && due <= u64::from(MAX_COMERS) && since <= kept.tick();
        if !counts || !(closed || is_there(*group)) || (closed && due != entered) {
            return Err(contradiction("a source has not come so far"));
        }
        sources.push(Source { group: *group, area: area.clone(), def: def.clone(), comers });
    }
    Ok(sources)
}

fn sinks<N: Numbers>(kept: &Kept<'_, N>) -> Result<Vec<Sink>, SnapshotError> {
    let sinks = kept.sinks.0.clone();
    if sinks.len() > MAX_SINKS {
        return Err(contradiction(format!("{} sinks are too many", sinks.len())));
    }
    sinks.iter().try_for_each(|sink| check_area(sink.area()))?;
    Ok(sinks)
}

pub(super) fn check_area(area: &[Shape]) -> Result<(), SnapshotError> {
    let wrong = area.iter().find_map(|shape| shape.validate().err());
    match wrong {
        Some(error) => Err(contradiction(error.to_string())),
        None if area.is_empty() => Err(contradiction("an area has no shape")),
        None => Ok(()),
    }
}

fn check_variety<N: Numbers>(
    variety: &Variety,
    groups: &[Group<N>],
    is_there: bool,
) -> Result<(), SnapshotError> {
    if !is_there {
        return Err(contradiction(format!("agents of group {}, which is none", variety.group)));
    }
    variety.def.check(&groups[usize::from(variety.group)].def).map_err(wrong)
}

fn check_choice<N: Numbers>(
    choice: &Exits,
    groups: &[Group<N>],
    is_there: bool,
) -> Result<(), SnapshotError> {
    choice.def.check().map_err(wrong)?;
    let is_party = |&party: &u16| {
        let row = groups.get(usize::from(party));
        row.is_some_and(|row| row.detached_from == Some(choice.group.index()))
    };
    let mut parties = choice.parties.clone();
    parties.sort_unstable();
    parties.dedup();
    let is_sound = is_there
        && parties.len() == choice.def.exits.len()
        && choice.parties.len() == parties.len()
        && parties.iter().all(is_party);
    if !is_sound {
        return Err(contradiction(format!("group {} chooses among no exits", choice.group)));
    }
    choice.def.exits.iter().try_for_each(|exit| check_area(&exit.area))
}

fn check_following(own: &Following, is_there: bool, map: &Map) -> Result<(), SnapshotError> {
    own.def.check().map_err(wrong)?;
    let cells = map.slowness().len();
    let is_trail = |cells_of: &[u32]| {
        (1..=MAX_TRAIL).contains(&cells_of.len())
            && cells_of.iter().all(|&cell| (cell as usize) < cells)
    };
    let is_sound = is_there
        && own.trails.iter().all(|trail| is_trail(&trail.cells))
        && own.trails.is_sorted_by(|a, b| a.leader < b.leader);
    match is_sound {
        true => Ok(()),
        false => Err(contradiction(format!("group {} follows nobody", own.group))),
    }
}

fn wrong(error: WorldError) -> SnapshotError {
    contradiction(error.to_string())
}
