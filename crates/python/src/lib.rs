//! throng for Python: the module `throng._engine`, which the package `throng` shows.
//!
//! `docs/python.md` teaches it. What keywords definitions take follows from the engine's declarations
//! (`define.rs`); the words of errors are the engine's (`errors.rs`).

mod barriers;
mod define;
mod distribution;
mod errors;
mod events;
mod handle;
mod host;
mod ids;
mod json;
mod load;
mod map;
mod measures;
mod orders;
mod read;
mod replay;
mod shape;
mod simulation;
mod track;
mod traffic;
#[allow(unsafe_code, reason = "arrays that view the engine's memory")]
mod view;
mod ways;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// The engine, as Python has it.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use crate::define::declared;
    #[pymodule_export]
    use crate::distribution::{Distribution, log_normal, normal, uniform};
    #[pymodule_export]
    use crate::host::set_threads;
    #[pymodule_export]
    use crate::ids::{Company, Door, Group, Sink, Source, Structure, Weapon};
    #[pymodule_export]
    use crate::load::scenarios;
    #[pymodule_export]
    use crate::map::Map;
    #[pymodule_export]
    use crate::replay::{Comparison, Verdict, diff, digests, verify};
    #[pymodule_export]
    use crate::shape::{Shape, disc, point, polygon, rect};
    #[pymodule_export]
    use crate::simulation::Simulation;
    #[pymodule_export]
    use crate::traffic::Exit;
    #[pymodule_export]
    use crate::ways::{Way, direction, distance, methods, shortest};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        throng_cli::machine::check().map_err(|why| {
            PyImportError::new_err(format!("throng cannot run on this machine: {why}"))
        })?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
