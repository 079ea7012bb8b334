//! The same questions in `f64`, one shot at a time, in the plainest way: by trying all times.
//! [`mod@constant`] and [`mod@still`] have formulas of schoolbooks of their own.
//!
//! [`mod@constant`]: mod@crate::kernel::intercept::constant
//! [`mod@still`]: mod@crate::kernel::intercept::still

use crate::kernel::intercept::shot::Shot;
use crate::math::each::Each;

/// The launch that hits at a time, m/s.
pub fn launch(shot: &Shot<f64>, time: f64) -> [f64; 3] {
    let pull = [0.0, 0.0, shot.gravity];
    [0, 1, 2].each(|i| shot.delta[i] / time + shot.vel[i] + 0.5 * (shot.acc[i] + pull[i]) * time)
}

/// The speed of that launch, m/s.
pub fn launch_speed(shot: &Shot<f64>, time: f64) -> f64 {
    let [x, y, z] = launch(shot, time);
    (x * x + y * y + z * z).sqrt()
}

/// The times tried, each longer than the one before by `factor`: from `first` to the longest.
fn times(shot: &Shot<f64>, first: f64, factor: f64) -> Vec<f64> {
    let next = |time: &f64| (*time < shot.longest).then(|| (time * factor).min(shot.longest));
    std::iter::successors(Some(first), next).collect()
}

/// Every time from `first` (s) on at which a launch of the muzzle speed hits, in order, as far as
/// steps by `factor`, above 1, tell them apart.
pub fn hits(shot: &Shot<f64>, first: f64, factor: f64) -> Vec<f64> {
    let over = |time: f64| launch_speed(shot, time) > shot.speed;
    let tried = times(shot, first, factor);
    let crossings = tried.windows(2).filter(|pair| over(pair[0]) != over(pair[1]));
    crossings
        .map(|pair| {
            let (mut before, mut after) = (pair[0], pair[1]);
            for _ in 0..60 {
                let middle = 0.5 * (before + after);
                if over(middle) == over(before) { before = middle } else { after = middle }
            }
            0.5 * (before + after)
        })
        .collect()
}

/// The tried time of the slowest launch, and its speed.
pub fn slowest(shot: &Shot<f64>, first: f64, factor: f64) -> [f64; 2] {
    let tried = times(shot, first, factor).into_iter();
    let tried = tried.map(|time| [time, launch_speed(shot, time)]);
    tried.reduce(|a, b| if b[1] < a[1] { b } else { a }).unwrap_or([0.0; 2])
}
