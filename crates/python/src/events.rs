//! What happened in a tick, as a dict.

use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use throng::Simulation;
use throng::lane::Numbers;
use throng::world::Struck;

use crate::ids;

/// What happened in the last tick and by the orders given since.
pub(crate) fn events<'py, N: Numbers>(
    py: Python<'py>,
    sim: &Simulation<N>,
) -> PyResult<Bound<'py, PyDict>> {
    let events = sim.events();
    let all = PyDict::new(py);
    all.set_item("spawned", ids::array(py, events.spawned))?;
    all.set_item("entered", ids::array(py, events.entered))?;
    let left: Vec<_> = events.left.iter().map(|departure| departure.id).collect();
    all.set_item("left", ids::array(py, &left))?;
    let at: Vec<f64> = events.left.iter().flat_map(|departure| departure.at).collect();
    all.set_item("left_at", table(py, at, 2)?)?;
    let sinks = events.left.iter().map(|departure| ids::Sink::from(departure.sink));
    all.set_item("left_by", sinks.collect::<Vec<_>>())?;
    all.set_item("arrived", ids::array(py, events.arrived))?;
    all.set_item("stuck", ids::array(py, events.stuck))?;
    let fallen: Vec<_> = events.fallen.iter().map(|fallen| fallen.id).collect();
    all.set_item("fallen", ids::array(py, &fallen))?;
    let at: Vec<f64> = events.fallen.iter().flat_map(|fallen| fallen.at).collect();
    all.set_item("fallen_at", table(py, at, 2)?)?;
    let collapsed = events.collapsed.iter().map(|one| ids::Structure::from(one.structure));
    all.set_item("collapsed", collapsed.collect::<Vec<_>>())?;
    let at: Vec<f64> = events.impacts.iter().flat_map(|impact| impact.at).collect();
    all.set_item("impacts", table(py, at, 3)?)?;
    let struck = events.impacts.iter().map(|impact| match impact.struck {
        Struck::Agent(_) => "agent",
        Struck::Ground => "ground",
        Struck::Wall => "wall",
        Struck::Nothing => "nothing",
    });
    all.set_item("struck", struck.collect::<Vec<_>>())?;
    let refused = events.refused.iter().map(|(order, why)| (format!("{order:?}"), why.to_string()));
    all.set_item("refused", refused.collect::<Vec<_>>())?;
    let plans = events.plans.iter();
    let plans = plans.map(|plan| (plan.team, plan.strategy.clone(), format!("{:?}", plan.what)));
    all.set_item("plans", plans.collect::<Vec<_>>())?;
    Ok(all)
}

fn table(py: Python<'_>, numbers: Vec<f64>, columns: usize) -> PyResult<Bound<'_, PyArray2<f64>>> {
    use numpy::PyArrayMethods;
    let rows = numbers.len() / columns;
    numpy::PyArray1::from_vec(py, numbers).reshape([rows, columns])
}
