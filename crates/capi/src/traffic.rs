//! Agents that come and agents that leave, and what agents of one group do not share. `touched` may be null
//! everywhere; it is set to how many agents an order touched.

use std::mem::MaybeUninit;

use throng::{Order, either};

use crate::handle::{ThrongSim, answer};
use crate::ids::{ThrongGroupId, ThrongSinkId, ThrongSourceId};
use crate::memory;
use crate::order::give;
use crate::shape::{ThrongShape, shapes};
use crate::status::{Fault, ThrongStatus};
use crate::traffic_def::{ThrongVaryDef, exits_def, follow_def, source_def, vary_def};
use crate::traffic_defs::{ThrongExitsDef, ThrongFollowDef, ThrongSourceDef};

/// A source.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongSource {
    /// The group that its agents join.
    pub group: ThrongGroupId,
    /// Whether it was closed, or its group removed: 1 or 0.
    pub is_closed: u8,
    /// Agents that have entered.
    pub entered: u64,
    /// Agents that have come and wait outside until there is room.
    pub waiting: u64,
}

/// A sink.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongSink {
    /// Agents that have left there.
    pub left: u64,
}

/// How many sources, sinks, doors and structures a simulation has, and how many agents have come and
/// gone.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongTraffic {
    /// Sources, closed ones too.
    pub source_count: usize,
    /// Sinks.
    pub sink_count: usize,
    /// Doors.
    pub door_count: usize,
    /// Structures, fallen ones too.
    pub structure_count: usize,
    /// Agents that sources have brought.
    pub entered: u64,
    /// Agents that have come to a source and wait outside until there is room.
    pub waiting: u64,
    /// Agents that have left by sinks.
    pub left: u64,
    /// Whether sources still bring agents, or agents wait outside: 1 or 0.
    pub has_comers: u8,
}

/// There is no such thing.
pub(crate) fn missing(what: &str, index: u16) -> Fault {
    Fault::new(ThrongStatus::NoSuchIndex, format!("there is no {what} {index}"))
}

/// Adds a source: agents of a group appear in an area while the simulation runs. Agents that find no
/// room wait outside.
///
/// # Safety
/// `area` points to `area_count` shapes; `def` is null or whole, with the entries that it points to;
/// `source` is null or points to room for an id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_add_source(
    sim: *mut ThrongSim,
    group: ThrongGroupId,
    area: *const ThrongShape,
    area_count: usize,
    def: Option<&ThrongSourceDef>,
    source: Option<&mut MaybeUninit<ThrongSourceId>>,
) -> ThrongStatus {
    answer(sim, source, "source", |held| {
        // SAFETY: as the caller promises.
        let (area, def) = unsafe { (shapes(area, area_count)?, source_def(def)?) };
        let new = either!(held.change(), sim => sim.add_source(group.into(), area, def))?;
        Ok(new.into())
    })
}

/// No agents come to a source any more; agents that wait outside go.
#[unsafe(no_mangle)]
pub extern "C" fn throng_close_source(sim: *mut ThrongSim, source: ThrongSourceId) -> ThrongStatus {
    give(sim, None, || Ok(Order::CloseSource { source: source.into() }))
}

/// Adds a sink: agents of some groups, or with a `group_count` of 0 of all, leave when they come into
/// an area, and are counted.
///
/// # Safety
/// `area` points to `area_count` shapes, `groups` to `group_count` ids; `sink` is null or points to
/// room for an id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_add_sink(
    sim: *mut ThrongSim,
    area: *const ThrongShape,
    area_count: usize,
    groups: *const ThrongGroupId,
    group_count: usize,
    sink: Option<&mut MaybeUninit<ThrongSinkId>>,
) -> ThrongStatus {
    answer(sim, sink, "sink", |held| {
        // SAFETY: as the caller promises.
        let area = unsafe { shapes(area, area_count)? };
        // SAFETY: as the caller promises.
        let groups = unsafe { memory::list(groups, group_count, "groups")? };
        let groups: Vec<throng::GroupId> = groups.iter().map(|&id| id.into()).collect();
        Ok(either!(held.change(), sim => sim.add_sink(area, groups))?.into())
    })
}

/// Makes the agents of a group differ from now on: its members and agents that join it.
///
/// # Safety
/// `def` is null or whole; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_vary(
    sim: *mut ThrongSim,
    group: ThrongGroupId,
    def: Option<&ThrongVaryDef>,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || Ok(Order::Vary { group: group.into(), def: vary_def(def)? }))
}

/// Has each agent of a group choose an exit and go there, until the group is sent somewhere or
/// stopped. The group goes by flow fields, thinks by no machine and is in no company.
///
/// # Safety
/// `def` is null or whole, with the exits, shapes and corners that it points to; `touched` is null or
/// points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_choose(
    sim: *mut ThrongSim,
    group: ThrongGroupId,
    def: Option<&ThrongExitsDef>,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || {
        // SAFETY: as the caller promises.
        Ok(Order::Choose { group: group.into(), def: unsafe { exits_def(def)? } })
    })
}

/// Has the agents of a group go where others go, until the group is sent somewhere or stopped. The
/// group thinks by no machine and is in no company.
///
/// # Safety
/// `def` is null or whole; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_follow(
    sim: *mut ThrongSim,
    group: ThrongGroupId,
    def: Option<&ThrongFollowDef>,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    give(sim, touched, || Ok(Order::Follow { group: group.into(), def: follow_def(def)? }))
}

/// A source.
#[unsafe(no_mangle)]
pub extern "C" fn throng_source(
    sim: *const ThrongSim,
    source: ThrongSourceId,
    found: Option<&mut MaybeUninit<ThrongSource>>,
) -> ThrongStatus {
    answer(sim, found, "found", |held| {
        let sources = either!(&held.sim, sim => sim.world().sources());
        let own = sources.get(usize::from(source.index));
        let own = own.ok_or_else(|| missing("source", source.index))?;
        Ok(ThrongSource {
            group: own.group().into(),
            is_closed: own.is_closed().into(),
            entered: own.entered(),
            waiting: own.waiting(),
        })
    })
}

/// A sink.
#[unsafe(no_mangle)]
pub extern "C" fn throng_sink(
    sim: *const ThrongSim,
    sink: ThrongSinkId,
    found: Option<&mut MaybeUninit<ThrongSink>>,
) -> ThrongStatus {
    answer(sim, found, "found", |held| {
        let sinks = either!(&held.sim, sim => sim.world().sinks());
        let own = sinks.get(usize::from(sink.index));
        let own = own.ok_or_else(|| missing("sink", sink.index))?;
        Ok(ThrongSink { left: own.left() })
    })
}

/// How many sources, sinks, doors and structures there are, and how many agents have come and gone.
#[unsafe(no_mangle)]
pub extern "C" fn throng_traffic(
    sim: *const ThrongSim,
    found: Option<&mut MaybeUninit<ThrongTraffic>>,
) -> ThrongStatus {
    answer(sim, found, "found", |held| {
        let all = either!(&held.sim, sim => {
            let world = sim.world();
            ThrongTraffic {
                source_count: world.sources().len(),
                sink_count: world.sinks().len(),
                door_count: world.doors().len(),
                structure_count: world.structures().len(),
                entered: world.entered(),
                waiting: world.waiting_outside(),
                left: world.left_by_sinks(),
                has_comers: world.has_comers().into(),
            }
        });
        Ok(all)
    })
}
