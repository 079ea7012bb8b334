//! Detachments.
//!
//! Agents with an order of their own are in a group of their own, a detachment: it has the traits and
//! behaviours of their group, and an order. It is made when they are sent or stopped, used again once
//! it is empty, and its agents count as agents of the group that they come from.

use crate::lane::Numbers;
use crate::tick::sending;
use crate::world::{Exits, MAX_GROUPS, Refusal, World};

/// The groups that agents come from, if these take orders to single agents.
pub(super) fn bases<N: Numbers>(world: &World<N>, rows: &[usize]) -> Result<Vec<u16>, Refusal> {
    let base = |&row: &usize| world.base_group(world.agents.rows.tag[row].group);
    let mut bases: Vec<u16> = rows.iter().map(base).collect();
    bases.sort_unstable();
    bases.dedup();
    match bases.iter().find(|&&group| world.mind_of(group).is_some()) {
        Some(group) => {
            let why = format!("agents of group {group} think, and take no orders of their own");
            Err(Refusal::NoSuchKind(why))
        }
        None => Ok(bases),
    }
}

/// A detachment of a group that is empty, or has the agents of `party` alone; a new one if need be.
pub(super) fn detachment<N: Numbers>(
    world: &mut World<N>,
    base: u16,
    party: &[usize],
) -> Result<u16, Refusal> {
    // Agents that are all of a detachment keep it, and with it their order if it stays the same.
    let own = world.agents.rows.tag[party[0]].group;
    let is_whole = party.iter().all(|&row| world.agents.rows.tag[row].group == own)
        && world.groups.list[usize::from(own)].members as usize == party.len();
    let of_base = |group: u16| world.groups.list[usize::from(group)].detached_from == Some(base);
    if is_whole && of_base(own) && !world.traffic.is_party(own) {
        return Ok(own);
    }
    let groups = 0..world.groups.list.len() as u16;
    let is_free = |&group: &u16| {
        world.groups.list[usize::from(group)].members == 0 && !world.traffic.is_party(group)
    };
    if let Some(group) = groups.filter(|&group| of_base(group)).find(is_free) {
        sending::stop(world, group);
        return Ok(group);
    }
    let from = &world.groups.list[usize::from(base)];
    let (def, behaviours) = (from.def.clone(), from.behaviours.clone());
    let made = world.add_group(def).map_err(|error| Refusal::NoSuchKind(error.to_string()))?;
    let made = made.index();
    world.groups.list[usize::from(made)].detached_from = Some(base);
    world.behave(made, &behaviours)?;
    Ok(made)
}

/// Refuses more groups than there may be.
pub(super) fn check_room<N: Numbers>(world: &World<N>, more: usize) -> Result<(), Refusal> {
    if world.groups.list.len() + more > MAX_GROUPS {
        return Err(Refusal::NoSuchKind(format!("there are no more than {MAX_GROUPS} groups")));
    }
    Ok(())
}

/// Agents change to a group, unless they are in it.
pub(super) fn join<N: Numbers>(world: &mut World<N>, group: u16, rows: &[usize]) {
    for &row in rows {
        if world.agents.rows.tag[row].group != group {
            world.join_group(row, group);
        }
    }
}

/// The agents of a group no longer choose among exits; agents that have chosen return to the group.
pub(super) fn end_choice<N: Numbers>(world: &mut World<N>, group: u16) {
    if world.traffic.choices.is_empty() {
        return;
    }
    let id = world.groups.id(group);
    let Some(at) = world.traffic.choices.iter().position(|choice| choice.group == id) else {
        return;
    };
    let Exits { parties, .. } = world.traffic.choices.remove(at);
    for row in 0..world.len() {
        if parties.contains(&world.agents.rows.tag[row].group) {
            world.join_group(row, group);
        }
    }
    for party in parties {
        sending::stop(world, party);
    }
}
