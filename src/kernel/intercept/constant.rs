//! Straight flight to a target of constant velocity: the first hit.
//!
//! |d + v t| = s t, squared: (|v|² − s²) t² + 2 (d·v) t + |d|² = 0; the smallest t > 0. Then
//! V = d / t + v. Neither gravity nor the target's acceleration count.
//!
//! Method: with u = d·v and a = |v|² − s², D = u² − a |d|². A target that comes nearer (u < 0) is hit
//! at |d|² / (√D − u) where D ≥ 0, whatever the sign of a, and equal speeds are nothing special; one
//! that does not (u ≥ 0) at (u + √D) / −a where a < 0, else never. Neither form subtracts numbers
//! that cancel (Press et al., Numerical Recipes, ch. 5.6). D itself comes from s² |d|² − |d × v|²,
//! which is the same: u² − a |d|² cancels for targets much faster than the projectile.
//!
//! Tried and lost: 1 / t as the other quotient of the two numbers, and the launch by products. It is
//! 1.4 % faster on 8 lanes, and rounds every component once more.

use crate::kernel::intercept::answer::{Answer, Found};
use crate::kernel::intercept::shot::Shot;
use crate::kernel::intercept::{AT_HAND, course};
use crate::lane::{Lane, Mask, Real};
use crate::math::each::Each;

/// The time of the first hit in `f64`, by the formula of schoolbooks.
pub fn reference(delta: [f64; 3], vel: [f64; 3], speed: f64) -> Option<f64> {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (a, b, c) = (dot(vel, vel) - speed * speed, 2.0 * dot(delta, vel), dot(delta, delta));
    if a == 0.0 {
        return (b < 0.0).then(|| -c / b);
    }
    let root = b * b - 4.0 * a * c;
    if root < 0.0 {
        return None;
    }
    let times = [-1.0, 1.0].each(|sign| (-b + sign * root.sqrt()) / (2.0 * a));
    times.into_iter().filter(|&t| t > 0.0).reduce(f64::min)
}

/// The first hit of straight shots at targets of constant velocity. [`Shot::acc`] and
/// [`Shot::gravity`] do not count.
#[inline(always)]
pub fn constant<L: Lane>(case: &Shot<L>) -> Answer<L> {
    Answer::new(&first_hit(&case.map(L::real)))
}

#[inline(always)]
fn first_hit<R: Real>(shot: &Shot<R>) -> Found<R> {
    let zero = R::zero();
    let Shot { delta, vel, speed, longest, .. } = *shot;
    let ([dx, dy, dz], [vx, vy, vz]) = (delta, vel);
    let (distance, rate) = (R::dot3(delta, delta), R::dot3(vel, vel));
    let legal = course::legal(shot, distance, rate);
    let apart = R::splat(AT_HAND * AT_HAND).le(distance);
    let cross = [dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx];
    let square = speed * speed;
    let root = square * distance - R::dot3(cross, cross);
    let along = R::dot3(delta, vel);
    let nears = along.lt(zero);
    let slower = square - rate;
    let meets = zero.le(R::select(nears, root, slower));
    let root = root.larger(zero).sqrt();
    let above = R::select(nears, distance, along + root);
    let below = R::select(nears, root - along, slower);
    // What does not meet may be anything, and is not kept.
    let time = above / below;
    let hits = legal & apart & meets & time.le(longest);
    let now = legal & !apart;
    let keep = |number: R| R::select(hits, number, zero);
    let none = R::Mask::from_fn(|_| false);
    Found {
        time: keep(time),
        launch: [0, 1, 2].each(|i| keep(delta[i] / time + vel[i])),
        hits: hits | now,
        searched: none,
        capped: none,
        iterations: zero,
    }
}
