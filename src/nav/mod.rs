//! Ways to tell an agent where to go.

pub mod corridor;
pub mod field;
pub mod navigator;
pub mod streams;

#[doc(inline)]
pub use crate::graph;
