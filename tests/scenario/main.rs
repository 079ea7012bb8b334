//! Scenario files: what they turn into, and what is refused.

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod battles;
mod behaviours;
mod damage;
mod doors;
mod errors;
mod generate_errors;
mod keys;
mod measure_errors;
mod shipped;
mod structure_errors;
