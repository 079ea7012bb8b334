//! Orders to single agents.

use crate::data::Id;
use crate::data::number::plural;
use crate::kernel::motion::limit;
use crate::lane::{Lane, Numbers};
use crate::map::area::Shape;
use crate::math::each::Each;
use crate::tick::detachments::{bases, check_room, detachment, join};
use crate::tick::{Scratch, own_goals, sending};
use crate::world::{AgentOrder, MAX_HEALTH, Refusal, World, state};

/// Largest component of a push, m/s.
const MAX_PUSH: f64 = 1_000.0;

/// Carries an order to some agents out, and says how many it touched.
pub(super) fn carry_out<N: Numbers>(
    world: &mut World<N>,
    agents: &[Id],
    order: &AgentOrder,
    scratch: &mut Scratch<N>,
) -> Result<u32, Refusal> {
    let rows = rows(world, agents, scratch)?;
    match order {
        AgentOrder::Send { goal } => send(world, &rows, Some(goal))?,
        AgentOrder::SendEach { to } => {
            own_goals::send(world, &rows, to)?;
        }
        AgentOrder::Stop => send(world, &rows, None)?,
        AgentOrder::Rejoin => {
            for &row in &rows {
                let group = world.agents.rows.tag[row].group;
                if let Some(base) = world.groups.list[usize::from(group)].detached_from {
                    world.join_group(row, base);
                }
            }
        }
        AgentOrder::Teleport { to } => teleport(world, &rows, to)?,
        AgentOrder::Push { by } => push(world, &rows, *by)?,
        AgentOrder::Damage { health } => {
            let health = amount(world, *health)?;
            rows.iter().for_each(|&row| world.hurt(row, None, health));
        }
        AgentOrder::Heal { health } => {
            let health = amount(world, *health)?;
            rows.iter().for_each(|&row| world.heal(row, health));
        }
        AgentOrder::Pace { factor } => {
            if !(0.0..=2.0).contains(factor) {
                let why = format!("{factor} is no share of a speed: it lies between 0 and 2");
                return Err(Refusal::NoSuchKind(why));
            }
            let quicker = ((factor - 1.0) * 64.0).round_ties_even() as i8;
            world.agents.paces.resize(world.agents.ids.capacity(), 0);
            for id in agents {
                world.agents.paces[id.index as usize] = quicker as u8;
                // Agents that waited set off.
                world.agents.waits.get_mut(id.index as usize).into_iter().for_each(|w| *w = 0);
            }
        }
        AgentOrder::Remove => {
            rows.iter().for_each(|&row| world.agents.rows.tag[row].state |= state::LEAVING);
            world.agents.some_leave |= !rows.is_empty();
        }
        AgentOrder::Label { label } => {
            world.agents.labels.resize(world.agents.ids.capacity(), 0);
            agents.iter().for_each(|id| world.agents.labels[id.index as usize] = *label);
        }
    }
    Ok(rows.len() as u32)
}

/// The rows of agents that live, each named once.
pub(super) fn rows<N: Numbers>(
    world: &World<N>,
    agents: &[Id],
    scratch: &mut Scratch<N>,
) -> Result<Vec<usize>, Refusal> {
    // Rows stay while orders are carried out, and new ones come behind them.
    let tags = &world.agents.rows.tag[..];
    scratch.rows.resize(world.agents.ids.capacity(), 0);
    for (row, tag) in tags.iter().enumerate().skip(scratch.rows_known) {
        scratch.rows[tag.id as usize] = row as u32;
    }
    scratch.rows_known = tags.len();
    // Agents leave with their group.
    let stays = |row: &usize| !world.groups.list[usize::from(tags[*row].group)].is_removed;
    let row = |&id: &Id| {
        let row = world.agents.ids.is_alive(id).then(|| scratch.rows[id.index as usize] as usize);
        row.filter(stays).ok_or(Refusal::NoSuchAgent { id })
    };
    let rows = agents.iter().map(row).collect::<Result<Vec<_>, _>>()?;
    let mut sorted = rows.clone();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Refusal::NamedTwice { id: world.id(pair[0]) }),
        None => Ok(rows),
    }
}

/// Sends agents to a goal, or has them stand where they are: in a detachment of each group that they
/// come from.
fn send<N: Numbers>(
    world: &mut World<N>,
    rows: &[usize],
    goal: Option<&Vec<Shape>>,
) -> Result<(), Refusal> {
    let base = |row: usize| world.base_group(world.agents.rows.tag[row].group);
    let bases = bases(world, rows)?;
    // All of it is checked before any of it is done.
    let mut parties: Vec<(u16, Vec<usize>)> = Vec::new();
    for &group in &bases {
        let party: Vec<usize> = rows.iter().copied().filter(|&row| base(row) == group).collect();
        if let Some(shapes) = goal {
            let radius = world.groups.list[usize::from(group)].def.radius;
            let (cells, _) = world.goal_cells(group, shapes, radius, party.len() as u32)?;
            let mut members = party.iter().copied();
            if !world.breaks_walls(group)
                && !world.any_can_reach(group, cells.seeds(), &mut members)
            {
                return Err(Refusal::Unreachable);
            }
        }
        parties.push((group, party));
    }
    check_room(world, parties.len())?;
    for (group, party) in parties {
        let detachment = detachment(world, group, &party)?;
        join(world, detachment, &party);
        let Some(shapes) = goal else {
            sending::stop(world, detachment);
            continue;
        };
        if let Err(refusal) = sending::go(world, detachment, shapes) {
            // There is no memory for the field.
            join(world, group, &party);
            return Err(refusal);
        }
    }
    Ok(())
}

fn teleport<N: Numbers>(
    world: &mut World<N>,
    rows: &[usize],
    to: &[[f64; 2]],
) -> Result<(), Refusal> {
    if to.len() != rows.len() {
        let why = plural(to.len() as u64, "place") + " for " + &plural(rows.len() as u64, "agent");
        return Err(Refusal::NoSuchPlace(why));
    }
    for (&row, &at) in rows.iter().zip(to) {
        world.cell_to_stand_in(row, at)?;
    }
    for (&row, at) in rows.iter().zip(to) {
        let pos = at.each(N::from_f64);
        world.agents.rows.pos[row] = pos;
        world.agents.rows.vel[row] = [N::ZERO; 2];
        world.give_up_place(world.agents.rows.tag[row]);
        world.begin_order_anew(row);
        world.agents.home[world.agents.rows.tag[row].id as usize] = pos;
    }
    Ok(())
}

fn push<N: Numbers>(world: &mut World<N>, rows: &[usize], by: [f64; 2]) -> Result<(), Refusal> {
    if !by.iter().all(|c| c.abs() <= MAX_PUSH) {
        let why = format!("a push of {by:?} m/s is beyond ±{MAX_PUSH}");
        return Err(Refusal::NoSuchKind(why));
    }
    let by = by.each(N::from_f64);
    for &row in rows {
        let most = world.groups.traits[usize::from(world.agents.rows.tag[row].group)].top_speed;
        let vel = &mut world.agents.rows.vel[row];
        let sum = [vel[0] + by[0], vel[1] + by[1]].each(N::Single::splat);
        *vel = limit::<N::Single>(sum, N::Single::splat(most)).each(|c| c.get(0));
    }
    Ok(())
}

/// An amount of health in a world where agents have any.
fn amount<N: Numbers>(world: &World<N>, health: f64) -> Result<N, Refusal> {
    if world.combat.weapons.is_empty() {
        let why = "agents have no health: the world has no weapons".to_owned();
        return Err(Refusal::NoSuchKind(why));
    }
    if !(health > 0.0 && health <= MAX_HEALTH) {
        let why = format!("{health} is no amount of health: it lies above 0, up to {MAX_HEALTH}");
        return Err(Refusal::NoSuchKind(why));
    }
    Ok(N::from_f64(health))
}
