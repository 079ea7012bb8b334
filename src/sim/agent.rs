//! One agent, as a game sees it.

use crate::data::{GroupId, Id};
use crate::lane::Numbers;
use crate::math::each::Each;
use crate::world::{Tag, World, state};

/// An agent of a simulation, until the next step. It reads the columns of the world; nothing is copied.
#[derive(Clone, Copy, Debug)]
pub struct AgentView<'a, N: Numbers> {
    world: &'a World<N>,
    row: usize,
}

impl<'a, N: Numbers> AgentView<'a, N> {
    pub(super) fn new(world: &'a World<N>, row: usize) -> Self {
        Self { world, row }
    }

    fn tag(self) -> Tag {
        self.world.tags()[self.row]
    }

    /// Its id.
    pub fn id(self) -> Id {
        self.world.id(self.row)
    }

    /// Its row in the columns of the world.
    pub fn row(self) -> usize {
        self.row
    }

    /// Its centre in metres.
    pub fn pos(self) -> [f64; 2] {
        self.world.positions()[self.row].each(N::to_f64)
    }

    /// Where to draw it when so much of the time from the last tick to the next has passed, 0 ..= 1
    /// ([`Simulation::alpha`](crate::Simulation::alpha)): at 1 where it is, at 0 where its velocity
    /// brought it from. Metres.
    pub fn pos_between(self, alpha: f64) -> [f64; 2] {
        let (pos, vel) = (self.pos(), self.velocity());
        let back = (1.0 - alpha) * self.world.dt();
        [0, 1].each(|axis| pos[axis] - vel[axis] * back)
    }

    /// Its velocity in m/s.
    pub fn velocity(self) -> [f64; 2] {
        self.world.velocities()[self.row].each(N::to_f64)
    }

    /// Its speed in m/s.
    pub fn speed(self) -> f64 {
        let [x, y] = self.velocity();
        (x * x + y * y).sqrt()
    }

    /// Where it goes, as a vector of length 1; `None` while it stands.
    pub fn heading(self) -> Option<[f64; 2]> {
        let (velocity, speed) = (self.velocity(), self.speed());
        (speed > 0.0).then(|| velocity.each(|c| c / speed))
    }

    /// Its group; of one that thinks, the group that was ordered to.
    pub fn group(self) -> GroupId {
        self.world.group_id(self.world.base_group(self.tag().group))
    }

    /// Whether it has an order of its own rather than that of its group.
    pub fn is_detached(self) -> bool {
        self.world.groups()[usize::from(self.tag().group)].detached_from.is_some()
    }

    /// The number that it was given ([`AgentOrder::Label`](crate::world::AgentOrder::Label)), or 0.
    pub fn label(self) -> u64 {
        self.world.label(self.id())
    }

    /// Radius of its disc in metres.
    pub fn radius(self) -> f64 {
        self.world.radius(self.row)
    }

    /// Whether it is in the goal of its group, give or take a radius.
    pub fn has_arrived(self) -> bool {
        self.tag().state & state::ARRIVED != 0
    }

    /// Bits of [`state`].
    pub fn state(self) -> u8 {
        self.tag().state
    }

    /// Health that is left; `None` in a world without weapons.
    pub fn health(self) -> Option<f64> {
        self.world.health(self.id()).map(N::to_f64)
    }

    /// The agent that it aims at.
    pub fn target(self) -> Option<Id> {
        self.world.target(self.id())
    }

    /// Index of the state of its machine, if it thinks.
    pub fn mind_state(self) -> Option<u8> {
        self.world.state_of(self.id())
    }
}
