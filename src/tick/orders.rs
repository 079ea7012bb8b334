//! Orders: what was told takes effect.

use crate::data::Id;
use crate::lane::Numbers;
use crate::map::area::GoalCells;
use crate::map::area::MAX_COORDINATE;
use crate::map::area::Shape;
use crate::map::placement;
use crate::math::digest_bytes;
use crate::math::hash3;
use crate::nav::field::FieldId;
use crate::nav::navigator::Navigator;
use crate::tick::Scratch;
use crate::tick::building;
use crate::tick::companies;
use crate::tick::company_orders;
use crate::tick::minds;
use crate::tick::minds::each;
use crate::world::Aim;
use crate::world::Goal;
use crate::world::MOST_CRUMBS;
use crate::world::Order;
use crate::world::Outcome;
use crate::world::Refusal;
use crate::world::Step;
use crate::world::Way;
use crate::world::World;
use crate::world::state;

pub(super) fn run<N: Numbers>(world: &mut World<N>, orders: &[Order], scratch: &mut Scratch<N>) {
    world.resume_corridors();
    world.outcomes.clear();
    world.impacts.clear();
    world.fallen.clear();
    world.endless.clear();
    world.plan_events.clear();
    for (index, order) in orders.iter().enumerate() {
        let outcome = match carry_out(world, order, index, scratch) {
            Ok(agents) => {
                let mut bytes = Vec::new();
                order.write(&mut bytes);
                world.ordered = digest_bytes(world.ordered, &bytes);
                Outcome::Done { agents }
            }
            Err(refusal) => Outcome::Refused(refusal),
        };
        world.outcomes.push(outcome);
    }
    companies::limit_speeds(world);
}

/// Carries an order out and says how many agents it touched, or changes nothing.
fn carry_out<N: Numbers>(
    world: &mut World<N>,
    order: &Order,
    index: usize,
    scratch: &mut Scratch<N>,
) -> Result<u32, Refusal> {
    let groups = world.groups.len();
    if let Some(group) = order.group().filter(|&group| usize::from(group) >= groups) {
        return Err(Refusal::NoSuchGroup { group, groups });
    }
    let companies = world.companies.len();
    if let Some(company) = order.company().filter(|&company| usize::from(company) >= companies) {
        return Err(Refusal::NoSuchCompany { company, companies });
    }
    if let Order::Opposite { centre: [x, y], .. } = order
        && !(x.abs() <= MAX_COORDINATE && y.abs() <= MAX_COORDINATE)
    {
        return Err(Refusal::NoSuchPlace(format!("there is no point ({x}, {y})")));
    }
    if let Some(error) = order.shapes().iter().find_map(|shape| shape.validate().err()) {
        return Err(Refusal::NoSuchPlace(error.to_string()));
    }
    match order {
        Order::Group { def } => match world.add_group(def.clone()) {
            Ok(_) => Ok(0),
            Err(error) => Err(Refusal::NoSuchKind(error.to_string())),
        },
        Order::Weapon { def } => match world.add_weapon(def.clone()) {
            Ok(_) => Ok(0),
            Err(error) => Err(Refusal::NoSuchKind(error.to_string())),
        },
        Order::Launch { group, weapon, from, velocity } => {
            world.launch_by_order(*group, *weapon, *from, *velocity).map(|()| 0)
        }
        Order::Build { area } => building::build(world, area),
        Order::Demolish { area } => building::demolish(world, area),
        Order::Move { group, goal } => each(world, *group, |world, group| go(world, group, goal)),
        Order::Opposite { group, centre } => {
            each(world, *group, |world, group| go_opposite(world, group, *centre))
        }
        Order::Mind { def } => match world.add_mind(def.clone()) {
            Ok(_) => Ok(0),
            Err(error) => Err(Refusal::NoSuchKind(error.to_string())),
        },
        Order::Strategies { team, def } => world.command(*team, def.clone()).map(|()| 0),
        Order::Think { group, mind } => minds::think(world, *group, *mind),
        Order::Behave { group, behaviours } => minds::behave(world, *group, behaviours),
        Order::Stop { group } => each(world, *group, |world, group| Ok(stop(world, group))),
        Order::Spawn { group, area, count } => spawn(world, *group, area, *count, index),
        Order::Remove { group, area } => {
            let groups = minds::members(world, *group);
            let removed = groups.into_iter().map(|group| remove(world, group, area.as_deref()));
            Ok(removed.sum())
        }
        Order::Assign { agents, group } => assign(world, agents, *group, scratch),
        Order::Company { def } => match world.add_company(def.clone()) {
            Ok(_) => Ok(0),
            Err(error) => Err(Refusal::NoSuchKind(error.to_string())),
        },
        Order::MoveCompany { company, goal } => company_orders::go(world, *company, goal),
        Order::StopCompany { company } => Ok(company_orders::stop(world, *company)),
        Order::Form { company, formation } => company_orders::form(world, *company, *formation),
    }
}

pub(super) fn go<N: Numbers>(
    world: &mut World<N>,
    index: u16,
    shapes: &[Shape],
) -> Result<u32, Refusal> {
    let at = usize::from(index);
    let (class, members) = (world.groups[at].class, world.groups[at].members);
    let radius = world.groups[at].def.radius;
    let (cells, goal) = world.goal_cells(index, shapes, radius, members)?;
    if members > 0 && !world.can_reach(index, cells.seeds()) {
        return Err(Refusal::Unreachable);
    }
    if is_followed(world, index, shapes) {
        return Ok(members);
    }
    if world.groups[at].def.navigator != Navigator::Flow {
        world.prepare_ways(index)?;
        find_way(world, index, cells, goal)?;
        return Ok(members);
    }
    let field = world
        .fields
        .request(&cells, u32::from(class), world.tick)
        .map_err(|error| Refusal::NoFieldMemory(error.to_string()))?;
    follow(world, index, field, goal);
    Ok(members)
}

/// Whether a group goes to this very goal already, by an order of its own.
fn is_followed<N: Numbers>(world: &World<N>, index: u16, shapes: &[Shape]) -> bool {
    let group = &world.groups[usize::from(index)];
    let aim = world.traits[usize::from(index)].aim;
    let by_order = matches!(aim, Aim::Straight | Aim::FormerField | Aim::Field | Aim::Points);
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
    let navigator = world.groups[at].def.navigator;
    let corridor = match navigator {
        Navigator::Corridor => {
            let asked = world.request_corridor(at, &cells);
            Some(asked.map_err(|error| Refusal::NoFieldMemory(error.to_string()))?)
        }
        _ => None,
    };
    stop(world, index);
    let [x, y] = goal.target.map(N::to_f64);
    let mut way = Way::new(cells, world.map.cell_at(x, y), &world.map);
    if navigator == Navigator::Breadcrumbs {
        way.crumbs.reserve(MOST_CRUMBS);
    }
    world.groups[at].way = way;
    if let Some(corridor) = corridor {
        world.hold_corridor(at, corridor);
    }
    world.traits[at].aim = if navigator.is_by_points() { Aim::Points } else { Aim::Field };
    world.traits[at].target = goal.target;
    world.groups[at].goal = Some(goal);
    clear_state(world, index);
    Ok(())
}

/// A group turns to a goal, by a field as soon as that is done.
pub(super) fn follow<N: Numbers>(world: &mut World<N>, index: u16, field: FieldId, goal: Goal<N>) {
    let at = usize::from(index);
    world.fields.hold(field);
    world.release_corridor(at);
    let group = &mut world.groups[at];
    group.marches = false;
    group.way = Way::default();
    let former = [group.next_field.replace(field), group.plain_field.take()];
    former.into_iter().flatten().for_each(|former| world.fields.release(former));
    let aim = if group.field.is_some() { Aim::FormerField } else { Aim::Straight };
    world.traits[at].aim = aim;
    world.traits[at].target = goal.target;
    group.goal = Some(goal);
    clear_state(world, index);
}

/// Gives every agent of a group the place opposite its own, in the order of their ids.
fn go_opposite<N: Numbers>(
    world: &mut World<N>,
    index: u16,
    centre: [f64; 2],
) -> Result<u32, Refusal> {
    let middle = centre.map(N::from_f64);
    let rows = world.agents.tag.iter().zip(world.agents.pos.iter());
    let members = rows.filter(|(tag, _)| tag.group == index);
    let mut places: Vec<(u32, [N; 2])> = members
        .map(|(tag, pos)| (tag.id, [0, 1].map(|i| middle[i] + (middle[i] - pos[i]))))
        .collect();
    places.sort_unstable_by_key(|(id, _)| *id);
    let class = &world.classes[usize::from(world.groups[usize::from(index)].class)];
    let stands = |[x, y]: [f64; 2]| world.map.cell_at(x, y).is_some_and(|c| class.passable(c));
    if let Some([x, y]) = places.iter().map(|(_, at)| at.map(N::to_f64)).find(|&at| !stands(at)) {
        let why = format!("the place opposite an agent, ({x}, {y}), is in a wall or off the map");
        return Err(Refusal::NoSuchPlace(why));
    }
    stop(world, index);
    for (place, (id, _)) in places.iter().enumerate() {
        world.place_of[*id as usize] = place as u32;
    }
    for tag in world.agents.tag.iter_mut().filter(|tag| tag.group == index) {
        tag.state |= state::PLACED;
    }
    let members = places.len() as u32;
    let places = places.into_iter().map(|(_, at)| at).collect();
    world.groups[usize::from(index)].goal = Some(Goal::of_places(centre, middle, places));
    world.traits[usize::from(index)].aim = Aim::Own;
    Ok(members)
}

pub(super) fn stop<N: Numbers>(world: &mut World<N>, index: u16) -> u32 {
    let group = &mut world.groups[usize::from(index)];
    let members = group.members;
    if group.goal.is_none() && !group.marches && world.traits[usize::from(index)].aim == Aim::Stand
    {
        return members;
    }
    group.marches = false;
    group.fields().for_each(|field| world.fields.release(field));
    (group.field, group.next_field, group.plain_field) = (None, None, None);
    group.goal = None;
    group.way = Way::default();
    world.release_corridor(usize::from(index));
    world.traits[usize::from(index)].aim = Aim::Stand;
    clear_state(world, index);
    for tag in world.agents.tag.iter_mut().filter(|tag| tag.group == index) {
        tag.state |= state::HOMELESS;
    }
    members
}

/// The members of a group start their new order afresh.
pub(super) fn clear_state<N: Numbers>(world: &mut World<N>, group: u16) {
    if let Some(goal) = &mut world.groups[usize::from(group)].goal {
        goal.forget_places();
    }
    for tag in world.agents.tag.iter_mut().filter(|tag| tag.group == group) {
        tag.state &= state::LEAVING;
        tag.patience = 0;
        if let Some(step) = world.steps.step.get_mut(tag.id as usize) {
            *step = Step::default();
        }
    }
}

fn spawn<N: Numbers>(
    world: &mut World<N>,
    group: u16,
    area: &[Shape],
    count: u32,
    order: usize,
) -> Result<u32, Refusal> {
    let row = &world.groups[usize::from(group)];
    let standable = world.classes[usize::from(row.class)].slowness();
    let seed = hash3(world.settings.seed, world.tick, order as u64);
    let places =
        placement::place(&world.map, standable, area, u64::from(count), row.def.radius, seed)
            .map_err(|error| Refusal::DoNotFit(error.to_string()))?;
    world.spawn(group, &places).map_err(|error| Refusal::DoNotFit(error.to_string()))?;
    Ok(count)
}

fn remove<N: Numbers>(world: &mut World<N>, group: u16, area: Option<&[Shape]>) -> u32 {
    let mut removed = 0;
    let rows = world.agents.tag.iter_mut().zip(world.agents.pos.iter());
    for (tag, pos) in rows.filter(|(tag, _)| tag.group == group) {
        let [x, y] = pos.map(N::to_f64);
        if area.is_none_or(|shapes| shapes.iter().any(|shape| shape.contains(x, y))) {
            tag.state |= state::LEAVING;
            removed += 1;
        }
    }
    world.some_leave |= removed > 0;
    removed
}

fn assign<N: Numbers>(
    world: &mut World<N>,
    agents: &[Id],
    group: u16,
    scratch: &mut Scratch<N>,
) -> Result<u32, Refusal> {
    if let Some(&id) = agents.iter().find(|&&id| !world.ids.is_alive(id)) {
        return Err(Refusal::NoSuchAgent { id });
    }
    let rows = &mut scratch.rows;
    rows.resize(world.ids.capacity(), 0);
    for (row, tag) in world.agents.tag.iter().enumerate() {
        rows[tag.id as usize] = row as u32;
    }
    for id in agents {
        let row = rows[id.index as usize] as usize;
        world.join_group(row, group);
    }
    Ok(agents.len() as u32)
}
