//! throng moves, navigates and fights crowds of up to millions of agents on one machine, and gives the
//! same bits for the same input for any number of threads, any instruction set, debug or release.
//!
//! A [`World`] is data: a [`Map`], groups of agents, and the flow fields that they follow. It
//! changes in one way: [`tick()`](tick::tick) takes it one step on, with the [`Order`]s that came
//! in since the last one. A tick knows no clock, no file and no hidden state.
//!
//! ```
//! use throng::{GroupDef, Legend, Map, Order, Scratch, Settings, Shape, World, tick};
//!
//! // A field of 60 m × 30 m with a wall across it; the gap is 10 m wide.
//! let rows = ["......@.....", "......@.....", "............", "............", "......@....."];
//! let map = Map::from_rows(&rows, &Legend::default(), 5.0)?;
//! let mut world = World::<f32>::new(map, Settings::default())?;
//! let mut scratch = Scratch::new();
//!
//! // 200 agents on the left are sent to the right.
//! let left = Shape::Rect { min: [1.0, 1.0], max: [20.0, 24.0] };
//! let right = Shape::Disc { centre: [48.0, 12.5], radius: 10.0 };
//! let orders = [
//!     Order::Group { def: GroupDef::default() },
//!     Order::Spawn { group: 0, area: vec![left], count: 200 },
//!     Order::Move { group: 0, goal: vec![right] },
//! ];
//! tick(&mut world, &orders, &mut scratch);
//!
//! // A minute at 20 ticks a second. Columns are slices: nothing is copied to read them.
//! for _ in 1..1200 {
//!     tick(&mut world, &[], &mut scratch);
//! }
//! assert!(world.arrived() > 150);
//! let rightmost = world.positions().iter().fold(0.0_f32, |x, pos| x.max(pos[0]));
//! assert!(rightmost > 45.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! * [`world`]: agents, groups, orders, and what became of them.
//! * [`tick`](mod@tick): the stages of a step, [`Scratch`], and [`Accumulator`] for callers with
//!   frames of their own.
//! * [`world::WeaponDef`]: fights; [`kernel::intercept`]: where to aim, for one shot and for slices.
//! * [`map`]: ground, read from MovingAI files or drawn as rows of letters.
//! * [`nav::field`]: flow fields by themselves, without a world; [`nav::navigator`]: other ways to find a
//!   way; [`nav::corridor`]: fields on large maps.
//! * [`generate`]: maps made by rules, from a seed.
//! * [`mind`]: state machines, fuzzy control and strategies.
//! * [`graph`]: searches on grids and graphs, path networks, navigation meshes.
//! * [`scenario`]: worlds and orders from a file; `docs/scenario.md` lists every key.
//! * [`replay`]: recording a run and proving that it repeats; [`state`]: digests and dumps.
//! * [`lockstep`]: games of several players over a network.
//! * [`report`]: measures of a crowd, trajectories.
//! * [`math`], [`lane`], [`data`], [`par`], [`kernel`], [`space`]: what the engine is made of.
//!
//! `World<f32>` computes in strict single precision, `World<`[`Fx`]`>` in fixed point Q16.16. Both
//! are in every build. They give different bits from each other, and each the same everywhere;
//! `docs/determinism.md` says exactly what is promised.
//!
//! # Features
//!
//! `parquet` adds trajectories as Parquet files, `golden` a program that checks a build's bits. No
//! feature changes a result. The program with its pictures and films is the crate `throng-cli`.

pub mod data;
pub mod generate;
pub mod graph;
pub mod kernel;
pub mod lane;
pub mod lockstep;
pub mod map;
pub mod math;
pub mod mind;
pub mod nav;
pub mod par;
pub mod replay;
pub mod report;
pub mod scenario;
pub mod sim;
pub mod space;
pub mod state;
pub mod tick;
pub mod world;

pub use data::Id as AgentId;
pub use data::Id;
pub use lane::Numbers;
pub use map::area::Shape;
pub use map::{Legend, Map};
pub use math::{Fx, Num};
pub use sim::{AgentIndex, AgentView, CompanyId, Events, GroupId, MindId, Simulation, WeaponId};
pub use tick::{Accumulator, Scratch, tick};
pub use world::{
    AgentOrder, CompanyDef, Formation, GroupDef, Order, Outcome, Settings, WeaponDef, World,
};

/// The README's Rust is compiled and run by the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// So is that of the page about games of several players.
#[cfg(doctest)]
#[doc = include_str!("../docs/lockstep.md")]
pub struct LockstepPage;
