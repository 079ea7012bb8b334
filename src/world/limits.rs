//! Numbers that programs and files give: each range said once, for the checks of both.

use crate::data::definition::Key;

/// Largest range to agents, m.
pub const MAX_RANGE: f64 = 30.0;
/// Largest range to a point, m: all of the largest map.
pub const MAX_POINT_RANGE: f64 = 30_000.0;

/// Weight of a behaviour.
pub(crate) const WEIGHT: Key = Key::new("weight", 1.0, "a weight, 1 for ordinary,", [0.0, 100.0]);
/// How far a behaviour looks for agents, or for a wall.
pub(crate) const RANGE: Key = Key::new("range", 10.0, "a distance in metres", [0.1, MAX_RANGE]);
/// How far off a point counts.
pub(crate) const POINT_RANGE: Key =
    Key::new("range", MAX_POINT_RANGE, "a distance in metres", [0.1, MAX_POINT_RANGE]);
/// How far off a wall is followed.
pub(crate) const DISTANCE: Key =
    Key::new("distance", 1.0, "a distance in metres", [0.1, MAX_RANGE]);
/// How far ahead pursuit and evasion look.
pub(crate) const HORIZON: Key = Key::new("horizon", 3.0, "a time in seconds", [0.0, 10.0]);
/// Fastest turn of agents that wander.
pub(crate) const TURN: Key = Key::new("turn", 1.0, "a turn in radians a second", [0.0, 10.0]);
/// How often agents that wander turn.
pub(crate) const RATE: Key = Key::new("rate", 0.5, "changes a second", [0.01, 10.0]);
/// How near to its path an agent keeps.
pub(crate) const PATH_RADIUS: Key = Key::new("radius", 1.0, "a distance in metres", [0.05, 100.0]);
/// From member to member of a formation; by default as the members need.
pub(crate) const SPACING: Key = Key::new("spacing", 0.0, "a distance in metres", [0.1, 100.0]);
/// How far a mind sees enemies.
pub(crate) const SIGHT: Key = Key::new("sight", 30.0, "a distance in metres", [1.0, 200.0]);
/// How far a mind counts friends and enemies.
pub(crate) const NEAR: Key = Key::new("near", 10.0, "a distance in metres", [1.0, 30.0]);
/// How fast the agents in a state go.
pub(crate) const STATE_SPEED: Key =
    Key::new("speed", 1.0, "a share of the group's speed", [0.01, 4.0]);
