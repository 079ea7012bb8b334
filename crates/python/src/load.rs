//! Scenarios, from files and from those that ship inside throng.

use std::io;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyFileNotFoundError;
use pyo3::prelude::*;

use throng::data::read_at_most;
use throng::map::limits;
use throng::math::Numeric;
use throng::scenario::{MAX_TEXT, Overrides, Plan, ScenarioDef};
use throng::{Simulation, scenario};

use crate::errors::{OrSaid, RangeError, file};
use crate::handle::{About, AnySim, Held};

/// What reads the files that a scenario names.
type ReadFile = Box<dyn Fn(&str) -> io::Result<Vec<u8>>>;

/// A number type of a name.
pub(crate) fn numeric(word: &str) -> PyResult<Numeric> {
    let words = || format!("numeric is {word:?}, but must be \"f32\" or \"fixed\"");
    Numeric::from_word(word).ok_or_else(|| RangeError::new_err(words()))
}

/// A scenario by its path, or by the name of one that ships inside throng.
fn def(name: &str) -> PyResult<(ScenarioDef, ReadFile)> {
    let path = Path::new(name);
    if path.exists() {
        let bytes = read_at_most(path, MAX_TEXT as u64).map_err(|why| file(path, &why))?;
        let def = ScenarioDef::from_bytes(&bytes, name).or_said()?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        return Ok((def, Box::new(move |file| read_at_most(folder.join(file), limits::MAX_FILE))));
    }
    let Some(builtin) = scenario::builtin(name) else {
        let names: Vec<&str> = scenario::builtin_names().collect();
        return Err(PyFileNotFoundError::new_err(format!(
            "there is no file and no scenario `{name}`; the scenarios that ship: {}",
            names.join(", ")
        )));
    };
    let def = ScenarioDef::parse(builtin.text, &format!("{name}.toml")).or_said()?;
    Ok((def, Box::new(move |file| builtin.read(file))))
}

/// A scenario of a text; the files that it names are looked for beside the process.
fn def_of_text(text: &str) -> PyResult<(ScenarioDef, ReadFile)> {
    let def = ScenarioDef::parse(text, "scenario").or_said()?;
    Ok((def, Box::new(|file| read_at_most(file, limits::MAX_FILE))))
}

/// A simulation of a scenario.
pub(crate) fn held(source: &str, is_text: bool, changes: &Overrides) -> PyResult<Held> {
    let (mut def, read) = if is_text { def_of_text(source)? } else { def(source)? };
    def.apply(changes).or_said()?;
    let map = match changes.map {
        Some(_) => def.load_map(&|file: &str| read_at_most(file, limits::MAX_FILE)),
        None => def.load_map(&*read),
    };
    let plan = Plan::new(&def, map.or_said()?).or_said()?;
    let names = plan.groups.iter().map(|group| group.name.clone());
    let about = About {
        name: plan.name.clone(),
        ticks: Some(plan.ticks),
        groups: names.zip(0..).collect(),
        gates: plan.gates.clone(),
        areas: plan.areas.clone(),
    };
    let sim = match plan.numeric {
        Numeric::F32 => AnySim::F32(Box::new(Simulation::from_plan(plan).or_said()?)),
        Numeric::Fixed => AnySim::Fixed(Box::new(Simulation::from_plan(plan).or_said()?)),
    };
    Ok(Held::new(sim, about))
}

/// The names of the scenarios that ship inside throng.
#[pyfunction]
pub(crate) fn scenarios() -> Vec<&'static str> {
    scenario::builtin_names().collect()
}
