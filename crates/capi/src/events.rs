//! What happened in the last tick, and by the orders given since.

use std::mem::MaybeUninit;

use throng::either;

use crate::event_lists::ThrongEvents;
use crate::handle;
use crate::handle::{Held, ThrongSim, answer};
use crate::status::{Fault, ThrongStatus, call};

/// What happened in the last tick and by the orders given since.
#[unsafe(no_mangle)]
pub extern "C" fn throng_events(
    sim: *const ThrongSim,
    events: Option<&mut MaybeUninit<ThrongEvents>>,
) -> ThrongStatus {
    answer(sim, events, "events", |held| {
        let Held { sim, shown, .. } = held;
        if !shown.events.is_made {
            either!(sim, sim => shown.events.fill(sim));
        }
        Ok(shown.events.shown())
    })
}

/// From now on events list agents that come into their goal.
#[unsafe(no_mangle)]
pub extern "C" fn throng_watch_arrivals(sim: *mut ThrongSim) -> ThrongStatus {
    call(|| {
        handle::with(sim, |held| {
            either!(&mut held.sim, sim => sim.watch_arrivals());
            Ok(())
        })
    })
}

/// From now on events list agents under way that have stayed within their radius for so many
/// seconds.
#[unsafe(no_mangle)]
pub extern "C" fn throng_watch_stuck(sim: *mut ThrongSim, seconds: f64) -> ThrongStatus {
    call(|| {
        if !(seconds > 0.0 && seconds <= 1.0e9) {
            let words = format!("{seconds} is no time in seconds above 0");
            return Err(Fault::new(ThrongStatus::Value, words));
        }
        handle::with(sim, |held| {
            either!(&mut held.sim, sim => sim.watch_stuck(seconds));
            Ok(())
        })
    })
}
