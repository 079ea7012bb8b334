//! Contact: how far agents that overlap are moved apart.
//!
//! For an agent i and every neighbour j, with d the distance between them and
//! D = radius_i + radius_j, the contact is Σ s·(c + 16·c⁹)·(p_i − p_j) with
//! c = (D² − d²) / (2·radius_i)², between 0 and 1; the share s goes by weight as in
//! [`separate`](crate::kernel::separate). c·d is twice the overlap near contact, so a quarter of the
//! contact moves two equal discs apart to touch; the ninth power keeps it about as strong down to a
//! tenth of the distance of touch. It needs neither root nor division.
//!
//! The kernel sums √2 times the contact: e + e⁹ with e = √2·c needs one product less.
//!
//! Tried and lost: a contact of c alone, or of c + 3·c³, vanishes too soon as d shrinks: rows of
//! agents along a wall collapsed into pairs at one place.

use crate::kernel::separate::ALIKE;
use crate::kernel::separate::ALL;
use crate::kernel::separate::Neighbours;
use crate::kernel::separate::difference;
use crate::kernel::separate::share;
use crate::lane::Lane;
use crate::math::Num;

/// Agents of a block, in lanes.
#[derive(Clone, Copy)]
pub struct Block<L: Lane> {
    /// Position in metres.
    pub x: L,
    /// Position in metres.
    pub y: L,
    /// Radius, in metres.
    pub radius: L,
    /// `√2 / (2 · radius)²`.
    pub scale: L,
    /// Who is heavier gives way less.
    pub weight: L,
    /// Their layers, as bits.
    pub layer: L::Int,
    /// The layers to keep clear of, one bit each.
    pub avoids: L::Int,
}

/// The contact of a block.
#[derive(Clone, Copy)]
pub struct Sums<L> {
    /// √2 times the contact.
    contact: [L; 2],
    /// Σ (e + e⁹).
    press: L,
}

impl<L: Lane> Sums<L> {
    /// No neighbour yet.
    #[inline(always)]
    pub fn new() -> Self {
        Self { contact: [L::zero(); 2], press: L::zero() }
    }

    /// The contact, in metres.
    #[inline(always)]
    pub fn contact(&self) -> [L; 2] {
        self.contact.map(|c| c * L::splat(L::Num::from_f64(std::f64::consts::FRAC_1_SQRT_2)))
    }

    /// Where somebody stands on the very spot of the agent, or many press it as hard as that: the
    /// contact may say nothing then.
    #[inline(always)]
    pub fn stacked(&self) -> L::Mask {
        // The agent itself adds e + e⁹ with e = √2.
        L::splat(L::Num::from_f64(1.98 * 17.0 * std::f64::consts::SQRT_2)).lt(self.press)
    }
}

impl<L: Lane> Default for Sums<L> {
    fn default() -> Self {
        Self::new()
    }
}

/// What one neighbour adds to an agent: both as `[x, y, radius, weight]`.
pub fn reference(agent: [f64; 4], neighbour: [f64; 4]) -> [f64; 2] {
    let ([x, y, radius, weight], [other_x, other_y, other_radius, other]) = (agent, neighbour);
    let (dx, dy) = (x - other_x, y - other_y);
    let touch = radius + other_radius;
    let c = ((touch * touch - dx * dx - dy * dy) / (4.0 * radius * radius)).clamp(0.0, 1.0);
    let c4 = c * c * c * c;
    let w = c * (1.0 + 16.0 * c4 * c4) * 2.0 * other / (weight + other);
    [w * dx, w * dy]
}

/// Adds a run of neighbours; `FAR` and `KIND` as in [`separate::add`](crate::kernel::separate::add).
#[inline(always)]
pub fn add<L: Lane, const FAR: bool, const KIND: u8>(
    block: &Block<L>,
    neighbours: Neighbours<'_, L::Num>,
    sums: &mut Sums<L>,
) {
    if KIND == ALIKE {
        let touch = block.radius + block.radius;
        let square = touch.mul_coarse(touch);
        for &pos in neighbours.pos {
            let (d, e) = overlap::<L, FAR>(block, pos, square);
            add_one(d, weigh(e), sums);
        }
    } else {
        // Only a neighbour of another size can overlap by more than the own size.
        let most = L::splat(L::Num::from_f64(std::f64::consts::SQRT_2));
        for (&pos, body) in neighbours.pos.iter().zip(neighbours.bodies) {
            let touch = block.radius + L::splat(body.radius);
            let (d, e) = overlap::<L, FAR>(block, pos, touch.mul_coarse(touch));
            let mut w = weigh(e.smaller(most));
            if KIND == ALL {
                w = w.mul_coarse(share(block.weight, [block.layer, block.avoids], body));
            }
            add_one(d, w, sums);
        }
    }
}

/// The difference to a neighbour, and e.
#[inline(always)]
fn overlap<L: Lane, const FAR: bool>(block: &Block<L>, pos: [L::Num; 2], touch: L) -> ([L; 2], L) {
    let d = difference::<L, FAR>([block.x, block.y], pos);
    let square = d[0].mul_coarse(d[0]) + d[1].mul_coarse(d[1]);
    (d, (touch - square).larger(L::zero()).mul_coarse(block.scale))
}

/// e + e⁹.
#[inline(always)]
fn weigh<L: Lane>(e: L) -> L {
    let e2 = e.mul_coarse(e);
    let e4 = e2.mul_coarse(e2);
    e.mul_coarse(L::one() + e4.mul_coarse(e4))
}

#[inline(always)]
fn add_one<L: Lane>(d: [L; 2], w: L, sums: &mut Sums<L>) {
    sums.press = sums.press + w;
    sums.contact[0] = sums.contact[0] + w.mul_coarse(d[0]);
    sums.contact[1] = sums.contact[1] + w.mul_coarse(d[1]);
}
