//! Columns of a simulation as arrays, by row.

use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use throng::lane::Numbers;
use throng::world::state;
use throng::{AnySimulation, Num, Simulation, either};

use crate::errors::{RangeError, RefusedError};
use crate::handle::Held;
use crate::{ids, view};

/// Which pairs of a world.
#[derive(Clone, Copy)]
pub(crate) enum Pairs {
    Positions,
    Velocities,
}

impl Pairs {
    fn of<N: Numbers>(self, sim: &Simulation<N>) -> &[[N; 2]] {
        match self {
            Self::Positions => sim.world().positions(),
            Self::Velocities => sim.world().velocities(),
        }
    }
}

/// Pairs as an array of two columns: a copy in `float32`, in fixed point in `float64`, or a view.
pub(crate) fn pairs<'py>(
    owner: Bound<'py, PyAny>,
    held: &Held,
    which: Pairs,
    copy: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = owner.py();
    match &held.sim {
        AnySimulation::F32(sim) if copy => {
            let pairs = which.of(sim);
            let flat = PyArray1::from_slice(py, pairs.as_flattened());
            Ok(flat.reshape([pairs.len(), 2])?.into_any())
        }
        AnySimulation::F32(sim) => Ok(view::pairs(owner, &held.views, which.of(sim))?.into_any()),
        AnySimulation::Fixed(_) if !copy => Err(RangeError::new_err(
            "a simulation in fixed point has no arrays to view: take copies",
        )),
        AnySimulation::Fixed(sim) => {
            let pairs = which.of(sim);
            let numbers = pairs.iter().flatten().map(|number| number.to_f64());
            Ok(PyArray1::from_iter(py, numbers).reshape([pairs.len(), 2])?.into_any())
        }
    }
}

/// A column of one value for each agent.
fn column<'py, T: Element>(
    py: Python<'py>,
    values: impl Iterator<Item = T>,
) -> Bound<'py, PyArray1<T>> {
    PyArray1::from_vec(py, values.collect())
}

/// The ids of all agents.
pub(crate) fn ids<'py>(py: Python<'py>, sim: &AnySimulation) -> Bound<'py, PyArray1<u64>> {
    either!(sim, sim => column(py, sim.agents().map(|agent| ids::number(agent.id()))))
}

/// The indices of the groups of all agents.
pub(crate) fn groups<'py>(py: Python<'py>, sim: &AnySimulation) -> Bound<'py, PyArray1<u16>> {
    either!(sim, sim => column(py, sim.agents().map(|agent| agent.group().index())))
}

/// The bits of the states of all agents.
pub(crate) fn states<'py>(py: Python<'py>, sim: &AnySimulation) -> Bound<'py, PyArray1<u8>> {
    either!(sim, sim => column(py, sim.world().tags().iter().map(|tag| tag.state)))
}

/// Which agents have arrived.
pub(crate) fn arrived<'py>(py: Python<'py>, sim: &AnySimulation) -> Bound<'py, PyArray1<bool>> {
    either!(sim, sim => {
        column(py, sim.world().tags().iter().map(|tag| tag.state & state::ARRIVED != 0))
    })
}

/// The health of all agents; NaN in a world without weapons.
pub(crate) fn health<'py>(py: Python<'py>, sim: &AnySimulation) -> Bound<'py, PyArray1<f64>> {
    either!(sim, sim => column(py, sim.agents().map(|agent| agent.health().unwrap_or(f64::NAN))))
}

/// The numbers that agents were given.
pub(crate) fn labels<'py>(py: Python<'py>, sim: &AnySimulation) -> Bound<'py, PyArray1<u64>> {
    either!(sim, sim => column(py, sim.agents().map(|agent| agent.label())))
}

fn about<'py, N: Numbers>(
    py: Python<'py>,
    sim: &Simulation<N>,
    number: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let id = ids::id(number);
    let agent = sim.agent(id);
    let agent = agent.ok_or_else(|| RefusedError::new_err(format!("agent {id} does not live")))?;
    let all = PyDict::new(py);
    all.set_item("id", number)?;
    all.set_item("row", agent.row())?;
    all.set_item("group", ids::Group::from(agent.group()))?;
    all.set_item("pos", agent.pos())?;
    all.set_item("velocity", agent.velocity())?;
    all.set_item("radius", agent.radius())?;
    all.set_item("state", agent.state())?;
    all.set_item("arrived", agent.has_arrived())?;
    all.set_item("detached", agent.is_detached())?;
    all.set_item("health", agent.health())?;
    all.set_item("target", agent.target().map(ids::number))?;
    all.set_item("leader", sim.world().leader(id).map(ids::number))?;
    all.set_item("sets_off", sim.world().sets_off(id))?;
    all.set_item("label", agent.label())?;
    Ok(all)
}

/// The position, velocity, group and other values of an agent.
pub(crate) fn agent<'py>(
    py: Python<'py>,
    sim: &AnySimulation,
    number: u64,
) -> PyResult<Bound<'py, PyDict>> {
    either!(sim, sim => about(py, sim, number))
}
