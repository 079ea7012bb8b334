//! Reading a replay back, as far as it is whole.

use crate::data::bytes::{BytesError, Reader};
use crate::data::number::plural;
use crate::replay::frame::Block;
use crate::replay::{Fault, Frame, Header, Keyframe, ReplayError, frame};

/// A replay: the header, the whole frames and the keyframes.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The header, with all that the run began with.
    pub header: Header,
    /// Ticks, from the header's first one, without gaps.
    pub frames: Vec<Frame>,
    /// States to begin from, in the order of their ticks.
    pub keyframes: Vec<Keyframe>,
}

/// What a file has of a replay.
#[must_use = "a part of a replay is not the replay"]
#[derive(Clone, Debug)]
pub enum Salvage {
    /// All of it, with the end block.
    Whole(Replay),
    /// What lies before a fault: whole blocks, perhaps none.
    Part(Replay, Fault),
}

impl Replay {
    /// Reads a whole replay.
    ///
    /// # Errors
    /// When it is no replay, was made by another version, or is cut or damaged anywhere.
    pub fn read(bytes: &[u8]) -> Result<Self, ReplayError> {
        match Self::salvage(bytes)? {
            Salvage::Whole(replay) => Ok(replay),
            Salvage::Part(_, fault) => Err(fault.into()),
        }
    }

    /// Reads a replay to its end, or to the last whole block.
    ///
    /// # Errors
    /// When it is no replay, was made by another version, or its header is cut or damaged.
    pub fn salvage(bytes: &[u8]) -> Result<Salvage, ReplayError> {
        let (header, start) = Header::read(bytes)?;
        let mut replay = Self { header, frames: Vec::new(), keyframes: Vec::new() };
        let mut reader = Reader::new(bytes);
        reader.take("header", start)?;
        let mut room = frame::MAX_FRAMES;
        loop {
            let at = reader.at();
            let block = frame::read(&mut reader, &mut room);
            match block.and_then(|block| replay.accept(block, &reader)) {
                Ok(true) => {}
                Ok(false) if reader.left() == 0 => return Ok(Salvage::Whole(replay)),
                Ok(false) => {
                    let reason =
                        format!("{} too many behind the end", plural(reader.left() as u64, "byte"));
                    return Ok(Salvage::Part(replay, Fault::damaged(reader.at(), reason)));
                }
                Err(_) if at == bytes.len() => return Ok(Salvage::Part(replay, Fault::Cut { at })),
                Err(error) => return Ok(Salvage::Part(replay, Fault::damaged(at, error))),
            }
        }
    }

    /// The tick behind the last frame.
    pub fn end_tick(&self) -> u64 {
        self.header.first_tick + self.frames.len() as u64
    }

    /// The frame of a tick.
    pub fn frame(&self, tick: u64) -> Option<&Frame> {
        let index = tick.checked_sub(self.header.first_tick)?;
        self.frames.get(usize::try_from(index).ok()?)
    }

    /// The last keyframe that was saved after at most so many ticks.
    pub fn keyframe_before(&self, tick: u64) -> Option<&Keyframe> {
        self.keyframes.iter().rev().find(|keyframe| keyframe.tick <= tick)
    }

    /// Takes the next block in; false after the last one.
    fn accept(&mut self, block: Block, reader: &Reader<'_>) -> Result<bool, BytesError> {
        let next = self.end_tick();
        match block {
            Block::Frames(frames) => {
                for (frame, next) in frames.iter().zip(next..) {
                    self.check_frame(frame, next, reader)?;
                }
                self.frames.extend(frames);
                Ok(true)
            }
            Block::Keyframe(keyframe) if keyframe.tick != next => {
                let problem = format!("tick {} where {next} is due", keyframe.tick);
                Err(reader.error("keyframe", problem))
            }
            Block::Keyframe(keyframe) => {
                self.keyframes.push(keyframe);
                Ok(true)
            }
            Block::End(ticks) if ticks == next => Ok(false),
            Block::End(ticks) => {
                Err(reader.error("end", format!("{ticks} ticks, but {next} frames")))
            }
        }
    }

    fn check_frame(&self, frame: &Frame, next: u64, reader: &Reader<'_>) -> Result<(), BytesError> {
        if frame.tick != next {
            let problem = format!("tick {} where {next} is due", frame.tick);
            return Err(reader.error("frame", problem));
        }
        let (found, expected) = (frame.columns.len(), self.header.columns.len());
        if found != expected {
            let problem = format!("{found} digests for {expected} columns");
            return Err(reader.error("frame", problem));
        }
        Ok(())
    }
}
