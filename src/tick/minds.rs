//! Orders to groups that think.
//!
//! What a group is ordered holds for those of its variants that go where it is ordered to.

use crate::lane::Numbers;
use crate::tick::sending;
use crate::world::Aim;
use crate::world::Behaviour;
use crate::world::Errand;
use crate::world::Refusal;
use crate::world::World;

/// A group and its variants; a variant, and a group that does not think, alone.
pub(super) fn members<N: Numbers>(world: &World<N>, group: u16) -> Vec<u16> {
    match world.family(group) {
        Some(family) if family.group == group => family.groups().collect(),
        _ => vec![group],
    }
}

/// The conduct of the agents of a variant.
fn conduct<N: Numbers>(world: &World<N>, group: u16) -> Option<&crate::world::Conduct> {
    let family = world.family(group)?;
    let state = family.state_of(group)?;
    world.minds[usize::from(family.mind)].def.conducts.get(usize::from(state))
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
    let is_base = world.family(group).is_some_and(|family| family.group == group);
    if !is_base {
        return Ok(agents);
    }
    for variant in members(world, group).into_iter().skip(1) {
        let heeds = |conduct: &crate::world::Conduct| conduct.errand == Errand::Ordered;
        if conduct(world, variant).is_some_and(heeds) {
            agents += carry_out(world, variant).unwrap_or(0);
        }
    }
    let tick = world.tick;
    let family = usize::from(world.kin[usize::from(group)]);
    world.families[family].told = tick;
    Ok(agents)
}

/// A group behaves otherwise, and so do its variants without behaviours of their own.
pub(super) fn behave<N: Numbers>(
    world: &mut World<N>,
    group: u16,
    behaviours: &[Behaviour],
) -> Result<u32, Refusal> {
    let mut agents = 0;
    for member in members(world, group) {
        let own = conduct(world, member).is_some_and(|conduct| conduct.behaviours.is_some());
        if member == group || !own {
            world.behave(member, behaviours)?;
            agents += world.groups[usize::from(member)].members;
        }
    }
    Ok(agents)
}

/// A group begins to think: its variants get their orders.
pub(super) fn think<N: Numbers>(
    world: &mut World<N>,
    group: u16,
    mind: u16,
) -> Result<u32, Refusal> {
    if let Some(mind) = world.minds.get(usize::from(mind)) {
        let (def, radius) = (mind.def.clone(), world.groups[usize::from(group)].def.radius);
        for conduct in &def.conducts {
            if let Errand::Go(shapes) = &conduct.errand {
                world.goal_cells(group, shapes, radius, 0)?;
            }
        }
    }
    let thinks = world.think(group, mind);
    thinks.map_err(|error| Refusal::NoSuchKind(error.to_string()))?;
    let goal = world.groups[usize::from(group)].goal.as_ref();
    let goal = goal.map(|goal| goal.shapes.clone()).filter(|shapes| !shapes.is_empty());
    for variant in members(world, group) {
        let errand = conduct(world, variant).map_or(Errand::Ordered, |c| c.errand.clone());
        match errand {
            Errand::Ordered if variant == group => {}
            Errand::Ordered => {
                if let Some(goal) = &goal {
                    sending::go(world, variant, goal)?;
                }
            }
            Errand::Stand => {}
            Errand::Go(shapes) => {
                sending::go(world, variant, &shapes)?;
            }
            Errand::Enemy | Errand::Away => {
                world.traits[usize::from(variant)].aim = Aim::Focus;
            }
        }
    }
    Ok(members(world, group).iter().map(|&g| world.groups[usize::from(g)].members).sum())
}
