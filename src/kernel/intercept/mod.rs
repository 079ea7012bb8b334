//! Where to aim so that a projectile hits: at a moving target, through gravity, 8 shots at a time.
//!
//! All is seen from the muzzle. The target is at d and moves with v, its acceleration is a; gravity g
//! pulls the projectile along −z, and not the target. What is launched with the velocity V is where
//! the target is after the time t when
//!
//! ```text
//! V t − ½ g t² ẑ = d + v t + ½ a t²        so        V(t) = d / t + v + c t,  c = ½ (a + g ẑ).
//! ```
//!
//! So every time has its launch, and a weapon of muzzle speed s asks for a time at which |V(t)| = s.
//! With P(t) = d + v t + c t² that is |P(t)| = s t, a quartic in t. Five questions, a file each:
//!
//! | method | question | answered by |
//! |---|---|---|
//! | [`mod@constant`] | the first hit, straight flight, no acceleration | a quadratic in t |
//! | [`mod@still`] | low or high arc to a target that stands | a quadratic in t² |
//! | [`mod@moving`] | low or high arc to one that moves and accelerates | aiming anew; else [`search`] |
//! | [`mod@fastest`] | the first hit of all | [`search`] |
//! | [`mod@least`] | the slowest launch that hits | where V(t)·V′(t) = 0 |
//!
//! The launch always belongs to the time: it is V(t), rounded. So a shot hits at its time as exactly
//! as numbers can say; what the root of the quartic was rounded to shows in its speed alone, which is
//! then not quite s.
//!
//! Velocities are relative to the launcher: a caller whose projectiles inherit the launcher's own
//! velocity hands in the target's minus that, and adds it to the launch.
//!
//! # Ranges
//!
//! A shot outside of these is answered "impossible", and by [`one::solve`] with an error that names
//! the number: distance up to [`FARTHEST`], speeds up to [`FASTEST`], acceleration and gravity up to
//! [`HARDEST`], times up to [`LONGEST`]. Within them nothing overflows: `f32` lanes compute in `f32`,
//! fixed point by way of `f64` ([`Real`]).
//!
//! # How exact
//!
//! `f32`: with the target within 1 km at launch and impact, and 30 s of flight, a shot passes it by
//! less than 1 mm (the worst of such among 14,000,000 random shots: 0.36 mm). In general by less
//! than 2⁻²³ t (s + |v| + |d| / t + |c| t), and the launch has the muzzle speed to within 4 · 10⁻⁷ of that
//! sum of speeds. Fixed point: a component of the launch is rounded to the nearest of steps of
//! 1/65,536 m/s, so a shot passes by at most √3 t / 131,072 m, 0.4 mm after 30 s, and its speed is off
//! by at most √3 / 131,072 m/s.
//!
//! # How fast
//!
//! On 8 lanes in `f32` a shot takes 1.1 ns ([`mod@constant`]), 1.9 ([`mod@still`], low), 24
//! ([`mod@fastest`]), 30 ([`mod@moving`], low) and 11 ([`mod@least`]); in fixed point 4.0, 5.9, 41, 48
//! and 22 (`benches/intercept.rs`, one thread, AVX2).

mod answer;
mod block;
pub mod constant;
mod course;
pub mod fastest;
pub mod least;
pub mod moving;
pub mod one;
pub mod reference;
pub mod search;
mod shot;
pub mod slices;
pub mod still;

#[cfg(doc)]
use crate::lane::Real;

pub(super) use answer::nearest;
pub use answer::{Answer, Outcome};
pub use block::solve_block;
pub use constant::constant;
pub use fastest::fastest;
pub use least::least;
pub use moving::moving;
pub use one::{InterceptError, Solution, solve, solve_within};
pub use shot::Shot;
pub use slices::{Answers, Shots, solve_all};
pub use still::still;

/// Largest distance from the muzzle to the target in metres: across the largest map in all three
/// directions, 32,768 m each.
pub const FARTHEST: f64 = 56_760.0;

/// Largest muzzle speed, and largest speed of a target, in m/s.
pub const FASTEST: f64 = 12_000.0;

/// Smallest muzzle speed in m/s.
pub const SLOWEST: f64 = 1.0 / 64.0;

/// Largest acceleration of a target, and largest gravity, in m/s².
pub const HARDEST: f64 = 1_000.0;

/// Longest time of flight in seconds.
pub const LONGEST: f64 = 120.0;

/// Distance in metres below which a target is at the muzzle: it is hit now, at time 0, by a launch
/// of velocity 0.
pub const AT_HAND: f64 = 1.0 / 65_536.0;

/// Which of two arcs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arc {
    /// The first hit: flat and fast.
    Low,
    /// The last hit within the time limit: steep and slow. Where there is one alone, that one.
    High,
}

/// How much work a shot may take before it is capped ([`Outcome::Capped`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effort {
    /// How often [`mod@moving`] aims before the search takes over.
    pub aims: u32,
    /// How often the search looks at a curve, for each of its roots.
    pub steps: u32,
}

impl Effort {
    /// As much as any shot needs.
    pub const FULL: Self = Self { aims: 12, steps: 96 };
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// [`mod@constant`]: neither gravity nor the target's acceleration count.
    Constant,
    /// [`mod@still`]: the target's velocity and acceleration do not count.
    Still(Arc),
    /// [`mod@moving`].
    Moving(Arc),
    /// [`mod@fastest`].
    Fastest,
    /// [`mod@least`].
    Least,
}
