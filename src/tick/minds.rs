//! Orders to groups that think, and to groups with detachments.
//!
//! An order to a group holds for its variants that go where it is ordered to; agents detached from
//! it return.

use crate::data::MindId;
use crate::lane::Numbers;
use crate::tick::detachments::end_choice;
use crate::tick::sending;
use crate::world::{Behaviour, Destination, Group, GroupDef, Guidance, Refusal, World, WorldError};

/// A group, and its variants or the detachments that have agents; a variant or detachment alone.
pub(super) fn members<N: Numbers>(world: &World<N>, group: u16) -> Vec<u16> {
    match world.variant_set(group) {
        Some(variant_set) if variant_set.group == group => variant_set.groups().collect(),
        Some(_) => vec![group],
        None => std::iter::once(group).chain(detachments(world, group)).collect(),
    }
}

/// A group with its variants, or with all of its detachments.
pub(super) fn kin<N: Numbers>(world: &World<N>, group: u16) -> Vec<u16> {
    let groups = (0_u16..).zip(&world.groups.list);
    let empty = groups.filter(|(_, g)| g.detached_from == Some(group) && g.members == 0);
    members(world, group).into_iter().chain(empty.map(|(group, _)| group)).collect()
}

/// The detachments of a group that have agents, or are parties of the exits that it chooses among.
pub(super) fn detachments<N: Numbers>(world: &World<N>, base: u16) -> impl Iterator<Item = u16> {
    let groups = (0_u16..).zip(&world.groups.list);
    let is_own = move |group: u16, g: &Group<N>| {
        g.detached_from == Some(base) && (g.members > 0 || world.traffic.is_party(group))
    };
    groups.filter(move |&(group, g)| is_own(group, g)).map(|(group, _)| group)
}

/// Detached agents follow the order of their group again.
pub(super) fn recall<N: Numbers>(world: &mut World<N>, group: u16) {
    end_choice(world, group);
    if detachments(world, group).next().is_none() {
        return;
    }
    for row in 0..world.len() {
        let own = usize::from(world.agents.rows.tag[row].group);
        if world.groups.list[own].detached_from == Some(group) {
            world.join_group(row, group);
        }
    }
}

/// The state traits of the agents of a variant.
fn state_traits<N: Numbers>(world: &World<N>, group: u16) -> Option<&crate::world::StateTraits> {
    let variant_set = world.variant_set(group)?;
    let state = variant_set.state_of(group)?;
    world.minds.list[usize::from(variant_set.mind)].def.conducts.get(usize::from(state))
}

/// Carries an order to a group out for it and for its variants that go by its orders, and says how
/// many agents were touched. Where it is refused for the group, nothing happens; a variant none of
/// whose agents can follow it goes on as before.
pub(super) fn each<N: Numbers>(
    world: &mut World<N>,
    group: u16,
    mut carry_out: impl FnMut(&mut World<N>, u16) -> Result<u32, Refusal>,
) -> Result<u32, Refusal> {
    let mut agents = carry_out(world, group)?;
    recall(world, group);
    if world.groups.list[usize::from(group)].has_order() {
        world.note_sent(group);
    }
    let is_base = world.variant_set(group).is_some_and(|variant_set| variant_set.group == group);
    if !is_base {
        return Ok(agents);
    }
    for variant in members(world, group).into_iter().skip(1) {
        let heeds = |state_traits: &crate::world::StateTraits| {
            state_traits.destination == Destination::Ordered
        };
        if state_traits(world, variant).is_some_and(heeds) {
            agents += carry_out(world, variant).unwrap_or(0);
        }
    }
    let tick = world.log.tick;
    let variant_set = usize::from(world.minds.variant_set_of[usize::from(group)]);
    world.minds.variant_sets[variant_set].told = tick;
    Ok(agents)
}

/// A group gets other behaviours, and so do its variants without behaviours of their own.
pub(super) fn behave<N: Numbers>(
    world: &mut World<N>,
    group: u16,
    behaviours: &[Behaviour],
) -> Result<u32, Refusal> {
    let mut agents = 0;
    for member in members(world, group) {
        let own = state_traits(world, member)
            .is_some_and(|state_traits| state_traits.behaviours.is_some());
        if member == group || !own {
            world.behave(member, behaviours)?;
            agents += world.groups.list[usize::from(member)].members;
        }
    }
    Ok(agents)
}

/// A group begins to think: its variants get their orders.
pub(super) fn think<N: Numbers>(
    world: &mut World<N>,
    group: u16,
    mind: MindId,
) -> Result<u32, Refusal> {
    if let Some(mind) = world.minds.list.get(usize::from(mind)) {
        let (def, radius) = (mind.def.clone(), world.groups.list[usize::from(group)].def.radius);
        for state_traits in &def.conducts {
            if let Destination::Go(shapes) = &state_traits.destination {
                world.goal_cells(group, shapes, radius, 0)?;
            }
        }
    }
    let thinks = world.think(group, mind);
    thinks.map_err(|error| Refusal::NoSuchKind(error.to_string()))?;
    recall(world, group);
    let goal = world.groups.list[usize::from(group)].goal.as_ref();
    let goal = goal.map(|goal| goal.shapes.clone()).filter(|shapes| !shapes.is_empty());
    for variant in members(world, group) {
        let destination =
            state_traits(world, variant).map_or(Destination::Ordered, |c| c.destination.clone());
        match destination {
            Destination::Ordered if variant == group => {}
            Destination::Ordered => {
                if let Some(goal) = &goal {
                    sending::go(world, variant, goal)?;
                }
            }
            Destination::Stand => {}
            Destination::Go(shapes) => {
                sending::go(world, variant, &shapes)?;
            }
            Destination::Enemy | Destination::Away => {
                world.groups.traits[usize::from(variant)].guidance = Guidance::Focus;
            }
        }
    }
    Ok(members(world, group).iter().map(|&g| world.groups.list[usize::from(g)].members).sum())
}

/// A group gets other traits, with its variants and detachments.
pub(super) fn change<N: Numbers>(
    world: &mut World<N>,
    group: u16,
    def: &GroupDef,
) -> Result<u32, Refusal> {
    let base = world.base_group(group);
    if base != group {
        let why = format!("group {group} is a variant of group {base}, and changes with it");
        return Err(Refusal::NoSuchKind(why));
    }
    let own = &world.groups.list[usize::from(group)].def;
    let kept = |def: &GroupDef| (def.radius, def.navigator, def.terrain.clone());
    if kept(own) != kept(def) {
        let why = format!(
            "group {group} keeps its radius, navigator and costs of ground: agents can be assigned to a \
             group that has others"
        );
        return Err(Refusal::NoSuchKind(why));
    }
    if let Some(variety) = world.variety(world.groups.id(group)) {
        let unfit =
            |error| Refusal::NoSuchKind(format!("the agents of group {group} differ: {error}"));
        variety.check(def).map_err(unfit)?;
    }
    let groups: Vec<(u16, GroupDef)> = kin(world, group)
        .into_iter()
        .map(|own| (own, state_traits(world, own).map_or(def.clone(), |state| state.traits(def))))
        .collect();
    let refuse = |error: WorldError| Refusal::NoSuchKind(error.to_string());
    groups.iter().try_for_each(|(_, def)| world.check_armed_group(def)).map_err(refuse)?;
    let mut agents = 0;
    for (own, def) in groups {
        world.change_group(own, def).map_err(refuse)?;
        agents += world.groups.list[usize::from(own)].members;
    }
    Ok(agents)
}
