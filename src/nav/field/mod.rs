//! Flow fields: one search from the goal serves every agent that goes there.
//!
//! A field is made in four steps: distances ([`eikonal`]), directions down the distances
//! ([`direction`]), straight lines where the goal is in sight ([`sight`]), and the marks of the
//! goal area. A [`Job`] does all of them and can be stopped after any amount of work; [`Fields`]
//! keeps the results for a world and spreads the jobs over ticks. [`octile`] is the exact search
//! over eight neighbours.
//!
//! All rasters are padded like the map's; cells are padded indices.

mod buckets;
pub mod cache;
pub mod direction;
pub mod eikonal;
mod goals;
mod job;
pub mod octile;
pub mod sight;

pub use cache::FieldError;
pub use cache::FieldId;
pub use cache::FieldLimits;
pub use cache::Fields;
pub use direction::SOLID;
pub use goals::GoalCells;
pub use job::Field;
pub use job::Job;
pub use job::solve;
pub use job::solve_many;

/// Distance of a cell from which no goal can be reached.
pub const UNREACHED: i32 = i32::MAX;

/// What a resumable search did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Work done, in cells; may exceed the budget by what is in one indivisible step.
    pub work: u32,
    /// Whether the search is at its end.
    pub done: bool,
}
