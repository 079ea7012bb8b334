//! Replays: as they are, and with their checksums set right so that what lies behind is tried.

use std::io::Read;
use std::io::Write as _;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use throng::data::bytes::BytesError;
use throng::data::bytes::Reader;
use throng::data::bytes::Write;
use throng::lane::Numbers;
use throng::map::Map;
use throng::math::Fx;
use throng::math::Numeric;
use throng::replay::ENGINE;
use throng::replay::FORMAT;
use throng::replay::Header;
use throng::replay::MAGIC;
use throng::replay::Recorder;
use throng::replay::Replay;
use throng::replay::verify;
use throng::state;
use throng::tick::Scratch;
use throng::tick::tick;
use throng::world::Order;
use throng::world::Settings;
use throng::world::World;

use super::Outcome;
use super::Target;
use super::meter;
use super::mutate::Part;
use super::mutate::Random;
use super::mutate::edit;
use super::mutate::edit_list;
use super::orders;
use super::play;

/// The target.
pub const TARGET: Target = Target { name: "replay", run, seeds, mutate };

/// Most bytes of memory that reading takes for each byte of the file, and for none.
const CAP: [usize; 2] = [64, 256 << 10];
/// Most bytes that it takes for each cell of the map in the header.
const CELL: usize = 32;
/// Most bytes of a map that is taken apart.
const RAW: u64 = 1 << 16;
/// Ticks that are verified: more would only say that the digests differ.
const VERIFIED: usize = 4;

/// Reads a replay as it is, and again when it has been mended; what can be read is played.
pub fn run(bytes: &[u8]) -> Outcome {
    let plain = read(bytes);
    let mended = mended(bytes).filter(|mended| mended != bytes);
    plain.max(mended.map_or(Outcome::Refused, |mended| read(&mended)))
}

/// The same replay with everything right that follows from its parts.
pub fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    Parts::of(bytes).map(|parts| parts.bytes())
}

fn read(bytes: &[u8]) -> Outcome {
    let cells = declared_cells(bytes).unwrap_or(0);
    let cap = |_: &_| CAP[0] * bytes.len() + CAP[1] + CELL * cells;
    let mut replay = match meter::within("a replay", cap, || Replay::read(bytes)) {
        Ok(replay) => replay,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return Outcome::Refused;
        }
    };
    if !play::is_small(&replay.header.map) {
        return Outcome::Read;
    }
    match replay.header.numeric {
        Numeric::F32 => tried_out::<f32>(&replay),
        Numeric::Fixed => tried_out::<Fx>(&replay),
    }
    let all = replay.frames.iter().flat_map(|frame| &frame.orders);
    if !all.clone().any(|order| matches!(order, Order::Spawn { count: 41.., .. })) {
        replay.frames.truncate(VERIFIED);
        verify(&replay, |_| ()).expect("its world can be made");
    }
    Outcome::Played
}

fn tried_out<N: Numbers>(replay: &Replay) {
    let Header { map, settings, .. } = &replay.header;
    let mut world = World::<N>::new(map.clone(), *settings).expect("the reader checked it");
    let ticks: Vec<&[Order]> = replay.frames.iter().map(|frame| &frame.orders[..]).collect();
    play::play(&mut world, &ticks);
}

/// Cells of the map that the header says it has, as far as the reader takes it at its word.
fn declared_cells(bytes: &[u8]) -> Option<usize> {
    let parts = Parts::of(bytes)?;
    let mut size = Reader::new(&parts.size);
    let (width, height) = (size.u32("width").ok()?, size.u32("height").ok()?);
    Some((u64::from(width) * u64::from(height)).min(1 << 26) as usize)
}

/// A replay in parts, without what follows from them.
struct Parts {
    numeric: u8,
    /// Label, settings and columns.
    middle: Vec<u8>,
    /// Width, height and cell size.
    size: Vec<u8>,
    /// Letters and slowness of the map.
    raw: Vec<u8>,
    /// Kind and payload of every frame.
    frames: Vec<(u8, Vec<u8>)>,
}

impl Parts {
    /// Takes a replay apart, whatever its checksums, version and layout say.
    fn of(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        Self::read(&mut reader).ok()
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
        reader.take("magic", MAGIC.len() + 4)?;
        let mut body = Reader::new(reader.run("header")?);
        reader.u32("checksum")?;
        body.run("engine")?;
        let numeric = body.u8("numeric")?;
        body.u64("layout")?;
        let mut middle = Vec::new();
        middle.run(body.run("label")?);
        middle.extend_from_slice(body.take("settings", 36)?);
        let columns = body.u32("columns")?;
        middle.u32(columns);
        for _ in 0..columns {
            middle.run(body.run("column")?);
        }
        let size = body.take("size", 16)?.to_vec();
        body.u64("hash")?;
        let mut raw = Vec::new();
        // What cannot be unpacked stays as far as it was.
        let _ = ZlibDecoder::new(body.run("map")?).take(RAW).read_to_end(&mut raw);
        let mut frames = Vec::new();
        while reader.left() >= 5 {
            let (kind, length) = (reader.u8("kind")?, reader.u32("length")? as usize);
            let payload = reader.take("payload", length.min(reader.left()))?.to_vec();
            frames.push((kind, payload));
            reader.take("checksum", reader.left().min(4))?;
        }
        Ok(Self { numeric, middle, size, raw, frames })
    }

    /// The whole file: of this engine, its lengths, hashes and checksums right.
    fn bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        body.run(ENGINE.as_bytes());
        body.u8(self.numeric);
        let fixed = self.numeric == 1;
        body.u64(if fixed { state::layout_hash::<Fx>() } else { state::layout_hash::<f32>() });
        body.extend_from_slice(&self.middle);
        body.extend_from_slice(&self.size);
        body.u64(self.map_hash().unwrap_or(0));
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&self.raw).expect("memory takes everything");
        body.run(&packed.finish().expect("memory takes everything"));
        let mut bytes = MAGIC.to_vec();
        bytes.u32(FORMAT);
        bytes.run(&body);
        seal(&mut bytes, 0);
        for (kind, payload) in &self.frames {
            let start = bytes.len();
            bytes.u8(*kind);
            bytes.run(payload);
            seal(&mut bytes, start);
        }
        bytes
    }

    fn map_hash(&self) -> Option<u64> {
        let mut size = Reader::new(&self.size);
        let (width, height) = (size.u32("width").ok()?, size.u32("height").ok()?);
        let cell = size.f64("cell").ok()?;
        let (letters, slowness) = self.raw.split_at(self.raw.len() / 2);
        Some(Map::with_letters(width, height, cell, slowness, letters).ok()?.hash())
    }

    /// Numbers the ticks, and ends with their number.
    fn renumber(&mut self) {
        for (index, (_, payload)) in self.frames.iter_mut().enumerate() {
            if payload.len() >= 8 {
                payload[..8].copy_from_slice(&(index as u64).to_le_bytes());
            }
        }
    }
}

/// Appends the checksum of everything from `start` on.
fn seal(bytes: &mut Vec<u8>, start: usize) {
    let checksum = crc32fast::hash(&bytes[start..]);
    bytes.u32(checksum);
}

/// A tick's payload in parts: the number, the orders one by one, and the digests.
struct Tick {
    number: u64,
    orders: Vec<Vec<u8>>,
    digests: Vec<u8>,
}

impl Tick {
    fn read(payload: &[u8]) -> Result<Self, BytesError> {
        let mut reader = Reader::new(payload);
        let (number, count) = (reader.u64("tick")?, reader.u32("orders")?);
        let mut orders = Vec::new();
        for _ in 0..count {
            let start = reader.at();
            Order::read(&mut reader)?;
            orders.push(payload[start..reader.at()].to_vec());
        }
        let digests = reader.take("digests", reader.left())?.to_vec();
        Ok(Self { number, orders, digests })
    }

    fn bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        payload.u64(self.number);
        payload.u32(self.orders.len() as u32);
        self.orders.iter().for_each(|order| payload.extend_from_slice(order));
        payload.extend_from_slice(&self.digests);
        payload
    }
}

/// Changes the header, the map, the list of frames, or the orders of one.
fn mutate(bytes: &[u8], random: &mut Random, part: Part<'_>) -> Vec<u8> {
    let Some(mut parts) = Parts::of(bytes) else {
        let mut bytes = bytes.to_vec();
        part(&mut bytes, random);
        return bytes;
    };
    match random.below(12) {
        0 => part(&mut parts.middle, random),
        1 => edit(&mut parts.middle, random),
        2 => edit(&mut parts.size, random),
        3 => part(&mut parts.raw, random),
        4 => parts.numeric = random.below(3) as u8,
        5 => edit_list(&mut parts.frames, random, |frame, random| part(&mut frame.1, random)),
        6 => edit_list(&mut parts.frames, random, |frame, random| edit(&mut frame.1, random)),
        _ => {
            let at = random.below(parts.frames.len());
            if let Some((1, payload)) = parts.frames.get_mut(at)
                && let Ok(mut tick) = Tick::read(payload)
            {
                orders::mutate_list(&mut tick.orders, random);
                *payload = tick.bytes();
            }
        }
    }
    if random.below(4) > 0 {
        parts.renumber();
    }
    parts.size.resize(16, 0);
    parts.bytes()
}

fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    vec![("f32", recorded::<f32>(6)), ("fixed", recorded::<Fx>(6)), ("short", recorded::<f32>(1))]
}

/// A run of a small crowd.
fn recorded<N: Numbers>(ticks: usize) -> Vec<u8> {
    let settings = Settings { field_cells_per_tick: 100, crowding_ticks: 2, ..Settings::default() };
    let mut world = World::<N>::new(orders::ground(), settings).expect("the map is small");
    let mut recorder = Recorder::start(&world, "fuzz", Vec::new()).expect("it is empty");
    let mut scratch = Scratch::new();
    for orders in orders::campaign().iter().take(ticks) {
        tick(&mut world, orders, &mut scratch);
        recorder.tick(&world, orders).expect("memory takes everything");
    }
    recorder.finish().expect("memory takes everything")
}
