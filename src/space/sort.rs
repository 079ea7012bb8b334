//! The parallel, stable counting sort that brings agents into grid order.
//!
//! Two levels: each chunk of agents sorts its own indices by grid row; then each band of grid rows
//! collects its runs in the order of the chunks, sorts them by cell and gathers the columns into
//! its own slice. Agents hardly move in a tick, so a chunk holds few grid rows, and a band meets
//! few chunks.

use crate::lane::Numbers;
use crate::par;
use crate::par::PerBand;
use crate::par::Ragged;
use crate::par::Split;
use crate::space::grid::Grid;
use crate::space::grid::floor;

/// Chunks at most: they depend on the number of agents alone.
const MOST_CHUNKS: usize = 64;

/// Columns that the sort moves: old ones to read, and a part of the new ones to write.
pub trait Gather: Split {
    /// Writes old row `from` to new row `to` of this part.
    fn gather(&mut self, to: usize, from: usize);
}

/// The grid rows that a chunk meets, and where its runs begin in `Scratch::starts`.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    low: u32,
    high: u32,
}

/// Memory of the sort, kept from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Grid row of every agent.
    row: Vec<u16>,
    /// Every chunk's agents, sorted by grid row.
    order: Vec<u32>,
    /// For every chunk: where the run of each grid row of its span begins, and the end.
    starts: Vec<u32>,
    spans: Vec<Span>,
    /// Old row and cell of the agents of a grid row.
    index: Vec<u32>,
    cell: Vec<u32>,
}

impl<N: Numbers> Grid<N> {
    /// Sorts agents at these positions and moves their columns. Positions lie on the map.
    pub fn sort<G: Gather>(&mut self, pos: &[[N; 2]], columns: G) {
        let agents = pos.len();
        let chunk = agents.div_ceil(MOST_CHUNKS).max(2_048);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.row.resize(agents, 0);
        scratch.order.resize(agents, 0);
        scratch.index.resize(agents, 0);
        scratch.cell.resize(agents, 0);
        self.sort_chunks(pos, chunk, &mut scratch);
        self.count_rows(&scratch);
        self.plan();
        self.sort_rows(pos, chunk, &mut scratch, columns);
        self.scratch = scratch;
    }

    /// Sorts each chunk's indices by grid row.
    fn sort_chunks(&self, pos: &[[N; 2]], chunk: usize, scratch: &mut Scratch) {
        let stride = self.rows() + 1;
        let chunks = pos.len().div_ceil(chunk);
        scratch.spans.resize(chunks, Span::default());
        scratch.starts.resize(chunks * stride, 0);
        // Each chunk gets `stride` starts: a band of its own.
        let parts = (
            &mut scratch.row[..],
            &mut scratch.order[..],
            PerBand(&mut scratch.spans[..]),
            Strided { items: &mut scratch.starts[..], stride },
        );
        par::chunks(pos.len(), chunk, parts, &|_, first, (row, order, span, starts)| {
            let pos = &pos[first..first + row.len()];
            span.0[0] = self.sort_chunk(pos, first as u32, row, order, starts.items);
        });
    }

    fn sort_chunk(
        &self,
        pos: &[[N; 2]],
        first: u32,
        row: &mut [u16],
        order: &mut [u32],
        starts: &mut [u32],
    ) -> Span {
        let (mut low, mut high) = (u16::MAX, 0);
        for (row, pos) in row.iter_mut().zip(pos) {
            *row = self.row(pos[1]) as u16;
            low = low.min(*row);
            high = high.max(*row);
        }
        let starts = &mut starts[..(high - low) as usize + 2];
        starts.fill(0);
        for &row in &*row {
            starts[(row - low) as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        // Placing moves each start to its end, which is the next one's start.
        for (i, &row) in row.iter().enumerate() {
            let slot = &mut starts[(row - low) as usize];
            order[*slot as usize] = first + i as u32;
            *slot += 1;
        }
        for i in (1..starts.len()).rev() {
            starts[i] = starts[i - 1];
        }
        starts[0] = 0;
        Span { low: u32::from(low), high: u32::from(high) }
    }

    /// Where each grid row begins.
    fn count_rows(&mut self, scratch: &Scratch) {
        let stride = self.rows() + 1;
        self.row_start.fill(0);
        for (chunk, span) in scratch.spans.iter().enumerate() {
            let starts = &scratch.starts[chunk * stride..];
            for row in span.low..=span.high {
                let i = (row - span.low) as usize;
                self.row_start[row as usize + 1] += starts[i + 1] - starts[i];
            }
        }
        for i in 1..self.row_start.len() {
            self.row_start[i] += self.row_start[i - 1];
        }
    }

    /// Sorts each grid row by cell and gathers its columns.
    fn sort_rows<G: Gather>(
        &mut self,
        pos: &[[N; 2]],
        chunk: usize,
        scratch: &mut Scratch,
        columns: G,
    ) {
        let mut cell_end = std::mem::take(&mut self.cell_end);
        let (grid, Scratch { index, cell, order, starts, spans, .. }) = (&*self, scratch);
        let runs = Runs { order, starts, spans, chunk, stride: grid.rows() + 1 };
        let parts = (
            &mut index[..],
            &mut cell[..],
            Ragged::new(&mut cell_end[..], &grid.band_cells),
            columns,
        );
        par::bands(&grid.band_end, parts, &|band, first, (index, cell, ends, mut columns)| {
            let ends = ends.items();
            let rows = grid.band_rows(band);
            let first_cell = grid.first_cell(rows.start);
            let (low, high) = runs.chunks_that_meet(&rows);
            for row in rows {
                let agents = grid.row_agents(row);
                if agents.is_empty() {
                    continue;
                }
                let (from, to) = (agents.start - first, agents.end - first);
                runs.collect(row as u32, low, high, &mut index[from..to]);
                let cells = grid.cell_count[row] as usize;
                let ends = &mut ends[grid.first_cell(row) - first_cell..][..cells];
                grid.sort_row(row, pos, &index[from..to], &mut cell[from..to], ends);
                place(&index[from..to], &cell[from..to], first as u32, ends, &mut columns);
            }
        });
        self.cell_end = cell_end;
    }

    /// The cell of every agent of a grid row, and where each cell begins.
    fn sort_row(
        &self,
        row: usize,
        pos: &[[N; 2]],
        index: &[u32],
        cell: &mut [u32],
        starts: &mut [u32],
    ) {
        let (scale, last) = (self.cell_scale[row], starts.len() - 1);
        starts.fill(0);
        for (cell, &from) in cell.iter_mut().zip(index) {
            let x = pos[from as usize][0];
            *cell = (floor(x * scale).max(0) as usize).min(last) as u32;
            starts[*cell as usize] += 1;
        }
        let mut sum = self.row_start[row];
        for start in starts {
            sum += std::mem::replace(start, sum);
        }
    }
}

/// Moves a grid row's columns; each cell's start becomes its end.
fn place(index: &[u32], cell: &[u32], first: u32, ends: &mut [u32], columns: &mut impl Gather) {
    for (&from, &cell) in index.iter().zip(cell) {
        let to = &mut ends[cell as usize];
        columns.gather((*to - first) as usize, from as usize);
        *to += 1;
    }
}

/// A fixed number of items for each band.
struct Strided<'a> {
    items: &'a mut [u32],
    stride: usize,
}

impl Split for Strided<'_> {
    fn split(self, _: usize, bands: usize) -> (Self, Self) {
        let (left, right) = self.items.split_at_mut(bands * self.stride);
        (Self { items: left, stride: self.stride }, Self { items: right, stride: self.stride })
    }
}

/// Every chunk's runs of agents by grid row.
struct Runs<'a> {
    order: &'a [u32],
    starts: &'a [u32],
    spans: &'a [Span],
    chunk: usize,
    stride: usize,
}

impl Runs<'_> {
    /// The first and the last chunk that hold agents of these grid rows.
    fn chunks_that_meet(&self, rows: &std::ops::Range<usize>) -> (usize, usize) {
        let meets =
            |span: &Span| (span.low as usize) < rows.end && span.high as usize >= rows.start;
        let low = self.spans.iter().position(meets).unwrap_or(0);
        let high = self.spans.iter().rposition(meets).unwrap_or(0);
        (low, high)
    }

    /// Writes the agents of a grid row in the order of the chunks.
    fn collect(&self, row: u32, low: usize, high: usize, index: &mut [u32]) {
        let mut filled = 0;
        for chunk in low..=high {
            let span = self.spans[chunk];
            if row < span.low || row > span.high {
                continue;
            }
            let at = chunk * self.stride + (row - span.low) as usize;
            let (start, end) = (self.starts[at] as usize, self.starts[at + 1] as usize);
            let run = &self.order[chunk * self.chunk..][start..end];
            index[filled..filled + run.len()].copy_from_slice(run);
            filled += run.len();
        }
    }
}
