//! The grid's shape, and ranges in it.

use crate::lane::IntLane;
use crate::lane::Lane;
use crate::lane::Numbers;

/// Most grid rows. Taller maps get taller rows.
const MOST_ROWS: f64 = 8_192.0;

/// Rows of a band, about: a unit of parallel work.
const BAND: u32 = 2_048;

/// Agents sorted by place.
///
/// Cells of a grid row are `4 ×` its agents at most, so the table stays small on vast empty maps.
#[derive(Clone, Debug, Default)]
pub struct Grid<N> {
    /// Grid rows per metre.
    pub(super) row_scale: N,
    /// The map's width and a cell's least width, in metres.
    pub(super) width: f64,
    pub(super) least_cell: f64,
    /// First sorted agent of every grid row, and the number of agents.
    pub(super) row_start: Vec<u32>,
    /// Cells per metre in every grid row.
    pub(super) cell_scale: Vec<N>,
    /// The larger side of the cells of every grid row, in metres.
    pub(super) slack: Vec<N>,
    /// Number of cells in every grid row.
    pub(super) cell_count: Vec<u32>,
    /// Where every cell ends among the sorted agents.
    pub(super) cell_end: Vec<u32>,
    /// Where each band of whole grid rows ends: in agents, in grid rows, in cells.
    pub(super) band_end: Vec<u32>,
    pub(super) band_rows: Vec<u32>,
    pub(super) band_cells: Vec<u32>,
    pub(super) scratch: super::sort::Scratch,
}

/// A rectangle to look in, in metres.
#[derive(Clone, Copy, Debug)]
pub struct Query<N> {
    /// Smallest x, y.
    pub min: [N; 2],
    /// Largest x, y.
    pub max: [N; 2],
}

/// The integer at or below.
#[inline(always)]
pub(super) fn floor<N: Numbers>(number: N) -> i32 {
    N::Wide::splat(number).floor_int().get(0)
}

impl<N: Numbers> Grid<N> {
    /// Sets the shape for a map of `width × height` metres and the interaction range that most
    /// queries have.
    pub fn shape(&mut self, width: f64, height: f64, range: f64) {
        let row = range.max(height / MOST_ROWS).max(1e-3);
        self.row_scale = N::from_f64(1.0 / row);
        let rows = floor(N::from_f64(height) * self.row_scale).max(0) as usize + 1;
        self.width = width;
        self.least_cell = row / 4.0;
        self.row_start.resize(rows + 1, 0);
        self.cell_scale.resize(rows, N::ONE);
        self.cell_count.resize(rows, 0);
        self.slack.resize(rows, N::ZERO);
    }

    /// The grid row that holds a height.
    #[inline(always)]
    pub fn row(&self, y: N) -> usize {
        let row = floor(y * self.row_scale);
        (row.max(0) as usize).min(self.row_start.len() - 2)
    }

    /// The number of grid rows.
    pub fn rows(&self) -> usize {
        self.row_start.len() - 1
    }

    /// Sorted agents of a grid row.
    #[inline(always)]
    pub fn row_agents(&self, row: usize) -> std::ops::Range<usize> {
        self.row_start[row] as usize..self.row_start[row + 1] as usize
    }

    /// Where every band of whole grid rows ends among the sorted agents.
    pub fn bands(&self) -> &[u32] {
        &self.band_end
    }

    /// The grid rows of a band.
    pub fn band_rows(&self, band: usize) -> std::ops::Range<usize> {
        let first = if band == 0 { 0 } else { self.band_rows[band - 1] };
        first as usize..self.band_rows[band] as usize
    }

    /// Where a grid row's cells begin in `cell_end`.
    #[inline(always)]
    pub(super) fn first_cell(&self, row: usize) -> usize {
        4 * self.row_start[row] as usize + row
    }

    /// Sorted agents of a grid row that may lie between two x; all that do are among them.
    #[inline(always)]
    pub fn near(&self, row: usize, min_x: N, max_x: N) -> std::ops::Range<usize> {
        let count = self.cell_count[row];
        if count == 0 {
            return 0..0;
        }
        let (scale, first) = (self.cell_scale[row], self.first_cell(row));
        let cell = |x: N| (floor(x * scale).max(0) as usize).min(count as usize - 1);
        let (low, high) = (cell(min_x), cell(max_x));
        let start = if low == 0 { self.row_start[row] } else { self.cell_end[first + low - 1] };
        start as usize..self.cell_end[first + high] as usize
    }

    /// Calls `visit(range of sorted agents, slack)` for ranges that hold every agent in the
    /// rectangle; others in them are at most the slack (metres) beside it.
    pub fn visit(&self, query: Query<N>, mut visit: impl FnMut(std::ops::Range<usize>, N)) {
        for row in self.row(query.min[1])..=self.row(query.max[1]) {
            let range = self.near(row, query.min[0], query.max[0]);
            if !range.is_empty() {
                visit(range, self.slack[row]);
            }
        }
    }

    /// Bands of whole grid rows with about the same number of agents, and each row's cells.
    pub(super) fn plan(&mut self) {
        let rows = self.rows();
        self.band_end.clear();
        self.band_rows.clear();
        self.band_cells.clear();
        let mut start = 0;
        for row in 0..rows {
            let end = self.row_start[row + 1];
            let agents = end - self.row_start[row];
            let cells = (self.width / self.least_cell).min(f64::from(4 * agents)) as u32;
            let cells = if agents == 0 { 0 } else { cells.max(1) };
            self.cell_count[row] = cells;
            if cells > 0 {
                self.cell_scale[row] = N::from_f64(f64::from(cells) / self.width);
                let side = self.width / f64::from(cells);
                self.slack[row] = N::from_f64(side.max(4.0 * self.least_cell).min(1000.0));
            }
            if end - start >= BAND || row + 1 == rows {
                self.band_end.push(end);
                self.band_rows.push(row as u32 + 1);
                self.band_cells.push(4 * end + row as u32 + 1);
                start = end;
            }
        }
        let agents = self.row_start[rows] as usize;
        self.cell_end.resize(4 * agents + rows, 0);
    }
}
