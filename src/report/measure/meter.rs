//! The measures themselves: looks at a crowd after every tick.

use crate::lane::Numbers;
use crate::map::Map;
use crate::math::each::Each;
use crate::nav::field::FieldId;
use crate::par;
use crate::report::columns::Columns;
use crate::report::crush::{CrushMeter, per_1000};
use crate::report::measure::area::AreaMeter;
use crate::report::measure::gate::{GateMeter, Line};
use crate::report::measure::path::{Trips, ways_along};
use crate::report::measure::report::{Crossing, GroupReport, OverlapReport, Report, WallReport};
use crate::report::measure::series::{GroupSample, GroupSeries, Sample, Series};
use crate::report::measure::track::{Event, Tracks};
use crate::report::measure::voronoi::Voronoi;
use crate::report::measure::walls::wall_contact;
use crate::report::passes::{PassMeter, Passes};
use crate::report::roll::Roll;
use crate::report::stuck::StuckMeter;
use crate::report::{ARRIVED, Crowd, ORDERED, measures};
use crate::scenario::{AreaPlan, GatePlan, Plan};
use crate::world::World;

/// How measures are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Ticks from one sample to the next, at least 1. Crossings, ways and rest are followed at every
    /// tick.
    pub every: u64,
    /// Seconds at the start that means over time leave out. Default 10.
    pub warm_up_s: f64,
    /// Largest radius of a Voronoi cell in m, above 0. The circle is a polygon of 64 sides: the `Cutoff` of
    /// PedPy with 16 `quad_segments`. Default none.
    pub cutoff_m: Option<f64>,
}

impl Default for Options {
    /// A sample every 10 ticks, the first 10 s left out of means.
    fn default() -> Self {
        Self { every: 10, warm_up_s: 10.0, cutoff_m: None }
    }
}

/// Takes the measures of a run. Feed it every tick.
#[derive(Debug, Default)]
pub struct Measures {
    options: Options,
    dt: f64,
    columns: Columns,
    tracks: Tracks,
    roll: Roll,
    trips: Trips,
    /// By group: the field that its order leads it by.
    fields: Vec<Option<FieldId>>,
    /// Whether a trip may have no reference yet.
    unknown: bool,
    lines: Vec<Line>,
    gates: Vec<GateMeter>,
    areas: Vec<AreaMeter>,
    /// `None` without areas.
    voronoi: Option<Voronoi>,
    names: Vec<String>,
    stuck: StuckMeter,
    overlap: OverlapReport,
    crush: CrushMeter,
    passes: PassMeter,
    /// What had passed at the last sample, and its tick.
    passed: (Passes, u64),
    walls: WallReport,
    series: Series,
    groups: Vec<GroupSeries>,
    /// By group: the last tick at which an agent moved.
    moved: Vec<Option<u64>>,
    /// By group: agents that have left by sinks.
    left: Vec<u64>,
    /// Ticks done when last looked at, and when last sampled.
    tick: u64,
    sampled: Option<u64>,
}

impl Measures {
    /// For a run of a plan, with its gates and areas.
    ///
    /// # Panics
    /// When a sample is to be taken every 0 ticks.
    pub fn new(plan: &Plan, options: Options) -> Self {
        let dt = 1.0 / f64::from(plan.settings.tick_rate);
        let names = plan.scene.groups.iter().map(|group| group.name.clone()).collect();
        Self::on(&plan.map, dt, &plan.scene.gates, &plan.scene.areas, options).named(names)
    }

    /// The same with names of the groups.
    #[must_use]
    pub fn named(mut self, names: Vec<String>) -> Self {
        self.names = names;
        self
    }

    /// The same where so many ticks have been done before.
    #[must_use]
    pub fn from_tick(mut self, tick: u64) -> Self {
        (self.tick, self.passed.1) = (tick, tick);
        self
    }

    /// For a world without a scenario, with ticks of `dt` seconds. Groups go by their index.
    ///
    /// # Panics
    /// When a sample is to be taken every 0 ticks, or `dt` is not positive and finite.
    pub fn on(
        map: &Map,
        dt: f64,
        gates: &[GatePlan],
        areas: &[AreaPlan],
        options: Options,
    ) -> Self {
        assert!(options.every > 0, "a sample is taken every tick at most");
        Self {
            options,
            dt,
            lines: gates.iter().map(Line::new).collect(),
            gates: gates.iter().map(|gate| GateMeter::new(gate, map)).collect(),
            areas: areas.iter().map(|area| AreaMeter::new(area, map)).collect(),
            voronoi: (!areas.is_empty()).then(|| Voronoi::new(map, areas, options.cutoff_m)),
            stuck: StuckMeter::new(dt),
            passes: PassMeter::new(dt),
            ..Self::default()
        }
    }

    /// Looks at a world after a tick.
    pub fn observe<N: Numbers>(&mut self, world: &World<N>) {
        if !self.lines.is_empty() {
            self.roll.enrol(world);
        }
        let mut columns = std::mem::take(&mut self.columns);
        columns.load(world);
        let (crowd, velocities) = (columns.crowd(), columns.velocities());
        let posts = columns.posts();
        self.see_off(world);
        self.follow(world.tick_count(), world.map(), &crowd, velocities, posts);
        self.follow_orders(world, &crowd, posts);
        if self.unknown && world.tick_count().is_multiple_of(self.options.every) {
            self.find_ways(world, &crowd, posts);
        }
        self.columns = columns;
    }

    /// Counts agents that have left by sinks as arrived.
    fn see_off<N: Numbers>(&mut self, world: &World<N>) {
        for gone in world.last_gone() {
            let group = usize::from(gone.group);
            self.left.resize(self.left.len().max(group + 1), 0);
            self.left[group] += 1;
            let (id, at) = (gone.id.index, gone.at.each(|c| c as f32));
            let Some((before, walked)) = self.tracks.last_step(id, gone.at) else { continue };
            self.trips.end(id, [gone.post, group as u16], at, walked);
            for gate in 0..self.lines.len() {
                if let Some((share, forward)) = self.lines[gate].crossed(before, gone.at) {
                    self.count(gate, (id, group as u16), (world.tick_count(), share), forward);
                }
            }
        }
    }

    /// An agent of a group has crossed a gate, after a share of the time up to a tick.
    fn count(
        &mut self,
        gate: usize,
        (agent, group): (u32, u16),
        (tick, share): (u64, f64),
        forward: bool,
    ) {
        let passed = (tick - self.tick) as f64;
        let time_s = (self.tick as f64 + share * passed) * self.dt;
        let id = match self.roll.number(agent) {
            0 => u64::from(agent) + 1,
            number => number,
        };
        self.gates[gate].count(Crossing {
            time_s,
            id,
            agent,
            appearance: self.tracks.appeared(agent),
            group,
            forward,
            for_good: false,
        });
    }

    /// Takes a last sample of what was observed last, unless there is one.
    pub fn finish<N: Numbers>(&mut self, world: &World<N>) {
        if self.sampled != Some(world.tick_count()) {
            let mut columns = std::mem::take(&mut self.columns);
            columns.load(world);
            self.tick = world.tick_count();
            self.sample(world.map(), &columns.crowd(), columns.velocities());
            self.columns = columns;
        }
    }

    /// Looks at a crowd after a tick, `tick` ticks done; velocities in m/s, by row. Ways are compared
    /// with the straight line then.
    ///
    /// # Panics
    /// When columns differ in length.
    pub fn look(&mut self, tick: u64, map: &Map, crowd: &Crowd, velocities: &[[f32; 2]]) {
        self.follow(tick, map, crowd, velocities, crowd.groups);
    }

    /// The same, with the groups whose orders agents follow: `posts`, by row.
    fn follow(
        &mut self,
        tick: u64,
        map: &Map,
        crowd: &Crowd,
        velocities: &[[f32; 2]],
        posts: &[u16],
    ) {
        crowd.check();
        let rows = crowd.len();
        assert!(velocities.len() == rows, "{rows} positions, {} velocities", velocities.len());
        let (events, moves) = self.tracks.follow(crowd, velocities, &self.lines);
        for event in events {
            self.take(event, tick, crowd, posts);
        }
        self.moved.resize(moves.len().max(self.moved.len()), None);
        for (moved, _) in self.moved.iter_mut().zip(moves).filter(|(_, moves)| *moves) {
            *moved = Some(tick);
        }
        self.passes.observe(tick, crowd, map);
        self.tick = tick;
        if tick.is_multiple_of(self.options.every) {
            self.sample(map, crowd, velocities);
        }
    }

    fn take(&mut self, event: Event, tick: u64, crowd: &Crowd, posts: &[u16]) {
        let who = |row: u32| {
            let row = row as usize;
            (crowd.ids[row], crowd.groups[row], crowd.positions[row])
        };
        match event {
            Event::Crossed { row, gate, share, forward } => {
                let (agent, group, _) = who(row);
                self.count(gate as usize, (agent, group), (tick, share), forward);
            }
            Event::Began { row } => {
                let (id, _, at) = who(row);
                self.trips.begin(id, posts[row as usize], at, self.tracks.walked(id));
                self.unknown = true;
            }
            Event::Arrived { row } => {
                let (id, group, at) = who(row);
                let groups = [posts[row as usize], group];
                self.trips.end(id, groups, at, self.tracks.walked(id));
            }
        }
    }

    /// Begins the trips of a group anew when it gets another order on the way.
    fn follow_orders<N: Numbers>(&mut self, world: &World<N>, crowd: &Crowd, posts: &[u16]) {
        let field =
            |group: &crate::world::Group<N>| group.plain_field.or(group.next_field).or(group.field);
        let fields: Vec<Option<FieldId>> = world.groups().iter().map(field).collect();
        let old = std::mem::replace(&mut self.fields, fields);
        if !old.iter().zip(&self.fields).any(|(old, new)| old.is_some() && old != new) {
            return;
        }
        for (row, &group) in posts.iter().enumerate() {
            let id = crowd.ids[row];
            let before = old.get(usize::from(group)).copied().flatten();
            let other = before.is_some() && before != self.fields[usize::from(group)];
            if other && crowd.flags[row] & (ORDERED | ARRIVED) == ORDERED {
                self.trips.begin(id, group, crowd.positions[row], self.tracks.walked(id));
                self.unknown = true;
            }
        }
    }

    /// Finds the lengths of the ways of all agents that have none and whose group's field is there.
    fn find_ways<N: Numbers>(&mut self, world: &World<N>, crowd: &Crowd, posts: &[u16]) {
        let directions: Vec<Option<&[u32]>> = world
            .groups()
            .iter()
            .map(|group| group.field.filter(|_| group.next_field.is_none()))
            .map(|field| field.and_then(|field| world.fields().directions(field)))
            .collect();
        self.unknown = false;
        // By group: agents without a length that are under way, and where they set out.
        let mut starts: Vec<Vec<(u32, [f32; 2])>> = vec![Vec::new(); directions.len()];
        for (row, &id) in crowd.ids.iter().enumerate() {
            let goes = crowd.flags[row] & (ORDERED | ARRIVED) == ORDERED;
            let Some(start) = self.trips.unknown(id).filter(|_| goes) else { continue };
            let group = usize::from(posts[row]);
            if directions[group].is_some() {
                starts[group].push((id, start));
            } else {
                self.unknown = true;
            }
        }
        let ways = par::map(starts.len(), 1, |group| {
            let starts = starts[group].iter().map(|(_, start)| start.each(f64::from));
            ways_along(world.map(), directions[group].unwrap_or_default(), starts)
        });
        for (&(id, _), way) in starts.iter().flatten().zip(ways.into_iter().flatten()) {
            self.trips.refer(id, way);
        }
    }

    fn sample(&mut self, map: &Map, crowd: &Crowd, velocities: &[[f32; 2]]) {
        self.sampled = Some(self.tick);
        self.stuck.observe(self.tick, crowd);
        let depths = measures::depths(crowd, map);
        let overlaps = depths.overlaps;
        self.crush.take(self.tick, crowd.len(), &depths);
        let [pairs_per_1000, deeper_25, deeper_50, deeper_100] = per_1000(crowd.len(), &depths);
        let now = self.passes.passes();
        let (before, then) = std::mem::replace(&mut self.passed, (now, self.tick));
        let passed_s = self.tick.saturating_sub(then) as f64 * self.dt;
        let rate = |passes: u64| if passed_s > 0.0 { passes as f64 / passed_s } else { 0.0 };
        let walls = wall_contact(crowd, map);
        self.overlap = OverlapReport {
            max_m: self.overlap.max_m.max(overlaps.max_overlap_m),
            max_radii: self.overlap.max_radii.max(overlaps.max_overlap_radii),
            max_pairs: self.overlap.max_pairs.max(overlaps.pairs),
        };
        self.walls = WallReport {
            max_depth_m: self.walls.max_depth_m.max(walls.max_depth_m),
            max_agents: self.walls.max_agents.max(walls.agents),
            max_inside: self.walls.max_inside.max(walls.inside),
        };
        let all = self.sample_groups(crowd, velocities);
        let energy = all.energy / all.agents as f64;
        self.series.push(Sample {
            time_s: self.tick as f64 * self.dt,
            agents: all.agents,
            arrived: all.arrived,
            mean_speed: all.mean_speed(),
            kinetic_energy: (all.agents > 0).then_some(energy),
            stuck: u64::from(self.stuck.stuck_now()),
            max_overlap_m: overlaps.max_overlap_m,
            overlapping_pairs: overlaps.pairs,
            pairs_per_1000,
            deeper_25,
            deeper_50,
            deeper_100,
            overlap_p99: depths.quantile(0.99),
            passes_same_per_s: rate(now.same - before.same),
            passes_other_per_s: rate(now.other - before.other),
            max_wall_depth_m: walls.max_depth_m,
            wall_contacts: walls.agents,
            inside_wall: walls.inside,
        });
        let Some(voronoi) = &self.voronoi else { return };
        let local = voronoi.look(crowd, velocities);
        for (area, local) in self.areas.iter_mut().zip(local) {
            area.sample(crowd, velocities, local);
        }
    }

    /// Adds an entry to the series of every group; the sums of all.
    fn sample_groups(&mut self, crowd: &Crowd, velocities: &[[f32; 2]]) -> Sums {
        let groups = crowd.radii.len().max(self.groups.len()).max(self.left.len());
        let mut sums = vec![Sums::default(); groups];
        for ((&[x, y], &group), &flags) in velocities.iter().zip(crowd.groups).zip(crowd.flags) {
            let (x, y) = (f64::from(x), f64::from(y));
            let square = x * x + y * y;
            let sums = &mut sums[usize::from(group)];
            sums.agents += 1;
            sums.arrived += u64::from(flags & ARRIVED != 0);
            sums.energy += square * 0.5;
            if flags & (ORDERED | ARRIVED) == ORDERED {
                sums.under_way += 1;
                sums.speed += square.sqrt();
            }
        }
        let samples = self.series.time_s.len();
        while self.groups.len() < sums.len() {
            // A new group had no agents before.
            let mut series = GroupSeries::default();
            (0..samples).for_each(|_| series.push(GroupSample::default()));
            self.groups.push(series);
        }
        for (sums, left) in sums.iter_mut().zip(&self.left) {
            sums.arrived += left;
        }
        let mut all = Sums::default();
        for (series, sums) in self.groups.iter_mut().zip(&sums) {
            let Sums { agents, arrived, .. } = *sums;
            series.push(GroupSample { agents, arrived, mean_speed: sums.mean_speed() });
            all.agents += sums.agents;
            all.arrived += sums.arrived;
            all.under_way += sums.under_way;
            all.speed += sums.speed;
            all.energy += sums.energy;
        }
        all
    }

    /// The measures so far.
    pub fn report(&self) -> Report {
        let times = &self.series.time_s;
        let first = times.partition_point(|&time| time < self.options.warm_up_s);
        let speeds = self.series.mean_speed.iter().skip(first).flatten();
        let (sum, count) = speeds.fold((0.0, 0), |(sum, n), speed| (sum + speed, n + 1));
        let groups: Vec<GroupReport> = (0..self.groups.len()).map(|at| self.group(at)).collect();
        let settled: Option<Vec<f64>> = groups.iter().map(|group| group.settle_time_s).collect();
        Report {
            ticks: self.tick,
            dt: self.dt,
            sample_every: self.options.every,
            warm_up_s: self.options.warm_up_s,
            cutoff_m: self.options.cutoff_m,
            overlap: self.overlap,
            crush: self.crush.crush(self.passes.passes()),
            walls: self.walls,
            stuck_agent_s: self.stuck.stuck_agent_s(),
            stuck_agents_max: u64::from(self.stuck.most().agents),
            settle_time_s: settled.map(|times| times.into_iter().fold(0.0, f64::max)),
            mean_speed: (count > 0).then(|| sum / f64::from(count)),
            groups,
            gates: self.gates.iter().map(|gate| gate.report(times)).collect(),
            areas: self.areas.iter().map(|area| area.report(first)).collect(),
            series: self.series.clone(),
        }
    }

    fn group(&self, index: usize) -> GroupReport {
        let series = &self.groups[index];
        let settled = match self.moved.get(index).copied().flatten() {
            None => Some(0.0),
            Some(tick) => (tick < self.tick).then(|| (tick + 1) as f64 * self.dt),
        };
        GroupReport {
            name: self.names.get(index).cloned().unwrap_or_else(|| format!("group {index}")),
            agents: series.agents.last().copied().unwrap_or(0),
            arrived: series.arrived.last().copied().unwrap_or(0),
            settle_time_s: settled,
            stuck_agent_s: self.stuck.stuck_agent_s_of(index),
            path: self.trips.report(index),
            series: series.clone(),
        }
    }
}

/// Sums over some agents at one moment.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    agents: u64,
    arrived: u64,
    /// Agents with an order that have not arrived, and the sum of their speeds.
    under_way: u64,
    speed: f64,
    /// Sum of v² / 2.
    energy: f64,
}

impl Sums {
    fn mean_speed(&self) -> Option<f64> {
        (self.under_way > 0).then(|| self.speed / self.under_way as f64)
    }
}
