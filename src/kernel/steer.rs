//! The classic steering behaviours (Reynolds, "Steering Behaviors For Autonomous Characters", GDC
//! 1999): what each wishes, and how wishes become one velocity.
//!
//! A wish is a velocity in shares of the agent's speed: a vector of length ≤ 1, zero where the
//! behaviour has nothing to say. Nearly all of them are [`share`] of some vector: its direction, and
//! its length up to a whole.
//!
//! Wishes of one priority are added, each times its weight; the sum is cut to what is left of a
//! budget of 1, from the highest priority down ([`Budget`]: Reynolds 1987's prioritised
//! accumulation, with Reynolds 1999's truncated sum within a priority).
//!
//! Ranges, so that fixed point does not overflow: speeds up to 2,000 m/s, positions up to ±18,400 m,
//! times up to 10 s.
//!
//! Tried and lost: pursuit by distance / own speed, as usual, aims behind a crossing quarry and ends
//! up in its tail. The closing speed on the course of interception gives that course at once.

use crate::kernel::wall::Wall;
use crate::lane::{Lane, Mask};
use crate::math::Num;
use crate::math::each::Each;

/// Vectors shorter than this have no direction, m or m/s.
const TINY: f64 = 1.0 / 1024.0;

/// `v / max(|v|, whole)` for a whole > 0: a unit vector beyond the whole, a ramp below it.
#[inline(always)]
pub fn share<L: Lane>([x, y]: [L; 2], whole: L) -> [L; 2] {
    let length = L::length(x, y).larger(whole);
    // A root may be rounded below its longer side.
    [x, y].each(|c| c.smaller(length).larger(-length).ratio(length))
}

/// The direction of a vector, or zero.
#[inline(always)]
pub fn unit<L: Lane>([x, y]: [L; 2]) -> [L; 2] {
    let length = L::length(x, y);
    let none = length.lt(L::splat(L::Num::from_f64(TINY)));
    let safe = L::select(none, L::one(), length);
    let part = |c: L| c.smaller(safe).larger(-safe).ratio(safe);
    [x, y].each(|c| L::select(none, L::zero(), part(c)))
}

/// [`share`] for one agent, in `f64`.
pub fn reference_share([x, y]: [f64; 2], whole: f64) -> [f64; 2] {
    let length = (x * x + y * y).sqrt().max(whole);
    [x / length, y / length]
}

/// 1 within half of a range, less and less out to it, 0 beyond.
#[inline(always)]
pub fn fade<L: Lane>(distance: L, range: L) -> L {
    let half = range * L::splat(L::Num::HALF);
    (range - distance).larger(L::zero()).smaller(half).ratio(half)
}

/// Straight away from what is at an offset, within a range (m).
#[inline(always)]
pub fn flee<L: Lane>(offset: [L; 2], range: L) -> [L; 2] {
    let strength = fade(L::length(offset[0], offset[1]), range);
    unit(offset).each(|c| -(c * strength))
}

/// [`flee`] for one agent, in `f64`.
pub fn reference_flee([x, y]: [f64; 2], range: f64) -> [f64; 2] {
    let distance = (x * x + y * y).sqrt();
    let strength = (2.0 * (range - distance) / range).clamp(0.0, 1.0);
    [-x / distance * strength, -y / distance * strength]
}

/// The smaller of a time and distance / speed.
#[inline(always)]
fn time<L: Lane>(distance: L, speed: L, most: L) -> L {
    let reach = speed.larger(L::zero()) * most;
    let soon = distance.lt(reach);
    let part = L::select(soon, distance, L::zero());
    L::select(soon, most * part.ratio(L::select(soon, reach, L::one())), most)
}

/// Towards where a quarry will be when it is met.
///
/// With the offset's direction n: an agent that matches the quarry's speed across n and spends the
/// rest of its own along n sees it at a constant bearing. So it closes in at
/// √(speed² − across²) − along, and the quarry is met after distance / that, where it is by then; at
/// most `horizon` seconds (0 to 10) are looked ahead.
#[inline(always)]
pub fn pursue<L: Lane>(offset: [L; 2], vel: [L; 2], speed: L, horizon: L) -> [L; 2] {
    let [nx, ny] = unit(offset);
    let along = vel[0] * nx + vel[1] * ny;
    let across = (vel[1] * nx - vel[0] * ny).abs().smaller(speed).ratio(speed);
    let closing = speed * (L::one() - across * across).larger(L::zero()).sqrt() - along;
    let time = time(L::length(offset[0], offset[1]), closing, horizon);
    let aim = unit([0, 1].each(|i| offset[i] + vel[i] * time));
    let none = !(aim[0].abs() + aim[1].abs()).lt(L::splat(L::Num::HALF));
    [L::select(none, aim[0], nx), L::select(none, aim[1], ny)]
}

/// [`pursue`] for one agent, in `f64`, by the quadratic equation |offset + vel·t| = speed·t.
pub fn reference_pursue(offset: [f64; 2], vel: [f64; 2], speed: f64, horizon: f64) -> [f64; 2] {
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let (a, b, c) = (speed * speed - dot(vel, vel), dot(offset, vel), dot(offset, offset));
    // a·t² − 2·b·t − c = 0, with the root t = (b + root) / a = c / (root − b).
    let root = b * b + a * c;
    let met = (root >= 0.0).then(|| c / (root.sqrt() - b)).filter(|&t| t > 0.0);
    let time = met.unwrap_or(horizon).min(horizon);
    let aim = [offset[0] + vel[0] * time, offset[1] + vel[1] * time];
    let length = dot(aim, aim).sqrt();
    aim.each(|c| c / length)
}

/// Away from where a hunter will be, within a range (m) of where it is.
///
/// The agent looks ahead for as long as both need to meet if they run at each other, distance / (speed +
/// hunter's speed), and at most `horizon` seconds: so the hunter is never thought to have arrived.
#[inline(always)]
pub fn evade<L: Lane>(offset: [L; 2], vel: [L; 2], speed: L, horizon: L, range: L) -> [L; 2] {
    let distance = L::length(offset[0], offset[1]);
    let time = time(distance, speed + L::length(vel[0], vel[1]), horizon);
    let strength = fade(distance, range);
    unit([0, 1].each(|i| offset[i] + vel[i] * time)).each(|c| -(c * strength))
}

/// [`evade`] for one agent, in `f64`.
pub fn reference_evade(
    offset: [f64; 2],
    vel: [f64; 2],
    speed: f64,
    horizon: f64,
    range: f64,
) -> [f64; 2] {
    let length = |v: [f64; 2]| (v[0] * v[0] + v[1] * v[1]).sqrt();
    let time = (length(offset) / (speed + length(vel))).min(horizon);
    let aim = [0, 1].each(|i| offset[i] + vel[i] * time);
    let strength = (2.0 * (range - length(offset)) / range).clamp(0.0, 1.0);
    aim.each(|c| -c / length(aim) * strength)
}

/// Smooth noise between two values: `a + (b − a)·(3·t² − 2·t³)` for t from 0 to 1.
#[inline(always)]
pub fn noise<L: Lane>(a: L, b: L, t: L) -> L {
    let two = L::one() + L::one();
    let smooth = t * t * (two + L::one() - two * t);
    a + (b - a) * smooth
}

/// Along the heading, turned by `side` radians for each response time (little more than ±10 times
/// 60), so that an agent's heading changes by `side` / response time rad/s at most.
#[inline(always)]
pub fn wander<L: Lane>(vel: [L; 2], start: [L; 2], side: L) -> [L; 2] {
    let slow = L::length(vel[0], vel[1]).lt(L::splat(L::Num::from_f64(1.0 / 64.0)));
    let heading = unit(vel);
    let [hx, hy] = [0, 1].each(|i| L::select(slow, start[i], heading[i]));
    unit([hx - hy * side, hy + hx * side])
}

/// [`wander`] for one agent that moves, in `f64`.
pub fn reference_wander([x, y]: [f64; 2], side: f64) -> [f64; 2] {
    reference_share([x - y * side, y + x * side], 1e-9)
}

/// A straight part of a path.
#[derive(Clone, Copy, Debug)]
pub struct Leg<N> {
    /// Where it starts, m.
    pub start: [N; 2],
    /// Where it ends, m.
    pub end: [N; 2],
    /// Its direction, a unit vector.
    pub along: [N; 2],
    /// Its length, m.
    pub length: N,
}

impl<N: Num> Leg<N> {
    /// The leg between two points that differ.
    pub fn new(start: [f64; 2], end: [f64; 2]) -> Self {
        let span = [end[0] - start[0], end[1] - start[1]];
        let length = (span[0] * span[0] + span[1] * span[1]).sqrt();
        Self {
            start: start.each(N::from_f64),
            end: end.each(N::from_f64),
            along: span.each(|c| N::from_f64(c / length)),
            length: N::from_f64(length),
        }
    }
}

/// Where a path is as seen from an agent.
#[derive(Clone, Copy)]
struct Foot<L: Lane> {
    distance: L,
    toward: [L; 2],
    along: [L; 2],
    /// What is left of the leg, m.
    left: L,
}

/// The nearest point of a leg.
#[inline(always)]
fn foot<L: Lane>(leg: &Leg<L::Num>, [x, y]: [L; 2]) -> Foot<L> {
    let [start, end, along] = [leg.start, leg.end, leg.along].each(|p| p.each(L::splat));
    let length = L::splat(leg.length);
    let t = (x - start[0]) * along[0] + (y - start[1]) * along[1];
    let t = t.larger(L::zero()).smaller(length);
    let at_end = length.le(t);
    let point = [0, 1].each(|i| L::select(at_end, end[i], start[i] + along[i] * t));
    let toward = [point[0] - x, point[1] - y];
    Foot { distance: L::length(toward[0], toward[1]), toward, along, left: length - t }
}

/// Along a path: within `radius` (m) in the direction of its nearest leg, outside also back to it,
/// at 45° when as far outside again. A path that is not closed ends: `slowing` (m) before its last
/// point agents head for that point, and slow down.
///
/// `pos` is where the agent is, `ahead` where it will be when it has responded: that point decides
/// which leg counts. Of two equally near legs the one that begins there counts.
#[inline(always)]
pub fn follow_path<L: Lane>(
    legs: &[Leg<L::Num>],
    closed: bool,
    [pos, ahead]: [[L; 2]; 2],
    radius: L,
    slowing: L,
) -> [L; 2] {
    let Some((first, rest)) = legs.split_first() else { return [L::zero(); 2] };
    let mut best = foot::<L>(first, ahead);
    let mut last = L::Mask::from_fn(|_| rest.is_empty());
    for (i, leg) in rest.iter().enumerate() {
        let foot = foot::<L>(leg, ahead);
        let tie = foot.distance.le(best.distance) & best.left.le(L::zero());
        let nearer = foot.distance.lt(best.distance) | tie;
        let pick = |a: [L; 2], b: [L; 2]| [0, 1].each(|i| L::select(nearer, a[i], b[i]));
        let is_last = L::Mask::from_fn(|_| i + 1 == rest.len());
        last = (nearer & is_last) | (!nearer & last);
        best = Foot {
            distance: L::select(nearer, foot.distance, best.distance),
            toward: pick(foot.toward, best.toward),
            along: pick(foot.along, best.along),
            left: L::select(nearer, foot.left, best.left),
        };
    }
    let excess = (best.distance - radius).larger(L::zero());
    let back = unit(best.toward);
    let wish = unit([0, 1].each(|i| best.along[i] * radius + back[i] * excess));
    let ends = last & best.left.le(slowing);
    if closed || !ends.any() {
        return wish;
    }
    let end = legs[legs.len() - 1].end.each(L::splat);
    let stop = share([end[0] - pos[0], end[1] - pos[1]], slowing);
    [0, 1].each(|i| L::select(ends, stop[i], wish[i]))
}

/// [`follow_path`] before the path's end, for one agent, in `f64`, with the index of the nearest leg
/// and what is left of it; `None` near a tie.
pub fn reference_path(
    points: &[[f64; 2]],
    at: [f64; 2],
    radius: f64,
) -> Option<([f64; 2], usize, f64)> {
    let length = |[x, y]: [f64; 2]| (x * x + y * y).sqrt();
    // The way to the nearest point of a leg, its direction, and what is left of it.
    let foot = |leg: usize| {
        let (start, end) = (points[leg], points[leg + 1]);
        let span = [end[0] - start[0], end[1] - start[1]];
        let along = span.each(|c| c / length(span));
        let t = (at[0] - start[0]) * along[0] + (at[1] - start[1]) * along[1];
        let t = t.clamp(0.0, length(span));
        ([0, 1].each(|i| start[i] + along[i] * t - at[i]), along, length(span) - t)
    };
    let mut legs: Vec<usize> = (0..points.len() - 1).collect();
    legs.sort_by(|&a, &b| length(foot(a).0).total_cmp(&length(foot(b).0)));
    let (toward, along, left) = foot(legs[0]);
    let distance = length(toward);
    let tie = legs.get(1).is_some_and(|&leg| length(foot(leg).0) - distance < 0.01);
    let excess = (distance - radius).max(0.0);
    let wish = [0, 1].each(|i| along[i] * radius + toward[i] / distance * excess);
    (!tie && distance > 0.01).then(|| (reference_share(wish, 1e-9), legs[0], left))
}

/// Along a wall at `keep` cells from it, with the wall on the left or on the right: straight to it
/// or away from it where the distance is wrong by `band` cells or more. Nothing beyond `range`
/// cells.
///
/// y points down, so the left of (1, 0) is (0, −1).
#[inline(always)]
pub fn follow_wall<L: Lane>(wall: &Wall<L>, left: bool, keep: L, band: L, range: L) -> [L; 2] {
    let [nx, ny] = wall.normal;
    let along = if left { [ny, -nx] } else { [-ny, nx] };
    let off = (wall.distance - keep).larger(-band).smaller(band).ratio(band);
    let rest = L::one() - off.abs();
    let wish = unit([along[0] * rest - nx * off, along[1] * rest - ny * off]);
    let seen = wall.distance.lt(range);
    wish.each(|c| L::select(seen, c, L::zero()))
}

/// [`follow_wall`] for one agent, in `f64`, with a unit normal.
pub fn reference_wall(normal: [f64; 2], off: f64, left: bool) -> [f64; 2] {
    let side = if left { 1.0 } else { -1.0 };
    let along = [normal[1] * side, -normal[0] * side];
    let off = off.clamp(-1.0, 1.0);
    reference_share([0, 1].each(|i| along[i] * (1.0 - off.abs()) - normal[i] * off), 1e-9)
}

/// Wishes become one velocity, from the highest priority down.
#[derive(Clone, Copy)]
pub struct Budget<L> {
    /// What was granted so far, a vector of length ≤ 1 or a rounding more.
    pub granted: [L; 2],
    /// What is left.
    left: L,
}

impl<L: Lane> Budget<L> {
    /// All of it.
    #[inline(always)]
    pub fn new() -> Self {
        Self { granted: [L::zero(); 2], left: L::one() }
    }

    /// Grants the weighted sum of a priority's wishes as far as the budget goes.
    #[inline(always)]
    pub fn spend(&mut self, sum: [L; 2]) {
        let length = L::length(sum[0], sum[1]);
        let over = self.left.lt(length);
        let part =
            self.left.ratio(length.larger(self.left).larger(L::splat(L::Num::from_f64(TINY))));
        let sum = sum.each(|c| L::select(over, c * part, c));
        self.granted = [0, 1].each(|i| self.granted[i] + sum[i]);
        self.left = self.left - length.smaller(self.left);
    }
}

impl<L: Lane> Default for Budget<L> {
    fn default() -> Self {
        Self::new()
    }
}

/// The velocity of weighted sums, from the highest priority down, for one agent, in `f64`.
pub fn reference_budget(sums: &[[f64; 2]]) -> [f64; 2] {
    let (mut granted, mut left) = ([0.0; 2], 1.0_f64);
    for [x, y] in sums {
        let length = (x * x + y * y).sqrt();
        let part = if length > left { left / length } else { 1.0 };
        granted = [granted[0] + x * part, granted[1] + y * part];
        left -= length.min(left);
    }
    granted
}
