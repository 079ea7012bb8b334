//! Removal of groups and companies; nothing refers to them afterwards.

use crate::data::GroupId;
use crate::lane::Numbers;
use crate::tick::{company_orders, minds, sending};
use crate::world::{Behaviour, Commander, Refusal, Steering, World, state};

/// A group is removed, with its variants and detachments; its agents leave at the end of the tick. Says
/// how many do.
pub(super) fn remove<N: Numbers>(world: &mut World<N>, group: u16) -> Result<u32, Refusal> {
    let (base, id) = (world.base_group(group), world.groups.id(group));
    if base != group {
        let base = world.groups.id(base);
        return Err(Refusal::InUse(format!(
            "group {id} is a part of group {base}, and goes with it"
        )));
    }
    let commands = |commander: &&Commander<N>| commander.def.groups.iter().any(|c| c.group == id);
    if let Some(commander) = world.teams.commanders.iter().find(commands) {
        let team = commander.team;
        let why =
            format!("the strategies of team {team} command group {id}: they have to go first");
        return Err(Refusal::InUse(why));
    }
    world.traffic.forget_group(id);
    let kin = minds::kin(world, group);
    let is_own = |row: &usize| world.base_group(world.agents.rows.tag[*row].group) == group;
    let rows: Vec<usize> = (0..world.len()).filter(is_own).collect();
    for &own in &kin {
        company_orders::leave(world, own);
        sending::stop(world, own);
    }
    let gone: Vec<GroupId> = kin.iter().map(|&own| world.groups.id(own)).collect();
    stop_looking(world, &gone);
    world.forget_mind(group);
    // All of them leave from the group itself, so that its parts are free at once.
    for &row in &rows {
        world.join_group(row, group);
        world.agents.rows.tag[row].state |= state::LEAVING;
    }
    world.agents.some_leave |= !rows.is_empty();
    let team = world.groups.list[usize::from(group)].def.team;
    let fallen: u64 =
        kin.iter().map(|&g| u64::from(world.groups.list[usize::from(g)].fallen)).sum();
    if let Some(own) = world.teams.commanders.iter_mut().find(|own| own.team == team) {
        own.fallen = own.fallen.saturating_sub(fallen);
    }
    for own in kin {
        let row = &mut world.groups.list[usize::from(own)];
        (row.behaviours, row.steering) = (Vec::new(), Steering::default());
        (row.detached_from, row.fallen, row.is_removed) = (None, 0, true);
        world.groups.note_removed(own);
    }
    Ok(rows.len() as u32)
}

/// Behaviours that look at groups which are gone end.
fn stop_looking<N: Numbers>(world: &mut World<N>, gone: &[GroupId]) {
    let looks = |b: &Behaviour| b.kind.group().is_some_and(|group| gone.contains(&group));
    for index in 0..world.groups.list.len() as u16 {
        let behaviours = &world.groups.list[usize::from(index)].behaviours;
        if behaviours.iter().any(looks) {
            let kept: Vec<Behaviour> = behaviours.iter().filter(|b| !looks(b)).cloned().collect();
            world.behave(index, &kept).expect("fewer of the behaviours that it had");
        }
    }
}
