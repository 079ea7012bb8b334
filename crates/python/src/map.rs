//! Maps.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;

use throng::Legend;
use throng::data::read_at_most;
use throng::map::{Colours, FileRules, TiledRules, limits};

use crate::errors::{OrSaid, file};

/// Open ground and walls in square cells; x to the right, y down, in metres.
#[pyclass(frozen, module = "throng")]
#[derive(Clone, Debug)]
pub(crate) struct Map(pub(crate) Arc<throng::Map>);

#[pymethods]
impl Map {
    /// A map from an array of `uint8`, a row of cells a row: 0 is a wall, 16 plain ground, 32 takes
    /// twice as long to cross. `cell` is the side of a cell in metres.
    #[new]
    #[pyo3(signature = (slowness, cell=1.0))]
    fn new(slowness: PyReadonlyArray2<'_, u8>, cell: f64) -> PyResult<Self> {
        let cells = slowness.as_array();
        let [height, width] =
            [0, 1].map(|axis| u32::try_from(cells.shape()[axis]).unwrap_or(u32::MAX));
        let cells: Vec<u8> = cells.iter().copied().collect();
        Ok(Self::of(throng::Map::try_from_slowness(width, height, cell, &cells).or_said()?))
    }

    /// A map drawn as rows of letters, as MovingAI has them: `.` is ground, `@` a wall.
    #[staticmethod]
    #[pyo3(signature = (rows, cell=1.0))]
    fn from_rows(rows: Vec<String>, cell: f64) -> PyResult<Self> {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        Ok(Self::of(throng::Map::from_rows(&rows, &Legend::default(), cell).or_said()?))
    }

    /// A map file: MovingAI, PNG or Tiled.
    #[staticmethod]
    #[pyo3(signature = (path, cell=1.0))]
    fn load(path: PathBuf, cell: f64) -> PyResult<Self> {
        let read =
            |path: &Path| read_at_most(path, limits::MAX_FILE).map_err(|why| file(path, &why));
        let bytes = read(&path)?;
        let legend = Legend::default();
        let (colours, tiled) = (Colours::default(), TiledRules::default());
        let rules = FileRules { legend: &legend, colours: &colours, tiled: &tiled };
        let name = path.to_string_lossy();
        let tileset = |path: &str| read_at_most(path, limits::MAX_FILE);
        let parsed = throng::Map::parse_file(&name, &bytes, rules, cell, &tileset).or_said()?;
        Ok(Self::of(parsed.0))
    }

    /// Cells as an array, row by row: see the maker.
    #[getter]
    fn slowness<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        grid(py, &self.0, |cell| self.0.slowness()[cell])
    }

    /// Side of a cell in metres.
    #[getter]
    fn cell(&self) -> f64 {
        self.0.cell_size()
    }

    /// Width and height in metres.
    #[getter]
    fn size(&self) -> [f64; 2] {
        [self.0.width(), self.0.height()].map(|cells| f64::from(cells) * self.0.cell_size())
    }

    /// Rows and columns of cells.
    #[getter]
    fn shape(&self) -> [u32; 2] {
        [self.0.height(), self.0.width()]
    }

    fn __repr__(&self) -> String {
        let [height, width] = self.shape();
        format!("<map of {width} × {height} cells of {} m>", self.cell())
    }
}

impl Map {
    pub(crate) fn of(map: impl Into<Arc<throng::Map>>) -> Self {
        Self(map.into())
    }
}

/// What `of` says of every cell of a map, given its place in the map's own arrays, as an array.
pub(crate) fn grid<'py, T: numpy::Element>(
    py: Python<'py>,
    map: &throng::Map,
    of: impl Fn(usize) -> T,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let (width, height) = (map.width(), map.height());
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let values: Vec<T> = cells.map(|(x, y)| of(map.index(x, y) as usize)).collect();
    numpy::PyArray1::from_vec(py, values).reshape([height as usize, width as usize])
}
