//! Low and high arc to a target that stands.
//!
//! |d + ½ g t² ẑ| = s t, squared, is quadratic in t²: ¼ g² t⁴ − (s² − g z) t² + |d|² = 0. Then
//! V = d / t + ½ g t ẑ.
//!
//! Method: with E = s² − g (|d| + z) the target is in reach where E ≥ 0, and the root of the
//! discriminant is R = √(E (E + 2 g |d|)). With Q = E + g |d| + R the times are |d| √(2 / Q), low, and
//! √(2 Q) / g, high: sums of numbers ≥ 0 throughout. For a target below, |d| + z is
//! (x² + y²) / (|d| − z), which does not cancel: shots that all but fall need that. Without gravity
//! there is the low arc alone, |d| / s.

use crate::kernel::intercept::Arc;
use crate::kernel::intercept::answer::{Answer, Found};
use crate::kernel::intercept::course::Course;
use crate::kernel::intercept::shot::Shot;
use crate::lane::{Compare, Lane, Real};
use crate::math::each::Each;

/// The times of both arcs in `f64`, by the formula of schoolbooks; the high one is infinite without
/// gravity.
pub fn reference(delta: [f64; 3], speed: f64, gravity: f64) -> Option<[f64; 2]> {
    let [x, y, z] = delta;
    let (a, b, c) = (0.25 * gravity * gravity, speed * speed - gravity * z, x * x + y * y + z * z);
    if a == 0.0 {
        return Some([c.sqrt() / speed, f64::INFINITY]);
    }
    let root = (b * b - 4.0 * a * c).sqrt();
    let square = [-1.0, 1.0].each(|sign| (b + sign * root) / (2.0 * a));
    (b >= 0.0 && !root.is_nan()).then(|| square.each(f64::sqrt))
}

/// The low or the high arc to targets that stand: [`Shot::vel`] and [`Shot::acc`] do not count.
/// The high arc is the low one where it takes longer than [`Shot::longest`].
#[inline(always)]
pub fn still<L: Lane>(case: &Shot<L>, arc: Arc) -> Answer<L> {
    let zero = [L::Real::zero(); 3];
    let course = Course::new(&Shot { vel: zero, acc: zero, ..case.map(L::real) });
    let ([low, high], reached) = times(course.delta, course.speed, course.gravity);
    let time = match arc {
        Arc::Low => low,
        Arc::High => L::Real::select(high.le(course.longest), high, low),
    };
    let found = Found::closed(&course, time, reached & time.le(course.longest));
    Answer::new(&found.settled(&course, false))
}

/// Shortest gravity that counts here, m/s²; less bends no arc by a millimetre within [`LONGEST`].
///
/// [`LONGEST`]: crate::kernel::intercept::LONGEST
const FAINT: f64 = 1e-8;

/// The times of the low and the high arc to a point, and where it is in reach; without gravity the
/// high one is the low one.
#[inline(always)]
pub(super) fn times<R: Real>(point: [R; 3], speed: R, gravity: R) -> ([R; 2], R::Mask) {
    let (zero, two) = (R::zero(), R::splat(2.0));
    let [x, y, z] = point;
    let level = x * x + y * y;
    let distance = (level + z * z).sqrt();
    let below = z.lt(zero);
    let cut = level / (distance + z.abs()).larger(R::splat(FAINT));
    let height = R::select(below, cut, distance + z);
    let square = speed * speed;
    let excess = square - gravity * height;
    // A target that is just in reach may seem to be just out of it.
    let reached = (-(square * R::splat(4.0 * R::STEP))).le(excess);
    let excess = excess.larger(zero);
    let pull = gravity * distance;
    let root = (excess * (excess + two * pull)).sqrt();
    let sum = R::select(reached, excess + pull + root, R::one());
    let low = distance * (two / sum).sqrt();
    let falls = R::splat(FAINT).lt(gravity);
    let high = (two * sum).sqrt() / R::select(falls, gravity, R::one());
    ([low, R::select(falls, high, low)], reached)
}
