//! Worlds made by rules, and read from pictures and level files.

#![allow(clippy::disallowed_methods, reason = "oracles may use any function")]

#[path = "../common/terrain.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod terrain;

#[path = "../common/generated.rs"]
mod generated;

mod anything;
mod digging;
mod golden;
mod layers;
mod mistakes;
mod oracle;
mod picture;
mod placing;
mod points;
mod roads;
mod tiled;
