//! Orders: the orders of a tick are carried out.

use crate::data::{GroupId, Id};
use crate::lane::Numbers;
use crate::map::area::{MAX_COORDINATE, Shape};
use crate::map::placement;
use crate::math::each::Each;
use crate::math::{digest_bytes, hash3};
use crate::tick::minds::each;
use crate::tick::sending::{go, stop};
use crate::tick::{
    Scratch, agent_orders, building, companies, company_orders, door_orders, following, minds,
    removal, structure_orders, traffic_orders,
};
use crate::world::{Goal, Guidance, Order, Outcome, Refusal, World, state};

/// A tick begins: outcomes and events of the last one are cleared.
pub(super) fn begin<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    scratch.rows_known = 0;
    world.resume_corridors();
    world.log.outcomes.clear();
    world.combat.impacts.clear();
    world.combat.fallen.clear();
    world.structures.collapsed.clear();
    world.agents.left = 0;
    world.traffic.entered.clear();
    world.traffic.gone.clear();
    world.minds.endless.clear();
    world.teams.plan_events.clear();
}

/// Gives the next order of a tick that has begun, and notes its outcome.
pub(super) fn give<N: Numbers>(world: &mut World<N>, order: &Order, scratch: &mut Scratch<N>) {
    scratch.share.make_whole(&mut world.agents.rows);
    let index = world.log.outcomes.len();
    let outcome = match carry_out(world, order, index, scratch) {
        Ok(outcome) => {
            let mut bytes = Vec::new();
            order.write(&mut bytes);
            world.log.ordered = digest_bytes(world.log.ordered, &bytes);
            outcome
        }
        Err(refusal) => Outcome::Refused(refusal),
    };
    world.log.outcomes.push(outcome);
}

/// All orders of the tick have been given.
pub(super) fn end<N: Numbers>(world: &mut World<N>) {
    companies::limit_speeds(&mut world.groups);
    structure_orders::go_on(world);
    structure_orders::end(world);
}

/// Carries an order out, or changes nothing.
fn carry_out<N: Numbers>(
    world: &mut World<N>,
    order: &Order,
    index: usize,
    scratch: &mut Scratch<N>,
) -> Result<Outcome, Refusal> {
    if let Some(group) = order.group().filter(|&group| !world.groups.has(group)) {
        return Err(Refusal::NoSuchGroup { group, groups: world.groups.list.len() });
    }
    if let Some(company) = order.company().filter(|&company| !world.groups.has_company(company)) {
        let companies = world.groups.companies.len();
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
    let added = match order {
        Order::Group { def } => world.add_group(def.clone()).map(Outcome::Group),
        Order::Weapon { def } => world.add_weapon(def.clone()).map(Outcome::Weapon),
        Order::Mind { def } => world.add_mind(def.clone()).map(Outcome::Mind),
        Order::Company { def } => world.add_company(def.clone()).map(Outcome::Company),
        Order::Sink { area, groups } => return traffic_orders::sink(world, area, groups),
        Order::Structure { area, def } => return structure_orders::add(world, area, def),
        Order::Door { area, open } => return door_orders::add(world, area, *open),
        Order::Source { group, area, def } => {
            return traffic_orders::source(world, *group, area, def);
        }
        _ => return obey(world, order, index, scratch).map(|agents| Outcome::Done { agents }),
    };
    added.map_err(|error| Refusal::NoSuchKind(error.to_string()))
}

/// Carries out an order of any other kind than [`carry_out`] does, and says how many agents it touched.
fn obey<N: Numbers>(
    world: &mut World<N>,
    order: &Order,
    index: usize,
    scratch: &mut Scratch<N>,
) -> Result<u32, Refusal> {
    match order {
        // Carried out by `carry_out`.
        Order::Group { .. }
        | Order::Weapon { .. }
        | Order::Mind { .. }
        | Order::Company { .. }
        | Order::Source { .. }
        | Order::Sink { .. }
        | Order::Structure { .. }
        | Order::Door { .. } => Ok(0),
        Order::CloseSource { source } => traffic_orders::close(world, *source),
        Order::Vary { group, def } => traffic_orders::vary(world, *group, def),
        Order::Choose { group, def } => traffic_orders::choose(world, *group, def),
        Order::Follow { group, def } => following::begin(world, *group, def),
        Order::Attack { group, structure } => structure_orders::attack(world, *group, *structure),
        Order::SetDoor { door, open } => door_orders::set(world, *door, *open),
        Order::Change { group, def } => minds::change(world, group.index(), def),
        Order::Launch { group, weapon, from, velocity } => {
            world.launch_by_order(*group, *weapon, *from, *velocity).map(|()| 0)
        }
        Order::Build { area } => building::build(world, area),
        Order::Demolish { area } => building::demolish(world, area),
        Order::Move { group, goal } => {
            each(world, group.index(), |world, group| go(world, group, goal))
        }
        Order::Opposite { group, centre } => {
            each(world, group.index(), |world, group| go_opposite(world, group, *centre))
        }
        Order::Strategies { team, def } => world.command(*team, def.clone()).map(|()| 0),
        Order::Think { group, mind } => minds::think(world, group.index(), *mind),
        Order::Behave { group, behaviours } => minds::behave(world, group.index(), behaviours),
        Order::Stop { group } => each(world, group.index(), |world, group| Ok(stop(world, group))),
        Order::Spawn { group, area, count } => spawn(world, *group, area, *count, index),
        Order::Remove { group, area } => {
            let groups = minds::members(world, group.index());
            let removed = groups.into_iter().map(|group| remove(world, group, area.as_deref()));
            Ok(removed.sum())
        }
        Order::Assign { agents, group } => assign(world, agents, group.index(), scratch),
        Order::MoveCompany { company, goal } => company_orders::go(world, company.index(), goal),
        Order::StopCompany { company } => Ok(company_orders::stop(world, company.index())),
        Order::Form { company, formation } => {
            company_orders::form(world, company.index(), *formation)
        }
        Order::RemoveGroup { group } => removal::remove(world, group.index()),
        Order::RemoveCompany { company } => Ok(company_orders::remove(world, company.index())),
        Order::Agents { agents, order } => agent_orders::carry_out(world, agents, order, scratch),
    }
}

/// Gives every agent of a group the place opposite its own, in the order of their ids.
fn go_opposite<N: Numbers>(
    world: &mut World<N>,
    index: u16,
    centre: [f64; 2],
) -> Result<u32, Refusal> {
    let middle = centre.each(N::from_f64);
    let rows = (0_u32..).zip(world.agents.rows.tag.iter());
    let members = rows.filter(|(_, tag)| tag.group == index);
    let mut members: Vec<(u32, u32)> = members.map(|(row, tag)| (tag.id, row)).collect();
    members.sort_unstable();
    let opposite = |&(_, row): &(u32, u32)| {
        let pos = world.agents.rows.pos[row as usize];
        [0, 1].each(|i| middle[i] + (middle[i] - pos[i]))
    };
    let places: Vec<[N; 2]> = members.iter().map(opposite).collect();
    let class = &world.ground.classes[usize::from(world.groups.list[usize::from(index)].class)];
    let stands =
        |[x, y]: [f64; 2]| world.ground.map.cell_at(x, y).is_some_and(|c| class.passable(c));
    if let Some([x, y]) = places.iter().map(|at| at.each(N::to_f64)).find(|&at| !stands(at)) {
        let why = format!("the place opposite an agent, ({x}, {y}), is in a wall or off the map");
        return Err(Refusal::NoSuchPlace(why));
    }
    stop(world, index);
    for (place, (id, _)) in (0..).zip(&members) {
        world.agents.place_of[*id as usize] = place;
    }
    for tag in world.agents.rows.tag.iter_mut().filter(|tag| tag.group == index) {
        tag.state |= state::PLACED;
    }
    world.groups.list[usize::from(index)].goal = Some(Goal::of_places(centre, middle, places));
    world.groups.traits[usize::from(index)].guidance = Guidance::Own;
    Ok(members.len() as u32)
}

fn spawn<N: Numbers>(
    world: &mut World<N>,
    group: GroupId,
    area: &[Shape],
    count: u32,
    order: usize,
) -> Result<u32, Refusal> {
    let row = &world.groups.list[usize::from(group)];
    let class = &world.ground.classes[usize::from(row.class)];
    let standable = world.ground.standable(class);
    let seed = hash3(world.settings.seed, world.log.tick, order as u64);
    let places = placement::place(
        &world.ground.map,
        &standable,
        area,
        u64::from(count),
        row.def.radius,
        seed,
    )
    .map_err(|error| Refusal::DoNotFit(error.to_string()))?;
    world.spawn(group, &places).map_err(|error| Refusal::DoNotFit(error.to_string()))?;
    Ok(count)
}

fn remove<N: Numbers>(world: &mut World<N>, group: u16, area: Option<&[Shape]>) -> u32 {
    let mut removed = 0;
    let rows = world.agents.rows.tag.iter_mut().zip(world.agents.rows.pos.iter());
    for (tag, pos) in rows.filter(|(tag, _)| tag.group == group) {
        let [x, y] = pos.each(N::to_f64);
        if area.is_none_or(|shapes| shapes.iter().any(|shape| shape.contains(x, y))) {
            tag.state |= state::LEAVING;
            removed += 1;
        }
    }
    world.agents.some_leave |= removed > 0;
    removed
}

fn assign<N: Numbers>(
    world: &mut World<N>,
    agents: &[Id],
    group: u16,
    scratch: &mut Scratch<N>,
) -> Result<u32, Refusal> {
    for row in agent_orders::rows(world, agents, scratch)? {
        world.join_group(row, group);
    }
    Ok(agents.len() as u32)
}
