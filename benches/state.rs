//! What holding on to the state costs: digests against a tick of the same world, snapshots against a
//! copy of their bytes. On one thread and on all. Each benchmark asserts its answer first.

#[path = "common/crowd.rs"]
mod crowd;

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use throng::state;
use throng::tick::{Scratch, tick};
use throng::world::World;

use crowd::Crowd;

/// Agents on a square metre.
const DENSITY: f64 = 0.7;
/// Bytes that one task copies.
const PIECE: usize = 1 << 16;

/// A pool of so many threads; 0: one for every processor.
fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// Digests and a tick of one world. A quick digest is the mean over the 32 ticks of a turn.
fn bench_digest(c: &mut Criterion) {
    let mut group = c.benchmark_group("digest");
    let world: World<f32> = Crowd::mixed(100_000, DENSITY).world();
    let mut turn = vec![world.clone()];
    let mut scratch = Scratch::new();
    while (turn.len() as u64) < state::QUICK_TICKS {
        let mut next = turn[turn.len() - 1].clone();
        tick(&mut next, &[], &mut scratch);
        turn.push(next);
    }
    group.throughput(Throughput::Elements(world.len() as u64));
    for threads in [1, 0] {
        let pool = pool(threads);
        let all = if threads == 1 { "one thread" } else { "all threads" };
        let (mut world, mut scratch) = (world.clone(), Scratch::new());
        assert_eq!(pool.install(|| state::digest(&world)), state::digest(&world));
        group.bench_function(format!("tick, {all}"), |b| {
            pool.install(|| b.iter(|| tick(&mut world, &[], &mut scratch)));
        });
        group.bench_function(format!("full, {all}"), |b| {
            pool.install(|| b.iter(|| state::digest(&world)));
        });
        let mut at = 0;
        group.bench_function(format!("quick, {all}"), |b| {
            pool.install(|| {
                b.iter(|| {
                    at = (at + 1) % turn.len();
                    state::quick_digest(&turn[at])
                });
            });
        });
    }
}

/// Saving and restoring a million agents, and copies of the same bytes.
fn bench_snapshot(c: &mut Criterion) {
    let mut group = c.benchmark_group("snapshot");
    let mut world: World<f32> = Crowd::mixed(1_000_000, DENSITY).world();
    let mut image = state::save(&world);
    let digest = state::digest(&world);
    state::restore(&mut world, &image).expect("its own image");
    assert_eq!(state::digest(&world), digest);
    let mut copy = image.clone();
    group.throughput(Throughput::Bytes(image.len() as u64));
    for threads in [1, 0] {
        let pool = pool(threads);
        let all = if threads == 1 { "one thread" } else { "all threads" };
        group.bench_function(format!("copy, {all}"), |b| {
            pool.install(|| {
                b.iter(|| {
                    let pieces = copy.par_chunks_mut(PIECE).zip(image.par_chunks(PIECE));
                    pieces.for_each(|(to, from)| to.copy_from_slice(from));
                });
            });
        });
        group.bench_function(format!("save, {all}"), |b| {
            pool.install(|| b.iter(|| state::save_into(&world, &mut image)));
        });
        group.bench_function(format!("restore, {all}"), |b| {
            pool.install(|| b.iter(|| state::restore(&mut world, &image).expect("its own image")));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3));
    targets = bench_digest, bench_snapshot
}
criterion_main!(benches);
