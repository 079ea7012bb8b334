//! throng moves, navigates and fights crowds of up to millions of agents on one machine, and gives the
//! same bits for the same input for any number of threads, any instruction set, debug or release.
//!
//! # Ten minutes
//!
//! A [`Simulation`] holds a map and a crowd. A [`Map`] is open ground and walls in square cells; lengths
//! are metres, speeds m/s, y grows downwards.
//!
//! ```
//! use throng::{GroupDef, Legend, Map, Settings, Shape, Simulation};
//!
//! // A field of 60 m × 25 m with a wall across it; the gap is 10 m wide.
//! let rows = ["......@.....", "......@.....", "............", "............", "......@....."];
//! let map = Map::from_rows(&rows, &Legend::default(), 5.0)?;
//! let mut sim = Simulation::<f32>::new(map, Settings::default())?;
//!
//! // A group is agents of one kind under one order: 200 on the left are sent to the right.
//! let walkers = sim.add_group(GroupDef { speed: 1.4, ..GroupDef::default() })?;
//! let ids = sim.spawn(walkers, Shape::rect([1.0, 1.0], [20.0, 24.0]), 200)?;
//! sim.send(walkers, Shape::disc([48.0, 12.5], 10.0))?;
//!
//! // A game asks after every frame how many ticks are due; this frame took 17 ms.
//! for _ in 0..sim.due(0.017) {
//!     sim.step();
//! }
//! // A minute: there are 20 ticks in a second unless `Settings` say otherwise.
//! (0..1200).for_each(|_| sim.step());
//! assert!(sim.world().arrived() > 150);
//!
//! // Ids stay, rows move from tick to tick. Columns are slices; one agent is found at once.
//! let first = sim.agent(ids[0]).expect("it lives");
//! println!("{:?}, {} m/s, arrived: {}", first.pos(), first.speed(), first.has_arrived());
//! let rightmost = sim.world().positions().iter().fold(0.0_f32, |x, pos| x.max(pos[0]));
//! assert!(rightmost > 45.0);
//!
//! // A selection box takes agents out of their group's order; a new order to the group calls them back.
//! let frame = Shape::rect([40.0, 5.0], [60.0, 12.5]);
//! let chosen: Vec<_> = sim.index().within(&[frame], |_| true).iter().map(|a| a.id).collect();
//! sim.send_agents(&chosen, Shape::point([5.0, 5.0]))?;
//!
//! // Walls come and go. What cannot be done is refused with a reason, and changes nothing.
//! sim.build(Shape::rect([30.0, 10.0], [35.0, 15.0]))?;
//! let refusal = sim.send(walkers, Shape::point([32.0, 12.0])).unwrap_err();
//! assert!(refusal.to_string().contains("wall"));
//!
//! // A group that is over is removed with its agents. Its handle is refused from then on; its index is
//! // used again by a group that is added later, under another handle.
//! let wave = sim.add_group(GroupDef::default())?;
//! sim.spawn(wave, Shape::rect([1.0, 1.0], [20.0, 24.0]), 50)?;
//! sim.remove_group(wave)?;
//! sim.step();
//! let next = sim.add_group(GroupDef::default())?;
//! assert!(next != wave && sim.stop(wave).is_err() && sim.stop(next).is_ok());
//!
//! // The state is bytes; its digest is the same on every machine. Going back repeats every bit.
//! let saved = sim.snapshot();
//! (0..100).for_each(|_| sim.step());
//! let digest = sim.digest();
//! sim.restore(&saved)?;
//! (0..100).for_each(|_| sim.step());
//! assert_eq!(sim.digest(), digest);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Handles ([`AgentId`], [`GroupId`], [`WeaponId`], [`MindId`], [`CompanyId`]) are what orders, definitions
//! and events name. Columns hold plain indices, which mean what they mean until the next step:
//! `sim.world().tags()[row].group` is the index of a group, [`World::group_id`] its handle. What a name that
//! is gone is used for is refused with a [`Refusal`](world::Refusal) that says so.
//!
//! [`Simulation::events`] says what happened in a tick, [`Simulation::record`] writes a replay,
//! [`Simulation::set_force`] adds a force of your own, [`Simulation::from_plan`] begins with a scenario
//! file. `examples/horde.rs` has the loop of a game with waves, weapons, a selection, a wall and a saved
//! game, `examples/selection.rs` selections and a formation, `examples/building.rs` walls.
//!
//! A debug build of a game runs an optimised engine with these lines in its `Cargo.toml`:
//!
//! ```toml
//! [profile.dev.package."*"]
//! opt-level = 3
//! ```
//!
//! Beneath it, a [`World`] is data, and [`tick()`] takes it one step on with the [`Order`]s
//! that came in since the last one: no clock, no file, no hidden state. [`World::outcomes`] says what became
//! of each: refused and why, or the handle of what was added. A simulation does all by orders,
//! so recordings and games over a network see everything.
//!
//! # Where to look
//!
//! * [`world`]: agents, groups, orders, and what became of them.
//! * [`tick()`], [`Scratch`] and [`Probe`]: for callers that hold a world themselves.
//! * [`WeaponDef`]: fights; [`world::intercept`]: where to aim, for one shot and for slices.
//! * [`map`]: ground, read from MovingAI files or drawn as rows of letters.
//! * [`nav::field`]: flow fields by themselves, without a world; [`nav::navigator`]: other ways to find a
//!   way; [`nav::corridor`]: fields on large maps; [`nav::graph`]: searches on grids and graphs, path
//!   networks, navigation meshes.
//! * [`generate`]: maps made by rules, from a seed.
//! * [`mind`]: state machines, fuzzy control and strategies.
//! * [`scenario`]: worlds and orders from a file; `docs/scenario.md` lists every key.
//! * [`replay`]: recording a run and proving that it repeats; [`state`]: digests and dumps.
//! * [`lockstep`]: games of several players over a network.
//! * [`report`]: measures of a crowd, trajectories.
//!
//! `World<f32>` computes in strict single precision, `World<`[`Fx`]`>` in fixed point Q16.16. Both
//! are in every build. They give different bits from each other, and each the same everywhere;
//! `docs/determinism.md` says exactly what is promised.
//!
//! # Features
//!
//! `parquet` adds trajectories as Parquet files, `golden` a program that checks a build's bits. No
//! feature changes a result. The program with its pictures and films is the crate `throng-cli`.

#[doc(hidden)]
pub mod data;
pub mod generate;
#[doc(hidden)]
pub mod graph;
#[doc(hidden)]
pub mod kernel;
#[doc(hidden)]
pub mod lane;
pub mod lockstep;
pub mod map;
#[doc(hidden)]
pub mod math;
pub mod mind;
pub mod nav;
#[doc(hidden)]
pub mod par;
pub mod replay;
pub mod report;
pub mod scenario;
mod sim;
#[doc(hidden)]
pub mod space;
pub mod state;
#[doc(hidden)]
pub mod tick;
pub mod world;

pub use data::Id as AgentId;
pub use data::{CompanyId, DoorId, GroupId, Id, MindId, SinkId, SourceId, StructureId, WeaponId};
pub use lane::Numbers;
pub use map::area::Shape;
pub use map::{Legend, Map};
pub use math::{Fx, Num, Numeric, hash3, unit_f64};
pub use sim::{Agent, AgentIndex, AgentView, AnySimulation, Events, Simulation};
pub use tick::{Accumulator, Probe, Scratch, Stage, tick, tick_with};
pub use world::{
    AgentOrder, CompanyDef, Distribution, Exit, ExitsDef, FollowDef, Formation, GroupDef, Leader,
    Order, Outcome, Settings, SourceDef, StructureDef, VaryDef, WeaponDef, World,
};

/// The README's Rust is compiled and run by the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// So is that of the page for library users.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
pub struct LibraryPage;

/// So is that of the page about fights.
#[cfg(doctest)]
#[doc = include_str!("../docs/fights.md")]
pub struct FightsPage;

/// So is that of the page about games of several players.
#[cfg(doctest)]
#[doc = include_str!("../docs/lockstep.md")]
pub struct LockstepPage;
