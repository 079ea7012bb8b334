//! Files, read up to a limit.

use std::fs::File;
use std::io;
use std::io::Read as _;
use std::path::Path;

use thiserror::Error;

/// A file that goes on beyond what its reader takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it has more than {limit} bytes, the most of a file of its kind")]
pub struct FileTooLarge {
    /// Bytes that such a file may have.
    pub limit: u64,
}

/// The bytes of a file, a pipe or a device that ends after at most `limit` bytes; what is longer is
/// read no further than that.
///
/// # Errors
/// When reading fails; of the kind [`io::ErrorKind::FileTooLarge`], with a [`FileTooLarge`] inside,
/// when there is more.
pub fn read_at_most(path: impl AsRef<Path>, limit: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, FileTooLarge { limit });
    let length = file.metadata()?.len();
    if length > limit {
        return Err(too_large());
    }
    // Pipes and devices say 0.
    let mut bytes = Vec::with_capacity(length as usize + 1);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
}

/// What messages show of a piece of a file, which may be a file of anything: a number, or else the
/// first character, escaped; nothing of nothing.
pub fn glimpse(text: &[u8]) -> String {
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let is_number = text.iter().all(is_of_number) && text.iter().any(u8::is_ascii_digit);
    if text.len() <= 24 && is_number {
        return text.iter().map(|&byte| char::from(byte)).collect();
    }
    let Some(byte) = text.first() else { return String::new() };
    let letter = text.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    letter.map_or_else(|| format!("\\x{byte:02x}"), |letter| letter.escape_debug().collect())
}
