//! What an answer must be, said without the solvers' formulas: by flying the projectile, and by
//! proofs over whole stretches of time. All in `f64`.

use throng::kernel::intercept::Shot;

use crate::intercept::shots::One;

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn length(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}

/// Where a body is after a time.
fn flown(pos: [f64; 3], vel: [f64; 3], acc: [f64; 3], time: f64) -> [f64; 3] {
    [0, 1, 2].map(|i| pos[i] + vel[i] * time + 0.5 * acc[i] * time * time)
}

/// By how many metres a launch passes the target near a time: both fly, by themselves.
pub(crate) fn miss(shot: &Shot<f64>, launch: [f64; 3], time: f64) -> f64 {
    let fall = [0.0, 0.0, -shot.gravity];
    let apart = |time: f64| {
        let target = flown(shot.delta, shot.vel, shot.acc, time);
        let projectile = flown([0.0; 3], launch, fall, time);
        [0, 1, 2].map(|i| target[i] - projectile[i])
    };
    let moves = [0, 1, 2].map(|i| shot.vel[i] + shot.acc[i] * time - (launch[i] + fall[i] * time));
    let square = dot(moves, moves);
    let now = apart(time);
    if square < 1e-12 {
        return length(now);
    }
    // No nearer than what straight flight from here comes to, within a thousandth of the time.
    let shift = (-dot(now, moves) / square).clamp(-1e-3 * time - 2e-5, 1e-3 * time + 2e-5);
    length(apart(time + shift)).min(length(now))
}

/// Sum of the speeds that a launch of this time is made of, m/s: what its rounding is relative to.
pub(crate) fn size(shot: &Shot<f64>, time: f64) -> f64 {
    let pull = [shot.acc[0], shot.acc[1], shot.acc[2] + shot.gravity];
    shot.speed + length(shot.vel) + length(shot.delta) / time + 0.5 * length(pull) * time
}

/// What the launch speed does over a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    /// It exceeds the speed throughout: no hit.
    Over,
    /// It stays below it throughout.
    Under,
}

/// A time between `from` and `to` at which the launch that hits is not on this side of `speed`, by
/// more than `band` times [`size`]. `None` is a proof that there is none, but for touches shorter
/// than 10⁻⁷ of their time.
///
/// |P(t)| changes by at most the largest |P′| times the half of a stretch, and so does V = P / t; a
/// stretch that neither decides is halved.
pub(crate) fn strays(
    shot: &Shot<f64>,
    speed: f64,
    [from, to]: [f64; 2],
    side: Side,
    band: f64,
) -> Option<f64> {
    let pull = [shot.acc[0], shot.acc[1], shot.acc[2] + shot.gravity];
    let mut stretches = vec![[from, to]];
    while let Some([a, b]) = stretches.pop() {
        if b <= a {
            continue;
        }
        let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
        let place = flown(shot.delta, shot.vel, pull, middle);
        let moves = [0, 1, 2].map(|i| shot.vel[i] + pull[i] * middle);
        let spread = half * (length(moves) + length(pull) * half);
        let distance = length(place);
        let room = band * size(shot, middle);
        let turn = [0, 1, 2].map(|i| 0.5 * pull[i] - shot.delta[i] / (middle * middle));
        let bend = length(shot.delta) * (1.0 / (a * a) - 1.0 / (middle * middle));
        let (launch, change) = (distance / middle, half * (length(turn) + bend));
        let (sure, found) = match side {
            Side::Over => (
                distance - spread >= (speed - room) * b || launch - change >= speed - room,
                distance <= (speed - room) * middle,
            ),
            Side::Under => (
                distance + spread <= (speed + room) * a || launch + change <= speed + room,
                distance >= (speed + room) * middle,
            ),
        };
        if found {
            return Some(middle);
        }
        if !sure && b - a > 1e-7 * b {
            stretches.extend([[middle, b], [a, middle]]);
        }
    }
    None
}

/// The largest errors that an answer may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Largest miss where the target is within 1 km at launch and impact, and the flight within
    /// 30 s, m.
    pub(crate) near: f64,
    /// Largest miss, in parts of [`size`] times the time.
    pub(crate) size: f64,
    /// Largest miss for every second of flight, m/s.
    pub(crate) second: f64,
    /// Largest error of the launch speed: in parts of [`size`], and in m/s.
    pub(crate) speed: [f64; 2],
}

/// Errors of an answer that was flown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flown {
    /// Within 1 km at launch and impact, and 30 s.
    pub(crate) near: bool,
    /// By how many metres it passes.
    pub(crate) miss: f64,
    /// Error of the launch speed, in parts of [`size`].
    pub(crate) error: f64,
}

/// Whether a number exceeds a bound, or is none.
fn beyond(number: f64, bound: f64) -> bool {
    number.is_nan() || number > bound
}

/// Flies an answer: it must come close, at the muzzle speed, within the time.
pub(crate) fn flies(shot: &Shot<f64>, one: &One, bounds: &Bounds) -> Result<Flown, String> {
    let One { time, launch, .. } = *one;
    if !(time >= 0.0 && time <= shot.longest) {
        return Err(format!("hits after {time} s"));
    }
    let (miss, size) = (miss(shot, launch, time), size(shot, time.max(1e-6)));
    let end = length(flown(shot.delta, shot.vel, shot.acc, time));
    let near = length(shot.delta) <= 1_000.0 && end <= 1_000.0 && time <= 30.0;
    if near && beyond(miss, bounds.near) {
        return Err(format!("misses by {miss} m"));
    }
    // A step of time is a step of way where the flight is shorter than one.
    if beyond(miss, (bounds.size * size + bounds.second) * time + 1e-6) {
        return Err(format!("misses by {miss} m"));
    }
    let excess = (length(launch) - shot.speed).abs() - bounds.speed[1];
    let error = if excess < 0.0 { 0.0 } else { excess / size };
    if beyond(error, bounds.speed[0]) {
        return Err(format!("is launched at {} m/s: off by {error}", length(launch)));
    }
    Ok(Flown { near, miss, error })
}
