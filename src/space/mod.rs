//! The spatial grid: agents sorted by place, and the ranges of rows near a block of them.
//!
//! Grid rows are one interaction range high; within a row, cells are a quarter of it wide, or wider
//! where that makes more than two for each agent. The agents of a grid row are contiguous and sorted
//! by cell, so what is near a block of agents is one range in each of a few grid rows.

mod grid;
mod part;
mod sort;

pub use grid::{Grid, Query};
pub use sort::Gather;
