//! Why a replay cannot be written or played.

use thiserror::Error;

use crate::data::bytes::BytesError;
use crate::state::SnapshotError;
use crate::world::WorldError;

/// A replay is refused.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// It is something else.
    #[error("this is no replay: it does not begin with the bytes \"THRONGR\"")]
    NotAReplay,
    /// Made by another version.
    #[error("the replay has {what} {found}, but this program plays only {expected}")]
    Foreign {
        /// What differs.
        what: &'static str,
        /// In the file.
        found: String,
        /// In the program.
        expected: String,
    },
    /// The header is cut or garbled: nothing can be played.
    #[error("the replay's header is damaged: {0}")]
    Header(#[from] BytesError),
    /// The header's checksum is wrong.
    #[error(
        "the replay's header is damaged: its checksum is {found:08x}, but should be {expected:08x}"
    )]
    Checksum {
        /// In the file.
        found: u32,
        /// Of the bytes before it.
        expected: u32,
    },
    /// The map in the header is none.
    #[error("the replay's map is damaged: {0}")]
    Map(String),
    /// The header describes no world.
    #[error("the replay's world cannot be made: {0}")]
    World(#[from] WorldError),
    /// A keyframe is no state of the replay's world.
    #[error("a keyframe cannot be used: {0}")]
    Keyframe(#[from] SnapshotError),
    /// It begins late, and without a state.
    #[error("the replay begins at tick {tick}, but has no keyframe there")]
    NoStart {
        /// Its first tick.
        tick: u64,
    },
    /// Writing failed.
    #[error("cannot write the replay: {0}")]
    Io(#[from] std::io::Error),
}
