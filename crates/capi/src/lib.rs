//! throng for C.
//!
//! What C sees is in `include/throng.h`, which is made from this crate; `docs/c.md` teaches it. Every
//! function gives a [`ThrongStatus`](status::ThrongStatus), and none lets a panic out. Simulations are
//! named by pointers that nobody follows: they are looked up in a table, so a simulation that was
//! destroyed is an error and no crash.

pub mod barriers;
pub mod create;
pub mod declared;
pub mod def;
#[rustfmt::skip]
pub mod defs;
pub mod event_lists;
pub mod events;
pub mod handle;
pub mod host;
pub mod ids;
pub mod memory;
pub mod order;
pub mod orders;
pub mod read;
pub mod shape;
pub mod state;
pub mod status;
pub mod time;
pub mod traffic;
pub mod traffic_def;
#[rustfmt::skip]
pub mod traffic_defs;
pub mod vectors;
