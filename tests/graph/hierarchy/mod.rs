//! Ways on large maps, by parts: next hops, portals, corridors, waypoints, gates and highways.

mod corridors;
mod gates;
mod hops;
mod portals;
mod walk;
mod waypoints;

/// Cases of a property.
pub(crate) fn cases(count: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config { cases: count, failure_persistence: None, ..Default::default() }
}
