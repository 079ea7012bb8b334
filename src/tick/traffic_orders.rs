//! Orders about sources, sinks and exits, and about how the agents of a group differ.

use crate::data::{GroupId, SourceId};
use crate::lane::Numbers;
use crate::map::area::{self, Shape};
use crate::nav::navigator::Navigator;
use crate::tick::detachments::check_room;
use crate::tick::{minds, sending};
use crate::world::{
    Exits, ExitsDef, GroupDef, MAX_GROUPS, Outcome, Refusal, SourceDef, VaryDef, World, WorldError,
};

fn refuse(error: WorldError) -> Refusal {
    Refusal::NoSuchKind(error.to_string())
}

/// A new source.
pub(super) fn source<N: Numbers>(
    world: &mut World<N>,
    group: GroupId,
    area: &[Shape],
    def: &SourceDef,
) -> Result<Outcome, Refusal> {
    let base = world.base_group(group.index());
    if base != group.index() {
        let base = world.groups.id(base);
        return Err(Refusal::NoSuchKind(format!("group {group} is a part of group {base}")));
    }
    let class = world.ground.class_of(&world.groups.list[usize::from(group)]);
    for shape in area {
        if !area::has_room(&world.ground.map, shape, class.slowness()) {
            let why = format!("{} lies wholly in walls, or off the map", shape.label());
            return Err(Refusal::NoSuchPlace(why));
        }
    }
    if area.is_empty() {
        return Err(Refusal::NoSuchPlace("the area has no shape".to_owned()));
    }
    world.add_source(group, area, def).map(Outcome::Source).map_err(refuse)
}

/// Closes a source: no more agents come to it.
pub(super) fn close<N: Numbers>(world: &mut World<N>, source: SourceId) -> Result<u32, Refusal> {
    let sources = world.traffic.sources.len();
    let Some(own) = world.traffic.sources.get_mut(usize::from(source)) else {
        let why = format!("there is no source {source}: the world has {sources}");
        return Err(Refusal::NoSuchKind(why));
    };
    own.close();
    Ok(0)
}

/// A new sink.
pub(super) fn sink<N: Numbers>(
    world: &mut World<N>,
    area: &[Shape],
    groups: &[GroupId],
) -> Result<Outcome, Refusal> {
    area::goal_cells(&world.ground.map, area, world.ground.map.slowness())
        .map_err(|error| Refusal::NoSuchPlace(error.to_string()))?;
    if area.is_empty() {
        return Err(Refusal::NoSuchPlace("the area has no shape".to_owned()));
    }
    world.add_sink(area, groups).map(Outcome::Sink).map_err(refuse)
}

/// Makes the agents of a group differ.
pub(super) fn vary<N: Numbers>(
    world: &mut World<N>,
    group: GroupId,
    def: &VaryDef,
) -> Result<u32, Refusal> {
    let base = world.groups.list[usize::from(group)].def.clone();
    def.check(&base).map_err(refuse)?;
    let traits = def.traits(&base);
    if world.base_group(group.index()) != group.index() || traits != base {
        // Refused for a part of another group.
        minds::change(world, group.index(), &traits)?;
    }
    world.vary(group, def).map_err(refuse)
}

/// Why something else than an order to choose or follow already says where a group heads.
pub(super) fn why_led<N: Numbers>(world: &World<N>, group: u16) -> Option<&'static str> {
    if world.base_group(group) != group {
        Some("is a part of another group")
    } else if world.mind_of(group).is_some() {
        Some("thinks")
    } else if world.groups.list[usize::from(group)].company.is_some() {
        Some("is in a company")
    } else {
        None
    }
}

/// Each agent of a group chooses an exit.
pub(super) fn choose<N: Numbers>(
    world: &mut World<N>,
    group: GroupId,
    def: &ExitsDef,
) -> Result<u32, Refusal> {
    def.check().map_err(refuse)?;
    let index = group.index();
    let row = &world.groups.list[usize::from(index)];
    let by_field = row.def.navigator == Navigator::Flow;
    let why = why_led(world, index).or((!by_field).then_some("does not go by flow fields"));
    if let Some(why) = why {
        let why = format!("group {group} {why}: its agents cannot choose exits");
        return Err(Refusal::NoSuchKind(why));
    }
    let (radius, group_def) = (row.def.radius, row.def.clone());
    let exits = def.exits.len();
    for exit in &def.exits {
        if let Some(error) = exit.area.iter().find_map(|shape| shape.validate().err()) {
            return Err(Refusal::NoSuchPlace(error.to_string()));
        }
        if exit.area.is_empty() {
            return Err(Refusal::NoSuchPlace("an exit has no area".to_owned()));
        }
        world.goal_cells(index, &exit.area, radius, 0)?;
    }
    check_room(world, exits)?;
    if !world.routes.fields.has_room_for(exits) {
        let why = format!("there is no memory for the flow fields to {exits} exits");
        return Err(Refusal::NoFieldMemory(why));
    }
    let touched = world.groups.list[usize::from(index)].members;
    minds::recall(world, index);
    sending::stop(world, index);
    let mut parties = Vec::with_capacity(exits);
    for exit in &def.exits {
        let party = party(world, index, &group_def, &parties)?;
        parties.push(party);
        sending::go(world, party, &exit.area)?;
    }
    world.traffic.choices.push(Exits { group, def: def.clone(), parties });
    world.note_sent(index);
    Ok(touched)
}

/// An empty detachment of a group that is not in `others`; a new one if need be.
fn party<N: Numbers>(
    world: &mut World<N>,
    base: u16,
    def: &GroupDef,
    others: &[u16],
) -> Result<u16, Refusal> {
    let is_free = |group: &u16| {
        let row = &world.groups.list[usize::from(*group)];
        row.detached_from == Some(base) && row.members == 0 && !others.contains(group)
    };
    let made = match (0..world.groups.list.len().min(MAX_GROUPS) as u16).find(is_free) {
        Some(group) => {
            sending::stop(world, group);
            group
        }
        None => world.add_group(def.clone()).map_err(refuse)?.index(),
    };
    world.groups.list[usize::from(made)].detached_from = Some(base);
    let behaviours = world.groups.list[usize::from(base)].behaviours.clone();
    world.behave(made, &behaviours)?;
    Ok(made)
}
