//! The kernels of the steering behaviours: same bits on 8 lanes and on one, and as plain formulas in
//! `f64` say.

use crate::common::kernel::{Kernel, check, check_kernels, random};
use throng::kernel::sense::{Flock, Nearest};
use throng::kernel::steer::{Budget, Leg};
use throng::kernel::wall::Wall;
use throng::kernel::{sense, steer};
use throng::lane::{IntLane, Lane};
use throng::math::Num;

// Kernels, and how far `f32` and fixed point may be from the reference.
check_kernels! {
    shares_and_directions: Share, 1e-6, 2e-3;
    fleeing_and_evading: Flight, 1e-5, 5e-3;
    pursuing: Pursuit, 1e-3, 2e-2;
    wandering: Wandering, 1e-5, 5e-3;
    following_a_wall: AlongWall, 1e-5, 5e-3;
    spending_the_budget: Spending, 1e-5, 5e-3;
    seeing_others: Others, 1e-4, 2e-2;
}

fn splat<L: Lane>(value: f64) -> L {
    L::splat(L::Num::from_f64(value))
}

/// A random vector for a row: near, far, or along an axis.
fn vector(stream: u64, row: u64, most: f64) -> Vec<f64> {
    let most = if row.is_multiple_of(3) { most } else { most / 8.0 };
    let x = if row.is_multiple_of(11) { 0.0 } else { random(stream, row, -most, most) };
    vec![x, random(stream + 1, row, -most, most)]
}

fn length(v: &[f64]) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

struct Share;

impl Kernel for Share {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let v = [inputs[0], inputs[1]];
        [steer::share(v, inputs[2]), steer::unit(v)].concat()
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        let most = if row.is_multiple_of(5) { 16_000.0 } else { 20.0 };
        [vector(0, row, most), vec![random(2, row, 0.1, 30.0)]].concat()
    }

    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let v = [inputs[0], inputs[1]];
        let far = length(&v) > 0.05;
        let unit = steer::reference_share(v, 1e-9);
        far.then(|| [steer::reference_share(v, inputs[2]), unit].concat())
    }
}

struct Flight;

impl Kernel for Flight {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let &[x, y, vx, vy, speed, range] = inputs else { unreachable!() };
        let evade = steer::evade([x, y], [vx, vy], speed, splat(2.5), range);
        [steer::flee([x, y], range), evade].concat()
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        let numbers = vec![random(4, row, 0.1, 9.0), random(5, row, 0.5, 30.0)];
        [vector(0, row, 20.0), vector(2, row, 9.0), numbers].concat()
    }

    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let (offset, vel) = ([inputs[0], inputs[1]], [inputs[2], inputs[3]]);
        let flee = steer::reference_flee(offset, inputs[5]);
        let evade = steer::reference_evade(offset, vel, inputs[4], 2.5, inputs[5]);
        (length(&offset) > 0.3).then(|| [flee, evade].concat())
    }
}

struct Pursuit;

impl Kernel for Pursuit {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let &[x, y, vx, vy, speed] = inputs else { unreachable!() };
        steer::pursue([x, y], [vx, vy], speed, splat(4.0)).to_vec()
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        [vector(0, row, 20.0), vector(2, row, 6.0), vec![random(4, row, 0.1, 9.0)]].concat()
    }

    /// Of quarries that are not caught within the horizon the end of it counts; where the two nearly
    /// run side by side, rounding decides.
    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let (offset, vel, speed) = ([inputs[0], inputs[1]], [inputs[2], inputs[3]], inputs[4]);
        let distance = length(&offset);
        let across = (offset[0] * vel[1] - offset[1] * vel[0]).abs() / distance;
        let aim = [0, 1].map(|i| offset[i] + vel[i] * 4.0);
        let clear = distance > 0.5 && across < 0.97 * speed && length(&aim) > 0.5;
        clear.then(|| steer::reference_pursue(offset, vel, speed, 4.0).to_vec())
    }
}

struct Wandering;

impl Kernel for Wandering {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let &[vx, vy, side, a, b, t] = inputs else { unreachable!() };
        let [x, y] = steer::wander([vx, vy], [L::one(), L::zero()], side);
        vec![x, y, steer::noise(a, b, t)]
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        let side = random(2, row, -1.0, 1.0) * if row.is_multiple_of(9) { 600.0 } else { 1.0 };
        let noise = [3, 4].map(|stream| random(stream, row, -1.0, 1.0));
        let numbers = vec![side, noise[0], noise[1], random(5, row, 0.0, 1.0)];
        [vector(0, row, 9.0), numbers].concat()
    }

    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let vel = [inputs[0], inputs[1]];
        let [a, b, t] = [inputs[3], inputs[4], inputs[5]];
        let noise = a + (b - a) * t * t * (3.0 - 2.0 * t);
        let [x, y] = steer::reference_wander(vel, inputs[2]);
        (length(&vel) > 0.1).then(|| vec![x, y, noise])
    }
}

struct Route {
    points: Vec<[f64; 2]>,
}

impl Kernel for Route {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let legs: Vec<Leg<L::Num>> =
            self.points.windows(2).map(|pair| Leg::new(pair[0], pair[1])).collect();
        let at = [inputs[0], inputs[1]];
        steer::follow_path(&legs, false, [at; 2], splat(1.5), splat(2.0)).to_vec()
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        let side = if row.is_multiple_of(4) { 16_000.0 } else { 80.0 };
        vec![random(0, row, 0.0, side), random(1, row, 0.0, side)]
    }

    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let at = [inputs[0], inputs[1]];
        let (wish, leg, left) = steer::reference_path(&self.points, at, 1.5)?;
        let end = self.points[self.points.len() - 1];
        let ends = leg + 2 == self.points.len() && left < 2.0;
        let wish = if ends { steer::reference_share(minus(end, at), 2.0) } else { wish };
        ((left - 2.0).abs() > 0.01).then(|| wish.to_vec())
    }
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

#[test]
fn following_a_path() {
    let points = vec![[10.0, 10.0], [60.0, 12.0], [62.0, 50.0], [30.0, 70.0], [12.0, 40.5]];
    check(&Route { points }, 1e-3, 5e-3);
}

/// In the corner's outer wedge both legs are equally near; the one that begins there counts.
#[test]
fn at_a_corner_the_next_leg_counts() {
    let legs: Vec<Leg<f32>> =
        vec![Leg::new([0.0, 0.0], [10.3, 0.7]), Leg::new([10.3, 0.7], [9.1, 12.0])];
    for reversed in [false, true] {
        let mut legs = legs.clone();
        if reversed {
            legs.reverse();
        }
        for (x, y) in [(11.0, 0.6), (12.5, 0.0), (10.6, 0.5), (19.0, -0.5)] {
            let at = [x, y];
            let wish = steer::follow_path::<f32>(&legs, true, [at; 2], 20.0, 1.0);
            assert!(wish[1] > 0.9, "at {at:?}: {wish:?}");
        }
    }
}

struct AlongWall;

impl Kernel for AlongWall {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let normal = steer::unit([inputs[0], inputs[1]]);
        let wall = Wall { distance: inputs[2], normal, slope: L::one() };
        let [keep, band, range] = [2.0, 1.5, 6.0].map(splat);
        let wish = |left| steer::follow_wall(&wall, left, keep, band, range);
        [wish(true), wish(false)].concat()
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        [vector(0, row, 9.0), vec![random(2, row, 0.0, 8.0)]].concat()
    }

    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let (normal, distance) = (steer::reference_share([inputs[0], inputs[1]], 1e-9), inputs[2]);
        if length(inputs) < 0.1 || (distance - 6.0).abs() < 1e-3 {
            return None;
        }
        let wish = |left| steer::reference_wall(normal, (distance - 2.0) / 1.5, left);
        Some(if distance < 6.0 { [wish(true), wish(false)].concat() } else { vec![0.0; 4] })
    }
}

struct Spending;

impl Kernel for Spending {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let mut budget = Budget::new();
        inputs.chunks_exact(2).for_each(|sum| budget.spend([sum[0], sum[1]]));
        budget.granted.to_vec()
    }

    /// Sums of all sizes: nothing, a part of the budget, far too much.
    fn inputs(&self, row: u64) -> Vec<f64> {
        let size = |level: u64| [0.0, 0.3, 0.8, 900.0][((row >> (2 * level)) & 3) as usize];
        (0..3).flat_map(|level| vector(2 * level, 1 + 3 * row, size(level))).collect()
    }

    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let sums: Vec<[f64; 2]> = inputs.chunks_exact(2).map(|sum| [sum[0], sum[1]]).collect();
        let granted = steer::reference_budget(&sums);
        assert!(length(&granted) < 1.0 + 1e-9, "the budget holds: {sums:?}");
        Some(granted.to_vec())
    }
}

/// Twelve others, every third of another group.
struct Others;

const RANGE: f64 = 12.0;

impl Others {
    fn candidates() -> Vec<([f64; 2], [f64; 2], bool)> {
        let one = |i: u64| {
            let at = [random(20, i, 0.0, 40.0), random(21, i, 0.0, 40.0)];
            (at, [random(22, i, -3.0, 3.0), random(23, i, -3.0, 3.0)], !i.is_multiple_of(3))
        };
        (0..12).map(one).collect()
    }
}

impl Kernel for Others {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let all = Self::candidates();
        let number = |v: &[f64; 2]| v.map(L::Num::from_f64);
        let pos: Vec<[L::Num; 2]> = all.iter().map(|(at, _, _)| number(at)).collect();
        let vel: Vec<[L::Num; 2]> = all.iter().map(|(_, vel, _)| number(vel)).collect();
        let (at, square) = ([inputs[0], inputs[1]], L::Num::from_f64(RANGE * RANGE));
        let mut nearest = Nearest::<L>::none(square);
        let mut flock = Flock::<L>::none();
        let limits = [square, L::Num::from_f64(0.25)];
        // In two runs, as grids hand them out.
        for (first, run) in [(0, 0..5), (5, 5..12)] {
            let counts = |i: usize| all[first + i].2;
            sense::add_nearest(at, &pos[run.clone()], first, counts, &mut nearest);
            sense::add_flock(at, &pos[run.clone()], &vel[run], counts, limits, &mut flock);
        }
        let flock = flock.rounded(splat(match L::Num::NUMERIC {
            throng::math::Numeric::F32 => 0.0,
            throng::math::Numeric::Fixed => 2.0 / 65_536.0,
        }));
        let row = L::from_int(L::Int::from_fn(|i| nearest.row.get(i)));
        let [x, y] = flock.offset;
        vec![row, flock.count, x, y, flock.vel[0], flock.vel[1]]
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        vec![random(0, row, -5.0, 60.0), random(1, row, -5.0, 45.0)]
    }

    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let at = [inputs[0], inputs[1]];
        let away = |p: &[f64; 2]| length(&[p[0] - at[0], p[1] - at[1]]);
        let all: Vec<_> = Self::candidates().into_iter().enumerate().collect();
        let mut counted: Vec<_> = all.iter().filter(|(_, one)| one.2).collect();
        counted.sort_by(|a, b| away(&a.1.0).total_cmp(&away(&b.1.0)));
        let edge = counted.iter().any(|(_, one)| (away(&one.0) - RANGE).abs() < 0.02);
        if edge || away(&counted[1].1.0) - away(&counted[0].1.0) < 0.02 {
            return None;
        }
        let found = away(&counted[0].1.0) < RANGE;
        let row = if found { counted[0].0 as f64 } else { -1.0 };
        let sums = counted.iter().map(|(_, one)| sense::reference(at, one.0, one.1, RANGE));
        let sums = sums.fold([0.0; 5], |sum, one| [0, 1, 2, 3, 4].map(|i| sum[i] + one[i] / 4.0));
        Some([vec![row], sums.to_vec()].concat())
    }
}
