//! Who tells an agent where to go.

pub mod field;
pub mod navigator;
