//! State: orders, digests, snapshots, replays, and that all of it repeats.

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod determinism;
mod following;
mod orders;
mod people;
mod random_worlds;
mod reading;
mod refused_orders;
mod removal;
mod repeats;
mod replay_size;
mod replays;
mod rests;
mod rewind;
mod scenes;
mod simulation;
mod snapshot_bits;
mod snapshots;
mod strips;
mod traffic;
