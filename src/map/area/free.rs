//! How much of an area, or of a line, is not wall.

use crate::map::Map;
use crate::map::area::{Bounds, Shape};
use crate::math::each::Each;

/// Lines that a row of cells is cut into where a shape has a slant or a bow.
const LINES: u32 = 8;

/// The open ground of an area in m²: what at least one of its shapes covers, without walls and what
/// is off the map. Points have none.
///
/// Exact for rectangles; the outline of discs and polygons is integrated by the midpoint rule on 8
/// lines to a cell.
pub fn free_area(map: &Map, shapes: &[Shape]) -> f64 {
    let mut sum = 0.0;
    each_strip(map, shapes, |_, height, runs| {
        sum += height * runs.iter().map(|[from, to]| to - from).sum::<f64>();
    });
    sum
}

/// The same ground as rectangles that do not overlap: smallest x, y, largest x, y in m, from the top
/// down.
pub fn free_rects(map: &Map, shapes: &[Shape]) -> Vec<[f64; 4]> {
    let (mut rects, mut above): (Vec<[f64; 4]>, Vec<usize>) = (Vec::new(), Vec::new());
    each_strip(map, shapes, |top, height, runs| {
        let now = runs.iter().map(|&[from, to]| {
            let goes_on = |&&at: &&usize| {
                let [x0, _, x1, bottom] = rects[at];
                [x0, x1, bottom] == [from, to, top]
            };
            if let Some(&at) = above.iter().find(goes_on) {
                rects[at][3] = top + height;
                return at;
            }
            rects.push([from, top, to, top + height]);
            rects.len() - 1
        });
        above = now.collect();
    });
    rects
}

/// Calls `visit` with the strips that an area is made of, from the top down: the top and the height of
/// a strip, and the x ranges that are open.
fn each_strip(map: &Map, shapes: &[Shape], mut visit: impl FnMut(f64, f64, &[[f64; 2]])) {
    let Some(bounds) = Bounds::of(shapes).map(|bounds| bounds.on(map)) else { return };
    let size = map.cell_size();
    let first = (bounds.min[1] / size).floor() as u32;
    let end = ((bounds.max[1] / size).ceil() as u32).min(map.height());
    let (mut cuts, mut spans, mut runs) = (Vec::new(), Vec::new(), Vec::new());
    for row in first..end {
        let (top, bottom) = (f64::from(row) * size, f64::from(row + 1) * size);
        cuts.clear();
        cuts.extend([top, bottom]);
        for shape in shapes {
            let Bounds { min, max } = shape.bounds();
            cuts.extend([min[1], max[1]].into_iter().filter(|y| top < *y && *y < bottom));
        }
        cuts.sort_unstable_by(f64::total_cmp);
        for pair in cuts.windows(2) {
            let slanted = shapes.iter().any(|shape| {
                let Bounds { min, max } = shape.bounds();
                !matches!(shape, Shape::Rect { .. }) && min[1] < pair[1] && max[1] > pair[0]
            });
            let lines = if slanted { LINES } else { 1 };
            let step = (pair[1] - pair[0]) / f64::from(lines);
            for line in 0..lines {
                spans.clear();
                let above = pair[0] + f64::from(line) * step;
                let y = pair[0] + (f64::from(line) + 0.5) * step;
                shapes.iter().for_each(|shape| shape.spans(y, &mut spans));
                open_in_row(map, row, &mut spans, &mut runs);
                visit(above, step, &runs);
            }
        }
    }
}

/// The open parts of some x ranges in a row of cells, from left to right.
fn open_in_row(map: &Map, row: u32, spans: &mut [[f64; 2]], runs: &mut Vec<[f64; 2]>) {
    runs.clear();
    spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (size, width) = (map.cell_size(), f64::from(map.width()));
    let mut done = 0.0_f64;
    for &[from, to] in spans.iter() {
        let (from, to) = (from.max(done), to.min(width * size));
        if from >= to {
            continue;
        }
        done = to;
        for column in (from / size).floor() as u32..((to / size).ceil() as u32).min(map.width()) {
            if map.slowness()[map.index(column, row) as usize] > 0 {
                let left = (f64::from(column) * size).max(from);
                let right = ((f64::from(column) + 1.0) * size).min(to);
                match runs.last_mut() {
                    Some(run) if run[1] >= left => run[1] = right,
                    _ => runs.push([left, right]),
                }
            }
        }
    }
}

/// The length in metres of the part of a line that is not wall and not off the map. Along the edge
/// between two cells both must be open.
pub fn open_length(map: &Map, from: [f64; 2], to: [f64; 2]) -> f64 {
    let way = [to[0] - from[0], to[1] - from[1]];
    let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
    if length.is_nan() || length <= 0.0 {
        return 0.0;
    }
    let mut cuts = vec![0.0, 1.0];
    for axis in [0, 1] {
        let ends = [from[axis], to[axis]].each(|at| at / map.cell_size());
        let (low, high) = (ends[0].min(ends[1]).ceil() as i64, ends[0].max(ends[1]).floor() as i64);
        let edge = |edge: i64| (edge as f64 - ends[0]) / (ends[1] - ends[0]);
        cuts.extend((low..=high).map(edge).filter(|share| 0.0 < *share && *share < 1.0));
    }
    cuts.sort_unstable_by(f64::total_cmp);
    // A millionth of a cell to both sides.
    let beside = [-way[1], way[0]].each(|part| part / length * map.cell_size() * 1e-6);
    let open =
        |x: f64, y: f64| map.cell_at(x, y).is_some_and(|cell| map.slowness()[cell as usize] > 0);
    let pieces = cuts.windows(2).filter(|pair| {
        let middle = (pair[0] + pair[1]) * 0.5;
        let [x, y] = [0, 1].each(|axis| from[axis] + way[axis] * middle);
        open(x + beside[0], y + beside[1]) && open(x - beside[0], y - beside[1])
    });
    pieces.map(|pair| (pair[1] - pair[0]) * length).sum()
}

#[cfg(test)]
mod tests {
    use super::{free_area, free_rects, open_length};
    use crate::map::Map;
    use crate::map::area::Shape;

    /// 6 × 4 cells of 2 m, with a block of 2 × 1 cells of wall from x = 4 to 8 and y = 2 to 4.
    fn map() -> Map {
        let solid = |i: usize| i / 6 == 1 && (2..4).contains(&(i % 6));
        let cells: Vec<u8> = (0..24).map(|i| if solid(i) { 0 } else { 16 }).collect();
        Map::from_slowness(6, 4, 2.0, &cells)
    }

    fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Shape {
        Shape::Rect { min: [x0, y0], max: [x1, y1] }
    }

    #[test]
    fn rectangles_are_exact_without_walls_and_overlaps() {
        let map = map();
        let near = |shapes: &[Shape], area: f64| {
            let found = free_area(&map, shapes);
            assert!((found - area).abs() < 1e-9, "{found} is not {area}");
        };
        near(&[rect(0.0, 0.0, 12.0, 8.0)], 96.0 - 8.0);
        near(&[rect(3.3, 1.3, 5.1, 3.1)], 1.8 * 1.8 - 1.1 * 1.1);
        near(&[rect(0.5, 4.5, 3.0, 6.0), rect(2.0, 5.0, 4.0, 7.5)], 3.75 + 5.0 - 1.0);
        near(&[rect(4.0, 2.0, 8.0, 4.0)], 0.0);
        near(&[Shape::Point { at: [1.0, 1.0] }], 0.0);
        near(&[], 0.0);
        near(&[rect(10.0, 6.0, 20.0, 20.0)], 4.0);
    }

    #[test]
    fn rectangles_of_the_ground_do_not_overlap_and_cover_it() {
        let map = map();
        let shapes = [
            rect(0.5, 1.5, 11.0, 7.0),
            Shape::Disc { centre: [3.0, 6.0], radius: 1.7 },
            Shape::Polygon { corners: vec![[0.0, 4.0], [11.0, 4.0], [11.0, 7.5]] },
        ];
        let rects = free_rects(&map, &shapes);
        let area: f64 = rects.iter().map(|[x0, y0, x1, y1]| (x1 - x0) * (y1 - y0)).sum();
        assert!((area - free_area(&map, &shapes)).abs() < 1e-9);
        for (i, a) in rects.iter().enumerate() {
            let apart = |b: &[f64; 4]| {
                [0, 1].iter().any(|&k| a[k + 2] <= b[k] + 1e-12 || b[k + 2] <= a[k] + 1e-12)
            };
            assert!(rects[i + 1..].iter().all(apart), "{a:?} overlaps another");
        }
        // Above, left and right of, and below the wall.
        assert_eq!(free_rects(&map, &shapes[..1]).len(), 4);
    }

    #[test]
    fn round_and_slanted_outlines_are_near() {
        let map = map();
        let disc = Shape::Disc { centre: [3.0, 6.0], radius: 1.7 };
        let share = free_area(&map, &[disc]) / (std::f64::consts::PI * 1.7 * 1.7);
        assert!((share - 1.0).abs() < 0.005, "{share}");
        let corners = vec![[0.0, 4.0], [11.0, 4.0], [11.0, 7.0]];
        let triangle = free_area(&map, &[Shape::Polygon { corners }]);
        assert!((triangle - 16.5).abs() < 0.01, "{triangle}");
    }

    #[test]
    fn lines_are_open_between_walls() {
        let map = map();
        let near = |from, to, length: f64| {
            let found = open_length(&map, from, to);
            assert!((found - length).abs() < 1e-9, "{found} is not {length}");
        };
        near([6.0, 0.0], [6.0, 8.0], 6.0);
        near([5.0, 8.0], [5.0, 0.5], 5.5);
        near([0.0, 3.0], [12.0, 3.0], 8.0);
        // Along the wall's faces.
        near([0.0, 2.0], [12.0, 2.0], 8.0);
        near([8.0, 0.0], [8.0, 8.0], 6.0);
        near([3.0, 1.0], [5.0, 3.0], 2.0_f64.sqrt());
        near([4.5, 2.5], [7.5, 3.5], 0.0);
        near([1.0, 1.0], [1.0, 1.0], 0.0);
    }
}
