//! Fields: work on the flow fields under way, and groups that follow finished ones.

use crate::lane::Numbers;
use crate::world::{Guidance, World};

pub(super) fn run<N: Numbers>(world: &mut World<N>) {
    world.routes.fields.advance(&world.ground.classes);
    world.forget_past();
    world.work_on_corridors();
    for (group, traits) in world.groups.list.iter_mut().zip(&mut world.groups.traits) {
        let ready = group.next_field.filter(|&id| world.routes.fields.directions(id).is_some());
        if let Some(field) = ready {
            if let Some(old) = group.field.replace(field) {
                world.routes.fields.release(old);
            }
            group.next_field = None;
            if !matches!(traits.guidance, Guidance::Formation | Guidance::Points) {
                traits.guidance = Guidance::Field;
            }
        }
    }
}
