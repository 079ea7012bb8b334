//! Navigation meshes.

#[path = "../common/data.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod data;
#[path = "../common/terrain.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod terrain;

mod build;
mod build_polygons;
