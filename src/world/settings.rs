//! What holds for the whole run.

use crate::data::definition::{Definition, Takes, define};
use crate::world::WorldError;

/// Most bytes that finished flow fields may be allowed to take.
pub const MAX_FIELD_CACHE: u64 = 16 << 30;

define! {
    /// Settings of a world; they never change while it runs.
    #[derive(Copy)]
    pub struct Settings {
        /// Whole ticks a second. A tick is `1 / tick_rate` seconds long.
        tick_rate: u32 = 20, Takes::Unsaid { low: 1, high: 1_000 };
        /// Cells of work that each flow field under way gets in a tick; a field shows once its cells are paid
        /// for.
        field_cells_per_tick: u32 = 65_536, Takes::Whole {
            what: "the cells that flow fields integrate in a tick", low: 1, high: u32::MAX as u64,
        };
        /// Flow fields under way at once; the others wait their turn.
        field_jobs: u32 = 8, Takes::Unsaid { low: 1, high: 64 };
        /// How often in a tick agents that overlap are moved apart; more for crowds that must not overlap at
        /// all.
        contact_passes: u32 = 1, Takes::Whole {
            what: "how often in a tick agents that overlap are moved apart", low: 0, high: 16,
        };
        /// Bytes that finished flow fields may take.
        field_cache_bytes: u64 = 256 << 20, Takes::Unsaid { low: 1, high: MAX_FIELD_CACHE };
        /// Ticks from one count of the crowds to the next, for groups that avoid them.
        crowding_ticks: u32 = 30, Takes::Whole {
            what: "the ticks from one count of the crowds to the next", low: 1, high: 1_000_000,
        };
        /// Nodes that each of the eight searches for routes expands in a tick; what a search needs beyond
        /// that it pays for in later ticks.
        route_expansions_per_tick: u32 = 4_096, Takes::Whole {
            what: "the nodes that each search for routes expands in a tick", low: 1, high: u32::MAX as u64,
        };
    }
    beside {
        /// Seed of all randomness.
        pub seed: u64 = 1;
    }
}

impl Settings {
    /// Refuses what is out of range.
    ///
    /// # Errors
    /// Names the setting, its value and its range.
    pub fn check(&self) -> Result<(), WorldError> {
        Ok(self.check_fields()?)
    }

    /// The length of a tick in seconds.
    pub(crate) fn dt(&self) -> f64 {
        1.0 / f64::from(self.tick_rate)
    }
}
