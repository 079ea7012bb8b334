//! The scenarios that ship in the package.

use js_sys::JsString;
use serde::Serialize;
use throng::scenario::{ScenarioDef, builtin, builtin_names};
use wasm_bindgen::prelude::*;

use crate::{Result, wrong};

/// A scenario as people choose it.
#[derive(Serialize)]
struct ShippedScenario {
    name: &'static str,
    description: String,
    agents: f64,
    ticks: f64,
    text: &'static str,
}

/// The names of the scenarios that ship in the package.
#[wasm_bindgen(js_name = shippedNames, unchecked_return_type = "string[]")]
pub fn shipped_names() -> Vec<JsString> {
    builtin_names().map(JsString::from).collect()
}

/// A scenario that ships in the package.
///
/// # Errors
/// When there is none of that name.
#[wasm_bindgen(js_name = shippedScenario, unchecked_return_type = "ShippedScenario")]
pub fn shipped_scenario(name: &str) -> Result<JsValue> {
    let text = text(name)?;
    let def = ScenarioDef::parse(text, name).map_err(wrong)?;
    let (agents, ticks) = (def.agents() as f64, def.ticks as f64);
    let name = builtin(name).map_or("", |builtin| builtin.name);
    let description = def.description.trim().to_owned();
    let shown = ShippedScenario { name, description, agents, ticks, text };
    Ok(serde_wasm_bindgen::to_value(&shown)?)
}

/// The text of a scenario that ships.
pub(crate) fn text(name: &str) -> Result<&'static str> {
    let known = || builtin_names().collect::<Vec<_>>().join(", ");
    let found = builtin(name).map(|builtin| builtin.text);
    found.ok_or_else(|| wrong(format!("no scenario `{name}` ships; known: {}", known())))
}
