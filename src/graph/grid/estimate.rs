//! Lower bounds on what is left to a goal.

use crate::graph::grid::{Grid, Neighbours, StepCosts};
use crate::math::each::Each;

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
        let costs = self.least_costs();
        let straight = costs.straight;
        let kind = self.neighbours;
        // What is counted in straight steps and octile are sums of the longer and the shorter side.
        let by_steps = StepCosts { straight, diagonal: 2 * straight };
        let sides = match (heuristic, kind) {
            (Heuristic::Zero, _) => Some(StepCosts { straight: 0, diagonal: 0 }),
            (Heuristic::Manhattan, _) | (Heuristic::Octile, Neighbours::Four) => Some(by_steps),
            (Heuristic::Octile, Neighbours::Eight) => Some(costs),
            (Heuristic::Octile, Neighbours::Hex) | (Heuristic::Euclid, _) => None,
        };
        let rows = Rows::new(self.stride);
        let goal = rows.place(goal);
        move |node| {
            let place = rows.place(node);
            match sides {
                Some(costs) => costs.octile(place.0.abs_diff(goal.0), place.1.abs_diff(goal.1)),
                None if heuristic == Heuristic::Euclid => straight_line(kind, costs, place, goal),
                None => straight * hex_steps(place, goal),
            }
        }
    }
}

/// The least that a straight line between two places costs.
fn straight_line(kind: Neighbours, costs: StepCosts, place: (u32, u32), goal: (u32, u32)) -> u32 {
    let [straight, diagonal] = [costs.straight, costs.diagonal].each(u64::from);
    // The cheapest costs a cell's width, squared.
    let wide = straight * straight;
    let down = u64::from(place.1.abs_diff(goal.1));
    if kind == Neighbours::Hex {
        // In half cells; a row is √3/2 cells high.
        let halves = |(column, row): (u32, u32)| 2 * column + (row + 1) % 2;
        let across = u64::from(halves(place).abs_diff(halves(goal)));
        return (((across * across + 3 * down * down) * wide) / 4).isqrt() as u32;
    }
    let across = u64::from(place.0.abs_diff(goal.0));
    let width = if kind == Neighbours::Eight { wide.min(diagonal * diagonal / 2) } else { wide };
    ((across * across + down * down) * width).isqrt() as u32
}

/// Steps between two hexagons.
fn hex_steps(place: (u32, u32), goal: (u32, u32)) -> u32 {
    // Axial columns: rows 0, 2, 4 … are padded rows 1, 3, 5 ….
    let axial = |(column, row): (u32, u32)| column as i32 - row.div_ceil(2) as i32;
    let across = axial(place) - axial(goal);
    let along = place.1 as i32 - goal.1 as i32;
    across.abs().max(along.abs()).max((across + along).abs()) as u32
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
