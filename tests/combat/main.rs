//! Targets, shots and damage.

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod aim;
mod battle;
mod battle_map;
mod flight;
mod structures;
