//! Errors as Python's exceptions, with the engine's words.

use std::io;
use std::path::Path;

use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError};
use pyo3::import_exception;

use throng::map::MapError;
use throng::replay::ReplayError as EngineReplayError;
use throng::scenario::{LoadError, OverrideError, ScenarioError as EngineScenarioError};
use throng::state::SnapshotError as EngineSnapshotError;
use throng::world::{Refusal, WorldError};

import_exception!(throng.errors, BusyError);
import_exception!(throng.errors, Error);
import_exception!(throng.errors, RangeError);
import_exception!(throng.errors, RefusedError);
import_exception!(throng.errors, ReplayError);
import_exception!(throng.errors, ScenarioError);
import_exception!(throng.errors, SnapshotError);

/// What an error of the engine is in Python.
pub(crate) trait Said {
    /// The exception.
    fn said(self) -> PyErr;
}

macro_rules! said {
    ($($error:ty => $exception:ident;)+) => {$(
        impl Said for $error {
            fn said(self) -> PyErr {
                $exception::new_err(self.to_string())
            }
        }
    )+};
}
said! {
    EngineReplayError => ReplayError;
    EngineScenarioError => ScenarioError;
    EngineSnapshotError => SnapshotError;
    MapError => RangeError;
    OverrideError => RangeError;
    Refusal => RefusedError;
    WorldError => RangeError;
}

impl Said for LoadError {
    fn said(self) -> PyErr {
        match self {
            Self::NoSuchScenario { .. } => PyFileNotFoundError::new_err(self.to_string()),
            Self::File { path, source } => file(&path, &source),
            Self::Override(why) => why.said(),
            Self::Scenario(why) => why.said(),
        }
    }
}

/// A result with Python's exception.
pub(crate) trait OrSaid<T> {
    /// The same with Python's exception.
    fn or_said(self) -> Result<T, PyErr>;
}

impl<T, E: Said> OrSaid<T> for Result<T, E> {
    fn or_said(self) -> Result<T, PyErr> {
        self.map_err(Said::said)
    }
}

/// A file that cannot be read or written: `FileNotFoundError` and the like.
pub(crate) fn file(path: &Path, why: &io::Error) -> PyErr {
    let words = format!("{}: {why}", path.display());
    match why.raw_os_error() {
        // Python chooses the class by the number.
        Some(code) => PyOSError::new_err((code, why.to_string(), path.display().to_string())),
        None => PyOSError::new_err(words),
    }
}
