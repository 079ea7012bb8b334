//! Agents that come and agents that leave, and what agents of one group do not share.

use crate::data::{GroupId, SinkId, SourceId};
use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::sim::Simulation;
use crate::world::{ExitsDef, FollowDef, Order, Outcome, Refusal, SourceDef, VaryDef};

impl<N: Numbers> Simulation<N> {
    /// Adds a source: agents of a group appear in an area from now on, as [`SourceDef`] says. Where there
    /// is no room for one, it waits outside ([`Source::waiting`](crate::world::Source::waiting)).
    ///
    /// # Errors
    /// When there is no such group, its agents cannot stand in the area, or a number is out of range.
    pub fn add_source(
        &mut self,
        group: GroupId,
        area: impl Into<Vec<Shape>>,
        def: SourceDef,
    ) -> Result<SourceId, Refusal> {
        match self.add(Order::Source { group, area: area.into(), def })? {
            Outcome::Source(source) => Ok(source),
            outcome => unreachable!("a source is added, not {outcome:?}"),
        }
    }

    /// No agents come to a source any more.
    ///
    /// # Errors
    /// When there is no such source.
    pub fn close_source(&mut self, source: SourceId) -> Result<u32, Refusal> {
        self.order(Order::CloseSource { source })
    }

    /// Adds a sink: agents of some groups, or of all when none is named, leave when they come into an
    /// area, and are counted ([`World::sinks`](crate::World::sinks)).
    ///
    /// # Errors
    /// When there is no such group, or the area lies in walls.
    pub fn add_sink(
        &mut self,
        area: impl Into<Vec<Shape>>,
        groups: impl Into<Vec<GroupId>>,
    ) -> Result<SinkId, Refusal> {
        match self.add(Order::Sink { area: area.into(), groups: groups.into() })? {
            Outcome::Sink(sink) => Ok(sink),
            outcome => unreachable!("a sink is added, not {outcome:?}"),
        }
    }

    /// The agents of a group differ so from now on, those that it has and those that join it.
    ///
    /// # Errors
    /// When there is no such group, or a number is out of range.
    pub fn vary(&mut self, group: GroupId, def: VaryDef) -> Result<u32, Refusal> {
        self.order(Order::Vary { group, def })
    }

    /// Each agent of a group chooses an exit and goes there, until the group is sent somewhere or stopped.
    ///
    /// # Errors
    /// When there is no such group, it thinks, has a company or another navigator than flow fields, or its
    /// agents cannot stand in an exit.
    pub fn choose(&mut self, group: GroupId, def: ExitsDef) -> Result<u32, Refusal> {
        self.order(Order::Choose { group, def })
    }

    /// The agents of a group go where others go, until the group is sent somewhere or stopped.
    ///
    /// # Errors
    /// When there is no such group or leader, it thinks or has a company, or would follow itself.
    pub fn follow(&mut self, group: GroupId, def: FollowDef) -> Result<u32, Refusal> {
        self.order(Order::Follow { group, def })
    }
}
