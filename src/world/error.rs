//! What can be wrong when a world is made or filled.

use thiserror::Error;

use crate::data::{GroupId, OutOfRange, WeaponId};
use crate::map::MapError;
use crate::mind::MachineError;
use crate::world::refusal::missing;

/// A world refuses.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WorldError {
    /// The map is too wide or too high for the number type.
    #[error("the map is {metres} m long, but positions reach only {most} m")]
    MapTooLarge {
        /// Its longer side.
        metres: f64,
        /// The limit.
        most: f64,
    },
    /// A setting or a trait is out of range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// There is no such group, or it has been removed.
    #[error("{}", missing("group", group, usize::from(*group), *groups))]
    NoSuchGroup {
        /// The one asked for.
        group: GroupId,
        /// How many groups there are.
        groups: usize,
    },
    /// There is no such weapon.
    #[error("there is no weapon {weapon}: the world has {weapons}")]
    NoSuchWeapon {
        /// The one asked for.
        weapon: WeaponId,
        /// How many weapons there are.
        weapons: usize,
    },
    /// A company cannot have these groups.
    #[error("{0}")]
    Company(String),
    /// A group cannot think so.
    #[error("{0}")]
    Mind(String),
    /// A source cannot be like that.
    #[error("a source: {0}")]
    Source(String),
    /// A group cannot choose so.
    #[error("{0}")]
    Choice(String),
    /// A state machine that cannot be run.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A limit of the engine.
    #[error("{asked} {what} are too many: at most {most}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there would be.
        asked: u64,
        /// The limit.
        most: u64,
    },
    /// An agent would stand in a wall or off the map.
    #[error("an agent cannot stand at ({x}, {y}): that is inside a wall or off the map")]
    NotOpen {
        /// x in metres.
        x: f64,
        /// y in metres.
        y: f64,
    },
    /// The map has no room for agents of that size.
    #[error(transparent)]
    Map(#[from] MapError),
}

/// Refuses a value outside `least ..= most`, or NaN.
pub(super) fn check(
    name: &'static str,
    value: f64,
    least: f64,
    most: f64,
) -> Result<(), WorldError> {
    let is_fine = (least..=most).contains(&value);
    if is_fine { Ok(()) } else { Err(OutOfRange { of: "", name, value, least, most }.into()) }
}
