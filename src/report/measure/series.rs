//! What was looked at every few ticks, one entry a sample.

use serde::Serialize;

/// A value as a cell of a CSV file; empty for one that is not there.
trait Cell {
    fn cell(&self) -> String;
}

impl Cell for u64 {
    fn cell(&self) -> String {
        self.to_string()
    }
}

impl Cell for f64 {
    fn cell(&self) -> String {
        self.to_string()
    }
}

impl Cell for Option<f64> {
    fn cell(&self) -> String {
        self.as_ref().map_or(String::new(), f64::cell)
    }
}

/// Declares the columns of something over time: a name, the type of an entry, what it says. That gives
/// the columns, an entry of each as a sample, and the columns as text in the order of the declaration,
/// which is also that of the keys in JSON.
macro_rules! series {
    ($(#[$about:meta])* $name:ident of $sample:ident {
        $($(#[$doc:meta])* $column:ident: $entry:ty,)*
    }) => {
        $(#[$about])*
        ///
        /// All columns are of one length.
        #[derive(Clone, Debug, Default, PartialEq, Serialize)]
        pub struct $name {
            $($(#[$doc])* pub $column: Vec<$entry>,)*
        }

        /// An entry of every column.
        #[derive(Clone, Copy, Debug, Default)]
        pub(super) struct $sample {
            $(pub(super) $column: $entry,)*
        }

        impl $name {
            /// Adds a sample.
            pub(super) fn push(&mut self, sample: $sample) {
                $(self.$column.push(sample.$column);)*
            }

            /// The columns as cells of a CSV file, with their names.
            pub fn columns(&self) -> Vec<(&'static str, Vec<String>)> {
                vec![$((stringify!($column), self.$column.iter().map(Cell::cell).collect()),)*]
            }
        }
    };
}

series! {
    /// The crowd as a whole over time.
    Series of Sample {
        /// Seconds since the start.
        time_s: f64,
        /// Agents.
        agents: u64,
        /// Agents that have arrived, and those that have left by sinks.
        arrived: u64,
        /// Mean speed of agents that have an order and have not arrived, m/s; `None` without any.
        mean_speed: Option<f64>,
        /// Mean of v² / 2 of all agents, m²/s²; `None` without any.
        kinetic_energy: Option<f64>,
        /// Agents that are stuck, as [`StuckMeter`](crate::report::stuck::StuckMeter) says, looked at
        /// once a second.
        stuck: u64,
        /// The deepest overlap of two discs, m.
        max_overlap_m: f64,
        /// Pairs that overlap.
        overlapping_pairs: u64,
        /// Pairs that overlap, for 1,000 agents.
        pairs_per_1000: f64,
        /// Pairs deeper than a quarter of the smaller radius ([`Depths`](crate::report::measures::Depths)),
        /// for 1,000 agents.
        deeper_25: f64,
        /// Deeper than half a radius.
        deeper_50: f64,
        /// Deeper than a radius.
        deeper_100: f64,
        /// Depth in radii up to which 99 in 100 of the pairs go.
        overlap_p99: f64,
        /// How often agents of one group passed through each other since the last sample, for a second;
        /// see [`PassMeter`](crate::report::passes::PassMeter).
        passes_same_per_s: f64,
        /// The same of agents of two groups.
        passes_other_per_s: f64,
        /// The deepest overlap of a disc with a wall, m.
        max_wall_depth_m: f64,
        /// Agents with a disc that overlaps a wall.
        wall_contacts: u64,
        /// Agents with their centre in a wall.
        inside_wall: u64,
    }
}

series! {
    /// A group over time.
    GroupSeries of GroupSample {
        /// Its agents.
        agents: u64,
        /// Agents that have arrived, and those that have left by sinks.
        arrived: u64,
        /// Mean speed of agents that have an order and have not arrived, m/s; `None` without any.
        mean_speed: Option<f64>,
    }
}

series! {
    /// An area over time.
    AreaSeries of AreaSample {
        /// Agents inside.
        agents: u64,
        /// Agents per m² of ground that is not wall.
        density: f64,
        /// Mean speed of agents inside, m/s; `None` without any.
        mean_speed: Option<f64>,
        /// Density by Voronoi cells, agents per m² of ground that is not wall.
        voronoi_density: f64,
        /// Speed by Voronoi cells, m/s: that of the agent of each cell, over the ground that is not wall;
        /// `None` where no cell reaches the area.
        voronoi_speed: Option<f64>,
        /// Lane order; `None` when no agent walks against another.
        lane_order: Option<f64>,
        /// The lane order that chance gives.
        lane_order_by_chance: Option<f64>,
    }
}
