//! Memory that readers take, and its caps.
//!
//! Counted is all that a call asks for, whether it is given back or not, so a cap holds for the
//! most that is held at once as well.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Runs a reader and refuses more bytes than `cap`, which sees the answer.
///
/// # Panics
/// When it took more.
pub fn within<T>(what: &str, cap: impl FnOnce(&T) -> usize, read: impl FnOnce() -> T) -> T {
    let region = Region::new(MEMORY);
    let answer = read();
    let taken = region.change().bytes_allocated;
    let cap = cap(&answer);
    assert!(taken <= cap, "{what} took {taken} bytes of memory; its cap is {cap}");
    answer
}
