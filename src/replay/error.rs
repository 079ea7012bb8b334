//! Why a replay cannot be written or played.

use thiserror::Error;

use crate::data::bytes::BytesError;
use crate::state::SnapshotError;
use crate::world::WorldError;

/// Where and how a file stops being a replay. All bytes before `at` are whole.
#[must_use = "a part of a replay is not the replay"]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// All blocks are whole, but the end block is missing, as after a run that was killed.
    #[error("cut at byte {at}: the end is missing")]
    Cut {
        /// Length of the file.
        at: usize,
    },
    /// Bytes were changed, lost or added.
    #[error("damaged from byte {at} on: {reason}")]
    Damaged {
        /// Where the first block begins that is not whole, or the first byte that is too many.
        at: usize,
        /// What is wrong there.
        reason: String,
    },
}

impl Fault {
    /// Damage; `reason` says what is wrong.
    pub(super) fn damaged(at: usize, reason: impl ToString) -> Self {
        Self::Damaged { at, reason: reason.to_string() }
    }
}

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
    /// It is cut or damaged; [`Replay::salvage`](crate::replay::Replay::salvage) gives what lies
    /// before, unless that is in the header.
    #[error("the replay is {0}")]
    Broken(#[from] Fault),
    /// The header or a keyframe has a good checksum, but does not say what it should.
    #[error("the replay's header is damaged: {0}")]
    Header(#[from] BytesError),
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
    /// A state that the replay does not come to.
    #[error("this is not the state that was recorded after {tick} ticks")]
    OtherState {
        /// Ticks that it has done.
        tick: u64,
    },
    /// A state of more bytes than keyframes may have.
    #[error("a state of {bytes} bytes is too large for a keyframe; the limit is {limit}")]
    StateTooLarge {
        /// Bytes of its image.
        bytes: u64,
        /// Most bytes.
        limit: u64,
    },
    /// Ticks that would make the replay larger than readers take. What was recorded before can be
    /// finished, and is whole.
    #[error(
        "the replay ends before tick {tick}: {what} would be more than {limit}, the most of a replay"
    )]
    Full {
        /// The first tick that is not recorded.
        tick: u64,
        /// What there would be too much of.
        what: &'static str,
        /// Most bytes of it.
        limit: u64,
    },
    /// Writing failed.
    #[error("cannot write the replay: {0}")]
    Io(#[from] std::io::Error),
}
