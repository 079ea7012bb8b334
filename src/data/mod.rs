//! Columns, tables, definitions and ids: how throng keeps its data.
//!
//! Rows move; an [`Id`] (index and generation) is what callers keep.

pub mod bytes;
mod column;
pub mod definition;
mod file;
mod ids;
pub mod row;
mod table;
pub(crate) mod toml_tree;

pub use column::Column;
pub use column::ColumnView;
pub use definition::OutOfRange;
pub use file::FileTooLarge;
pub use file::glimpse;
pub use file::read_at_most;
pub use ids::Id;
pub use ids::Ids;
pub use row::Kind;
pub use row::Row;
pub use row::Word;
pub(crate) use table::table;
