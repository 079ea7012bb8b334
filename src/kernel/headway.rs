//! Headway: no agent walks faster than the room in front allows.
//!
//! People in single file keep a distance of ℓ + T·v from the person in front, with T their time
//! gap and ℓ the length of a body. In two dimensions, for an agent that wants to walk along e, the
//! other at relative position p (theirs minus ours), s = |p|, is in front when p·e > 0 and its
//! offset to the side, |p × e|, is below ℓ, the sum of the radii. It leaves the agent the speed
//! `max(0, s − ℓ) / T`. The least of these, and the desired speed, is the agent's speed (the
//! collision-free speed model of Tordeux, Chraibi and Seyfried 2016).
//!
//! Agents that come towards the agent do not slow it down, as both would stand still for ever. But it
//! steps aside for them as for agents in front: it moves sideways, away from the one that leaves the
//! least speed, by 0.4 of the speed that is lost (of oncoming agents half of the speed that they leave
//! counts, since both close the gap). Without that a crowd keeps for ever the order in which it
//! started, and its speed depends on that order; with it lanes form.
//!
//! Two streams that meet share the ground, and agents follow closer in their lanes then: the flow of both
//! together is no less than that of one alone (Zhang, Klingsch, Schadschneider and Seyfried 2012). So for
//! an agent that sees any neighbour come against it the time gap is two thirds, and the width three
//! quarters, which lets three files walk side by side where two did. Coming is a speed of 3/8 of its own
//! at least: in a queue agents are pushed back a little, and with a tenth of a metre a second doors let a
//! quarter more through.
//!
//! Measured, with what `tick::lanes` does for them: two crowds of 500 pass a corridor of 3 m by 60 m in 298 s
//! for 397, and two of 200 a gap of 3 m in 98 for 153.
//!
//! Tried and lost: a width of 1.32·ℓ with a length that tapers to the side follows Weidmann's speed
//! against density as well, but no two people pass a door of 0.8 m side by side then, and half of its
//! flow is lost. Steps aside of 0.25 of the lost speed are too slow for jams in front of doors.
//!
//! Method: agents in lanes, and the neighbours of one slot at a time.

use crate::kernel::nearest::{Candidates, NEAREST, Nearest};
use crate::kernel::orca::Agents;
use crate::lane::{Lane, Mask, Real};
use crate::math::each::Each;

/// The part of the lost speed that goes sideways.
const ASIDE: f64 = 0.4;

/// Speed against an agent's direction above which another comes towards it, in m/s.
const TOWARDS: f64 = 0.1;

/// Speed against an agent's direction from which on another comes to meet it, in its desired speeds.
const MEETS: f64 = 0.375;

/// The time gap of agents that meet others is shorter by this.
const CLOSER: f64 = 1.5;

/// Their width, in sums of radii.
const NARROWER: f64 = 0.75;

/// Desired speed below which an agent has no direction, in m/s.
pub(crate) const STILL: f64 = 1.0 / 1024.0;

/// The room in front of the agents of a block.
#[derive(Clone, Copy)]
pub struct Headway<R: Real> {
    /// The desired velocity, in m/s.
    desired: [R; 2],
    /// The direction in which they want to walk.
    heading: [R; 2],
    /// The speed that they want, in m/s.
    speed: R,
    /// 1 / time gap, in 1/s.
    rate: R,
    /// The speed that agents in front leave, but for oncoming ones, in m/s.
    limit: R,
    /// The same with oncoming agents.
    tightest: R,
    /// Offset to the side of the agent that leaves that: above 0 on the side of (−y, x) of the heading.
    side: R,
    /// Where an agent sees another come against it.
    meets: R::Mask,
}

/// The direction of desired velocities (m/s), zero where they have none, so that no agent is in front;
/// and their speed.
#[inline(always)]
pub fn heading<R: Real>(desired: [R; 2]) -> ([R; 2], R) {
    let speed = R::dot(desired, desired).sqrt();
    let still = speed.lt(R::splat(STILL));
    let scale = R::one() / R::select(still, R::one(), speed);
    (desired.each(|d| R::select(still, R::zero(), d * scale)), speed)
}

impl<R: Real> Headway<R> {
    /// For agents with this desired velocity (m/s) and 1 / time gap (1/s; 0 where there is none),
    /// and no agent in front yet.
    #[inline(always)]
    pub fn new(desired: [R; 2], rate: R) -> Self {
        let (heading, speed) = heading(desired);
        let (side, meets) = (R::zero(), R::Mask::from_fn(|_| false));
        Self { desired, heading, speed, rate, limit: speed, tightest: speed, side, meets }
    }

    /// Looks whether one neighbour of each agent, with its velocity (m/s) where there is one, comes against
    /// it. All neighbours are looked at before the first is [added](Self::add).
    #[inline(always)]
    pub fn look(&mut self, vel: [R; 2], present: R::Mask) {
        let comes = R::dot(self.heading, vel).lt(-(self.speed * R::splat(MEETS)));
        self.meets = self.meets | (present & comes);
    }

    /// Takes one neighbour of each agent into account: its relative position (m), its velocity
    /// (m/s), the sum of the radii (m), and where there is one.
    #[inline(always)]
    pub fn add(&mut self, pos: [R; 2], vel: [R; 2], radius: R, present: R::Mask) {
        let zero = R::zero();
        let [x, y] = self.heading;
        let left = R::dot([-y, x], pos);
        let offset = R::select(left.lt(zero), -left, left);
        let width = R::select(self.meets, radius * R::splat(NARROWER), radius);
        let rate = R::select(self.meets, self.rate * R::splat(CLOSER), self.rate);
        let in_front = present & zero.lt(R::dot(self.heading, pos)) & offset.lt(width);
        let room = (R::dot(pos, pos).sqrt() - radius).larger(zero) * rate;
        let towards = R::dot(self.heading, vel).lt(R::splat(-TOWARDS));
        let room = R::select(towards, room * R::splat(0.5), room);
        let tighter = in_front & room.lt(self.tightest);
        self.tightest = R::select(tighter, room, self.tightest);
        self.side = R::select(tighter, left, self.side);
        let slows = in_front & !towards & room.lt(self.limit);
        self.limit = R::select(slows, room, self.limit);
    }

    /// The velocity that is left of the desired one, in m/s.
    #[inline(always)]
    pub fn velocity(&self) -> [R; 2] {
        let [x, y] = self.heading;
        let aside = (self.speed - self.tightest) * R::splat(ASIDE);
        let aside = R::select(R::zero().lt(self.side), -aside, aside);
        let keeps = R::zero().lt(self.rate);
        let left = [x * self.limit - y * aside, y * self.limit + x * aside];
        [0, 1].each(|i| R::select(keeps, left[i], self.desired[i]))
    }
}

/// The velocities (m/s) that headway leaves a block's agents of their desired ones. `rate` is
/// 1 / time gap, 0 where there is none; `list` is the list through which `nearest` was filled;
/// `alike` says that all agents have one radius.
#[inline(always)]
pub fn velocity<L: Lane>(
    agents: &Agents<L>,
    desired: [L; 2],
    rate: L,
    nearest: &Nearest<L>,
    list: &Candidates<L::Num>,
    alike: bool,
) -> [L; 2] {
    let mut headway = Headway::new(desired.each(L::real), rate.real());
    for slot in 0..NEAREST {
        let present = nearest.present(slot);
        if !present.any() {
            break;
        }
        let vel = nearest.neighbour(slot, list).vel;
        headway.look(vel.each(L::real), L::real_mask(present));
    }
    for slot in 0..NEAREST {
        let present = nearest.present(slot);
        if !present.any() {
            break;
        }
        let neighbour = nearest.neighbour(slot, list);
        let radius = if alike { agents.radius } else { list.body(&neighbour)[0] };
        let pos = [0, 1].each(|axis| (neighbour.pos[axis] - agents.pos[axis]).real());
        let radius = agents.radius.real() + radius.real();
        headway.add(pos, neighbour.vel.each(L::real), radius, L::real_mask(present));
    }
    headway.velocity().each(L::from_real)
}

/// Another agent for [`fn@reference`]: relative position (m), velocity (m/s), sum of the radii (m).
pub type Other = ([f64; 2], [f64; 2], f64);

/// The velocity that headway leaves one agent of its desired one, in `f64`; `gap` is its time gap in
/// seconds.
pub fn reference(desired: [f64; 2], gap: f64, others: &[Other]) -> [f64; 2] {
    let speed = (desired[0] * desired[0] + desired[1] * desired[1]).sqrt();
    if speed < STILL || gap == 0.0 {
        return if speed < STILL { [0.0; 2] } else { desired };
    }
    let [x, y] = desired.each(|d| d / speed);
    let comes = |&(_, [vx, vy], _): &Other| vx * x + vy * y < -MEETS * speed;
    let (gap, width) = match others.iter().any(comes) {
        true => (gap / CLOSER, NARROWER),
        false => (gap, 1.0),
    };
    let (mut limit, mut tightest, mut turn) = (speed, speed, 1.0);
    for &([dx, dy], [vx, vy], radius) in others {
        let (ahead, left) = (dx * x + dy * y, dy * x - dx * y);
        if ahead <= 0.0 || left.abs() >= radius * width {
            continue;
        }
        let distance = (dx * dx + dy * dy).sqrt();
        let towards = vx * x + vy * y < -TOWARDS;
        let time = if towards { 2.0 * gap } else { gap };
        let room = (distance - radius).max(0.0) / time;
        if room < tightest {
            (tightest, turn) = (room, if left > 0.0 { -1.0 } else { 1.0 });
        }
        if !towards {
            limit = limit.min(room);
        }
    }
    let aside = turn * ASIDE * (speed - tightest);
    [x * limit - y * aside, y * limit + x * aside]
}
