//! Fields: work on the flow fields under way, and groups that follow finished ones.

use crate::lane::Numbers;
use crate::world::{AgentRows, Ground, Groups, Guidance, Routes};

pub(super) fn run<N: Numbers>(
    agents: &AgentRows<N>,
    ground: &mut Ground<N>,
    groups: &mut Groups<N>,
    routes: &mut Routes<N>,
) {
    routes.fields.advance(&ground.classes);
    ground.changes.forget_past(&routes.fields);
    routes.sectors.work(agents, &ground.open_cells(), &ground.classes, &groups.list);
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
