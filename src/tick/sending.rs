//! Groups are sent to a goal, and stopped.

use crate::lane::Numbers;
use crate::map::area::{GoalCells, Shape};
use crate::math::each::Each;
use crate::nav::field::FieldId;
use crate::nav::navigator::Navigator;
use crate::world::{Goal, Guidance, MAX_CRUMBS, Refusal, Step, Way, World, state};

/// A group goes to the nearest part of some shapes.
pub(super) fn go<N: Numbers>(
    world: &mut World<N>,
    index: u16,
    shapes: &[Shape],
) -> Result<u32, Refusal> {
    let group = &world.groups.list[usize::from(index)];
    let members = group.members;
    let (cells, goal) = world.goal_cells(index, shapes, group.def.radius, members)?;
    if members > 0 && !world.can_reach(index, cells.seeds()) {
        return Err(Refusal::Unreachable);
    }
    if is_followed(world, index, shapes) {
        return Ok(members);
    }
    head_for(world, index, cells, goal)?;
    Ok(members)
}

/// A group turns to a goal, by its navigator or by a field.
pub(super) fn head_for<N: Numbers>(
    world: &mut World<N>,
    index: u16,
    cells: GoalCells,
    goal: Goal<N>,
) -> Result<(), Refusal> {
    let group = &world.groups.list[usize::from(index)];
    if group.def.navigator != Navigator::Flow {
        world.prepare_ways(index)?;
        return find_way(world, index, cells, goal);
    }
    let class = u32::from(group.class);
    let field = world.routes.fields.request(&cells, class, world.log.tick);
    let field = field.map_err(|error| Refusal::NoFieldMemory(error.to_string()))?;
    follow(world, index, field, goal);
    Ok(())
}

/// Whether a group goes to this very goal already, by an order of its own.
fn is_followed<N: Numbers>(world: &World<N>, index: u16, shapes: &[Shape]) -> bool {
    let group = &world.groups.list[usize::from(index)];
    let aim = world.groups.traits[usize::from(index)].guidance;
    let by_order = matches!(
        aim,
        Guidance::Straight | Guidance::FormerField | Guidance::Field | Guidance::Points
    );
    by_order && !group.marches && group.goal.as_ref().is_some_and(|goal| goal.is_of(shapes))
}

/// A group turns to a goal, by its navigator.
fn find_way<N: Numbers>(
    world: &mut World<N>,
    index: u16,
    cells: GoalCells,
    goal: Goal<N>,
) -> Result<(), Refusal> {
    let at = usize::from(index);
    let navigator = world.groups.list[at].def.navigator;
    let corridor = match navigator {
        Navigator::Corridor => {
            let asked = world.request_corridor(at, &cells);
            Some(asked.map_err(|error| Refusal::NoFieldMemory(error.to_string()))?)
        }
        _ => None,
    };
    stop(world, index);
    let [x, y] = goal.target.each(N::to_f64);
    let mut way = Way::new(cells, world.ground.map.cell_at(x, y), &world.ground.map);
    if navigator == Navigator::Breadcrumbs {
        way.crumbs.reserve(MAX_CRUMBS);
    }
    world.groups.list[at].way = way;
    if let Some(corridor) = corridor {
        world.hold_corridor(at, corridor);
    }
    world.groups.traits[at].guidance =
        if navigator.is_by_points() { Guidance::Points } else { Guidance::Field };
    world.groups.traits[at].target = goal.target;
    world.groups.list[at].goal = Some(goal);
    clear_state(world, index);
    Ok(())
}

/// A group turns to a goal, by a field as soon as that is done.
pub(super) fn follow<N: Numbers>(world: &mut World<N>, index: u16, field: FieldId, goal: Goal<N>) {
    let at = usize::from(index);
    world.routes.fields.hold(field);
    world.release_corridor(at);
    let group = &mut world.groups.list[at];
    group.marches = false;
    group.way = Way::default();
    let former = [group.next_field.replace(field), group.plain_field.take()];
    former.into_iter().flatten().for_each(|former| world.routes.fields.release(former));
    let aim = if group.field.is_some() { Guidance::FormerField } else { Guidance::Straight };
    world.groups.traits[at].guidance = aim;
    world.groups.traits[at].target = goal.target;
    group.goal = Some(goal);
    clear_state(world, index);
}

pub(super) fn stop<N: Numbers>(world: &mut World<N>, index: u16) -> u32 {
    let group = &mut world.groups.list[usize::from(index)];
    let members = group.members;
    if group.goal.is_none()
        && !group.marches
        && world.groups.traits[usize::from(index)].guidance == Guidance::Stand
    {
        return members;
    }
    group.marches = false;
    group.fields().for_each(|field| world.routes.fields.release(field));
    (group.field, group.next_field, group.plain_field) = (None, None, None);
    group.goal = None;
    group.way = Way::default();
    world.release_corridor(usize::from(index));
    world.groups.traits[usize::from(index)].guidance = Guidance::Stand;
    clear_state(world, index);
    for tag in world.agents.rows.tag.iter_mut().filter(|tag| tag.group == index) {
        tag.state |= state::HOMELESS;
    }
    members
}

/// The members of a group start their new order afresh.
pub(super) fn clear_state<N: Numbers>(world: &mut World<N>, group: u16) {
    if let Some(goal) = &mut world.groups.list[usize::from(group)].goal {
        goal.forget_places();
    }
    for tag in world.agents.rows.tag.iter_mut().filter(|tag| tag.group == group) {
        tag.state &= state::LEAVING;
        tag.patience = 0;
        if let Some(step) = world.routes.steps.step.get_mut(tag.id as usize) {
            *step = Step::default();
        }
    }
}
