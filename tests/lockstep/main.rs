//! Lockstep over networks that lose, delay, double and reorder: every peer ends in the same state,
//! bad orders are refused for the right reason, and each planted fault is noticed.

#[path = "../common/mod.rs"]
mod common;

mod faults;
mod flipped;
mod game;
mod games;
mod network;
mod queue;
mod rollback;
mod wire;
