//! The observer: follows a world from tick to tick and measures what the summary reports.

use std::ops::Range;

use serde::Serialize;

use crate::lane::Numbers;
use crate::math::each::Each;
use crate::par;
use crate::report::columns::Columns;
use crate::report::crush::{Crush, CrushMeter};
use crate::report::measures::Overlaps;
use crate::report::passes::PassMeter;
use crate::report::speed::SpeedMeter;
use crate::report::stuck::StuckMeter;
use crate::report::timeline::Timeline;
use crate::report::{Crowd, measures};
use crate::world::World;

/// Rows that are looked at together.
const CHUNK: usize = 4_096;

/// What an observer has measured of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Observed {
    /// Agents with their centre in a wall, off the map or not finite at any tick.
    pub inside_wall: u64,
    /// The deepest overlap of two discs, metres.
    pub max_overlap_m: f64,
    /// The largest share of the smaller radius that an overlap took.
    pub max_overlap_radii: f64,
    /// Pairs of agents that overlapped, at the worst moment measured.
    pub overlapping_pairs: u64,
    /// How agents pressed over the whole run.
    pub crush: Crush,
    /// Mean speed of agents under way, m/s.
    pub mean_speed: f64,
    /// Seconds of agents that had an order, had neither arrived nor halted to shoot, and moved less
    /// than a radius in 10 s.
    pub stuck_agent_s: f64,
    /// The most such agents at once, looked at once a simulated second.
    pub stuck_agents_max: u64,
    /// Agents that there were at that moment.
    pub stuck_agents_max_of: u64,
    /// The tick of that moment, the first of several; 0 when no agent ever was stuck.
    pub stuck_agents_max_at: u64,
    /// Agents that were stuck at any time.
    pub stuck_agents: u64,
    /// The longest time that an agent was stuck without a break, seconds.
    pub stuck_longest_s: f64,
    /// Agents stuck at the last look.
    pub stuck_agents_end: u64,
    /// Agents that have left the world by a decision of their own, or by a sink.
    pub left: u64,
}

/// When an observer looks at all agents, beside walls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Looks {
    /// Every 0.1 s for agents that pass through each other, once a simulated second for all else.
    #[default]
    Usual,
    /// Once a simulated second: agents that pass through each other are not counted.
    Few,
    /// Never: the crowd is not measured.
    None,
}

/// Measures a run. Feed it every tick; it looks for walls at each, for agents that pass through
/// each other every 0.1 s, at the rest once a simulated second.
#[derive(Debug, Default)]
pub struct Observer {
    columns: Columns,
    /// Where agents are, between the looks at everything.
    places: Columns,
    every: u64,
    stuck: StuckMeter,
    speed: SpeedMeter,
    overlaps: Overlaps,
    crush: CrushMeter,
    passes: PassMeter,
    looks: Looks,
    timeline: Timeline,
    /// By id index: was seen in a wall.
    walled: Vec<bool>,
    left: u64,
}

impl Observer {
    /// For a world with ticks of `dt` seconds; `colours` of the groups, as many as there will be.
    pub fn new(dt: f64, colours: Vec<[u8; 3]>) -> Self {
        Self {
            columns: Columns::new(colours),
            every: (1.0 / dt).round().max(1.0) as u64,
            stuck: StuckMeter::new(dt),
            passes: PassMeter::new(dt),
            ..Self::default()
        }
    }

    /// The same, with the states of machines told apart: the class of a group's agents in the first
    /// state of its machine, those of the other states next, and the colours of all classes.
    #[must_use]
    pub fn by_state(mut self, first: Vec<u16>, colours: Vec<[u8; 3]>) -> Self {
        self.columns.tell_states_apart(first, colours);
        self
    }

    /// The same, with other looks at all agents.
    #[must_use]
    pub fn with_looks(mut self, looks: Looks) -> Self {
        self.looks = looks;
        self
    }

    /// Whether it looks at all agents after so many ticks; else [`Observer::observe_part`] is enough.
    pub fn is_due(&self, tick: u64) -> bool {
        match self.looks {
            Looks::Usual => tick.is_multiple_of(self.every) || self.passes.is_due(tick),
            Looks::Few => tick.is_multiple_of(self.every),
            Looks::None => false,
        }
    }

    /// Looks at some rows of a world after a tick in which it is not due.
    pub fn observe_part<N: Numbers>(&mut self, world: &World<N>, rows: Range<usize>) {
        self.look_for_walls(world, rows);
        self.left += u64::from(world.left());
        self.timeline.observe(world);
    }

    /// Id indices of agents that it has seen in walls.
    pub fn walled(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.walled).filter(|(_, walled)| **walled).map(|(id, _)| id)
    }

    /// Takes on id indices of agents that were seen in walls by another one.
    pub fn note_walled(&mut self, ids: impl Iterator<Item = u32>) {
        for id in ids.map(|id| id as usize) {
            self.walled.resize(self.walled.len().max(id + 1), false);
            self.walled[id] = true;
        }
    }

    /// Looks at a world after a tick.
    ///
    /// Returns whether it has loaded the crowd, to be seen by [`Observer::crowd`].
    pub fn observe<N: Numbers>(&mut self, world: &World<N>) -> bool {
        self.observe_part(world, 0..world.len());
        let tick = world.tick_count();
        if self.looks == Looks::Usual && self.passes.is_due(tick) {
            // By group, as no states are told apart here.
            self.places.load_places(world);
            self.passes.observe(tick, &self.places.crowd(), world.map());
        }
        let due = self.looks != Looks::None && tick.is_multiple_of(self.every);
        if due {
            self.sample(world);
        }
        due
    }

    /// Looks at the world at the end of a run; one too short for a sample gets its only one.
    pub fn finish<N: Numbers>(&mut self, world: &World<N>) {
        if self.crush.samples() == 0 && self.looks != Looks::None {
            self.sample(world);
        } else {
            self.load(world);
        }
    }

    fn sample<N: Numbers>(&mut self, world: &World<N>) {
        self.load(world);
        let (tick, crowd) = (world.tick_count(), self.columns.crowd());
        self.stuck.observe(tick, &crowd);
        self.speed.observe(self.columns.velocities(), crowd.flags);
        let depths = measures::depths(&crowd, world.map());
        self.overlaps = self.overlaps.worse(depths.overlaps);
        self.crush.take(tick, crowd.len(), &depths);
    }

    /// Copies the columns of a world, to be seen by [`Observer::crowd`].
    pub fn load<N: Numbers>(&mut self, world: &World<N>) {
        self.columns.load(world);
    }

    /// The crowd as last loaded.
    pub fn crowd(&self) -> Crowd<'_> {
        self.columns.crowd()
    }

    fn look_for_walls<N: Numbers>(&mut self, world: &World<N>, rows: Range<usize>) {
        let map = world.map();
        let in_wall = |pos: &[N; 2]| {
            let [x, y] = pos.each(N::to_f64);
            map.cell_at(x, y).is_none_or(|cell| map.slowness()[cell as usize] == 0)
        };
        let (pos, tags) = (&world.positions()[rows.clone()], &world.tags()[rows]);
        let walled = |rows: Range<usize>| {
            let rows = pos[rows.clone()].iter().zip(&tags[rows]).filter(|(pos, _)| in_wall(pos));
            rows.map(|(_, tag)| tag.id).collect::<Vec<u32>>()
        };
        let seen = par::runs(pos.len(), CHUNK, walled);
        self.note_walled(seen.into_iter().flatten());
    }

    /// What has happened to strategies; it names no teams.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Agents that have left by a decision of their own, or by a sink, so far.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// The run so far.
    pub fn observed(&self) -> Observed {
        let (overlaps, stuck) = (self.overlaps, self.stuck.most());
        Observed {
            inside_wall: self.walled.iter().filter(|&&walled| walled).count() as u64,
            max_overlap_m: overlaps.max_overlap_m,
            max_overlap_radii: overlaps.max_overlap_radii,
            overlapping_pairs: overlaps.pairs,
            crush: self.crush.crush(self.passes.passes()),
            mean_speed: self.speed.mean(),
            stuck_agent_s: self.stuck.stuck_agent_s(),
            stuck_agents_max: u64::from(stuck.agents),
            stuck_agents_max_of: u64::from(stuck.of),
            stuck_agents_max_at: stuck.tick,
            stuck_agents: self.stuck.ever(),
            stuck_longest_s: self.stuck.longest_s(),
            stuck_agents_end: u64::from(self.stuck.stuck_now()),
            left: self.left,
        }
    }
}
