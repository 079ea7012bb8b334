//! From forces to motion.
//!
//! A force per mass, limited to what an agent can muster, changes the velocity; the velocity,
//! limited to the agent's top speed, changes the position on a fixed step:
//! `force = limit((desired − v) / τ + pushes, F_max)`, `v' = limit(v + force·Δt, v_max)`,
//! `p' = p + v'·Δt` (Reynolds 1999; semi-implicit Euler).

use crate::kernel::approach::polar;
use crate::lane::{Lane, Mask};
use crate::math::each::Each;
use crate::math::{Num, Numeric};

/// In fixed point larger components are cut off before lengths are taken: sums that overflow have any value.
const LARGEST: f64 = 8_192.0;

/// A vector no longer than `most`; its direction stays.
#[inline(always)]
pub fn limit<L: Lane>([x, y]: [L; 2], most: L) -> [L; 2] {
    let [x, y] = match L::Num::NUMERIC {
        Numeric::F32 => [x, y],
        Numeric::Fixed => {
            let largest = L::splat(L::Num::from_f64(LARGEST));
            [x, y].each(|c| c.larger(-largest).smaller(largest))
        }
    };
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

/// Velocities without the component against a shift; the velocity of an agent without a shift stays.
#[inline(always)]
pub fn part<L: Lane>(shift: [L; 2], vel: [L; 2]) -> [L; 2] {
    let (_, unit, _) = polar(shift);
    let into = (vel[0] * unit[0] + vel[1] * unit[1]).smaller(L::zero());
    [0, 1].each(|i| vel[i] - unit[i] * into)
}

/// Velocities less a share of what is across the former ones; all of it stays where the share is 0, and after
/// an agent that stood.
#[inline(always)]
pub fn steady<L: Lane>(next: [L; 2], former: [L; 2], share: L) -> [L; 2] {
    let (_, [x, y], _) = polar(former);
    let less = (next[1] * x - next[0] * y) * share;
    let turned = [next[0] + y * less, next[1] - x * less];
    let turns = L::zero().lt(share);
    [0, 1].each(|i| L::select(turns, turned[i], next[i]))
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
    let steer = [0, 1].each(|i| (desired[i] - vel[i]) * response + push[i]);
    let steer = limit(steer, force);
    limit([vel[0] + steer[0] * dt, vel[1] + steer[1] * dt], speed)
}
