//! The sort of agents of which several processes have a part each.
//!
//! The parts one after another are all agents in the old order, and so they are in the new one, cut at
//! grid rows. A process counts its agents by grid row; from the counts of all it knows where every grid
//! row begins, and which of its agents belong to another part now. What it gets from the parts before its
//! own comes before its own agents in the old order, and what it gets from the parts behind comes behind
//! them: so each grid row is sorted as in the whole.

use crate::lane::Numbers;
use crate::math::each::Each;
use crate::space::grid::{Grid, Query};
use crate::space::sort::{Gather, Runs, Span, chunk_of, sort_chunk};
use std::ops::Range;

impl<N: Numbers> Grid<N> {
    /// Begins to sort the own agents at these positions, and gives their number in every grid row.
    pub fn begin_part(&mut self, pos: &[[N; 2]]) -> &[u32] {
        let mut scratch = std::mem::take(&mut self.scratch);
        // A chunk before them and one behind for agents that come.
        let chunks = pos.len().div_ceil(chunk_of(pos.len())) + 2;
        scratch.fit(pos.len(), chunks, self.stride());
        self.sort_chunks(pos, 1, &mut scratch);
        (scratch.spans[0], scratch.spans[chunks - 1]) = (Span::NONE, Span::NONE);
        self.count_rows(&scratch);
        self.scratch = scratch;
        &self.row_start[1..]
    }

    /// Sets the numbers of agents of all parts, by grid row: `add` adds them to zeros.
    pub fn plan_parts(&mut self, add: impl FnOnce(&mut [u32])) {
        self.row_start.fill(0);
        add(&mut self.row_start[1..]);
        self.sum_up();
        self.plan();
    }

    /// Shows the own agents in grid rows of other parts: the grid row, and the agent's place among the
    /// own ones. Those of a grid row come in the old order.
    pub fn leavers(&self, own: &Range<usize>, mut show: impl FnMut(usize, usize)) {
        let runs = Runs::of(&self.scratch, self.stride());
        for (chunk, span) in self.scratch.spans.iter().enumerate() {
            for row in span.rows().filter(|row| !own.contains(&(*row as usize))) {
                runs.run(chunk, row).iter().for_each(|&agent| show(row as usize, agent as usize));
            }
        }
    }

    /// Sorts the agents of the own bands: the own ones, and the ones that come from parts before and
    /// behind. In `columns` the old rows are the own ones, then those from before, then those from behind.
    pub fn end_part<G: Gather>(
        &mut self,
        bands: Range<usize>,
        [before, behind]: [&[[N; 2]]; 2],
        columns: G,
    ) {
        let (mut scratch, stride) = (std::mem::take(&mut self.scratch), self.stride());
        let (own, chunks) = (scratch.row.len(), scratch.spans.len());
        scratch.fit(own + before.len() + behind.len(), chunks, stride);
        let mut first = own;
        for (chunk, pos) in [(0, before), (chunks - 1, behind)] {
            let rows = first..first + pos.len();
            let (row, key) = (&mut scratch.row[rows.clone()], &mut scratch.key[rows.clone()]);
            self.locate(pos, row, key);
            let (order, starts) =
                (&mut scratch.order[rows.clone()], &mut scratch.starts[chunk * stride..]);
            scratch.spans[chunk] = sort_chunk(first as u32, row, order, starts);
            scratch.firsts[chunk] = first as u32;
            first = rows.end;
        }
        self.sort_rows(bands, &mut scratch, columns);
        self.scratch = scratch;
    }

    /// Finds the cells of grid rows whose agents another process has sorted.
    pub fn find_cells(&mut self, rows: Range<usize>, pos: &[[N; 2]]) {
        for row in rows {
            let (agents, line) = (self.row_agents(row), self.lines[row]);
            if agents.is_empty() {
                continue;
            }
            let first = line.first as usize;
            let cells = first..first + line.cells as usize + 1;
            self.cell_end[cells.clone()].fill(0);
            for pos in &pos[agents.clone()] {
                let cell = line.cell(self.key(pos[0]));
                self.cell_end[first + cell + 1] += 1;
            }
            let mut sum = agents.start as u32;
            for end in &mut self.cell_end[cells] {
                sum += *end;
                *end = sum;
            }
        }
    }

    /// Where in the table of cells lies what [`Grid::ranges`] reads for a rectangle.
    pub fn entries(&self, query: Query<N>) -> impl Iterator<Item = usize> {
        let keys = [self.key(query.min[0]), self.key(query.max[0])];
        let rows = self.row(query.min[1])..self.row(query.max[1]) + 1;
        self.lines[rows].iter().filter(|line| line.cells > 0).flat_map(move |line| {
            let [low, high] = keys.each(|key| line.first as usize + line.cell(key));
            [low, high + 1]
        })
    }

    /// An entry of the table of cells.
    pub fn entry(&mut self, at: usize) -> &mut u32 {
        &mut self.cell_end[at]
    }
}
