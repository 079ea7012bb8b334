//! Lower bounds on what is left to a goal.

use crate::graph::grid::{Grid, Neighbours, StepCosts};

/// A bound on the cost of a way by how far apart two cells are. Ground counts as the least slow of
/// the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Heuristic {
    /// Nothing is known: A* becomes Dijkstra's search.
    Zero,
    /// Columns and rows apart. A lower bound with four neighbours only: with eight it is up to
    /// √2 too much, and what A* finds need not be the cheapest.
    Manhattan,
    /// The straight line. For hexagons it is that between the middles of cells whose neighbours'
    /// middles are 1 apart.
    Euclid,
    /// The cost on an empty grid: octile with eight neighbours, Manhattan with four, and the number
    /// of steps on hexagons. The greatest bound of these.
    #[default]
    Octile,
}

impl Grid {
    /// The estimate of what is left to a goal, for [`Search::find`](crate::graph::Search::find).
    /// All are lower bounds and consistent, except Manhattan's on eight neighbours or hexagons.
    pub fn estimate(&self, heuristic: Heuristic, goal: u32) -> impl Fn(u32) -> u32 + use<> {
        let stride = self.stride;
        let costs = self.least_costs();
        let StepCosts { straight, diagonal } = costs;
        let kind = self.neighbours;
        // The cheapest costs a cell's width, squared.
        let wide = u64::from(straight) * u64::from(straight);
        let width = match kind {
            Neighbours::Eight => wide.min(u64::from(diagonal) * u64::from(diagonal) / 2),
            _ => wide,
        };
        let rows = Rows::new(stride);
        let (x, y) = rows.place(goal);
        move |node| {
            let (column, row) = rows.place(node);
            let (across, down) = (column.abs_diff(x), row.abs_diff(y));
            match heuristic {
                Heuristic::Zero => 0,
                Heuristic::Manhattan => straight * (across + down),
                Heuristic::Euclid if kind == Neighbours::Hex => {
                    // In half cells; a row is √3/2 cells high.
                    let halves = |column: u32, row: u32| 2 * column + (row + 1) % 2;
                    let across = u64::from(halves(column, row).abs_diff(halves(x, y)));
                    let down = u64::from(down);
                    (((across * across + 3 * down * down) * width) / 4).isqrt() as u32
                }
                Heuristic::Euclid => {
                    let (across, down) = (u64::from(across), u64::from(down));
                    ((across * across + down * down) * width).isqrt() as u32
                }
                Heuristic::Octile => match kind {
                    Neighbours::Four => straight * (across + down),
                    Neighbours::Eight => costs.octile(across, down),
                    Neighbours::Hex => {
                        // Axial columns: rows 0, 2, 4 … are padded rows 1, 3, 5 ….
                        let axial = |column: u32, row: u32| column as i32 - row.div_ceil(2) as i32;
                        let across = axial(column, row) - axial(x, y);
                        let along = row as i32 - y as i32;
                        let steps = across.abs().max(along.abs()).max((across + along).abs());
                        straight * steps as u32
                    }
                },
            }
        }
    }
}

/// Tells columns and rows without a division.
#[derive(Clone, Copy)]
struct Rows {
    stride: u32,
    /// 2^[`BITS`] / stride, rounded up. Of a raster of at most 16,386 columns and rows the quotients are
    /// exact, as what is added is less than a stride-th for every cell.
    factor: u64,
}

const BITS: u32 = 43;

impl Rows {
    fn new(stride: u32) -> Self {
        Self { stride, factor: (1_u64 << BITS).div_ceil(u64::from(stride)) }
    }

    /// Column and row of a cell.
    #[inline(always)]
    fn place(self, cell: u32) -> (u32, u32) {
        let row = ((u64::from(cell) * self.factor) >> BITS) as u32;
        (cell - row * self.stride, row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_rows_are_those_of_a_division() {
        for stride in 3..=16_386 {
            let rows = Rows::new(stride);
            for row in (1..=16_386).step_by(97).chain([2, 3, 16_385, 16_386]) {
                let first = row * stride;
                assert_eq!(rows.place(first), (0, row), "{stride}");
                assert_eq!(rows.place(first - 1), (stride - 1, row - 1), "{stride}");
            }
        }
    }
}
