//! Maps that are laid out in hexagons, in rows of which rows 1, 3, 5 … lie half a hexagon to the right of
//! the others ("odd-r").
//!
//! Lengths are in widths of a hexagon, which is how far the middles of neighbours are apart; rows are
//! √3/2 of that apart. The geometry is that of Amit Patel, "Hexagonal Grids" (Red Blob Games, 2013).

use crate::map::{Legend, Map, MapError, limits};
use crate::math::each::Each;

/// From one row to the next.
const PITCH: f64 = 0.866_025_403_784_438_6;
/// From the middle of a hexagon to its upper corner.
const CORNER: f64 = 0.577_350_269_189_625_8;

/// The middle of the hexagon of a column and a row.
pub fn middle(cell: [u32; 2]) -> [f64; 2] {
    let [column, row] = cell;
    let shift = f64::from(row % 2) / 2.0;
    [f64::from(column) + 0.5 + shift, f64::from(row) * PITCH + CORNER]
}

/// Width and height of so many columns and rows.
pub fn extent(sides: [u32; 2]) -> [f64; 2] {
    let [columns, rows] = sides;
    let shift = if rows > 1 { 0.5 } else { 0.0 };
    [f64::from(columns) + shift, (f64::from(rows) - 1.0) * PITCH + 2.0 * CORNER]
}

/// The hexagon, of so many columns and rows, that a point is in: the one whose middle is nearest, if it
/// reaches as far; with how far the point is from its nearest side.
pub fn at(sides: [u32; 2], point: [f64; 2]) -> Option<([u32; 2], f64)> {
    let [columns, rows] = sides;
    let row = ((point[1] - CORNER) / PITCH).round() as i64;
    let mut best: Option<([u32; 2], f64)> = None;
    for row in row - 1..=row + 1 {
        let shift = (row.rem_euclid(2)) as f64 / 2.0;
        let column = (point[0] - 0.5 - shift).round() as i64;
        let is_on =
            (0..i64::from(columns)).contains(&column) && (0..i64::from(rows)).contains(&row);
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
    let [x, y] = [0, 1].each(|axis| (point[axis] - middle[axis]).abs());
    x.max(0.5 * x + PITCH * y)
}

impl Map {
    /// The map of square cells that hexagons make: the cells of this map are hexagons of a width in metres,
    /// and every cell of the new one, `cell_size` metres wide, is like the hexagon that its middle is in.
    /// Cells outside of the hexagons are walls; `legend` is that of this map's letters. Heights are not
    /// kept.
    ///
    /// # Errors
    /// [`MapError::Size`], [`MapError::TooManyCells`], [`MapError::CellSize`],
    /// [`MapError::DistanceBound`].
    pub fn of_hexagons(
        &self,
        width: f64,
        cell_size: f64,
        legend: &Legend,
    ) -> Result<Self, MapError> {
        let sides = [self.width, self.height];
        let [columns, rows] =
            extent(sides).each(|length| (length * width / cell_size - 1e-9).ceil().max(1.0) as u64);
        let (columns, rows) = limits::sides(columns, rows)?;
        limits::check_size(columns, rows, cell_size)?;
        let wall = legend.clone().letter_for(0).unwrap_or(b'@');
        let mut letters = Vec::with_capacity(columns as usize * rows as usize);
        for y in 0..rows {
            for x in 0..columns {
                let point = [x, y].each(|part| (f64::from(part) + 0.5) * cell_size / width);
                let hexagon = at(sides, point).map(|([x, y], _)| y * self.width + x);
                letters.push(hexagon.map_or(wall, |index| self.letters[index as usize]));
            }
        }
        let slowness: Vec<u8> =
            letters.iter().map(|&letter| legend.get(letter).unwrap_or(0)).collect();
        Self::build(columns, rows, cell_size, letters, &slowness)
    }
}

#[cfg(test)]
mod tests {
    use super::{at, extent, middle};
    use crate::map::{Legend, Map};

    /// Every point belongs to the hexagon whose middle is nearest, and none beyond the last ones.
    #[test]
    fn a_point_is_in_the_hexagon_of_the_nearest_middle() {
        let sides = [7, 5];
        let [wide, high] = extent(sides);
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
                match at(sides, point) {
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

    /// Squares have the letters of the hexagon around their middles, each hexagon as much ground as any, and
    /// what is outside of all is wall.
    #[test]
    fn hexagons_are_drawn_on_squares() {
        let legend = Legend::default();
        let map = Map::from_rows(&["S.G", "@S.", ".G@"], &legend, 1.0).unwrap();
        let drawn = map.of_hexagons(4.0, 0.25, &legend).unwrap();
        assert_eq!([drawn.width(), drawn.height()], [56, 47], "14 m by 11.55 m");
        let mut areas = [0_u32; 9];
        for (i, &letter) in drawn.letters().iter().enumerate() {
            let [x, y] = [i as u32 % 56, i as u32 / 56];
            let point = [x, y].map(|part| (f64::from(part) + 0.5) / 16.0);
            match at([3, 3], point) {
                Some(([x, y], _)) => {
                    assert_eq!(letter, map.letters()[(3 * y + x) as usize], "{point:?}");
                    areas[(3 * y + x) as usize] += 1;
                }
                None => assert_eq!(letter, b'@', "{point:?}"),
            }
        }
        // √3/2 · 4² m², in cells of 1/16 m².
        assert!(areas.iter().all(|&area| area.abs_diff(222) <= 6), "{areas:?}");
        let wide = map.of_hexagons(8_000.0, 0.25, &legend).unwrap_err().to_string();
        assert!(wide.contains("16384") || wide.contains("16,384"), "{wide}");
    }
}
