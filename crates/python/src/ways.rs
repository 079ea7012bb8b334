//! Ways between two points, and fields: without a simulation.

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use throng::map::{Clearance, area};
use throng::nav::field;
use throng::nav::field::{UNREACHED, direction as packed};
use throng_cli::pathfinding::{Method, Prepared, Promise, Query, Scratch, Way as Found};

use crate::errors::{OrSaid, RangeError};
use crate::map::{Map, grid};
use crate::shape;

/// A way from one point to another.
#[pyclass(frozen, module = "throng")]
pub(crate) struct Way {
    /// Whether it ends at the goal.
    #[pyo3(get)]
    found: bool,
    /// Length in metres.
    #[pyo3(get)]
    length: f64,
    /// Nodes that were expanded, cells that a field reaches, or steps that a walk chose.
    #[pyo3(get)]
    expanded: u64,
    /// The method.
    #[pyo3(get)]
    method: &'static str,
    points: Vec<[f64; 2]>,
}

#[pymethods]
impl Way {
    /// Points in metres, the start first: an array of two columns.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let flat = PyArray1::from_slice(py, self.points.as_flattened());
        flat.reshape([self.points.len(), 2])
    }

    fn __bool__(&self) -> bool {
        self.found
    }

    fn __repr__(&self) -> String {
        match self.found {
            true => format!("<way of {:.2} m by {}>", self.length, self.method),
            false => format!("<no way by {}>", self.method),
        }
    }
}

/// The cell of a point that agents of a class can stand on.
fn cell(map: &Map, class: &Clearance, what: &str, [x, y]: [f64; 2]) -> PyResult<u32> {
    let Some(cell) = map.0.cell_at(x, y) else {
        let [width, height] = area::extent(&map.0);
        let words =
            format!("{what} {x},{y}: it is off the map, which goes from 0,0 to {width},{height} m");
        return Err(RangeError::new_err(words));
    };
    if class.passable(cell) {
        return Ok(cell);
    }
    let why = match map.0.slowness()[cell as usize] {
        0 => "it is in a wall",
        _ => "agents of that radius do not fit there",
    };
    Err(RangeError::new_err(format!("{what} {x},{y}: {why}")))
}

/// A way from the middle of the cell of one point to the middle of that of another, in metres, for
/// an agent of a radius. `methods()` lists the methods.
#[pyfunction]
#[pyo3(signature = (map, a, b, method="exact", *, radius=0.3, seed=1, most_steps=100_000))]
pub(crate) fn shortest(
    py: Python<'_>,
    map: &Map,
    a: [f64; 2],
    b: [f64; 2],
    method: &str,
    radius: f64,
    seed: u64,
    most_steps: u32,
) -> PyResult<Way> {
    let Some(method) = Method::from_name(method) else {
        let names: Vec<&str> = Method::all().map(Method::name).collect();
        let words = format!("there is no method {method:?}; there are {}", names.join(", "));
        return Err(RangeError::new_err(words));
    };
    let class = map.0.try_class(radius).or_said()?;
    let (from, to) = (cell(map, &class, "from", a)?, cell(map, &class, "to", b)?);
    let query = Query { from, to, leader: from, seed, most_steps };
    let found = py.detach(|| {
        let prepared = Prepared::new(method, &map.0, &class, radius)?;
        let mut way = Found::default();
        prepared.find(&query, &mut Scratch::default(), &mut way);
        Ok(way)
    });
    let wrong = |why: throng_cli::pathfinding::Refused| RangeError::new_err(why.to_string());
    let way: Found = found.map_err(wrong)?;
    let side = map.0.cell_size();
    Ok(Way {
        found: way.found,
        length: way.length * side,
        expanded: way.expansions,
        method: method.name(),
        points: way.points.iter().map(|point| point.map(|part| part * side)).collect(),
    })
}

/// The methods of `shortest`: the name of each, and what it promises of a way's length: "nothing"
/// (it arrives sometimes), "found" (where there is a way), "octile" (the shortest in straight and
/// diagonal steps, where all ground is alike) or "straight" (the shortest of all).
#[pyfunction]
pub(crate) fn methods() -> Vec<(&'static str, &'static str)> {
    let promise = |method: Method| match method.promise() {
        Promise::Nothing => "nothing",
        Promise::Found => "found",
        Promise::Octile => "octile",
        Promise::Straight => "straight",
    };
    Method::all().map(|method| (method.name(), promise(method))).collect()
}

/// The field to some goals on a map, for agents of a radius.
fn solve(
    py: Python<'_>,
    map: &Map,
    goals: &Bound<'_, PyAny>,
    radius: f64,
) -> PyResult<field::Field> {
    let shapes = shape::area(goals)?;
    let class = map.0.try_class(radius).or_said()?;
    for shape in &shapes {
        shape.check_on(&map.0).map_err(|why| RangeError::new_err(why.to_string()))?;
    }
    let cells = area::goal_cells(&map.0, &shapes, class.slowness());
    let cells = cells.map_err(|why| RangeError::new_err(why.to_string()))?;
    Ok(py.detach(|| field::solve(&class, &cells)))
}

/// The length of the way to the nearest goal from every cell of a map, in metres of plain ground,
/// as an array of `float64`, a row of cells a row. Infinite where none leads there.
#[pyfunction]
#[pyo3(signature = (map, goals, *, radius=0.3))]
pub(crate) fn distance<'py>(
    py: Python<'py>,
    map: &Map,
    goals: &Bound<'py, PyAny>,
    radius: f64,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let field = solve(py, map, goals, radius)?;
    let side = map.0.cell_size() / 256.0;
    grid(py, &map.0, |cell| match field.distances[cell] {
        UNREACHED => f64::INFINITY,
        distance => f64::from(distance) * side,
    })
}

/// The direction that a flow field shows in every cell: an array of `float32` of shape (rows,
/// columns, 2), of vectors of length 1. NaN where no way leads to a goal, 0 in the goals.
#[pyfunction]
#[pyo3(signature = (map, goals, *, radius=0.3))]
pub(crate) fn direction<'py>(
    py: Python<'py>,
    map: &Map,
    goals: &Bound<'py, PyAny>,
    radius: f64,
) -> PyResult<Bound<'py, PyArray3<f32>>> {
    let field = solve(py, map, goals, radius)?;
    let (width, height) = (map.0.width(), map.0.height());
    let mut vectors = Vec::with_capacity(2 * width as usize * height as usize);
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let code = field.directions[map.0.index(x, y) as usize];
        vectors.extend(match packed::unpack(code) {
            Some((x, y)) => [x, y].map(|part| f32::from(part) / 16_384.0),
            None => [f32::NAN; 2],
        });
    }
    PyArray1::from_vec(py, vectors).reshape([height as usize, width as usize, 2])
}
