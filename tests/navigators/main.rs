//! Navigators: walks without a world, and agents that find their own way.

#[path = "../common/mod.rs"]
mod common;

mod cells;
mod corridors;
mod holding;
mod input;
mod queue;
mod repeat;
mod routes;
mod ticks;
