//! Flow fields: one search from the goal serves every agent that goes there.
//!
//! A field is made in four steps: distances ([`eikonal`]), directions down the distances
//! ([`direction`]), straight lines where the goal is in sight ([`sight`]), and the marks of the
//! goal area. A [`Job`] does all of them and can be stopped after any amount of work; [`Fields`]
//! keeps the results for a world and spreads the jobs over ticks. When cells change, a [`Repair`]
//! brings a field up to date for a small part of the work.
//!
//! ```
//! use throng::map::{Legend, Map};
//! use throng::nav::field::{GoalCells, direction, solve};
//!
//! let map = Map::from_rows(&["..@.", "..@.", "...."], &Legend::default(), 1.0)?;
//! let class = map.class(0.4);
//! let field = solve(&class, &GoalCells::point(map.index(3, 0)));
//! // In the bottom row the way leads straight right, under the wall.
//! let (x, y) = direction::unpack(field.directions[map.index(1, 2) as usize]).unwrap();
//! assert_eq!((x, y), (16_384, 0));
//! # Ok::<(), throng::map::MapError>(())
//! ```
//!
//! All rasters are padded like the map's; cells are padded indices.

mod buckets;
pub mod cache;
mod changes;
mod costs;
pub mod direction;
pub mod eikonal;
mod job;
mod marks;
mod repair;
pub mod sight;

pub use crate::map::area::GoalCells;
pub(crate) use cache::Restored;
pub use cache::{
    FieldError, FieldId, FieldLimits, FieldSnapshot, Fields, FieldsSnapshot, FieldsSnapshotError,
    History,
};
pub use changes::CellChanges;
pub(crate) use costs::LEFT_HALF;
pub use costs::{Costs, CrowdCosts};
pub use direction::SOLID;
pub use job::{Field, Job, solve, solve_around};
pub use repair::Repair;

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
