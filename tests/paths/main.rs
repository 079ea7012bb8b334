//! Ways over grids and graphs: published optima, textbook searches, jump points, landmarks, and
//! what a query allocates.

#[path = "../common/data.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod data;
#[path = "../common/oracle.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod oracle;
#[path = "../common/terrain.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod terrain;

mod grids;
mod jumps;
mod landmarks;
mod lines;
mod memory;
mod order;
mod published;
mod textbook;

use std::sync::RwLock;

/// Held by every test; alone by the one that counts allocations, as those of all threads count.
static ALONE: RwLock<()> = RwLock::new(());
