//! Reading a replay back, as far as it is whole.

use crate::data::bytes::BytesError;
use crate::data::bytes::Reader;
use crate::replay::Frame;
use crate::replay::Header;
use crate::replay::ReplayError;
use crate::replay::frame;
use crate::replay::frame::Any;

/// Where and why a replay ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Bytes that are whole.
    pub at: usize,
    /// What is wrong behind them.
    pub reason: String,
}

/// A replay: the header and the whole frames.
#[derive(Clone, Debug)]
pub struct Replay {
    /// What the run began with.
    pub header: Header,
    /// Ticks, from 0, without gaps.
    pub frames: Vec<Frame>,
    /// Set when the file is cut or damaged behind the last whole frame.
    pub cut: Option<Cut>,
}

impl Replay {
    /// Reads a replay to its end, or to the last whole frame.
    ///
    /// # Errors
    /// When it is no replay, was made by another version, or its header is damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, ReplayError> {
        let (header, start) = Header::read(bytes)?;
        let mut replay = Self { header, frames: Vec::new(), cut: None };
        let mut reader = Reader::new(bytes);
        reader.take("header", start)?;
        loop {
            let at = reader.at();
            match frame::read(&mut reader).and_then(|any| replay.accept(any, &reader)) {
                Ok(true) => {}
                Ok(false) => return Ok(replay),
                Err(error) => {
                    let ended = at == bytes.len();
                    let reason =
                        if ended { "the end is missing".into() } else { error.to_string() };
                    replay.cut = Some(Cut { at, reason });
                    return Ok(replay);
                }
            }
        }
    }

    /// Takes the next frame in; false after the last one.
    fn accept(&mut self, any: Any, reader: &Reader<'_>) -> Result<bool, BytesError> {
        let next = self.frames.len() as u64;
        match any {
            Any::Tick(frame) if frame.tick != next => {
                Err(reader.error("frame", format!("tick {} where {next} is due", frame.tick)))
            }
            Any::Tick(frame) if frame.digests.len() != self.header.columns.len() => {
                let (found, expected) = (frame.digests.len(), self.header.columns.len());
                Err(reader.error("frame", format!("{found} digests for {expected} columns")))
            }
            Any::Tick(frame) => {
                self.frames.push(frame);
                Ok(true)
            }
            Any::End(ticks) if ticks == next && reader.left() == 0 => Ok(false),
            Any::End(ticks) if ticks == next => {
                Err(reader.error("end", format!("{} bytes too many", reader.left())))
            }
            Any::End(ticks) => {
                Err(reader.error("end", format!("{ticks} ticks, but {next} frames")))
            }
        }
    }
}
