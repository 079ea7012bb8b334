//! A scenario checked against its map: everything a world is made from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::map::area::{AreaError, Shape};
use crate::map::limits::max_classes;
use crate::map::placement::place;
use crate::map::{Clearance, Map, area};
use crate::math::Numeric;
use crate::scenario::def::{
    AreaDef, AreaEntry, BehaviourEntry, EndDef, GateEntry, GroupEntry, LaunchDef, MapSource,
    OppositeDef, OrderEntry, OrderEntryKind, OrderTarget, SpawnDef, TeamEntry,
};
use crate::scenario::def_mind::MachineEntry;
use crate::scenario::error::{Problems, ScenarioError};
use crate::scenario::plan_orders::{all_sinks, orders};
use crate::scenario::plan_terrain;
use crate::scenario::scenario_def::ScenarioDef;
use crate::world::{Order, Settings};

/// Steps that planning may take, in [`area::work`]: well under a minute.
const MAX_WORK: u64 = 1 << 33;

/// What is to be simulated: a map, settings, and orders that bring the groups and the agents.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Name of the scenario.
    pub name: String,
    /// Number type.
    pub numeric: Numeric,
    /// The run ends after this many ticks at the latest.
    pub ticks: u64,
    /// Conditions that end it earlier.
    pub end: EndDef,
    /// Settings of the world.
    pub settings: Settings,
    /// The map.
    pub map: Map,
    /// What people see beside the world: names, colours and places, in the order of the file.
    pub scene: Scene,
    /// Names of the companies, in the order of the file.
    pub companies: Vec<String>,
    /// The orders by tick. Orders of tick 0 make the weapons and the groups and let them think, then
    /// bring their agents, say how they behave and send them to their goals; after them, and at every
    /// other tick, orders come as in the file.
    pub orders: Vec<(u64, Order)>,
}

/// A line that counts the agents that cross it, on the way there and back. It changes nothing else.
///
/// The way there, forward, is from the left to the right as seen along the line from `from` to `to`.
/// As y grows downwards, a line drawn from the left to the right of the map counts as forward the
/// agents that go down, and one drawn from the bottom to the top the agents that go right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GatePlan {
    /// Its name.
    pub name: String,
    /// One end: x, y in metres.
    pub from: [f64; 2],
    /// The other end.
    pub to: [f64; 2],
}

/// Ground on which density, speed and lanes are measured. It changes nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AreaPlan {
    /// Its name.
    pub name: String,
    /// Where: all that one of the shapes covers.
    pub shapes: Vec<Shape>,
}

/// A team as people see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TeamPlan {
    /// Its name.
    pub name: String,
    /// The teams that it fights, one bit a team.
    pub foes: u32,
}

/// A state machine as people see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachinePlan {
    /// Its name.
    pub name: String,
    /// Names of its states.
    pub states: Vec<String>,
}

/// A group as people see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupPlan {
    /// Its name.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Index of the machine that its agents decide by.
    pub machine: Option<u16>,
    /// Where its agents appear.
    pub starts: Vec<Shape>,
    /// Where it is sent at tick 0.
    pub goal: Vec<Shape>,
}

/// What people see of a run beside its world: names, colours and areas. Nothing in the run depends on
/// it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// The groups, by their index.
    pub groups: Vec<GroupPlan>,
    /// The teams, by their index.
    pub teams: Vec<TeamPlan>,
    /// The machines, by their index.
    pub machines: Vec<MachinePlan>,
    /// Names of the weapons, by their index.
    pub weapons: Vec<String>,
    /// Colours of letters in pictures of the map: red, green, blue.
    pub letters: Vec<(u8, [u8; 3])>,
    /// What letters of the map are called in legends.
    pub letter_names: Vec<(u8, String)>,
    /// Share of a team's agents that must fall for it to be beaten.
    pub beaten: Option<f64>,
    /// Lines at which passing agents are counted.
    pub gates: Vec<GatePlan>,
    /// Ground on which density, speed and lanes are measured.
    pub areas: Vec<AreaPlan>,
    /// Names of the sources, by their index.
    pub sources: Vec<String>,
    /// Names of the sinks, by their index.
    pub sinks: Vec<String>,
    /// Names of the structures, by their index.
    pub structures: Vec<String>,
    /// Names of the doors, by their index.
    pub doors: Vec<String>,
    /// Name of the map, for people; empty where it is not known.
    pub map: String,
    /// Ticks that the run may have; 0 where that is not known.
    pub ticks: u64,
}

impl Plan {
    /// Checks a scenario against its map, as [`ScenarioDef::load_map`] gives it, and places its
    /// agents.
    ///
    /// # Errors
    /// Goals and spawns off the map or in walls, agents that do not fit, radii too large for the
    /// map; each at its line.
    pub fn new(def: &ScenarioDef, map: Map) -> Result<Self, ScenarioError> {
        let problems = Problems::new(&def.text);
        let opens =
            |order: &&OrderEntry| matches!(order.kind, OrderEntryKind::Change { walls: false, .. });
        let opened = def.orders.iter().filter(opens).map(|order| order.tick).min();
        let mut planner = Planner { def, map: &map, problems: &problems, work: 0, opened };
        plan_terrain::check(def, planner.map, &problems);
        planner.all();
        planner.measured();
        planner.sinks();
        planner.structures();
        planner.doors();
        problems.finish(&def.file)?;
        let group = |entry: &GroupEntry| GroupPlan {
            name: entry.name.clone(),
            color: entry.color,
            machine: entry.machine,
            starts: entry.spawns.iter().flat_map(|spawn| spawn.area.shapes.clone()).collect(),
            goal: match (&entry.goal, &entry.exits) {
                (Some(goal), _) => goal.shapes.clone(),
                (None, Some(exits)) => exits.areas.iter().flat_map(|a| a.shapes.clone()).collect(),
                (None, None) => Vec::new(),
            },
        };
        let machine = |entry: &MachineEntry| MachinePlan {
            name: entry.name.clone(),
            states: entry.mind.machine.states.iter().map(|state| state.name.clone()).collect(),
        };
        let team = |entry: &TeamEntry| TeamPlan { name: entry.name.clone(), foes: entry.foes };
        let (letters, letter_names) = match &def.map.source {
            MapSource::Generate(rules) => (rules.colours.clone(), rules.names.clone()),
            _ => (Vec::new(), Vec::new()),
        };
        let gate = |entry: &GateEntry| GatePlan {
            name: entry.name.clone(),
            from: entry.from,
            to: entry.to,
        };
        let area = |entry: &AreaEntry| AreaPlan {
            name: entry.name.clone(),
            shapes: entry.area.shapes.clone(),
        };
        let scene = Scene {
            groups: def.groups.iter().map(group).collect(),
            teams: def.teams.iter().map(team).collect(),
            machines: def.machines.iter().map(machine).collect(),
            weapons: def.weapons.iter().map(|weapon| weapon.name.clone()).collect(),
            letters,
            letter_names,
            beaten: def.end.beaten,
            gates: def.gates.iter().map(gate).collect(),
            areas: def.areas.iter().map(area).collect(),
            sources: def.sources.iter().map(|source| source.name.clone()).collect(),
            sinks: all_sinks(def).into_iter().map(|(name, ..)| name).collect(),
            structures: def.structures.iter().map(|entry| entry.name.clone()).collect(),
            doors: def.waiting_doors().map(|entry| entry.name.clone()).collect(),
            map: String::new(),
            ticks: def.ticks,
        };
        Ok(Self {
            name: def.name.clone(),
            numeric: def.numeric,
            ticks: def.ticks,
            end: def.end,
            settings: def.settings,
            scene,
            companies: def.companies.iter().map(|company| company.name.clone()).collect(),
            orders: orders(def, &map),
            map,
        })
    }

    /// The orders of a tick.
    pub fn orders_at(&self, tick: u64) -> impl Iterator<Item = &Order> {
        let first = self.orders.partition_point(|(at, _)| *at < tick);
        self.orders[first..].iter().take_while(move |(at, _)| *at == tick).map(|(_, order)| order)
    }
}

pub(super) struct Planner<'a> {
    pub(super) def: &'a ScenarioDef,
    pub(super) map: &'a Map,
    pub(super) problems: &'a Problems<'a>,
    /// Steps taken so far, in [`area::work`].
    work: u64,
    /// The first tick at which walls are taken down.
    pub(super) opened: Option<u64>,
}

impl Planner<'_> {
    /// Checks the groups, groups of one class together, so that one class is held at a time.
    fn all(&mut self) {
        let mut classes = BTreeMap::<_, Vec<usize>>::new();
        for (i, group) in self.def.groups.iter().enumerate() {
            // Radii of the same whole number of 1/256 cells stand in the same cells, and so do all
            // up to half a cell.
            let units = (group.def.radius / self.map.cell_size() * 256.0).ceil().max(128.0);
            classes.entry((units as u64, group.def.terrain.key())).or_default().push(i);
        }
        let most = max_classes(self.map.letters().len() as u64);
        if let Some(members) = classes.values().nth(most) {
            let wrong = format!("the groups have {} different radii or costs", classes.len());
            let expected = format!("at most {most} on a map of this size");
            self.problems.problem(&self.def.groups[members[0]].at, wrong, expected);
            return;
        }
        let mut goal_of = vec![None; self.def.groups.len()];
        for company in &self.def.companies {
            for &group in &company.def.groups {
                goal_of[usize::from(group)] = company.goal.as_ref();
            }
        }
        let mut areas_of = vec![Vec::new(); self.def.groups.len()];
        for strategies in self.def.teams.iter().filter_map(|team| team.strategies.as_ref()) {
            strategies.areas.iter().for_each(|(g, area)| areas_of[usize::from(*g)].push(area));
        }
        let mut orders_of = vec![Vec::new(); self.def.groups.len()];
        for (i, order) in self.def.orders.iter().enumerate() {
            match order.target {
                OrderTarget::Group(group) => orders_of[usize::from(group)].push(i),
                OrderTarget::Map => {
                    if let OrderEntryKind::Change { area, .. } = &order.kind {
                        self.on_map(area);
                    }
                }
                // A company goes where each of its groups can.
                OrderTarget::Company(company) => {
                    for &group in &self.def.companies[usize::from(company)].def.groups {
                        orders_of[usize::from(group)].push(i);
                    }
                }
            }
        }
        for members in classes.values() {
            let first = &self.def.groups[members[0]];
            match self.map.try_class_for(first.def.radius, &first.def.terrain) {
                Ok(class) => {
                    self.machines(members, &class);
                    for &group in members {
                        self.group(group, &orders_of[group], &class);
                        for area in &areas_of[group] {
                            // Where walls come down there may be ground by then.
                            if self.opened.is_some() {
                                self.on_map(area);
                            } else {
                                self.goal(area, &class);
                            }
                        }
                        if let Some(goal) = goal_of[group] {
                            self.goal(goal, &class);
                        }
                    }
                }
                Err(error) => {
                    let expected = "a radius that fits the map's cells";
                    self.problems.problem(&first.at, error.to_string(), expected);
                }
            }
        }
    }

    fn group(&mut self, group: usize, orders: &[usize], class: &Clearance) {
        let entry = &self.def.groups[group];
        for spawn in &entry.spawns {
            self.spawn(spawn, entry.def.radius, class);
        }
        if let Some(goal) = &entry.goal {
            self.goal(goal, class);
        }
        if let Some(opposite) = &entry.opposite {
            self.opposite(opposite);
        }
        self.traffic(group, class);
        self.behaviours(&entry.behaviours);
        for &order in orders {
            let tick = self.def.orders[order].tick;
            match &self.def.orders[order].kind {
                // Where walls have come down there may be ground by then.
                OrderEntryKind::Move(area) | OrderEntryKind::Spawn(SpawnDef { area, .. })
                    if self.opened.is_some_and(|first| first <= tick) =>
                {
                    self.on_map(area);
                }
                OrderEntryKind::Move(goal) => {
                    self.goal(goal, class);
                }
                OrderEntryKind::Behave(list) => self.behaviours(list),
                OrderEntryKind::Opposite(to) => self.opposite(to),
                OrderEntryKind::Spawn(spawn) => {
                    self.spawn(spawn, entry.def.radius, class);
                }
                OrderEntryKind::Remove(Some(area)) => {
                    self.on_map(area);
                }
                OrderEntryKind::Launch(shot) => self.launch(shot),
                OrderEntryKind::Stop
                | OrderEntryKind::Attack(_)
                | OrderEntryKind::Follow(_)
                | OrderEntryKind::Form(_)
                | OrderEntryKind::Remove(None)
                | OrderEntryKind::Door { .. }
                | OrderEntryKind::Change { .. } => {}
            }
        }
    }

    /// Whether an area is on the map; what is not is reported.
    pub(super) fn on_map(&mut self, area: &AreaDef) -> bool {
        let mut inside = true;
        for (shape, at) in area.shapes.iter().zip(&area.places) {
            let before = self.work;
            self.work = before.saturating_add(area::work(self.map, shape));
            if self.work > MAX_WORK {
                if before <= MAX_WORK {
                    let wrong = "the areas are too many for a map of this size";
                    self.problems.problem(at, wrong, "fewer or smaller goals, spawns and orders");
                }
                return false;
            }
            if let Err(error) = shape.check_on(self.map) {
                let [width, height] = area::extent(self.map);
                let expected = format!("x from 0 to {width} and y from 0 to {height}");
                self.problems.problem(at, error.to_string(), expected);
                inside = false;
            }
        }
        inside
    }

    /// Whether an area is on the map and every shape of it has a cell to stand in.
    pub(super) fn goal(&mut self, area: &AreaDef, class: &Clearance) -> bool {
        let mut open = self.on_map(area);
        if !open {
            return false;
        }
        for (shape, at) in area.shapes.iter().zip(&area.places) {
            if !area::has_room(self.map, shape, class.slowness()) {
                let wrong = if class.forbids() {
                    format!(
                        "{} lies wholly on ground that the group cannot stand on",
                        shape.label()
                    )
                } else {
                    AreaError::InWall { shape: shape.label() }.to_string()
                };
                self.problems.problem(at, wrong, "an area with open cells");
                open = false;
            }
        }
        open
    }

    /// Checks gates and areas.
    fn measured(&mut self) {
        let [width, height] = area::extent(self.map);
        for GateEntry { from, to, at, .. } in &self.def.gates {
            let inside =
                |p: &[f64; 2]| (0.0..=width).contains(&p[0]) && (0.0..=height).contains(&p[1]);
            let label = format!("gate [{}, {}] to [{}, {}]", from[0], from[1], to[0], to[1]);
            if !(inside(from) && inside(to)) {
                let wrong = format!("{label} reaches over the edge of the map");
                let expected = format!("x from 0 to {width} and y from 0 to {height}");
                self.problems.problem(at, wrong, expected);
            } else if area::open_length(self.map, *from, *to) <= 0.0 {
                let wrong = format!("{label} lies wholly in walls");
                self.problems.problem(at, wrong, "a line that someone can cross");
            }
        }
        for AreaEntry { area, .. } in &self.def.areas {
            if self.on_map(area) && area::free_area(self.map, &area.shapes) <= 0.0 {
                let wrong = format!("{} lies wholly in walls", area.shapes[0].label());
                self.problems.problem(&area.places[0], wrong, "an area with open ground");
            }
        }
    }

    /// Checks that the centre is on the map.
    fn opposite(&self, to: &OppositeDef) {
        let [width, height] = area::extent(self.map);
        let [x, y] = to.centre;
        if !((0.0..=width).contains(&x) && (0.0..=height).contains(&y)) {
            let expected = format!("x from 0 to {width} and y from 0 to {height}");
            self.problems.problem(
                &to.at,
                format!("the point ({x}, {y}) lies off the map"),
                expected,
            );
        }
    }

    /// Checks that a shot starts on the map.
    fn launch(&self, shot: &LaunchDef) {
        let [x, y, _] = shot.from;
        if self.map.cell_at(x, y).is_none() {
            let [width, height] = area::extent(self.map);
            let expected = format!("x from 0 to {width} and y from 0 to {height}");
            self.problems.problem(
                &shot.at,
                format!("the point ({x}, {y}) lies off the map"),
                expected,
            );
        }
    }

    /// Checks that the points of behaviours are on the map.
    pub(super) fn behaviours(&self, list: &[BehaviourEntry]) {
        let [width, height] = area::extent(self.map);
        for entry in list {
            let off =
                |p: &&[f64; 2]| !((0.0..=width).contains(&p[0]) && (0.0..=height).contains(&p[1]));
            if let Some([x, y]) = entry.behaviour.kind.points().iter().find(off) {
                let expected = format!("x from 0 to {width} and y from 0 to {height}");
                let wrong = format!("the point ({x}, {y}) lies off the map");
                self.problems.problem(&entry.at, wrong, expected);
            }
        }
    }

    /// Checks that the agents of a spawn fit.
    fn spawn(&mut self, spawn: &SpawnDef, radius: f64, class: &Clearance) {
        if !self.goal(&spawn.area, class) {
            return;
        }
        let shapes = &spawn.area.shapes;
        if let Err(error) = place(self.map, class.slowness(), shapes, spawn.count, radius, 0) {
            let expected = "fewer agents, a larger area or a smaller radius";
            self.problems.problem(&spawn.at, error.to_string(), expected);
        }
    }
}
