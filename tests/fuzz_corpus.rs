//! Everything that the fuzz targets of `fuzz/` found worth keeping, their seeds, and a fixed number
//! of random changes of both, through the same functions: no panic, and no more memory than the caps
//! allow. The targets are in `fuzz/src/targets`, which this file includes.

#[path = "../fuzz/src/targets/mod.rs"]
#[allow(unreachable_pub, dead_code, reason = "the fuzz targets use all of it, from outside")]
mod targets;

use std::collections::BTreeMap;
use std::fs;
use std::panic;
use std::path::Path;
use std::sync::Mutex;

use targets::Outcome;
use targets::TARGETS;
use targets::Target;
use targets::meter;
use targets::mutate::Random;
use targets::mutate::edit;
use throng::map::Map;
use throng::replay::Recorder;
use throng::world::Settings;
use throng::world::World;

/// Memory is counted for the whole process: one at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Random changes of each target.
const CHANGES: u64 = 4_000;

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

fn alone(target: &Target) {
    let _alone = ALONE.lock().unwrap_or_else(|poison| poison.into_inner());
    let mut inputs = corpus(target);
    let mut seen = BTreeMap::<Outcome, u32>::new();
    for (name, bytes) in &inputs {
        *seen.entry(run(target, name, bytes)).or_default() += 1;
    }
    for (name, bytes) in (target.seeds)() {
        assert_eq!(run(target, name, &bytes), Outcome::Played, "{}: seed {name}", target.name);
        inputs.push((name.to_owned(), bytes));
    }
    for seed in 0..CHANGES {
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
    let least = u32::try_from(CHANGES / 20).unwrap();
    for outcome in [Outcome::Refused, Outcome::Played] {
        let count = seen.get(&outcome).copied().unwrap_or(0);
        assert!(count > least, "{}: {count} inputs were {outcome:?}", target.name);
    }
}

#[test]
fn packets() {
    alone(&targets::lockstep::TARGET);
}

#[test]
fn maps() {
    alone(&targets::map::TARGET);
}

#[test]
fn meshes() {
    alone(&targets::mesh::TARGET);
}

#[test]
fn orders() {
    alone(&targets::orders::TARGET);
}

#[test]
fn pictures() {
    alone(&targets::picture::TARGET);
}

#[test]
fn replays() {
    alone(&targets::replay::TARGET);
}

#[test]
fn scenarios() {
    alone(&targets::scenario::TARGET);
}

#[test]
fn snapshots() {
    alone(&targets::snapshot::TARGET);
}

#[test]
fn tiled_maps() {
    alone(&targets::tiled::TARGET);
}

/// A small file may declare a large map: it is paid for by the cell.
#[test]
fn a_large_map_in_a_small_replay() {
    let _alone = ALONE.lock().unwrap_or_else(|poison| poison.into_inner());
    let map = Map::from_slowness(2_048, 1_024, 1.0, &vec![16; 2_048 * 1_024]);
    let world = World::<f32>::new(map, Settings::default()).unwrap();
    let bytes = Recorder::start(&world, "large", Vec::new()).unwrap().finish().unwrap();
    assert!(bytes.len() < 8 << 10, "{} bytes", bytes.len());
    assert_eq!(run(&targets::replay::TARGET, "a large map", &bytes), Outcome::Read);
}

#[test]
fn every_target_has_a_small_corpus() {
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
    let _alone = ALONE.lock().unwrap_or_else(|poison| poison.into_inner());
    let greedy = |bytes: usize| {
        panic::catch_unwind(|| meter::within("it", |_| 1 << 20, || vec![1_u8; bytes].len()))
    };
    assert_eq!(greedy(1 << 16).unwrap(), 1 << 16);
    assert!(greedy((1 << 20) + 1).is_err());
}
