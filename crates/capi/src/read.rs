//! What the agents and groups of a simulation are about: arrays, by row, and single things.
//!
//! Rows move from tick to tick; `throng_ids` says who is in which. Arrays hold until the next call that
//! changes the simulation.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::{ptr, slice};

use throng::lane::Numbers;
use throng::{AnySimulation, GroupId, Num, Simulation, either};

use crate::handle::{Held, ThrongSim, answer, list};
use crate::ids::{NOBODY, ThrongAgentId, ThrongGroupId};
use crate::memory;
use crate::shape::{ThrongShape, shapes};
use crate::status::{Fault, ThrongStatus};
use crate::vectors::{ThrongVec2d, ThrongVec2f};

/// `throng_states`: is in the goal that its group was ordered to, give or take a radius.
pub const THRONG_ARRIVED: u8 = 1;
/// `throng_states`: stands: it is at its place in the goal or found no way further.
pub const THRONG_SETTLED: u8 = 2;
/// `throng_states`: leaves at the end of the tick.
pub const THRONG_LEAVING: u8 = 4;

/// An agent.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongAgent {
    /// Its id.
    pub id: ThrongAgentId,
    /// Its group.
    pub group: ThrongGroupId,
    /// Bits such as `THRONG_ARRIVED`.
    pub state: u8,
    /// Whether it has an order of its own: 1 or 0.
    pub is_detached: u8,
    /// Whether it aims at `target`: 1 or 0.
    pub has_target: u8,
    /// Whether it follows `leader`, which may be gone: 1 or 0.
    pub has_leader: u8,
    /// Index of the state of its machine; 255 when it does not think.
    pub mind_state: u8,
    /// Its row in arrays, until the next call that changes the simulation.
    pub row: u32,
    /// The agent that it aims at.
    pub target: ThrongAgentId,
    /// The agent that it follows.
    pub leader: ThrongAgentId,
    /// The tick in which it sets off, while it waits for that; else 0.
    pub sets_off: u64,
    /// The number that it was given, or 0.
    pub label: u64,
    /// Its centre in metres.
    pub pos: ThrongVec2d,
    /// Its velocity in m/s.
    pub velocity: ThrongVec2d,
    /// Radius of its disc in metres.
    pub radius: f64,
    /// Health that is left; 0 in a world without weapons.
    pub health: f64,
}

/// A group.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongGroup {
    /// Agents that it has; those with an order of their own count elsewhere.
    pub members: u32,
    /// Agents of it that died.
    pub fallen: u32,
    /// Whether it has an order: 1 or 0.
    pub has_order: u8,
    /// Its name in the scenario, or null. It holds as long as the simulation.
    pub name: *const c_char,
}

fn single<N: Num>(pair: &[N; 2]) -> ThrongVec2f {
    let [x, y] = pair.map(|number| number.to_f64() as f32);
    ThrongVec2f { x, y }
}

fn double<N: Num>(pair: &[N; 2]) -> ThrongVec2d {
    let [x, y] = pair.map(N::to_f64);
    ThrongVec2d { x, y }
}

/// A list, which is made when it is asked for first.
fn filled<T>(list: &mut Vec<T>, rows: impl Iterator<Item = T>) -> &[T] {
    if list.is_empty() {
        list.extend(rows);
    }
    list
}

/// Pairs of the engine's as C has them, without a copy.
fn as_they_are(pairs: &[[f32; 2]]) -> &[ThrongVec2f] {
    // SAFETY: both are two `f32`, one behind the other, and nothing else.
    unsafe { slice::from_raw_parts(pairs.as_ptr().cast(), pairs.len()) }
}

/// The number of agents.
#[unsafe(no_mangle)]
pub extern "C" fn throng_agent_count(
    sim: *const ThrongSim,
    count: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    answer(sim, count, "count", |held| Ok(either!(&held.sim, sim => sim.len())))
}

/// How many agents have arrived.
#[unsafe(no_mangle)]
pub extern "C" fn throng_arrived_count(
    sim: *const ThrongSim,
    count: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    answer(sim, count, "count", |held| Ok(either!(&held.sim, sim => sim.world().arrived())))
}

/// Positions of all agents in metres, in single precision: the simulation's own memory, without a
/// copy, unless it is in fixed point; then they are rounded.
#[unsafe(no_mangle)]
pub extern "C" fn throng_positions_f32(
    sim: *const ThrongSim,
    first: Option<&mut MaybeUninit<*const ThrongVec2f>>,
    count: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    list(sim, first, count, |held| {
        let Held { sim, shown, .. } = held;
        Ok(match sim {
            AnySimulation::F32(sim) => as_they_are(sim.world().positions()),
            AnySimulation::Fixed(sim) => {
                filled(&mut shown.single, sim.world().positions().iter().map(single))
            }
        })
    })
}

/// Positions of all agents in metres, exactly.
#[unsafe(no_mangle)]
pub extern "C" fn throng_positions_f64(
    sim: *const ThrongSim,
    first: Option<&mut MaybeUninit<*const ThrongVec2d>>,
    count: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    list(sim, first, count, |held| {
        let Held { sim, shown, .. } = held;
        let list = &mut shown.double;
        Ok(either!(sim, sim => filled(list, sim.world().positions().iter().map(double))))
    })
}

/// Velocities of all agents in m/s, in single precision, as [`throng_positions_f32`].
#[unsafe(no_mangle)]
pub extern "C" fn throng_velocities_f32(
    sim: *const ThrongSim,
    first: Option<&mut MaybeUninit<*const ThrongVec2f>>,
    count: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    list(sim, first, count, |held| {
        let Held { sim, shown, .. } = held;
        Ok(match sim {
            AnySimulation::F32(sim) => as_they_are(sim.world().velocities()),
            AnySimulation::Fixed(sim) => {
                filled(&mut shown.single_velocities, sim.world().velocities().iter().map(single))
            }
        })
    })
}

/// Velocities of all agents in m/s, exactly.
#[unsafe(no_mangle)]
pub extern "C" fn throng_velocities_f64(
    sim: *const ThrongSim,
    first: Option<&mut MaybeUninit<*const ThrongVec2d>>,
    count: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    list(sim, first, count, |held| {
        let Held { sim, shown, .. } = held;
        let list = &mut shown.double_velocities;
        Ok(either!(sim, sim => filled(list, sim.world().velocities().iter().map(double))))
    })
}

/// Ids of all agents.
#[unsafe(no_mangle)]
pub extern "C" fn throng_ids(
    sim: *const ThrongSim,
    first: Option<&mut MaybeUninit<*const ThrongAgentId>>,
    count: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    list(sim, first, count, |held| {
        let Held { sim, shown, .. } = held;
        let list = &mut shown.ids;
        Ok(either!(sim, sim => filled(list, sim.agents().map(|agent| agent.id().into()))))
    })
}

/// Indices of the groups of all agents.
#[unsafe(no_mangle)]
pub extern "C" fn throng_groups(
    sim: *const ThrongSim,
    first: Option<&mut MaybeUninit<*const u16>>,
    count: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    list(sim, first, count, |held| {
        let Held { sim, shown, .. } = held;
        let list = &mut shown.groups;
        Ok(either!(sim, sim => filled(list, sim.agents().map(|agent| agent.group().index()))))
    })
}

/// States of all agents: bits such as `THRONG_ARRIVED`.
#[unsafe(no_mangle)]
pub extern "C" fn throng_states(
    sim: *const ThrongSim,
    first: Option<&mut MaybeUninit<*const u8>>,
    count: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    list(sim, first, count, |held| {
        let Held { sim, shown, .. } = held;
        let list = &mut shown.states;
        Ok(either!(sim, sim => filled(list, sim.agents().map(|agent| agent.state()))))
    })
}

fn agent<N: Numbers>(sim: &Simulation<N>, id: ThrongAgentId) -> Result<ThrongAgent, Fault> {
    let Some(agent) = sim.agent(id.into()) else {
        let words = format!("agent {}:{} does not live", id.index, id.generation);
        return Err(Fault::new(ThrongStatus::NoAgent, words));
    };
    let leader = sim.world().leader(id.into());
    let pair = |[x, y]: [f64; 2]| ThrongVec2d { x, y };
    Ok(ThrongAgent {
        id,
        group: agent.group().into(),
        state: agent.state(),
        is_detached: agent.is_detached().into(),
        has_target: agent.target().is_some().into(),
        has_leader: leader.is_some().into(),
        mind_state: agent.mind_state().unwrap_or(u8::MAX),
        row: agent.row() as u32,
        target: agent.target().map_or(ThrongAgentId { index: 0, generation: 0 }, Into::into),
        leader: leader.map_or(NOBODY, Into::into),
        sets_off: sim.world().sets_off(id.into()).unwrap_or(0),
        label: agent.label(),
        pos: pair(agent.pos()),
        velocity: pair(agent.velocity()),
        radius: agent.radius(),
        health: agent.health().unwrap_or(0.0),
    })
}

/// An agent. The first call after a change makes a table of all rows, about a nanosecond an agent;
/// others cost the same for any number of agents.
#[unsafe(no_mangle)]
pub extern "C" fn throng_agent(
    sim: *const ThrongSim,
    id: ThrongAgentId,
    found: Option<&mut MaybeUninit<ThrongAgent>>,
) -> ThrongStatus {
    answer(sim, found, "found", |held| Ok(either!(&held.sim, sim => agent(sim, id))?))
}

/// The `most` agents nearest to a point, of those within `reach` metres, the nearest first. The
/// array holds until the next call of this function or of `throng_within`, too.
#[unsafe(no_mangle)]
pub extern "C" fn throng_nearest(
    sim: *const ThrongSim,
    at: ThrongVec2d,
    most: usize,
    reach: f64,
    first: Option<&mut MaybeUninit<*const ThrongAgentId>>,
    count: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    list(sim, first, count, |held| {
        let at = [at.x, at.y];
        let found = either!(&held.sim, sim => sim.index().nearest(at, most, reach, |_| true));
        held.shown.found = found.iter().map(|agent| agent.id.into()).collect();
        Ok(&held.shown.found)
    })
}

/// The agents with their centres in an area, by id. The array holds until the next call of this
/// function or of `throng_nearest`, too.
///
/// # Safety
/// `area` points to `area_count` shapes; `first` and `count` are null or point to room for theirs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_within(
    sim: *const ThrongSim,
    area: *const ThrongShape,
    area_count: usize,
    first: Option<&mut MaybeUninit<*const ThrongAgentId>>,
    count: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    list(sim, first, count, |held| {
        // SAFETY: as the caller promises.
        let area = unsafe { shapes(area, area_count)? };
        let found = either!(&held.sim, sim => sim.index().within(&area, |_| true));
        held.shown.found = found.iter().map(|agent| agent.id.into()).collect();
        Ok(&held.shown.found)
    })
}

/// The number of groups, with those that the engine adds for agents with orders of their own.
#[unsafe(no_mangle)]
pub extern "C" fn throng_group_count(
    sim: *const ThrongSim,
    count: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    answer(sim, count, "count", |held| Ok(either!(&held.sim, sim => sim.world().groups().len())))
}

/// A group.
#[unsafe(no_mangle)]
pub extern "C" fn throng_group(
    sim: *const ThrongSim,
    group: ThrongGroupId,
    found: Option<&mut MaybeUninit<ThrongGroup>>,
) -> ThrongStatus {
    answer(sim, found, "found", |held| {
        let id = GroupId::from(group);
        let name = held.names.get(usize::from(id)).filter(|_| id.generation() == 0);
        let name = name.map_or(ptr::null(), |name| name.as_ptr());
        let known = either!(&held.sim, sim => sim.world().group(id).map(|group| ThrongGroup {
            members: group.members(),
            fallen: group.fallen(),
            has_order: group.has_order().into(),
            name,
        }));
        known.ok_or_else(|| {
            let words = format!("there is no group {id}");
            Fault::new(ThrongStatus::NoSuchIndex, words)
        })
    })
}

/// The group of a name in the scenario.
///
/// # Safety
/// `name` is null or a text; `group` is null or points to room for an id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_find_group(
    sim: *const ThrongSim,
    name: *const c_char,
    group: Option<&mut MaybeUninit<ThrongGroupId>>,
) -> ThrongStatus {
    answer(sim, group, "group", |held| {
        // SAFETY: as the caller promises.
        let name = unsafe { memory::text(name, "name")? };
        let mut names = held.names.iter();
        let index = names.position(|known| known.to_bytes() == name.as_bytes());
        let words = || format!("there is no group `{name}`");
        let index = index.ok_or_else(|| Fault::new(ThrongStatus::NoSuchIndex, words()))?;
        Ok(GroupId::new(index as u16).into())
    })
}
