//! Whole ticks and the sort, in both numeric modes. Each benchmark asserts its answer first.
//!
//! The time of an element is the time of an agent. All but one run on one thread.

#[path = "common/crowd.rs"]
mod crowd;
#[path = "common/rows.rs"]
mod rows;

use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use rayon::{ThreadPool, ThreadPoolBuilder};
use rows::Rows;
use throng::lane::{Lane, Numbers};
use throng::math::{Fx, Num};
use throng::space::Grid;
use throng::state::digest;
use throng::tick::{Scratch, tick_with};
use throng::world::World;

use crowd::Crowd;

/// Agents on a square metre.
const DENSITY: f64 = 0.7;

/// A pool of so many threads; 0: one for every processor.
fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// Runs ticks in lanes `L` and returns the digest.
fn run<L: Lane>(world: &World<L::Num>, ticks: usize) -> u64 {
    let (mut world, mut scratch) = (world.clone(), Scratch::new());
    for _ in 0..ticks {
        tick_with::<L>(&mut world, &[], &mut scratch, &mut ());
    }
    throng::state::validate(&world).unwrap();
    digest(&world)
}

/// Times `work` inside a pool, whose threads stay awake.
fn time(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: String,
    pool: &ThreadPool,
    mut work: impl FnMut() + Send,
) {
    let mut timed = |times: u64| {
        let start = Instant::now();
        (0..times).for_each(|_| work());
        start.elapsed()
    };
    group.bench_function(name, |b| b.iter_custom(|times| pool.install(|| timed(times))));
}

/// Times ticks of one world that goes on and on.
fn ticks<L: Lane>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    pool: &ThreadPool,
    world: &World<L::Num>,
) {
    let (mut world, mut scratch) = (world.clone(), Scratch::new());
    let name = format!("{}/{}/{name}", world.len(), L::Num::NUMERIC.word());
    group.throughput(Throughput::Elements(world.len() as u64));
    time(group, name, pool, || tick_with::<L>(&mut world, &[], &mut scratch, &mut ()));
}

fn bench_numbers<N: Numbers>(group: &mut BenchmarkGroup<'_, WallTime>, agents: u32) {
    let [one, all] = [1, 0].map(pool);
    let world = all.install(|| Crowd::mixed(agents, DENSITY).world::<N>());
    let expected = one.install(|| run::<N::Wide>(&world, 2));
    assert_eq!(all.install(|| run::<N::Wide>(&world, 2)), expected, "threads change the bits");
    assert_eq!(all.install(|| run::<N::Single>(&world, 2)), expected, "lanes change the bits");
    ticks::<N::Wide>(group, "lanes", &one, &world);
    if agents == 100_000 {
        ticks::<N::Single>(group, "one lane", &one, &world);
    }
    if agents == 1_000_000 {
        ticks::<N::Wide>(group, "lanes, all threads", &all, &world);
    }
}

fn bench_tick(c: &mut Criterion) {
    let mut group = c.benchmark_group("tick");
    for agents in [10_000, 100_000, 1_000_000] {
        bench_numbers::<f32>(&mut group, agents);
        bench_numbers::<Fx>(&mut group, agents);
    }
}

/// Sorts a crowd a tick after it was sorted, as every tick does.
fn sort<N: Numbers>(group: &mut BenchmarkGroup<'_, WallTime>, agents: u32) {
    let world = Crowd::mixed(agents, DENSITY).world::<N>();
    let positions = world.positions();
    let side = f64::from(world.map().width());
    let (mut grid, mut rows) = (Grid::<N>::default(), vec![0; positions.len()]);
    grid.shape(side, side, 0.9);
    grid.sort(positions, Rows(&mut rows));
    // Every agent once, and grid rows in order.
    let mut seen = rows.clone();
    seen.sort_unstable();
    assert!(seen.iter().enumerate().all(|(i, &row)| i == row as usize));
    let row = |&from: &u32| grid.row(positions[from as usize][1]);
    assert!(rows.is_sorted_by_key(row), "grid rows are out of order");
    group.throughput(Throughput::Elements(u64::from(agents)));
    let name = format!("{agents}/{}", N::NUMERIC.word());
    time(group, name, &pool(1), || grid.sort(positions, Rows(&mut rows)));
}

fn bench_sort(c: &mut Criterion) {
    let mut group = c.benchmark_group("sort");
    for agents in [100_000, 1_000_000] {
        sort::<f32>(&mut group, agents);
    }
    sort::<Fx>(&mut group, 100_000);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3));
    targets = bench_tick, bench_sort
}
criterion_main!(benches);
