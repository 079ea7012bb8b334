//! The simulation: what a game or a study holds.
//!
//! A [`Simulation`] owns a [`World`], the memory that ticks work in, a clock for frames, and the
//! orders given since the last tick. All that it does to the world it does by [`Order`]s, in the order
//! in which it was asked. So a recording has everything, and so has every other machine of a game.
//!
//! ```
//! use throng::{GroupDef, Legend, Map, Settings, Shape, Simulation};
//!
//! let rows = ["......@.....", "............", "............", "......@....."];
//! let map = Map::from_rows(&rows, &Legend::default(), 5.0)?; // cells of 5 m
//! let mut sim = Simulation::<f32>::new(map, Settings::default())?;
//!
//! let walkers = sim.add_group(GroupDef::default())?;
//! let ids = sim.spawn(walkers, Shape::rect([1.0, 1.0], [20.0, 19.0]), 100)?;
//! sim.send(walkers, Shape::disc([48.0, 10.0], 8.0))?;
//! for _ in 0..600 {
//!     sim.step();
//! }
//! let agent = sim.agent(ids[0]).expect("nobody dies here");
//! assert!(agent.has_arrived() && agent.pos()[0] > 38.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent;
mod any;
mod doors;
mod events;
mod exclusive;
mod index;
mod lazy;
mod simulation;
mod structures;
mod traffic;
mod watch;

pub use agent::AgentView;
pub use any::AnySimulation;
pub use events::Events;
pub use index::{Agent, AgentIndex};
pub use simulation::Simulation;
