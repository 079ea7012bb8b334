//! What a run did, in one record: JSON for programs, text for people.

use serde::{Serialize, Serializer};
pub use throng::report::number::{plural, thousands};

use crate::structures::Structures;
use crate::traffic::Counts;
use throng::lane::Numbers;
use throng::report::battle::Battle;
use throng::report::minds::Minds;
use throng::report::observer::{Looks, Observed};
use throng::report::routes::Routes;
use throng::report::timeline::Timeline;
use throng::world::{Order, World};

/// The outcome of a run. Serializes to an object whose keys are the fields, in this order; the text
/// of `Display` is made for people.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the scenario.
    pub scenario: String,
    /// Name of the map.
    pub map: String,
    /// `f32` or `fixed`.
    pub numeric: String,
    /// Threads that the run used.
    pub threads: u32,
    /// Agents at the end.
    pub agents: u64,
    /// Ticks run, those before a stretch of a replay included.
    pub ticks: u64,
    /// The tick with which a stretch of a replay, or a run from a checkpoint, begins; not there where that is
    /// 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub first_tick: u64,
    /// Seconds a tick.
    pub dt: f64,
    /// Digest of the final state, hexadecimal.
    pub digest: String,
    /// Seconds that the run took, with recording and measuring.
    pub wall_s: f64,
    /// Nanoseconds for one agent and one tick.
    pub ns_per_agent_tick: f64,
    /// How long ticks took.
    pub tick_ms: TickTimes,
    /// Nanoseconds for one agent and one tick in every stage, in the order of the tick.
    #[serde(serialize_with = "as_object")]
    pub stages: Vec<(String, f64)>,
    /// Agents that have arrived, or have left by a decision of their own or by a sink.
    pub arrived: u64,
    /// Agents that cannot reach the goal that they are sent to: no way leads there.
    pub unreachable: u64,
    /// Agents that stand around a goal that has no room for them.
    pub overflowed: u64,
    /// Goals that have no room for all of their groups; not there when all have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub full_goals: Vec<FullGoal>,
    /// What was measured of the crowd; the keys stand beside the others.
    #[serde(flatten)]
    pub crowd: Observed,
    /// The most memory the process held, MB (10⁶ bytes); 0 where that is not known.
    pub peak_rss_mb: f64,
    /// How the work was shared; not there in a run of one process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<Shared>,
    /// How long agents waited for routes; not there in a run in which all go by flow fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routes: Option<Routes>,
    /// Results of teams and weapons; not there in a run without weapons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub battle: Option<Battle>,
    /// What happened to the strategies of teams; not there in a run without any.
    #[serde(skip_serializing_if = "Timeline::is_empty")]
    pub timeline: Timeline,
    /// Agents that came by sources and left by sinks; not there in a run without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traffic: Option<Counts>,
    /// The states of structures; not there in a run without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structures: Option<Structures>,
    /// States of minds; not there in a run in which no agents think.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minds: Option<Minds>,
}

/// How processes shared the work of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Shared {
    /// How many there were.
    pub processes: u32,
    /// Bytes that all of them sent in a tick, on average.
    pub bytes_per_tick: f64,
    /// Time that the slowest worked over that of all on average; 1 where all worked as long.
    pub imbalance: f64,
    /// Share of the time that they waited for bytes of others, on average.
    pub waiting: f64,
    /// How often the cuts between them were moved.
    pub moves: u64,
    /// Why every process had all agents in the end; nothing where each had its part.
    pub whole: Option<&'static str>,
    /// When the first process looked at all agents.
    pub looks: Looks,
}

/// A goal that is too small for the group that goes there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FullGoal {
    /// Name of the group.
    pub group: String,
    /// How many agents find room in it.
    pub room: u32,
    /// How many the group has.
    pub agents: u32,
}

impl std::fmt::Display for FullGoal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [room, agents] = [self.room, self.agents].map(|count| thousands(u64::from(count)));
        write!(f, "goal of '{}' has room for {room} of {agents}", self.group)
    }
}

impl FullGoal {
    /// The full goals of a world, by group; variants of groups that think count as the group.
    pub fn of<N: Numbers>(world: &World<N>, names: &[String]) -> Vec<Self> {
        let mut found: Vec<(u16, Self)> = Vec::new();
        for (index, group) in (0_u16..).zip(world.groups()) {
            let Some(room) = group.goal_room().filter(|&room| room < group.members()) else {
                continue;
            };
            let base = world.base_group(index);
            let place = found.iter().position(|(known, _)| *known == base).unwrap_or_else(|| {
                let name = names.get(usize::from(base)).cloned();
                let group = name.unwrap_or_else(|| base.to_string());
                found.push((base, Self { group, room: 0, agents: 0 }));
                found.len() - 1
            });
            found[place].1.room += room;
            found[place].1.agents += group.members();
        }
        found.into_iter().map(|(_, goal)| goal).collect()
    }
}

/// How long the ticks of a run took, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TickTimes {
    /// Half of the ticks took no longer.
    pub median: f64,
    /// The slowest but for the first, in which the agents appear.
    pub slowest: f64,
    /// Which one that was.
    pub slowest_at: u64,
}

impl TickTimes {
    /// The same where so many ticks were done before.
    #[must_use]
    pub fn later_by(self, first: u64) -> Self {
        Self { slowest_at: self.slowest_at + first, ..self }
    }

    /// From the times of all ticks, the first one first.
    pub fn of(ticks: &[f32]) -> Self {
        let mut sorted: Vec<(f32, u64)> = ticks.iter().copied().zip(0..).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let later = |(_, tick): &&(f32, u64)| *tick > 0 || ticks.len() == 1;
        let Some(&(slowest, slowest_at)) = sorted.iter().rev().find(later) else {
            return Self::default();
        };
        let median = f64::from(sorted[(sorted.len() - 1) / 2].0);
        Self { median, slowest: f64::from(slowest), slowest_at }
    }
}

impl Summary {
    /// Agents at the end, and agents that have left by a decision of their own or by a sink.
    pub fn agents_ever(&self) -> u64 {
        self.agents + self.crowd.left
    }

    /// Simulated seconds.
    pub fn simulated_s(&self) -> f64 {
        self.ticks as f64 * self.dt
    }

    /// Ticks that were done here, without those before the first.
    pub fn ticks_done(&self) -> u64 {
        self.ticks - self.first_tick
    }

    /// Simulated seconds in one second; 0 when no time was measured.
    pub fn real_time_factor(&self) -> f64 {
        let simulated = self.ticks_done() as f64 * self.dt;
        if self.wall_s > 0.0 { simulated / self.wall_s } else { 0.0 }
    }

    /// The summary for people: some 20 lines of up to 80 columns.
    pub fn to_text(&self) -> String {
        self.to_string()
    }
}

/// Agents that an order brings.
pub(crate) fn spawned(order: &Order) -> u64 {
    match order {
        Order::Spawn { count, .. } => u64::from(*count),
        _ => 0,
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands references")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn as_object<S: Serializer>(stages: &[(String, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(stages.iter().map(|(stage, ns)| (stage, ns)))
}

/// The most memory this process has held, MB (10⁶ bytes); `None` where the system does not tell
/// (only Linux does).
pub fn peak_rss_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024.0 / 1e6)
}
