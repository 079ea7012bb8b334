//! Searching navigation meshes.

#[path = "../common/data.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod data;
mod rows;
mod exact;
