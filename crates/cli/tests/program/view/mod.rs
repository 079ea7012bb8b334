//! `throng view`: who may ask, what frames hold, what becomes of orders.

pub(crate) mod client;
mod frames;
mod guard;
mod orders;
mod ways;
