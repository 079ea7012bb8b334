//! The index of agents: filling it, and asking it, one thread unless it says otherwise. Each
//! benchmark asserts its answer first.
//!
//! The time of an element is the time of an agent when the index is filled, else of a question.

#[path = "common/crowd.rs"]
mod crowd;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use throng::lane::Numbers;
use throng::map::area::{Shape, extent};
use throng::math::{Fx, hash3, unit_f64};
use throng::world::World;
use throng::{Agent, AgentIndex, GroupId};

use crowd::Crowd;

/// Agents on a square metre.
const DENSITY: f64 = 0.7;
/// Questions at different places, asked in turn.
const PLACES: u64 = 4_096;

/// Places spread over a map by a seed.
fn places<N: Numbers>(world: &World<N>) -> Vec<[f64; 2]> {
    let size = extent(world.map());
    let place = |i: u64| [0, 1].map(|axis| size[axis] * unit_f64(hash3(7, axis as u64, i)));
    (0..PLACES).map(place).collect()
}

/// Fills an index on one thread and on all.
fn load<N: Numbers>(group: &mut BenchmarkGroup<'_, WallTime>, world: &World<N>) {
    group.throughput(Throughput::Elements(world.len() as u64));
    for (threads, label) in [(1, "1 thread"), (0, "all threads")] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut index = AgentIndex::new();
        let mut timed = |times: u64| {
            let start = Instant::now();
            (0..times).for_each(|_| index.load(world));
            start.elapsed()
        };
        pool.install(|| timed(1));
        let name = format!("load/{}/{}/{label}", world.len(), N::NUMERIC.word());
        group.bench_function(name, |b| b.iter_custom(|times| pool.install(|| timed(times))));
        for row in (0..world.len()).step_by(997) {
            let agent = index.agent(world.id(row)).expect("everybody is there");
            assert_eq!((agent.row, agent.pos), (row, world.positions()[row].map(N::to_f64)));
        }
    }
}

/// Times a question at all places; its answers add up to `expected`.
fn ask(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: String,
    places: &[[f64; 2]],
    expected: usize,
    question: impl Fn([f64; 2]) -> usize,
) {
    let all = || places.iter().map(|&at| question(at)).sum::<usize>();
    assert_eq!(all(), expected, "{name}");
    group.bench_function(name, |b| b.iter(|| black_box(all())));
}

/// A square of 20 m.
fn frame([x, y]: [f64; 2]) -> [Shape; 1] {
    [Shape::Rect { min: [x - 10.0, y - 10.0], max: [x + 10.0, y + 10.0] }]
}

fn questions<N: Numbers>(group: &mut BenchmarkGroup<'_, WallTime>, world: &World<N>) {
    let (places, mut index) = (places(world), AgentIndex::new());
    index.load(world);
    // Counted once more in plain loops, at a few of the places.
    for &at in &places[..8] {
        let shape = &frame(at)[0];
        let inside = |pos: &&[N; 2]| shape.contains(pos[0].to_f64(), pos[1].to_f64());
        let expected = world.positions().iter().filter(inside).count();
        assert_eq!(index.within(&frame(at), |_| true).len(), expected);
    }
    let framed = places.iter().map(|&at| index.counts(&frame(at)).iter().sum::<u32>()).sum::<u32>();
    let mode = format!("{}/{}", world.len(), N::NUMERIC.word());
    group.throughput(Throughput::Elements(PLACES));
    let everyone = |_: &Agent| true;
    for most in [1, 16, 256] {
        ask(group, format!("nearest {most}/{mode}"), &places, places.len() * most, |at| {
            index.nearest(at, most, f64::INFINITY, everyone).len()
        });
    }
    let one_group = |agent: &Agent| agent.group == GroupId::new(2);
    ask(group, format!("nearest 16 of a group/{mode}"), &places, places.len() * 16, |at| {
        index.nearest(at, 16, f64::INFINITY, one_group).len()
    });
    ask(group, format!("within 20 m × 20 m/{mode}"), &places, framed as usize, |at| {
        index.within(&frame(at), everyone).len()
    });
    ask(group, format!("counts of 20 m × 20 m/{mode}"), &places, framed as usize, |at| {
        index.counts(&frame(at)).iter().sum::<u32>() as usize
    });
    let id = |[x, y]: [f64; 2]| world.id((x * 7_919.0 + y * 104_729.0) as usize % world.len());
    ask(group, format!("agent/{mode}"), &places, places.len(), |at| {
        usize::from(index.agent(id(at)).is_some())
    });
    let open = |&&[x, y]: &&[f64; 2]| {
        let cell = world.map().cell_at(x, y).expect("a place on the map");
        world.map().slowness()[cell as usize] > 0
    };
    let led = places.iter().filter(open).count();
    ask(group, format!("flow/{mode}"), &places, led, |at| {
        usize::from(world.flow(GroupId::new(0), at).is_some())
    });
}

fn bench_index(c: &mut Criterion) {
    let mut group = c.benchmark_group("index");
    for agents in [100_000, 1_000_000] {
        let world = Crowd::mixed(agents, DENSITY).world::<f32>();
        load(&mut group, &world);
        questions(&mut group, &world);
    }
    let world = Crowd::mixed(100_000, DENSITY).world::<Fx>();
    load(&mut group, &world);
    questions(&mut group, &world);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3));
    targets = bench_index
}
criterion_main!(benches);
