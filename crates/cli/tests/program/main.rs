//! The program: its commands, files, measures and pictures.

#[path = "../../../../tests/common/mod.rs"]
mod common;

mod aim;
mod bench;
mod checking;
mod commands;
mod documents;
mod doors;
mod files;
mod generate;
mod hexagons;
mod import;
mod input;
mod measures;
mod meet;
mod pedestrians;
mod replays;
mod report;
mod rimea;
mod running;
mod structures;
mod sweeps;
mod terminal;
mod traffic;
mod trajectories;
mod view;
mod ways;
