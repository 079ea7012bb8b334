//! A simulation of either number type, with what is kept beside it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

use pyo3::prelude::*;

use throng::report::measure::Measures;
use throng::scenario::{AreaPlan, GatePlan};
use throng::{AnySimulation, either};

use crate::errors::BusyError;

/// What the scenario says beside the orders.
#[derive(Debug, Default)]
pub(crate) struct About {
    pub(crate) name: String,
    /// Ticks of the run.
    pub(crate) ticks: Option<u64>,
    pub(crate) groups: BTreeMap<String, u16>,
    pub(crate) gates: Vec<GatePlan>,
    pub(crate) areas: Vec<AreaPlan>,
}

/// A simulation, and what is known of it beside.
pub(crate) struct Held {
    pub(crate) sim: AnySimulation,
    pub(crate) about: About,
    pub(crate) measures: Option<Measures>,
    /// Arrays that view the memory of the simulation, which must not change meanwhile.
    pub(crate) views: Arc<AtomicUsize>,
}

impl Held {
    pub(crate) fn new(sim: AnySimulation, about: About) -> Self {
        Self { sim, about, measures: None, views: Arc::default() }
    }

    /// The simulation, to be changed, unless an array views it.
    pub(crate) fn change(&mut self) -> PyResult<&mut AnySimulation> {
        match self.views.load(SeqCst) {
            0 => Ok(&mut self.sim),
            views => Err(BusyError::new_err(format!(
                "the simulation cannot change while arrays view it, and {views} do: delete them, or \
                 take copies"
            ))),
        }
    }

    /// Does a tick, and measures.
    pub(crate) fn step(&mut self) {
        let Self { sim, measures, .. } = self;
        either!(sim, sim => {
            sim.step();
            if let Some(measures) = measures {
                measures.observe(sim.world());
            }
        });
    }
}
