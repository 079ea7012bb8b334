//! Agents that came by sources and left by sinks, for the summary, and where, for pictures.

use std::fmt;

use serde::Serialize;
use throng::lane::Numbers;
use throng::report::number::thousands;
use throng::world::{Sink, Source, World};

use crate::draw::traffic::Traffic;

/// Lines of the text, of sources and of sinks each, at most.
const MAX_LINES: usize = 12;

/// The counts of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SourceCount {
    /// Its name.
    pub name: String,
    /// Agents that have entered by it.
    pub entered: u64,
    /// Agents that have come and wait outside for room.
    pub waiting: u64,
}

/// The count of a sink.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SinkCount {
    /// Its name.
    pub name: String,
    /// Agents that have left by it.
    pub left: u64,
}

/// How many agents came and left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// The sources, in the order they were added.
    pub sources: Vec<SourceCount>,
    /// The sinks, in the order they were added.
    pub sinks: Vec<SinkCount>,
    /// Agents that are still waiting to set off.
    pub not_set_off: u64,
}

/// Counts of the sources and sinks of a world at the tick at which it is begun to be watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// By source: agents that have entered.
    entered: Vec<u64>,
    /// By sink: agents that have left.
    left: Vec<u64>,
}

impl Before {
    /// The counts of a world.
    pub fn of<N: Numbers>(world: &World<N>) -> Self {
        Self {
            entered: world.sources().iter().map(Source::entered).collect(),
            left: world.sinks().iter().map(Sink::left).collect(),
        }
    }

    /// Agents that have left by all sinks.
    pub fn left_by_sinks(&self) -> u64 {
        self.left.iter().sum()
    }
}

impl Counts {
    /// The counts of a world since it has been watched, with the names of its sources and sinks; nothing
    /// when it has none, and no agent waits.
    pub fn of<N: Numbers>(
        world: &World<N>,
        [sources, sinks]: [&[String]; 2],
        before: &Before,
    ) -> Option<Self> {
        let since = |count: u64, before: &[u64], i: usize| count - before.get(i).unwrap_or(&0);
        let waits = |row: &usize| world.sets_off(world.id(*row)).is_some();
        let counts = Self {
            sources: (world.sources().iter().enumerate())
                .map(|(i, source)| SourceCount {
                    name: name_of(sources, i, "source"),
                    entered: since(source.entered(), &before.entered, i),
                    waiting: source.waiting(),
                })
                .collect(),
            sinks: (world.sinks().iter().enumerate())
                .map(|(i, sink)| SinkCount {
                    name: name_of(sinks, i, "sink"),
                    left: since(sink.left(), &before.left, i),
                })
                .collect(),
            not_set_off: (0..world.len()).filter(waits).count() as u64,
        };
        (counts != Self::default()).then_some(counts)
    }
}

/// The name of a source or sink by its index; a number where it has none.
pub(crate) fn name_of(names: &[String], index: usize, kind: &str) -> String {
    names.get(index).cloned().unwrap_or_else(|| format!("{kind} {}", index + 1))
}

/// The areas of the sources and sinks of a world, for pictures.
pub(crate) fn areas<N: Numbers>(world: &World<N>) -> Traffic {
    Traffic {
        sources: world.sources().iter().flat_map(|source| source.area().to_vec()).collect(),
        sinks: world.sinks().iter().flat_map(|sink| sink.area().to_vec()).collect(),
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |what: &str, value: String| writeln!(f, "  {what:<15} {value}");
        for SourceCount { name, entered, waiting } in self.sources.iter().take(MAX_LINES) {
            let more = match waiting {
                0 => String::new(),
                waiting => format!(", {} wait outside", thousands(*waiting)),
            };
            line("came", format!("{} by '{name}'{more}", thousands(*entered)))?;
        }
        if let Some(rest) = self.sources.get(MAX_LINES..).filter(|rest| !rest.is_empty()) {
            let entered = rest.iter().map(|source| source.entered).sum();
            let waiting: u64 = rest.iter().map(|source| source.waiting).sum();
            let (entered, waiting) = (thousands(entered), thousands(waiting));
            let others = rest.len();
            line("came", format!("{entered} by {others} others, {waiting} wait outside"))?;
        }
        for SinkCount { name, left } in self.sinks.iter().take(MAX_LINES) {
            line("left", format!("{} by '{name}'", thousands(*left)))?;
        }
        if let Some(rest) = self.sinks.get(MAX_LINES..).filter(|rest| !rest.is_empty()) {
            let left = rest.iter().map(|sink| sink.left).sum();
            line("left", format!("{} by {} others", thousands(left), rest.len()))?;
        }
        match self.not_set_off {
            0 => Ok(()),
            waiting => line("not set off", thousands(waiting)),
        }
    }
}
