//! Scenario files: what they turn into, and what is refused.

#[path = "../common/mod.rs"]
mod common;

mod battles;
mod behaviours;
mod damage;
mod doors;
mod errors;
mod keys;
mod shipped;
mod structure_errors;
