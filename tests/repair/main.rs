//! Fields and distances that are repaired after the ground has changed: the same bits as new ones,
//! for little work.

#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../common/data.rs"]
mod data;
#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../common/oracle.rs"]
mod oracle;
#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../common/terrain.rs"]
mod terrain;

mod bounds;
mod distances;
mod equal;
mod ground;
