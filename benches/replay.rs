//! Going to a tick of a replay against playing it from the start, and what recording costs. Each
//! benchmark asserts its answer first.

#[path = "../tests/common/battle.rs"]
mod battle;

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use throng::replay::{Player, RecordOptions, Replay, verify};
use throng::state;

/// Agents and ticks of the battle.
const AGENTS: u32 = 6_000;
const TICKS: u64 = 3_000;

fn bench_seek(c: &mut Criterion) {
    let mut group = c.benchmark_group("replay");
    let bytes = battle::record::<f32>(AGENTS, TICKS, RecordOptions::default());
    let replay = Replay::read(&bytes).expect("a good replay");
    // The worst tick: the one before the last keyframe.
    let keyframes = &replay.keyframes;
    let worst = keyframes[keyframes.len() - 1].tick - 1;
    let from_start = || {
        let mut player = Player::<f32>::new(&replay).expect("a world");
        (0..worst).for_each(|_| {
            player.step();
        });
        player
    };
    let by_seeking = || {
        let mut player = Player::<f32>::new(&replay).expect("a world");
        player.seek(worst).expect("a tick");
        player
    };
    let expected = replay.frame(worst - 1).expect("a frame").digest;
    assert_eq!(state::digest(from_start().world()), expected);
    assert_eq!(state::digest(by_seeking().world()), expected);
    group.bench_function(format!("play to tick {worst}"), |b| b.iter(from_start));
    group.bench_function(format!("seek to tick {worst}"), |b| b.iter(by_seeking));
    group.bench_function("verify", |b| {
        b.iter(|| verify(&replay, |_| ()).expect("a world").difference.is_none());
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(5));
    targets = bench_seek
}
criterion_main!(benches);
