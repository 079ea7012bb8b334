//! Columns, tables and ids: how throng keeps its data.
//!
//! Rows move; an [`Id`] (index and generation) is what callers keep.

pub mod bytes;
mod column;
mod ids;
mod table;

pub use column::Class;
pub use column::Column;
pub use column::ColumnView;
pub use ids::Id;
pub use ids::Ids;
pub(crate) use table::table;
