//! A shot as the solvers see it: the course of the target as a falling projectile sees it.

use crate::kernel::intercept::shot::Shot;
use crate::kernel::intercept::{AT_HAND, FARTHEST, FASTEST, HARDEST, LONGEST, SLOWEST};
use crate::lane::{Mask, Real};
use crate::math::each::Each;

/// What keeps quotients of lengths and speeds finite; too small to change any other.
pub(super) const TINY: f64 = 1e-18;

/// The same for accelerations.
const FAINT: f64 = 1e-30;

/// P(t) = d + v t + c t², and what solvers need of it. Where a shot is out of range, or the target
/// at hand, a harmless one stands in its place.
#[derive(Clone, Copy)]
pub(super) struct Course<R: Real> {
    /// d, m.
    pub(super) delta: [R; 3],
    /// v, m/s.
    pub(super) vel: [R; 3],
    /// c, m/s².
    pub(super) bend: [R; 3],
    pub(super) speed: R,
    pub(super) gravity: R,
    pub(super) longest: R,
    /// |d|, |v| and |c|.
    pub(super) distance: R,
    pub(super) rate: R,
    pub(super) curve: R,
    /// |d|², d·v, v·c and |c|².
    pub(super) delta_square: R,
    pub(super) closing: R,
    pub(super) turning: R,
    pub(super) bend_square: R,
    /// Where the shot is in range.
    pub(super) legal: R::Mask,
    /// Where it is, and the target is at the muzzle.
    pub(super) at_hand: R::Mask,
}

/// A function of time at one moment: zero where a solver wants to be.
#[derive(Clone, Copy)]
pub(super) struct Moment<R> {
    pub(super) value: R,
    pub(super) slope: R,
    /// Values no larger than this are rounding.
    pub(super) noise: R,
}

/// A function of time.
pub(super) trait Curve<R: Real> {
    fn at(&self, time: R) -> Moment<R>;
}

/// How far the target is beyond the projectile's reach: |P(t)| − s t, m.
pub(super) struct Gap<'a, R: Real>(pub(super) &'a Course<R>);

/// How the launch speed grows: ½ t³ d|V|²/dt = |c|² t⁴ + (v·c) t³ − (d·v) t − |d|².
pub(super) struct Growth<'a, R: Real>(pub(super) &'a Course<R>);

/// Where numbers are in range; never where one is not a number.
#[inline(always)]
pub(super) fn legal<R: Real>(shot: &Shot<R>, delta_square: R, vel_square: R) -> R::Mask {
    let n = R::splat;
    let Shot { speed, longest, .. } = *shot;
    delta_square.le(n(FARTHEST * FARTHEST))
        & vel_square.le(n(FASTEST * FASTEST))
        & n(SLOWEST).le(speed)
        & speed.le(n(FASTEST))
        & R::zero().lt(longest)
        & longest.le(n(LONGEST))
}

impl<R: Real> Course<R> {
    #[inline(always)]
    pub(super) fn new(shot: &Shot<R>) -> Self {
        let (zero, one) = (R::zero(), R::one());
        let Shot { delta, vel, acc, speed, gravity, longest } = *shot;
        let [delta_square, vel_square, acc_square] = [delta, vel, acc].each(|v| R::dot3(v, v));
        let legal = legal(shot, delta_square, vel_square)
            & acc_square.le(R::splat(HARDEST * HARDEST))
            & zero.le(gravity)
            & gravity.le(R::splat(HARDEST));
        let apart = R::splat(AT_HAND * AT_HAND).le(delta_square);
        let good = legal & apart;
        let keep = |number: R, other: R| R::select(good, number, other);
        let delta = [keep(delta[0], one), keep(delta[1], zero), keep(delta[2], zero)];
        let [vel, acc] = [vel, acc].each(|v| v.each(|c| keep(c, zero)));
        let [speed, longest] = [speed, longest].each(|number| keep(number, one));
        let gravity = keep(gravity, zero);
        let half = R::splat(0.5);
        let bend = [acc[0] * half, acc[1] * half, (acc[2] + gravity) * half];
        let (delta_square, bend_square) = (R::dot3(delta, delta), R::dot3(bend, bend));
        Self {
            delta,
            vel,
            bend,
            speed,
            gravity,
            longest,
            distance: delta_square.sqrt(),
            rate: R::dot3(vel, vel).sqrt(),
            curve: bend_square.sqrt(),
            delta_square,
            closing: R::dot3(delta, vel),
            turning: R::dot3(vel, bend),
            bend_square,
            legal,
            at_hand: legal & !apart,
        }
    }

    /// The launch velocity that hits at a time, m/s.
    #[inline(always)]
    pub(super) fn launch(&self, time: R) -> [R; 3] {
        [0, 1, 2].each(|i| self.delta[i] / time + (self.vel[i] + self.bend[i] * time))
    }

    /// Where the target will be, seen from the muzzle, m.
    #[inline(always)]
    pub(super) fn point(&self, time: R) -> [R; 3] {
        let half = R::splat(0.5) * self.gravity;
        let acc = [self.bend[0], self.bend[1], self.bend[2] - half];
        [0, 1, 2].each(|i| self.delta[i] + (self.vel[i] + acc[i] * time) * time)
    }

    /// Times between which |P(t)| can be w t + |v| t, for w ≥ 0: before the first the target is too
    /// far, after the second it has bent away too far. A hundredth of room on both sides.
    #[inline(always)]
    pub(super) fn bounds(&self, speed: R) -> [R; 2] {
        let sum = speed + self.rate + R::splat(TINY);
        let root = (sum * sum + R::splat(4.0) * (self.curve * self.distance)).sqrt();
        let late = (sum + root) * R::splat(0.505) / (self.curve + R::splat(FAINT));
        let late = late.smaller(self.longest);
        let early = self.distance * R::splat(1.98) / (sum + root);
        [early.smaller(late), late]
    }
}

/// How often the larger of two is the rounding of one operation, at most, in [`Gap`] and [`Growth`].
const ROUNDINGS: f64 = 2.0;

impl<R: Real> Curve<R> for Gap<'_, R> {
    #[inline(always)]
    fn at(&self, time: R) -> Moment<R> {
        let Course { delta, vel, bend, speed, distance, rate, curve, .. } = *self.0;
        let pos = [0, 1, 2].each(|i| delta[i] + (vel[i] + bend[i] * time) * time);
        let moves = [0, 1, 2].each(|i| vel[i] + (bend[i] + bend[i]) * time);
        let length = R::dot3(pos, pos).sqrt();
        let value = length - speed * time;
        let slope = R::dot3(pos, moves) / (length + R::splat(TINY)) - speed;
        let size = distance + (rate + speed + curve * time) * time;
        Moment { value, slope, noise: size * R::splat(ROUNDINGS * R::STEP) }
    }
}

impl<R: Real> Curve<R> for Growth<'_, R> {
    #[inline(always)]
    fn at(&self, time: R) -> Moment<R> {
        let Course { delta_square, closing, turning, bend_square, .. } = *self.0;
        let square = time * time;
        let (rises, falls) = ((bend_square * time + turning) * time, closing * time + delta_square);
        let value = rises * square - falls;
        let slope =
            (R::splat(4.0) * bend_square * time + R::splat(3.0) * turning) * square - closing;
        let size = (bend_square * time + turning.abs()) * time * square
            + closing.abs() * time
            + delta_square;
        Moment { value, slope, noise: size * R::splat(ROUNDINGS * R::STEP) }
    }
}

/// How near to a root is near enough, in parts of it: a few roundings in `f32`; in `f64`, whose
/// results fixed point rounds to 2⁻¹⁶, less than 2⁻³⁶ of them.
#[inline(always)]
pub(super) fn precision<R: Real>() -> R {
    let fine = 1.0 / 68_719_476_736.0;
    R::splat(if R::STEP * 2.0 > fine { R::STEP * 2.0 } else { fine })
}

/// What [`root`] found.
#[derive(Clone, Copy)]
pub(super) struct Root<R: Real> {
    pub(super) time: R,
    /// How many times it looked at the curve.
    pub(super) steps: R,
    /// Where it ran out of steps.
    pub(super) open: R::Mask,
}

/// The root of a curve that crosses zero once from `low` to `high`, both above 0, downwards where
/// `falling`. It begins at `start` and looks at the curve `most` times at most, in the lanes of
/// `wanted`.
///
/// Newton's method within a bracket (rtsafe of Press et al., Numerical Recipes, ch. 9.4): a step that
/// leaves the bracket, or is longer than half of the one before, becomes a bisection; the geometric
/// mean, as times differ by factors.
#[inline(always)]
pub(super) fn root<R: Real>(
    curve: &impl Curve<R>,
    [low, high]: [R; 2],
    start: R,
    falling: R::Mask,
    wanted: R::Mask,
    most: u32,
) -> Root<R> {
    let (zero, near) = (R::zero(), precision::<R>());
    let (mut low, mut high) = (low, high);
    let (mut time, mut open) = (start.larger(low).smaller(high), wanted);
    let (mut steps, mut before) = (zero, high - low);
    for _ in 0..most {
        if !open.any() {
            break;
        }
        let Moment { value, slope, noise } = curve.at(time);
        let above = zero.lt(value);
        let before_root = (above & falling) | (!above & !falling);
        low = R::select(before_root, time, low);
        high = R::select(before_root, high, time);
        let step = value / slope;
        let newton = time - step;
        let inside = low.le(newton) & newton.le(high) & (step + step).abs().le(before);
        let next = R::select(inside, newton, (low * high).sqrt());
        let exact = value.abs().le(noise);
        let moved = (next - time).abs();
        let arrived = exact | moved.le(near * time) | (high - low).le(near * high);
        time = R::select(open & !exact, next, time);
        before = moved;
        steps = R::select(open, steps + R::one(), steps);
        open = open & !arrived;
    }
    Root { time, steps, open }
}
