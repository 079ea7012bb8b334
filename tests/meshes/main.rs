//! Navigation meshes: made from grids and polygons, and searched: files, point location, ways over
//! points on edges, shortest ways.
//!
//! Lengths are compared with published ones and those of the data folder on meshes of game maps,
//! and with a visibility graph of another making on small maps.

mod build;
mod build_polygons;
mod build_search;
#[path = "../common/data.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod data;
mod degenerate;
mod exact;
mod files;
mod ground;
mod locate;
mod memory;
mod oracle;
mod routes;
mod rows;
mod shapes;
#[path = "../common/terrain.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod terrain;

use stats_alloc::INSTRUMENTED_SYSTEM;
use stats_alloc::StatsAlloc;
use std::alloc::System;

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;
