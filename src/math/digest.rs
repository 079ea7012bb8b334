//! The digest: 64 bits that name a state.
//!
//! xxh3 over bytes in a stated order. Every value enters as little-endian bytes with its position
//! counting, so equal changes in two places do not cancel.

use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

/// The digest of a run of bytes.
pub fn digest_bytes(seed: u64, bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, seed)
}

/// A digest fed piece by piece.
#[derive(Clone, Default)]
pub struct Digest(Xxh3);

impl Digest {
    /// An empty digest.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a word.
    pub fn word(&mut self, word: u64) -> &mut Self {
        self.0.update(&word.to_le_bytes());
        self
    }

    /// Adds bytes, and their number.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.word(bytes.len() as u64);
        self.0.update(bytes);
        self
    }

    /// The 64 bits.
    pub fn finish(&self) -> u64 {
        self.0.digest()
    }
}
