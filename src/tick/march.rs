//! How formations move in a tick, and where their slots are.

use std::sync::atomic::{AtomicU32, AtomicU64};

use crate::lane::{Lane, Numbers};

/// How a formation moves in a tick. Sums are of whole numbers, so their order does not matter.
#[derive(Debug, Default)]
pub(super) struct March<N> {
    /// Position and heading before the tick and after it.
    pub(super) from: [[N; 2]; 2],
    pub(super) to: [[N; 2]; 2],
    pub(super) rests: bool,
    /// The largest lag that counts, m.
    pub(super) most_lag: N,
    /// Sum of the squared lags of members with a free slot, and the number of these.
    pub(super) lag: AtomicU64,
    pub(super) counted: AtomicU32,
    /// How many have a slot that is not free.
    pub(super) walled: AtomicU32,
    /// Lag from which a member is far from its slot, m, and how many are.
    pub(super) far: N,
    pub(super) late: AtomicU32,
    /// Members without a slot.
    pub(super) strangers: AtomicU32,
}

impl<N: Numbers> Clone for March<N> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The place of an offset in a pose.
pub(super) fn place<N: Numbers>([pos, heading]: [[N; 2]; 2], [aside, ahead]: [N; 2]) -> [N; 2] {
    let [hx, hy] = heading;
    [pos[0] + hx * ahead - hy * aside, pos[1] + hy * ahead + hx * aside]
}

/// The length of a vector.
pub(super) fn length<N: Numbers>(v: [N; 2]) -> N {
    N::Single::length(N::Single::splat(v[0]), N::Single::splat(v[1])).get(0)
}
