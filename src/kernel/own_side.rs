//! The own side: who meets others in a narrow place does not step out to the left.
//!
//! Two streams that meet in a corridor part (see [`nav::streams`](crate::nav::streams)), but where
//! one of them is held up, those behind pass on the left of those ahead, into the half of the
//! others, who are left with one file. That holds them up too, and so on in turn along the
//! corridor: neither stream has more than a file in its narrowest place. So who has somebody ahead
//! who comes towards them, up to [`WIDTH`] radii aside, moves to the left by no more than a
//! twentieth of the desired speed: a half-plane, which gives way as those of neighbours do. Traffic
//! rules forbid the same: no overtaking where others come.
//!
//! Two crowds of 500 in 3 m by 60 m of corridor take 241 to 252 s with it (eight seeds) and 385 to
//! 506 without, and overlaps of more than half a radius are a fifth. On open ground it would cost:
//! there the freer side is often the left one, and two blocks of 3,000 that meet at 1.5 agents/m²
//! take 211 to 219 s for 194, with several times the overlaps.
//!
//! Tried and lost: no step to the left at all, or a tenth of the speed (of eight corridors one or
//! two jam as before), 0.15 and more (one in three); half the width and more than it (likewise);
//! others behind (slower). A turn to the right for those alone who meet somebody, in place of
//! everybody's, jams worse.
//!
//! Method: agents in lanes, and the neighbours of one slot at a time.

use crate::kernel::half_planes::{HalfPlane, HalfPlanes};
use crate::kernel::nearest::{Candidates, NEAREST, Nearest};
use crate::kernel::orca::Agents;
use crate::lane::{Lane, Mask, Real};
use crate::math::each::Each;

/// How far aside others are met, in radii of the agent.
pub const WIDTH: f64 = 4.0;

/// Part of an agent's desired speed by which those it meets move against it at least.
const AGAINST: f64 = 0.1;

/// Part of its desired speed that an agent may move to the left.
const LEFT: f64 = 0.05;

/// Desired speed below which an agent has no direction, in m/s.
const STILL: f64 = 1.0 / 1024.0;

/// Whom the agents of a block meet.
#[derive(Clone, Copy)]
pub struct OwnSide<R: Real> {
    /// The direction in which they want to walk.
    heading: [R; 2],
    /// The speed that they want, in m/s.
    speed: R,
    /// How far aside others are met, in metres.
    width: R,
    /// Who meets somebody.
    meets: R::Mask,
}

impl<R: Real> OwnSide<R> {
    /// For agents with this desired velocity (m/s) and radius (m), who meet nobody yet.
    #[inline(always)]
    pub fn new(desired: [R; 2], radius: R) -> Self {
        let speed = R::dot(desired, desired).sqrt();
        let still = speed.lt(R::splat(STILL));
        let scale = R::one() / R::select(still, R::one(), speed);
        // Without a heading nobody is ahead.
        let heading = desired.each(|d| R::select(still, R::zero(), d * scale));
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

    /// The velocities that are left to those who meet somebody.
    #[inline(always)]
    pub fn plane(&self) -> HalfPlane<R> {
        let [x, y] = self.heading;
        let offset = -(self.speed * R::splat(LEFT));
        HalfPlane { normal: [-y, x], offset }.only(self.meets)
    }
}

/// Adds the half-plane of the own side (right of the desired velocity, in m/s, for x right and y
/// down) for the agents of a block that are in a `narrow` place. `list` is the list through which
/// `nearest` was filled.
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

/// Whether an agent that wants to move so (m/s) and has this radius (m) meets any of some others,
/// in `f64`: relative positions (m) and velocities (m/s).
pub fn reference(desired: [f64; 2], radius: f64, others: &[([f64; 2], [f64; 2])]) -> bool {
    let speed = (desired[0] * desired[0] + desired[1] * desired[1]).sqrt();
    let meets = |&(pos, vel): &([f64; 2], [f64; 2])| {
        let along = |v: [f64; 2]| (desired[0] * v[0] + desired[1] * v[1]) / speed;
        let aside = (desired[0] * pos[1] - desired[1] * pos[0]) / speed;
        along(pos) > 0.0 && aside.abs() < WIDTH * radius && along(vel) < -AGAINST * speed
    };
    speed >= STILL && others.iter().any(meets)
}
