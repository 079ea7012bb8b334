//! Sealed bytes: magic, version, payload, checksum.

use thiserror::Error;

use crate::data::bytes::{BytesError, Reader, Write};

/// Version of all that peers send each other.
pub const VERSION: u8 = 4;

/// Bytes that are refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// They are something else, or their checksum is wrong.
    #[error("these bytes are no {expected}")]
    Foreign {
        /// Name of the format that was expected.
        expected: &'static str,
    },
    /// Another version of this format.
    #[error("version {found} of the lockstep format, but this program has {VERSION}")]
    Version {
        /// The version found.
        found: u8,
    },
    /// From a game with other rules, or from another session.
    #[error("of a game with other rules: {found:016x}, here {expected:016x}")]
    Rules {
        /// Digest of the rules found.
        found: u64,
        /// Digest of the rules here.
        expected: u64,
    },
    /// A number that no honest peer can have reached.
    #[error("{what} {found}, but at most {most} can be true")]
    Implausible {
        /// Name of the number.
        what: &'static str,
        /// The number in the packet.
        found: u64,
        /// The most that is believed.
        most: u64,
    },
    /// Cut or garbled, though the checksum is right.
    #[error("garbled: {0}")]
    Garbled(#[from] BytesError),
}

/// What is sealed: its name and its first bytes.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) magic: [u8; 4],
}

/// The first bytes; the payload follows.
pub(super) fn begin(kind: &Kind) -> Vec<u8> {
    let mut bytes = kind.magic.to_vec();
    bytes.u8(VERSION);
    bytes
}

/// Ends what [`begin`] began.
pub(super) fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = crc32fast::hash(&bytes);
    bytes.u32(checksum);
    bytes
}

/// The payload of sealed bytes.
pub(super) fn open<'a>(kind: &Kind, bytes: &'a [u8]) -> Result<Reader<'a>, WireError> {
    let expected = kind.name;
    let foreign = || WireError::Foreign { expected };
    let (sealed, checksum) = bytes.split_last_chunk::<4>().ok_or_else(foreign)?;
    let checksum = u32::from_le_bytes(*checksum);
    if !sealed.starts_with(&kind.magic) || checksum != crc32fast::hash(sealed) {
        return Err(foreign());
    }
    let mut reader = Reader::new(sealed);
    reader.take("magic", kind.magic.len())?;
    let found = reader.u8("version")?;
    if found == VERSION { Ok(reader) } else { Err(WireError::Version { found }) }
}

/// Refuses bytes after the end.
pub(super) fn end(reader: &Reader<'_>) -> Result<(), WireError> {
    match reader.left() {
        0 => Ok(()),
        left => Err(reader.error("end", format!("{left} bytes too many")).into()),
    }
}
