//! Navigators: walks without a world, and agents that find their own way.

mod cells;
mod corridors;
mod holding;
mod input;
mod queue;
mod repeat;
mod routes;
mod ticks;
