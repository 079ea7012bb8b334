//! Lockstep over networks that lose, delay, double and reorder: every peer ends in the same state,
//! bad orders are refused for the right reason, each planted fault is noticed, and no player breaks
//! the others.

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod attacks;
mod faults;
mod flipped;
mod game;
mod games;
mod network;
mod queue;
mod rollback;
mod wire;
