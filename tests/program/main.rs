//! The program: its commands, files, measures and pictures.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod aim;
mod commands;
mod files;
mod generate;
mod input;
mod measures;
mod pedestrians;
mod replays;
mod report;
mod trajectories;
mod ways;
