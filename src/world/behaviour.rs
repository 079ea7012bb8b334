//! Steering behaviours of a group: what is declared.

use serde::{Deserialize, Serialize};

use crate::data::GroupId;
use crate::data::definition::words;
use crate::world::WorldError;
use crate::world::error::check;
use crate::world::limits::{
    DISTANCE, HORIZON, MAX_POINT_RANGE, MAX_RANGE, PATH_RADIUS, POINT_RANGE, RANGE, RATE, TURN,
    WEIGHT,
};

/// Behaviours that a group has at most.
pub const MAX_BEHAVIOURS: usize = 16;
/// Points that a path has at most.
pub const MAX_PATH_POINTS: usize = 256;

/// One of the classic steering behaviours (Reynolds 1999), as a group's agents follow it.
///
/// Behaviours turn a group's ordinary desired velocity, [`BehaviourKind::Goal`], into another one.
/// Each wishes a velocity of at most the group's speed. The wishes of one priority are added, each
/// times its weight. The sums are granted from the highest priority down, each as far as the speed
/// that is left goes: a sum longer than that is cut to it, and its length is taken off.
///
/// A group that does not list its goal has it with weight 1 and priority 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Behaviour {
    /// Its kind, with what it is about and its ranges.
    pub kind: BehaviourKind,
    /// How much its wish counts among those of its priority, 0 ..= 100.
    pub weight: f64,
    /// Behaviours of higher numbers are granted their wishes first.
    pub priority: u8,
}

/// A point or a group that a behaviour steers by.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Mark {
    /// A point on the map, in metres.
    Point([f64; 2]),
    /// The nearest agent of a group.
    Group(GroupId),
}

words! {
    /// A side of an agent, as it looks ahead.
    pub enum Side {
        /// The left one.
        Left = "left",
        /// The right one.
        Right = "right",
    }
}

/// What a behaviour does. Ranges in metres: 0.1 ..= 30 to agents, 0.1 ..= 30,000 to a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum BehaviourKind {
    /// The way to the group's goal, as without behaviours.
    Goal,
    /// Straight towards something; to a point slower within the group's slowing radius.
    Seek {
        /// The point, or the group whose nearest agent is headed for.
        to: Mark,
        /// Farther away it does not count.
        range: f64,
    },
    /// Straight away from something: at full speed within half of the range, slower out to it.
    Flee {
        /// The point, or the group whose nearest agent is fled from.
        from: Mark,
        /// Farther away it does not count.
        range: f64,
    },
    /// Towards where the nearest agent of a group will be met.
    Pursue {
        /// The group.
        quarry: GroupId,
        /// Range in metres; agents farther away do not count.
        range: f64,
        /// Seconds to look ahead at most, 0 ..= 10.
        horizon: f64,
    },
    /// Away from where the nearest agent of a group will be; otherwise as [`Self::Flee`].
    Evade {
        /// The group.
        hunter: GroupId,
        /// Range in metres; agents farther away do not count.
        range: f64,
        /// Seconds to look ahead at most, 0 ..= 10.
        horizon: f64,
    },
    /// On and on, turning at random: smooth noise of the seed, the agent and the time.
    Wander {
        /// Fastest turn, rad/s, 0 ..= 10.
        turn: f64,
        /// How often the turn changes, 1/s, 0.01 ..= 10.
        rate: f64,
    },
    /// To the middle of the group's agents in range, the slower the nearer it is.
    Cohesion {
        /// The group whose agents count.
        with: GroupId,
        /// Range in metres; agents farther away do not count.
        range: f64,
    },
    /// The mean velocity of the group's agents in range.
    Alignment {
        /// The group whose agents count.
        with: GroupId,
        /// Range in metres; agents farther away do not count.
        range: f64,
    },
    /// Along a path from point to point.
    Path {
        /// 2 to 256 points in metres, each at least a centimetre from the next.
        points: Vec<[f64; 2]>,
        /// Distance to the path that is near enough, 0.05 ..= 100.
        radius: f64,
        /// Whether the last point leads to the first one.
        closed: bool,
    },
    /// Along a wall.
    Wall {
        /// The side on which the wall is.
        side: Side,
        /// Distance of an agent's centre to keep to it, 0.1 ..= 30.
        distance: f64,
        /// Farther away no wall counts: from `distance` to 30.
        range: f64,
    },
}

impl BehaviourKind {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Goal => "goal",
            Self::Seek { .. } => "seek",
            Self::Flee { .. } => "flee",
            Self::Pursue { .. } => "pursue",
            Self::Evade { .. } => "evade",
            Self::Wander { .. } => "wander",
            Self::Cohesion { .. } => "cohesion",
            Self::Alignment { .. } => "alignment",
            Self::Path { .. } => "path",
            Self::Wall { .. } => "wall",
        }
    }

    /// The group that it looks at.
    pub fn group(&self) -> Option<GroupId> {
        match *self {
            Self::Seek { to: Mark::Group(group), .. }
            | Self::Flee { from: Mark::Group(group), .. }
            | Self::Pursue { quarry: group, .. }
            | Self::Evade { hunter: group, .. }
            | Self::Cohesion { with: group, .. }
            | Self::Alignment { with: group, .. } => Some(group),
            _ => None,
        }
    }

    /// The points that it names.
    pub fn points(&self) -> &[[f64; 2]] {
        match self {
            Self::Seek { to: Mark::Point(at), .. } | Self::Flee { from: Mark::Point(at), .. } => {
                std::slice::from_ref(at)
            }
            Self::Path { points, .. } => points,
            _ => &[],
        }
    }
}

impl Behaviour {
    /// A behaviour of weight 1 and priority 0.
    pub fn new(kind: BehaviourKind) -> Self {
        Self { kind, weight: WEIGHT.default, priority: 0 }
    }

    /// The same with another weight.
    #[must_use]
    pub fn weight(self, weight: f64) -> Self {
        Self { weight, ..self }
    }

    /// The same with another priority.
    #[must_use]
    pub fn priority(self, priority: u8) -> Self {
        Self { priority, ..self }
    }

    /// Refuses what is out of range, on a map of `extent` metres.
    ///
    /// # Errors
    /// Names the number, its value and its range.
    pub fn check(&self, extent: [f64; 2]) -> Result<(), WorldError> {
        WEIGHT.check(self.weight)?;
        for &[x, y] in self.kind.points() {
            check("x", x, 0.0, extent[0])?;
            check("y", y, 0.0, extent[1])?;
        }
        match &self.kind {
            BehaviourKind::Goal => {}
            BehaviourKind::Seek { to: mark, range } | BehaviourKind::Flee { from: mark, range } => {
                match mark {
                    Mark::Point(_) => POINT_RANGE.check(*range)?,
                    Mark::Group(_) => RANGE.check(*range)?,
                }
            }
            BehaviourKind::Pursue { range, horizon, .. }
            | BehaviourKind::Evade { range, horizon, .. } => {
                RANGE.check(*range)?;
                HORIZON.check(*horizon)?;
            }
            BehaviourKind::Wander { turn, rate } => {
                TURN.check(*turn)?;
                RATE.check(*rate)?;
            }
            BehaviourKind::Cohesion { range, .. } | BehaviourKind::Alignment { range, .. } => {
                RANGE.check(*range)?;
            }
            BehaviourKind::Path { points, radius, closed } => {
                PATH_RADIUS.check(*radius)?;
                check("points", points.len() as f64, 2.0, MAX_PATH_POINTS as f64)?;
                legs(points, *closed).try_for_each(|[a, b]| {
                    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
                    let length = (dx * dx + dy * dy).sqrt();
                    check("distance of two points", length, 0.01, MAX_POINT_RANGE)
                })?;
            }
            BehaviourKind::Wall { distance, range, .. } => {
                DISTANCE.check(*distance)?;
                check("range", *range, *distance, MAX_RANGE)?;
            }
        }
        Ok(())
    }
}

/// The legs of a path.
pub(super) fn legs(points: &[[f64; 2]], closed: bool) -> impl Iterator<Item = [[f64; 2]; 2]> {
    let back = points.last().zip(points.first()).filter(|_| closed).map(|(&a, &b)| [a, b]);
    points.windows(2).map(|pair| [pair[0], pair[1]]).chain(back)
}
