//! throng for Bevy: a crowd as a resource, stepped in [`FixedUpdate`](bevy_app::FixedUpdate).
//!
//! A [`Crowd`] is a [`throng::Simulation`]. Its agents are no entities: a hundred thousand of them cost what
//! they cost the engine. Entities that shall follow an agent get an [`Agent`]; their `Transform` is written
//! in every frame, between the last two ticks.
//!
//! ```
//! use bevy_app::{App, Update};
//! use bevy_ecs::prelude::*;
//! use bevy_time::{TimePlugin, TimeUpdateStrategy};
//! use bevy_transform::components::Transform;
//! use bevy_throng::{Agent, Crowd, GiveOrder, ThrongPlugin};
//! use throng::{GroupDef, Legend, Map, Order, Settings, Shape, Simulation};
//!
//! // The crowd: a simulation of throng, made as ever.
//! let map = Map::from_rows(&["......", "......", "......"], &Legend::default(), 10.0)?;
//! let mut sim = Simulation::<f32>::new(map, Settings::default())?;
//! let walkers = sim.add_group(GroupDef::default())?;
//! let ids = sim.spawn(walkers, Shape::rect([2.0, 2.0], [20.0, 28.0]), 200)?;
//! sim.send(walkers, Shape::disc([50.0, 15.0], 8.0))?;
//!
//! let mut app = App::new();
//! app.add_plugins((TimePlugin, ThrongPlugin::<f32>::default()));
//! app.insert_resource(Crowd::from(sim));
//! // One of the agents has an entity.
//! let leader = app.world_mut().spawn(Agent(ids[0])).id();
//!
//! // Any system can give orders, at once (`ResMut<Crowd>`) or by messages, which the next tick carries out.
//! app.add_systems(Update, |mut orders: MessageWriter<GiveOrder>, mut done: Local<bool>| {
//!     if !std::mem::replace(&mut *done, true) {
//!         orders.write(GiveOrder(Order::Build { area: Shape::rect([25.0, 0.0], [30.0, 9.0]).into() }));
//!     }
//! });
//!
//! // A tick in every frame; with a real clock, as many as are due.
//! app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//! app.update(); // the first frame takes no time
//! for _ in 0..100 {
//!     app.update();
//! }
//! assert_eq!(app.world().resource::<Crowd>().tick_count(), 100);
//! assert!(app.world().get::<Transform>(leader).unwrap().translation.x > 2.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crowd's ticks are the engine's: the same orders give the same bits, whatever the frame rate. A
//! system that gives orders by what it finds in the crowd repeats, too, if it runs in `FixedUpdate` before
//! [`CrowdSystems::Step`] in a stated order.

mod crowd;
mod entities;
mod messages;
mod plugin;

pub use crowd::Crowd;
pub use entities::{Agent, AgentPose, Plane};
pub use messages::{
    AgentArrived, AgentEntered, AgentFell, AgentGone, AgentLeft, AgentSpawned, AgentStuck,
    GiveOrder, OrderRefused, ShotEnded, StructureFell,
};
pub use plugin::{CrowdSystems, ThrongPlugin};

/// The lines for Rust of `docs/bevy.md` are compiled and run by the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/bevy.md")]
struct Documents;
