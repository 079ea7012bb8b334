//! Flight: where a projectile is after a tick.
//!
//! A projectile that left `o` with velocity `w` under gravity `g` is at `o + w·t` (upwards:
//! `o + w·t − g·t²/2`) with velocity `w` (upwards: `w − g·t`) after `t` seconds. A step adds
//! `v·dt + g·dt²/2` and `g·dt`, as the difference of two displacements since the start, each rounded
//! by itself: of its age with this tick and of its age without. What is rounded away in one tick
//! comes back in another, so a flight of any number of ticks ends where the formula does: no error
//! grows with the number of ticks. The speed at the start is not kept; it is what the velocity and
//! the age say, exactly.
//!
//! In `f32` displacements are rounded to whole 1/1024 m and changes of velocity to 1/1024 m/s, which
//! sums with positions and velocities below 16,384 keep exactly. In fixed point they are numbers.
//!
//! Tried and lost: adding the rounded product of velocity and tick. At 1,000 ticks a second the
//! error of each is the same one, and metres are lost within 30 s.

use crate::lane::{Compare, IntLane, Lane, Mask, Real};
use crate::math::each::Each;
use crate::math::{Num, Numeric};

/// Projectiles of a block, in lanes.
#[derive(Clone, Copy)]
pub struct Block<L: Lane> {
    /// Position in metres, upwards last.
    pub pos: [L; 3],
    /// Velocity in m/s, upwards last.
    pub vel: [L; 3],
    /// Gravity in m/s².
    pub gravity: L,
    /// Ticks for which it has flown.
    pub age: L::Int,
    /// Whether it turns after a target: it goes straight in this tick, whatever its age.
    pub turns: L::Mask,
}

/// Where projectiles are after the tick: in real numbers, as that may be beyond what numbers hold;
/// and the upward velocity.
#[derive(Clone, Copy)]
pub struct Flown<L: Lane> {
    /// Position in metres, upwards last.
    pub pos: [L::Real; 3],
    /// Upward velocity in m/s.
    pub rise: L,
}

/// Position and velocity, upwards last, after `time` seconds.
pub fn reference(pos: [f64; 3], vel: [f64; 3], gravity: f64, time: f64) -> [[f64; 3]; 2] {
    let [x, y, z] = [0, 1, 2].each(|i| pos[i] + vel[i] * time);
    let fall = gravity * time;
    [[x, y, z - fall * time / 2.0], [vel[0], vel[1], vel[2] - fall]]
}

/// A displacement, or a change of velocity, as a sum keeps it.
#[inline(always)]
fn rounded<L: Lane>(real: L::Real) -> L {
    let number = L::from_real(real);
    if L::Num::NUMERIC == Numeric::Fixed {
        return number;
    }
    let n = |value: f64| L::splat(L::Num::from_f64(value));
    let steps = (number * n(1_024.0) + n(0.5)).floor_int();
    L::from_int(steps) * n(1.0 / 1_024.0)
}

/// One tick of `1 / rate` seconds. Displacements since the start are below 500 km.
#[inline(always)]
pub fn step<L: Lane>(block: &Block<L>, rate: u32) -> Flown<L> {
    let real = L::Real::splat;
    let ages = [block.age, block.age + L::Int::splat(1)];
    let times = ages.each(|age| {
        // Ages are below 2²⁴, so exact.
        L::Real::from_fn(|i| f64::from(age.get(i))) / real(f64::from(rate))
    });
    let gravity = block.gravity.real();
    let fallen = times.each(|time| rounded::<L>(gravity * time));
    let rise = block.vel[2].real() + fallen[0].real();
    let half = gravity * real(0.5);
    let start = [block.vel[0].real(), block.vel[1].real(), rise];
    let turns = L::real_mask(block.turns);
    let straight = |i: usize| block.vel[i].real() / real(f64::from(rate));
    let any_turns = block.turns.any();
    let pos = [0, 1, 2].each(|i| {
        let way = times.each(|time| {
            let mean = if i == 2 { start[2] - half * time } else { start[i] };
            rounded::<L>(mean * time)
        });
        let moved = way[1].real() - way[0].real();
        let moved = if any_turns { L::Real::select(turns, straight(i), moved) } else { moved };
        block.pos[i].real() + moved
    });
    Flown { pos, rise: block.vel[2] - (fallen[1] - fallen[0]) }
}

/// The velocity of a projectile at `pos` that turns towards a point: at `speed`, and changed by at
/// most about `turn` (both m/s).
pub fn pursue(pos: [f64; 3], vel: [f64; 3], to: [f64; 3], speed: f64, turn: f64) -> [f64; 3] {
    let way = [0, 1, 2].each(|i| to[i] - pos[i]);
    let Some(wanted) = with_length(way, speed) else { return vel };
    let change = [0, 1, 2].each(|i| wanted[i] - vel[i]);
    let size = dot(change, change).sqrt();
    if size <= turn {
        return wanted;
    }
    let along = dot(wanted, vel);
    // The change, or, of a projectile that flies away, the part of it that is sideways.
    let side = if along < 0.0 {
        let share = along / dot(vel, vel).max(1e-12);
        let side = [0, 1, 2].each(|i| wanted[i] - vel[i] * share);
        let upright = [-vel[1], vel[0], 0.0];
        let any = with_length(side, turn).or_else(|| with_length(upright, turn));
        any.unwrap_or([turn, 0.0, 0.0])
    } else {
        change.each(|c| c * (turn / size))
    };
    let turned = [0, 1, 2].each(|i| vel[i] + side[i]);
    with_length(turned, speed).unwrap_or(vel)
}

/// The vector of this direction and length; `None` without a direction.
fn with_length(vector: [f64; 3], length: f64) -> Option<[f64; 3]> {
    let is = dot(vector, vector).sqrt();
    (is > 1e-6).then(|| vector.each(|v| v * (length / is)))
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
