//! Replays: as they are, and with their checksums set right so that what lies behind is tried.

use std::io::{Read, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use throng::data::bytes::{BytesError, Reader, Write};
use throng::lane::Numbers;
use throng::map::Map;
use throng::math::{Fx, Numeric};
use throng::replay::{
    ENGINE, FORMAT, Header, MAGIC, Player, Recorder, Replay, Salvage, compare, verify,
};
use throng::state;
use throng::tick::{Scratch, tick};
use throng::world::{Order, Settings, World};

use super::mutate::{Part, Random, edit, edit_list};
use super::{Outcome, Target, meter, orders, play, snapshot};

/// The target.
pub const TARGET: Target = Target { name: "replay", run, seeds, mutate };

/// Most bytes of memory that reading takes for each byte of the file, and for none.
const CAP: [usize; 2] = [192, 256 << 10];
/// Most bytes that it takes for each cell of the map in the header.
const CELL: usize = 32;
/// Most bytes of a map, or of a block, that is taken apart.
const RAW: u64 = 1 << 20;
/// Most bytes that it takes for each unpacked byte of frames, and for all of them.
const FRAMES: [usize; 2] = [256, 5 << 29];
/// Most bytes that it takes for each block, beside its frames: most of it for unpacking.
const BLOCK: usize = 64 << 10;
/// Frames of a replay that is verified, at most.
const LONG: usize = 10;

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
    let [cells, unpacked, blocks] = declared(bytes);
    let frames = (FRAMES[0] * unpacked).min(FRAMES[1]);
    let declared = CELL * cells + frames + BLOCK * blocks;
    let cap = |_: &_| CAP[0] * bytes.len() + CAP[1] + declared;
    let replay = match meter::within("a replay", cap, || Replay::salvage(bytes)) {
        Ok(Salvage::Whole(replay) | Salvage::Part(replay, _)) => replay,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return Outcome::Refused;
        }
    };
    if !play::is_small(&replay.header.map) {
        return Outcome::Read;
    }
    let which = crc32fast::hash(bytes);
    match replay.header.numeric {
        Numeric::F32 => tried_out::<f32>(&replay, which),
        Numeric::Fixed => tried_out::<Fx>(&replay, which),
    }
    Outcome::Played
}

/// Plays it from the start; when it is short, also from its keyframes, or verifies it and compares
/// it with what came of that. One number in `which` says what.
fn tried_out<N: Numbers>(replay: &Replay, which: u32) {
    let Header { map, settings, .. } = &replay.header;
    let mut world = World::<N>::new(map.clone(), *settings).expect("the reader checked it");
    let ticks: Vec<&[Order]> = replay.frames.iter().map(|frame| &frame.orders[..]).collect();
    play::play(&mut world, &ticks);
    let many = |order: &&Order| matches!(order, Order::Spawn { count: 41.., .. });
    let orders = replay.frames.iter().flat_map(|frame| &frame.orders);
    if replay.frames.len() > LONG || orders.clone().filter(many).count() > 0 {
        return;
    }
    if !which.is_multiple_of(4)
        && let Ok(mut player) = Player::<N>::new(replay)
    {
        state::validate(player.world()).unwrap();
        let (first, end) = (replay.header.first_tick, replay.end_tick());
        for tick in [end, first + (end - first) / 2] {
            if player.seek(tick).is_ok() {
                assert_eq!(player.world().tick_count(), tick, "a seek ends where it should");
                state::validate(player.world()).unwrap();
            }
        }
    }
    if which.is_multiple_of(4)
        && let Ok(verdict) = verify(replay, |_| ())
        && let Some(difference) = verdict.difference
    {
        let again = Replay::read(&difference.dump).expect("what is written is read back");
        // A keyframe that verifying had no use for may be damaged.
        if let Err(error) = compare(replay, &again) {
            assert!(!error.to_string().is_empty());
        }
    }
}

/// Cells of the map and bytes of frames that a file declares, as far as a reader takes it at its
/// word, and its blocks.
fn declared(bytes: &[u8]) -> [usize; 3] {
    let Some(parts) = Parts::of(bytes) else { return [0; 3] };
    let mut size = Reader::new(&parts.size);
    let cells = match (size.u32("width"), size.u32("height")) {
        (Ok(width), Ok(height)) => (u64::from(width) * u64::from(height)).min(1 << 26),
        _ => 0,
    };
    let frames = parts.blocks.iter().map(|block| match block {
        Block::Frames(raw) => raw.len(),
        _ => 0,
    });
    [cells as usize, frames.sum(), parts.blocks.len()]
}

/// A replay in parts, without what follows from them.
struct Parts {
    numeric: u8,
    /// Label, players, first tick, settings and columns.
    middle: Vec<u8>,
    /// Width, height and cell size.
    size: Vec<u8>,
    /// Letters and slowness of the map.
    raw: Vec<u8>,
    /// What pictures show beside the world: the rest of the header.
    scene: Vec<u8>,
    blocks: Vec<Block>,
}

/// A block, unpacked.
#[derive(Clone)]
enum Block {
    Frames(Vec<u8>),
    Keyframe { tick: u64, image: Vec<u8> },
    Other(u8, Vec<u8>),
}

fn unpack(packed: &[u8]) -> Vec<u8> {
    let mut raw = Vec::new();
    // Bytes before an error are kept.
    let _ = ZlibDecoder::new(packed).take(RAW).read_to_end(&mut raw);
    raw
}

fn pack(raw: &[u8]) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(raw).expect("memory takes everything");
    packed.finish().expect("memory takes everything")
}

/// Bytes of an image are packed so many together, and apart by the rest of their number by 8.
const PIECE: usize = 1 << 20;
const PLANES: usize = 8;

impl Block {
    fn read(kind: u8, payload: &[u8]) -> Self {
        match kind {
            1 => Self::Frames(unpack(payload)),
            3 => Self::keyframe(payload).unwrap_or(Self::Other(kind, payload.to_vec())),
            _ => Self::Other(kind, payload.to_vec()),
        }
    }

    fn keyframe(payload: &[u8]) -> Result<Self, BytesError> {
        let mut reader = Reader::new(payload);
        let (tick, _, pieces) = (reader.u64("tick")?, reader.u64("length")?, reader.u32("pieces")?);
        let mut image = Vec::new();
        for _ in 0..pieces {
            let planes = unpack(reader.run("piece")?);
            let mut piece = vec![0; planes.len()];
            let mut from = planes.iter();
            for plane in 0..PLANES {
                let places = piece.iter_mut().skip(plane).step_by(PLANES);
                places.zip(&mut from).for_each(|(to, byte)| *to = *byte);
            }
            image.extend(piece);
        }
        Ok(Self::Keyframe { tick, image })
    }

    /// Kind and payload, an image mended for a map.
    fn bytes(&self, map: u64) -> (u8, Vec<u8>) {
        match self {
            Self::Frames(raw) => (1, pack(raw)),
            Self::Keyframe { tick, image } => {
                let image = snapshot::mended_for(image, map).unwrap_or_else(|| image.clone());
                let mut payload = Vec::new();
                payload.u64(*tick);
                payload.u64(image.len() as u64);
                payload.u32(image.len().div_ceil(PIECE) as u32);
                for piece in image.chunks(PIECE) {
                    let plane = |plane| piece.iter().skip(plane).step_by(PLANES).copied();
                    payload.run(&pack(&(0..PLANES).flat_map(plane).collect::<Vec<u8>>()));
                }
                (3, payload)
            }
            Self::Other(kind, payload) => (*kind, payload.clone()),
        }
    }
}

impl Parts {
    /// Takes a replay apart, whatever its checksums, version and layout say.
    fn of(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        Self::read(&mut reader).ok()
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
        reader.take("magic", MAGIC.len() + 4)?;
        let header = reader.run("header")?;
        let mut body = Reader::new(header);
        reader.u32("checksum")?;
        body.run("engine")?;
        let numeric = body.u8("numeric")?;
        body.u64("layout")?;
        let start = body.at();
        body.value::<(String, Vec<String>, u64, Settings, Vec<String>)>("middle")?;
        let middle = header[start..body.at()].to_vec();
        let size = body.take("size", 16)?.to_vec();
        body.u64("hash")?;
        let raw = unpack(body.run("map")?);
        let scene = body.take("scene", body.left())?.to_vec();
        let mut blocks = Vec::new();
        while reader.left() >= 5 {
            let (kind, length) = (reader.u8("kind")?, reader.u32("length")? as usize);
            let payload = reader.take("payload", length.min(reader.left()))?;
            blocks.push(Block::read(kind, payload));
            reader.take("checksum", reader.left().min(4))?;
        }
        Ok(Self { numeric, middle, size, raw, scene, blocks })
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
        let map = self.map_hash().unwrap_or(0);
        body.u64(map);
        body.run(&pack(&self.raw));
        body.extend_from_slice(&self.scene);
        let mut bytes = MAGIC.to_vec();
        bytes.u32(FORMAT);
        bytes.run(&body);
        seal(&mut bytes, 0);
        for (kind, payload) in self.blocks.iter().map(|block| block.bytes(map)) {
            let start = bytes.len();
            bytes.u8(kind);
            bytes.run(&payload);
            seal(&mut bytes, start);
        }
        bytes
    }

    fn map_hash(&self) -> Option<u64> {
        let mut size = Reader::new(&self.size);
        let (width, height) = (size.u32("width").ok()?, size.u32("height").ok()?);
        let cell = size.f64("cell").ok()?;
        let cells = width as usize * height as usize;
        let (letters, rest) = self.raw.split_at_checked(cells)?;
        let (slowness, rest) = rest.split_at_checked(cells)?;
        let map = Map::with_letters(width, height, cell, slowness, letters).ok()?;
        let Some((wall, ground)) = rest.split_first_chunk() else { return Some(map.hash()) };
        let pairs = ground.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let heights: Vec<i16> = pairs.collect();
        Some(map.with_heights(&heights, f64::from_le_bytes(*wall)).ok()?.hash())
    }
}

/// Appends the checksum of everything from `start` on.
fn seal(bytes: &mut Vec<u8>, start: usize) {
    let checksum = crc32fast::hash(&bytes[start..]);
    bytes.u32(checksum);
}

/// A tick in parts: the orders one by one, and the digests.
#[derive(Clone)]
struct Tick {
    orders: Vec<Vec<u8>>,
    digests: Vec<u8>,
}

/// The frames of a block: the number of the first, and each.
fn read_ticks(raw: &[u8]) -> Result<(u64, Vec<Tick>), BytesError> {
    let mut reader = Reader::new(raw);
    let (first, count) = (reader.u64("tick")?, reader.u32("frames")?);
    let mut ticks = Vec::new();
    for _ in 0..count {
        let mut orders = Vec::new();
        for _ in 0..reader.u32("orders")? {
            let start = reader.at();
            Order::read(&mut reader)?;
            orders.push(raw[start..reader.at()].to_vec());
        }
        let start = reader.at();
        reader.u64("digest")?;
        let words = |reader: &mut Reader<'_>| {
            let count = reader.count("words", 2)?;
            reader.take("words", 2 * count).map(drop)
        };
        words(&mut reader)?;
        for _ in 0..reader.u32("stages")? {
            words(&mut reader)?;
        }
        ticks.push(Tick { orders, digests: raw[start..reader.at()].to_vec() });
    }
    Ok((first, ticks))
}

fn write_ticks(first: u64, ticks: &[Tick]) -> Vec<u8> {
    let mut raw = Vec::new();
    raw.u64(first);
    raw.u32(ticks.len() as u32);
    for tick in ticks {
        raw.u32(tick.orders.len() as u32);
        tick.orders.iter().for_each(|order| raw.extend_from_slice(order));
        raw.extend_from_slice(&tick.digests);
    }
    raw
}

/// Changes the header, the map, the list of blocks, a keyframe, or the orders of a tick.
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
        5 => part(&mut parts.scene, random),
        _ => edit_list(&mut parts.blocks, random, |block, random| change(block, random, part)),
    }
    parts.size.resize(16, 0);
    parts.bytes()
}

fn change(block: &mut Block, random: &mut Random, part: Part<'_>) {
    match block {
        Block::Frames(raw) if random.below(4) > 0 => {
            let Ok((first, mut ticks)) = read_ticks(raw) else { return edit(raw, random) };
            edit_list(&mut ticks, random, |tick, random| match random.below(8) {
                0 => edit(&mut tick.digests, random),
                _ => orders::mutate_list(&mut tick.orders, random),
            });
            *raw = write_ticks(first, &ticks);
        }
        Block::Frames(raw) => part(raw, random),
        Block::Keyframe { image, .. } if random.below(8) > 0 => {
            *image = snapshot::mutate(image, random, part);
        }
        Block::Keyframe { tick, .. } => {
            *tick = tick.wrapping_add(random.below(15) as u64).wrapping_sub(7)
        }
        Block::Other(kind, payload) => match random.below(4) {
            0 => *kind = random.below(5) as u8,
            _ => part(payload, random),
        },
    }
}

fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("f32", recorded::<f32>(6, &[])),
        ("fixed", recorded::<Fx>(6, &[3])),
        ("late", recorded::<f32>(5, &[0, 2])),
        ("short", recorded::<f32>(1, &[])),
    ]
}

/// A run of a small crowd with keyframes after these ticks; with one at 0 the recording begins with
/// a world under way.
fn recorded<N: Numbers>(ticks: usize, keyframes: &[usize]) -> Vec<u8> {
    let settings = Settings { field_cells_per_tick: 100, crowding_ticks: 2, ..Settings::default() };
    let mut world = World::<N>::new(orders::ground(), settings).expect("the map is small");
    let mut scratch = Scratch::new();
    let campaign = orders::campaign();
    let mut campaign = campaign.iter();
    if keyframes.contains(&0) {
        let first = campaign.next().expect("it has ticks");
        tick(&mut world, first, &mut scratch);
    }
    let mut recorder = Recorder::start(&world, "fuzz", Vec::new()).expect("memory takes all");
    for (at, orders) in campaign.take(ticks).enumerate() {
        tick(&mut world, orders, &mut scratch);
        recorder.tick(&world, orders).expect("memory takes all");
        if keyframes.contains(&(at + 1)) {
            recorder.keyframe(&world).expect("memory takes all");
        }
    }
    recorder.finish().expect("memory takes all")
}
