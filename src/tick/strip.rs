//! A strip: the part of the sorted agents that a process computes (see `share`).

use std::ops::Range;

/// The part of the agents that a process computes.
#[derive(Clone, Debug, Default)]
pub(super) struct Strip {
    /// Its bands and their rows.
    pub(super) bands: Range<usize>,
    pub(super) rows: Range<usize>,
    /// Its rows and the rows within reach of them.
    pub(super) near: Range<usize>,
    /// The strip and all in sight of lanes from it, as bands and as rows.
    pub(super) sight: Range<usize>,
    pub(super) seen: Range<usize>,
    /// All rows that this process knows while it computes the strip.
    pub(super) known: Range<usize>,
}
