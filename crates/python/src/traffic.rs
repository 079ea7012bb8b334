//! Methods of simulations: agents that come and agents that leave, and what agents of one group do not
//! share.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use throng::world::Inflow;
use throng::{ExitsDef, FollowDef, GroupId, Leader, Order, SourceDef, VaryDef, either};

use crate::define::plain;
use crate::distribution::distribution;
use crate::errors::{OrSaid, RangeError};
use crate::ids::{Group, Sink, Source};
use crate::orders::{Who, who};
use crate::shape::{area, pairs};
use crate::simulation::Simulation;

/// An exit of a choice: an area, and what keywords say; `declared("exit")` lists them.
#[pyclass(frozen, eq, module = "throng")]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exit(throng::Exit);

#[pymethods]
impl Exit {
    /// An exit in an area.
    #[new]
    #[pyo3(signature = (area_of, **traits))]
    fn new(area_of: &Bound<'_, PyAny>, traits: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Ok(Self(throng::Exit { area: area(area_of)?, ..plain(traits)? }))
    }

    fn __repr__(&self) -> String {
        format!("<exit, {} agents a second>", self.0.flow)
    }
}

/// An exit, or the area of a usual one.
fn exit(from: &Bound<'_, PyAny>) -> PyResult<throng::Exit> {
    match from.cast::<Exit>() {
        Ok(exit) => Ok(exit.get().0.clone()),
        Err(_) => Ok(throng::Exit { area: area(from)?, ..throng::Exit::default() }),
    }
}

/// When the agents of a source come.
fn inflow(rate: Option<&Bound<'_, PyAny>>, batches: Option<&Bound<'_, PyAny>>) -> PyResult<Inflow> {
    match (rate, batches) {
        (Some(rate), None) => match rate.extract() {
            Ok(rate) => Ok(Inflow::rate(rate)),
            Err(_) => {
                Ok(Inflow::Rates(pairs(rate, "a rate by a table has 2 columns, time and rate")?))
            }
        },
        (None, Some(batches)) => {
            Ok(Inflow::Batches(pairs(batches, "batches have 2 columns, time and agents")?))
        }
        _ => Err(RangeError::new_err("a source has either `rate` or `batches`")),
    }
}

#[pymethods]
impl Simulation {
    /// Adds a source: agents of a group appear in an area while the simulation runs. `rate` is agents
    /// a second, or a table of times (s) and rates; `batches` one of times and numbers.
    /// `declared("source")` lists the other keywords. Agents that find no room wait outside.
    #[pyo3(signature = (group, area_of, *, rate=None, batches=None, **times))]
    fn add_source(
        &self,
        group: &Group,
        area_of: &Bound<'_, PyAny>,
        rate: Option<&Bound<'_, PyAny>>,
        batches: Option<&Bound<'_, PyAny>>,
        times: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Source> {
        let def = SourceDef { inflow: inflow(rate, batches)?, ..plain(times)? };
        def.check().or_said()?;
        let area = area(area_of)?;
        let mut held = self.look()?;
        let sim = held.change()?;
        Ok(either!(sim, sim => sim.add_source(group.into(), area, def)).or_said()?.into())
    }

    /// No agents come to a source any more; agents that wait outside go.
    fn close_source(&self, source: &Source) -> PyResult<u32> {
        self.give(Order::CloseSource { source: source.into() })
    }

    /// Adds a sink: agents of some groups, or of all, leave when they come into an area, and are
    /// counted.
    #[pyo3(signature = (area_of, groups=None))]
    fn add_sink(
        &self,
        area_of: &Bound<'_, PyAny>,
        groups: Option<Vec<Bound<'_, Group>>>,
    ) -> PyResult<Sink> {
        let area = area(area_of)?;
        let groups = groups.unwrap_or_default();
        let groups: Vec<GroupId> = groups.iter().map(|group| group.get().into()).collect();
        let mut held = self.look()?;
        Ok(either!(held.change()?, sim => sim.add_sink(area, groups)).or_said()?.into())
    }

    /// Has the agents of a group differ from now on, each by its id: in speed (m/s), in the time that
    /// they wait before they set off (s), in radius (m, up to that of the group), in response (s) and
    /// in how long they keep to an exit (s). Each is a distribution, or a number for all.
    #[pyo3(signature = (group, *, speed=None, wait=None, radius=None, response=None, patience=None))]
    fn vary(
        &self,
        group: &Group,
        speed: Option<&Bound<'_, PyAny>>,
        wait: Option<&Bound<'_, PyAny>>,
        radius: Option<&Bound<'_, PyAny>>,
        response: Option<&Bound<'_, PyAny>>,
        patience: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u32> {
        let def = VaryDef {
            speed: speed.map(distribution).transpose()?,
            wait: wait.map(distribution).transpose()?,
            radius: radius.map(distribution).transpose()?,
            response: response.map(distribution).transpose()?,
            patience: patience.map(distribution).transpose()?,
        };
        self.give(Order::Vary { group: group.into(), def })
    }

    /// Has each agent of a group choose one of several exits and go there, until the group is sent
    /// somewhere or stopped. Exits are areas, or `Exit`s; `declared("choice")` lists the keywords.
    #[pyo3(signature = (group, exits, **choice))]
    fn choose(
        &self,
        group: &Group,
        exits: &Bound<'_, PyAny>,
        choice: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<u32> {
        let exits = exits.try_iter()?.map(|one| exit(&one?)).collect::<PyResult<_>>()?;
        let def = ExitsDef { exits, ..plain(choice)? };
        self.give(Order::Choose { group: group.into(), def })
    }

    /// Has the agents of a group go where others go, until the group is sent somewhere or stopped: each
    /// follows one agent of a group, or all the same agent. `declared("follow")` lists the keywords.
    #[pyo3(signature = (group, leader, **how))]
    fn follow(
        &self,
        group: &Group,
        leader: &Bound<'_, PyAny>,
        how: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<u32> {
        let leader = match who(leader)? {
            Who::Group(leaders) => Leader::Group(leaders),
            Who::Agents(agents) if agents.len() == 1 => Leader::Agent(agents[0]),
            _ => return Err(RangeError::new_err("a group follows a group, or one agent")),
        };
        self.give(Order::Follow { group: group.into(), def: FollowDef { leader, ..plain(how)? } })
    }

    /// All sources as they are now: a dict each.
    fn sources<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let held = self.look()?;
        let sources = either!(&held.sim, sim => sim.world().sources());
        let about = (0..).zip(sources).map(|(index, source)| {
            let all = PyDict::new(py);
            all.set_item("source", Source::from(throng::SourceId::new(index)))?;
            all.set_item("group", Group::from(source.group()))?;
            all.set_item("entered", source.entered())?;
            all.set_item("waiting", source.waiting())?;
            all.set_item("closed", source.is_closed())?;
            Ok(all)
        });
        about.collect()
    }

    /// All sinks as they are now: a dict each.
    fn sinks<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let held = self.look()?;
        let sinks = either!(&held.sim, sim => sim.world().sinks());
        let about = (0..).zip(sinks).map(|(index, sink)| {
            let all = PyDict::new(py);
            all.set_item("sink", Sink::from(throng::SinkId::new(index)))?;
            let groups: Vec<_> = sink.groups().iter().map(|&id| Group::from(id)).collect();
            all.set_item("groups", groups)?;
            all.set_item("left", sink.left())?;
            Ok(all)
        });
        about.collect()
    }
}
