//! Numbers that programs and files give: each range said once, for the checks of both.

use crate::data::definition::Limits;
use crate::world::WorldError;
use crate::world::error::check;

/// Largest range to agents, m.
pub const MAX_RANGE: f64 = 30.0;
/// Largest range to a point, m: all of the largest map.
pub const MAX_POINT_RANGE: f64 = 30_000.0;

/// Weight of a behaviour.
pub(crate) const WEIGHT: Limits = Limits::from("a weight, 1 for ordinary,", 0.0, 100.0);
/// How far a behaviour looks for agents, or how far off a wall is followed.
pub(crate) const RANGE: Limits = Limits::from("a distance in metres", 0.1, MAX_RANGE);
/// How far off a point counts.
pub(crate) const POINT_RANGE: Limits = Limits::from("a distance in metres", 0.1, MAX_POINT_RANGE);
/// How far ahead pursuit and evasion look.
pub(crate) const HORIZON: Limits = Limits::from("a time in seconds", 0.0, 10.0);
/// Fastest turn of agents that wander.
pub(crate) const TURN: Limits = Limits::from("a turn in radians a second", 0.0, 10.0);
/// How often agents that wander turn.
pub(crate) const RATE: Limits = Limits::from("changes a second", 0.01, 10.0);
/// How near to its path an agent keeps.
pub(crate) const PATH_RADIUS: Limits = Limits::from("a distance in metres", 0.05, 100.0);
/// From member to member of a formation.
pub(crate) const SPACING: Limits = Limits::from("a distance in metres", 0.1, 100.0);
/// How far a mind sees enemies.
pub(crate) const SIGHT: Limits = Limits::from("a distance in metres", 1.0, 200.0);
/// How far a mind counts friends and enemies.
pub(crate) const NEAR: Limits = Limits::from("a distance in metres", 1.0, 30.0);
/// How fast the agents in a state go.
pub(crate) const STATE_SPEED: Limits = Limits::from("a share of the group's speed", 0.01, 4.0);

/// Refuses a number that is not within limits from their lowest on.
pub(super) fn check_within(
    name: &'static str,
    value: f64,
    limits: &Limits,
) -> Result<(), WorldError> {
    check(name, value, limits.low, limits.high)
}
