//! Scenarios, from files or shipped inside throng.

use pyo3::prelude::*;

use throng::data::read_at_most;
use throng::map::limits;
use throng::math::Numeric;
use throng::scenario::{Overrides, Plan, ScenarioDef};
use throng::{AnySimulation, scenario};

use crate::errors::{OrSaid, RangeError};
use crate::handle::{About, Held};

/// A number type of a name.
pub(crate) fn numeric(word: &str) -> PyResult<Numeric> {
    let words = || format!("numeric is {word:?}, but must be \"f32\" or \"fixed\"");
    Numeric::from_word(word).ok_or_else(|| RangeError::new_err(words()))
}

/// The plan of a text; the files that it names are looked for beside the process.
fn plan_of_text(text: &str, changes: &Overrides) -> PyResult<Plan> {
    let mut def = ScenarioDef::parse(text, "scenario").or_said()?;
    def.apply(changes).or_said()?;
    let map = def.load_map(&|file| read_at_most(file, limits::MAX_FILE)).or_said()?;
    Plan::new(&def, map).or_said()
}

/// A simulation of a scenario.
pub(crate) fn held(source: &str, is_text: bool, changes: &Overrides) -> PyResult<Held> {
    let plan = if is_text {
        plan_of_text(source, changes)?
    } else {
        Plan::load(source, changes).or_said()?
    };
    let names = plan.scene.groups.iter().map(|group| group.name.clone());
    let about = About {
        name: plan.name.clone(),
        ticks: Some(plan.ticks),
        groups: names.zip(0..).collect(),
        gates: plan.scene.gates.clone(),
        areas: plan.scene.areas.clone(),
    };
    Ok(Held::new(AnySimulation::from_plan(plan).or_said()?, about))
}

/// The names of the scenarios that ship inside throng.
#[pyfunction]
pub(crate) fn scenarios() -> Vec<&'static str> {
    scenario::builtin_names().collect()
}
