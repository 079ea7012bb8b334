//! Columns, tables, definitions and ids: how throng keeps its data.
//!
//! Rows move; an [`Id`] (index and generation) is what callers keep.

pub mod bytes;
mod column;
pub mod definition;
mod file;
mod handles;
mod ids;
pub mod number;
pub(crate) mod record;
pub mod row;
pub(crate) mod sets;
mod table;
pub(crate) mod toml_tree;

pub(crate) use column::renew;
pub use column::{Column, ColumnView};
pub use definition::OutOfRange;
pub use file::{FileTooLarge, glimpse, read_at_most};
pub use handles::{CompanyId, DoorId, GroupId, MindId, SinkId, SourceId, StructureId, WeaponId};
pub use ids::{Id, Ids};
pub use row::{Kind, Row, Word};
pub(crate) use table::table;
