//! Frames: one a tick, packed in blocks that each have their own checksum.

use std::io::{Read, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::data::bytes::{BytesError, Reader, Write};
use crate::data::number::plural;
use crate::par;
use crate::state::{Image, SnapshotError};
use crate::world::Order;

/// A tick: its orders, and the digests of the state after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Number of the tick, from 0.
    pub tick: u64,
    /// Orders of the tick.
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
pub(super) const MAX_BLOCK: u64 = 192 << 20;
/// Most bytes of memory that all frames take: a few kilobytes could unpack to anything.
pub const MAX_FRAMES: u64 = 512 << 20;
/// Most bytes of an image; no larger one is written.
pub const MAX_IMAGE: u64 = 1 << 30;
/// Most bytes of an image that stand before its rows.
const MAX_DIRECTORY: usize = 32 << 20;
/// Bytes of an image that are compressed together.
const PIECE: usize = 1 << 20;
/// Bytes from one byte of a plane to the next in an image.
const PLANES: usize = 8;

/// A block of a replay file.
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

fn read_words(
    reader: &mut Reader<'_>,
    before: &[u16],
    room: &mut u64,
) -> Result<Vec<u16>, BytesError> {
    let count = reader.count("digests", 2)?;
    fill(reader, 2 * count, room)?;
    let word = |i: usize| Ok(reader.u16("digest")? ^ before.get(i).copied().unwrap_or(0));
    (0..count).map(word).collect()
}

/// A block of frames.
pub(super) struct Packed {
    /// Its bytes in the file.
    pub(super) block: Vec<u8>,
    /// Bytes before compression.
    pub(super) raw: u64,
    /// Bytes of memory that its reader takes from what there is for all frames.
    pub(super) memory: u64,
}

/// The bytes of a block of frames of consecutive ticks.
pub fn block(frames: &[Frame]) -> Vec<u8> {
    packed(frames).block
}

/// The block of frames of consecutive ticks.
pub(super) fn packed(frames: &[Frame]) -> Packed {
    let mut raw = Vec::new();
    let mut memory = 0;
    raw.u64(frames.first().map_or(0, |frame| frame.tick));
    raw.u32(frames.len() as u32);
    let mut before: &[u16] = &[];
    for frame in frames {
        raw.u32(frame.orders.len() as u32);
        memory += size_of::<Frame>() + size_of_val(&frame.orders[..]);
        for order in &frame.orders {
            let start = raw.len();
            order.write(&mut raw);
            memory += nesting(order) * (raw.len() - start);
        }
        let words = frame.columns.len() + frame.stages.iter().map(Vec::len).sum::<usize>();
        memory += 2 * words + size_of_val(&frame.stages[..]);
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
    let block = seal(FRAMES, &pack(&raw, Compression::default()));
    Packed { block, raw: raw.len() as u64, memory: memory as u64 }
}

/// Most bytes of memory for each byte that an order has in a file: lists within lists take more.
fn nesting(order: &Order) -> usize {
    match order {
        Order::Mind { .. } | Order::Strategies { .. } => 64,
        Order::Assign { .. } | Order::Group { .. } | Order::Weapon { .. } => 4,
        // A shape without corners has two bytes.
        _ => 24,
    }
}

/// Takes so many bytes of memory from `room`.
fn fill(reader: &Reader<'_>, bytes: usize, room: &mut u64) -> Result<(), BytesError> {
    *room = room.checked_sub(bytes as u64).ok_or_else(|| {
        let problem = format!("the ticks up to here take more than {MAX_FRAMES} bytes of memory");
        reader.error("frames", problem)
    })?;
    Ok(())
}

/// The orders of a tick.
fn read_orders(reader: &mut Reader<'_>, room: &mut u64) -> Result<Vec<Order>, BytesError> {
    let count = reader.count("orders", 2)?;
    fill(reader, count * size_of::<Order>(), room)?;
    let mut orders = Vec::with_capacity(count);
    for _ in 0..count {
        let start = reader.at();
        let order = Order::read(reader)?;
        fill(reader, nesting(&order) * (reader.at() - start), room)?;
        orders.push(order);
    }
    Ok(orders)
}

fn read_frames(payload: &[u8], room: &mut u64) -> Result<Vec<Frame>, BytesError> {
    let raw = unpack(payload, MAX_BLOCK.min(*room), "frames")?;
    let mut reader = Reader::new(&raw);
    let first = reader.u64("tick")?;
    let count = reader.count("frames", 20)?;
    fill(&reader, count * size_of::<Frame>(), room)?;
    let mut frames: Vec<Frame> = Vec::with_capacity(count);
    for index in 0..count as u64 {
        let orders = read_orders(&mut reader, room)?;
        let digest = reader.u64("digest")?;
        let before = frames.last().map_or(&[][..], |frame| &frame.columns);
        let columns = read_words(&mut reader, before, room)?;
        let count = reader.count("stages", 4)?;
        fill(&reader, count * size_of::<Vec<u16>>(), room)?;
        let mut stages: Vec<Vec<u16>> = Vec::with_capacity(count);
        for _ in 0..count {
            let stage = read_words(&mut reader, stages.last().unwrap_or(&columns), room)?;
            stages.push(stage);
        }
        let tick = first.wrapping_add(index);
        frames.push(Frame { tick, orders, digest, columns, stages });
    }
    match reader.left() {
        0 => Ok(frames),
        left => Err(reader.error("frames", format!("{} too many", plural(left as u64, "byte")))),
    }
}

impl Keyframe {
    /// A keyframe of an image, which was saved after so many ticks.
    pub(super) fn new(tick: u64, image: &[u8]) -> Self {
        let packed = |range| pack(&to_planes(&image[range]), LEVEL);
        let pieces = par::runs(image.len(), PIECE, packed);
        Self { tick, length: image.len() as u64, pieces }
    }

    /// The image; see [`state::restore`](crate::state::restore). What does not begin as an image of
    /// as many bytes as it should have is not unpacked as a whole.
    ///
    /// # Errors
    /// When it is none, or the pieces do not unpack to as many bytes as they should.
    pub fn image(&self) -> Result<Vec<u8>, SnapshotError> {
        let mut start = self.unpacked(1)?;
        if let Err(SnapshotError::Damaged(_)) = Image::length(&start) {
            start = self.unpacked(MAX_DIRECTORY / PIECE)?;
        }
        let length = Image::length(&start)?;
        if length != self.length {
            let problem = format!("an image of {length} bytes, not {}", self.length);
            return Err(BytesError { what: "keyframe", at: 0, problem }.into());
        }
        Ok(self.unpacked(self.pieces.len())?)
    }

    /// So many of its pieces, or all of them.
    fn unpacked(&self, pieces: usize) -> Result<Vec<u8>, BytesError> {
        let unpacked = |packed: &[u8], room: &mut [u8]| {
            let planes = unpack(packed, PIECE as u64, "keyframe")?;
            if planes.len() == room.len() {
                from_planes(&planes, room);
                return Ok(());
            }
            let problem = format!("{} bytes unpack, not {}", planes.len(), room.len());
            Err(BytesError { what: "keyframe", at: 0, problem })
        };
        let mut bytes = vec![0; (self.length as usize).min(pieces * PIECE)];
        let mut rooms: Vec<_> = bytes.chunks_mut(PIECE).zip(&self.pieces).collect();
        par::try_each(&mut rooms, |(room, packed)| unpacked(packed, room))?;
        Ok(bytes)
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
        if length > MAX_IMAGE || count as u64 != length.div_ceil(PIECE as u64) {
            return Err(reader.error("keyframe", format!("{length} bytes in {count} pieces")));
        }
        let piece = |_| Ok(reader.run("piece")?.to_vec());
        let pieces = (0..count).map(piece).collect::<Result<_, BytesError>>()?;
        match reader.left() {
            0 => Ok(Self { tick, length, pieces }),
            left => {
                Err(reader.error("keyframe", format!("{} too many", plural(left as u64, "byte"))))
            }
        }
    }
}

/// Images are mostly numbers whose last bits are noise: the fastest level finds all that there is.
const LEVEL: Compression = Compression::fast();

/// All first bytes of 8, then all second ones and so on: those that are alike stand together.
fn to_planes(bytes: &[u8]) -> Vec<u8> {
    (0..PLANES).flat_map(|plane| bytes.iter().skip(plane).step_by(PLANES).copied()).collect()
}

/// Fills `bytes` from as many bytes of planes.
fn from_planes(mut planes: &[u8], bytes: &mut [u8]) {
    for plane in 0..PLANES {
        let (own, rest) = planes.split_at(bytes.len().saturating_sub(plane).div_ceil(PLANES));
        let places = bytes.iter_mut().skip(plane).step_by(PLANES);
        places.zip(own).for_each(|(byte, from)| *byte = *from);
        planes = rest;
    }
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
    use crate::data::GroupId;
    use crate::world::CompanyDef;

    #[test]
    fn planes_come_back() {
        for length in [0, 1, 7, 8, 9, 100] {
            let bytes: Vec<u8> = (0..length).map(|i| (i * 7) as u8).collect();
            let mut back = vec![0; bytes.len()];
            from_planes(&to_planes(&bytes), &mut back);
            assert_eq!(back, bytes, "{length} bytes");
        }
        assert_eq!(to_planes(&(0..10).collect::<Vec<u8>>()), [0, 8, 1, 9, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn readers_take_the_memory_that_writers_count() {
        let def =
            CompanyDef { groups: [1, 2, 3].map(GroupId::new).to_vec(), ..CompanyDef::default() };
        let orders = vec![Order::Stop { group: GroupId::new(1) }, Order::Company { def }];
        let frame = |tick, orders: &[Order]| Frame {
            tick,
            orders: orders.to_vec(),
            digest: tick,
            columns: vec![1, 2, 3],
            stages: vec![vec![4; 5], vec![6; 7]],
        };
        let Packed { block, memory, .. } = packed(&[frame(4, &orders), frame(5, &[])]);
        let left = |mut room| read(&mut Reader::new(&block), &mut room).map(|_| room);
        assert_eq!(left(memory).unwrap(), 0);
        assert_eq!(left(memory + 9).unwrap(), 9);
        assert!(left(memory - 1).is_err());
    }

    #[test]
    fn images_of_several_pieces_come_back() {
        let image: Vec<u8> = (0..PIECE * 2 + 77).map(|i| (i / 3) as u8).collect();
        let keyframe = Keyframe::new(5, &image);
        assert_eq!(keyframe.pieces.len(), 3);
        assert_eq!(keyframe.unpacked(3).unwrap(), image);
        assert_eq!(keyframe.bytes(), keyframe.write().len());
    }
}
