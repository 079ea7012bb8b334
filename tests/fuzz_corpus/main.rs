//! Everything that the fuzz targets of `fuzz/` found worth keeping, their seeds, and a fixed number
//! of random changes of both, through the same functions: no panic, and no more memory than the caps
//! allow. The targets are in `targets`, which `fuzz/` includes. `THRONG_CHANGES` says how
//! many changes of each target are tried, `THRONG_FIRST_CHANGE` the first seed.

#[allow(unreachable_pub, dead_code, reason = "the fuzz targets use all of it, from outside")]
mod targets;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;
use std::{fs, panic};

use flate2::Compression;
use flate2::write::ZlibEncoder;

use targets::mutate::{Random, edit};
use targets::{Outcome, TARGETS, Target, meter};
use throng::GroupId;
use throng::data::bytes::{Reader, Write};
use throng::map::Map;
use throng::map::area::Shape;
use throng::map::limits::max_classes;
use throng::replay::{MAX_FRAMES, MAX_IMAGE, Player, Recorder, Replay, Salvage};
use throng::scenario::ScenarioDef;
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Settings, World};

/// Memory is counted for the whole process, so every test of this program holds this while it runs.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(|poison| poison.into_inner())
}

/// The value of an environment variable, or another.
fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().unwrap())
}

/// The stored files of a target, by name.
fn corpus(target: &Target) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target.name);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.display().to_string(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Runs an input; one that panics is kept in a file, which is named.
fn run(target: &Target, name: &str, bytes: &[u8]) -> Outcome {
    panic::catch_unwind(|| (target.run)(bytes)).unwrap_or_else(|_| {
        let file =
            std::env::temp_dir().join(format!("{}-{:08x}", target.name, crc32fast::hash(bytes)));
        fs::write(&file, bytes).unwrap();
        panic!("{}: {name} panics; it is kept as {}", target.name, file.display());
    })
}

fn try_all(target: &Target) {
    let _alone = alone();
    let mut inputs = corpus(target);
    let mut seen = BTreeMap::<Outcome, u32>::new();
    for (name, bytes) in &inputs {
        *seen.entry(run(target, name, bytes)).or_default() += 1;
    }
    for (name, bytes) in (target.seeds)() {
        assert_eq!(run(target, name, &bytes), Outcome::Played, "{}: seed {name}", target.name);
        inputs.push((name.to_owned(), bytes));
    }
    let (first, changes) = (number("THRONG_FIRST_CHANGE", 0), number("THRONG_CHANGES", 4_000));
    for seed in first..first + changes {
        let mut random = Random::new(seed);
        let (name, bytes) = random.of(&inputs);
        let mut changed = bytes.clone();
        for _ in 0..=random.below(2) {
            changed = (target.mutate)(&changed, &mut random, &mut edit);
        }
        let outcome = run(target, &format!("{name}, changed by seed {seed},"), &changed);
        *seen.entry(outcome).or_default() += 1;
    }
    eprintln!("{}: {} files, {seen:?}", target.name, inputs.len());
    let least = u32::try_from(changes / 20).unwrap();
    for outcome in [Outcome::Refused, Outcome::Played] {
        let count = seen.get(&outcome).copied().unwrap_or(0);
        assert!(count > least, "{}: {count} inputs were {outcome:?}", target.name);
    }
}

/// A test that tries out each of these targets.
macro_rules! tried {
    ($($test:ident of $target:ident),+ $(,)?) => {$(
        #[test]
        fn $test() {
            try_all(&targets::$target::TARGET);
        }
    )+};
}

tried! {
    packets of lockstep,
    maps of map,
    meshes of mesh,
    orders of orders,
    pictures of picture,
    replays of replay,
    scenarios of scenario,
    snapshots of snapshot,
    tiled_maps of tiled,
}

#[test]
fn orders_come_back_as_they_were_and_cut_ones_are_refused() {
    let _alone = alone();
    for (_, order) in targets::orders::every_kind() {
        let mut bytes = Vec::new();
        order.write(&mut bytes);
        let mut reader = Reader::new(&bytes);
        assert_eq!(Order::read(&mut reader).as_ref(), Ok(&order));
        assert_eq!(reader.left(), 0);
        for cut in 0..bytes.len() {
            assert!(Order::read(&mut Reader::new(&bytes[..cut])).is_err(), "cut at {cut}");
        }
    }
}

/// A small file may declare a large map: it is paid for by the cell.
#[test]
fn a_large_map_in_a_small_replay() {
    let _alone = alone();
    let map = Map::from_slowness(2_048, 1_024, 1.0, &vec![16; 2_048 * 1_024]);
    let world = World::<f32>::new(map, Settings::default()).unwrap();
    let bytes = Recorder::start(&world, "large", Vec::new()).unwrap().finish().unwrap();
    assert!(bytes.len() < 8 << 10, "{} bytes", bytes.len());
    assert_eq!(run(&targets::replay::TARGET, "a large map", &bytes), Outcome::Read);
}

/// A replay of an empty world without its end block, and a way to put blocks behind it.
struct Bomb {
    bytes: Vec<u8>,
    /// Bytes of a frame behind its orders, with as many digests as there are columns.
    digests: Vec<u8>,
}

/// As much as a small file may unpack to.
const LARGE: usize = 128 << 20;
/// The most that answering a small file may take, given back or not.
const MOST: usize = 1 << 30;

impl Bomb {
    fn new() -> Self {
        let map = Map::from_slowness(8, 8, 1.0, &[16; 64]);
        let world = World::<f32>::new(map, Settings::default()).unwrap();
        let mut bytes = Recorder::start(&world, "bomb", Vec::new()).unwrap().finish().unwrap();
        let columns = Replay::read(&bytes).unwrap().header.columns.len();
        bytes.truncate(bytes.len() - 17);
        let mut digests = vec![0; 8];
        digests.u32(columns as u32);
        digests.resize(12 + 2 * columns, 0);
        Self { bytes, digests }
    }

    /// A file with this payload, and one that ends it after so many ticks.
    fn file(&self, kind: u8, payload: &[u8], ticks: u64) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for (kind, payload) in [(kind, payload), (2, &ticks.to_le_bytes()[..])] {
            let start = bytes.len();
            bytes.u8(kind);
            bytes.run(payload);
            let checksum = crc32fast::hash(&bytes[start..]);
            bytes.u32(checksum);
        }
        bytes
    }

    /// A file of one block of frames; its payload begins and ends so, with `piece` many times between.
    fn frames(&self, ticks: u32, begins: &[u8], piece: &[u8], ends: &[u8]) -> Vec<u8> {
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        let head = [&0_u64.to_le_bytes()[..], &ticks.to_le_bytes(), begins].concat();
        packed.write_all(&head).unwrap();
        let many = piece.repeat((1 << 20) / piece.len());
        (0..LARGE / many.len()).for_each(|_| packed.write_all(&many).unwrap());
        packed.write_all(ends).unwrap();
        self.file(1, &packed.finish().unwrap(), u64::from(ticks))
    }
}

/// How often [`Bomb::frames`] repeats a piece.
fn pieces(piece: &[u8]) -> u32 {
    let many = (1 << 20) / piece.len();
    (many * (LARGE / (many * piece.len()))) as u32
}

/// The fault of a replay, empty for a whole one; finding it takes at most [`MOST`] bytes of memory.
fn fault(name: &str, bytes: &[u8]) -> String {
    assert!(bytes.len() < 600_000, "{name} has {} bytes", bytes.len());
    let salvaged = meter::within(name, |_| MOST, || Replay::salvage(bytes).unwrap());
    match salvaged {
        Salvage::Whole(_) => String::new(),
        Salvage::Part(_, fault) => fault.to_string(),
    }
}

/// What half a megabyte unpacks to is bounded by what ticks take in memory, not by what they take in
/// the file.
#[test]
fn small_replays_take_no_gigabytes() {
    let _alone = alone();
    let bomb = Bomb::new();
    let none = 0_u32.to_le_bytes();
    let limit = format!("take more than {MAX_FRAMES} bytes of memory");
    let stop = [2, 0, 0];
    let ends = [&bomb.digests[..], &none].concat();
    let orders = bomb.frames(1, &pieces(&stop).to_le_bytes(), &stop, &ends);
    assert!(fault("orders", &orders).contains(&limit));
    let empty = [0; 20];
    let frames = bomb.frames(pieces(&empty), &[], &empty, &[]);
    assert!(fault("frames", &frames).contains(&limit));
    let begins = [&none, &bomb.digests[..], &pieces(&none).to_le_bytes()].concat();
    let stages = bomb.frames(1, &begins, &none, &[]);
    assert!(fault("stages", &stages).contains(&limit));
    // Many good frames: all that there is room for are read.
    let frame = [&none, &bomb.digests[..], &none].concat();
    let good = bomb.frames(pieces(&frame), &[], &frame, &[]);
    assert_eq!(fault("good frames", &good), "");
}

/// A keyframe says how much it unpacks to; it is looked at before that is believed.
#[test]
fn small_keyframes_take_no_gigabytes() {
    let _alone = alone();
    let bomb = Bomb::new();
    let keyframe = |mebibytes: u64| {
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&vec![0; 1 << 20]).unwrap();
        let piece = packed.finish().unwrap();
        let mut payload = 0_u64.to_le_bytes().to_vec();
        payload.u64(mebibytes << 20);
        payload.u32(mebibytes as u32);
        (0..mebibytes).for_each(|_| payload.run(&piece));
        bomb.file(3, &payload, 0)
    };
    let most = MAX_IMAGE >> 20;
    let Salvage::Part(_, fault) = Replay::salvage(&keyframe(most + 1)).unwrap() else {
        panic!("a keyframe beyond the limit is read");
    };
    assert!(fault.to_string().contains("1074790400 bytes in 1025 pieces"), "{fault}");
    let replay = Replay::read(&keyframe(most)).unwrap();
    let played = || Player::<f32>::new(&replay).map(|_| ()).unwrap_err().to_string();
    let error = meter::within("a keyframe", |_| 128 << 20, played);
    assert!(error.contains("no snapshot"), "{error}");
}

/// Files, pipes and devices are read to the limit of their kind, and not a byte of more.
#[test]
fn files_are_read_up_to_a_limit() {
    let _alone = alone();
    let path = std::env::temp_dir().join(format!("throng-limit-{}", std::process::id()));
    let large = |path: &Path, cap: usize| {
        let read = || throng::data::read_at_most(path, 1 << 20);
        let error = meter::within("reading", |_| cap, read).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::FileTooLarge);
        assert!(error.to_string().contains("more than 1048576 bytes"), "{error}");
    };
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    large(&path, 1 << 10);
    fs::File::create(&path).unwrap().set_len((1 << 20) + 1).unwrap();
    large(&path, 1 << 10);
    fs::File::create(&path).unwrap().set_len(1 << 20).unwrap();
    assert_eq!(throng::data::read_at_most(&path, 1 << 20).unwrap().len(), 1 << 20);
    fs::remove_file(&path).unwrap();
    if cfg!(target_os = "linux") {
        large(Path::new("/dev/zero"), 4 << 20);
        assert!(throng::data::read_at_most("/dev/null", 1 << 20).unwrap().is_empty());
    }
}

/// Each part of a dotted key is a table, and so is every pair of braces.
#[test]
fn small_scenarios_take_no_gigabytes() {
    let _alone = alone();
    let keys: String = (0..60_000).map(|i| format!("k{i}{}=1\n", ".a".repeat(60))).collect();
    let braces = format!("a = [{}]", "{a={}},".repeat(1_000_000));
    for text in [keys, braces] {
        let read = || ScenarioDef::parse(&text, "bomb.toml").map(|_| ()).unwrap_err();
        let error = meter::within("a scenario", |_| 1 << 20, read);
        assert!(error.to_string().contains("at most 524,288 tables"), "{error}");
    }
}

/// What a recipe has to hold, and what it has to do, is bounded before it is done.
#[test]
fn small_recipes_take_no_gigabytes() {
    let _alone = alone();
    let frame = |side: u32| format!("[map.generate]\nwidth = {side}\nheight = {side}\n");
    let step = "[[map.generate.step]]\nkind = ";
    let layer = |i: u32| format!("{step}\"ramp\"\nlayer = \"l{i}\"\n");
    let layers = format!("{}{}", frame(8_192), (0..40).map(layer).collect::<String>());
    let places = format!("{step}\"places\"\nname = \"p\"\ncount = 9_000\n");
    let near =
        format!("{step}\"scatter\"\nletter = \"T\"\ncount = 1\nnear = \"p\"\nreach = 9_000\n");
    let near = format!("{}{places}{near}", frame(512));
    for (text, wrong) in [(layers, "too many layers"), (near, "too much work")] {
        let read = || ScenarioDef::parse_ground(&text, "bomb.toml")?.load_map(&|_| unreachable!());
        let error = meter::within("a recipe", |_| 64 << 20, read).unwrap_err();
        assert!(error.to_string().contains(wrong), "{error}");
    }
}

/// Every radius of its own takes memory for all cells of the map.
#[test]
fn radii_are_bounded_by_the_map() {
    let _alone = alone();
    assert_eq!([1, 1 << 22, 1 << 26].map(max_classes), [1_024, 32, 8]);
    let map = Map::from_slowness(4, 4, 1.0, &[16; 16]);
    let mut world = World::<f32>::new(map, Settings::default()).unwrap();
    let group = |i: u32| GroupDef { radius: 1.0 + f64::from(i) / 256.0, ..GroupDef::default() };
    (0..1_024).for_each(|i| assert_eq!(world.add_group(group(i)).unwrap(), GroupId::new(i as u16)));
    let error = world.add_group(group(1_024)).unwrap_err().to_string();
    assert!(error.contains("1025 ") && error.contains("at most 1024"), "{error}");
    assert!(world.add_group(group(5)).is_ok(), "a radius that is known takes no memory");
}

/// A tick with an order for each of very many groups takes as long as there are orders.
#[test]
fn very_many_groups_appear_in_a_moment() {
    let _alone = alone();
    let map = Map::from_slowness(256, 256, 1.0, &[16; 65_536]);
    let mut world = World::<f32>::new(map, Settings::default()).unwrap();
    let area =
        |i: u32| vec![Shape::Point { at: [f64::from(i % 256) + 0.5, f64::from(i / 256) + 0.5] }];
    let groups = (0..65_535).map(|_| Order::Group { def: GroupDef::default() });
    let spawns = (0..65_535).map(|i| Order::Spawn {
        group: GroupId::new(i as u16),
        area: area(i),
        count: 1,
    });
    let orders: Vec<Order> = groups.chain(spawns).collect();
    let start = Instant::now();
    tick(&mut world, &orders, &mut Scratch::new());
    // It took a minute when each of them looked at all groups.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    assert_eq!(world.len(), 65_535);
}

#[test]
fn every_target_has_a_small_corpus() {
    let _alone = alone();
    let mut bytes = 0;
    for target in &TARGETS {
        let files = corpus(target);
        assert!(!files.is_empty(), "{} has no corpus", target.name);
        for (name, file) in files {
            assert!(file.len() <= 8 << 10, "{name} has {} bytes", file.len());
            bytes += file.len();
        }
    }
    assert!(bytes < 300_000, "the corpus has {bytes} bytes");
}

#[test]
fn a_reader_that_takes_too_much_is_found() {
    let _alone = alone();
    let greedy = |bytes: usize| {
        panic::catch_unwind(|| meter::within("it", |_| 1 << 20, || vec![1_u8; bytes].len()))
    };
    assert_eq!(greedy(1 << 16).unwrap(), 1 << 16);
    assert!(greedy((1 << 20) + 1).is_err());
}
