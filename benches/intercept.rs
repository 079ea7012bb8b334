//! Intercepts, shots a second: every method on 8 lanes and on one in both numeric modes, and straight
//! flight against the formula of schoolbooks in a plain `f32` loop. Each asserts its answers first.
//!
//! The time of an element is the time of a shot.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use throng::kernel::intercept::slices::solve_lanes;
use throng::kernel::intercept::{Answers, Arc, Method, Outcome, Shots, solve_all};
use throng::lane::{Lane, Numbers};
use throng::math::{Fx, Num, hash3, unit_f64};

/// Shots that a method is run for: few enough to stay in a near cache, too many for a processor to
/// learn by heart which branch each takes.
const ROWS: usize = 2_048;

/// How fast projectiles are, m/s: so that all can hit, or that a part cannot.
const FAST: (f64, f64) = (30.0, 120.0);
const MIXED: (f64, f64) = (1.0, 20.0);

/// Shots of a battle: targets within 300 m that run or ride.
struct Battle<N> {
    columns: [Vec<N>; 11],
}

struct Found<N> {
    numbers: [Vec<N>; 4],
    outcome: Vec<u8>,
    iterations: Vec<u8>,
}

impl<N: Num> Battle<N> {
    fn new(speeds: (f64, f64)) -> Self {
        let random = |stream: u64, row: usize, low: f64, high: f64| {
            low + (high - low) * unit_f64(hash3(5, stream, row as u64))
        };
        let ranges = [
            (-200.0, 200.0),
            (-200.0, 200.0),
            (-20.0, 20.0),
            (-15.0, 15.0),
            (-15.0, 15.0),
            (-2.0, 2.0),
            (-1.0, 1.0),
            (-1.0, 1.0),
            (-1.0, 1.0),
            speeds,
            (9.81, 9.81),
        ];
        let column = |at: usize| -> Vec<N> {
            let (low, high) = ranges[at];
            (0..ROWS).map(|row| N::from_f64(random(at as u64, row, low, high))).collect()
        };
        Self { columns: std::array::from_fn(column) }
    }

    fn shots(&self) -> Shots<'_, N> {
        let three = |first: usize| [0, 1, 2].map(|axis| &self.columns[first + axis][..]);
        Shots {
            delta: three(0),
            vel: three(3),
            acc: three(6),
            speed: &self.columns[9],
            gravity: &self.columns[10],
            longest: N::from_f64(30.0),
        }
    }
}

impl<N: Num> Found<N> {
    fn new() -> Self {
        let numbers = std::array::from_fn(|_| vec![N::ZERO; ROWS]);
        Self { numbers, outcome: vec![0; ROWS], iterations: vec![0; ROWS] }
    }

    fn answers(&mut self) -> Answers<'_, N> {
        let [time, x, y, z] = &mut self.numbers;
        let (outcome, iterations) = (&mut self.outcome, &mut self.iterations);
        Answers { time, launch: [x, y, z], outcome, iterations }
    }

    fn bits(&self) -> Vec<Vec<u32>> {
        self.numbers.iter().map(|column| column.iter().map(|n| n.bits()).collect()).collect()
    }
}

fn bench<N: Numbers>(group: &mut BenchmarkGroup<'_, WallTime>, method: Method, name: &str) {
    let battle = Battle::<N>::new(FAST);
    let (mut wide, mut single) = (Found::<N>::new(), Found::<N>::new());
    solve_lanes::<N::Wide>(method, &battle.shots(), &mut wide.answers());
    solve_lanes::<N::Single>(method, &battle.shots(), &mut single.answers());
    assert_eq!(wide.bits(), single.bits(), "{name}: lanes change the bits");
    let hits = wide.outcome.iter().filter(|&&code| Outcome::from_code(code).hits()).count();
    assert!(hits > ROWS / 2, "{name}: {hits} hits");
    group.throughput(Throughput::Elements(ROWS as u64));
    let id = |lanes: &str| format!("{name}/{}/{lanes}", N::NUMERIC.word());
    fn run<L: Lane>(method: Method, battle: &Battle<L::Num>, found: &mut Found<L::Num>) {
        solve_lanes::<L>(black_box(method), black_box(&battle.shots()), &mut found.answers());
    }
    group.bench_function(id("lanes"), |b| b.iter(|| run::<N::Wide>(method, &battle, &mut wide)));
    group.bench_function(id("one lane"), |b| {
        b.iter(|| run::<N::Single>(method, &battle, &mut single));
    });
}

/// A shot as a game keeps it.
#[derive(Clone, Copy)]
struct Plain {
    delta: [f32; 3],
    vel: [f32; 3],
    speed: f32,
}

/// What a game that solves one shot at a time writes: the quadratic formula with its cases.
fn schoolbook(shot: &Plain) -> Option<(f32, [f32; 3])> {
    let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let a = dot(shot.vel, shot.vel) - shot.speed * shot.speed;
    let b = 2.0 * dot(shot.delta, shot.vel);
    let c = dot(shot.delta, shot.delta);
    let time = if a.abs() < 1e-6 {
        if b >= 0.0 {
            return None;
        }
        -c / b
    } else {
        let root = b * b - 4.0 * a * c;
        if root < 0.0 {
            return None;
        }
        let root = root.sqrt();
        let (t0, t1) = ((-b - root) / (2.0 * a), (-b + root) / (2.0 * a));
        let (first, last) = if t0 < t1 { (t0, t1) } else { (t1, t0) };
        if first > 0.0 {
            first
        } else if last > 0.0 {
            last
        } else {
            return None;
        }
    };
    if time > 30.0 {
        return None;
    }
    Some((time, [0, 1, 2].map(|i| shot.delta[i] / time + shot.vel[i])))
}

/// All shots of a battle, one at a time.
#[inline(never)]
fn plain_loop(shots: &[Plain], answers: &mut [Option<(f32, [f32; 3])>]) {
    for (shot, answer) in shots.iter().zip(answers) {
        *answer = schoolbook(shot);
    }
}

fn bench_plain(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, speeds: (f64, f64)) {
    let battle = Battle::<f32>::new(speeds);
    let three = |first: usize, row: usize| [0, 1, 2].map(|axis| battle.columns[first + axis][row]);
    let plain =
        |row| Plain { delta: three(0, row), vel: three(3, row), speed: battle.columns[9][row] };
    let shots: Vec<Plain> = (0..ROWS).map(plain).collect();
    let mut answers = vec![None; ROWS];
    plain_loop(&shots, &mut answers);
    let mut found = Found::<f32>::new();
    solve_all(Method::Constant, &battle.shots(), &mut found.answers());
    let mut others = 0;
    for (row, answer) in answers.iter().enumerate() {
        let (code, time) = (found.outcome[row], found.numbers[0][row]);
        let same = match answer {
            Some((expected, _)) => (expected - time).abs() < 1e-3 * time,
            None => !Outcome::from_code(code).hits(),
        };
        others += usize::from(!same);
    }
    // The formula of schoolbooks cancels: a few answers are its own.
    assert!(others <= ROWS / 1_000, "{others} answers differ");
    group.throughput(Throughput::Elements(ROWS as u64));
    group.bench_function(format!("{name}/plain loop"), |b| {
        b.iter(|| plain_loop(black_box(&shots), &mut answers));
    });
    group.bench_function(format!("{name}/lanes"), |b| {
        b.iter(|| {
            let shots = black_box(battle.shots());
            solve_all(Method::Constant, &shots, &mut found.answers());
        });
    });
}

fn bench_intercepts(c: &mut Criterion) {
    let mut group = c.benchmark_group("intercept");
    bench_plain(&mut group, "straight, all hit", FAST);
    bench_plain(&mut group, "straight, some do not", MIXED);
    for (method, name) in [
        (Method::Constant, "constant"),
        (Method::Still(Arc::Low), "still, low"),
        (Method::Still(Arc::High), "still, high"),
        (Method::Moving(Arc::Low), "moving, low"),
        (Method::Moving(Arc::High), "moving, high"),
        (Method::Fastest, "fastest"),
        (Method::Least, "least"),
    ] {
        bench::<f32>(&mut group, method, name);
        bench::<Fx>(&mut group, method, name);
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = bench_intercepts
}
criterion_main!(benches);
