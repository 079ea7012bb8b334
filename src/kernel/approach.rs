//! Approach: no agent walks faster towards a neighbour than the gap between them allows.
//!
//! For an agent i and every neighbour j in reach, with n the unit vector from i to j and g the gap
//! between their discs, the agent's own speed towards j is limited: v·n ≤ max(0, g) / T + u, with
//! the stopping time T of two ticks at the least, and the speed u ≥ 0 at which j went away along n.
//! Both of a pair that meet head-on then use at most half of the gap in a tick, so discs that are
//! apart stay apart, whatever the others do; v = 0 is always allowed, so no set of limits is
//! infeasible. No agent is pushed by it. The limits are half-planes, and the velocity
//! is projected on each that it breaks, in the order of rows, twice: it slides along a neighbour
//! rather than stop (Gauss–Seidel; cf. the collision-free speed model of Tordeux, Chraibi and
//! Seyfried 2016, which stops). Among many neighbours some limits are still broken after that: an agent
//! that chooses its velocity (`chooses`) is slowed down until it comes no nearer to any of them than
//! [`NEAREST`] of the radii, by the same rule.
//!
//! Of two that head the same way, the one behind keeps its distance and the one ahead does not look
//! back unless it chooses its velocity (`chooses`). An agent that walks where it is heading runs into
//! nobody behind it, but one that chooses gives way back and aside, and dense crowds that turn around
//! would press themselves closer than they can stand. Nor does one that chooses follow an agent that it
//! overlaps (u = 0), which may stop within a tick: queues of quick agents would press themselves together
//! from behind, and streams that squeeze past each other go deeper than they may. Side by side the one
//! ahead may press in by an eighth of the radii, so that no arch forms in front of a door, or by a
//! twelfth where it chooses. Towards oncoming agents an agent that has been blocked for a while makes
//! itself thin (`soft`), so that two crowds squeeze through each other, by a stated bound, rather than
//! stand for ever. It passes standing agents in the same way, unless they are to hold their place.

use crate::lane::{Lane, Mask};
use crate::math::Num;
use crate::math::each::Each;

/// An agent as its neighbours read it: heading (a unit vector, or zero), share of the radii that it
/// keeps to agents of the opposite heading, or lets walkers keep while it stands (1 at most), radius in
/// metres, velocity in m/s, position before the move in metres.
pub type Mark<N> = [N; 8];

/// Share of the radii that two oncoming agents keep at least as they squeeze past each other: their centres
/// stay farther apart than a radius, and an agent of the same size fits between two that touch. And the same
/// for agents that choose their velocity: their streams get past each other with less. With 0.6, 98 % of
/// 100,000 in `crossing` with the preset `rts` are in 5 % earlier, but some sixty times as many pairs are
/// deeper than half a radius; with 0.95 ORCA is slower yet.
pub const THINNEST: [f64; 2] = [0.6, 0.84];
/// Share of the radii up to which an agent that chooses its velocity comes near to others, however many
/// there are.
pub const NEAREST: f64 = 0.78;
/// Speed with which it comes nearer yet, in m/s: one that slides along another as near as that goes on,
/// however numbers are rounded.
const CREEP: f64 = 1.0 / 64.0;
/// Share of the radii that an agent ahead keeps to one behind.
const AHEAD: f64 = 0.875;
/// The same of one that chooses its velocity.
const AHEAD_CHOOSING: f64 = 0.92;
/// Share of the radii from which on an agent that chooses its velocity follows one that goes away.
const FOLLOWS: f64 = 0.95;
/// Cosine between two headings below which they are opposite.
const OPPOSITE: f64 = -0.2;
/// More than any speed or shift: no limit.
pub(super) const FREE: f64 = 8_192.0;

/// Agents of a block, in lanes.
#[derive(Clone, Copy)]
pub struct Block<L: Lane> {
    /// Position in metres.
    pub pos: [L; 2],
    /// Unit vector of the desired velocity, or zero.
    pub heading: [L; 2],
    /// Share of the radii that is kept to agents of the opposite heading.
    pub soft: L,
    /// Radius in metres.
    pub radius: L,
    /// Gap in metres from which on a neighbour sets no limit.
    pub reach: L,
    /// 1 / stopping time, in 1/s.
    pub rate: L,
    /// Set for agents that choose their velocity: neighbours behind limit them, too, and they do not follow
    /// neighbours that they overlap.
    pub chooses: L::Mask,
    /// Set for agents that keep apart by pushes: of two that head the same way contacts shift the one
    /// behind more.
    pub pushes: L::Mask,
}

/// A half-plane of velocities: v·normal ≤ most.
#[derive(Clone, Copy)]
pub struct Limit<L> {
    /// From the agent to the neighbour.
    pub normal: [L; 2],
    /// Largest speed towards the neighbour, in m/s.
    pub most: L,
    /// Largest speed towards it where other neighbours leave the agent no room, in m/s.
    pub bound: L,
}

impl<L: Lane> Limit<L> {
    /// The limit of a wall so many metres away: it has to be reached in one tick at the most. `rate` is ticks
    /// a second; `near` says which lanes have one.
    #[inline(always)]
    pub fn of_wall(normal: [L; 2], distance: L, rate: L, near: L::Mask) -> Self {
        let free = L::splat(L::Num::from_f64(FREE));
        let most = L::select(near, distance.larger(L::zero()) * rate, free);
        Self { normal: normal.each(|c| L::zero() - c), most, bound: free }
    }
}

/// Where two agents come the other way: both headings as unit vectors.
#[inline(always)]
pub(super) fn opposite<L: Lane>(a: [L; 2], b: [L; 2]) -> L::Mask {
    let together = a[0].mul_unit(b[0]) + a[1].mul_unit(b[1]);
    together.lt(L::splat(L::Num::from_f64(OPPOSITE)))
}

/// The share of the radii that two agents with these headings and these shares of their own keep;
/// where neither comes the other way nor one alone stands, `other`.
#[inline(always)]
pub(super) fn part<L: Lane>(headings: [[L; 2]; 2], soft: [L; 2], other: L) -> (L, L::Mask) {
    let [a, b] = headings;
    let zero = L::zero();
    let stands = |h: [L; 2]| h[0].equal(zero) & h[1].equal(zero);
    let (one, two) = (stands(a), stands(b));
    let oncoming = opposite(a, b);
    let passes = (one & !two) | (two & !one);
    let squeeze = L::select(oncoming, soft[0].smaller(soft[1]), other);
    (L::select(passes, soft[0].larger(soft[1]), squeeze), oncoming | passes)
}

/// A difference of positions as its length and unit vector; the unit vector is zero, and the mask
/// set, where it is shorter than about a millimetre.
#[inline(always)]
pub fn polar<L: Lane>(d: [L; 2]) -> (L, [L; 2], L::Mask) {
    let length = L::length(d[0], d[1]);
    let none = length.lt(L::splat(L::Num::from_f64(1.0 / 1024.0)));
    let safe = L::select(none, L::one(), length);
    // No component is longer than the vector, rounded as lengths are.
    let unit = d.each(|c| L::select(none, L::zero(), c.ratio(safe)));
    (length, unit, none)
}

/// The limit that a neighbour in every lane sets, by its [`Mark`]. `share` is the part of the radii that
/// counts: less than 1 where the agent is heavier than the neighbour, 0 where it does not heed it.
#[inline(always)]
pub fn limit<L: Lane>(block: &Block<L>, mark: [L; 8], share: L) -> Limit<L> {
    let n = |value: f64| L::splat(L::Num::from_f64(value));
    let (zero, one) = (L::zero(), L::one());
    let [x, y, soft, radius, vel_x, vel_y, pos_x, pos_y] = mark;
    let d = [(pos_x - block.pos[0]).near(), (pos_y - block.pos[1]).near()];
    let (length, normal, none) = polar(d);
    let both = [block.heading[0] + x, block.heading[1] + y];
    let ahead = (d[0].mul_coarse(both[0]) + d[1].mul_coarse(both[1])).lt(zero);
    let in_front = normal[0].mul_unit(block.heading[0]) + normal[1].mul_unit(block.heading[1]);
    let beside = L::select(block.chooses, n(AHEAD_CHOOSING), n(AHEAD));
    let others = L::select(ahead, beside, one);
    let (part, oncoming) = part([block.heading, [x, y]], [block.soft, soft], others);
    let behind = in_front.lt(zero) & !oncoming & !block.chooses;
    let touch = block.radius + radius;
    let gap = (length - touch * part * share).larger(zero);
    let far = (touch + block.reach).lt(length);
    let free = none | behind | far | share.le(zero);
    let away = (vel_x * normal[0] + vel_y * normal[1]).larger(zero);
    let follows = !block.chooses | (touch * n(FOLLOWS) * share).le(length);
    let most = gap * block.rate + L::select(follows, away, zero);
    let bound = (length - touch * share * n(NEAREST)).larger(zero) * block.rate + away + n(CREEP);
    let bounded = block.chooses & !free;
    Limit {
        normal,
        most: L::select(free, n(FREE), most),
        bound: L::select(bounded, bound, n(FREE)),
    }
}

/// Projects velocities on a limit where they break it.
#[inline(always)]
pub fn obey<L: Lane>(vel: [L; 2], limit: &Limit<L>) -> [L; 2] {
    let [x, y] = limit.normal;
    let over = (vel[0] * x + vel[1] * y - limit.most).larger(L::zero());
    [vel[0] - x * over, vel[1] - y * over]
}

/// The part of vectors, or `part` where that is less, by which they go no farther than `bound` along a
/// normal.
#[inline(always)]
pub fn bounded<L: Lane>(vector: [L; 2], normal: [L; 2], bound: L, part: L) -> L {
    let along = vector[0] * normal[0] + vector[1] * normal[1];
    let over = bound.lt(along * part);
    if !over.any() {
        return part;
    }
    let kept = bound.ratio(L::select(over, along, L::one()));
    L::select(over, kept, part)
}

/// One agent among neighbours, in `f64`: [`limit`], two rounds of [`obey`], and [`bounded`], with all
/// shares 1. Agents are `[x, y, heading x, heading y, soft, radius, vel x, vel y]`; `chooses` says whether
/// the agent chooses its velocity.
pub fn reference(
    vel: [f64; 2],
    agent: [f64; 8],
    [reach, rate]: [f64; 2],
    chooses: bool,
    others: &[[f64; 8]],
) -> [f64; 2] {
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let limit = |other: &[f64; 8]| {
        let d = [other[0] - agent[0], other[1] - agent[1]];
        let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
        let touch = agent[5] + other[5];
        if length < 1.0 / 1024.0 || length > touch + reach {
            return None;
        }
        let normal = d.each(|c| c / length);
        let (own, their) = ([agent[2], agent[3]], [other[2], other[3]]);
        let oncoming = dot(own, their) < OPPOSITE;
        let passes = (own == [0.0; 2]) != (their == [0.0; 2]);
        if dot(normal, own) < 0.0 && !oncoming && !passes && !chooses {
            return None;
        }
        let part = match (passes, oncoming, dot(d, own) + dot(d, their) < 0.0) {
            (true, ..) => agent[4].max(other[4]),
            (_, true, _) => agent[4].min(other[4]),
            (_, _, true) if chooses => AHEAD_CHOOSING,
            (_, _, true) => AHEAD,
            (_, _, false) => 1.0,
        };
        let follows = !chooses || touch * FOLLOWS <= length;
        let away = dot([other[6], other[7]], normal).max(0.0);
        let keeping = |part: f64| (length - touch * part).max(0.0) * rate;
        let most = keeping(part) + if follows { away } else { 0.0 };
        Some((normal, most, if chooses { keeping(NEAREST) + away + CREEP } else { FREE }))
    };
    let limits = || others.iter().filter_map(limit);
    let mut vel = vel;
    for (normal, most, _) in limits().chain(limits()) {
        let over = (dot(vel, normal) - most).max(0.0);
        vel = [vel[0] - normal[0] * over, vel[1] - normal[1] * over];
    }
    let part = limits().fold(1.0, |part: f64, (normal, _, bound)| {
        let towards = dot(vel, normal);
        if towards > bound { part.min(bound / towards) } else { part }
    });
    vel.each(|c| c * part)
}

#[cfg(test)]
mod tests {
    use super::polar;
    use crate::lane::{Lane, Numbers};
    use crate::math::{Fx, hash2};

    /// A vector and its opposite have opposite unit vectors to the bit, and no component is longer than 1,
    /// for vectors that are short, long or along an axis.
    fn check<N: Numbers>(vectors: impl Iterator<Item = [N; 2]>) {
        let unit = |vector: [N; 2]| polar(vector.map(N::Single::splat)).1.map(|c| c.get(0));
        let mut long = 0;
        for vector in vectors {
            let (there, back) = (unit(vector), unit(vector.map(|c| N::ZERO - c)));
            for (one, other) in there.into_iter().zip(back) {
                assert!(N::ZERO - N::ONE <= one && one <= N::ONE, "{vector:?}: {one:?}");
                assert_eq!(one, N::ZERO - other, "{vector:?}");
                long += u32::from(one == N::ONE || other == N::ONE);
            }
        }
        assert!(long > 50, "{long} lie along an axis");
    }

    #[test]
    fn no_component_of_a_unit_vector_is_longer_than_it() {
        let random = |i: u64, axis| hash2(i, axis);
        check((0..200_000).map(|i| {
            let component = |axis| {
                let (bits, size) = (random(i, axis), random(i, axis + 2) % 24);
                let share = (bits % 16_777_259) as f32 / 16_777_259.0 - 0.5;
                if bits.is_multiple_of(11) { 0.0 } else { share * (1_u32 << size) as f32 / 4_096.0 }
            };
            [component(0), component(1)]
        }));
        check((0..200_000).map(|i| {
            let component = |axis| {
                let bits = random(i, axis);
                let size = random(i, axis + 2) % 20;
                if bits.is_multiple_of(11) { 0 } else { bits as i32 >> 12 >> size }
            };
            [component(0), component(1)].map(Fx::from_raw)
        }));
    }
}
