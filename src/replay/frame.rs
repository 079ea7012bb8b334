//! Frames: one a tick, packed in blocks that each have their own checksum.

use std::io::Read;
use std::io::Write as _;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::data::bytes::BytesError;
use crate::data::bytes::Reader;
use crate::data::bytes::Write;
use crate::world::Order;

/// A tick: its orders, and the digests of the state after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Number of the tick, from 0.
    pub tick: u64,
    /// What was ordered.
    pub orders: Vec<Order>,
    /// Digest of the state.
    pub digest: u64,
    /// The low 16 bits of every column's digest: enough to name the columns that differ.
    pub columns: Vec<u16>,
    /// The same after every stage of the tick, scratch columns behind those of the state; empty
    /// unless the run was traced.
    pub stages: Vec<Vec<u16>>,
}

/// A state within a replay, to begin from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyframe {
    /// Ticks done.
    pub tick: u64,
    /// Bytes of the image.
    length: u64,
    /// The image, piece by piece: byte planes, compressed.
    pieces: Vec<Vec<u8>>,
}

/// Kind byte of a block of frames.
const FRAMES: u8 = 1;
/// Kind byte of the last block of a run that ended well.
const END: u8 = 2;
/// Kind byte of a keyframe.
const KEYFRAME: u8 = 3;

/// Most bytes of a block of frames before compression.
pub(super) const MOST_BLOCK: u64 = 256 << 20;
/// Most bytes of all blocks of frames before compression: a few kilobytes could unpack to anything.
pub(super) const MOST_FRAMES: u64 = 1 << 30;
/// Most bytes of an image.
const MOST_IMAGE: u64 = 2 << 30;
/// Bytes of an image that are compressed together.
const PIECE: usize = 1 << 20;
/// Bytes from one byte of a plane to the next in an image.
const PLANES: usize = 8;

/// What a block can be.
#[derive(Debug)]
pub(super) enum Block {
    Frames(Vec<Frame>),
    Keyframe(Keyframe),
    /// The run ended after so many ticks.
    End(u64),
}

/// A block's bytes: kind, length, payload, and the CRC-32 of these.
fn seal(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind];
    bytes.run(payload);
    let checksum = crc32fast::hash(&bytes);
    bytes.u32(checksum);
    bytes
}

/// The last block.
pub(super) fn end(ticks: u64) -> Vec<u8> {
    seal(END, &ticks.to_le_bytes())
}

fn pack(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), level);
    let written = packed.write_all(bytes).and_then(|()| packed.finish());
    written.expect("a vector takes all bytes")
}

/// Unpacks at most `most` bytes.
fn unpack(packed: &[u8], most: u64, what: &'static str) -> Result<Vec<u8>, BytesError> {
    let mut bytes = Vec::new();
    let read = ZlibDecoder::new(packed).take(most + 1).read_to_end(&mut bytes);
    let problem = match read {
        Ok(_) if bytes.len() as u64 <= most => return Ok(bytes),
        Ok(_) => format!("it unpacks to more than {most} bytes"),
        Err(error) => error.to_string(),
    };
    Err(BytesError { what, at: 0, problem })
}

/// Writes numbers as their difference in bits from the ones before: most digests stay the same.
fn write_words(words: &[u16], before: &[u16], to: &mut Vec<u8>) {
    to.u32(words.len() as u32);
    for (i, word) in words.iter().enumerate() {
        to.u16(word ^ before.get(i).copied().unwrap_or(0));
    }
}

fn read_words(reader: &mut Reader<'_>, before: &[u16]) -> Result<Vec<u16>, BytesError> {
    let count = reader.count("digests", 2)?;
    let word = |i: usize| Ok(reader.u16("digest")? ^ before.get(i).copied().unwrap_or(0));
    (0..count).map(word).collect()
}

/// The bytes of a block of frames, whose ticks follow each other.
pub fn block(frames: &[Frame]) -> Vec<u8> {
    let mut raw = Vec::new();
    raw.u64(frames.first().map_or(0, |frame| frame.tick));
    raw.u32(frames.len() as u32);
    let mut before: &[u16] = &[];
    for frame in frames {
        raw.u32(frame.orders.len() as u32);
        frame.orders.iter().for_each(|order| order.write(&mut raw));
        raw.u64(frame.digest);
        write_words(&frame.columns, before, &mut raw);
        before = &frame.columns;
        raw.u32(frame.stages.len() as u32);
        let mut stage_before = before;
        for stage in &frame.stages {
            write_words(stage, stage_before, &mut raw);
            stage_before = stage;
        }
    }
    seal(FRAMES, &pack(&raw, Compression::default()))
}

fn read_frames(payload: &[u8], room: &mut u64) -> Result<Vec<Frame>, BytesError> {
    let raw = unpack(payload, MOST_BLOCK.min(*room), "frames")?;
    *room -= raw.len() as u64;
    let mut reader = Reader::new(&raw);
    let first = reader.u64("tick")?;
    let count = reader.count("frames", 20)?;
    let mut frames: Vec<Frame> = Vec::new();
    for index in 0..count as u64 {
        let orders = reader.count("orders", 3)?;
        let orders = (0..orders).map(|_| Order::read(&mut reader)).collect::<Result<_, _>>()?;
        let digest = reader.u64("digest")?;
        let columns = read_words(&mut reader, frames.last().map_or(&[], |f| &f.columns[..]))?;
        let mut stages: Vec<Vec<u16>> = Vec::new();
        for _ in 0..reader.count("stages", 4)? {
            let stage = read_words(&mut reader, stages.last().unwrap_or(&columns))?;
            stages.push(stage);
        }
        let tick = first.wrapping_add(index);
        frames.push(Frame { tick, orders, digest, columns, stages });
    }
    match reader.left() {
        0 => Ok(frames),
        left => Err(reader.error("frames", format!("{left} bytes too many"))),
    }
}

impl Keyframe {
    /// A keyframe of an image, which was saved after so many ticks.
    pub(super) fn new(tick: u64, image: &[u8]) -> Self {
        use rayon::prelude::*;
        let pieces = image.par_chunks(PIECE).map(|piece| pack(&to_planes(piece), LEVEL)).collect();
        Self { tick, length: image.len() as u64, pieces }
    }

    /// The image; see [`state::restore`](crate::state::restore).
    ///
    /// # Errors
    /// When the pieces do not unpack to as many bytes as they should.
    pub fn image(&self) -> Result<Vec<u8>, BytesError> {
        use rayon::prelude::*;
        let piece = |packed: &Vec<u8>| unpack(packed, PIECE as u64, "keyframe");
        let pieces: Vec<Vec<u8>> = self.pieces.par_iter().map(piece).collect::<Result<_, _>>()?;
        let image: Vec<u8> = pieces.iter().flat_map(|piece| from_planes(piece)).collect();
        if image.len() as u64 == self.length {
            return Ok(image);
        }
        let problem = format!("{} bytes unpack, not {}", image.len(), self.length);
        Err(BytesError { what: "keyframe", at: 0, problem })
    }

    /// Bytes that it takes in a file, packed.
    pub fn bytes(&self) -> usize {
        29 + self.pieces.iter().map(|piece| 4 + piece.len()).sum::<usize>()
    }

    /// The bytes of the block.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        payload.u64(self.tick);
        payload.u64(self.length);
        payload.u32(self.pieces.len() as u32);
        self.pieces.iter().for_each(|piece| payload.run(piece));
        seal(KEYFRAME, &payload)
    }

    fn read(payload: &[u8]) -> Result<Self, BytesError> {
        let mut reader = Reader::new(payload);
        let (tick, length) = (reader.u64("tick")?, reader.u64("length")?);
        let count = reader.count("pieces", 4)?;
        if length > MOST_IMAGE || count as u64 != length.div_ceil(PIECE as u64) {
            return Err(reader.error("keyframe", format!("{length} bytes in {count} pieces")));
        }
        let piece = |_| Ok(reader.run("piece")?.to_vec());
        let pieces = (0..count).map(piece).collect::<Result<_, BytesError>>()?;
        match reader.left() {
            0 => Ok(Self { tick, length, pieces }),
            left => Err(reader.error("keyframe", format!("{left} bytes too many"))),
        }
    }
}

/// Images are mostly numbers whose last bits are noise: the fastest level finds all that there is.
const LEVEL: Compression = Compression::fast();

/// All first bytes of 8, then all second ones and so on: those that are alike stand together.
fn to_planes(bytes: &[u8]) -> Vec<u8> {
    (0..PLANES).flat_map(|plane| bytes.iter().skip(plane).step_by(PLANES).copied()).collect()
}

fn from_planes(planes: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; planes.len()];
    let mut planes = planes.iter();
    for plane in 0..PLANES {
        for byte in bytes.iter_mut().skip(plane).step_by(PLANES) {
            *byte = *planes.next().expect("as many bytes");
        }
    }
    bytes
}

/// Reads the next block. All frames together have `room` for so many bytes.
pub(super) fn read(reader: &mut Reader<'_>, room: &mut u64) -> Result<Block, BytesError> {
    let start = reader.clone();
    let kind = reader.u8("block")?;
    let payload = reader.run("block")?;
    let mut whole = start.clone();
    let sealed = whole.take("block", reader.at() - start.at())?;
    if reader.u32("checksum")? != crc32fast::hash(sealed) {
        return Err(start.error("block", "the checksum does not match"));
    }
    match kind {
        FRAMES => read_frames(payload, room).map(Block::Frames),
        KEYFRAME => Keyframe::read(payload).map(Block::Keyframe),
        END => Reader::new(payload).u64("ticks").map(Block::End),
        other => Err(start.error("block", format!("there is no kind {other}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_come_back() {
        for length in [0, 1, 7, 8, 9, 100] {
            let bytes: Vec<u8> = (0..length).map(|i| (i * 7) as u8).collect();
            assert_eq!(from_planes(&to_planes(&bytes)), bytes, "{length} bytes");
        }
        assert_eq!(to_planes(&(0..10).collect::<Vec<u8>>()), [0, 8, 1, 9, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn images_of_several_pieces_come_back() {
        let image: Vec<u8> = (0..PIECE * 2 + 77).map(|i| (i / 3) as u8).collect();
        let keyframe = Keyframe::new(5, &image);
        assert_eq!(keyframe.pieces.len(), 3);
        assert_eq!(keyframe.image().unwrap(), image);
        assert_eq!(keyframe.bytes(), keyframe.write().len());
    }
}
