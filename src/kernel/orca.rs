//! Optimal reciprocal collision avoidance: the velocities that keep an agent clear of a neighbour.
//!
//! For an agent with velocity v and a neighbour at relative position p (theirs minus ours), with
//! relative velocity u (ours minus theirs) and combined radius r, the velocity obstacle is every
//! relative velocity that brings the two together within the horizon τ: a cone behind the circle
//! around p/τ with radius r/τ. With w the shortest way from u to its border and n the normal there,
//! outwards, the agent takes a share of it: the half-plane (v' − (v + share·w))·n ≥ 0. For two that
//! overlap already, the circle of the time in which they are to part takes the place of the obstacle (van den
//! Berg, Guy, Lin, Manocha: Reciprocal n-Body Collision Avoidance, 2011; there that is one time step).
//!
//! Method: agents in lanes, and the neighbours of one slot at a time, nearest first. Circle and legs
//! share one root and one division: what goes into them is selected first. In terms of the normal n
//! the offset is n·v + share·(r/τ − |u − p/τ|) at the circle and n·v − share·n·u at a leg, which
//! passes through the origin, so no point of the border is ever computed.

use crate::kernel::half_planes;
use crate::kernel::half_planes::{Border, HalfPlane, HalfPlanes};
use crate::kernel::nearest::{Candidates, NEAREST, Nearest, Neighbour};
use crate::lane::{Compare, IntLane, Lane, Mask, Real};
use crate::math::each::Each;
use crate::math::plane::dot;

/// The shortest horizon and time to part, in seconds: shorter ones count as this.
pub const SHORTEST: f64 = 1.0 / 1024.0;

/// Square of a speed below which a velocity has no direction.
const TINY: f64 = 1e-30;

/// Agents of a block, in lanes.
#[derive(Clone, Copy)]
pub struct Agents<L: Lane> {
    /// Position in metres.
    pub pos: [L; 2],
    /// Velocity in m/s.
    pub vel: [L; 2],
    /// Radius in metres.
    pub radius: L,
    /// How much more than others an agent is given way to; above 0.
    pub weight: L,
    /// How far it looks ahead, in seconds.
    pub horizon: L,
    /// Time in which two that overlap part, in seconds.
    pub part: L,
}

/// One neighbour of each agent, in lanes.
#[derive(Clone, Copy)]
pub struct Pair<R: Real> {
    /// Its position minus the agent's, in metres.
    pub pos: [R; 2],
    /// The agent's velocity minus its, in m/s.
    pub vel: [R; 2],
    /// The agent's own velocity, in m/s.
    pub own: [R; 2],
    /// Sum of the radii, in metres.
    pub radius: R,
    /// What part of the change of velocity the agent takes, between 0 and 1.
    pub share: R,
    /// 1 / horizon and 1 / time to part, in 1/s.
    pub rates: [R; 2],
}

/// Adds the half-plane of every neighbour, nearest first. `own` is the row of the agent in lane 0,
/// `list` the list through which `nearest` was filled, `alike` says that its bodies are empty.
#[inline(always)]
pub fn add<L: Lane>(
    agents: &Agents<L>,
    own: usize,
    nearest: &Nearest<L>,
    list: &Candidates<L::Num>,
    alike: bool,
    planes: &mut HalfPlanes<L::Real>,
) {
    let shortest = L::Real::splat(SHORTEST);
    let rate = |time: L| L::Real::one() / time.real().larger(shortest);
    let rates = [rate(agents.horizon), rate(agents.part)];
    let vel = [agents.vel[0].real(), agents.vel[1].real()];
    let (radius, weight) = (agents.radius.real(), agents.weight.real());
    let own = L::Int::from_fn(|lane| (own + lane) as i32);
    for slot in 0..NEAREST {
        let present = nearest.present(slot);
        if !present.any() {
            break;
        }
        let neighbour = nearest.neighbour(slot, list);
        let (radius, share) = if alike {
            (radius + radius, L::Real::splat(0.5))
        } else {
            let [their_radius, their_weight] = list.body(&neighbour);
            (radius + their_radius.real(), share(weight, their_weight.real()))
        };
        let Neighbour { pos, vel: their_vel, .. } = neighbour;
        let pair = Pair {
            pos: [(pos[0] - agents.pos[0]).real(), (pos[1] - agents.pos[1]).real()],
            vel: [(agents.vel[0] - their_vel[0]).real(), (agents.vel[1] - their_vel[1]).real()],
            own: vel,
            radius,
            share,
            rates,
        };
        let side = || {
            let former = L::real_mask(own.less(list.rows(&neighbour)));
            L::Real::select(former, L::Real::one(), -L::Real::one())
        };
        let plane = half_plane(&pair, side);
        planes.add(plane.only(L::real_mask(present)));
    }
}

/// The part that an agent takes of the change of velocity that a pair needs: the heavier the
/// other, the more; all of it when the other's weight is 0.
#[inline(always)]
fn share<R: Real>(own: R, other: R) -> R {
    let avoids = R::zero().lt(other);
    let sum = R::select(avoids, own + other, R::one());
    R::select(avoids, other / sum, R::one())
}

/// The velocities that avoid one neighbour. Two in one place with one velocity have no direction:
/// `side` says which way along x each goes, 1 or −1.
#[inline(always)]
pub fn half_plane<R: Real>(pair: &Pair<R>, side: impl FnOnce() -> R) -> HalfPlane<R> {
    let Pair { pos: [x, y], vel, own, radius, share, rates } = *pair;
    let (square, radius_square) = (x * x + y * y, radius * radius);
    let apart = radius_square.lt(square);
    let rate = R::select(apart, rates[0], rates[1]);
    let from_centre = [vel[0] - x * rate, vel[1] - y * rate];
    let speed_square = R::dot(from_centre, from_centre);
    let towards = R::dot(from_centre, [x, y]);
    let moves = !speed_square.lt(R::splat(TINY));
    let before = towards.lt(R::zero()) & (radius_square * speed_square).lt(towards * towards);
    let circle = !apart | (before & moves);
    let root = R::select(circle, speed_square, square - radius_square).sqrt();
    let left = R::zero().lt(x * from_centre[1] - y * from_centre[0]);
    let leg = R::select(left, root, -root);
    let leg_normal = [-(radius * x) - leg * y, leg * x - radius * y];
    let undirected = circle & !moves;
    let scale = R::one() / R::select(undirected, R::one(), R::select(circle, root, square));
    let mut normal = R::scaled(R::pick(circle, from_centre, leg_normal), scale);
    if undirected.any() {
        normal = R::pick(undirected, [side(), R::zero()], normal);
    }
    let way = R::select(circle, radius * rate - root, -R::dot(normal, vel));
    HalfPlane { normal, offset: R::dot(normal, own) + share * way }
}

/// An agent of [`reference()`]: position (m), velocity (m/s), radius (m) and weight.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Position in metres.
    pub pos: [f64; 2],
    /// Velocity in m/s.
    pub vel: [f64; 2],
    /// Radius in metres.
    pub radius: f64,
    /// How much more than others it is given way to; 0 for an agent that gives way to no other.
    pub weight: f64,
}

/// The border of the half-plane that keeps an agent clear of a neighbour for `horizon` seconds, in
/// `f64`; two that overlap part within `part` seconds. It is undefined for two in one place with the same
/// velocity.
pub fn reference_border(agent: &Body, other: &Body, horizon: f64, part: f64) -> Border {
    let pos = [0, 1].each(|i| other.pos[i] - agent.pos[i]);
    let vel = [0, 1].each(|i| agent.vel[i] - other.vel[i]);
    let distance = dot(pos, pos).sqrt();
    let radius = agent.radius + other.radius;
    let time = if distance > radius { horizon } else { part };
    let from_centre = [0, 1].each(|i| vel[i] - pos[i] / time);
    let length = dot(from_centre, from_centre).sqrt();
    let towards = dot(from_centre, pos);
    let (along, way);
    if distance <= radius || towards < -radius * length {
        let normal = from_centre.each(|c| c / length);
        along = [normal[1], -normal[0]];
        way = normal.each(|c| c * (radius / time - length));
    } else {
        // The tangents turn by the angle whose sine is radius / distance.
        let sine = radius / distance;
        let cosine = (1.0 - sine * sine).sqrt();
        let [x, y] = pos.each(|c| c / distance);
        let left = pos[0] * from_centre[1] - pos[1] * from_centre[0] > 0.0;
        along = if left {
            [x * cosine - y * sine, x * sine + y * cosine]
        } else {
            [-x * cosine - y * sine, x * sine - y * cosine]
        };
        way = [0, 1].each(|i| dot(vel, along) * along[i] - vel[i]);
    }
    let share = match other.weight {
        0.0 => 1.0,
        weight => weight / (agent.weight + weight),
    };
    Border { point: [0, 1].each(|i| agent.vel[i] + share * way[i]), along }
}

/// The velocity that an agent takes among its neighbours, nearest first, in `f64`, and whether it
/// avoids them all. `walls` are half-planes that never give way.
pub fn reference(
    agent: &Body,
    others: &[Body],
    walls: &[Border],
    [horizon, part]: [f64; 2],
    preferred: [f64; 2],
    most: f64,
) -> ([f64; 2], bool) {
    let mut lines = walls.to_vec();
    lines.extend(others.iter().map(|other| reference_border(agent, other, horizon, part)));
    half_planes::reference(&lines, walls.len(), preferred, most)
}
