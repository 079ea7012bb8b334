//! The observer: follows a world from tick to tick and measures what the summary reports.

use rayon::prelude::*;

use crate::lane::Numbers;
use crate::report::ARRIVED;
use crate::report::Crowd;
use crate::report::ORDERED;
use crate::report::measures;
use crate::report::measures::Overlaps;
use crate::report::speed::SpeedMeter;
use crate::report::stuck::StuckMeter;
use crate::world::World;
use crate::world::state;

/// Rows that are looked at together.
const CHUNK: usize = 4_096;

/// Measures a run. Feed it every tick; it looks for walls at each, at the rest once a simulated
/// second.
#[derive(Debug)]
pub struct Observer {
    positions: Vec<[f32; 2]>,
    velocities: Vec<[f32; 2]>,
    groups: Vec<u16>,
    flags: Vec<u8>,
    ids: Vec<u32>,
    radii: Vec<f32>,
    colours: Vec<[u8; 3]>,
    every: u64,
    stuck: StuckMeter,
    speed: SpeedMeter,
    overlaps: Overlaps,
    /// By id index: was seen in a wall.
    walled: Vec<bool>,
}

impl Observer {
    /// For a world with ticks of `dt` seconds; `colours` of the groups, as many as there will be.
    pub fn new(dt: f64, colours: Vec<[u8; 3]>) -> Self {
        Self {
            positions: Vec::new(),
            velocities: Vec::new(),
            groups: Vec::new(),
            flags: Vec::new(),
            ids: Vec::new(),
            radii: Vec::new(),
            colours,
            every: (1.0 / dt).round().max(1.0) as u64,
            stuck: StuckMeter::new(dt),
            speed: SpeedMeter::new(),
            overlaps: Overlaps::default(),
            walled: Vec::new(),
        }
    }

    /// Looks at a world after a tick.
    ///
    /// Returns whether it has loaded the crowd, to be seen by [`Observer::crowd`].
    pub fn observe<N: Numbers>(&mut self, world: &World<N>) -> bool {
        self.look_for_walls(world);
        let due = world.tick_count().is_multiple_of(self.every);
        if due {
            self.load(world);
            let tick = world.tick_count();
            let mut stuck = std::mem::replace(&mut self.stuck, StuckMeter::new(1.0));
            stuck.observe(tick, &self.crowd());
            self.stuck = stuck;
            self.speed.observe(&self.velocities, &self.flags);
            self.overlaps = self.overlaps.worse(measures::overlaps(&self.crowd(), world.map()));
        }
        due
    }

    /// Copies the columns of a world, to be seen by [`Observer::crowd`].
    pub fn load<N: Numbers>(&mut self, world: &World<N>) {
        let tags = world.tags();
        let single = |pair: &[N; 2]| pair.map(|number| number.to_f64() as f32);
        let ordered = |group: u16| world.groups()[usize::from(group)].has_order();
        let pairs =
            [(&mut self.positions, world.positions()), (&mut self.velocities, world.velocities())];
        for (to, from) in pairs {
            from.par_iter().with_min_len(CHUNK).map(single).collect_into_vec(to);
        }
        self.groups.clear();
        self.groups.extend(tags.iter().map(|tag| tag.group));
        self.ids.clear();
        self.ids.extend(tags.iter().map(|tag| tag.id));
        self.flags.clear();
        self.flags.extend(tags.iter().map(|tag| {
            let arrived = if tag.state & state::ARRIVED != 0 { ARRIVED } else { 0 };
            arrived | if ordered(tag.group) { ORDERED } else { 0 }
        }));
        self.radii.clear();
        self.radii.extend(world.groups().iter().map(|group| group.def.radius as f32));
        self.colours.resize(self.radii.len(), [128; 3]);
    }

    /// The crowd as last loaded.
    pub fn crowd(&self) -> Crowd<'_> {
        Crowd {
            positions: &self.positions,
            groups: &self.groups,
            flags: &self.flags,
            ids: &self.ids,
            radii: &self.radii,
            colours: &self.colours,
        }
    }

    fn look_for_walls<N: Numbers>(&mut self, world: &World<N>) {
        let map = world.map();
        let in_wall = |pos: &[N; 2]| {
            let [x, y] = pos.map(N::to_f64);
            map.cell_at(x, y).is_none_or(|cell| map.slowness()[cell as usize] == 0)
        };
        let rows = world.positions().par_iter().zip(world.tags()).with_min_len(CHUNK);
        let seen: Vec<u32> = rows.filter(|(pos, _)| in_wall(pos)).map(|(_, tag)| tag.id).collect();
        for id in seen {
            let id = id as usize;
            self.walled.resize(self.walled.len().max(id + 1), false);
            self.walled[id] = true;
        }
    }

    /// Agents whose centre was in a wall, off the map or not finite at any tick.
    pub fn inside_wall(&self) -> u64 {
        self.walled.iter().filter(|&&walled| walled).count() as u64
    }

    /// Seconds of agents that were stuck.
    pub fn stuck_agent_s(&self) -> f64 {
        self.stuck.stuck_agent_s()
    }

    /// Mean speed of those under way, m/s.
    pub fn mean_speed(&self) -> f64 {
        self.speed.mean()
    }

    /// The worst overlaps seen.
    pub fn overlaps(&self) -> Overlaps {
        self.overlaps
    }
}
