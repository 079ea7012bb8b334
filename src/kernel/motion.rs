//! From forces to motion.
//!
//! A force per mass, limited to what an agent can muster, changes the velocity; the velocity,
//! limited to the agent's top speed, changes the position on a fixed step:
//! `force = limit((desired − v) / τ + pushes, F_max)`, `v' = limit(v + force·Δt, v_max)`,
//! `p' = p + v'·Δt` (Reynolds 1999; semi-implicit Euler).

use crate::lane::Lane;
use crate::lane::Mask;
use crate::math::Num;

/// A vector no longer than `most`; its direction stays.
#[inline(always)]
pub fn limit<L: Lane>([x, y]: [L; 2], most: L) -> [L; 2] {
    // |x| + |y| is no less than the length and needs no root.
    let far = most.lt(x.abs() + y.abs());
    if !far.any() {
        return [x, y];
    }
    let length = L::length(x, y);
    let over = far & most.lt(length);
    let share = most.ratio(length.larger(most));
    [L::select(over, x * share, x), L::select(over, y * share, y)]
}

/// The vector and limit of [`limit`] for one agent, in `f64`.
pub fn reference_limit([x, y]: [f64; 2], most: f64) -> [f64; 2] {
    let length = (x * x + y * y).sqrt();
    if length > most { [x * most / length, y * most / length] } else { [x, y] }
}

/// Parts agents that overlap: the shift, no longer than `most`, and the velocity without the
/// component into the overlap. `scale` is 1 / the shift at which all of that component goes.
#[inline(always)]
pub fn part<L: Lane>(shift: [L; 2], vel: [L; 2], most: L, scale: L) -> ([L; 2], [L; 2]) {
    let (zero, one) = (L::zero(), L::one());
    let overlaps = !(shift[0].equal(zero) & shift[1].equal(zero));
    if !overlaps.any() {
        return ([zero; 2], vel);
    }
    let length = L::length(shift[0], shift[1]);
    let none = length.lt(L::splat(L::Num::from_f64(1.0 / 4096.0)));
    let safe = L::select(none, one, length);
    let unit = shift.map(|c| L::select(none, zero, c.ratio(safe)));
    let step = length.smaller(most);
    let into = (vel[0] * unit[0] + vel[1] * unit[1]).smaller(zero);
    let gone = into * (step * scale).smaller(one);
    let parted = [0, 1].map(|i| vel[i] - unit[i] * gone);
    (
        unit.map(|u| L::select(overlaps, u * step, zero)),
        [0, 1].map(|i| L::select(overlaps, parted[i], vel[i])),
    )
}

/// The velocity after a step under a steering force and pushes, both limited.
#[inline(always)]
pub fn accelerate<L: Lane>(
    vel: [L; 2],
    desired: [L; 2],
    push: [L; 2],
    response: L,
    force: L,
    speed: L,
    dt: L,
) -> [L; 2] {
    let steer = [0, 1].map(|i| (desired[i] - vel[i]) * response + push[i]);
    let steer = limit(steer, force);
    limit([vel[0] + steer[0] * dt, vel[1] + steer[1] * dt], speed)
}
