//! Finds the agents that may have another one near them: cheaply, where few have.

use std::ops::Range;

use crate::map::Map;
use crate::math::each::Each;
use crate::par;
use crate::report::Crowd;

/// Rows that are looked at together.
const CHUNK: usize = 4_096;

/// Bits of a plane for an agent, at most.
const BITS: usize = 128;

/// Bits along a side of a plane, at least and at most.
const SIDES: [usize; 2] = [64, 1 << 16];

/// A plane of square cells, half a reach wide, with a bit for every cell in which an agent is.
///
/// Another agent within reach is in the same cell or less than three cells away, so five bits of five
/// rows tell. The plane wraps around at its sides and takes no more memory on a large map; agents
/// that are a whole plane apart then seem to be near, which costs time alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sieve {
    /// Row by row, 8 cells a byte.
    taken: Vec<u8>,
    /// By agent: column and row of its cell.
    cells: Vec<[u16; 2]>,
}

impl Sieve {
    /// Rows of agents, ascending: all that have another one nearer than `reach` metres, and a few
    /// that have none. Positions that are not finite are anywhere.
    pub(crate) fn rows(&mut self, crowd: &Crowd, map: &Map, reach: f32) -> Vec<u32> {
        // A little more, as products are rounded.
        let side = f64::from(reach) * 0.500_001;
        if side <= 0.0 {
            return Vec::new();
        }
        let bits = |cells: u32| {
            let wanted = (f64::from(cells) * map.cell_size() / side) as usize;
            wanted.clamp(SIDES[0], SIDES[1]).next_power_of_two()
        };
        let [mut columns, mut rows] = [map.width(), map.height()].each(bits);
        while columns * rows > (crowd.len() * BITS).max(SIDES[0] * SIDES[0]) {
            *(if columns > rows { &mut columns } else { &mut rows }) /= 2;
        }
        self.mark(crowd, 1.0 / side, [columns, rows]);
        let is_near = |&row: &u32| self.has_near(self.cells[row as usize], columns, rows);
        let near = |agents: Range<usize>| (agents.start as u32..agents.end as u32).filter(is_near);
        par::runs(self.cells.len(), CHUNK, |agents| near(agents).collect::<Vec<_>>()).concat()
    }

    /// Sets the bits of the cells of all agents.
    fn mark(&mut self, crowd: &Crowd, scale: f64, [columns, rows]: [usize; 2]) {
        // Rounds towards 0: agents on either side of it share a cell, and none are farther apart.
        let wrap =
            |at: f32, cells: usize| ((f64::from(at) * scale) as i64 as usize & (cells - 1)) as u16;
        par::fill(&mut self.cells, crowd.len(), CHUNK, |row| {
            let [x, y] = crowd.positions[row];
            [wrap(x, columns), wrap(y, rows)]
        });
        self.taken.clear();
        self.taken.resize(columns * rows / 8, 0);
        for &[column, row] in &self.cells {
            let cell = usize::from(row) * columns + usize::from(column);
            let (byte, bit) = (&mut self.taken[cell / 8], 1_u8 << (cell % 8));
            // A second one in a cell takes the cell beside it, so that both see another.
            *byte |= if *byte & bit == 0 { bit } else { 1 << ((cell % 8) ^ 1) };
        }
    }

    /// Whether an agent other than the one of this cell is in it or less than three cells away.
    #[inline]
    fn has_near(&self, cell: [u16; 2], columns: usize, rows: usize) -> bool {
        let [column, row] = cell.each(usize::from);
        // An agent at a side of the plane may have another one at the other side.
        if column < 2 || column + 8 >= columns {
            return true;
        }
        let around = |off: usize| {
            let row = (row + off + rows - 2) & (rows - 1);
            let (byte, bit) = ((row * columns + column - 2) / 8, (column - 2) % 8);
            (u16::from_le_bytes([self.taken[byte], self.taken[byte + 1]]) >> bit) & 0b11111
        };
        around(0) | around(1) | around(3) | around(4) | (around(2) & 0b11011) != 0
    }
}
