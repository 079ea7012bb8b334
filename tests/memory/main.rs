//! Once warm, queries, repairs and ticks allocate nothing.
//!
//! Memory is counted for the whole process, so one test runs at a time ([`alone`]), and what is
//! counted is counted several times: the threads of the test program and of rayon's pools allocate
//! at moments that depend on the clock, what is tested does the same each time.

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod choosing;
mod hierarchy;
mod meshes;
mod networks;
mod paths;
mod repair;
mod ticks;

use std::alloc::System;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Held by each test.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Allocations of a run.
fn count(run: impl FnOnce()) -> usize {
    let region = Region::new(MEMORY);
    run();
    let change = region.change();
    change.allocations + change.reallocations
}

/// The fewest allocations of a few runs.
fn allocations(mut run: impl FnMut()) -> usize {
    (0..5).map(|_| count(&mut run)).min().unwrap()
}

#[test]
fn the_count_counts() {
    let _alone = alone();
    assert_eq!(allocations(|| {}), 0);
    assert!(allocations(|| drop(std::hint::black_box(vec![1_u8; 100]))) >= 1);
}
