//! Why snapshots are refused.

use thiserror::Error;

use crate::data::bytes::BytesError;
use crate::nav::field::FieldsSnapshotError;
use crate::world::WorldError;

/// A snapshot is refused. The world is as it was.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// It is something else.
    #[error("this is no snapshot: it does not begin with the bytes \"THRSNAP\"")]
    NotASnapshot,
    /// Of another version, or another run.
    #[error("the snapshot has {what} {found}, but here it is {expected}")]
    Foreign {
        /// What differs.
        what: &'static str,
        /// In the snapshot.
        found: String,
        /// In the world or the program.
        expected: String,
    },
    /// Cut or garbled.
    #[error("the snapshot is damaged: {0}")]
    Damaged(#[from] BytesError),
    /// A digest is wrong.
    #[error("the snapshot is damaged: the digest of {what} is {found:016x}, not {expected:016x}")]
    Digest {
        /// What the digest is of.
        what: String,
        /// Digest of the bytes that are there.
        found: u64,
        /// Digest in the snapshot.
        expected: u64,
    },
    /// Its parts contradict each other, though every digest is right.
    #[error("the snapshot contradicts itself: {0}")]
    Contradiction(String),
    /// A group or company that cannot be.
    #[error("the snapshot contradicts itself: {0}")]
    World(#[from] WorldError),
    /// Flow fields that cannot be.
    #[error("the snapshot contradicts itself: {0}")]
    Fields(#[from] FieldsSnapshotError),
    /// The run is being recorded, and a recording cannot go back.
    #[error("the run is being recorded: finish the recording before a snapshot is restored")]
    Recorded,
}

/// The error of a snapshot whose parts contradict each other.
pub(super) fn contradiction(why: impl Into<String>) -> SnapshotError {
    SnapshotError::Contradiction(why.into())
}
