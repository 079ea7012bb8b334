//! `throng view`: which requests are allowed, what frames hold, and the outcomes of orders.

mod areas;
pub(crate) mod client;
mod frames;
mod guard;
mod orders;
mod ways;
