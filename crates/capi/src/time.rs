//! Time: steps, and what a frame needs.

use std::mem::MaybeUninit;

use throng::either;

use crate::handle::{ThrongSim, answer};
use crate::status::{ThrongStatus, call};
use crate::{handle, host};

/// Does so many ticks. All pointers into the simulation hold no more.
#[unsafe(no_mangle)]
pub extern "C" fn throng_step(sim: *mut ThrongSim, ticks: u32) -> ThrongStatus {
    call(|| {
        host::check()?;
        handle::with(sim, |held| {
            either!(held.change(), sim => (0..ticks).for_each(|_| sim.step()));
            Ok(())
        })
    })
}

/// How many ticks are due after a frame of so many seconds, 8 at most.
#[unsafe(no_mangle)]
pub extern "C" fn throng_due(
    sim: *mut ThrongSim,
    seconds: f64,
    ticks: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    answer(sim, ticks, "ticks", |held| Ok(either!(&mut held.sim, sim => sim.due(seconds))))
}

/// How much of the time from the last tick to the next has passed at the end of the frame, 0 to 1.
#[unsafe(no_mangle)]
pub extern "C" fn throng_alpha(
    sim: *const ThrongSim,
    alpha: Option<&mut MaybeUninit<f64>>,
) -> ThrongStatus {
    answer(sim, alpha, "alpha", |held| Ok(either!(&held.sim, sim => sim.alpha())))
}

/// Ticks done.
#[unsafe(no_mangle)]
pub extern "C" fn throng_tick_count(
    sim: *const ThrongSim,
    ticks: Option<&mut MaybeUninit<u64>>,
) -> ThrongStatus {
    answer(sim, ticks, "ticks", |held| Ok(either!(&held.sim, sim => sim.tick_count())))
}

/// Simulated time in seconds.
#[unsafe(no_mangle)]
pub extern "C" fn throng_seconds(
    sim: *const ThrongSim,
    seconds: Option<&mut MaybeUninit<f64>>,
) -> ThrongStatus {
    answer(sim, seconds, "seconds", |held| Ok(either!(&held.sim, sim => sim.seconds())))
}
