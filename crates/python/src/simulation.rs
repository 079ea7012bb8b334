//! The simulation, as Python holds it.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use throng::replay::RecordOptions;
use throng::report::measure::Options;
use throng::scenario::Overrides;
use throng::{AgentOrder, AnySimulation, CompanyDef, GroupDef, GroupId, Order, WeaponDef, either};

use crate::define::{group_def, preset, settings, weapon_def};
use crate::errors::{BusyError, Error, OrSaid, RangeError, RefusedError, file};
use crate::handle::{About, Held};
use crate::ids::{Company, Group, Weapon};
use crate::map::Map;
use crate::orders::{Who, at_least_one, give, shaped, tell, who};
use crate::read::Pairs;
use crate::shape::{area, points};
use crate::track::Track;
use crate::{events, host, ids, json, load, measures, read};

/// How long steps go on before Python is asked whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(50);

/// A map and a crowd. Orders take effect at once; the step that follows is the tick that they
/// belong to.
#[pyclass(frozen, module = "throng")]
pub(crate) struct Simulation {
    held: Mutex<Held>,
}

impl Simulation {
    fn of(held: Held) -> Self {
        Self { held: Mutex::new(held) }
    }

    /// The simulation, unless another thread is in a call on it.
    pub(crate) fn look(&self) -> PyResult<MutexGuard<'_, Held>> {
        match self.held.try_lock() {
            Ok(held) => Ok(held),
            Err(TryLockError::WouldBlock) => {
                Err(BusyError::new_err("another thread is in a call on this simulation"))
            }
            Err(TryLockError::Poisoned(_)) => {
                let words = "an earlier call on this simulation failed by a fault of throng";
                Err(Error::new_err(words))
            }
        }
    }

    pub(crate) fn give(&self, order: Order) -> PyResult<u32> {
        give(self.look()?.change()?, order)
    }

    fn tell(&self, agents: &Bound<'_, PyAny>, order: AgentOrder) -> PyResult<u32> {
        tell(self.look()?.change()?, agents, order)
    }

    /// Does ticks without the interpreter's lock, and looks in between whether they are to stop.
    fn go(
        &self,
        py: Python<'_>,
        ticks: u64,
        mut each: impl FnMut(u64, &Held) + Send,
    ) -> PyResult<()> {
        host::check()?;
        let mut guard = self.look()?;
        guard.change()?;
        let held = &mut *guard;
        let mut done = 0;
        while done < ticks {
            py.detach(|| {
                let began = Instant::now();
                while done < ticks {
                    held.step();
                    done += 1;
                    each(done, held);
                    if began.elapsed() >= PATIENCE {
                        break;
                    }
                }
            });
            py.check_signals()?;
        }
        Ok(())
    }
}

#[pymethods]
impl Simulation {
    /// An empty map. Further keywords are settings: `declared("settings")` lists them.
    #[new]
    #[pyo3(signature = (map, *, numeric="f32", **settings_of))]
    fn new(map: &Map, numeric: &str, settings_of: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        host::check()?;
        let (map, settings) = (Arc::clone(&map.0), settings(settings_of)?);
        let sim = AnySimulation::new(load::numeric(numeric)?, map, settings).or_said()?;
        Ok(Self::of(Held::new(sim, About::default())))
    }

    /// A scenario: a file, or one that ships inside throng by its name. What is given
    /// replaces what the file says.
    #[staticmethod]
    #[pyo3(signature = (path, *, agents=None, ticks=None, seed=None, numeric=None, map=None))]
    fn from_scenario(
        path: PathBuf,
        agents: Option<u64>,
        ticks: Option<u64>,
        seed: Option<u64>,
        numeric: Option<&str>,
        map: Option<String>,
    ) -> PyResult<Self> {
        host::check()?;
        let numeric = numeric.map(load::numeric).transpose()?;
        let changes = Overrides { agents, ticks, seed, numeric, map };
        Ok(Self::of(load::held(&path.to_string_lossy(), false, &changes)?))
    }

    /// A scenario from its text.
    #[staticmethod]
    #[pyo3(signature = (text, *, agents=None, ticks=None, seed=None, numeric=None))]
    fn from_text(
        text: &str,
        agents: Option<u64>,
        ticks: Option<u64>,
        seed: Option<u64>,
        numeric: Option<&str>,
    ) -> PyResult<Self> {
        host::check()?;
        let numeric = numeric.map(load::numeric).transpose()?;
        let changes = Overrides { agents, ticks, seed, numeric, map: None };
        Ok(Self::of(load::held(text, true, &changes)?))
    }

    /// Adds a group without agents: a preset (`rts`, `pedestrian`, `horde`), and traits that
    /// keywords say; `declared("group")` lists them. `terrain` is a dict from letters of the map to
    /// slowness.
    #[pyo3(signature = (preset_name=None, /, **traits))]
    fn add_group(
        &self,
        preset_name: Option<&str>,
        traits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Group> {
        let find = |name| preset(name, GroupDef::preset(name), &GroupDef::PRESETS);
        let def = group_def(preset_name.map(find).transpose()?, traits)?;
        let mut held = self.look()?;
        Ok(either!(held.change()?, sim => sim.add_group(def)).or_said()?.into())
    }

    /// Changes traits of a group, under way or not; the others stay.
    #[pyo3(signature = (group, **traits))]
    fn change_group(&self, group: &Group, traits: Option<&Bound<'_, PyDict>>) -> PyResult<u32> {
        let mut held = self.look()?;
        let group = GroupId::from(group);
        let was =
            either!(&held.sim, sim => sim.world().group(group).map(|group| group.def.clone()));
        let words = || format!("there is no group {group}");
        let was = was.ok_or_else(|| RefusedError::new_err(words()))?;
        let def = group_def(Some(was), traits)?;
        give(held.change()?, Order::Change { group, def })
    }

    /// Removes a group with its agents, which leave in the next step and take no more orders, and
    /// says how many these are. It leaves its company, and its handle is refused from now on.
    fn remove_group(&self, group: &Group) -> PyResult<u32> {
        self.give(Order::RemoveGroup { group: group.into() })
    }

    /// Adds a weapon: a preset (`bow`, `gun`, `catapult`), and numbers that keywords say;
    /// `declared("weapon")` lists them.
    #[pyo3(signature = (preset_name=None, /, **numbers))]
    fn add_weapon(
        &self,
        preset_name: Option<&str>,
        numbers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Weapon> {
        let find = |name| preset(name, WeaponDef::preset(name), &WeaponDef::PRESETS);
        let def = weapon_def(preset_name.map(find).transpose()?, numbers)?;
        let mut held = self.look()?;
        Ok(either!(held.change()?, sim => sim.add_weapon(def)).or_said()?.into())
    }

    /// Joins groups to a company, perhaps in a formation: `line`, `column`, `block` or `wedge`.
    #[pyo3(signature = (groups, *, formation=None, spacing=None, files=None))]
    fn add_company(
        &self,
        groups: Vec<Bound<'_, Group>>,
        formation: Option<&str>,
        spacing: Option<f64>,
        files: Option<u32>,
    ) -> PyResult<Company> {
        let groups = groups.iter().map(|group| group.get().into()).collect();
        let def = CompanyDef { groups, formation: shaped(formation)?, spacing, files };
        let mut held = self.look()?;
        Ok(either!(held.change()?, sim => sim.add_company(def)).or_said()?.into())
    }

    /// Removes a company: its groups stand where they are, by themselves. Its handle is refused
    /// from now on.
    fn remove_company(&self, company: &Company) -> PyResult<u32> {
        self.give(Order::RemoveCompany { company: company.into() })
    }

    /// Brings new agents to a group, spread over an area, at rest, and returns their ids.
    #[pyo3(signature = (group, area_of, count))]
    fn spawn<'py>(
        &self,
        py: Python<'py>,
        group: &Group,
        area_of: &Bound<'py, PyAny>,
        count: u32,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let area = area(area_of)?;
        let mut held = self.look()?;
        let new = either!(held.change()?, sim => sim.spawn(group.into(), area, count)).or_said()?;
        Ok(ids::array(py, &new))
    }

    /// Sends a group, a company or agents to a goal: the nearest part of an area. Agents may each
    /// get a point of their own: an array of two columns.
    fn send(&self, who_goes: &Bound<'_, PyAny>, goal: &Bound<'_, PyAny>) -> PyResult<u32> {
        let order = match who(who_goes)? {
            Who::Group(group) => Order::Move { group, goal: area(goal)? },
            Who::Company(company) => Order::MoveCompany { company, goal: area(goal)? },
            Who::Agents(agents) => {
                let order = match area(goal) {
                    Ok(goal) => AgentOrder::Send { goal },
                    Err(_) => AgentOrder::SendEach { to: points(goal)? },
                };
                Order::Agents { agents, order }
            }
        };
        self.give(order)
    }

    /// Has a group, a company or agents stand where they are.
    fn stop(&self, who_stops: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.give(match who(who_stops)? {
            Who::Group(group) => Order::Stop { group },
            Who::Company(company) => Order::StopCompany { company },
            Who::Agents(agents) => Order::Agents { agents, order: AgentOrder::Stop },
        })
    }

    /// Agents follow the order of their group again.
    fn rejoin(&self, agents: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.tell(agents, AgentOrder::Rejoin)
    }

    /// Agents of a group, perhaps only in an area, or single agents, leave at the end of the tick.
    #[pyo3(signature = (who_leaves, area_of=None))]
    fn remove(
        &self,
        who_leaves: &Bound<'_, PyAny>,
        area_of: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u32> {
        let area = area_of.map(area).transpose()?;
        self.give(match who(who_leaves)? {
            Who::Group(group) => Order::Remove { group, area },
            Who::Agents(agents) if area.is_none() => {
                Order::Agents { agents, order: AgentOrder::Remove }
            }
            _ => return Err(RangeError::new_err("an area is for the agents of a group")),
        })
    }

    /// Agents are somewhere else, at rest: one point for each.
    fn teleport(&self, agents: &Bound<'_, PyAny>, to: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.tell(agents, AgentOrder::Teleport { to: points(to)? })
    }

    /// The velocity of agents changes by so much in m/s, up to their top speed.
    fn push(&self, agents: &Bound<'_, PyAny>, by: [f64; 2]) -> PyResult<u32> {
        self.tell(agents, AgentOrder::Push { by })
    }

    /// Agents lose health, and may die of it.
    fn damage(&self, agents: &Bound<'_, PyAny>, health: f64) -> PyResult<u32> {
        self.tell(agents, AgentOrder::Damage { health })
    }

    /// Agents gain health, up to what their group begins with.
    fn heal(&self, agents: &Bound<'_, PyAny>, health: f64) -> PyResult<u32> {
        self.tell(agents, AgentOrder::Heal { health })
    }

    /// Agents go at so much of the speed of their group, from 0 to 2.
    fn pace(&self, agents: &Bound<'_, PyAny>, factor: f64) -> PyResult<u32> {
        self.tell(agents, AgentOrder::Pace { factor })
    }

    /// Agents get a number that means something to the caller.
    fn label(&self, agents: &Bound<'_, PyAny>, label: u64) -> PyResult<u32> {
        self.tell(agents, AgentOrder::Label { label })
    }

    /// Agents change to another group, and with it to that group's order.
    fn assign(&self, agents: &Bound<'_, PyAny>, group: &Group) -> PyResult<u32> {
        self.give(Order::Assign { agents: ids::agents(agents)?, group: group.into() })
    }

    /// A company takes on another formation, or none.
    #[pyo3(signature = (company, formation=None))]
    fn form(&self, company: &Company, formation: Option<&str>) -> PyResult<u32> {
        let formation = shaped(formation)?;
        self.give(Order::Form { company: company.into(), formation })
    }

    /// Builds walls: all cells with their centres in an area.
    fn build(&self, area_of: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.give(Order::Build { area: area(area_of)? })
    }

    /// Takes walls down.
    fn demolish(&self, area_of: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.give(Order::Demolish { area: area(area_of)? })
    }

    /// Fires a shot of a group's side: from (x, y, height), with a velocity in m/s, upwards last.
    #[pyo3(signature = (group, weapon, start, velocity))]
    fn launch(
        &self,
        group: &Group,
        weapon: &Weapon,
        start: [f64; 3],
        velocity: [f64; 3],
    ) -> PyResult<u32> {
        let (group, weapon) = (group.into(), weapon.into());
        self.give(Order::Launch { group, weapon, from: start, velocity })
    }

    /// Gives any order there is, as a dict or JSON: `{"Stop": {"group": 0}}`.
    fn order(&self, order: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.give(json::order(order)?)
    }

    /// Has an order given in the tick of this number, after all that is ordered by then.
    fn schedule(&self, tick: u64, order: &Bound<'_, PyAny>) -> PyResult<()> {
        let order = json::order(order)?;
        either!(self.look()?.change()?, sim => sim.schedule(tick, order));
        Ok(())
    }

    /// Does ticks. The interpreter's lock is free meanwhile, and Ctrl-C stops between two ticks.
    #[pyo3(signature = (ticks=1))]
    fn step(&self, py: Python<'_>, ticks: u64) -> PyResult<()> {
        self.go(py, ticks, |_, _| ())
    }

    /// Does ticks, and returns where all agents were, as `Trajectories`. Frame 0 is now; from then on
    /// every `every`th tick is a frame.
    #[pyo3(signature = (ticks, every=1))]
    fn track<'py>(&self, py: Python<'py>, ticks: u64, every: u64) -> PyResult<Bound<'py, PyAny>> {
        at_least_one("every", every)?;
        let mut track = Track::default();
        track.look(&self.look()?.sim);
        self.go(py, ticks, |done, held| {
            if done.is_multiple_of(every) {
                track.look(&held.sim);
            }
        })?;
        track.finish(py, f64::from(self.tick_rate()?) / every as f64)
    }

    /// From now on steps measure: overlaps, stuck agents, what crosses gates and what goes on in
    /// areas, the scenario's when none are given. `gates` is a dict from names to pairs of
    /// points, `areas` one from names to areas. `cutoff` is the largest radius of a Voronoi cell in
    /// metres: PedPy's `Cutoff` with 16 `quad_segments`.
    #[pyo3(signature = (gates=None, areas=None, *, every=10, warm_up=10.0, cutoff=None))]
    fn measure(
        &self,
        gates: Option<Bound<'_, PyDict>>,
        areas: Option<Bound<'_, PyDict>>,
        every: u64,
        warm_up: f64,
        cutoff: Option<f64>,
    ) -> PyResult<()> {
        at_least_one("every", every)?;
        if let Some(radius) = cutoff.filter(|radius| !(radius.is_finite() && *radius > 0.0)) {
            let why = format!("cutoff is {radius}, but must be a number of metres above 0");
            return Err(RangeError::new_err(why));
        }
        let options = Options { every, warm_up_s: warm_up, cutoff_m: cutoff };
        measures::begin(&mut *self.look()?, gates, areas, options)
    }

    /// What was measured so far, as dicts and lists; `docs/formats.md` lists the keys. Values under
    /// `series` are columns.
    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut held = self.look()?;
        measures::report(py, &mut held)
    }

    /// Positions of all agents in metres, by row: an array of two columns, in `float32`, in fixed
    /// point in `float64`. Without `copy` it views the simulation's memory: it cannot be written,
    /// and the simulation cannot change while it lives.
    #[pyo3(signature = (*, copy=true))]
    fn positions<'py>(slf: &Bound<'py, Self>, copy: bool) -> PyResult<Bound<'py, PyAny>> {
        let held = slf.get().look()?;
        read::pairs(slf.clone().into_any(), &held, Pairs::Positions, copy)
    }

    /// Velocities of all agents in m/s, as `positions`.
    #[pyo3(signature = (*, copy=true))]
    fn velocities<'py>(slf: &Bound<'py, Self>, copy: bool) -> PyResult<Bound<'py, PyAny>> {
        let held = slf.get().look()?;
        read::pairs(slf.clone().into_any(), &held, Pairs::Velocities, copy)
    }

    /// Ids of all agents, by row: `uint64`. Rows move from tick to tick, ids stay.
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(read::ids(py, &self.look()?.sim).into_any())
    }

    /// Indices of the groups of all agents, by row: `uint16`.
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(read::groups(py, &self.look()?.sim).into_any())
    }

    /// Bits of the states of all agents, by row: 1 has arrived, 2 stands.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(read::states(py, &self.look()?.sim).into_any())
    }

    /// Which agents are in their goal, by row: `bool`.
    fn arrived<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(read::arrived(py, &self.look()?.sim).into_any())
    }

    /// Health of all agents, by row; NaN in a world without weapons.
    fn health<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(read::health(py, &self.look()?.sim).into_any())
    }

    /// Labels of all agents, by row.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(read::labels(py, &self.look()?.sim).into_any())
    }

    /// The values of an agent, as a dict.
    fn agent<'py>(&self, py: Python<'py>, id: u64) -> PyResult<Bound<'py, PyDict>> {
        read::agent(py, &self.look()?.sim, id)
    }

    /// The ids of the `most` agents nearest to a point, at most `reach` metres away.
    #[pyo3(signature = (at, most=1, reach=f64::INFINITY))]
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        at: [f64; 2],
        most: usize,
        reach: f64,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let held = self.look()?;
        let found = either!(&held.sim, sim => sim.index().nearest(at, most, reach, |_| true));
        Ok(PyArray1::from_iter(py, found.iter().map(|agent| ids::number(agent.id))))
    }

    /// The ids of the agents with their centres in an area.
    fn within<'py>(
        &self,
        py: Python<'py>,
        area_of: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let area = area(area_of)?;
        let held = self.look()?;
        let found = either!(&held.sim, sim => sim.index().within(&area, |_| true));
        Ok(PyArray1::from_iter(py, found.iter().map(|agent| ids::number(agent.id))))
    }

    /// What happened in the last tick and by the orders given since: a dict of arrays and lists.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        either!(&self.look()?.sim, sim => events::events(py, sim))
    }

    /// From now on events list agents that come into their goal.
    fn watch_arrivals(&self) -> PyResult<()> {
        either!(&mut self.look()?.sim, sim => sim.watch_arrivals());
        Ok(())
    }

    /// From now on events list agents that have stayed within their radius for so many seconds.
    fn watch_stuck(&self, seconds: f64) -> PyResult<()> {
        either!(&mut self.look()?.sim, sim => sim.watch_stuck(seconds));
        Ok(())
    }

    /// The digest of the state: equal for equal states on every machine, different for different
    /// ones.
    fn digest(&self) -> PyResult<u64> {
        Ok(either!(&self.look()?.sim, sim => sim.digest()))
    }

    /// The state as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &either!(&self.look()?.sim, sim => sim.snapshot())))
    }

    /// Takes the state back, or forward, to a snapshot of a simulation of the same map and
    /// settings.
    fn restore(&self, snapshot: &[u8]) -> PyResult<()> {
        either!(self.look()?.change()?, sim => sim.restore(snapshot)).or_said()
    }

    /// Records the run from here on to a file, which `verify` plays again.
    #[pyo3(signature = (path, label=None))]
    fn record(&self, path: PathBuf, label: Option<&str>) -> PyResult<()> {
        let mut held = self.look()?;
        let label = label.unwrap_or(&held.about.name);
        let options = RecordOptions::from(label);
        let to = BufWriter::new(File::create(&path).map_err(|why| file(&path, &why))?);
        either!(held.change()?, sim => sim.record(to, options)).or_said()
    }

    /// Ends the recording.
    fn finish_recording(&self) -> PyResult<()> {
        either!(&mut self.look()?.sim, sim => sim.finish_recording()).or_said()
    }

    /// The map as it is now.
    #[getter]
    fn map(&self) -> PyResult<Map> {
        Ok(Map::of(either!(&self.look()?.sim, sim => sim.world().map().clone())))
    }

    /// Groups of the scenario by their names.
    #[getter]
    fn named(&self) -> PyResult<std::collections::BTreeMap<String, Group>> {
        let held = self.look()?;
        let groups = held.about.groups.iter();
        Ok(groups.map(|(name, &index)| (name.clone(), GroupId::new(index).into())).collect())
    }

    /// The name of the scenario; empty without one.
    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(self.look()?.about.name.clone())
    }

    /// Ticks that the scenario says; `None` without one.
    #[getter]
    fn ticks(&self) -> PyResult<Option<u64>> {
        Ok(self.look()?.about.ticks)
    }

    /// Ticks done.
    #[getter]
    fn tick_count(&self) -> PyResult<u64> {
        Ok(either!(&self.look()?.sim, sim => sim.tick_count()))
    }

    /// Whole ticks a second.
    #[getter]
    fn tick_rate(&self) -> PyResult<u32> {
        Ok(either!(&self.look()?.sim, sim => sim.world().settings().tick_rate))
    }

    /// Simulated time in seconds.
    #[getter]
    fn seconds(&self) -> PyResult<f64> {
        Ok(either!(&self.look()?.sim, sim => sim.seconds()))
    }

    /// The number type: "f32" or "fixed".
    #[getter]
    fn numeric(&self) -> PyResult<&'static str> {
        Ok(self.look()?.sim.numeric().word())
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(either!(&self.look()?.sim, sim => sim.len()))
    }

    fn __repr__(&self) -> PyResult<String> {
        let held = self.look()?;
        let (agents, ticks) = either!(&held.sim, sim => (sim.len(), sim.tick_count()));
        let numeric = held.sim.numeric().word();
        Ok(format!("<simulation of {agents} agents after {ticks} ticks, {numeric}>"))
    }
}
