//! Names of fields, how much they may take, and why there is none.

use crate::data::number::plural;
use crate::data::record::record;

record! {
    /// Name of a field. It stays valid while the field is held.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub struct FieldId {
        pub(super) slot: u32,
        pub(super) generation: u32,
    }
}

impl FieldId {
    /// Its slot and generation.
    pub(crate) fn parts(self) -> (u32, u32) {
        (self.slot, self.generation)
    }
}

/// How much memory and work the fields of a world may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLimits {
    /// Bytes of all fields, at 8 a padded cell: directions, and distances to repair them by. On top
    /// come the memory of the jobs, about 4 bytes a padded cell and job (and as much for repairs once
    /// the map has changed), and crowd costs, a byte a block for every field around crowds and 2
    /// bytes a padded cell for every job that made one.
    pub cap_bytes: u64,
    /// Work that each job may do in a tick, in cells; see [`Job::advance`](crate::nav::field::Job::advance).
    pub cells_per_tick: u32,
    /// Jobs that work in a tick, the oldest first: 1 to [`MAX_JOBS`]. It decides results, so it
    /// never follows the number of threads.
    pub max_jobs: u32,
}

/// Most jobs that work in a tick: each has its own memory.
pub const MAX_JOBS: u32 = 64;

impl Default for FieldLimits {
    /// 1 GiB; 65,536 cells a job and tick, 0.5 to 1 ms; 8 jobs.
    fn default() -> Self {
        Self { cap_bytes: 1 << 30, cells_per_tick: 65_536, max_jobs: 8 }
    }
}

/// Why there is no field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// Every field that fits is held.
    #[error(
        "the cap of {cap} bytes holds {} of {field_bytes} bytes, all in use; \
         raise the cap or use fewer goals at once",
        plural(u64::from(*in_use), "field")
    )]
    CapReached {
        /// Bytes of all fields together.
        cap: u64,
        /// Fields that are held.
        in_use: u32,
        /// Bytes of one field of this map.
        field_bytes: u64,
    },
    /// A field without goals.
    #[error("a field needs at least one goal cell")]
    NoGoal,
    /// A goal that is no cell of the map.
    #[error("goal cell {cell} is off the map, which has {cells} cells with its padding")]
    GoalOutside {
        /// The padded index.
        cell: u32,
        /// Cells of a padded raster.
        cells: u32,
    },
}
