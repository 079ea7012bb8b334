//! Scenario files: the map, the groups, their orders and the settings of a run.
//!
//! A scenario is TOML text; `docs/scenario.md` lists every key. [`Plan::load`] reads one from its file,
//! in three steps that can be gone without a file:
//!
//! 1. [`ScenarioDef::parse`] reads the text and checks all that the text alone shows.
//! 2. [`ScenarioDef::load_map`] makes the [`Map`](crate::map::Map), from the text or from bytes that
//!    the caller hands it.
//! 3. [`Plan::new`] checks the one against the other and makes the orders.
//!
//! ```
//! use throng::data::read_at_most;
//! use throng::map::limits::MAX_FILE;
//! use throng::scenario::{Plan, ScenarioDef};
//!
//! let text = r#"
//!     ticks = 400
//!     [map]
//!     size = [40, 20]
//!     walls = [{ rect = [19, 0, 21, 8] }, { rect = [19, 12, 21, 20] }]
//!     [[group]]
//!     name = "walkers"
//!     spawn = [{ rect = [1, 1, 15, 19], count = 100 }]
//!     goal = { disc = [32, 10, 6] }
//! "#;
//! let def = ScenarioDef::parse(text, "gate.toml")?;
//! let map = def.load_map(&|path| read_at_most(path, MAX_FILE))?;
//! let plan = Plan::new(&def, map)?;
//! assert_eq!(plan.scene.groups[0].name, "walkers");
//! # Ok::<(), throng::scenario::ScenarioError>(())
//! ```
//!
//! Whatever is wrong is a [`ScenarioError`] with the line, column, key and value of every
//! [`Problem`], and what would be right.

mod assign;
mod builtin;
mod def;
mod def_mind;
mod error;
mod ground;
mod heights;
mod keys;
mod load;
mod overrides;
mod parse;
mod parse_behaviour;
mod parse_company;
mod parse_door;
mod parse_follow;
mod parse_fuzzy;
mod parse_generate;
mod parse_group;
mod parse_machine;
mod parse_map;
mod parse_map_file;
mod parse_measure;
mod parse_name;
mod parse_order;
mod parse_plan_step;
mod parse_shape;
mod parse_state;
mod parse_step;
mod parse_strategy;
mod parse_structure;
mod parse_terrain;
mod parse_traffic;
mod parse_weapon;
mod plan;
mod plan_minds;
mod plan_orders;
mod plan_terrain;
mod plan_traffic;
mod read;
mod scenario_def;
mod strategy_names;
mod suggest;
mod sweep;

pub use assign::{AssignedText, Assignment};
pub use builtin::{Builtin, builtin, builtin_names};
pub use def::{
    AreaDef, AreaEntry, BehaviourEntry, CompanyEntry, DoorEntry, EndDef, ExitsEntry, GateEntry,
    GenerateDef, GroundDef, GroupEntry, HeightsDef, LaunchDef, MAX_AGENTS, MAX_GROUPS,
    MAX_MEASURES, MAX_TEXT, MAX_TICKS, MapDef, MapSource, OrderEntry, OrderEntryKind, OrderTarget,
    PaintDef, SinkEntry, SourceEntry, SpawnDef, StrategiesEntry, StructureEntry, TeamEntry,
    WeaponEntry,
};
pub use def_mind::{MachineEntry, OWN_GROUP};
pub use error::{Problem, ScenarioError};
pub use keys::words;
pub use load::{LoadError, ScenarioFile};
pub use overrides::{OverrideError, Overrides};
pub use parse::decoded;
pub use plan::{AreaPlan, GatePlan, GroupPlan, MachinePlan, Plan, Scene, TeamPlan};
pub use scenario_def::ScenarioDef;
pub use suggest::nearest;
pub use sweep::{MAX_RUNS, SweepDef, SweepParameter, SweepValue};

#[cfg(test)]
mod tests;
