//! A recording in memory.

use std::io;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Where a recording is written; its clones share the bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Bytes {
    /// The bytes that were written.
    pub(crate) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
