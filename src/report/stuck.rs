//! Agents that want to go somewhere and don't get on.

use crate::math::each::Each;
use crate::report::{ARRIVED, Crowd, ORDERED};

/// Seconds over which an agent must move its radius not to count as stuck, and observations kept.
const WINDOW: usize = 10;

/// Finds agents that have an order and don't get on. Looks once a simulated second.
///
/// An agent is stuck while it has an order, has not arrived, and is less than its radius away from
/// where it was 10 s ago. An agent that appears, or gets its order, is judged from 10 s later on.
///
/// Ten positions are remembered by id, 104 bytes for every id up to the largest.
#[derive(Clone, Debug, Default)]
pub struct StuckMeter {
    dt: f64,
    /// Ticks from one observation to the next.
    every: u64,
    /// Tick of the last observation.
    last: Option<u64>,
    /// Number of the current observation, from 1.
    round: u32,
    /// Positions by id at the last rounds; round `r` is in `r % WINDOW`.
    past: Vec<Vec<[f32; 2]>>,
    /// By id: the last round in which the agent was under way, and for how many rounds.
    under_way: Vec<UnderWay>,
    /// By group: ticks that its agents were stuck, summed over agents.
    stuck_ticks: Vec<u64>,
    stuck_now: Vec<u32>,
    most: StuckMost,
    /// Agents that were ever stuck.
    ever: u64,
    /// Ticks that an agent was stuck without a break, at most.
    longest: u64,
}

/// The observation with the most agents stuck, the first of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StuckMost {
    /// Agents stuck; 0 when none ever was.
    pub agents: u32,
    /// Agents that there were then.
    pub of: u32,
    /// The tick.
    pub tick: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct UnderWay {
    round: u32,
    rounds: u32,
    /// Ticks that it has been stuck without a break.
    stuck: u64,
    /// Whether it was ever stuck.
    ever: bool,
}

impl StuckMeter {
    /// A meter for ticks of `dt` seconds.
    ///
    /// # Panics
    /// When `dt` is not positive and finite.
    pub fn new(dt: f64) -> Self {
        assert!(dt > 0.0 && dt.is_finite(), "a tick must last longer than 0 s, got {dt}");
        Self {
            dt,
            every: (1.0 / dt).round().max(1.0) as u64,
            past: vec![Vec::new(); WINDOW],
            ..Self::default()
        }
    }

    /// Whether a simulated second has passed since the last observation.
    pub fn is_due(&self, tick: u64) -> bool {
        self.last.is_none_or(|last| tick >= last + self.every)
    }

    /// Looks at the crowd after a tick. Does nothing unless [`is_due`](Self::is_due), so it may be
    /// called at every tick.
    pub fn observe(&mut self, tick: u64, crowd: &Crowd) {
        if !self.is_due(tick) {
            return;
        }
        crowd.check();
        let passed = self.last.map_or(0, |last| tick - last);
        self.last = Some(tick);
        self.round += 1;
        let ids = crowd.ids.iter().max().map_or(0, |&most| most as usize + 1);
        if ids > self.under_way.len() {
            self.under_way.resize(ids, UnderWay::default());
            self.past.iter_mut().for_each(|past| past.resize(ids, [0.0; 2]));
        }
        let past = &mut self.past[self.round as usize % WINDOW];
        self.stuck_now.clear();
        self.stuck_now.resize(crowd.radii.len(), 0);
        for row in 0..crowd.len() {
            if crowd.flags[row] & (ORDERED | ARRIVED) != ORDERED {
                continue;
            }
            let id = crowd.ids[row] as usize;
            let under_way = &mut self.under_way[id];
            let goes_on = under_way.round + 1 == self.round;
            let rounds = if goes_on { under_way.rounds + 1 } else { 0 };
            // An id that another agent takes over in between is not told apart.
            (under_way.round, under_way.rounds) = (self.round, rounds);
            let before = std::mem::replace(&mut past[id], crowd.positions[row]);
            let group = usize::from(crowd.groups[row]);
            let radius = f64::from(crowd.radii[group]);
            if rounds as usize >= WINDOW && !has_moved(before, crowd.positions[row], radius) {
                self.stuck_now[group] += 1;
                self.ever += u64::from(!std::mem::replace(&mut under_way.ever, true));
                under_way.stuck += passed;
                self.longest = self.longest.max(under_way.stuck);
            } else {
                under_way.stuck = 0;
            }
        }
        self.stuck_ticks.resize(self.stuck_ticks.len().max(self.stuck_now.len()), 0);
        for (ticks, &now) in self.stuck_ticks.iter_mut().zip(&self.stuck_now) {
            *ticks += u64::from(now) * passed;
        }
        let agents = self.stuck_now();
        if agents > self.most.agents {
            self.most = StuckMost { agents, of: crowd.len() as u32, tick };
        }
    }

    /// Seconds that agents have been stuck, over all agents.
    pub fn stuck_agent_s(&self) -> f64 {
        self.stuck_ticks.iter().sum::<u64>() as f64 * self.dt
    }

    /// The same for one group.
    pub fn stuck_agent_s_of(&self, group: usize) -> f64 {
        self.stuck_ticks.get(group).copied().unwrap_or(0) as f64 * self.dt
    }

    /// Agents that were stuck at any observation, by the index part of their ids.
    pub fn ever(&self) -> u64 {
        self.ever
    }

    /// The longest time that an agent was stuck without a break, seconds.
    pub fn longest_s(&self) -> f64 {
        self.longest as f64 * self.dt
    }

    /// Agents stuck at the last observation.
    pub fn stuck_now(&self) -> u32 {
        self.stuck_now.iter().sum()
    }

    /// The most that were stuck at once.
    pub fn most(&self) -> StuckMost {
        self.most
    }
}

/// Whether two points are a radius or more apart.
fn has_moved(from: [f32; 2], to: [f32; 2], radius: f64) -> bool {
    let [dx, dy] = [0, 1].each(|axis| f64::from(to[axis]) - f64::from(from[axis]));
    dx * dx + dy * dy >= radius * radius
}
