//! One shot, its numbers checked.

use crate::math::each::Each;
use thiserror::Error;

use crate::kernel::intercept::block::solve_block;
use crate::kernel::intercept::shot::Shot;
use crate::kernel::intercept::{
    Effort, FARTHEST, FASTEST, HARDEST, LONGEST, Method, Outcome, SLOWEST,
};
use crate::lane::{IntLane, Lane, Numbers};
use crate::math::Num;

/// Shortest time limit in seconds: a step of fixed point.
const SHORTEST: f64 = 1.0 / 65_536.0;

/// A launch that hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<N> {
    /// When it hits, s.
    pub time: N,
    /// The velocity to launch with, m/s.
    pub launch: [N; 3],
    /// How it was found.
    pub outcome: Outcome,
    /// How often it aimed or looked at a curve; 0 for closed forms.
    pub iterations: u32,
}

/// Why there is no launch.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum InterceptError {
    /// A number is beyond what solvers take.
    #[error("{what} is {value} {unit}; it may be from {least} to {most} {unit}")]
    Range {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// Least value allowed.
        least: f64,
        /// Largest value allowed.
        most: f64,
        /// Its unit.
        unit: &'static str,
    },
    /// No launch of the muzzle speed hits within the time limit.
    #[error("no launch of {speed} m/s hits within {longest} s")]
    Impossible {
        /// The muzzle speed, m/s.
        speed: f64,
        /// The time limit, s.
        longest: f64,
    },
}

impl<N: Num> Shot<N> {
    /// Whether every number is in range.
    ///
    /// # Errors
    ///
    /// [`InterceptError::Range`] with the first that is not.
    pub fn check(&self) -> Result<(), InterceptError> {
        let length = |v: [N; 3]| {
            let [x, y, z] = v.each(N::to_f64);
            (x * x + y * y + z * z).sqrt()
        };
        for (what, value, least, most, unit) in [
            ("the distance", length(self.delta), 0.0, FARTHEST, "m"),
            ("the target's speed", length(self.vel), 0.0, FASTEST, "m/s"),
            ("the target's acceleration", length(self.acc), 0.0, HARDEST, "m/s²"),
            ("the muzzle speed", self.speed.to_f64(), SLOWEST, FASTEST, "m/s"),
            ("gravity", self.gravity.to_f64(), 0.0, HARDEST, "m/s²"),
            ("the longest time", self.longest.to_f64(), SHORTEST, LONGEST, "s"),
        ] {
            if !(least..=most).contains(&value) {
                return Err(InterceptError::Range { what, value, least, most, unit });
            }
        }
        Ok(())
    }
}

/// Solves one shot: the same bits as [`solve_all`](crate::kernel::intercept::solve_all) gives.
///
/// ```
/// use throng::kernel::intercept::{self, Arc, Method, Shot};
///
/// // A mortar of 60 m/s at a target that walks by, 126 m away.
/// let shot = Shot {
///     delta: [120.0, 40.0, -1.5],
///     vel: [3.0, -1.0, 0.0],
///     acc: [0.0; 3],
///     speed: 60.0_f32,
///     gravity: 9.81,
///     longest: 30.0,
/// };
/// let solution = intercept::solve(Method::Moving(Arc::High), &shot)?;
/// assert!(solution.time > 11.0 && solution.launch[2] > 54.0);
/// # Ok::<(), intercept::InterceptError>(())
/// ```
///
/// # Errors
///
/// When a number is out of range, and when no launch hits. [`Method::Least`] by way of
/// [`solve_within`] tells what speed would do.
pub fn solve<N: Numbers>(method: Method, shot: &Shot<N>) -> Result<Solution<N>, InterceptError> {
    let solution = solve_within(method, shot, Effort::FULL)?;
    if solution.outcome == Outcome::Impossible {
        let [speed, longest] = [shot.speed, shot.longest].each(N::to_f64);
        return Err(InterceptError::Impossible { speed, longest });
    }
    Ok(solution)
}

/// The same with a limit to its work, and with impossible shots as solutions whose outcome says so.
/// Of [`Method::Least`] time and launch then tell what it would take.
///
/// # Errors
///
/// When a number is out of range.
pub fn solve_within<N: Numbers>(
    method: Method,
    shot: &Shot<N>,
    effort: Effort,
) -> Result<Solution<N>, InterceptError> {
    shot.check()?;
    let case = shot.map(N::Single::splat);
    let answer = solve_block(method, &case, effort);
    Ok(Solution {
        time: answer.time.get(0),
        launch: answer.launch.each(|number| number.get(0)),
        outcome: Outcome::from_code(answer.outcome.get(0) as u8),
        iterations: answer.iterations.get(0) as u32,
    })
}
