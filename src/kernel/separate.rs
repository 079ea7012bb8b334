//! Separation: how neighbours push an agent.
//!
//! For an agent i and every neighbour j, with d the distance between them and
//! R = reach_i + reach_j, the push is Σ s·t²·(p_i − p_j) with
//! t = max(0, (R² − d²) / (2·reach_i)²). The share s = 2·w_j / (w_i + w_j) goes by weight. The push
//! grows towards contact, stays finite and needs neither root nor division.
//!
//! Method: agents in lanes, each with a neighbour of its own, one after another in the order of rows. A
//! neighbour out of range adds exactly 0, and so does the agent itself, so that lanes with fewer
//! neighbours than others do not matter.

use bytemuck::Zeroable;

use crate::lane::{IntLane, Lane};
use crate::math::each::Each;

/// All agents have the same [`Body`].
pub const ALIKE: u8 = 0;
/// They differ in reach and radius.
pub const SIZES: u8 = 1;
/// They differ in weight or layer too.
pub const ALL: u8 = 2;

/// An agent as its neighbours read it, beside its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Zeroable)]
pub struct Body<N> {
    /// Half the range of separation, in metres.
    pub reach: N,
    /// Radius, in metres.
    pub radius: N,
    /// Weight: of two agents the heavier one gives way less.
    pub weight: N,
    /// Its layer, as a bit.
    pub layer: u32,
    /// The layers that it keeps clear of, one bit each.
    pub avoids: u32,
}

/// Agents of a block, in lanes, with their ranges.
#[derive(Clone, Copy)]
pub struct Block<L: Lane> {
    /// Position in metres.
    pub pos: [L; 2],
    /// Half of the range at which two equal agents start to push, in metres.
    pub reach: L,
    /// `1 / (2 · reach)²`.
    pub scale: L,
    /// Weight: of two agents the heavier one gives way less.
    pub weight: L,
    /// Their layers, as bits.
    pub layer: L::Int,
    /// The layers to keep clear of, one bit each.
    pub avoids: L::Int,
}

/// A neighbour of every agent of a block, in lanes, as in [`Body`].
#[derive(Clone, Copy)]
pub struct Other<L: Lane> {
    /// Position in metres.
    pub pos: [L; 2],
    /// Half the range of separation, in metres.
    pub reach: L,
    /// Weight: of two agents the heavier one gives way less.
    pub weight: L,
    /// Their layers, as bits.
    pub layer: L::Int,
    /// The layers to keep clear of, one bit each.
    pub avoids: L::Int,
}

/// What one neighbour adds to an agent: both as `[x, y, reach, weight]`.
pub fn reference(agent: [f64; 4], neighbour: [f64; 4]) -> [f64; 2] {
    let ([x, y, reach, weight], [other_x, other_y, other_reach, other]) = (agent, neighbour);
    let (dx, dy) = (x - other_x, y - other_y);
    let range = reach + other_reach;
    let t = ((range * range - dx * dx - dy * dy) / (4.0 * reach * reach)).max(0.0);
    let w = t * t * 2.0 * other / (weight + other);
    [w * dx, w * dy]
}

/// Sums over the neighbours of a block.
#[derive(Clone, Copy)]
pub struct Sums<L> {
    /// The push, in metres.
    pub push: [L; 2],
}

impl<L: Lane> Sums<L> {
    /// No neighbour yet.
    #[inline(always)]
    pub fn new() -> Self {
        Self { push: [L::zero(); 2] }
    }
}

impl<L: Lane> Default for Sums<L> {
    fn default() -> Self {
        Self::new()
    }
}

/// Adds a neighbour of every agent of a block to the sums. `KIND` says in what agents differ.
#[inline(always)]
pub fn add<L: Lane, const KIND: u8>(block: &Block<L>, other: &Other<L>, sums: &mut Sums<L>) {
    let d = [0, 1].each(|i| (block.pos[i] - other.pos[i]).near());
    let square = d[0].mul_coarse(d[0]) + d[1].mul_coarse(d[1]);
    let range = block.reach + other.reach;
    let t = (range.mul_coarse(range) - square).larger(L::zero()).mul_coarse(block.scale);
    let mut w = t.mul_coarse(t);
    if KIND == ALL {
        w = w.mul_coarse(share(
            [block.weight, other.weight],
            [block.layer, block.avoids],
            [other.layer, other.avoids],
        ));
    }
    sums.push = [0, 1].each(|i| sums.push[i] + w.mul_coarse(d[i]));
}

/// `2·w_j / (w_i + w_j)`: 1 between equals. 0 where the neighbour's layer is none to keep clear of,
/// and 2, all of it, where the neighbour does not keep clear of the agents' layer.
#[inline(always)]
pub fn share<L: Lane>(
    [own, other]: [L; 2],
    [layer, avoids]: [L::Int; 2],
    [other_layer, other_avoids]: [L::Int; 2],
) -> L {
    let zero = L::Int::splat(0);
    let heeds = !layer.and(other_avoids).equal(zero);
    let share = L::select(heeds, other.ratio(own + other), L::one());
    let seen = !avoids.and(other_layer).equal(zero);
    L::select(seen, share + share, L::zero())
}
