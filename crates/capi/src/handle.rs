//! Simulations that C holds.
//!
//! A `ThrongSim *` is a number that was never given out before, not an address: it is looked up in a
//! table under a lock. Each simulation has a lock of its own that is only tried, so two threads that
//! call at once get an error from one of the calls.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use throng::AnySimulation;

use crate::event_lists::EventLists;
use crate::ids::ThrongAgentId;
use crate::memory;
use crate::status::{Fault, ThrongStatus, call};
use crate::vectors::{ThrongVec2d, ThrongVec2f};

/// A simulation. Only throng knows what is in it.
pub struct ThrongSim {
    _private: (),
}

/// What was made of a simulation for C to read, until it changes. Lists are kept to be filled
/// again.
#[derive(Default)]
pub(crate) struct Shown {
    pub(crate) single: Vec<ThrongVec2f>,
    pub(crate) double: Vec<ThrongVec2d>,
    pub(crate) single_velocities: Vec<ThrongVec2f>,
    pub(crate) double_velocities: Vec<ThrongVec2d>,
    pub(crate) ids: Vec<ThrongAgentId>,
    pub(crate) groups: Vec<u16>,
    pub(crate) states: Vec<u8>,
    pub(crate) found: Vec<ThrongAgentId>,
    pub(crate) spawned: Vec<ThrongAgentId>,
    pub(crate) snapshot: Vec<u8>,
    pub(crate) events: EventLists,
}

/// A simulation, and what is known of it beside.
pub(crate) struct Held {
    pub(crate) sim: AnySimulation,
    /// Names of the groups of the scenario.
    pub(crate) names: Vec<CString>,
    pub(crate) shown: Shown,
}

impl Held {
    pub(crate) fn new(sim: AnySimulation, names: Vec<CString>) -> Self {
        Self { sim, names, shown: Shown::default() }
    }

    /// The simulation, to be changed: what was shown of it holds no more.
    pub(crate) fn change(&mut self) -> &mut AnySimulation {
        let Shown { single, double, single_velocities, double_velocities, .. } = &mut self.shown;
        single.clear();
        single_velocities.clear();
        double.clear();
        double_velocities.clear();
        let Shown { ids, groups, states, snapshot, .. } = &mut self.shown;
        ids.clear();
        groups.clear();
        states.clear();
        snapshot.clear();
        self.shown.events.clear();
        &mut self.sim
    }
}

/// The simulations that there are, by the numbers that stand for them.
struct Table {
    next: usize,
    live: BTreeMap<usize, Arc<Mutex<Held>>>,
}

static TABLE: Mutex<Table> = Mutex::new(Table { next: 1, live: BTreeMap::new() });

/// The table is whole after every statement that changes it, so a panic elsewhere does it no harm.
fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number that stands for a simulation. They look like addresses, and none is null.
fn number(sim: *const ThrongSim) -> usize {
    sim.addr() / 16
}

/// Keeps a simulation; the pointer stands for it.
pub(crate) fn keep(held: Held) -> *mut ThrongSim {
    let mut table = table();
    let number = table.next;
    table.next += 1;
    table.live.insert(number, Arc::new(Mutex::new(held)));
    ptr::without_provenance_mut(number * 16)
}

fn find(sim: *const ThrongSim) -> Result<Arc<Mutex<Held>>, Fault> {
    if sim.is_null() {
        return Err(Fault::null("the simulation"));
    }
    let whole = sim.addr().is_multiple_of(16);
    let found = table().live.get(&number(sim)).filter(|_| whole).cloned();
    let words = "there is no such simulation: it was destroyed, or never was";
    found.ok_or_else(|| Fault::new(ThrongStatus::NoSimulation, words))
}

/// Does something with a simulation.
pub(crate) fn with<T>(
    sim: *const ThrongSim,
    run: impl FnOnce(&mut Held) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let slot = find(sim)?;
    match slot.try_lock() {
        Ok(mut held) => run(&mut held),
        Err(TryLockError::WouldBlock) => {
            let words = "another thread is in a call on this simulation";
            Err(Fault::new(ThrongStatus::Busy, words))
        }
        Err(TryLockError::Poisoned(_)) => {
            let words = "an earlier call on this simulation failed by a fault of throng";
            Err(Fault::new(ThrongStatus::Broken, words))
        }
    }
}

/// A call on a simulation. Its answer goes to the argument `what`.
pub(crate) fn answer<T>(
    sim: *const ThrongSim,
    to: Option<&mut MaybeUninit<T>>,
    what: &str,
    run: impl FnOnce(&mut Held) -> Result<T, Fault>,
) -> ThrongStatus {
    call(|| {
        let to = memory::out(to, what)?;
        with(sim, |held| {
            to.write(run(held)?);
            Ok(())
        })
    })
}

/// A call on a simulation. Its answer is a list.
pub(crate) fn list<T>(
    sim: *const ThrongSim,
    first: Option<&mut MaybeUninit<*const T>>,
    count: Option<&mut MaybeUninit<usize>>,
    run: impl FnOnce(&mut Held) -> Result<&[T], Fault>,
) -> ThrongStatus {
    call(|| {
        let (first, count) = (memory::out(first, "first")?, memory::out(count, "count")?);
        with(sim, |held| {
            let list = run(held)?;
            first.write(if list.is_empty() { ptr::null() } else { list.as_ptr() });
            count.write(list.len());
            Ok(())
        })
    })
}

/// Lets go of a simulation. One that a call is in ends with that call.
pub(crate) fn drop(sim: *const ThrongSim) -> Result<(), Fault> {
    find(sim)?;
    let held = table().live.remove(&number(sim));
    std::mem::drop(held);
    Ok(())
}
