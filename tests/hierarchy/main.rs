//! Ways on large maps, by parts: next hops, portals, corridors, waypoints, gates and highways.

#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../common/data.rs"]
mod data;
#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../common/oracle.rs"]
mod oracle;
#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../common/terrain.rs"]
mod terrain;

mod corridors;
mod gates;
mod hops;
mod memory;
mod portals;
mod walk;
mod waypoints;

use std::sync::RwLock;

/// Written by tests that count what the process allocates, read by all others.
pub(crate) static ALONE: RwLock<()> = RwLock::new(());

/// Cases of a property.
pub(crate) fn cases(count: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config { cases: count, failure_persistence: None, ..Default::default() }
}
