//! Sweep: when a projectile first touches agents that move themselves.
//!
//! In a tick the projectile goes along a chord and the agent, an upright cylinder, along a line, both
//! at constant speed. Relative to the agent the projectile is at `off + d·t` for t from 0 to 1: it
//! is within the disc of radius R between the two roots of |off + d·t|² = R², and between bottom and
//! top for another range of t. Both ranges and 0 ..= 1 have a common part, or it misses.
//!
//! Method: the roots by the distance of the line, `(off × d)²` against `R²·d²`. The usual
//! discriminant is the difference of two squares of the chord's length, of which `f32` keeps nothing
//! of R for chords of a kilometre. Agents in lanes.

use crate::lane::{Mask, Real};
use crate::math::each::Each;

/// The way of a projectile in a tick, in metres, upwards last.
#[derive(Clone, Copy)]
pub struct Chord<R> {
    /// Where it starts.
    pub from: [R; 3],
    /// From there to where it ends.
    pub along: [R; 3],
}

/// Agents in lanes, in metres.
#[derive(Clone, Copy)]
pub struct Bodies<R> {
    /// Centres when the projectile starts.
    pub before: [R; 2],
    /// Centres when it ends.
    pub after: [R; 2],
    /// Radius.
    pub radius: R,
    /// Lower and upper end.
    pub low: R,
    /// See `low`.
    pub high: R,
}

/// The share of the chord at which each agent is first touched, and which agents are touched at all
/// before the share `until`.
#[inline(always)]
pub fn entry<R: Real>(chord: &Chord<R>, bodies: &Bodies<R>, until: R) -> (R, R::Mask) {
    let [zero, one] = [0.0, 1.0].each(R::splat);
    // No share of the chord is before the end of this range and behind its start.
    let never = [2.0, -1.0].each(R::splat);
    let off = [0, 1].each(|i| chord.from[i] - bodies.before[i]);
    let d = [0, 1].each(|i| chord.along[i] - (bodies.after[i] - bodies.before[i]));
    let square = d[0] * d[0] + d[1] * d[1];
    let back = -(off[0] * d[0] + off[1] * d[1]);
    let cross = off[0] * d[1] - off[1] * d[0];
    let reach = bodies.radius * bodies.radius;
    let room = square * reach - cross * cross;
    let root = room.larger(zero).sqrt();
    let moves = zero.lt(square);
    let divisor = R::select(moves, square, one);
    let meets = !room.lt(zero);
    let stays = !reach.lt(off[0] * off[0] + off[1] * off[1]);
    let disc = [((back - root) / divisor, zero), ((back + root) / divisor, one)];
    let disc = [0, 1].each(|end| {
        let (moving, still) = disc[end];
        let moving = R::select(meets, moving, never[end]);
        R::select(moves, moving, R::select(stays, still, never[end]))
    });
    let rise = chord.along[2];
    let rises = rise.lt(zero) | zero.lt(rise);
    let divisor = R::select(rises, rise, one);
    let gaps = [bodies.low, bodies.high].each(|end| end - chord.from[2]);
    let level = !zero.lt(gaps[0]) & !gaps[1].lt(zero);
    let ends = gaps.each(|gap| gap / divisor);
    let between = [(ends[0].smaller(ends[1]), zero), (ends[0].larger(ends[1]), one)];
    let between = [0, 1].each(|end| {
        let (rising, still) = between[end];
        R::select(rises, rising, R::select(level, still, never[end]))
    });
    let first = disc[0].larger(between[0]).larger(zero);
    let last = disc[1].smaller(between[1]).smaller(until);
    (first, !last.lt(first))
}

/// [`entry`] of one agent, in the same numbers.
#[inline(always)]
pub fn entry_of<R: Real>(chord: &Chord<R>, body: &Bodies<R>, until: R) -> Option<f64> {
    let (share, touched) = entry(chord, body, until);
    touched.any().then(|| share.get(0))
}
