//! Holding: ground that is held is counted, and groups ask for fields that lead around it.
//!
//! It is counted every `crowding_ticks` while there are agents that keep their place. When that
//! changes what ground costs, every company asks for a field with the new costs, and goes by the old
//! one until that is done. Other groups ask for fields around all that is in the way: see `crowding`.

use crate::lane::Numbers;
use crate::tick::crowding;
use crate::world::{
    AgentRows, Ground, Group, Groups, Guidance, Holding, Log, Routes, Settings, Traits,
};

pub(super) fn run<N: Numbers>(
    agents: &AgentRows<N>,
    settings: &Settings,
    log: &Log,
    ground: &Ground<N>,
    groups: &mut Groups<N>,
    routes: &mut Routes<N>,
) {
    let every = u64::from(settings.crowding_ticks);
    let phase = log.tick % every;
    if phase == 0 {
        let some_hold = groups.list.iter().any(|group| group.def.hold && group.members > 0);
        if some_hold {
            count(agents, ground, groups, &mut routes.holding);
        } else if !routes.holding.costs().is_free() {
            routes.holding.clear();
        }
    }
    for (index, (group, traits)) in groups.list.iter_mut().zip(&groups.traits).enumerate() {
        if phase == crowding::turn(index, every) {
            renew(group, traits, routes, log.tick);
        }
    }
}

/// Counts the ground of agents that keep their place.
fn count<N: Numbers>(
    agents: &AgentRows<N>,
    ground: &Ground<N>,
    groups: &Groups<N>,
    holding: &mut Holding,
) {
    let rows = agents.tag.iter().zip(agents.pos.iter());
    let discs = rows.filter_map(|(tag, &pos)| {
        let traits = &groups.traits[usize::from(tag.group)];
        traits.keeps_place(*tag).then(|| (pos, groups.radius(*tag)))
    });
    holding.count(&ground.map, discs);
}

/// Asks for a group's field with the costs of now, unless it has that or will have it.
fn renew<N: Numbers>(
    group: &mut Group<N>,
    traits: &Traits<N>,
    Routes { fields, holding, .. }: &mut Routes<N>,
    tick: u64,
) {
    let (Some(field), None) = (group.field, group.next_field) else { return };
    let costs = holding.costs();
    if traits.guidance != Guidance::Formation || fields.crowd(field) == Some(costs) {
        return;
    }
    if let Ok(next) = fields.request_around(field, costs, tick)
        && next != field
    {
        fields.hold(next);
        group.next_field = Some(next);
    }
}
