//! Worlds made by rules, and read from pictures and level files.

#![allow(clippy::disallowed_methods, reason = "oracles may use any function")]

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
