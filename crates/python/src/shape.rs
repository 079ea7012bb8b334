//! Shapes: where agents appear and go.

use numpy::{AllowTypeChange, PyArrayLike2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A part of the map, in metres: `rect`, `disc`, `point` and `polygon` make them.
#[pyclass(frozen, eq, module = "throng")]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape(pub(crate) throng::Shape);

#[pymethods]
impl Shape {
    /// Whether a point lies in the shape, its outline included.
    fn contains(&self, x: f64, y: f64) -> bool {
        self.0.contains(x, y)
    }

    /// Area in m²; 0 for a point.
    #[getter]
    fn area(&self) -> f64 {
        self.0.area()
    }

    /// The smallest box around it: (x, y), (x, y).
    #[getter]
    fn bounds(&self) -> ([f64; 2], [f64; 2]) {
        let bounds = self.0.bounds();
        (bounds.min, bounds.max)
    }

    fn __repr__(&self) -> String {
        format!("<{}>", self.0.label())
    }
}

/// A point, in metres.
#[pyfunction]
pub(crate) fn point(x: f64, y: f64) -> Shape {
    Shape(throng::Shape::point([x, y]))
}

/// An axis-parallel rectangle between two opposite corners, in metres.
#[pyfunction]
pub(crate) fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Shape {
    Shape(throng::Shape::rect([x0, y0], [x1, y1]))
}

/// A disc, in metres.
#[pyfunction]
pub(crate) fn disc(x: f64, y: f64, radius: f64) -> Shape {
    Shape(throng::Shape::disc([x, y], radius))
}

/// A simple polygon: its corners in order, (x, y) in metres.
#[pyfunction]
pub(crate) fn polygon(corners: &Bound<'_, PyAny>) -> PyResult<Shape> {
    Ok(Shape(throng::Shape::Polygon { corners: points(corners)? }))
}

/// Points of an array of two columns, or of a list of pairs.
pub(crate) fn points(from: &Bound<'_, PyAny>) -> PyResult<Vec<[f64; 2]>> {
    pairs(from, "points have 2 columns, x and y")
}

/// Pairs of numbers of an array of two columns, or of a list; `what` says what they are.
pub(crate) fn pairs(from: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<[f64; 2]>> {
    let array: PyArrayLike2<'_, f64, AllowTypeChange> = from.extract()?;
    let array = array.as_array();
    if array.ncols() != 2 {
        return Err(PyValueError::new_err(format!("{what}, not {}", array.ncols())));
    }
    Ok(array.rows().into_iter().map(|row| [row[0], row[1]]).collect())
}

/// An area: a shape, a pair of numbers for a point, or a list of shapes.
pub(crate) fn area(from: &Bound<'_, PyAny>) -> PyResult<Vec<throng::Shape>> {
    if let Ok(shape) = from.cast::<Shape>() {
        return Ok(vec![shape.get().0.clone()]);
    }
    if let Ok(at) = from.extract::<[f64; 2]>() {
        return Ok(vec![throng::Shape::point(at)]);
    }
    let mut shapes = Vec::new();
    for one in from.try_iter()? {
        shapes.push(one?.cast::<Shape>()?.get().0.clone());
    }
    Ok(shapes)
}
