#[path = "../common/program.rs"]
mod inner;
pub(crate) use inner::Folder;
