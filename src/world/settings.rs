//! What holds for the whole run.

use crate::data::bytes::BytesError;
use crate::data::bytes::Reader;
use crate::data::bytes::Write;
use crate::world::WorldError;

/// Most bytes that finished flow fields may be allowed to take.
pub const MAX_FIELD_CACHE: u64 = 16 << 30;

/// Settings of a world; they never change while it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Whole ticks a second, 1 ..= 1000. A tick is `1 / tick_rate` seconds long.
    pub tick_rate: u32,
    /// Seed of all randomness.
    pub seed: u64,
    /// Cells of work that each flow field under way gets in a tick, at least 1.
    pub field_cells_per_tick: u32,
    /// Flow fields under way at once, 1 ..= 64; the others wait their turn.
    pub field_jobs: u32,
    /// How often in a tick agents that overlap are moved apart, 0 ..= 16.
    pub contact_passes: u32,
    /// Bytes that finished flow fields may take, 1 to [`MAX_FIELD_CACHE`].
    pub field_cache_bytes: u64,
    /// Ticks from one count of the crowds to the next, for groups that avoid them, 1 ..= 1,000,000.
    pub crowding_ticks: u32,
    /// Nodes that each of 8 searches for routes expands in a tick, at least 1; one that needs more
    /// pays for it in later ticks.
    pub route_expansions_per_tick: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tick_rate: 20,
            seed: 1,
            field_cells_per_tick: 65_536,
            field_jobs: 8,
            contact_passes: 1,
            field_cache_bytes: 256 << 20,
            crowding_ticks: 30,
            route_expansions_per_tick: 4_096,
        }
    }
}

/// Refuses a value outside `least ..= most`, or NaN.
pub(super) fn check(
    name: &'static str,
    value: f64,
    least: f64,
    most: f64,
) -> Result<(), WorldError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(WorldError::OutOfRange { name, value, least, most })
    }
}

impl Settings {
    /// Refuses what is out of range.
    ///
    /// # Errors
    /// Names the setting, its value and its range.
    pub fn check(&self) -> Result<(), WorldError> {
        check("tick_rate", f64::from(self.tick_rate), 1.0, 1000.0)?;
        check(
            "field_cells_per_tick",
            f64::from(self.field_cells_per_tick),
            1.0,
            f64::from(u32::MAX),
        )?;
        check("field_jobs", f64::from(self.field_jobs), 1.0, 64.0)?;
        let expansions = f64::from(self.route_expansions_per_tick);
        check("route_expansions_per_tick", expansions, 1.0, f64::from(u32::MAX))?;
        check("contact_passes", f64::from(self.contact_passes), 0.0, 16.0)?;
        check("crowding_ticks", f64::from(self.crowding_ticks), 1.0, 1.0e6)?;
        check("field_cache_bytes", self.field_cache_bytes as f64, 1.0, MAX_FIELD_CACHE as f64)
    }

    /// Appends them to bytes.
    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        to.u32(self.tick_rate);
        to.u64(self.seed);
        to.u32(self.field_cells_per_tick);
        to.u32(self.field_jobs);
        to.u32(self.contact_passes);
        to.u64(self.field_cache_bytes);
        to.u32(self.crowding_ticks);
        to.u32(self.route_expansions_per_tick);
    }

    /// Reads them, in range or not.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, BytesError> {
        Ok(Self {
            tick_rate: from.u32("tick_rate")?,
            seed: from.u64("seed")?,
            field_cells_per_tick: from.u32("field_cells_per_tick")?,
            field_jobs: from.u32("field_jobs")?,
            contact_passes: from.u32("contact_passes")?,
            field_cache_bytes: from.u64("field_cache_bytes")?,
            crowding_ticks: from.u32("crowding_ticks")?,
            route_expansions_per_tick: from.u32("route_expansions_per_tick")?,
        })
    }
}
