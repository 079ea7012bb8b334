//! Random shots in columns, and what was answered to them.

use throng::kernel::intercept::slices::solve_lanes;
use throng::kernel::intercept::{Answers, Method, Outcome, Shot, Shots, solve_all};
use throng::lane::{Lane, Numbers};
use throng::math::{Num, hash3, unit_f64};

/// A random number in 0 .. 1 for (stream, row).
pub(crate) fn unit(stream: u64, row: u64) -> f64 {
    unit_f64(hash3(11, stream, row))
}

/// A random number in `low .. high` whose logarithm is uniform.
fn scaled(stream: u64, row: u64, low: f64, high: f64) -> f64 {
    // (high / low) to the power of a random binary fraction.
    let bits = hash3(11, stream, row);
    let (mut number, mut factor) = (low, high / low);
    for bit in 0..16 {
        factor = factor.sqrt();
        number *= if bits >> bit & 1 == 1 { factor } else { 1.0 };
    }
    number
}

/// A random vector of a length.
fn vector(stream: u64, row: u64, length: f64) -> [f64; 3] {
    let [x, y, z] = [0, 1, 2].map(|axis| 2.0 * unit(stream + axis, row) - 1.0);
    let size = (x * x + y * y + z * z).sqrt().max(1e-9);
    [x, y, z].map(|c| c / size * length)
}

/// Which shots.
#[derive(Clone, Copy, Debug)]
pub(crate) enum VariantSet {
    /// As on a battlefield: up to 1 km, up to 1 km/s, up to 30 s.
    Field,
    /// Anything that is in range.
    Range,
    /// Targets that come near, turn back and leave: up to four hits.
    Returning,
}

/// The shot of a row.
pub(crate) fn shot(variant_set: VariantSet, row: u64) -> Shot<f64> {
    let rarely = |stream: u64, share: f64| unit(stream, row) < share;
    let (far, fast, hard, longest) = match variant_set {
        VariantSet::Field => (1_000.0, 1_000.0, 100.0, 30.0),
        VariantSet::Range => (56_000.0, 11_900.0, 999.0, 120.0),
        VariantSet::Returning => return returning(row),
    };
    let mut delta = vector(0, row, scaled(3, row, 0.01, far));
    if rarely(4, 0.03) {
        // Straight up or down.
        delta = [0.0, 0.0, delta[2]];
    }
    let speed = scaled(5, row, 1.0, fast);
    // Mostly slower than the projectile.
    let vel = vector(6, row, (speed * scaled(9, row, 0.001, 4.0)).min(fast));
    let acc = vector(10, row, scaled(13, row, 0.01, hard));
    let gravity = scaled(14, row, 0.1, hard);
    Shot {
        delta,
        vel: if rarely(15, 0.1) { [0.0; 3] } else { vel },
        acc: if rarely(16, 0.5) { [0.0; 3] } else { acc },
        speed,
        gravity: [gravity, 9.81, 0.0][(unit(17, row) * 3.0) as usize],
        longest,
    }
}

/// A target that flies at the muzzle from afar, is there after a second or so, and is pulled back.
fn returning(row: u64) -> Shot<f64> {
    let size = scaled(23, row, 10.0, 300.0);
    let delta = vector(20, row, size);
    let aside = vector(24, row, scaled(27, row, 0.1, 30.0));
    let [there, back] = [scaled(28, row, 0.3, 3.0), scaled(29, row, 0.1, 2.0)];
    Shot {
        delta,
        vel: [0, 1, 2].map(|i| aside[i] - delta[i] / there),
        acc: delta.map(|c| c / size * (size / (there * there) * back).min(900.0)),
        speed: scaled(30, row, 3.0, 100.0),
        gravity: [9.81, 0.0][(unit(31, row) * 2.0) as usize],
        longest: 20.0,
    }
}

/// Shots in columns: delta, velocity, acceleration, speed, gravity.
pub(crate) struct Columns<N> {
    columns: [Vec<N>; 11],
    longest: N,
}

impl<N: Numbers> Columns<N> {
    /// `count` shots.
    pub(crate) fn new(count: u64, shot: impl Fn(u64) -> Shot<f64>) -> Self {
        let mut columns = [const { Vec::new() }; 11];
        let mut longest = N::ZERO;
        for row in 0..count {
            let Shot { delta: d, vel: v, acc: a, speed, gravity, longest: limit } = shot(row);
            let numbers = [d[0], d[1], d[2], v[0], v[1], v[2], a[0], a[1], a[2], speed, gravity];
            for (column, number) in columns.iter_mut().zip(numbers) {
                column.push(N::from_f64(number));
            }
            longest = N::from_f64(limit);
        }
        Self { columns, longest }
    }

    pub(crate) fn len(&self) -> usize {
        self.columns[9].len()
    }

    /// The first `rows` of them.
    pub(crate) fn shots(&self, rows: usize) -> Shots<'_, N> {
        let three = |first: usize| [0, 1, 2].map(|axis| &self.columns[first + axis][..rows]);
        Shots {
            delta: three(0),
            vel: three(3),
            acc: three(6),
            speed: &self.columns[9][..rows],
            gravity: &self.columns[10][..rows],
            longest: self.longest,
        }
    }

    /// A shot as the method sees it: numbers that do not count are 0.
    pub(crate) fn exact(&self, method: Method, row: usize) -> Shot<f64> {
        let number = |column: usize| self.columns[column][row].to_f64();
        let three = |first: usize| [0, 1, 2].map(|axis| number(first + axis));
        let (straight, standing) = (method == Method::Constant, matches!(method, Method::Still(_)));
        Shot {
            delta: three(0),
            vel: if standing { [0.0; 3] } else { three(3) },
            acc: if standing || straight { [0.0; 3] } else { three(6) },
            speed: number(9),
            gravity: if straight { 0.0 } else { number(10) },
            longest: self.longest.to_f64(),
        }
    }
}

/// The answers in columns.
#[derive(Debug)]
pub(crate) struct Answered<N> {
    pub(crate) time: Vec<N>,
    pub(crate) launch: [Vec<N>; 3],
    pub(crate) outcome: Vec<u8>,
    pub(crate) iterations: Vec<u8>,
}

/// One answer in `f64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct One {
    pub(crate) time: f64,
    pub(crate) launch: [f64; 3],
    pub(crate) outcome: Outcome,
}

impl<N: Num> Answered<N> {
    pub(crate) fn one(&self, row: usize) -> One {
        One {
            time: self.time[row].to_f64(),
            launch: [0, 1, 2].map(|axis| self.launch[axis][row].to_f64()),
            outcome: Outcome::from_code(self.outcome[row]),
        }
    }

    /// All bits of a row.
    pub(crate) fn bits(&self, row: usize) -> [u32; 6] {
        let [x, y, z] = [0, 1, 2].map(|axis| self.launch[axis][row].bits());
        let bytes = u32::from(self.outcome[row]) << 8 | u32::from(self.iterations[row]);
        [self.time[row].bits(), x, y, z, bytes, 0]
    }
}

/// Solves the first `rows` shots on the lanes of a type.
pub(crate) fn solve<L: Lane>(
    method: Method,
    columns: &Columns<L::Num>,
    rows: usize,
) -> Answered<L::Num> {
    let column = || vec![L::Num::ONE; rows];
    let mut answered = Answered {
        time: column(),
        launch: [column(), column(), column()],
        outcome: vec![9; rows],
        iterations: vec![9; rows],
    };
    let Answered { time, launch: [x, y, z], outcome, iterations } = &mut answered;
    let mut answers = Answers { time, launch: [x, y, z], outcome, iterations };
    solve_lanes::<L>(method, &columns.shots(rows), &mut answers);
    answered
}

/// Solves one shot of these numbers: delta, velocity, acceleration, speed, gravity, longest time.
pub(crate) fn solve_numbers(method: Method, numbers: [f32; 12]) -> ([f32; 4], Outcome) {
    let three = |first: usize| [0, 1, 2].map(|axis| &numbers[first + axis..][..1]);
    let [speed, gravity] = [9, 10].map(|at| &numbers[at..][..1]);
    let (delta, vel, acc) = (three(0), three(3), three(6));
    let shots = Shots { delta, vel, acc, speed, gravity, longest: numbers[11] };
    let [mut time, mut x, mut y, mut z] = [[9.0_f32]; 4];
    let [mut outcome, mut iterations] = [[9]; 2];
    let mut answers = Answers {
        time: &mut time,
        launch: [&mut x, &mut y, &mut z],
        outcome: &mut outcome,
        iterations: &mut iterations,
    };
    solve_all(method, &shots, &mut answers);
    ([time[0], x[0], y[0], z[0]], Outcome::from_code(outcome[0]))
}
