//! Fields: work on the flow fields under way, and groups that follow finished ones.

use crate::lane::Numbers;
use crate::world::{Guidance, World};

pub(super) fn run<N: Numbers>(world: &mut World<N>) {
    world.routes.fields.advance(&world.ground.classes);
    world.forget_past();
    let World { routes, agents, ground, groups, .. } = world;
    routes.sectors.work(&agents.rows, ground, groups);
    for (group, traits) in groups.list.iter_mut().zip(&mut groups.traits) {
        let ready = group.next_field.filter(|&id| routes.fields.directions(id).is_some());
        if let Some(field) = ready {
            if let Some(old) = group.field.replace(field) {
                routes.fields.release(old);
            }
            group.next_field = None;
            if !matches!(traits.guidance, Guidance::Formation | Guidance::Points) {
                traits.guidance = Guidance::Field;
            }
        }
    }
}
