//! What happened in a tick.

use crate::data::Id;
use crate::lane::Numbers;
use crate::world::{
    Collapse, Departure, EndlessChain, Fallen, Impact, Order, PlanEvent, Refusal, World,
};

/// What happened in the last tick and by the orders given for it; valid until the next step. Reading
/// it changes nothing.
#[derive(Clone, Copy, Debug)]
pub struct Events<'a> {
    /// Agents that orders brought, in the order of the orders.
    pub spawned: &'a [Id],
    /// Agents that sources brought, in the order of the sources.
    pub entered: &'a [Id],
    /// Agents that have left by a sink, by row. They are gone by now.
    pub left: &'a [Departure],
    /// Agents that have come into their goal, by row; none unless
    /// [`Simulation::watch_arrivals`](crate::Simulation::watch_arrivals).
    pub arrived: &'a [Id],
    /// Agents that have not got on for long, each once until it moves again, by row; none unless
    /// [`Simulation::watch_stuck`](crate::Simulation::watch_stuck).
    pub stuck: &'a [Id],
    /// Agents that died. They are gone by now.
    pub fallen: &'a [Fallen],
    /// Structures that fell, by their index.
    pub collapsed: &'a [Collapse],
    /// Projectiles that ended, and what they struck.
    pub impacts: &'a [Impact],
    /// Orders that were refused, in their order, and why.
    pub refused: &'a [(Order, Refusal)],
    /// What happened to the plans of teams.
    pub plans: &'a [PlanEvent],
    /// Agents whose machines found no end.
    pub endless: &'a [EndlessChain],
}

/// The lists that a world keeps of its last tick.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) fallen: Vec<Fallen>,
    pub(super) impacts: Vec<Impact>,
    pub(super) plans: Vec<PlanEvent>,
    pub(super) endless: Vec<EndlessChain>,
    pub(super) entered: Vec<Id>,
    pub(super) left: Vec<Departure>,
    pub(super) collapsed: Vec<Collapse>,
}

impl Lists {
    /// Takes the lists of a world, and leaves it these.
    pub(super) fn swap<N: Numbers>(&mut self, world: &mut World<N>) {
        std::mem::swap(&mut self.fallen, &mut world.combat.fallen);
        std::mem::swap(&mut self.impacts, &mut world.combat.impacts);
        std::mem::swap(&mut self.plans, &mut world.teams.plan_events);
        std::mem::swap(&mut self.endless, &mut world.minds.endless);
        std::mem::swap(&mut self.entered, &mut world.traffic.entered);
        std::mem::swap(&mut self.left, &mut world.traffic.gone);
        std::mem::swap(&mut self.collapsed, &mut world.structures.collapsed);
    }
}
