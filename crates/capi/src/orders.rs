//! Orders that have a function of their own. All take effect at once; the step that follows is the tick
//! that they belong to. `touched` may be null everywhere; it is set to how many agents an order touched.

use std::mem::MaybeUninit;

use throng::{AgentOrder, GroupDef, Id, Order, either};

use crate::def::{ThrongCompanyDef, company_def, formation, group_def, weapon_def};
use crate::defs::{ThrongGroupDef, ThrongWeaponDef};
use crate::handle::{ThrongSim, answer};
use crate::ids::{ThrongAgentId, ThrongCompanyId, ThrongGroupId, ThrongWeaponId};
use crate::order::give;
use crate::shape::{ThrongShape, shapes};
use crate::status::{Fault, ThrongStatus, call};
use crate::vectors::{ThrongVec2d, ThrongVec3d};
use crate::{handle, memory};

/// Adds a group without agents.
///
/// # Safety
/// `def` is null or whole, with the terrain that it points to; `group` is null or points to room
/// for an id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_add_group(
    sim: *mut ThrongSim,
    def: Option<&ThrongGroupDef>,
    group: Option<&mut MaybeUninit<ThrongGroupId>>,
) -> ThrongStatus {
    answer(sim, group, "group", |held| {
        // SAFETY: as the caller promises.
        let def: GroupDef = unsafe { group_def(def)? };
        Ok(either!(held.change(), sim => sim.add_group(def))?.into())
    })
}

/// Changes what a group is like, under way or not. Radius, navigator and costs of ground stay.
///
/// # Safety
/// As [`throng_add_group`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_change_group(
    sim: *mut ThrongSim,
    group: ThrongGroupId,
    def: Option<&ThrongGroupDef>,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || {
        // SAFETY: as the caller promises.
        Ok(Order::Change { group: group.into(), def: unsafe { group_def(def)? } })
    })
}

/// Removes a group with its agents, who leave in the next step and take no more orders; `touched` is
/// how many these are. It leaves its company. From now on its id is refused; its index is used again
/// by a group that is added, under another id.
#[unsafe(no_mangle)]
pub extern "C" fn throng_remove_group(
    sim: *mut ThrongSim,
    group: ThrongGroupId,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || Ok(Order::RemoveGroup { group: group.into() }))
}

/// Adds a weapon, which groups added later can carry.
///
/// # Safety
/// `def` is null or whole; `weapon` is null or points to room for an id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_add_weapon(
    sim: *mut ThrongSim,
    def: Option<&ThrongWeaponDef>,
    weapon: Option<&mut MaybeUninit<ThrongWeaponId>>,
) -> ThrongStatus {
    answer(sim, weapon, "weapon", |held| {
        let def = weapon_def(def)?;
        Ok(either!(held.change(), sim => sim.add_weapon(def))?.into())
    })
}

/// Joins groups to a company.
///
/// # Safety
/// `def` is null or whole, with the groups that it points to; `company` is null or points to room
/// for an id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_add_company(
    sim: *mut ThrongSim,
    def: Option<&ThrongCompanyDef>,
    company: Option<&mut MaybeUninit<ThrongCompanyId>>,
) -> ThrongStatus {
    answer(sim, company, "company", |held| {
        // SAFETY: as the caller promises.
        let def = unsafe { company_def(def)? };
        Ok(either!(held.change(), sim => sim.add_company(def))?.into())
    })
}

/// Removes a company: its groups stand where they are, by themselves. From now on its id is refused.
#[unsafe(no_mangle)]
pub extern "C" fn throng_remove_company(
    sim: *mut ThrongSim,
    company: ThrongCompanyId,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || Ok(Order::RemoveCompany { company: company.into() }))
}

/// Brings new agents to a group, spread over an area, at rest. `*ids`, where it is wanted, points
/// to `count` ids until the next call that changes the simulation.
///
/// # Safety
/// `area` points to `area_count` shapes; `ids` is null or points to room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_spawn(
    sim: *mut ThrongSim,
    group: ThrongGroupId,
    area: *const ThrongShape,
    area_count: usize,
    count: u32,
    ids: Option<&mut MaybeUninit<*const ThrongAgentId>>,
) -> ThrongStatus {
    call(|| {
        // SAFETY: as the caller promises.
        let area = unsafe { shapes(area, area_count)? };
        handle::with(sim, |held| {
            let new = either!(held.change(), sim => sim.spawn(group.into(), area, count))?;
            held.shown.spawned = new.into_iter().map(ThrongAgentId::from).collect();
            if let Some(ids) = ids {
                ids.write(held.shown.spawned.as_ptr());
            }
            Ok(())
        })
    })
}

/// The ids of a list.
///
/// # Safety
/// As [`memory::list`].
unsafe fn ids(first: *const ThrongAgentId, count: usize) -> Result<Vec<Id>, Fault> {
    // SAFETY: as the caller promises.
    let list = unsafe { memory::list(first, count, "agents")? };
    Ok(list.iter().map(|&id| id.into()).collect())
}

/// A call that gives an order to single agents.
///
/// # Safety
/// As [`memory::list`].
unsafe fn tell(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    touched: Option<&mut MaybeUninit<u32>>,
    order: impl FnOnce() -> Result<AgentOrder, Fault>,
) -> ThrongStatus {
    give(sim, touched, || {
        let order = order()?;
        // SAFETY: as the caller promises.
        Ok(Order::Agents { agents: unsafe { ids(agents, agent_count)? }, order })
    })
}

/// One point for each agent of a list.
///
/// # Safety
/// As [`memory::list`].
unsafe fn points(first: *const ThrongVec2d, count: usize) -> Result<Vec<[f64; 2]>, Fault> {
    // SAFETY: as the caller promises.
    let list = unsafe { memory::list(first, count, "points")? };
    Ok(list.iter().map(|point| [point.x, point.y]).collect())
}

/// Sends a group to a goal: the nearest part of these shapes.
///
/// # Safety
/// `area` points to `area_count` shapes; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_send(
    sim: *mut ThrongSim,
    group: ThrongGroupId,
    area: *const ThrongShape,
    area_count: usize,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || {
        // SAFETY: as the caller promises.
        let shapes = unsafe { shapes(area, area_count)? };
        Ok(Order::Move { group: group.into(), goal: shapes })
    })
}

/// Has a group stand where it is.
#[unsafe(no_mangle)]
pub extern "C" fn throng_stop(
    sim: *mut ThrongSim,
    group: ThrongGroupId,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || Ok(Order::Stop { group: group.into() }))
}

/// Agents of a group leave at the end of the tick: those in an area, or with an `area_count` of 0
/// all.
///
/// # Safety
/// `area` points to `area_count` shapes; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_remove(
    sim: *mut ThrongSim,
    group: ThrongGroupId,
    area: *const ThrongShape,
    area_count: usize,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || {
        // SAFETY: as the caller promises.
        let shapes = unsafe { shapes(area, area_count)? };
        Ok(Order::Remove { group: group.into(), area: (!shapes.is_empty()).then_some(shapes) })
    })
}

/// Builds walls: all cells with their centres in an area. Agents there are moved to the nearest
/// open cell.
///
/// # Safety
/// `area` points to `area_count` shapes; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_build(
    sim: *mut ThrongSim,
    area: *const ThrongShape,
    area_count: usize,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || {
        // SAFETY: as the caller promises.
        let shapes = unsafe { shapes(area, area_count)? };
        Ok(Order::Build { area: shapes })
    })
}

/// Takes walls down: all cells with their centres in an area.
///
/// # Safety
/// `area` points to `area_count` shapes; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_demolish(
    sim: *mut ThrongSim,
    area: *const ThrongShape,
    area_count: usize,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || {
        // SAFETY: as the caller promises.
        let shapes = unsafe { shapes(area, area_count)? };
        Ok(Order::Demolish { area: shapes })
    })
}

/// Fires a shot of a group's side, by nobody in particular: from x, y and height in metres, with a
/// velocity in m/s, upwards last.
#[unsafe(no_mangle)]
pub extern "C" fn throng_launch(
    sim: *mut ThrongSim,
    group: ThrongGroupId,
    weapon: ThrongWeaponId,
    from: ThrongVec3d,
    velocity: ThrongVec3d,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || {
        Ok(Order::Launch {
            group: group.into(),
            weapon: weapon.into(),
            from: [from.x, from.y, from.z],
            velocity: [velocity.x, velocity.y, velocity.z],
        })
    })
}

/// Sends the groups of a company to a goal, as fast as the slowest, in formation if it has one.
///
/// # Safety
/// `area` points to `area_count` shapes; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_send_company(
    sim: *mut ThrongSim,
    company: ThrongCompanyId,
    area: *const ThrongShape,
    area_count: usize,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || {
        // SAFETY: as the caller promises.
        let shapes = unsafe { shapes(area, area_count)? };
        Ok(Order::MoveCompany { company: company.into(), goal: shapes })
    })
}

/// Has the groups of a company stand where they are.
#[unsafe(no_mangle)]
pub extern "C" fn throng_stop_company(
    sim: *mut ThrongSim,
    company: ThrongCompanyId,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || Ok(Order::StopCompany { company: company.into() }))
}

/// A company takes on another formation (`THRONG_FORMATION_…`), or none.
#[unsafe(no_mangle)]
pub extern "C" fn throng_form_company(
    sim: *mut ThrongSim,
    company: ThrongCompanyId,
    formation_code: u32,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || {
        Ok(Order::Form { company: company.into(), formation: formation(formation_code)? })
    })
}

/// Sends agents to a goal of their own: the nearest part of these shapes. They return to the order
/// of their group when that is sent somewhere or stopped.
///
/// # Safety
/// `agents` points to `agent_count` ids, `area` to `area_count` shapes; `touched` is null or points
/// to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_send_agents(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    area: *const ThrongShape,
    area_count: usize,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    // SAFETY: as the caller promises.
    unsafe {
        tell(sim, agents, agent_count, touched, || {
            Ok(AgentOrder::Send { goal: shapes(area, area_count)? })
        })
    }
}

/// Sends each of some agents to a point of its own; `to` has one for each.
///
/// # Safety
/// `agents` points to `agent_count` ids, `to` to as many points; `touched` is null or points to
/// room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_send_each(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    to: *const ThrongVec2d,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    // SAFETY: as the caller promises.
    unsafe {
        tell(sim, agents, agent_count, touched, || {
            Ok(AgentOrder::SendEach { to: points(to, agent_count)? })
        })
    }
}

/// Puts agents somewhere else, at rest; `to` has one point for each.
///
/// # Safety
/// `agents` points to `agent_count` ids, `to` to as many points; `touched` is null or points to
/// room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_teleport_agents(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    to: *const ThrongVec2d,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    // SAFETY: as the caller promises.
    unsafe {
        tell(sim, agents, agent_count, touched, || {
            Ok(AgentOrder::Teleport { to: points(to, agent_count)? })
        })
    }
}

/// Has agents stand where they are, whatever their group does.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_stop_agents(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    // SAFETY: as the caller promises.
    unsafe { tell(sim, agents, agent_count, touched, || Ok(AgentOrder::Stop)) }
}

/// Has agents follow the order of their group again.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_rejoin_agents(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    // SAFETY: as the caller promises.
    unsafe { tell(sim, agents, agent_count, touched, || Ok(AgentOrder::Rejoin)) }
}

/// Agents leave at the end of the tick.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_remove_agents(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    // SAFETY: as the caller promises.
    unsafe { tell(sim, agents, agent_count, touched, || Ok(AgentOrder::Remove)) }
}

/// Changes the velocity of agents by so much in m/s, up to their top speed.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_push_agents(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    by: ThrongVec2d,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    // SAFETY: as the caller promises.
    unsafe { tell(sim, agents, agent_count, touched, || Ok(AgentOrder::Push { by: [by.x, by.y] })) }
}

/// Takes health above 0 from agents, who may die of it.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_damage_agents(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    health: f64,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    // SAFETY: as the caller promises.
    unsafe { tell(sim, agents, agent_count, touched, || Ok(AgentOrder::Damage { health })) }
}

/// Gives health above 0 to agents, up to what their group begins with.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_heal_agents(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    health: f64,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    // SAFETY: as the caller promises.
    unsafe { tell(sim, agents, agent_count, touched, || Ok(AgentOrder::Heal { health })) }
}

/// Has agents go at so much of the speed of their group, from 0 to 2.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_pace_agents(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    factor: f64,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    // SAFETY: as the caller promises.
    unsafe { tell(sim, agents, agent_count, touched, || Ok(AgentOrder::Pace { factor })) }
}

/// Gives agents a number that means something to the caller.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_label_agents(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    label: u64,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    // SAFETY: as the caller promises.
    unsafe { tell(sim, agents, agent_count, touched, || Ok(AgentOrder::Label { label })) }
}

/// Agents change to another group, and with it to that group's order.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_assign_agents(
    sim: *mut ThrongSim,
    agents: *const ThrongAgentId,
    agent_count: usize,
    group: ThrongGroupId,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || {
        // SAFETY: as the caller promises.
        let agents = unsafe { ids(agents, agent_count)? };
        Ok(Order::Assign { agents, group: group.into() })
    })
}
