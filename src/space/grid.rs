//! The grid's shape, and ranges in it.

use crate::data::renew;
use crate::lane::{IntLane, Lane, Numbers};

/// Most grid rows. Taller maps get taller rows.
const MAX_ROWS: f64 = 8_192.0;

/// Rows of a band, about: a unit of parallel work.
const BAND: u32 = 2_048;

/// Most cells of a grid row, for each agent in it.
const MAX_CELLS: u32 = 2;

/// Most keys along x: they fit 16 bits, and the integers of Q16.16.
const MAX_KEYS: f64 = 32_000.0;

/// Agents sorted by place.
///
/// Along x a place is a key: the number of a narrow column. The cells of a grid row are a whole
/// number of keys wide on average, and at most twice as many as its agents, so the table stays
/// small on vast empty maps.
#[derive(Clone, Debug, Default)]
pub struct Grid<N> {
    /// Grid rows and keys per metre.
    pub(super) row_scale: N,
    pub(super) key_scale: N,
    /// Height of a grid row in metres, and by how much a row's place may be rounded.
    row_height: N,
    row_slack: N,
    /// Number of keys, and the width of one in metres.
    pub(super) keys: u32,
    pub(super) key_width: f64,
    /// First sorted agent of every grid row, and the number of agents.
    pub(super) row_start: Vec<u32>,
    pub(super) lines: Vec<Line<N>>,
    /// For every grid row: where it begins and where each of its cells ends, in sorted agents.
    pub(super) cell_end: Vec<u32>,
    /// Where each band of whole grid rows ends: in agents, in grid rows, in cells.
    pub(super) band_end: Vec<u32>,
    pub(super) band_rows: Vec<u32>,
    pub(super) band_cells: Vec<u32>,
    /// Rows of a band at most, about, if fewer than usual.
    band: Option<u32>,
    pub(super) scratch: super::sort::Scratch,
}

/// The cells of a grid row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line<N> {
    /// Number of cells; 0 when the row is empty.
    pub(super) cells: u32,
    /// Cells per key, in units of 2⁻¹⁶.
    pub(super) scale: u32,
    /// Where they begin in `cell_end`.
    pub(super) first: u32,
    /// The larger side of a cell, in metres.
    pub(super) slack: N,
}

impl<N> Line<N> {
    /// The cell of a key.
    #[inline(always)]
    pub(super) fn cell(&self, key: u32) -> usize {
        ((u64::from(key) * u64::from(self.scale)) >> 16) as usize
    }
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
        let row = range.max(height / MAX_ROWS).max(1e-3);
        self.row_scale = N::from_f64(1.0 / row);
        self.row_height = N::from_f64(row);
        self.row_slack = N::from_f64(row / 64.0 + height / 65_536.0 * row.min(1.0));
        let rows = floor(N::from_f64(height) * self.row_scale).max(0) as usize + 1;
        let key = (row / 4.0).max(width / MAX_KEYS);
        self.key_scale = N::from_f64(1.0 / key);
        self.keys = floor(N::from_f64(width) * self.key_scale).max(0) as u32 + 1;
        self.key_width = key;
        self.row_start.resize(rows + 1, 0);
        self.lines.resize(rows, Line::default());
    }

    /// Sets how many rows a band has at most, about; `None`: as many as usual.
    pub fn set_band(&mut self, rows: Option<u32>) {
        self.band = rows;
    }

    /// The key of an x.
    #[inline(always)]
    pub(super) fn key(&self, x: N) -> u32 {
        (floor(x * self.key_scale).max(0) as u32).min(self.keys - 1)
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
    ///
    /// # Panics
    /// When there is no such row.
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

    /// The sorted agents of bands.
    pub fn rows_of(&self, bands: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        let start = |band: usize| if band == 0 { 0 } else { self.band_end[band - 1] as usize };
        start(bands.start)..start(bands.end)
    }

    /// Bands and those around them: all that hold agents within a distance in metres of theirs.
    pub fn bands_within(
        &self,
        bands: std::ops::Range<usize>,
        distance: f64,
    ) -> std::ops::Range<usize> {
        if bands.is_empty() {
            return bands;
        }
        // Places may be rounded across the edge of a row, and so may the distance.
        let rows = (distance / self.row_height.to_f64()).ceil() as usize + 1;
        let first = self.band_rows(bands.start).start.saturating_sub(rows);
        let last = self.band_rows(bands.end - 1).end + rows;
        let before = self.band_rows.partition_point(|&end| end as usize <= first);
        let behind = self.band_rows.partition_point(|&end| (end as usize) < last) + 1;
        before..behind.min(self.band_rows.len())
    }

    /// The sorted agents of a grid row that lie between two x, and maybe some beside them.
    ///
    /// # Panics
    /// When there is no such row.
    #[inline(always)]
    pub fn row_range(&self, row: usize, [min, max]: [N; 2]) -> std::ops::Range<usize> {
        let line = &self.lines[row];
        if line.cells == 0 {
            return 0..0;
        }
        let ends = &self.cell_end[line.first as usize..];
        let (low, high) = (line.cell(self.key(min)), line.cell(self.key(max)));
        ends[low] as usize..ends[high + 1] as usize
    }

    /// The height of a grid row, and how far the rows before and behind it are at least from two
    /// heights in it, in metres.
    pub fn row_gaps(&self, row: usize, [min, max]: [N; 2]) -> (N, [N; 2]) {
        let top = N::from_f64(row as f64) * self.row_height;
        let (before, behind) = (min - top, top + self.row_height - max);
        (self.row_height, [before - self.row_slack, behind - self.row_slack])
    }

    /// Least and greatest y that a grid row may hold, in metres; of the first and the last row, of
    /// those on the map.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn row_span(&self, row: usize) -> [N; 2] {
        let top = N::from_f64(row as f64) * self.row_height;
        [top - self.row_slack, top + self.row_height + self.row_slack]
    }

    /// Calls `visit(range of sorted agents, slack)` for ranges that hold every agent in the
    /// rectangle; others in them are at most the slack (metres) beside it.
    #[inline(always)]
    pub fn visit(&self, query: Query<N>, mut visit: impl FnMut(std::ops::Range<usize>, N)) {
        for (range, slack) in self.ranges(query) {
            if !range.is_empty() {
                visit(range, slack);
            }
        }
    }

    /// The ranges that [`visit`](Self::visit) visits, and some that are empty.
    #[inline(always)]
    pub fn ranges(&self, query: Query<N>) -> impl Iterator<Item = (std::ops::Range<usize>, N)> {
        let (low, high) = (self.key(query.min[0]), self.key(query.max[0]));
        let rows = self.row(query.min[1])..self.row(query.max[1]) + 1;
        self.lines[rows].iter().filter(|line| line.cells > 0).map(move |line| {
            let ends = &self.cell_end[line.first as usize..];
            (ends[line.cell(low)] as usize..ends[line.cell(high) + 1] as usize, line.slack)
        })
    }

    /// Bands of whole grid rows with about the same number of agents, and each row's cells.
    pub(super) fn plan(&mut self) {
        let rows = self.rows();
        self.band_end.clear();
        self.band_rows.clear();
        self.band_cells.clear();
        let (mut start, band) = (0, self.band.map_or(BAND, |most| most.min(BAND)));
        for row in 0..rows {
            let end = self.row_start[row + 1];
            let agents = end - self.row_start[row];
            let cells = self.keys.min(MAX_CELLS * agents);
            self.lines[row] = Line {
                cells,
                scale: ((u64::from(cells) << 16) / u64::from(self.keys)) as u32,
                first: MAX_CELLS * self.row_start[row] + row as u32,
                slack: self.slack(cells),
            };
            if end - start >= band || row + 1 == rows {
                self.band_end.push(end);
                self.band_rows.push(row as u32 + 1);
                self.band_cells.push(MAX_CELLS * end + row as u32 + 1);
                start = end;
            }
        }
        let agents = self.row_start[rows] as usize;
        renew(&mut self.cell_end, MAX_CELLS as usize * agents + rows);
    }

    /// The larger side of one of `cells` cells of a grid row.
    fn slack(&self, cells: u32) -> N {
        let keys = f64::from(self.keys) / f64::from(cells.max(1)) + 1.0;
        N::from_f64((keys * self.key_width).max(4.0 * self.key_width).min(1000.0))
    }
}
