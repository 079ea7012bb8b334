//! Maps whose cells are hexagons in rows: rows 1, 3, 5 … lie half a hexagon to the right of the others.
//!
//! Lengths are in widths of a hexagon, which is how far the middles of neighbours are apart; rows are
//! √3/2 of that apart.

use throng::graph::grid::{Neighbours, StepCosts};
use throng::graph::{Graph, Grid, Search};
use throng::map::{Clearance, Map};

/// From one row to the next.
const PITCH: f64 = 0.866_025_403_784_438_6;
/// From the middle of a hexagon to its upper corner.
const CORNER: f64 = 0.577_350_269_189_625_8;

/// The middle of a hexagon.
pub(crate) fn middle([column, row]: [u32; 2]) -> [f64; 2] {
    let shift = f64::from(row % 2) / 2.0;
    [f64::from(column) + 0.5 + shift, f64::from(row) * PITCH + CORNER]
}

/// Width and height of so many columns and rows.
pub(crate) fn extent(map: &Map) -> [f64; 2] {
    let shift = if map.height() > 1 { 0.5 } else { 0.0 };
    [f64::from(map.width()) + shift, (f64::from(map.height()) - 1.0) * PITCH + 2.0 * CORNER]
}

/// The hexagon that a point is in: the one whose middle is nearest, if it reaches as far; with how far
/// the point is from its nearest side.
pub(crate) fn at(map: &Map, point: [f64; 2]) -> Option<([u32; 2], f64)> {
    let row = ((point[1] - CORNER) / PITCH).round() as i64;
    let mut best: Option<([u32; 2], f64)> = None;
    for row in row - 1..=row + 1 {
        let shift = (row.rem_euclid(2)) as f64 / 2.0;
        let column = (point[0] - 0.5 - shift).round() as i64;
        let is_on = (0..i64::from(map.width())).contains(&column)
            && (0..i64::from(map.height())).contains(&row);
        if !is_on {
            continue;
        }
        let cell = [column as u32, row as u32];
        let left = 0.5 - reach(point, middle(cell));
        if left >= 0.0 && best.is_none_or(|(_, other)| left > other) {
            best = Some((cell, left));
        }
    }
    best
}

/// How far a point is from the middle of a hexagon, across its sides: half a width at a side.
fn reach(point: [f64; 2], middle: [f64; 2]) -> f64 {
    let [x, y] = [0, 1].map(|axis| (point[axis] - middle[axis]).abs());
    x.max(0.5 * x + PITCH * y)
}

/// The graph of a map of hexagons.
pub(crate) fn grid(class: &Clearance) -> Grid {
    Grid::with(class, Neighbours::Hex, StepCosts::FINE)
}

/// The fewest steps from one hexagon to another (padded indices), whatever the ground costs.
pub(crate) fn fewest_steps(grid: &Grid, from: u32, to: u32) -> Option<u32> {
    Search::default()
        .find(&Alike(grid), &[(from, 0)], |cell| cell == to, |_| 0)
        .map(|found| found.cost)
}

/// A grid on which every step costs the same.
struct Alike<'a>(&'a Grid);

impl Graph for Alike<'_> {
    fn node_count(&self) -> u32 {
        self.0.node_count()
    }

    fn each_edge(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        self.0.each_edge(node, |to, _| visit(to, 1));
    }
}

#[cfg(test)]
mod tests {
    use super::{at, extent, middle};
    use throng::map::Map;

    /// Every point belongs to the hexagon whose middle is nearest, and none beyond the last ones.
    #[test]
    fn a_point_is_in_the_hexagon_of_the_nearest_middle() {
        let map = Map::from_slowness(7, 5, 1.0, &[16; 35]);
        let [wide, high] = extent(&map);
        let cells: Vec<[u32; 2]> = (0..5).flat_map(|y| (0..7).map(move |x| [x, y])).collect();
        let (mut inside, mut outside) = (0, 0);
        for i in 0..200 {
            for j in 0..200 {
                let point =
                    [(f64::from(i) + 0.3) / 200.0 * wide, (f64::from(j) + 0.3) / 200.0 * high];
                let far = |cell: &[u32; 2]| {
                    let [x, y] = middle(*cell);
                    ((x - point[0]) * (x - point[0]) + (y - point[1]) * (y - point[1])).sqrt()
                };
                let nearest = cells.iter().min_by(|a, b| far(a).total_cmp(&far(b))).unwrap();
                match at(&map, point) {
                    Some((cell, _)) => {
                        assert_eq!(cell, *nearest, "{point:?}");
                        inside += 1;
                    }
                    None => {
                        assert!(far(nearest) > 0.5, "{point:?}");
                        outside += 1;
                    }
                }
            }
        }
        assert!(inside > 30_000 && outside > 500, "{inside}, {outside}");
    }

    #[test]
    fn neighbours_are_a_width_apart() {
        for (cell, others) in [
            ([3, 2], [[2, 2], [4, 2], [2, 1], [3, 1], [2, 3], [3, 3]]),
            ([3, 1], [[2, 1], [4, 1], [3, 0], [4, 0], [3, 2], [4, 2]]),
        ] {
            for other in others {
                let [a, b] = [cell, other].map(middle);
                let [x, y] = [a[0] - b[0], a[1] - b[1]];
                assert!(((x * x + y * y).sqrt() - 1.0).abs() < 1e-12, "{other:?}");
            }
        }
    }
}
