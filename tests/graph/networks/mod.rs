//! Path networks: what an edge keeps clear of, where nodes go, ways over them, and corridors.

mod changing;
mod corridors;
mod crumbs;
mod files;
mod oracle;
mod placing;
mod ratio;
mod validity;
mod ways;

/// A number of random cases; the failing one is printed, not written to a file.
fn cases(count: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config { cases: count, failure_persistence: None, ..Default::default() }
}
