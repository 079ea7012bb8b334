//! Why orders are refused.

use std::fmt::Display;

use thiserror::Error;

use crate::data::{CompanyId, GroupId, Id};

/// What is wrong with a handle, among so many indices.
pub(super) fn missing(what: &str, handle: impl Display, index: usize, count: usize) -> String {
    match index < count {
        true => format!("there is no {what} {handle}: it has been removed"),
        false => format!("there is no {what} {handle}: the world has {count}"),
    }
}

/// Why an order was refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Refusal {
    /// There is no such group, or it has been removed.
    #[error("{}", missing("group", group, usize::from(*group), *groups))]
    NoSuchGroup {
        /// The one asked for.
        group: GroupId,
        /// How many indices there are.
        groups: usize,
    },
    /// There is no such company, or it has been removed.
    #[error("{}", missing("company", company, usize::from(*company), *companies))]
    NoSuchCompany {
        /// The one asked for.
        company: CompanyId,
        /// How many indices there are.
        companies: usize,
    },
    /// The map would stay as it is.
    #[error("{0}")]
    NothingChanges(String),
    /// The map cannot be like that.
    #[error("{0}")]
    NoSuchMap(String),
    /// The goal, or the area, holds no cell that the group's agents can stand on.
    #[error("{0}")]
    NoSuchPlace(String),
    /// No agent of the group can get there.
    #[error("no agent of the group can reach the goal: walls lie between")]
    Unreachable,
    /// All the memory for fields is held by other groups.
    #[error("{0}")]
    NoFieldMemory(String),
    /// The new agents do not fit.
    #[error("{0}")]
    DoNotFit(String),
    /// The group, the weapon, the company or the behaviour cannot be made.
    #[error("{0}")]
    NoSuchKind(String),
    /// A shot that cannot be fired.
    #[error("{0}")]
    NoSuchShot(String),
    /// An agent that is named twice.
    #[error("agent {id} is named twice")]
    NamedTwice {
        /// The agent.
        id: Id,
    },
    /// Something else needs what is to be removed.
    #[error("{0}")]
    InUse(String),
    /// An agent that does not live, or leaves with its group.
    #[error("agent {id} does not live")]
    NoSuchAgent {
        /// The one asked for.
        id: Id,
    },
}
