//! Navigation meshes.

#[path = "../common/data.rs"]
mod data;
#[path = "../common/terrain.rs"]
mod terrain;

mod build;
mod build_polygons;
