//! Grids, networks, meshes and levels above them: ways over graphs.

#[path = "../common/mod.rs"]
mod common;

mod hierarchy;
mod meshes;
mod networks;
mod paths;
