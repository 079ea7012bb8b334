//! Path networks: what an edge keeps clear of, where nodes go, ways over them, and corridors.

#[allow(dead_code, reason = "other test programs use more of it")]
#[path = "../common/data.rs"]
mod data;
#[allow(dead_code, reason = "other test programs use more of it")]
#[path = "../common/terrain.rs"]
mod terrain;

mod changing;
mod corridors;
mod crumbs;
mod files;
mod memory;
mod oracle;
mod placing;
mod ratio;
mod validity;
mod ways;

use std::alloc::System;

use stats_alloc::INSTRUMENTED_SYSTEM;
use stats_alloc::StatsAlloc;

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// A number of random cases; the failing one is printed, not written to a file.
fn cases(count: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config { cases: count, failure_persistence: None, ..Default::default() }
}
