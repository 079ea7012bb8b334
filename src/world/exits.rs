//! Exits that the agents of a group choose among, each for itself.

use serde::{Deserialize, Serialize};

use crate::data::definition::{Definition, Takes, define};
use crate::data::{GroupId, Id};
use crate::map::area::Shape;
use crate::math::{hash3, unit_f64};
use crate::world::WorldError;

/// Most exits of a group.
pub const MAX_EXITS: usize = 32;

/// The stream of random numbers of what agents know.
const KNOWN: u64 = 0x4b6e_6f77;

define! {
    /// An exit.
    pub struct Exit as "an exit's " {
        /// Agents a second that get through when there is a queue; 1.3 for each metre of width is usual.
        flow: f64 = 1.3, Takes::number("a number of agents a second", 0.01, 10_000.0);
        /// Share of the group's agents that know the exit. Agents that know none of them go to the nearest.
        known: f64 = 1.0, Takes::number("a share", 0.0, 1.0);
    }
    beside {
        /// Where it is, in metres.
        pub area: Vec<Shape> = Vec::new();
    }
}

define! {
    /// How the agents of a group choose among exits.
    ///
    /// An agent expects to be at an exit after the time of the way at its own speed, or after the time in
    /// which those get through who head for that exit and are nearer to it, whichever is longer. It goes
    /// to the exit with the least expected time of those that it knows.
    pub struct ExitsDef as "the choice of exits: " {
        /// Time after which an agent chooses anew.
        every: f64 = 2.0, Takes::number("a time in seconds", 0.05, 1.0e6);
        /// What queues count: 1 as they are, 0 not at all, so that all agents take the nearest exit.
        crowd: f64 = 1.0, Takes::number("a weight", 0.0, 100.0);
        /// Share of the expected time that another exit must save an agent that has chosen before.
        stay: f64 = 0.2, Takes::number("a share", 0.0, 1.0);
    }
    beside {
        /// The exits.
        pub exits: Vec<Exit> = Vec::new();
    }
}

impl Exit {
    /// An exit that all agents know, through which so many agents a second get.
    pub fn new(area: impl Into<Vec<Shape>>, flow: f64) -> Self {
        Self { flow, area: area.into(), ..Self::default() }
    }
}

impl ExitsDef {
    /// A choice among exits, as usual.
    pub fn among(exits: impl Into<Vec<Exit>>) -> Self {
        Self { exits: exits.into(), ..Self::default() }
    }

    /// Refuses what is out of range.
    ///
    /// # Errors
    /// The first number that is, or how many exits there are.
    pub fn check(&self) -> Result<(), WorldError> {
        self.check_fields()?;
        self.exits.iter().try_for_each(Definition::check_fields)?;
        let (asked, most) = (self.exits.len() as u64, MAX_EXITS as u64);
        match self.exits.len() {
            0 => Err(WorldError::Choice("there is no exit to choose".to_owned())),
            1..=MAX_EXITS => Ok(()),
            _ => Err(WorldError::TooMany { what: "exits", asked, most }),
        }
    }
}

/// The choice that a group of the world has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Exits {
    pub(crate) group: GroupId,
    pub(crate) def: ExitsDef,
    /// By exit: index of the group, detached from `group`, whose agents go there.
    pub(crate) parties: Vec<u16>,
}

impl Exits {
    /// Whether an agent knows an exit.
    pub(crate) fn knows(&self, seed: u64, id: Id, exit: usize) -> bool {
        let known = self.def.exits[exit].known;
        let agent = u64::from(id.index) | u64::from(id.generation) << 32;
        known >= 1.0 || unit_f64(hash3(seed ^ KNOWN, agent, exit as u64)) < known
    }

    /// Ticks of a round; in each of four, a quarter of the agents choose anew.
    pub(crate) fn round(&self, tick_rate: u32) -> u64 {
        ((self.def.every * f64::from(tick_rate) / 4.0).round_ties_even() as u64).max(1)
    }
}
