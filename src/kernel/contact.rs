//! Contact: how far agents that overlap are moved apart.
//!
//! For an agent i and every neighbour j, with d the distance between them and D the sum of their
//! radii, the shift is Σ s·(D − d)·(p_i − p_j)/d over all that overlap; the share s goes by weight
//! as in [`separate`](crate::kernel::separate). Half of it would part two equal discs. Between
//! opposite headings D shrinks by the smaller `soft` of the two (see [`approach`](crate::kernel::approach)).
//!
//! [`approach`](crate::kernel::approach) keeps discs apart; what is left to do here are crowds that
//! are placed too tight, squeezed by walls or pushed, and agents that squeeze past each other.

use crate::kernel::approach::{Block, part, polar};
use crate::lane::{Lane, Mask};
use crate::math::each::Each;

/// Sums over the neighbours of a block.
#[derive(Clone, Copy)]
pub struct Sums<L: Lane> {
    /// Σ s·(D − d)·(p_i − p_j)/d, in metres.
    pub shift: [L; 2],
    /// Where another agent stands on the very spot of this one.
    pub stacked: L::Mask,
}

impl<L: Lane> Sums<L> {
    /// No neighbour yet.
    #[inline(always)]
    pub fn new() -> Self {
        Self { shift: [L::zero(); 2], stacked: L::Mask::from_fn(|_| false) }
    }
}

impl<L: Lane> Default for Sums<L> {
    fn default() -> Self {
        Self::new()
    }
}

/// What one neighbour adds to an agent, with the share 1: both as `[x, y, heading x, heading y, soft,
/// radius]`, in `f64`.
pub fn reference(agent: [f64; 6], other: [f64; 6]) -> [f64; 2] {
    let d = [agent[0] - other[0], agent[1] - other[1]];
    let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
    let together = agent[2] * other[2] + agent[3] * other[3];
    let stands = |a: [f64; 6]| a[2] == 0.0 && a[3] == 0.0;
    let part = match (stands(agent) != stands(other), together < -0.2) {
        (true, _) => agent[4].max(other[4]),
        (_, true) => agent[4].min(other[4]),
        (_, false) => 1.0,
    };
    let overlap = ((agent[5] + other[5]) * part - length).max(0.0);
    if length < 1.0 / 1024.0 { [0.0; 2] } else { d.each(|c| c / length * overlap) }
}

/// Adds a neighbour in every lane: its position in metres, heading, `soft` and radius in metres. `own`
/// says in which lanes it is the agent itself.
#[inline(always)]
pub fn add<L: Lane>(
    block: &Block<L>,
    pos: [L; 2],
    [x, y, soft, radius]: [L; 4],
    share: L,
    own: L::Mask,
    sums: &mut Sums<L>,
) {
    let d = [0, 1].each(|i| (block.pos[i] - pos[i]).near());
    let (length, unit, none) = polar(d);
    let (part, _) = part([block.heading, [x, y]], [block.soft, soft], L::one());
    let touch = (block.radius + radius) * part;
    let overlap = (touch - length).larger(L::zero()) * share;
    sums.shift = [0, 1].each(|i| sums.shift[i] + unit[i] * overlap);
    sums.stacked = sums.stacked | (none & !own & L::zero().lt(share));
}
