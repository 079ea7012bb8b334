//! Distributions of what agents of one group differ in.

use pyo3::prelude::*;

/// How numbers of agents lie: `uniform`, `normal` and `log_normal` make them. A number in their place is
/// the same for all.
#[pyclass(frozen, eq, module = "throng")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Distribution(throng::Distribution);

#[pymethods]
impl Distribution {
    fn __repr__(&self) -> String {
        format!("<{:?}>", self.0.spread)
    }
}

impl Distribution {
    /// The same between bounds.
    fn within(whole: throng::Distribution, min: Option<f64>, max: Option<f64>) -> Self {
        Self(whole.within(min.unwrap_or(whole.min), max.unwrap_or(whole.max)))
    }
}

/// Evenly from `low` to `high`. What lies beyond `min` and `max` is drawn again.
#[pyfunction]
#[pyo3(signature = (low, high, *, min=None, max=None))]
pub(crate) fn uniform(low: f64, high: f64, min: Option<f64>, max: Option<f64>) -> Distribution {
    Distribution::within(throng::Distribution::uniform(low, high), min, max)
}

/// Normally. What lies beyond `min` and `max` is drawn again.
#[pyfunction]
#[pyo3(signature = (mean, deviation, *, min=None, max=None))]
pub(crate) fn normal(
    mean: f64,
    deviation: f64,
    min: Option<f64>,
    max: Option<f64>,
) -> Distribution {
    Distribution::within(throng::Distribution::normal(mean, deviation), min, max)
}

/// Log-normally; mean and deviation are of the numbers, not of their logarithms. What lies
/// beyond `min` and `max` is drawn again.
#[pyfunction]
#[pyo3(signature = (mean, deviation, *, min=None, max=None))]
pub(crate) fn log_normal(
    mean: f64,
    deviation: f64,
    min: Option<f64>,
    max: Option<f64>,
) -> Distribution {
    Distribution::within(throng::Distribution::log_normal(mean, deviation), min, max)
}

/// A distribution, or the number that all have.
pub(crate) fn distribution(from: &Bound<'_, PyAny>) -> PyResult<throng::Distribution> {
    match from.cast::<Distribution>() {
        Ok(distribution) => Ok(distribution.get().0),
        Err(_) => Ok(throng::Distribution::constant(from.extract()?)),
    }
}
