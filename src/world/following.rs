//! Groups that follow others.

use serde::{Deserialize, Serialize};

use crate::data::definition::{Definition, Takes, define};
use crate::data::{GroupId, Id};
use crate::lane::Numbers;
use crate::map::Clearance;
use crate::world::{World, WorldError};

/// Cells of a leader's trail at most; the oldest go.
pub(crate) const MAX_TRAIL: usize = 256;

/// The agents that a group follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Leader {
    /// Each of them one agent of a group: the nearest in sight, or else the nearest, when it begins. When
    /// that one is gone, another one of the group.
    Group(GroupId),
    /// All of them this agent.
    Agent(Id),
}

define! {
    /// How the agents of a group follow others.
    ///
    /// An agent goes straight to its leader while it sees it, slower within its group's slowing radius, and
    /// stands at the gap. Otherwise it goes the way that the leader has gone: to the newest cell of the
    /// leader's last 256 that it sees. Where the leader is gone and there is no other, it goes to where the
    /// leader was last, and leaves by the sink in which that is.
    pub struct FollowDef as "following: " {
        /// Gap between the outlines of an agent and of its leader at which it stands.
        gap: f64 = 1.0, Takes::number("a gap in metres", 0.0, 50.0);
    }
    beside {
        /// Whom.
        pub leader: Leader = Leader::Group(GroupId::new(0));
    }
}

impl FollowDef {
    /// Agents follow agents of a group, at the usual gap.
    pub fn group(leaders: GroupId) -> Self {
        Self { leader: Leader::Group(leaders), ..Self::default() }
    }

    /// Agents follow one agent, as usual.
    pub fn agent(leader: Id) -> Self {
        Self { leader: Leader::Agent(leader), ..Self::default() }
    }

    /// The same at another gap, in metres.
    #[must_use]
    pub fn gap(self, gap: f64) -> Self {
        Self { gap, ..self }
    }

    /// Refuses what is out of range.
    ///
    /// # Errors
    /// The gap, if it is.
    pub fn check(&self) -> Result<(), WorldError> {
        Ok(self.check_fields()?)
    }
}

/// The cells in which a leader has been while agents followed it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trail {
    pub(crate) leader: Id,
    /// Padded indices, the oldest first; one at least.
    pub(crate) cells: Vec<u32>,
}

/// A group of the world that follows others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Following {
    pub(crate) group: GroupId,
    pub(crate) def: FollowDef,
    /// Trails of the leaders that agents follow, ascending by leader.
    pub(crate) trails: Vec<Trail>,
}

impl Following {
    /// The trail of a leader.
    pub(crate) fn trail(&self, leader: Id) -> Option<&Trail> {
        let at = self.trails.binary_search_by_key(&leader, |trail| trail.leader).ok()?;
        Some(&self.trails[at])
    }

    /// Begins the trail of a leader in a cell, unless it has one.
    pub(crate) fn begin(&mut self, leader: Id, cell: u32) {
        if let Err(at) = self.trails.binary_search_by_key(&leader, |trail| trail.leader) {
            self.trails.insert(at, Trail { leader, cells: vec![cell] });
        }
    }
}

/// A leader as columns have it; 0 is none.
pub(crate) fn code_of(leader: Id) -> u64 {
    (u64::from(leader.generation) << 32 | u64::from(leader.index)) + 1
}

/// The leader with a code.
pub(crate) fn leader_of(code: u64) -> Option<Id> {
    let code = code.checked_sub(1)?;
    Some(Id { index: code as u32, generation: (code >> 32) as u32 })
}

/// A cell that agents can stand in: this one, or the first of the eight around it.
pub(crate) fn standable(class: &Clearance, cell: u32) -> Option<u32> {
    if class.passable(cell) {
        return Some(cell);
    }
    let stride = class.stride();
    let corner = cell.checked_sub(stride + 1)?;
    let around = (0..9).map(|i| corner + i / 3 * stride + i % 3);
    around.into_iter().find(|&cell| class.passable(cell))
}

/// Whether an agent could walk straight from a cell that it can stand in to another, or to one beside that
/// where it is too near to a wall.
pub(crate) fn sees(class: &Clearance, from: Option<u32>, to: u32) -> bool {
    from.zip(standable(class, to)).is_some_and(|(from, to)| class.sees(from, to, u8::MAX))
}

impl<N: Numbers> World<N> {
    /// How a group follows others, if it does.
    pub fn following(&self, group: GroupId) -> Option<&FollowDef> {
        let own = self.traffic.followings.iter().find(|own| own.group == group);
        own.map(|own| &own.def)
    }

    /// Whether an agent of a group that is in a cell (a padded index of the map) sees a leader in another:
    /// whether it could walk straight there, or beside it where that is too near to a wall.
    ///
    /// # Panics
    /// When there is no such group, or no such cell.
    pub fn sees_leader_from(&self, group: u16, cell: u32, leader: u32) -> bool {
        let class = self.ground.class_of(&self.groups.list[usize::from(group)]);
        sees(class, standable(class, cell), leader)
    }

    /// The leader of an agent, perhaps one that is gone; `None` while it has followed none.
    pub fn leader(&self, id: Id) -> Option<Id> {
        let row = usize::try_from(id.index).ok().filter(|_| self.is_alive(id))?;
        leader_of(self.agents.leaders.get(row).copied().unwrap_or(0))
    }
}
