//! Agents that come and agents that leave: sources and sinks, and what agents of one group do not share.

use crate::data::{GroupId, Id, SinkId, SourceId};
use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::world::{
    Comers, Departure, Exits, Following, MAX_SINKS, Sink, SinkCells, Source, SourceDef, Spots,
    Variety, World, WorldError,
};

/// Most sources of a world.
pub const MAX_SOURCES: usize = 1_024;

/// Sources, sinks, varieties, choices of exits and groups that follow others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic {
    pub(crate) sources: Vec<Source>,
    pub(crate) sinks: Vec<Sink>,
    pub(crate) varieties: Vec<Variety>,
    pub(crate) choices: Vec<Exits>,
    pub(crate) followings: Vec<Following>,
    /// By source and by sink, derived: cells of their areas, those of sinks with the version of the map
    /// that they are of.
    pub(crate) spots: Vec<Spots>,
    pub(crate) sink_cells: (Option<u32>, Vec<SinkCells>),
    /// Agents that sources have brought in the last tick, and that have left by sinks.
    pub(crate) entered: Vec<Id>,
    pub(crate) gone: Vec<Departure>,
    /// Memory of the stage of following: rows by id index.
    pub(crate) row_of: Vec<u32>,
    /// And codes of the leaders that a group follows, ascending.
    pub(crate) followed: Vec<u64>,
    /// Memory of the stage that finds agents in sinks: rows and sinks by chunk.
    pub(crate) leaving: Vec<Vec<(u32, u8)>>,
}

impl Traffic {
    /// A group is gone: nothing comes to it, and nothing is known of its agents.
    pub(crate) fn forget_group(&mut self, group: GroupId) {
        let own = self.sources.iter_mut().filter(|source| source.group == group);
        own.for_each(Source::close);
        self.varieties.retain(|variety| variety.group != group);
        self.choices.retain(|choice| choice.group != group);
        self.followings.retain(|own| own.group != group);
    }

    /// Whether the agents of a group, by index, go to an exit that they have chosen.
    pub(crate) fn is_party(&self, group: u16) -> bool {
        self.choices.iter().any(|choice| choice.parties.contains(&group))
    }

    /// The choice of a group.
    pub(crate) fn choice_of(&self, group: GroupId) -> Option<&Exits> {
        self.choices.iter().find(|choice| choice.group == group)
    }
}

impl<N: Numbers> World<N> {
    /// The sources, in the order they were added.
    pub fn sources(&self) -> &[Source] {
        &self.traffic.sources
    }

    /// The sinks, in the order they were added.
    pub fn sinks(&self) -> &[Sink] {
        &self.traffic.sinks
    }

    /// Whether sources still bring agents, or agents wait outside.
    pub fn has_comers(&self) -> bool {
        let (tick, settings) = (self.log.tick, &self.settings);
        self.traffic.sources.iter().any(|source| !source.is_exhausted(tick, settings))
    }

    /// Agents that sources have brought so far.
    pub fn entered(&self) -> u64 {
        self.traffic.sources.iter().map(Source::entered).sum()
    }

    /// Agents that have come to a source and wait outside until there is room.
    pub fn waiting_outside(&self) -> u64 {
        self.traffic.sources.iter().map(Source::waiting).sum()
    }

    /// Agents that have left by sinks so far.
    pub fn left_by_sinks(&self) -> u64 {
        self.traffic.sinks.iter().map(Sink::left).sum()
    }

    /// Agents that sources brought in the last tick, those of the first source first.
    pub fn last_entered(&self) -> &[Id] {
        &self.traffic.entered
    }

    /// Agents that left by sinks in the last tick, by row.
    pub fn last_gone(&self) -> &[Departure] {
        &self.traffic.gone
    }

    /// Adds a source of agents.
    pub(crate) fn add_source(
        &mut self,
        group: GroupId,
        area: &[Shape],
        def: &SourceDef,
    ) -> Result<SourceId, WorldError> {
        def.check()?;
        let asked = self.traffic.sources.len() as u64 + 1;
        if asked > MAX_SOURCES as u64 {
            let most = MAX_SOURCES as u64;
            return Err(WorldError::TooMany { what: "sources", asked, most });
        }
        let comers = Comers { since: self.log.tick, ..Comers::default() };
        let (area, def) = (area.to_vec(), def.clone());
        self.traffic.sources.push(Source { group, area, def, comers });
        Ok(SourceId::new(asked as u16 - 1))
    }

    /// Adds a sink.
    pub(crate) fn add_sink(
        &mut self,
        area: &[Shape],
        groups: &[GroupId],
    ) -> Result<SinkId, WorldError> {
        if let Some(&group) = groups.iter().find(|&&group| !self.groups.has(group)) {
            return Err(WorldError::NoSuchGroup { group, groups: self.groups.list.len() });
        }
        let asked = self.traffic.sinks.len() as u64 + 1;
        if asked > MAX_SINKS as u64 {
            let most = MAX_SINKS as u64;
            return Err(WorldError::TooMany { what: "sinks", asked, most });
        }
        let (area, groups) = (area.to_vec(), groups.to_vec());
        self.traffic.sinks.push(Sink { area, groups, left: 0 });
        self.traffic.sink_cells.0 = None;
        Ok(SinkId::new(asked as u16 - 1))
    }
}
