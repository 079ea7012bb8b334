//! Measures of a run over time: flow through gates, density and lanes in areas, when a crowd comes to
//! rest, how far it walked, how it pressed.
//!
//! [`Measures`] looks at a world after every tick. Crossings, ways and rest are followed from tick to
//! tick, everything else is looked at every few ticks. Nothing here changes a run.
//!
//! ```
//! use throng::data::read_at_most;
//! use throng::map::limits::MAX_FILE;
//! use throng::report::measure::{Measures, Options};
//! use throng::scenario::{Plan, ScenarioDef};
//! use throng::{Scratch, World, tick};
//!
//! let text = r#"
//!     ticks = 400
//!     [map]
//!     size = [40, 20]
//!     [[group]]
//!     name = "walkers"
//!     spawn = [{ rect = [1, 5, 11, 15], count = 20 }]
//!     goal = { disc = [32, 10, 6] }
//!     [[gate]]
//!     name = "middle"
//!     from = [20, 20]
//!     to = [20, 0]
//! "#;
//! let def = ScenarioDef::parse(text, "gate.toml")?;
//! let plan = Plan::new(&def, def.load_map(&|path| read_at_most(path, MAX_FILE))?)?;
//! let mut world = World::<f32>::new(plan.map.clone(), plan.settings)?;
//! let mut scratch = Scratch::new();
//! let mut measures = Measures::new(&plan, Options { every: 10, ..Options::default() });
//! for now in 0..plan.ticks {
//!     let orders: Vec<_> = plan.orders_at(now).cloned().collect();
//!     tick(&mut world, &orders, &mut scratch);
//!     measures.observe(&world);
//! }
//! assert_eq!(measures.report().gates[0].forward.count, 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An engine of another make feeds plain columns: [`Measures::look`] after every tick.

mod area;
mod convex;
mod gate;
mod lanes;
mod meter;
mod path;
mod report;
mod series;
mod text;
mod track;
mod voronoi;
mod walkable;
mod walls;

pub use lanes::{LaneOrder, Walker, lane_order};
pub use meter::{Measures, Options};
pub use report::{
    AreaReport, Crossing, GateReport, GroupReport, OverlapReport, PathReport, Report, Service,
    StreamReport, WallReport,
};
pub use series::{AreaSeries, GroupSeries, Series};
pub use walls::{WallContact, wall_contact};

/// Speed in m/s below which an agent is at rest.
pub const REST: f64 = 0.01;
