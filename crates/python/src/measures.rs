//! Measures of a run.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use throng::either;
use throng::report::measure::{Measures, Options};
use throng::scenario::{AreaPlan, GatePlan};

use crate::errors::Error;
use crate::handle::Held;
use crate::json;
use crate::shape::area;

/// From now on steps measure gates and areas: the scenario's when none are given.
pub(crate) fn begin(
    held: &mut Held,
    gates: Option<Bound<'_, PyDict>>,
    areas: Option<Bound<'_, PyDict>>,
    options: Options,
) -> PyResult<()> {
    let mut gate_plans = held.about.gates.clone();
    if let Some(gates) = gates {
        gate_plans.clear();
        for (name, ends) in gates {
            let [from, to]: [[f64; 2]; 2] = ends.extract()?;
            gate_plans.push(GatePlan { name: name.extract()?, from, to });
        }
    }
    let mut area_plans = held.about.areas.clone();
    if let Some(areas) = areas {
        area_plans.clear();
        for (name, shapes) in areas {
            area_plans.push(AreaPlan { name: name.extract()?, shapes: area(&shapes)? });
        }
    }
    let measures = either!(&held.sim, sim => {
        let world = sim.world();
        Measures::on(world.map(), world.dt(), &gate_plans, &area_plans, options)
    });
    held.measures = Some(measures);
    Ok(())
}

/// What was measured so far, as dicts and lists; crossings of gates are columns as arrays.
pub(crate) fn report<'py>(py: Python<'py>, held: &mut Held) -> PyResult<Bound<'py, PyAny>> {
    let Held { sim, measures, .. } = held;
    let Some(measures) = measures else {
        return Err(Error::new_err("nothing is measured: call measure() before the steps"));
    };
    either!(sim, sim => measures.finish(sim.world()));
    let report = measures.report();
    let text = serde_json::to_string(&report);
    let all = json::to_python(py, &text.map_err(|why| Error::new_err(why.to_string()))?)?;
    for (gate, about) in report.gates.iter().zip(all.get_item("gates")?.try_iter()?) {
        let columns = PyDict::new(py);
        let crossings = || gate.crossings.iter();
        let times = crossings().map(|crossing| crossing.time_s);
        columns.set_item("time_s", PyArray1::from_iter(py, times))?;
        let groups = crossings().map(|crossing| crossing.group);
        columns.set_item("group", PyArray1::from_iter(py, groups))?;
        let forward = crossings().map(|crossing| crossing.forward);
        columns.set_item("forward", PyArray1::from_vec(py, forward.collect()))?;
        about?.set_item("crossings", columns)?;
    }
    Ok(all)
}
