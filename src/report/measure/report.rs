//! What the measures of a run amount to. The fields are the keys of `measures.json`.

use serde::Serialize;

use crate::math::each::Each;
use crate::report::crush::Crush;
use crate::report::measure::series::{AreaSeries, GroupSeries, Series};

/// The measures of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Ticks seen, and their length in seconds.
    pub ticks: u64,
    /// See `ticks`.
    pub dt: f64,
    /// Ticks from one sample to the next.
    pub sample_every: u64,
    /// Seconds at the start that means over time leave out.
    pub warm_up_s: f64,
    /// Largest radius of a Voronoi cell, m; `None` where it was not bounded.
    pub cutoff_m: Option<f64>,
    /// Overlaps of agents with agents.
    pub overlap: OverlapReport,
    /// How agents pressed, over all samples.
    pub crush: Crush,
    /// Overlaps of agents with walls.
    pub walls: WallReport,
    /// Seconds that agents were stuck, summed over agents.
    pub stuck_agent_s: f64,
    /// The most that were stuck at once.
    pub stuck_agents_max: u64,
    /// When the last agent came to rest for good, s; `None` when an agent moved at the end.
    pub settle_time_s: Option<f64>,
    /// Mean speed over time of agents with an order that have not arrived, after the warm-up, m/s.
    pub mean_speed: Option<f64>,
    /// The groups.
    pub groups: Vec<GroupReport>,
    /// The gates.
    pub gates: Vec<GateReport>,
    /// The areas.
    pub areas: Vec<AreaReport>,
    /// The crowd over time.
    pub series: Series,
}

/// Overlaps of discs, at the worst samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct OverlapReport {
    /// Depth of the deepest, m.
    pub max_m: f64,
    /// The largest share of the smaller radius.
    pub max_radii: f64,
    /// Most pairs at once.
    pub max_pairs: u64,
}

/// Overlaps of discs with walls, at the worst samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct WallReport {
    /// The deepest, m; the radius where a centre is in a wall.
    pub max_depth_m: f64,
    /// Most agents at once that overlap a wall.
    pub max_agents: u64,
    /// Most agents at once whose centre is in a wall.
    pub max_inside: u64,
}

/// A group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupReport {
    /// Its name.
    pub name: String,
    /// Its agents at the last sample.
    pub agents: u64,
    /// Agents of it that have arrived, and agents that have left by sinks.
    pub arrived: u64,
    /// When its last agent came to rest for good (slower than 0.01 m/s until the end), s; `None` when
    /// one moved at the end.
    pub settle_time_s: Option<f64>,
    /// Seconds that its agents were stuck, summed over agents.
    pub stuck_agent_s: f64,
    /// How far its agents walked, by the shortest way.
    pub path: PathReport,
    /// The group over time.
    pub series: GroupSeries,
}

/// Length walked by the length of the way, over the trips that ended in arrival. A trip begins when an
/// agent has a new order. Ways below 1 m are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PathReport {
    /// Trips.
    pub trips: u64,
    /// Trips compared with the length along the flow field from start to goal; the others are
    /// compared with the straight line from start to end.
    pub trips_by_field: u64,
    /// Mean of the ratios.
    pub mean_ratio: Option<f64>,
    /// Median.
    pub median_ratio: Option<f64>,
    /// 95th percentile.
    pub p95_ratio: Option<f64>,
    /// The largest ratio.
    pub max_ratio: Option<f64>,
}

/// A gate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateReport {
    /// Its name.
    pub name: String,
    /// One end, m.
    pub from: [f64; 2],
    /// The other end, m.
    pub to: [f64; 2],
    /// Its length, m.
    pub length_m: f64,
    /// The length of the part that is not wall, m.
    pub open_m: f64,
    /// Passages from the left to the right as seen along the gate.
    pub forward: StreamReport,
    /// Passages from the right to the left.
    pub backward: StreamReport,
    /// Both together.
    pub both: StreamReport,
    /// Passages forward so far, by sample.
    pub forward_count: Vec<u64>,
    /// Passages backward so far, by sample.
    pub backward_count: Vec<u64>,
    /// Passages forward in a second, by sample: over the last 10 s, or since the start of the run.
    pub forward_flow: Vec<f64>,
    /// Passages backward in a second, by sample.
    pub backward_flow: Vec<f64>,
    /// Every crossing, by time; they are in `gates.csv`.
    #[serde(skip)]
    pub crossings: Vec<Crossing>,
}

/// Persons that pass a gate in one direction. A crossing and the next one of the same agent in the
/// other direction undo each other: what is left, each at its own time, is the passages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StreamReport {
    /// Passages.
    pub count: u64,
    /// All crossings of the line, those of agents that sway to and fro on it too.
    pub crossings: u64,
    /// When the first passage was, s.
    pub first_s: Option<f64>,
    /// When the last passage was, s.
    pub last_s: Option<f64>,
    /// Mean flow in persons/s, the first and the last tenth of the passages left out; `None` without
    /// two passages at different times.
    pub flow_per_s: Option<f64>,
    /// The same by the open length of the gate, persons/(m·s).
    pub specific_flow_per_m_s: Option<f64>,
}

/// An area. Means are over the samples after the warm-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AreaReport {
    /// Its name.
    pub name: String,
    /// Its ground that is not wall, m².
    pub free_m2: f64,
    /// Mean density, persons/m².
    pub mean_density: Option<f64>,
    /// The largest density of the whole run, persons/m².
    pub max_density: Option<f64>,
    /// Mean speed of agents inside, over persons and samples, m/s.
    pub mean_speed: Option<f64>,
    /// Mean of density times speed, persons/(m·s).
    pub specific_flow_per_m_s: Option<f64>,
    /// Mean density by Voronoi cells, persons/m².
    pub mean_voronoi_density: Option<f64>,
    /// Mean speed by Voronoi cells, over the samples with a cell that reaches the area, m/s.
    pub mean_voronoi_speed: Option<f64>,
    /// Levels of service of its samples.
    pub service: Option<Service>,
    /// Mean lane order over agents inside that walk, while some walk against others; see
    /// [`lane_order`](crate::report::measure::lane_order).
    pub lane_order: Option<f64>,
    /// The lane order that chance gives.
    pub lane_order_by_chance: Option<f64>,
    /// The area over time.
    pub series: AreaSeries,
}

/// Shares of samples in each level of service of walkways (Fruin 1971, "Pedestrian planning and
/// design"), by the ground that is not wall for a person inside: A from 3.25 m² on, B from 2.32, C from
/// 1.39, D from 0.93, E from 0.46, F below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct Service {
    /// Free circulation.
    pub a: f64,
    /// Some have to swerve.
    pub b: f64,
    /// Speed and passing are restricted.
    pub c: f64,
    /// Most walk slower than they like.
    pub d: f64,
    /// All do: no agent turns or goes against the others.
    pub e: f64,
    /// Shuffling, in touch with others.
    pub f: f64,
}

impl Service {
    /// Least m² for a person of the levels A to E.
    pub const LEVELS: [f64; 5] = [3.25, 2.32, 1.39, 0.93, 0.46];

    /// The level of a density in persons/m²: 0 for A to 5 for F.
    pub fn level(density: f64) -> usize {
        let level = Self::LEVELS.iter().position(|m2| density * m2 <= 1.0);
        level.unwrap_or(Self::LEVELS.len())
    }

    /// Of densities in persons/m²; `None` of none.
    pub(super) fn of(densities: &[f64]) -> Option<Self> {
        let mut counts = [0.0; 6];
        for density in densities {
            counts[Self::level(*density)] += 1.0;
        }
        let [a, b, c, d, e, f] = counts.each(|count| count / densities.len() as f64);
        (!densities.is_empty()).then_some(Self { a, b, c, d, e, f })
    }

    /// The level with the largest share, the first of equal ones.
    pub fn most(&self) -> char {
        let shares = [self.a, self.b, self.c, self.d, self.e, self.f];
        let largest = shares.iter().copied().fold(0.0, f64::max);
        let letters = shares.iter().zip('A'..).find(|(share, _)| **share >= largest);
        letters.map_or('F', |(_, letter)| letter)
    }
}

/// An agent crosses a gate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// When, in seconds, between the ticks before and after.
    pub time_s: f64,
    /// The agent's number in the run, as in trajectories: see [`Roll`](crate::report::roll::Roll).
    /// Where a crowd was looked at without its world, one more than the index part of its id.
    pub id: u64,
    /// The index part of the agent's id.
    pub agent: u32,
    /// How many agents with this index there had been, this one included.
    pub appearance: u32,
    /// The agent's group.
    pub group: u16,
    /// From left to right, as seen along the gate.
    pub forward: bool,
    /// Whether the agent did not come back through the gate later.
    pub for_good: bool,
}
