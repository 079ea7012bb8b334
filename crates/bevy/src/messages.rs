//! Messages from apps to the crowd, and from the crowd to apps.

use bevy_ecs::prelude::*;
use throng::world::{Collapse, Departure, Fallen, Impact, Refusal};
use throng::{Id, Numbers, Order};

use crate::crowd::Crowd;

/// Gives the crowd an order, in [`CrowdSystems::SyncIn`](crate::CrowdSystems::SyncIn) of the next tick,
/// after the orders that were written before it.
#[derive(Message, Clone, Debug)]
pub struct GiveOrder(pub Order);

/// An order brought an agent.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentSpawned(pub Id);

/// A source brought an agent.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentEntered(pub Id);

/// An agent has left by a sink.
#[derive(Message, Clone, Debug)]
pub struct AgentLeft(pub Departure);

/// An agent has come into its goal; none unless the crowd watches
/// ([`Simulation::watch_arrivals`](throng::Simulation::watch_arrivals)).
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentArrived(pub Id);

/// An agent has not got on for long; none unless the crowd watches
/// ([`Simulation::watch_stuck`](throng::Simulation::watch_stuck)).
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentStuck(pub Id);

/// An agent died in a fight.
#[derive(Message, Clone, Debug)]
pub struct AgentFell(pub Fallen);

/// A projectile ended.
#[derive(Message, Clone, Debug)]
pub struct ShotEnded(pub Impact);

/// A structure has fallen.
#[derive(Message, Clone, Debug)]
pub struct StructureFell(pub Collapse);

/// An order was refused, and changed nothing.
#[derive(Message, Clone, Debug)]
pub struct OrderRefused {
    /// Which.
    pub order: Order,
    /// Why.
    pub why: Refusal,
}

/// The agent of an entity lives no more. The entity is despawned at the end of the tick, unless its
/// [`Agent`](crate::Agent) is taken off.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentGone {
    /// The agent.
    pub id: Id,
    /// The entity.
    pub entity: Entity,
}

/// Gives the orders that were written since the last tick. What became of them is in the events.
pub(crate) fn give_orders<N: Numbers>(
    mut crowd: ResMut<Crowd<N>>,
    mut orders: MessageReader<GiveOrder>,
) {
    for GiveOrder(order) in orders.read() {
        let _ = crowd.order(order.clone());
    }
}

/// Does a tick.
pub(crate) fn step<N: Numbers>(mut crowd: ResMut<Crowd<N>>) {
    crowd.step();
}

/// Writes what became of agents by sources and sinks, and of structures, in the tick.
pub(crate) fn write_traffic<N: Numbers>(
    crowd: Res<Crowd<N>>,
    mut entered: MessageWriter<AgentEntered>,
    mut left: MessageWriter<AgentLeft>,
    mut collapsed: MessageWriter<StructureFell>,
) {
    let events = crowd.events();
    entered.write_batch(events.entered.iter().copied().map(AgentEntered));
    left.write_batch(events.left.iter().cloned().map(AgentLeft));
    collapsed.write_batch(events.collapsed.iter().cloned().map(StructureFell));
}

/// Writes what else happened in the tick.
pub(crate) fn write_events<N: Numbers>(
    crowd: Res<Crowd<N>>,
    mut spawned: MessageWriter<AgentSpawned>,
    mut arrived: MessageWriter<AgentArrived>,
    mut stuck: MessageWriter<AgentStuck>,
    mut fell: MessageWriter<AgentFell>,
    mut ended: MessageWriter<ShotEnded>,
    mut refused: MessageWriter<OrderRefused>,
) {
    let events = crowd.events();
    spawned.write_batch(events.spawned.iter().copied().map(AgentSpawned));
    arrived.write_batch(events.arrived.iter().copied().map(AgentArrived));
    stuck.write_batch(events.stuck.iter().copied().map(AgentStuck));
    fell.write_batch(events.fallen.iter().cloned().map(AgentFell));
    ended.write_batch(events.impacts.iter().cloned().map(ShotEnded));
    let why =
        |(order, why): &(Order, Refusal)| OrderRefused { order: order.clone(), why: why.clone() };
    refused.write_batch(events.refused.iter().map(why));
}
