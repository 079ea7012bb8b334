//! Contact: how far agents that overlap are moved apart.
//!
//! For an agent i and every neighbour j, with d the distance between them and D the sum of their
//! radii, the shift is Σ s·(D − d)·(p_i − p_j)/d over all that overlap; the share s goes by weight
//! as in [`separate`](crate::kernel::separate). Half of it would part two equal discs. Between
//! opposite headings D shrinks by the smaller `soft` of the two (see [`approach`](crate::kernel::approach)).
//! By how much d lacks of the least share of D that agents keep as they squeeze past each other
//! ([`THINNEST`](crate::kernel::approach::THINNEST)) is added, whatever the headings, but for agents
//! that keep a time gap.
//!
//! Of two that head the same way and keep apart by pushes the one ahead is shifted less, and the one
//! behind more, by up to [`YIELDS`]: so what presses at a door goes back into the queue. Agents that
//! choose their velocity keep clear of neighbours behind as well, and are shifted alike.
//!
//! Agents that choose their velocity are shifted no nearer to any neighbour than [`NEAREST`] of D: of a shift
//! that would be, as much is left as takes up half of the room, as the other one may be shifted as well.
//!
//! [`approach`](crate::kernel::approach) keeps discs apart; what is left to do here are crowds that
//! are placed too tight, squeezed by walls or pushed, and agents that squeeze past each other.

use crate::kernel::approach::{Block, FREE, NEAREST, THINNEST, part, polar};
use crate::lane::{Lane, Mask};
use crate::math::Num;
use crate::math::each::Each;

/// The part of a shift by which an agent right ahead of another one is shifted less, and that one more.
pub const YIELDS: f64 = 0.5;

/// So much nearer is an agent shifted all the same, in metres: one that is shifted along another moves,
/// however numbers are rounded.
const CREEP: f64 = 1.0 / 1_024.0;

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
/// radius]`, in `f64`. `chooses` and `pushes`: see [`Block`].
pub fn reference(agent: [f64; 6], other: [f64; 6], [chooses, pushes]: [bool; 2]) -> [f64; 2] {
    let d = [agent[0] - other[0], agent[1] - other[1]];
    let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
    let together = agent[2] * other[2] + agent[3] * other[3];
    let stands = |a: [f64; 6]| a[2] == 0.0 && a[3] == 0.0;
    let part = match (stands(agent) != stands(other), together < -0.2) {
        (true, _) => agent[4].max(other[4]),
        (_, true) => agent[4].min(other[4]),
        (_, false) => 1.0,
    };
    let touch = agent[5] + other[5];
    let least = match (chooses, pushes) {
        (true, _) => THINNEST[1],
        (_, true) => THINNEST[0],
        _ => 0.0,
    };
    let deep = (touch * least - length).max(0.0);
    let ahead = (d[0] * (agent[2] + other[2]) + d[1] * (agent[3] + other[3])) / length;
    let yields = if pushes { YIELDS / 2.0 * ahead * together.max(0.0) } else { 0.0 };
    let overlap = (touch * part - length).max(0.0) * (1.0 - yields) + deep;
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
    let n = |value: f64| L::splat(L::Num::from_f64(value));
    let (zero, touch) = (L::zero(), block.radius + radius);
    let pushed = L::select(block.pushes, n(THINNEST[0]), zero);
    let least = L::select(block.chooses, n(THINNEST[1]), pushed);
    let deep = (touch * least - length).larger(zero);
    let ahead = unit[0] * (block.heading[0] + x) + unit[1] * (block.heading[1] + y);
    let together = (x * block.heading[0] + y * block.heading[1]).larger(zero);
    let yields = L::select(block.pushes, ahead * together * n(YIELDS / 2.0), zero);
    let overlap = (touch * part - length).larger(zero) * (L::one() - yields) + deep;
    let overlap = overlap * share;
    sums.shift = [0, 1].each(|i| sums.shift[i] + unit[i] * overlap);
    sums.stacked = sums.stacked | (none & !own & L::zero().lt(share));
}

/// The direction to a neighbour in every lane, and how far agents that choose their velocity may be shifted
/// there, in metres. The neighbour is given as `[x, y, radius]`, in metres; `heeds` says which lanes heed it.
#[inline(always)]
pub fn room<L: Lane>(block: &Block<L>, [x, y, radius]: [L; 3], heeds: L::Mask) -> ([L; 2], L) {
    let d = [(x - block.pos[0]).near(), (y - block.pos[1]).near()];
    let (length, normal, none) = polar(d);
    let n = |value: f64| L::splat(L::Num::from_f64(value));
    let room = (length - (block.radius + radius) * n(NEAREST)).larger(L::zero());
    let most = room * L::splat(L::Num::HALF) + n(CREEP);
    (normal, L::select(block.chooses & heeds & !none, most, n(FREE)))
}
