//! Minds: what groups and teams decide.

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod deciding;
mod in_scenarios;
mod strategies_in_scenarios;
