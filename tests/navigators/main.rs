//! Navigators: walks without a world, and agents that find their own way.

#[path = "../common/mod.rs"]
mod common;

mod cells;
mod corridors;
mod input;
mod repeat;
mod routes;
mod ticks;
