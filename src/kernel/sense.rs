//! What agents see of the members of a group near them: the nearest one, and the flock as a whole.
//!
//! Method: agents in lanes, members broadcast one after another in sorted order, as for
//! [separation](crate::kernel::separate). A member out of range adds exactly 0 and is never nearer, so
//! the lane width does not matter. A candidate of another group has a range of 0; there is no branch.
//!
//! In fixed point differences beyond 30 m count as 30 m, so ranges reach 30 m at most, and what
//! stands nearer than a millimetre has no direction and is not seen.

use crate::lane::{IntLane, Lane};
use crate::math::Num;
use crate::math::each::Each;

/// The nearest member within range.
#[derive(Clone, Copy)]
pub struct Nearest<L: Lane> {
    /// Its squared distance in m²; the squared range when there is none.
    pub square: L,
    /// Its row, or −1.
    pub row: L::Int,
}

/// Sums over all members within range, each times the `unit` of [`add_flock`].
#[derive(Clone, Copy)]
pub struct Flock<L> {
    /// How many there are.
    pub count: L,
    /// Their offsets from the agent, m.
    pub offset: [L; 2],
    /// Their velocities, m/s.
    pub vel: [L; 2],
}

impl<L: Lane> Nearest<L> {
    /// No member within a range (metres, squared).
    #[inline(always)]
    pub fn none(square: L::Num) -> Self {
        Self { square: L::splat(square), row: L::Int::splat(-1) }
    }
}

impl<L: Lane> Flock<L> {
    /// No member.
    #[inline(always)]
    pub fn none() -> Self {
        Self { count: L::zero(), offset: [L::zero(); 2], vel: [L::zero(); 2] }
    }

    /// Makes up for what fixed point cuts off each term: `half` a step, in units.
    #[inline(always)]
    pub fn rounded(&self, half: L) -> Self {
        let more = self.count * half;
        let round = |sum: [L; 2]| sum.each(|c| c + more);
        Self { count: self.count, offset: round(self.offset), vel: round(self.vel) }
    }

    /// Takes a member with this velocity away that stands exactly where the agent does: itself.
    #[inline(always)]
    pub fn without(&self, vel: [L; 2], unit: L) -> Self {
        Self {
            count: self.count - unit,
            offset: self.offset,
            vel: [0, 1].each(|i| self.vel[i] - vel[i] * unit),
        }
    }
}

/// A member at `other` with velocity `vel`, as one agent's sums see it: count, offset, velocity.
pub fn reference(pos: [f64; 2], other: [f64; 2], vel: [f64; 2], range: f64) -> [f64; 5] {
    let [dx, dy] = [other[0] - pos[0], other[1] - pos[1]];
    if dx * dx + dy * dy < range * range { [1.0, dx, dy, vel[0], vel[1]] } else { [0.0; 5] }
}

/// The offset of a candidate and its squared distance.
#[inline(always)]
fn offset<L: Lane>(pos: [L; 2], [x, y]: [L::Num; 2]) -> ([L; 2], L) {
    let (dx, dy) = ((L::splat(x) - pos[0]).near(), (L::splat(y) - pos[1]).near());
    ([dx, dy], dx.mul_coarse(dx) + dy.mul_coarse(dy))
}

/// Looks for nearer ones among candidates whose rows begin at `first`. Of equally near ones the
/// first stays.
#[inline(always)]
pub fn add_nearest<L: Lane>(
    pos: [L; 2],
    candidates: &[[L::Num; 2]],
    first: usize,
    counts: impl Fn(usize) -> bool,
    nearest: &mut Nearest<L>,
) {
    for (i, &at) in candidates.iter().enumerate() {
        let (_, square) = offset(pos, at);
        let most = if counts(i) { nearest.square } else { L::zero() };
        let nearer = square.lt(most) & L::zero().lt(square);
        nearest.square = L::select(nearer, square, nearest.square);
        nearest.row = L::Int::select(nearer, L::Int::splat((first + i) as i32), nearest.row);
    }
}

/// Adds the candidates within a range (metres, squared) to the sums, each times `unit`, a power of
/// two: in fixed point `unit` times the number of members, times the range or the largest speed,
/// stays below 16,384.
#[inline(always)]
pub fn add_flock<L: Lane>(
    pos: [L; 2],
    candidates: &[[L::Num; 2]],
    vel: &[[L::Num; 2]],
    counts: impl Fn(usize) -> bool,
    [range, unit]: [L::Num; 2],
    flock: &mut Flock<L>,
) {
    for (i, (&at, &[vx, vy])) in candidates.iter().zip(vel).enumerate() {
        let ([dx, dy], square) = offset(pos, at);
        let most = L::splat(if counts(i) { range } else { L::Num::ZERO });
        let share = L::select(square.lt(most), L::splat(unit), L::zero());
        flock.count = flock.count + share;
        flock.offset[0] = flock.offset[0] + dx * share;
        flock.offset[1] = flock.offset[1] + dy * share;
        flock.vel[0] = flock.vel[0] + L::splat(vx) * share;
        flock.vel[1] = flock.vel[1] + L::splat(vy) * share;
    }
}
