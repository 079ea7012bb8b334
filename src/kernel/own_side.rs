//! The own side: in a narrow place an agent does not step out to the left of an oncoming one.
//!
//! Two streams that meet in a corridor part (see [`nav::streams`](crate::nav::streams)). But where
//! one is held up, agents behind pass on the left of agents ahead, into the half of the other
//! stream, which is left with one file and held up in turn: so along the whole corridor, until
//! neither stream has more than a file in its narrowest place. Road traffic forbids it: no
//! overtaking with oncoming traffic. An agent that meets an oncoming one moves to the left by no
//! more than a twentieth of its desired speed. Oncoming is a neighbour ahead, up to [`WIDTH`] radii
//! aside, that moves against the agent by more than a fifth of the agent's desired speed.
//!
//! Method: agents in lanes, and the neighbours of one slot at a time. The bound is a half-plane of
//! velocities that gives way as the half-planes of neighbours do.
//!
//! Measured: 2 × 500 agents in a corridor of 3 m by 60 m take 227 to 230 s with it, on each of five seeds.
//! Without, four of eight took 385 to 392 s, and of the others 53 to 99.8 % were in after 500 s. On open
//! ground it costs: the freer side is often the left one, and two blocks of 3,000 that meet at 1.5
//! agents/m² took 208 to 224 s for 194, with several times the overlaps; so the caller says what is
//! narrow.
//!
//! Tried and lost: no step to the left at all, or a tenth of the speed (of eight corridors one or
//! two jam), 0.15 and more (one in three); agents that are held up step to the right (two groups of 200 at a
//! gap of 3 m take 3 to 7 s longer); twice the width (140 s there, for 120) and 1.3 times (125); oncoming
//! from a tenth of the speed on (116 s there, and 237 to 248 s in the corridor); neighbours behind too
//! (slower). The turn of `avoid` only on meeting an oncoming agent, in place of always, jams worse.

use crate::kernel::half_planes::{HalfPlane, HalfPlanes};
use crate::kernel::headway::{STILL, heading};
use crate::kernel::nearest::{Candidates, NEAREST, Nearest};
use crate::kernel::orca::Agents;
use crate::lane::{Lane, Mask, Real};
use crate::math::each::Each;

/// How far aside a neighbour is oncoming, in radii of the agent.
pub const WIDTH: f64 = 3.0;

/// Speed of an oncoming neighbour against the agent, in desired speeds of the agent.
const AGAINST: f64 = 0.2;

/// Speed to the left that the agent keeps, in its desired speeds.
const LEFT: f64 = 0.05;

/// Whether any neighbour of one agent is oncoming, in `f64`, for a desired velocity (m/s), a radius
/// (m), and neighbours by relative position (m) and velocity (m/s).
pub fn reference(desired: [f64; 2], radius: f64, others: &[([f64; 2], [f64; 2])]) -> bool {
    let speed = (desired[0] * desired[0] + desired[1] * desired[1]).sqrt();
    let meets = |&(pos, vel): &([f64; 2], [f64; 2])| {
        let along = |v: [f64; 2]| (desired[0] * v[0] + desired[1] * v[1]) / speed;
        let aside = (desired[0] * pos[1] - desired[1] * pos[0]) / speed;
        along(pos) > 0.0 && aside.abs() < WIDTH * radius && along(vel) < -AGAINST * speed
    };
    speed >= STILL && others.iter().any(meets)
}

/// The bound of the agents of a block.
#[derive(Clone, Copy)]
pub struct OwnSide<R: Real> {
    /// The direction of the desired velocity.
    heading: [R; 2],
    /// The desired speed, in m/s.
    speed: R,
    /// How far aside a neighbour is oncoming, in metres.
    width: R,
    /// Agents with an oncoming neighbour.
    meets: R::Mask,
}

impl<R: Real> OwnSide<R> {
    /// For agents with this desired velocity (m/s) and radius (m), without neighbours yet.
    #[inline(always)]
    pub fn new(desired: [R; 2], radius: R) -> Self {
        let (heading, speed) = heading(desired);
        let nobody = R::Mask::from_fn(|_| false);
        Self { heading, speed, width: radius * R::splat(WIDTH), meets: nobody }
    }

    /// Takes one neighbour of each agent into account: its relative position (m), its velocity
    /// (m/s), and where there is one.
    #[inline(always)]
    pub fn add(&mut self, pos: [R; 2], vel: [R; 2], present: R::Mask) {
        let [x, y] = self.heading;
        let aside = R::dot([-y, x], pos);
        let aside = R::select(aside.lt(R::zero()), -aside, aside);
        let is_ahead = R::zero().lt(R::dot([x, y], pos)) & aside.lt(self.width);
        let comes = R::dot([x, y], vel).lt(-(self.speed * R::splat(AGAINST)));
        self.meets = self.meets | (present & is_ahead & comes);
    }

    /// The velocities that agents with an oncoming neighbour keep; for others one that never binds.
    #[inline(always)]
    pub fn plane(&self) -> HalfPlane<R> {
        let [x, y] = self.heading;
        let offset = -(self.speed * R::splat(LEFT));
        HalfPlane { normal: [-y, x], offset }.only(self.meets)
    }
}

/// Adds the half-plane of the own side, right of the desired velocity (m/s) for x right and y down,
/// for the agents in a `narrow` place. `list` is the list through which `nearest` was filled.
#[inline(always)]
pub fn add<L: Lane>(
    agents: &Agents<L>,
    desired: [L; 2],
    narrow: L::Mask,
    nearest: &Nearest<L>,
    list: &Candidates<L::Num>,
    planes: &mut HalfPlanes<L::Real>,
) {
    let mut side = OwnSide::new(desired.each(L::real), agents.radius.real());
    for slot in 0..NEAREST {
        let present = nearest.present(slot) & narrow;
        if !present.any() {
            break;
        }
        let neighbour = nearest.neighbour(slot, list);
        let pos = [0, 1].each(|axis| (neighbour.pos[axis] - agents.pos[axis]).real());
        side.add(pos, neighbour.vel.each(L::real), L::real_mask(present));
    }
    planes.add(side.plane());
}
