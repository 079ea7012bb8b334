//! Replays: an untouched one verifies; a changed one is found out at its tick and column; a damaged
//! one is read to its last whole frame or refused, and never does harm.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::{io, panic};

use crate::common::crowd::{Case, busy, ids};
use crate::common::terrain::Random;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use proptest::prelude::*;
use throng::GroupId;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::Fx;
use throng::replay::{
    FORMAT, Fault, Frame, MAGIC, Player, RecordOptions, Recorder, Replay, ReplayError, Salvage,
    Stages, Verdict, block, compare, verify,
};
use throng::state::digest;
use throng::tick::{Scratch, Stage, tick, tick_with};
use throng::world::{GroupDef, Order, Settings, World};

in_both!(an_untouched_replay_verifies, a_changed_order_is_found_at_its_tick);

/// Every tick in a block of its own, without keyframes.
fn tick_by_tick(case: &Case) -> RecordOptions {
    RecordOptions { keyframe_bytes: 0, flush_ticks: 1, ..case.name.into() }
}

fn record<N: Numbers>(case: &Case) -> Vec<u8> {
    record_as::<N>(case, tick_by_tick(case))
}

fn record_as<N: Numbers>(case: &Case, options: RecordOptions) -> Vec<u8> {
    let mut world = World::<N>::new(case.map.clone(), case.settings).unwrap();
    let mut recorder = Recorder::start(&world, options, Vec::new()).unwrap();
    let mut scratch = Scratch::new();
    for at in 0..case.ticks {
        let orders = (case.orders)(at, &ids(&world));
        tick(&mut world, &orders, &mut scratch);
        recorder.tick(&world, &orders).unwrap();
    }
    recorder.finish().unwrap()
}

/// A world so small that every byte of its replay can be tried: all kinds of orders, 12 ticks.
fn tiny() -> Case {
    let mut cells = vec![16; 20 * 12];
    cells[6 * 20 + 10] = 0;
    let map = Map::from_slowness(20, 12, 1.0, &cells);
    let rect = |min: [f64; 2], max: [f64; 2]| vec![Shape::Rect { min, max }];
    let orders = move |tick, ids: &crate::common::crowd::Ids| match tick {
        0 => vec![
            Order::Group { def: GroupDef::default() },
            Order::Group { def: GroupDef { radius: 0.5, ..GroupDef::default() } },
            Order::Spawn { group: GroupId::new(0), area: rect([1.0, 1.0], [5.0, 11.0]), count: 20 },
            Order::Move {
                group: GroupId::new(0),
                goal: vec![Shape::Disc { centre: [16.0, 6.0], radius: 3.0 }],
            },
        ],
        3 => vec![
            Order::Assign {
                agents: ids.iter().take(4).map(|(id, _)| *id).collect(),
                group: GroupId::new(1),
            },
            Order::Stop { group: GroupId::new(0) },
        ],
        5 => vec![Order::Move { group: GroupId::new(0), goal: rect([8.0, 1.0], [12.0, 4.0]) }],
        8 => vec![
            Order::Remove { group: GroupId::new(0), area: Some(rect([0.0, 0.0], [3.0, 6.0])) },
            Order::Assign { agents: vec![Id { index: 99, generation: 7 }], group: GroupId::new(0) },
        ],
        _ => Vec::new(),
    };
    let settings = Settings::default();
    Case { name: "tiny", map, settings, ticks: 12, orders: Box::new(orders) }
}

/// A replay in parts: the header, each frame, the end.
struct Parts {
    header: Vec<u8>,
    frames: Vec<Frame>,
    end: Vec<u8>,
}

/// A frame as a block.
fn write(frame: &Frame) -> Vec<u8> {
    block(std::slice::from_ref(frame))
}

/// Length of a last block: kind, length, ticks, checksum.
const END_LENGTH: usize = 1 + 4 + 8 + 4;

impl Parts {
    fn of(bytes: &[u8]) -> Self {
        let replay = Replay::read(bytes).unwrap();
        let frames: usize = replay.frames.iter().map(|frame| write(frame).len()).sum();
        let header = bytes.len() - frames - END_LENGTH;
        let end = bytes[bytes.len() - END_LENGTH..].to_vec();
        let parts = Self { header: bytes[..header].to_vec(), frames: replay.frames, end };
        assert_eq!(parts.bytes(), bytes, "a frame that is read and written again is the same");
        parts
    }

    /// The whole file, checksums and all.
    fn bytes(&self) -> Vec<u8> {
        let frames = self.frames.iter().flat_map(write);
        self.header.iter().copied().chain(frames).chain(self.end.iter().copied()).collect()
    }

    /// Where each frame ends, the header first.
    fn ends(&self) -> Vec<usize> {
        let mut at = self.header.len();
        let mut ends = vec![at];
        for frame in &self.frames {
            at += write(frame).len();
            ends.push(at);
        }
        ends
    }
}

fn check(bytes: &[u8]) -> Verdict {
    let replay = Replay::read(bytes).unwrap();
    verify(&replay, |_| ()).unwrap()
}

fn untouched<N: Numbers>(case: &Case) {
    let bytes = record::<N>(case);
    let replay = Replay::read(&bytes).unwrap();
    assert_eq!(replay.frames.len() as u64, case.ticks);
    assert_eq!(replay.header.label, case.name);
    assert_eq!(replay.header.settings, case.settings);
    assert_eq!(*replay.header.map, case.map);
    let told = AtomicU64::new(0);
    let verdict =
        verify(&replay, |ticks| told.store(ticks.max(told.load(Relaxed)), Relaxed)).unwrap();
    assert_eq!(verdict.difference, None);
    assert_eq!(verdict.ticks, case.ticks);
    assert_eq!(Some(&verdict.digest), case.digests::<N::Wide>(2).last());
    assert_eq!(told.into_inner(), case.ticks);
}

fn an_untouched_replay_verifies<N: Numbers>() {
    for case in [tiny(), busy(), Case::of("small", 400, 200), Case::of("flock", 605, 100)] {
        untouched::<N>(&case);
    }
}

fn a_changed_order_is_found_at_its_tick<N: Numbers>() {
    let bytes = record::<N>(&Case::of("small", 400, 200));
    let mut parts = Parts::of(&bytes);
    // At tick 90 `blue` is told to stop; another group stops instead.
    assert_eq!(parts.frames[90].orders, [Order::Stop { group: GroupId::new(1) }]);
    parts.frames[90].orders = vec![Order::Stop { group: GroupId::new(0) }];
    let difference = check(&parts.bytes()).difference.unwrap();
    assert_eq!(difference.tick, 90);
    assert!(difference.columns.contains(&"groups.goal".to_owned()), "{:?}", difference.columns);
    let dump = Replay::read(&difference.dump).unwrap();
    assert_eq!(dump.end_tick(), 91);
    assert_eq!(dump.keyframes.last().map(|keyframe| keyframe.tick), Some(91));
    // An order that is left out.
    let mut parts = Parts::of(&bytes);
    assert_eq!(parts.frames[180].orders.len(), 1);
    parts.frames[180].orders.clear();
    let difference = check(&parts.bytes()).difference.unwrap();
    assert_eq!(difference.tick, 180);
    assert!(difference.columns.contains(&"groups.order".to_owned()), "{:?}", difference.columns);
}

/// Every column at a few ticks: exactly that column and that tick are named.
#[test]
fn a_changed_digest_is_found_at_its_tick_and_column() {
    let bytes = record::<f32>(&tiny());
    let columns = Replay::read(&bytes).unwrap().header.columns;
    assert_eq!(columns.len(), Parts::of(&bytes).frames[0].columns.len());
    for (index, column) in columns.iter().enumerate() {
        for tick in [0, 7, 11] {
            let mut parts = Parts::of(&bytes);
            parts.frames[tick].columns[index] ^= 1;
            let verdict = check(&parts.bytes());
            let difference = verdict.difference.unwrap();
            assert_eq!(
                (difference.tick, &difference.columns[..]),
                (tick as u64, &[column.clone()][..])
            );
            assert_eq!(verdict.ticks, tick as u64 + 1);
        }
    }
    // Two changes: the earlier one is the first difference.
    let mut parts = Parts::of(&bytes);
    parts.frames[9].columns[0] ^= 1;
    parts.frames[4].columns[2] ^= 1 << 15;
    assert_eq!(check(&parts.bytes()).difference.unwrap().tick, 4);
}

#[test]
fn a_cut_replay_is_readable_to_its_last_whole_frame() {
    let bytes = record::<f32>(&tiny());
    let parts = Parts::of(&bytes);
    let ends = parts.ends();
    for length in 0..bytes.len() {
        let read = Replay::read(&bytes[..length]);
        assert!(matches!(read, Err(ReplayError::Broken(_))), "cut at {length}: {read:?}");
        if length < ends[0] {
            let read = Replay::salvage(&bytes[..length]);
            let Err(ReplayError::Broken(fault)) = read else { panic!("cut at {length}: {read:?}") };
            assert_eq!(damaged_at(&fault), Some(length.min(OPENING)), "cut at {length}");
            continue;
        }
        let whole = ends.iter().filter(|&&end| end <= length).count() - 1;
        let (replay, fault) = part(&bytes[..length]);
        assert_eq!(replay.frames[..], parts.frames[..whole], "cut at {length}");
        if length == ends[whole] {
            assert_eq!(fault, Fault::Cut { at: length });
            let verdict = verify(&replay, |_| ()).unwrap();
            assert_eq!((verdict.ticks, verdict.difference), (whole as u64, None));
        } else {
            assert_eq!(damaged_at(&fault), Some(ends[whole]), "cut at {length}");
        }
    }
    let (replay, fault) = part(&[&bytes[..], &[0]].concat());
    assert_eq!((replay.frames.len(), damaged_at(&fault)), (12, Some(bytes.len())));
}

/// Bytes of the magic and the version of the format.
const OPENING: usize = MAGIC.len() + 4;

/// Where a file is damaged; `None` when it is cut.
fn damaged_at(fault: &Fault) -> Option<usize> {
    match fault {
        Fault::Damaged { at, reason } if !reason.is_empty() => Some(*at),
        _ => None,
    }
}

/// The whole frames of a broken file, and the fault behind them.
fn part(bytes: &[u8]) -> (Replay, Fault) {
    match Replay::salvage(bytes).unwrap() {
        Salvage::Part(replay, fault) => (replay, fault),
        Salvage::Whole(_) => panic!("the file is whole"),
    }
}

/// Every digest of every stage counts, and the place of the change is named.
#[test]
fn a_changed_stage_digest_is_found_at_its_stage_and_column() {
    let case = tiny();
    let mut world = World::<f32>::new(case.map.clone(), case.settings).unwrap();
    let mut recorder = Recorder::start(&world, tick_by_tick(&case), Vec::new()).unwrap();
    let (mut scratch, mut stages) = (Scratch::new(), Stages::default());
    for at in 0..case.ticks {
        let orders = (case.orders)(at, &ids(&world));
        stages.clear();
        tick_with::<<f32 as Numbers>::Wide>(&mut world, &orders, &mut scratch, &mut stages);
        recorder.traced(&world, &orders, &stages).unwrap();
    }
    let bytes = recorder.finish().unwrap();
    let replay = Replay::read(&bytes).unwrap();
    assert_eq!(verify(&replay, |_| ()).unwrap().difference, None);
    let columns = &replay.header.columns;
    for index in 0..Stage::ALL.len() {
        // Every third column, others at every stage.
        for column in (index % 3..replay.frames[7].stages[index].len()).step_by(3) {
            let mut changed = replay.clone();
            changed.frames[7].stages[index][column] ^= 1 << (column % 16);
            let difference = verify(&changed, |_| ()).unwrap().difference.unwrap();
            assert_eq!((difference.tick, &difference.columns[..]), (7, &[][..]));
            let name = columns.get(column).map_or("scratch", |name| name);
            assert_eq!(difference.stage, Some((Stage::ALL[index], name.to_owned())));
            let parting = compare(&replay, &changed).unwrap().parting.unwrap();
            assert_eq!((parting.tick, parting.traced), (7, difference.stage));
        }
    }
    let mut fewer = replay;
    fewer.frames[7].stages.pop();
    assert_eq!(verify(&fewer, |_| ()).unwrap().difference.unwrap().tick, 7);
}

/// A writer whose every flush is kept, and which fails when its room is full, as a disk does.
struct Disk<'a> {
    kept: &'a RefCell<Vec<u8>>,
    buffer: Vec<u8>,
    room: usize,
}

impl Write for Disk<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.kept.borrow().len() + self.buffer.len() + bytes.len() > self.room {
            return Err(io::Error::other("no room"));
        }
        self.buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.kept.borrow_mut().append(&mut self.buffer);
        Ok(())
    }
}

#[test]
fn a_killed_recording_keeps_every_tick_that_was_recorded() {
    let case = tiny();
    let kept = RefCell::new(Vec::new());
    let mut world = World::<Fx>::new(case.map.clone(), case.settings).unwrap();
    let disk = Disk { kept: &kept, buffer: Vec::new(), room: usize::MAX };
    let mut recorder = Recorder::start(&world, tick_by_tick(&case), disk).unwrap();
    let mut scratch = Scratch::new();
    for at in 0..9 {
        let orders = (case.orders)(at, &ids(&world));
        tick(&mut world, &orders, &mut scratch);
        recorder.tick(&world, &orders).unwrap();
        let (replay, fault) = part(&kept.borrow());
        assert_eq!(replay.frames.len() as u64, at + 1);
        assert_eq!(fault, Fault::Cut { at: kept.borrow().len() });
    }
    std::mem::forget(recorder);
    let verdict = verify(&part(&kept.borrow()).0, |_| ()).unwrap();
    assert_eq!((verdict.ticks, verdict.difference), (9, None));
}

#[test]
fn a_full_disk_is_an_error() {
    let case = tiny();
    let whole = record::<f32>(&case).len();
    let (mut at_start, mut later) = (0, 0);
    for room in (0..whole).step_by(7) {
        let kept = RefCell::new(Vec::new());
        let mut world = World::<f32>::new(case.map.clone(), case.settings).unwrap();
        let disk = Disk { kept: &kept, buffer: Vec::new(), room };
        let mut recorder = match Recorder::start(&world, tick_by_tick(&case), disk) {
            Ok(recorder) => recorder,
            Err(error) => {
                assert!(matches!(error, ReplayError::Io(_)), "{error}");
                at_start += 1;
                continue;
            }
        };
        let mut scratch = Scratch::new();
        let run = || {
            for at in 0..case.ticks {
                let orders = (case.orders)(at, &ids(&world));
                tick(&mut world, &orders, &mut scratch);
                recorder.tick(&world, &orders)?;
            }
            recorder.finish()
        };
        assert!(matches!(run(), Err(ReplayError::Io(_))));
        assert!(matches!(part(&kept.borrow()), (_, Fault::Cut { .. })));
        later += 1;
    }
    assert!(at_start > 3 && later > 3, "{at_start} {later}");
}

/// A recording that begins late begins with a keyframe, and verifies.
#[test]
fn a_recording_may_begin_in_the_middle() {
    let case = busy();
    let mut world = World::<Fx>::new(case.map.clone(), case.settings).unwrap();
    let mut scratch = Scratch::new();
    let mut recorder = None;
    for at in 0..case.ticks {
        let orders = (case.orders)(at, &ids(&world));
        if at == 31 {
            recorder = Some(Recorder::start(&world, "late", Vec::new()).unwrap());
        }
        tick(&mut world, &orders, &mut scratch);
        if let Some(recorder) = &mut recorder {
            recorder.tick(&world, &orders).unwrap();
        }
    }
    let replay = Replay::read(&recorder.unwrap().finish().unwrap()).unwrap();
    assert_eq!((replay.header.first_tick, replay.end_tick()), (31, case.ticks));
    let verdict = verify(&replay, |_| ()).unwrap();
    assert_eq!((verdict.digest, verdict.difference), (digest(&world), None));
    let mut headless = replay;
    headless.keyframes.remove(0);
    let error = Player::<Fx>::new(&headless).expect_err("it cannot begin");
    assert!(matches!(error, ReplayError::NoStart { tick: 31 }), "{error}");
}

/// Reads a damaged file and, if it can be read, plays a little of it.
fn try_out(bytes: &[u8], original: &Parts) {
    let Ok(found) = Replay::salvage(bytes) else { return };
    let (Salvage::Whole(replay) | Salvage::Part(replay, _)) = found;
    let whole = replay.frames.iter().zip(&original.frames).take_while(|(a, b)| a == b).count();
    assert!(replay.frames.len() <= original.frames.len());
    assert_eq!(whole, replay.frames.len(), "a damaged frame was taken for a good one");
}

#[test]
fn every_flipped_bit_is_noticed() {
    let bytes = record::<Fx>(&tiny());
    let parts = Parts::of(&bytes);
    let ends = parts.ends();
    let mut refused = 0;
    for at in 0..bytes.len() {
        for bit in [1, 0x80] {
            let mut damaged = bytes.clone();
            damaged[at] ^= bit;
            match Replay::salvage(&damaged) {
                Ok(Salvage::Whole(_)) => panic!("the change of byte {at} is not noticed"),
                Ok(Salvage::Part(replay, fault)) => {
                    let whole = ends.iter().filter(|&&end| end <= at).count() - 1;
                    assert_eq!(replay.frames.len(), whole, "byte {at}");
                    assert_eq!(damaged_at(&fault), Some(ends[whole]), "byte {at}");
                }
                Err(ReplayError::Broken(fault)) => {
                    assert!(at < ends[0], "byte {at}: {fault}");
                    assert_eq!(damaged_at(&fault), Some(at.min(OPENING)), "byte {at}");
                    refused += 1;
                }
                Err(error) => panic!("byte {at}: {error}"),
            }
            assert!(matches!(Replay::read(&damaged), Err(ReplayError::Broken(_))), "byte {at}");
        }
    }
    assert_eq!(refused, 2 * ends[0]);
}

proptest! {
    #![proptest_config(crate::common::cases(300))]
    #[test]
    fn garbled_bytes_do_no_harm(seed: u64, edits in 1..40_u32, mode in 0..4) {
        thread_local!(static BYTES: Vec<u8> = record::<f32>(&tiny()));
        let bytes = BYTES.with(Clone::clone);
        let parts = Parts::of(&bytes);
        let mut random = Random(seed);
        let mut damaged = bytes.clone();
        for _ in 0..edits {
            let at = random.below(damaged.len() as u32) as usize;
            match mode {
                0 => damaged[at] = random.next() as u8,
                1 => drop(damaged.drain(at..(at + 9).min(damaged.len()))),
                2 => damaged.insert(at, random.next() as u8),
                _ => damaged[at..].iter_mut().take(4).for_each(|byte| *byte = 0xff),
            }
            if damaged.is_empty() {
                break;
            }
        }
        try_out(&damaged, &parts);
    }
}

/// Garbles the inside of frames and mends their checksums: whatever such a file orders, playing it
/// does not panic.
#[test]
fn garbled_orders_with_good_checksums_do_no_harm() {
    let bytes = record::<f32>(&tiny());
    let parts = Parts::of(&bytes);
    let (mut played, mut differing, mut panics) = (0, 0, Vec::new());
    for seed in 0..3_000 {
        let mut random = Random(seed);
        let garbled = garble_frame(&parts, &mut random);
        // A block that cannot be read ends the replay there.
        let found = Replay::salvage(&garbled).unwrap();
        let (Salvage::Whole(replay) | Salvage::Part(replay, _)) = found;
        let played_back = panic::catch_unwind(|| verify(&replay, |_| ()));
        match played_back {
            Ok(Ok(verdict)) => {
                played += 1;
                differing += usize::from(verdict.difference.is_some());
            }
            Ok(Err(_)) => {}
            Err(_) => panics.push(seed),
        }
    }
    assert!(panics.is_empty(), "{} of 3,000 garbled files panic, seeds {panics:?}", panics.len());
    assert!(played > 2_000 && differing > 200, "{played} played, {differing} differ");
}

/// The file with a few bytes of one frame's payload changed, and the checksum right again.
fn garble_frame(parts: &Parts, random: &mut Random) -> Vec<u8> {
    let with_orders = [0, 3, 5, 8];
    let chosen = with_orders[random.below(4) as usize];
    let mut bytes = parts.header.clone();
    for (index, frame) in parts.frames.iter().enumerate() {
        let mut block = write(frame);
        if index == chosen {
            let mut raw = Vec::new();
            ZlibDecoder::new(&block[5..block.len() - 4]).read_to_end(&mut raw).unwrap();
            for _ in 0..1 + random.below(3) {
                // Behind the tick and the number of frames.
                let at = 12 + random.below((raw.len() - 12).min(200) as u32) as usize;
                let extremes = [0, 1, 0x7f, 0x80, 0xf0, 0xff, random.next() as u8];
                raw[at] = extremes[random.below(7) as usize];
            }
            let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
            packed.write_all(&raw).unwrap();
            let payload = packed.finish().unwrap();
            block = vec![1];
            block.extend((payload.len() as u32).to_le_bytes());
            block.extend(payload);
            let checksum = crc32fast::hash(&block);
            block.extend(checksum.to_le_bytes());
        }
        bytes.extend(block);
    }
    bytes.extend(&parts.end);
    bytes
}

/// A header with a changed body and the checksum right again.
fn with_header(parts: &Parts, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut header = parts.header.clone();
    header.truncate(header.len() - 4);
    change(&mut header);
    let body = header.len() as u32 - 16;
    header[12..16].copy_from_slice(&body.to_le_bytes());
    let checksum = crc32fast::hash(&header);
    header.extend(checksum.to_le_bytes());
    header.extend(parts.frames.iter().flat_map(write));
    header.extend(&parts.end);
    header
}

#[test]
fn foreign_replays_are_refused_by_name() {
    let bytes = record::<f32>(&tiny());
    let parts = Parts::of(&bytes);
    let refusal = |bytes: &[u8]| Replay::read(bytes).expect_err("refused").to_string();
    assert!(Replay::read(&with_header(&parts, |_| ())).is_ok());
    for nothing in [&b"THRUNG"[..], b"#!/bin/sh\nexit 0\n", &[0; 100]] {
        assert!(matches!(Replay::read(nothing), Err(ReplayError::NotAReplay)));
    }
    let format = with_header(&parts, |header| header[MAGIC.len()] = FORMAT as u8 + 1);
    let message = refusal(&format);
    let named = [format!("format {}", FORMAT + 1), format!("only {FORMAT}")];
    assert!(named.iter().all(|name| message.contains(name)), "{message}");
    let engine = with_header(&parts, |header| header[20] = b'9');
    let message = refusal(&engine);
    let version = env!("CARGO_PKG_VERSION");
    assert!(message.contains("engine version 9") && message.contains(version), "{message}");
    let at = 20 + version.len();
    let numeric = with_header(&parts, |header| header[at] = 7);
    assert!(refusal(&numeric).contains("numeric mode"));
    let layout = with_header(&parts, |header| header[at + 1] ^= 1);
    assert!(refusal(&layout).contains("state layout"));
    // The fixed-point layout under an f32 replay's name.
    let other = with_header(&parts, |header| header[at] = 1);
    assert!(refusal(&other).contains("state layout"));
}

/// Bodies of headers with any byte changed and the checksum right again: refused, or a world that
/// plays. Maps and counts that would need much memory are refused before it is taken.
#[test]
fn garbled_headers_with_good_checksums_do_no_harm() {
    let bytes = record::<f32>(&tiny());
    let parts = Parts::of(&bytes);
    let (mut refused, mut played, mut panics) = (0, 0, Vec::new());
    for at in 16..parts.header.len() - 4 {
        for byte in [0, 1, 0x7f, 0xff, parts.header[at] ^ 4] {
            let garbled = with_header(&parts, |header| header[at] = byte);
            let read = panic::catch_unwind(|| {
                Replay::read(&garbled).and_then(|replay| verify(&replay, |_| ()))
            });
            match read {
                Ok(Ok(_)) => played += 1,
                Ok(Err(error)) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
                Err(_) => panics.push((at, byte)),
            }
        }
    }
    assert!(panics.is_empty(), "these bytes of the header panic: {panics:?}");
    assert!(refused > 100 && played > 20, "{refused} refused, {played} played");
}
