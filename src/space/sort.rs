//! The parallel, stable counting sort that brings agents into grid order.
//!
//! Two levels: each chunk of agents sorts its own indices by grid row; then each band of grid rows
//! collects its runs in the order of the chunks, sorts them by cell and gathers the columns into
//! its own slice. Agents hardly move in a tick, so a chunk holds few grid rows, and a band meets
//! few chunks.

use crate::lane::{BLOCK, IntLane, Lane, Numbers};
use crate::math::each::Each;
use crate::par;
use crate::par::{PerBand, Ragged, Split};
use crate::space::grid::{Grid, Line};

/// Chunks at most: they depend on the number of agents alone.
const MAX_CHUNKS: usize = 64;

/// Strands of a chunk: its quarters are counted at once, so that a counter is not read right after
/// it was written.
const STRANDS: usize = 4;

/// Columns that the sort moves: old ones to read, and a part of the new ones to write.
pub trait Gather: Split {
    /// Writes old row `from` to new row `to` of this part.
    fn gather(&mut self, to: usize, from: usize);
}

/// The grid rows that a chunk meets, and where its runs begin in `Scratch::starts`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    low: u32,
    high: u32,
}

impl Span {
    /// Of a chunk without agents.
    pub(super) const NONE: Self = Self { low: 1, high: 0 };

    pub(super) fn rows(&self) -> std::ops::RangeInclusive<u32> {
        self.low..=self.high
    }
}

/// Memory of the sort, kept from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Grid row and key of every agent.
    pub(super) row: Vec<u16>,
    pub(super) key: Vec<u16>,
    /// Every chunk's agents, sorted by grid row.
    pub(super) order: Vec<u32>,
    /// For every chunk: where the runs of each grid row of its span begin, and the end. A grid row
    /// has a run for each strand.
    pub(super) starts: Vec<u32>,
    pub(super) spans: Vec<Span>,
    /// Where every chunk begins in `order`.
    pub(super) firsts: Vec<u32>,
    /// Old row and cell of the agents of a grid row.
    index: Vec<u32>,
    cell: Vec<u32>,
}

/// Agents of a chunk, of so many.
pub(super) fn chunk_of(agents: usize) -> usize {
    agents.div_ceil(MAX_CHUNKS).max(2_048)
}

impl<N: Numbers> Grid<N> {
    /// Sorts agents at these positions and moves their columns. Positions lie on the map.
    pub fn sort<G: Gather>(&mut self, pos: &[[N; 2]], columns: G) {
        let agents = pos.len();
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.fit(agents, agents.div_ceil(chunk_of(agents)), self.stride());
        self.sort_chunks(pos, 0, &mut scratch);
        self.count_rows(&scratch);
        self.sum_up();
        self.plan();
        self.sort_rows(0..self.band_end.len(), &mut scratch, columns);
        self.scratch = scratch;
    }

    /// Starts of a chunk.
    pub(super) fn stride(&self) -> usize {
        STRANDS * self.rows() + 2
    }

    /// Sorts the indices of the first agents by grid row, chunk by chunk; `skipped` chunks come before
    /// these.
    pub(super) fn sort_chunks(&self, pos: &[[N; 2]], skipped: usize, scratch: &mut Scratch) {
        let (stride, chunk, agents) = (self.stride(), chunk_of(pos.len()), pos.len());
        for (at, first) in (skipped..).zip((0..agents).step_by(chunk)) {
            scratch.firsts[at] = first as u32;
        }
        // Each chunk gets `stride` starts: a band of its own.
        let parts = (
            (&mut scratch.row[..agents], &mut scratch.key[..agents]),
            &mut scratch.order[..agents],
            PerBand(&mut scratch.spans[skipped..]),
            Strided { items: &mut scratch.starts[skipped * stride..], stride },
        );
        par::chunks(pos.len(), chunk, parts, &|_, first, ((row, key), order, span, starts)| {
            self.locate(&pos[first..first + row.len()], row, key);
            span.0[0] = sort_chunk(first as u32, row, order, starts.items);
        });
    }

    /// The grid row and the key of every agent.
    pub(super) fn locate(&self, pos: &[[N; 2]], rows: &mut [u16], keys: &mut [u16]) {
        let lanes = |v| <N::Wide as Lane>::splat(v);
        let scales = [self.key_scale, self.row_scale].each(lanes);
        let most = [self.keys, self.rows() as u32].each(|n| IntLane::splat(n as i32 - 1));
        let (blocks, rest) = pos.as_chunks::<BLOCK>();
        let whole = blocks.len() * BLOCK;
        let places = rows.chunks_exact_mut(BLOCK).zip(keys.chunks_exact_mut(BLOCK));
        for (pos, (rows, keys)) in blocks.iter().zip(places) {
            let (x, y) = <N::Wide as Lane>::load_pairs(pos);
            let zero = IntLane::splat(0);
            let key = (x * scales[0]).floor_int().limit(zero, most[0]);
            let row = (y * scales[1]).floor_int().limit(zero, most[1]);
            for i in 0..BLOCK {
                rows[i] = row.get(i) as u16;
                keys[i] = key.get(i) as u16;
            }
        }
        for (i, pos) in rest.iter().enumerate() {
            rows[whole + i] = self.row(pos[1]) as u16;
            keys[whole + i] = self.key(pos[0]) as u16;
        }
    }

    /// Counts the agents of each grid row, behind its start.
    pub(super) fn count_rows(&mut self, scratch: &Scratch) {
        let stride = self.stride();
        self.row_start.fill(0);
        for (chunk, span) in scratch.spans.iter().enumerate() {
            let starts = &scratch.starts[chunk * stride..];
            for row in span.low..=span.high {
                let i = STRANDS * (row - span.low) as usize;
                self.row_start[row as usize + 1] += starts[i + STRANDS] - starts[i];
            }
        }
    }

    /// Where each grid row begins, from its number of agents behind its start.
    pub(super) fn sum_up(&mut self) {
        for i in 1..self.row_start.len() {
            self.row_start[i] += self.row_start[i - 1];
        }
    }

    /// Sorts each grid row of some bands by cell and gathers its columns, which are those of the bands' rows.
    pub(super) fn sort_rows<G: Gather>(
        &mut self,
        bands: std::ops::Range<usize>,
        scratch: &mut Scratch,
        columns: G,
    ) {
        let mut cell_end = std::mem::take(&mut self.cell_end);
        let agents = self.rows_of(&bands).len();
        scratch.index.resize(agents, 0);
        scratch.cell.resize(agents, 0);
        let (grid, Scratch { index, cell, key, order, starts, spans, firsts, .. }) =
            (&*self, scratch);
        let runs = Runs { order, starts, spans, firsts, stride: grid.stride() };
        let first_cell = if bands.start == 0 { 0 } else { grid.band_cells[bands.start - 1] };
        let (ends, cells) = (&grid.band_cells[bands.start..], &mut cell_end[first_cell as usize..]);
        let ragged = Ragged::new(cells, ends, first_cell);
        let parts = (&mut index[..], &mut cell[..], ragged, columns);
        par::bands(
            &grid.band_end,
            bands,
            parts,
            &|band, first, (index, cell, ends, mut columns)| {
                let ends = ends.items();
                let rows = grid.band_rows(band);
                let first_cell = grid.lines[rows.start].first;
                let (low, high) = runs.chunks_that_meet(&rows);
                for row in rows {
                    let agents = grid.row_agents(row);
                    let line = &grid.lines[row];
                    let ends = &mut ends[(line.first - first_cell) as usize..];
                    if agents.is_empty() {
                        continue;
                    }
                    let (from, to) = (agents.start - first, agents.end - first);
                    let (index, cell) = (&mut index[from..to], &mut cell[from..to]);
                    runs.collect(row as u32, low, high, index);
                    let ends = &mut ends[..line.cells as usize + 1];
                    count(line, agents.start as u32, key, index, cell, ends);
                    place(index, cell, first as u32, &mut ends[1..], &mut columns);
                }
            },
        );
        self.cell_end = cell_end;
    }
}

impl Scratch {
    /// Makes room for so many agents and chunks, with so many starts for each chunk.
    pub(super) fn fit(&mut self, agents: usize, chunks: usize, stride: usize) {
        self.row.resize(agents, 0);
        self.key.resize(agents, 0);
        self.order.resize(agents, 0);
        self.firsts.resize(chunks, 0);
        self.spans.resize(chunks, Span::default());
        self.starts.resize(chunks * stride, 0);
    }
}

/// Sorts a chunk's indices by grid row; `starts` gets where each run begins.
pub(super) fn sort_chunk(first: u32, row: &[u16], order: &mut [u32], starts: &mut [u32]) -> Span {
    if row.is_empty() {
        return Span::NONE;
    }
    let low = row.iter().fold(u16::MAX, |low, &row| low.min(row));
    let high = row.iter().fold(0, |high, &row| high.max(row));
    let starts = &mut starts[..STRANDS * (high - low + 1) as usize + 2];
    starts.fill(0);
    let quarter = row.len() / STRANDS;
    let slot = |row: u16, strand: usize| STRANDS * usize::from(row - low) + strand;
    // The last agents, fewer than there are strands, go with the last strand.
    let rest = STRANDS * quarter..row.len();
    for i in 0..quarter {
        for strand in 0..STRANDS {
            starts[slot(row[strand * quarter + i], strand) + 2] += 1;
        }
    }
    for i in rest.clone() {
        starts[slot(row[i], STRANDS - 1) + 2] += 1;
    }
    let mut sum = 0;
    for start in &mut starts[1..] {
        sum += *start;
        *start = sum;
    }
    // Placing moves each start to its end, which is the next one's start.
    let mut put = |i: usize, strand: usize| {
        let start = &mut starts[slot(row[i], strand) + 1];
        order[*start as usize] = first + i as u32;
        *start += 1;
    };
    for i in 0..quarter {
        for strand in 0..STRANDS {
            put(strand * quarter + i, strand);
        }
    }
    for i in rest {
        put(i, STRANDS - 1);
    }
    Span { low: u32::from(low), high: u32::from(high) }
}

/// The cell of every agent of a grid row; `starts` gets the row's start and where each cell begins.
fn count<N>(
    line: &Line<N>,
    start: u32,
    key: &[u16],
    index: &[u32],
    cell: &mut [u32],
    starts: &mut [u32],
) {
    starts.fill(0);
    for (cell, &from) in cell.iter_mut().zip(index) {
        *cell = line.cell(u32::from(key[from as usize])) as u32;
        starts[*cell as usize + 1] += 1;
    }
    let mut sum = start;
    starts[0] = start;
    for start in &mut starts[1..] {
        sum += std::mem::replace(start, sum);
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
pub(super) struct Runs<'a> {
    order: &'a [u32],
    starts: &'a [u32],
    spans: &'a [Span],
    firsts: &'a [u32],
    stride: usize,
}

impl<'a> Runs<'a> {
    pub(super) fn of(scratch: &'a Scratch, stride: usize) -> Self {
        let Scratch { order, starts, spans, firsts, .. } = scratch;
        Self { order, starts, spans, firsts, stride }
    }

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
            let run = self.run(chunk, row);
            index[filled..filled + run.len()].copy_from_slice(run);
            filled += run.len();
        }
    }

    /// The agents of a chunk in a grid row.
    pub(super) fn run(&self, chunk: usize, row: u32) -> &[u32] {
        let span = self.spans[chunk];
        if row < span.low || row > span.high {
            return &[];
        }
        let at = chunk * self.stride + STRANDS * (row - span.low) as usize;
        let (start, end) = (self.starts[at] as usize, self.starts[at + STRANDS] as usize);
        &self.order[self.firsts[chunk] as usize..][start..end]
    }
}
