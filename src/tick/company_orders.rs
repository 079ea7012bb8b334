//! Orders to companies.

use crate::lane::Numbers;
use crate::map::area::{GoalCells, Shape};
use crate::map::{Clearance, Map};
use crate::math::each::Each;
use crate::nav::field::FieldId;
use crate::tick::{minds, sending};
use crate::world::{CompanyGoal, Formation, Guidance, Refusal, World, same_bits};

/// A company's groups go to a goal.
pub(super) fn go<N: Numbers>(
    world: &mut World<N>,
    index: u16,
    shapes: &[Shape],
) -> Result<u32, Refusal> {
    let groups = world.groups.companies[usize::from(index)].def.indices();
    let goals = goals(world, &groups, shapes)?;
    let target = target(world, &goals, shapes);
    if is_followed(world, index, shapes) {
        groups.iter().for_each(|&group| minds::recall(world, group));
        return Ok(members(world, &groups));
    }
    let fields = request(world, &goals)?;
    groups.iter().for_each(|&group| minds::recall(world, group));
    let forms = world.groups.companies[usize::from(index)].def.formation.is_some();
    for &group in &groups {
        let class = world.groups.list[usize::from(group)].class;
        let same = |(other, _): &&(u16, FieldId)| *other == class;
        let Some(&(_, field)) = fields.iter().find(same) else { continue };
        sending::follow(world, group, field, crate::world::Goal::of_shapes(shapes));
        world.groups.list[usize::from(group)].marches = true;
        if forms {
            form_up(world, group);
        }
    }
    fields.iter().for_each(|&(_, field)| world.routes.fields.release(field));
    groups.iter().for_each(|&group| world.note_sent(group));
    let company = &mut world.groups.companies[usize::from(index)];
    company.goal = Some(CompanyGoal { shapes: shapes.to_vec(), target });
    company.forms = forms;
    if !forms {
        company.anchor = None;
        company.slots.clear();
    }
    if let Some(anchor) = &mut company.anchor {
        anchor.has_set_out = false;
        anchor.rests = false;
    }
    Ok(members(world, &groups))
}

/// Whether all groups of a company go to this very goal already, by an order to the company.
fn is_followed<N: Numbers>(world: &World<N>, index: u16, shapes: &[Shape]) -> bool {
    let company = &world.groups.companies[usize::from(index)];
    let is_same = |goal: &CompanyGoal<N>| same_bits(&goal.shapes, shapes);
    company.forms == company.def.formation.is_some()
        && company.goal.as_ref().is_some_and(is_same)
        && company.def.groups.iter().all(|&group| {
            let group = &world.groups.list[usize::from(group)];
            group.marches && group.goal.as_ref().is_some_and(|goal| goal.is_of(shapes))
        })
}

/// The company's groups stand.
pub(super) fn stop<N: Numbers>(world: &mut World<N>, index: u16) -> u32 {
    let company = &mut world.groups.companies[usize::from(index)];
    (company.goal, company.anchor, company.forms) = (None, None, false);
    company.slots.clear();
    let groups = company.def.indices();
    groups.iter().for_each(|&group| minds::recall(world, group));
    groups.iter().map(|&group| sending::stop(world, group)).sum()
}

/// A company is removed; its groups stand where they are, by themselves.
pub(super) fn remove<N: Numbers>(world: &mut World<N>, index: u16) -> u32 {
    let agents = stop(world, index);
    let company = &mut world.groups.companies[usize::from(index)];
    let groups = std::mem::take(&mut company.def).indices();
    company.is_removed = true;
    groups.into_iter().for_each(|group| go_alone(world, group));
    agents
}

/// A group leaves its company, which ends with its last group.
pub(super) fn leave<N: Numbers>(world: &mut World<N>, group: u16) {
    let Some(index) = world.groups.list[usize::from(group)].company else { return };
    let company = &mut world.groups.companies[usize::from(index)];
    if company.def.groups.len() == 1 {
        remove(world, index);
        return;
    }
    company.def.groups.retain(|other| other.index() != group);
    if let Some(anchor) = &mut company.anchor {
        anchor.reform = true;
    }
    sending::stop(world, group);
    go_alone(world, group);
}

/// A group that stands is in no company any more, and has its own speed again.
fn go_alone<N: Numbers>(world: &mut World<N>, group: u16) {
    world.groups.list[usize::from(group)].company = None;
    let def = world.groups.list[usize::from(group)].def.clone();
    world.make_traits(group, &def);
}

/// The company takes on another formation, on its way or where it stands.
pub(super) fn form<N: Numbers>(
    world: &mut World<N>,
    index: u16,
    formation: Option<Formation>,
) -> Result<u32, Refusal> {
    let company = &mut world.groups.companies[usize::from(index)];
    let former = std::mem::replace(&mut company.def.formation, formation);
    let groups = company.def.indices();
    let changes = former.is_some() != formation.is_some();
    if let Some(goal) = company.goal.as_ref().filter(|_| changes) {
        let shapes = goal.shapes.clone();
        return go(world, index, &shapes).inspect_err(|_| {
            world.groups.companies[usize::from(index)].def.formation = former;
        });
    }
    if let Some(anchor) = &mut company.anchor {
        anchor.reform = true;
    }
    if company.goal.is_some() {
        for &group in &groups {
            if world.groups.list[usize::from(group)].marches {
                sending::clear_state(world, group);
            }
        }
        return Ok(members(world, &groups));
    }
    if formation.is_none() {
        return Ok(stop(world, index));
    }
    company.forms = true;
    for &group in &groups {
        sending::stop(world, group);
        world.groups.list[usize::from(group)].marches = true;
        form_up(world, group);
    }
    Ok(members(world, &groups))
}

/// A group goes by its company's formation, and no longer by the field of an earlier order.
fn form_up<N: Numbers>(world: &mut World<N>, group: u16) {
    world.groups.traits[usize::from(group)].guidance = Guidance::Formation;
    let group = &mut world.groups.list[usize::from(group)];
    let former = [group.field.take(), group.plain_field.take()];
    former.into_iter().flatten().for_each(|former| world.routes.fields.release(former));
}

fn members<N: Numbers>(world: &World<N>, groups: &[u16]) -> u32 {
    groups.iter().map(|&group| world.groups.list[usize::from(group)].members).sum()
}

/// The goal's cells for every clearance class of the groups, wide enough for all of them.
fn goals<N: Numbers>(
    world: &World<N>,
    groups: &[u16],
    shapes: &[Shape],
) -> Result<Vec<(u16, GoalCells)>, Refusal> {
    let rows = || groups.iter().map(|&group| &world.groups.list[usize::from(group)]);
    let radius = rows().map(|row| row.def.radius).fold(0.0, f64::max);
    let crowd = rows().map(|row| row.members).sum();
    let mut goals: Vec<(u16, GoalCells)> = Vec::new();
    for (&group, row) in groups.iter().zip(rows()) {
        let known = goals.iter().position(|(class, _)| *class == row.class);
        let at = if let Some(at) = known {
            at
        } else {
            goals.push((row.class, world.goal_cells(group, shapes, radius, crowd)?.0));
            goals.len() - 1
        };
        if row.members > 0 && !world.can_reach(group, goals[at].1.seeds()) {
            return Err(Refusal::Unreachable);
        }
    }
    Ok(goals)
}

/// Asks for the fields of all classes, or for none. They are held.
fn request<N: Numbers>(
    world: &mut World<N>,
    goals: &[(u16, GoalCells)],
) -> Result<Vec<(u16, FieldId)>, Refusal> {
    if goals.len() > 1 && !world.routes.fields.has_room_for(goals.len()) {
        let why = format!("the memory for fields has no room for the {} needed", goals.len());
        return Err(Refusal::NoFieldMemory(why));
    }
    let mut fields = Vec::new();
    for (class, cells) in goals {
        let field = world
            .routes
            .fields
            .request(cells, u32::from(*class), world.log.tick)
            .map_err(|error| Refusal::NoFieldMemory(error.to_string()))?;
        world.routes.fields.hold(field);
        fields.push((*class, field));
    }
    Ok(fields)
}

/// Where the anchor comes to rest: in the middle of the goal, or in the cell of it that is nearest
/// to the middle and open to the widest group.
fn target<N: Numbers>(world: &World<N>, goals: &[(u16, GoalCells)], shapes: &[Shape]) -> [N; 2] {
    let middle = crate::world::Goal::<N>::of_shapes(shapes).target;
    let width = |class: u16| world.ground.classes[usize::from(class)].min_distance();
    let widest = goals.iter().max_by_key(|(class, _)| width(*class));
    let Some((class, cells)) = widest else { return middle };
    nearest(
        &world.ground.map,
        &world.ground.classes[usize::from(*class)],
        cells,
        middle.each(N::to_f64),
    )
    .map_or(middle, |at| at.each(N::from_f64))
}

/// The centre of the goal's cell nearest to a point that is in none of them.
fn nearest(map: &Map, class: &Clearance, cells: &GoalCells, at: [f64; 2]) -> Option<[f64; 2]> {
    let area = cells.area();
    let inside = map.cell_at(at[0], at[1]).filter(|cell| area.binary_search(cell).is_ok());
    if inside.is_some_and(|cell| class.passable(cell)) {
        return None;
    }
    let centre = |cell: u32| {
        let (i, j) = map.cell(cell);
        [i, j].each(|n| (f64::from(n) + 0.5) * map.cell_size())
    };
    let square = |[x, y]: [f64; 2]| (x - at[0]) * (x - at[0]) + (y - at[1]) * (y - at[1]);
    let centres = area.iter().filter(|&&cell| class.passable(cell)).map(|&cell| centre(cell));
    centres.min_by(|a, b| square(*a).total_cmp(&square(*b)))
}
