//! throng for JavaScript: the engine as WebAssembly.
//!
//! The classes and functions here make up the npm package `throng`; `docs/wasm.md` teaches it.
//! They run the engine on one thread and give the bits that it gives everywhere.
//!
//! * [`Simulation`]: a scenario, a map or a replay, stepped; its columns as typed arrays.
//! * [`Replay`]: a recorded run, and the digests that it must give.

mod area;
mod barriers;
mod definition;
mod distribution;
mod events;
mod group_order;
mod groups;
mod names;
mod options;
mod recording;
mod replay;
mod shipped;
mod simulation;
mod traffic;
mod typescript;

pub use definition::{group_defaults, weapon_defaults};
pub use replay::Replay;
pub use shipped::{shipped_names, shipped_scenario};
pub use simulation::Simulation;
pub use typescript::type_script;

use throng::replay::{ENGINE, FORMAT};
use wasm_bindgen::prelude::*;

/// What a function of the package gives: a value, or an exception with the words of the engine.
type Result<T> = std::result::Result<T, JsError>;

/// The exception for something that is wrong.
fn wrong(problem: impl ToString) -> JsError {
    JsError::new(&problem.to_string())
}

/// The version of the engine: replays of another one are refused.
#[wasm_bindgen]
pub fn version() -> String {
    format!("{ENGINE}, replay format {FORMAT}")
}
