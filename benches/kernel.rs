//! Every kernel on 8 lanes and on one, in both numeric modes. Each benchmark asserts its answer
//! first: lanes and one lane give the same bits, and separation agrees with its reference.
//!
//! The time of an element is the time of an agent.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use throng::kernel::separate::{ALIKE, ALL};
use throng::kernel::{approach, contact, motion, sample, separate, wall};
use throng::lane::{IntLane, Lane, Mask, Numbers};
use throng::map::Map;
use throng::math::{Fx, Num, hash3, unit_f64};
use throng::nav::field;
use throng::nav::field::GoalCells;

/// Agents that a kernel is run for: their rows stay in the nearest cache.
const ROWS: usize = 512;

/// Neighbours that a block of a usual crowd looks at.
const NEIGHBOURS: usize = 27;

/// Half range and radius of an agent, in metres.
const SIZES: [f64; 2] = [0.45, 0.3];

/// A kernel over columns of pairs.
trait Kernel<N: Numbers> {
    const NAME: &'static str;
    /// What a block of agents gets; `rows` are those of their inputs.
    fn block<L: Lane<Num = N>>(&self, inputs: [&[[N; 2]]; 3]) -> [L; 2];
}

/// A random number for (stream, row) in `low .. high`.
fn random(stream: u64, row: usize, low: f64, high: f64) -> f64 {
    low + (high - low) * unit_f64(hash3(7, stream, row as u64))
}

/// A column of pairs in `low .. high`.
fn column<N: Num>(stream: u64, low: f64, high: f64) -> Vec<[N; 2]> {
    let number = |axis, row| N::from_f64(random(2 * stream + axis, row, low, high));
    (0..ROWS).map(|row| [number(0, row), number(1, row)]).collect()
}

/// The three inputs: places on the map, velocities, pushes.
fn inputs<N: Num>() -> [Vec<[N; 2]>; 3] {
    [column(0, 0.5, 62.5), column(1, -1.4, 1.4), column(2, -3.0, 3.0)]
}

fn run<L: Lane, K: Kernel<L::Num>>(
    kernel: &K,
    inputs: &[Vec<[L::Num; 2]>; 3],
    outputs: &mut [[L::Num; 2]],
) {
    for row in (0..ROWS).step_by(L::WIDTH) {
        let [x, y] = kernel.block::<L>([0, 1, 2].map(|i| &inputs[i][row..]));
        L::store_pairs(x, y, &mut outputs[row..]);
    }
}

fn bench<N: Numbers, K: Kernel<N>>(group: &mut BenchmarkGroup<'_, WallTime>, kernel: &K) {
    let inputs = inputs::<N>();
    let (mut wide, mut single) = (vec![[N::ZERO; 2]; ROWS], vec![[N::ZERO; 2]; ROWS]);
    run::<N::Wide, K>(kernel, &inputs, &mut wide);
    run::<N::Single, K>(kernel, &inputs, &mut single);
    let bits = |rows: &[[N; 2]]| rows.iter().map(|row| row.map(N::bits)).collect::<Vec<_>>();
    assert_eq!(bits(&wide), bits(&single), "{}: lanes change the bits", K::NAME);
    assert!(wide.iter().any(|row| *row != wide[0]), "{}: all rows are the same", K::NAME);
    let name = |lanes: &str| format!("{}/{}/{lanes}", K::NAME, N::NUMERIC.word());
    group.throughput(Throughput::Elements(ROWS as u64));
    group.bench_function(name("lanes"), |b| {
        b.iter(|| run::<N::Wide, K>(kernel, black_box(&inputs), &mut wide));
    });
    group.bench_function(name("one lane"), |b| {
        b.iter(|| run::<N::Single, K>(kernel, black_box(&inputs), &mut single));
    });
}

/// Separation with one set of neighbours; `KIND` says in what they differ.
struct Crowd<N, const KIND: u8> {
    /// Neighbours within a few metres.
    pos: Vec<[N; 2]>,
}

/// Agents of a block stand as close together as in a crowd.
fn gathered<L: Lane>(places: &[[L::Num; 2]]) -> (L, L) {
    let (x, y) = L::load_pairs(places);
    let sixteenth = L::splat(L::Num::from_f64(1.0 / 16.0));
    (x * sixteenth, y * sixteenth)
}

impl<N: Num, const KIND: u8> Crowd<N, KIND> {
    fn new() -> Self {
        let shrink = |v: N| N::from_f64(v.to_f64() / 16.0);
        let pos: Vec<[N; 2]> = column(3, 0.5, 62.5);
        let pos = pos.into_iter().take(NEIGHBOURS).map(|p| p.map(shrink)).collect();
        Self { pos }
    }
}

impl<N: Numbers, const KIND: u8> Kernel<N> for Crowd<N, KIND> {
    const NAME: &'static str = "separate";

    fn block<L: Lane<Num = N>>(&self, [places, ..]: [&[[N; 2]]; 3]) -> [L; 2] {
        let (x, y) = gathered::<L>(places);
        let [reach, _] = SIZES;
        let n = |value: f64| L::splat(N::from_f64(value));
        let (weight, layer, avoids) = (L::one(), L::Int::splat(1), L::Int::splat(1));
        let scale = n(1.0 / (4.0 * reach * reach));
        let reach = n(reach);
        let block = separate::Block { pos: [x, y], reach, scale, weight, layer, avoids };
        let mut separation = separate::Sums::new();
        for other in &self.pos {
            let pos = other.map(L::splat);
            let other = separate::Other { pos, reach, weight, layer, avoids };
            separate::add::<L, KIND>(&block, &other, &mut separation);
        }
        separation.push
    }
}

/// Separation against its formula, summed in `f64`.
fn check_crowd<N: Numbers, const KIND: u8>(tolerance: f64) {
    let kernel = Crowd::<N, KIND>::new();
    let mut sums = vec![[N::ZERO; 2]; ROWS];
    let inputs = inputs::<N>();
    run::<N::Wide, _>(&kernel, &inputs, &mut sums);
    for (place, sum) in inputs[0].iter().zip(&sums) {
        let (x, y) = gathered::<N::Single>(&[*place]);
        let [x, y] = [x.get(0), y.get(0)].map(N::to_f64);
        let mut expected = [0.0; 2];
        for other in &kernel.pos {
            let [other_x, other_y] = other.map(N::to_f64);
            let [agent, other] = [[x, y, SIZES[0], 1.0], [other_x, other_y, SIZES[0], 1.0]];
            let push = separate::reference(agent, other);
            expected = [0, 1].map(|i| expected[i] + push[i]);
        }
        for i in 0..2 {
            let difference = (sum[i].to_f64() - expected[i]).abs();
            assert!(
                difference < tolerance * (1.0 + expected[i].abs()),
                "{sum:?}, not {expected:?}"
            );
        }
    }
}

/// The limits that near agents set to a velocity, and what they shift an agent by.
struct Press<N> {
    near: Vec<approach::Mark<N>>,
}

impl<N: Num> Press<N> {
    fn new() -> Self {
        let shrink = |v: N| N::from_f64(v.to_f64() / 16.0);
        let headings = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
        let mark = |(i, [pos_x, pos_y]): (usize, [N; 2])| {
            let [x, y] = headings[i % 4];
            let [x, y, soft, radius] = [x, y, 1.0, SIZES[1]].map(N::from_f64);
            [x, y, soft, radius, x, y, pos_x, pos_y]
        };
        let pos: Vec<[N; 2]> = column(3, 0.5, 62.5);
        let pos = pos.into_iter().take(NEIGHBOURS).map(|p| p.map(shrink));
        Self { near: pos.enumerate().map(mark).collect() }
    }
}

impl<N: Numbers> Kernel<N> for Press<N> {
    const NAME: &'static str = "approach and contact";

    fn block<L: Lane<Num = N>>(&self, [places, velocities, _]: [&[[N; 2]]; 3]) -> [L; 2] {
        let n = |value: f64| L::splat(N::from_f64(value));
        let (pos, heading) = (gathered::<L>(places).into(), [L::one(), L::zero()]);
        let (soft, radius) = (L::one(), n(SIZES[1]));
        let (reach, rate, chooses) = (n(0.5), n(5.0), L::Mask::from_fn(|_| false));
        let pushes = !chooses;
        let block = approach::Block { pos, heading, soft, radius, reach, rate, chooses, pushes };
        let mut vel: [L; 2] = L::load_pairs(velocities).into();
        let mut sums = contact::Sums::new();
        let nobody = L::Mask::from_fn(|_| false);
        for mark in &self.near {
            let mark = mark.map(L::splat);
            let limit = approach::limit(&block, mark, L::one());
            vel = approach::obey(vel, &limit);
            let [x, y, soft, radius, _, _, pos_x, pos_y] = mark;
            contact::add(&block, [pos_x, pos_y], [x, y, soft, radius], L::one(), nobody, &mut sums);
        }
        [0, 1].map(|i| vel[i] + sums.shift[i])
    }
}

struct Ground {
    map: Map,
    codes: Vec<u32>,
}

impl Ground {
    /// 64 × 64 m with walls on a tenth of the cells, and a field.
    fn new() -> Self {
        let side = 64;
        let cell = |i: u64| if unit_f64(hash3(1, 2, i)) < 0.1 { 0 } else { 16 };
        let mut cells: Vec<u8> = (0..u64::from(side * side)).map(cell).collect();
        cells[0] = 16;
        let map = Map::from_slowness(side, side, 1.0, &cells);
        let goal = GoalCells::point(map.index(0, 0));
        let codes = field::solve(&map.class(0.3), &goal).directions;
        Self { map, codes }
    }

    fn corners<L: Lane>(&self, places: &[[L::Num; 2]]) -> sample::Corners<L> {
        let (x, y) = L::load_pairs(places);
        sample::corners(x, y, L::one(), self.map.stride() as i32)
    }
}

struct Sample<'a>(&'a Ground);

impl<N: Numbers> Kernel<N> for Sample<'_> {
    const NAME: &'static str = "sample";

    fn block<L: Lane<Num = N>>(&self, [places, ..]: [&[[N; 2]]; 3]) -> [L; 2] {
        let corners = self.0.corners::<L>(places);
        let (codes, stride) = (&self.0.codes, self.0.map.stride() as usize);
        let codes = sample::gather::<L>(&corners, |_, first| sample::quad(codes, first, stride));
        let direction = sample::blend::<L>(&corners, &codes);
        [direction.x, direction.y]
    }
}

struct Wall<'a>(&'a Ground);

impl<N: Numbers> Kernel<N> for Wall<'_> {
    const NAME: &'static str = "wall";

    fn block<L: Lane<Num = N>>(&self, [places, velocities, _]: [&[[N; 2]]; 3]) -> [L; 2] {
        let corners = self.0.corners::<L>(places);
        let map = &self.0.map;
        let cells = wall::gather(&corners, map.stride() as usize, map.wall_distance());
        let ahead = wall::wall(&corners, cells);
        let margin = L::splat(N::from_f64(0.6));
        let lean = L::Mask::from_fn(|i| i.is_multiple_of(2));
        let [away, along] = wall::forces(&ahead, margin, L::load_pairs(velocities).into(), lean);
        [0, 1].map(|i| away[i] + along[i])
    }
}

struct Limit;

impl<N: Numbers> Kernel<N> for Limit {
    const NAME: &'static str = "limit";

    fn block<L: Lane<Num = N>>(&self, [_, velocities, _]: [&[[N; 2]]; 3]) -> [L; 2] {
        motion::limit(L::load_pairs(velocities).into(), L::one())
    }
}

struct Accelerate;

impl<N: Numbers> Kernel<N> for Accelerate {
    const NAME: &'static str = "accelerate";

    fn block<L: Lane<Num = N>>(&self, [_, velocities, pushes]: [&[[N; 2]]; 3]) -> [L; 2] {
        let n = |value: f64| L::splat(N::from_f64(value));
        let vel = L::load_pairs(velocities).into();
        let push = L::load_pairs(pushes).into();
        motion::accelerate(vel, [n(1.0), n(0.5)], push, n(4.0), n(6.0), n(1.4), n(0.05))
    }
}

struct Part;

impl<N: Numbers> Kernel<N> for Part {
    const NAME: &'static str = "part";

    fn block<L: Lane<Num = N>>(&self, [_, velocities, shifts]: [&[[N; 2]]; 3]) -> [L; 2] {
        let n = |value: f64| L::splat(N::from_f64(value));
        let shift: [L; 2] = L::load_pairs(shifts).into();
        let vel = L::load_pairs(velocities).into();
        let shift = shift.map(|s| s * n(0.03));
        motion::part(shift, vel)
    }
}

fn bench_all<N: Numbers>(group: &mut BenchmarkGroup<'_, WallTime>, ground: &Ground) {
    bench(group, &Crowd::<N, ALIKE>::new());
    bench(group, &Press::<N>::new());
    bench::<N, _>(group, &Sample(ground));
    bench::<N, _>(group, &Wall(ground));
    bench::<N, _>(group, &Limit);
    bench::<N, _>(group, &Accelerate);
    bench::<N, _>(group, &Part);
}

fn bench_kernels(c: &mut Criterion) {
    check_crowd::<f32, ALIKE>(1e-4);
    check_crowd::<Fx, ALIKE>(0.05);
    check_crowd::<f32, ALL>(1e-4);
    check_crowd::<Fx, ALL>(0.05);
    let ground = Ground::new();
    let mut group = c.benchmark_group("kernel");
    bench_all::<f32>(&mut group, &ground);
    bench_all::<Fx>(&mut group, &ground);
    group.finish();
    let mut group = c.benchmark_group("kernel, agents differ");
    bench(&mut group, &Crowd::<f32, ALL>::new());
    bench(&mut group, &Crowd::<Fx, ALL>::new());
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = bench_kernels
}
criterion_main!(benches);
