//! A scenario checked against its map: everything a world is made from.

use std::collections::BTreeMap;

use crate::map::Clearance;
use crate::map::Map;
use crate::map::area;
use crate::map::area::AreaError;
use crate::map::area::Shape;
use crate::map::placement::hash;
use crate::map::placement::place;
use crate::scenario::def::AreaDef;
use crate::scenario::def::EndDef;
use crate::scenario::def::GroupDef;
use crate::scenario::def::Numeric;
use crate::scenario::def::OrderEntryKind;
use crate::scenario::def::ScenarioDef;
use crate::scenario::def::Settings;
use crate::scenario::def::SpawnDef;
use crate::scenario::error::Problems;
use crate::scenario::error::ScenarioError;

/// Steps that planning may take, in [`area::work`]: well under a minute.
const MAX_WORK: u64 = 1 << 35;

/// What is to be simulated, with its map, positions and orders.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Name of the scenario.
    pub name: String,
    /// Seed of everything random.
    pub seed: u64,
    /// Number type.
    pub numeric: Numeric,
    /// Ticks per second.
    pub tick_rate: u32,
    /// The run ends after this many ticks at the latest.
    pub ticks: u64,
    /// What ends it earlier.
    pub end: EndDef,
    /// Knobs of the engine.
    pub settings: Settings,
    /// The map.
    pub map: Map,
    /// The groups, in the order of the file.
    pub groups: Vec<GroupPlan>,
    /// The orders by tick. Of one tick the goals of groups come first, by group, then the orders as
    /// in the file.
    pub orders: Vec<OrderDef>,
}

/// A group and its agents at tick 0.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupPlan {
    /// Parameters of its agents.
    pub def: GroupDef,
    /// Positions in metres, exact in `f32` and in Q16.16 (but for agents at `point`s).
    pub positions: Vec<[f64; 2]>,
}

/// One order.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderDef {
    /// The tick at whose start it is carried out.
    pub tick: u64,
    /// What is ordered.
    pub kind: OrderKind,
}

/// What an order says. `group` is an index into [`Plan::groups`].
#[derive(Clone, Debug, PartialEq)]
pub enum OrderKind {
    /// All agents of the group go to an area.
    Move {
        /// The group.
        group: u16,
        /// The goal; every shape of it has cells in which the group's agents can stand.
        area: Vec<Shape>,
    },
    /// All agents of the group stand still.
    Stop {
        /// The group.
        group: u16,
    },
    /// New agents of the group appear.
    Spawn {
        /// The group.
        group: u16,
        /// Where.
        area: Vec<Shape>,
        /// How many.
        count: u32,
        /// Where each of them stands when nobody else is there, in metres: what
        /// [`place`](crate::map::placement::place) gives.
        positions: Vec<[f64; 2]>,
    },
    /// Agents of the group are taken away.
    Remove {
        /// The group.
        group: u16,
        /// Those whose centre is inside; `None` for all.
        area: Option<Vec<Shape>>,
    },
}

impl Plan {
    /// Checks a scenario against its map, as [`ScenarioDef::load_map`] gives it, and places its
    /// agents.
    ///
    /// # Errors
    /// Goals and spawns off the map or in walls, agents that do not fit, radii too large for the
    /// map; each at its line.
    pub fn new(def: &ScenarioDef, map: Map) -> Result<Self, ScenarioError> {
        let mut problems = Problems::new(&def.text);
        let (groups, orders) = (Vec::new(), Vec::new());
        let mut planner = Planner { def, map: &map, groups, orders, work: 0 };
        for group in &def.groups {
            planner.groups.push(GroupPlan { def: group.def.clone(), positions: Vec::new() });
        }
        // Orders stand here until all are known: goals of groups, then orders of the file.
        planner.orders.resize(def.groups.len() + def.orders.len(), None);
        planner.all(&mut problems);
        problems.finish(&def.file)?;
        let Planner { groups, orders, .. } = planner;
        let mut orders: Vec<OrderDef> = orders.into_iter().flatten().collect();
        orders.sort_by_key(|order| order.tick);
        Ok(Self {
            name: def.name.clone(),
            seed: def.seed,
            numeric: def.numeric,
            tick_rate: def.tick_rate,
            ticks: def.ticks,
            end: def.end,
            settings: def.settings,
            map,
            groups,
            orders,
        })
    }

    /// Seconds of one tick.
    pub fn dt(&self) -> f64 {
        1.0 / f64::from(self.tick_rate)
    }

    /// Agents of all groups when the run starts; orders at tick 0 may add more.
    pub fn agents(&self) -> usize {
        self.groups.iter().map(|group| group.positions.len()).sum()
    }
}

struct Planner<'a> {
    def: &'a ScenarioDef,
    map: &'a Map,
    groups: Vec<GroupPlan>,
    orders: Vec<Option<OrderDef>>,
    /// Steps taken so far, in [`area::work`].
    work: u64,
}

impl Planner<'_> {
    /// Plans the groups, those of one clearance together, so that one clearance is held at a time.
    fn all(&mut self, problems: &mut Problems<'_>) {
        let mut classes = BTreeMap::<u64, Vec<usize>>::new();
        for (i, group) in self.def.groups.iter().enumerate() {
            // Radii of the same whole number of 1/256 cells stand in the same cells, and so do all
            // up to half a cell.
            let units = (group.def.radius / self.map.cell_size() * 256.0).ceil().max(128.0);
            classes.entry(units as u64).or_default().push(i);
        }
        let mut orders_of = vec![Vec::new(); self.def.groups.len()];
        for (i, order) in self.def.orders.iter().enumerate() {
            orders_of[usize::from(order.group)].push(i);
        }
        for members in classes.values() {
            let first = &self.def.groups[members[0]];
            match self.map.try_class(first.def.radius) {
                Ok(class) => {
                    for &group in members {
                        self.group(group, &orders_of[group], &class, problems);
                    }
                }
                Err(error) => {
                    let expected = "a radius that fits the map's cells";
                    problems.problem(&first.at, error.to_string(), expected);
                }
            }
        }
    }

    fn group(
        &mut self,
        group: usize,
        orders: &[usize],
        class: &Clearance,
        problems: &mut Problems<'_>,
    ) {
        let entry = &self.def.groups[group];
        for (k, spawn) in entry.spawns.iter().enumerate() {
            let seed = hash(hash(self.def.seed, group as u64), k as u64);
            let placed = self.spawn(spawn, entry.def.radius, seed, class, problems);
            self.groups[group].positions.extend(placed);
        }
        let id = group as u16;
        if let Some(goal) = &entry.goal {
            self.goal(goal, class, problems);
            let kind = OrderKind::Move { group: id, area: goal.shapes.clone() };
            self.orders[group] = Some(OrderDef { tick: 0, kind });
        }
        for &k in orders {
            let order = &self.def.orders[k];
            let kind = match &order.kind {
                OrderEntryKind::Move(goal) => {
                    self.goal(goal, class, problems);
                    OrderKind::Move { group: id, area: goal.shapes.clone() }
                }
                OrderEntryKind::Stop => OrderKind::Stop { group: id },
                OrderEntryKind::Spawn(spawn) => {
                    // Beyond every group, so that no group's stream is used again.
                    let seed = hash(hash(self.def.seed, u64::MAX), k as u64);
                    let positions = self.spawn(spawn, entry.def.radius, seed, class, problems);
                    let (area, count) = (spawn.area.shapes.clone(), spawn.count as u32);
                    OrderKind::Spawn { group: id, area, count, positions }
                }
                OrderEntryKind::Remove(area) => {
                    if let Some(area) = area {
                        self.on_map(area, problems);
                    }
                    let area = area.as_ref().map(|area| area.shapes.clone());
                    OrderKind::Remove { group: id, area }
                }
            };
            let slot = self.def.groups.len() + k;
            self.orders[slot] = Some(OrderDef { tick: order.tick, kind });
        }
    }

    /// Whether an area is on the map; what is not is reported.
    fn on_map(&mut self, area: &AreaDef, problems: &mut Problems<'_>) -> bool {
        let mut inside = true;
        for (shape, at) in area.shapes.iter().zip(&area.places) {
            let before = self.work;
            self.work = before.saturating_add(area::work(self.map, shape));
            if self.work > MAX_WORK {
                if before <= MAX_WORK {
                    let wrong = "the areas are too many for a map of this size";
                    problems.problem(at, wrong, "fewer or smaller goals, spawns and orders");
                }
                return false;
            }
            if let Err(error) = shape.check_on(self.map) {
                let [width, height] = area::extent(self.map);
                let expected = format!("x from 0 to {width} and y from 0 to {height}");
                problems.problem(at, error.to_string(), expected);
                inside = false;
            }
        }
        inside
    }

    /// Whether an area is on the map and every shape of it has a cell to stand in.
    fn goal(&mut self, area: &AreaDef, class: &Clearance, problems: &mut Problems<'_>) -> bool {
        let mut open = self.on_map(area, problems);
        if !open {
            return false;
        }
        for (shape, at) in area.shapes.iter().zip(&area.places) {
            if !area::has_room(self.map, shape, class.slowness()) {
                let error = AreaError::InWall { shape: shape.label() };
                problems.problem(at, error.to_string(), "an area with open cells");
                open = false;
            }
        }
        open
    }

    /// The positions of a spawn; none when something is wrong, which is reported.
    fn spawn(
        &mut self,
        spawn: &SpawnDef,
        radius: f64,
        seed: u64,
        class: &Clearance,
        problems: &mut Problems<'_>,
    ) -> Vec<[f64; 2]> {
        if !self.goal(&spawn.area, class, problems) {
            return Vec::new();
        }
        let shapes = &spawn.area.shapes;
        match place(self.map, class.slowness(), shapes, spawn.count, radius, seed) {
            Ok(positions) => positions,
            Err(error) => {
                let expected = "fewer agents, a larger area or a smaller radius";
                problems.problem(&spawn.at, error.to_string(), expected);
                Vec::new()
            }
        }
    }
}
