//! Maps: formats, generators, clearance, heights.

#[path = "../common/mod.rs"]
mod common;

mod benchmark_maps;
mod generated;
mod heightfield;
mod reading;
