//! Trajectories: where agents are, frame by frame, as columns.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use throng::lane::Numbers;
use throng::{AnySimulation, Simulation, either};

use crate::ids;

/// Columns of one row for each agent in each frame.
#[derive(Default)]
pub(crate) struct Track {
    id: Vec<i64>,
    frame: Vec<i64>,
    x: Vec<f64>,
    y: Vec<f64>,
    group: Vec<u16>,
    frames: i64,
}

impl Track {
    /// Adds a frame of all agents.
    pub(crate) fn look(&mut self, sim: &AnySimulation) {
        either!(sim, sim => self.look_at(sim));
        self.frames += 1;
    }

    fn look_at<N: Numbers>(&mut self, sim: &Simulation<N>) {
        for agent in sim.agents() {
            let [x, y] = agent.pos();
            self.id.push(ids::number(agent.id()) as i64);
            self.frame.push(self.frames);
            self.x.push(x);
            self.y.push(y);
            self.group.push(agent.group().index());
        }
    }

    /// The columns as `throng.Trajectories`; `frame_rate` is frames a second.
    pub(crate) fn finish(self, py: Python<'_>, frame_rate: f64) -> PyResult<Bound<'_, PyAny>> {
        let all = PyDict::new(py);
        all.set_item("id", PyArray1::from_vec(py, self.id))?;
        all.set_item("frame", PyArray1::from_vec(py, self.frame))?;
        all.set_item("x", PyArray1::from_vec(py, self.x))?;
        all.set_item("y", PyArray1::from_vec(py, self.y))?;
        all.set_item("group", PyArray1::from_vec(py, self.group))?;
        all.set_item("frame_rate", frame_rate)?;
        let class = py.import("throng.trajectories")?.getattr("Trajectories")?;
        class.call((), Some(&all))
    }
}
