//! Frames: one a tick, each with its own checksum.

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
    /// Digest of every column.
    pub digests: Vec<u64>,
}

/// Kind byte of a tick's frame.
const TICK: u8 = 1;
/// Kind byte of the last frame of a run that ended well.
const END: u8 = 2;

/// What a frame can be.
#[derive(Debug)]
pub(super) enum Any {
    Tick(Frame),
    /// The run ended after so many ticks.
    End(u64),
}

/// A frame's bytes: kind, length, payload, and the CRC-32 of these.
fn seal(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind];
    bytes.run(payload);
    let checksum = crc32fast::hash(&bytes);
    bytes.u32(checksum);
    bytes
}

/// The last frame.
pub(super) fn end(ticks: u64) -> Vec<u8> {
    seal(END, &ticks.to_le_bytes())
}

impl Frame {
    /// The frame's bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        payload.u64(self.tick);
        payload.u32(self.orders.len() as u32);
        self.orders.iter().for_each(|order| order.write(&mut payload));
        payload.u32(self.digests.len() as u32);
        self.digests.iter().for_each(|&digest| payload.u64(digest));
        seal(TICK, &payload)
    }

    fn read(payload: &[u8]) -> Result<Self, BytesError> {
        let mut reader = Reader::new(payload);
        let tick = reader.u64("tick")?;
        let orders = reader.count("orders", 3)?;
        let orders = (0..orders).map(|_| Order::read(&mut reader)).collect::<Result<_, _>>()?;
        let digests = reader.count("digests", 8)?;
        let digests = (0..digests).map(|_| reader.u64("digest")).collect::<Result<_, _>>()?;
        if reader.left() > 0 {
            return Err(reader.error("frame", format!("{} bytes too many", reader.left())));
        }
        Ok(Self { tick, orders, digests })
    }
}

/// Reads the next frame.
pub(super) fn read(reader: &mut Reader<'_>) -> Result<Any, BytesError> {
    let start = reader.clone();
    let kind = reader.u8("frame")?;
    let payload = reader.run("frame")?;
    let mut whole = start.clone();
    let sealed = whole.take("frame", reader.at() - start.at())?;
    if reader.u32("checksum")? != crc32fast::hash(sealed) {
        return Err(start.error("frame", "the checksum does not match"));
    }
    match kind {
        TICK => Frame::read(payload).map(Any::Tick),
        END => Reader::new(payload).u64("ticks").map(Any::End),
        other => Err(start.error("frame", format!("there is no kind {other}"))),
    }
}
