//! Fields and navigators: how agents find their way.

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod crowding;
mod field_cache;
mod fields;
mod goals;
mod navigators;
mod repair;
