//! Holding: ground that is held is counted, and groups ask for fields that lead around it.
//!
//! It is counted every `crowding_ticks` while there are agents that keep their place. When that
//! changes what ground costs, every company asks for a field with the new costs, and goes by the old
//! one until that is done. Other groups ask for fields around all that is in the way: see `crowding`.

use crate::lane::Numbers;
use crate::tick::crowding;
use crate::world::{Guidance, World};

pub(super) fn run<N: Numbers>(world: &mut World<N>) {
    let every = u64::from(world.settings.crowding_ticks);
    let phase = world.log.tick % every;
    if phase == 0 {
        let some_hold = world.groups.list.iter().any(|group| group.def.hold && group.members > 0);
        if some_hold {
            count(world);
        } else if !world.routes.holding.costs().is_free() {
            world.routes.holding.clear();
        }
    }
    for index in 0..world.groups.list.len() {
        if phase == crowding::turn(index, every) {
            renew(world, index);
        }
    }
}

/// Counts who holds which ground.
fn count<N: Numbers>(world: &mut World<N>) {
    let World { routes, agents, groups, ground, .. } = world;
    let rows = agents.rows.tag.iter().zip(agents.rows.pos.iter());
    let discs = rows.filter_map(|(tag, &pos)| {
        let group = usize::from(tag.group);
        let traits = &groups.traits[group];
        traits.keeps_place(*tag).then(|| (pos, groups.list[group].def.radius))
    });
    routes.holding.count(&ground.map, discs);
}

/// Asks for a group's field with the costs of now, unless it has that or will have it.
fn renew<N: Numbers>(world: &mut World<N>, index: usize) {
    let (group, traits) = (&world.groups.list[index], &world.groups.traits[index]);
    let (Some(field), None) = (group.field, group.next_field) else { return };
    let costs = world.routes.holding.costs();
    if traits.guidance != Guidance::Formation || world.routes.fields.crowd(field) == Some(costs) {
        return;
    }
    if let Ok(next) = world.routes.fields.request_around(field, costs, world.log.tick)
        && next != field
    {
        world.routes.fields.hold(next);
        world.groups.list[index].next_field = Some(next);
    }
}
