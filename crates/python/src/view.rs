//! Arrays that view the engine's memory, without a copy.
//!
//! Such an array has a [`View`] as its base object. While there is one, [`Held::change`] refuses, and
//! everything that changes a simulation asks it first: so the memory stays where and what it is. The
//! view keeps the simulation alive, too.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

use numpy::ndarray::ArrayView2;
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;

#[cfg(doc)]
use crate::handle::Held;

/// Keeps a simulation from changing, as long as an array views its memory.
#[pyclass(frozen, module = "throng")]
struct View {
    /// Only held.
    _owner: Py<PyAny>,
    views: Arc<AtomicUsize>,
}

impl View {
    fn new(owner: Py<PyAny>, views: &Arc<AtomicUsize>) -> Self {
        views.fetch_add(1, SeqCst);
        Self { _owner: owner, views: Arc::clone(views) }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.views.fetch_sub(1, SeqCst);
    }
}

/// An array that views pairs of a simulation; it cannot be written. `owner` is the simulation's
/// object, `views` its count of views, by which nothing changes `pairs`.
pub(crate) fn pairs<'py>(
    owner: Bound<'py, PyAny>,
    views: &Arc<AtomicUsize>,
    pairs: &[[f32; 2]],
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let py = owner.py();
    let numbers = pairs.as_flattened();
    let columns = ArrayView2::from_shape((pairs.len(), 2), numbers).expect("two numbers a row");
    let view = Bound::new(py, View::new(owner.unbind(), views))?.into_any();
    // SAFETY: `pairs` lies in the simulation, which lives and does not change as long as the view does,
    // and the array holds the view.
    let array = unsafe { PyArray2::borrow_from_array(&columns, view) };
    array.try_readwrite()?.make_nonwriteable();
    Ok(array)
}
