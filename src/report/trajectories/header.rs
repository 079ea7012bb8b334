//! What a file of trajectories is, and what it says of its run.

use crate::math::Numeric;

/// How trajectories are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Rows `id frame x y` below a header of `#` lines.
    Text,
    /// Comma-separated, with time, velocity and group.
    Csv,
    /// Apache Parquet, with the columns of [`Format::Csv`].
    #[cfg(feature = "parquet")]
    Parquet,
}

/// What a file says of its run.
#[derive(Clone, Debug)]
pub struct Header {
    /// Name of the scenario.
    pub scenario: String,
    /// Number type of the simulation.
    pub numeric: Numeric,
    /// Ticks a second.
    pub tick_rate: u32,
    /// Ticks from one frame to the next, at least 1.
    pub every: u32,
    /// Names of the groups, by index.
    pub groups: Vec<String>,
    /// Whether y goes up, from the lower edge of the map; else down from its upper edge.
    pub y_up: bool,
}
