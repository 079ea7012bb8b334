//! Threads, and modes of a thread that would change results.

use std::hint::black_box;

use pyo3::prelude::*;

use crate::errors::Error;

/// Refuses a thread that flushes denormal numbers to zero or rounds otherwise than to the nearest
/// number, as modules built for fast mathematics leave it.
pub(crate) fn check() -> PyResult<()> {
    if black_box(f32::MIN_POSITIVE) * black_box(0.5) == 0.0 {
        let words = "this thread flushes denormal numbers to zero, so results would differ";
        return Err(Error::new_err(words));
    }
    if [1e-20, -1e-20].map(|little| black_box(1_f32) + black_box(little) == 1.0) != [true; 2] {
        let words = "this thread does not round to the nearest number, so results would differ";
        return Err(Error::new_err(words));
    }
    Ok(())
}

/// Sets the number of threads of this process; once, before the first step. No result depends on
/// it.
#[pyfunction]
pub(crate) fn set_threads(threads: usize) -> PyResult<()> {
    let made = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    made.map_err(|why| Error::new_err(format!("the threads of this process cannot be set: {why}")))
}
