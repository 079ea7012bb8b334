//! Where a live run is recorded: in memory, so that it can be saved at any time, and in a file.

use std::io;
use std::io::{BufWriter, Write};

use crate::error::CliError;
use crate::output::Output;

/// The recorded bytes. A copy holds the bytes in memory and writes to no file.
pub(super) struct Tape {
    pub(super) bytes: Vec<u8>,
    file: Option<BufWriter<Output>>,
}

impl Tape {
    pub(super) fn new(file: Option<Output>) -> Self {
        Self { bytes: Vec::new(), file: file.map(BufWriter::new) }
    }

    /// Gives the file its name.
    pub(super) fn end(self) -> Result<(), CliError> {
        self.file.map_or(Ok(()), Output::end)
    }
}

impl Clone for Tape {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), file: None }
    }
}

impl Write for Tape {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.write_all(bytes)?;
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}
