//! What was looked at every few ticks, one entry a sample.

use serde::Serialize;

/// The crowd as a whole over time. All columns are of one length.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Series {
    /// Seconds since the start.
    pub time_s: Vec<f64>,
    /// Agents.
    pub agents: Vec<u64>,
    /// Those who have arrived.
    pub arrived: Vec<u64>,
    /// Mean speed of those with an order who have not arrived, m/s; `None` without any.
    pub mean_speed: Vec<Option<f64>>,
    /// Mean of v² / 2 of all agents, m²/s²; `None` without any.
    pub kinetic_energy: Vec<Option<f64>>,
    /// Agents that are stuck, as [`StuckMeter`](crate::report::stuck::StuckMeter) says, looked at
    /// once a second.
    pub stuck: Vec<u64>,
    /// The deepest overlap of two discs, m.
    pub max_overlap_m: Vec<f64>,
    /// Pairs that overlap.
    pub overlapping_pairs: Vec<u64>,
    /// How agents press; the columns stand beside the others.
    #[serde(flatten)]
    pub press: PressSeries,
    /// The deepest overlap of a disc with a wall, m.
    pub max_wall_depth_m: Vec<f64>,
    /// Agents whose disc overlaps a wall.
    pub wall_contacts: Vec<u64>,
    /// Agents whose centre is in a wall.
    pub inside_wall: Vec<u64>,
}

/// How agents press, over time. Depths are in radii of the smaller agent of a pair; see
/// [`Depths`](crate::report::measures::Depths).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PressSeries {
    /// Pairs that overlap, for 1,000 agents.
    pub pairs_per_1000: Vec<f64>,
    /// Those of them that are deeper than a quarter of a radius.
    pub deeper_25: Vec<f64>,
    /// Deeper than half a radius.
    pub deeper_50: Vec<f64>,
    /// Deeper than a radius.
    pub deeper_100: Vec<f64>,
    /// Depth up to which 99 in 100 of the pairs go.
    pub overlap_p99: Vec<f64>,
    /// How often agents of one group passed through each other since the last sample, for a second;
    /// see [`PassMeter`](crate::report::passes::PassMeter).
    pub passes_same_per_s: Vec<f64>,
    /// The same of agents of two groups.
    pub passes_other_per_s: Vec<f64>,
}

/// A group over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GroupSeries {
    /// Its agents.
    pub agents: Vec<u64>,
    /// Those who have arrived.
    pub arrived: Vec<u64>,
    /// Mean speed of those with an order who have not arrived, m/s; `None` without any.
    pub mean_speed: Vec<Option<f64>>,
}

/// An area over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AreaSeries {
    /// Agents inside.
    pub agents: Vec<u64>,
    /// Agents per m² of ground that is not wall.
    pub density: Vec<f64>,
    /// Mean speed of those inside, m/s; `None` without any.
    pub mean_speed: Vec<Option<f64>>,
    /// Lane order; `None` when nobody walks against anybody.
    pub lane_order: Vec<Option<f64>>,
    /// The lane order that chance gives.
    pub lane_order_by_chance: Vec<Option<f64>>,
}
