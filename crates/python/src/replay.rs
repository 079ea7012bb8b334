//! Replays: verified, compared, and their digests.

use std::path::{Path, PathBuf};

use numpy::PyArray1;
use pyo3::prelude::*;

use throng::data::read_at_most;
use throng::replay;
use throng::replay::Replay;

use crate::errors::{OrSaid, file};

fn read(path: &Path) -> PyResult<Replay> {
    let bytes = read_at_most(path, replay::MAX_FILE).map_err(|why| file(path, &why))?;
    Replay::read(&bytes).or_said()
}

/// What verifying a replay found.
#[pyclass(frozen, get_all, module = "throng")]
pub(crate) struct Verdict {
    /// Whether every digest is the same.
    same: bool,
    /// Ticks up to the end, or to the first difference.
    ticks: u64,
    /// The digest after the last of them.
    digest: u64,
    /// The first tick that differs.
    tick: Option<u64>,
    /// The columns that differ after it.
    columns: Vec<String>,
}

#[pymethods]
impl Verdict {
    fn __bool__(&self) -> bool {
        self.same
    }

    fn __repr__(&self) -> String {
        match self.tick {
            None => format!("<the same: {} ticks, digest {:016x}>", self.ticks, self.digest),
            Some(tick) => format!("<different: first at tick {tick}, {}>", self.columns.join(", ")),
        }
    }
}

/// Runs a replay again and compares every digest.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, path: PathBuf) -> PyResult<Verdict> {
    let replay = read(&path)?;
    let verdict = py.detach(|| replay::verify(&replay, |_| ())).or_said()?;
    let difference = verdict.difference.as_ref();
    Ok(Verdict {
        same: difference.is_none(),
        ticks: verdict.ticks,
        digest: verdict.digest,
        tick: difference.map(|difference| difference.tick),
        columns: difference.map_or(Vec::new(), |difference| difference.columns.clone()),
    })
}

/// What comparing two replays found.
#[pyclass(frozen, get_all, module = "throng")]
pub(crate) struct Comparison {
    /// Whether they begin alike, are of one length, and every digest is the same.
    same: bool,
    /// In what the runs differ from the start.
    began: Vec<String>,
    /// Ticks that both have.
    ticks: u64,
    /// The first tick after which they differ.
    tick: Option<u64>,
    /// The columns that differ after it.
    columns: Vec<String>,
    /// The values that differ after it, in words.
    differences: Vec<String>,
}

#[pymethods]
impl Comparison {
    fn __bool__(&self) -> bool {
        self.same
    }

    fn __repr__(&self) -> String {
        match self.tick {
            None if self.same => format!("<the same: {} ticks>", self.ticks),
            None => format!("<the same for {} ticks that both have>", self.ticks),
            Some(tick) => {
                format!("<different: first after tick {tick}, {}>", self.columns.join(", "))
            }
        }
    }
}

/// Compares two replays.
#[pyfunction]
pub(crate) fn diff(py: Python<'_>, a: PathBuf, b: PathBuf) -> PyResult<Comparison> {
    let (a, b) = (read(&a)?, read(&b)?);
    let found = py.detach(|| replay::compare(&a, &b)).or_said()?;
    let is_alike = found.began.is_empty() && found.spans[0] == found.spans[1];
    let parting = found.parting.as_ref();
    let differences = parting.map_or(&[][..], |parting| &parting.differences[..]);
    Ok(Comparison {
        same: is_alike && parting.is_none(),
        began: found.began.clone(),
        ticks: found.ticks,
        tick: parting.map(|parting| parting.tick),
        columns: parting.map_or(Vec::new(), |parting| parting.columns.clone()),
        differences: differences.iter().map(ToString::to_string).collect(),
    })
}

/// The digests in a replay, one for each tick, as an array of `uint64`.
#[pyfunction]
pub(crate) fn digests(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyArray1<u64>>> {
    let replay = read(&path)?;
    Ok(PyArray1::from_iter(py, replay.frames.iter().map(|frame| frame.digest)))
}
