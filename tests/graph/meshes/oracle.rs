//! Shortest ways on a small map by a visibility graph: every corner of a block, every pair of them
//! that no block stands between, Dijkstra's search. Coordinates are counted in 1/1024.

use crate::common::mesh_ground::Ground;

const UNIT: i64 = 1024;

type Point = (i64, i64);

fn exact([x, y]: [f64; 2]) -> Point {
    let [x, y] = [x, y].map(|part| part * UNIT as f64);
    assert!(x.fract() == 0.0 && y.fract() == 0.0, "a place that is no multiple of 1/{UNIT}");
    (x as i64, y as i64)
}

/// Whether the inside of a cell and a segment have a point in common: no side of the cell has the
/// segment beyond it, and the segment's line has corners of the cell on both sides.
fn blocks(x: i32, y: i32, a: Point, b: Point) -> bool {
    let (left, top) = (i64::from(x) * UNIT, i64::from(y) * UNIT);
    let (right, bottom) = (left + UNIT, top + UNIT);
    let beyond = a.0.max(b.0) <= left
        || a.0.min(b.0) >= right
        || a.1.max(b.1) <= top
        || a.1.min(b.1) >= bottom;
    let turn = |(x, y): Point| (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0);
    let turns = [(left, top), (right, top), (right, bottom), (left, bottom)].map(turn);
    !beyond && turns.iter().any(|&turn| turn > 0) && turns.iter().any(|&turn| turn < 0)
}

/// Whether the straight way is free. Cells beside a line along cell edges block only from both sides.
fn free(ground: &Ground, a: Point, b: Point) -> bool {
    let cells =
        |low: i64, high: i64| low.div_euclid(UNIT) as i32 - 1..=high.div_euclid(UNIT) as i32;
    for y in cells(a.1.min(b.1), a.1.max(b.1)) {
        for x in cells(a.0.min(b.0), a.0.max(b.0)) {
            if !ground.open(x, y) && blocks(x, y, a, b) {
                return false;
            }
        }
    }
    // Along an edge between two blocks there is no way, nor along the map's rim beside a block.
    let along = |low: i64, high: i64| {
        (low.div_euclid(UNIT)..(high + UNIT - 1).div_euclid(UNIT)).map(|i| i as i32)
    };
    if a.1 == b.1 && a.1 % UNIT == 0 {
        let y = (a.1 / UNIT) as i32;
        return along(a.0.min(b.0), a.0.max(b.0))
            .all(|x| ground.open(x, y) || ground.open(x, y - 1));
    }
    if a.0 == b.0 && a.0 % UNIT == 0 {
        let x = (a.0 / UNIT) as i32;
        return along(a.1.min(b.1), a.1.max(b.1))
            .all(|y| ground.open(x, y) || ground.open(x - 1, y));
    }
    true
}

/// The length of the shortest way; `None` when there is none.
pub(crate) fn length(ground: &Ground, start: [f64; 2], goal: [f64; 2]) -> Option<f64> {
    let mut points = vec![exact(start), exact(goal)];
    for (x, y) in (0..=ground.height).flat_map(|y| (0..=ground.width).map(move |x| (x, y))) {
        let around = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)];
        let open = around.iter().filter(|&&(x, y)| ground.open(x, y)).count();
        if open > 0 && open < 4 {
            points.push((i64::from(x) * UNIT, i64::from(y) * UNIT));
        }
    }
    let far = |a: Point, b: Point| {
        let (x, y) = ((a.0 - b.0) as f64, (a.1 - b.1) as f64);
        (x * x + y * y).sqrt() / UNIT as f64
    };
    let mut lengths = vec![f64::INFINITY; points.len()];
    let mut done = vec![false; points.len()];
    lengths[0] = 0.0;
    loop {
        let left = (0..points.len()).filter(|&i| !done[i] && lengths[i].is_finite());
        let at = left.min_by(|&a, &b| lengths[a].total_cmp(&lengths[b]))?;
        if at == 1 {
            return Some(lengths[1]);
        }
        done[at] = true;
        for to in 0..points.len() {
            let length = lengths[at] + far(points[at], points[to]);
            if !done[to] && length < lengths[to] && free(ground, points[at], points[to]) {
                lengths[to] = length;
            }
        }
    }
}
