//! The textbook versions: binary heaps, every pair, every cell.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng::graph::grid::steps;
use throng::graph::{Grid, Search};
use throng::map::Clearance;

const NONE: i32 = i32::MAX;

/// Dijkstra over eight neighbours with a binary heap.
pub(crate) fn octile(class: &Clearance, goals: &[u32]) -> Vec<i32> {
    let slowness = class.slowness();
    let stride = class.stride() as i64;
    let mut distances = vec![NONE; slowness.len()];
    let mut heap = BinaryHeap::new();
    for &goal in goals {
        distances[goal as usize] = 0;
        heap.push(Reverse((0, i64::from(goal))));
    }
    while let Some(Reverse((distance, cell))) = heap.pop() {
        if distance > distances[cell as usize] {
            continue;
        }
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            let other = cell + dx + dy * stride;
            let around = [cell + dx, cell + dy * stride, other];
            if around.iter().any(|&c| slowness[c as usize] == 0) {
                continue;
            }
            let sum = i32::from(slowness[cell as usize]) + i32::from(slowness[other as usize]);
            let cost = if dx != 0 && dy != 0 { sum * 8 * 362 / 256 } else { sum * 8 };
            if distance + cost < distances[other as usize] {
                distances[other as usize] = distance + cost;
                heap.push(Reverse((distance + cost, other)));
            }
        }
    }
    distances
}

/// The cheapest ways over eight neighbours to a goal: one search over the whole grid.
pub(crate) struct Cheapest<'a> {
    class: &'a Clearance,
    search: Search,
}

impl<'a> Cheapest<'a> {
    pub(crate) fn to(class: &'a Clearance, goal: u32) -> Self {
        let mut search = Search::default();
        search.find(&Grid::new(class), &[(goal, 0)], |_| false, |_| 0);
        Self { class, search }
    }

    /// What the way from a cell costs, 256 for one plain cell.
    pub(crate) fn cost(&self, from: u32) -> Option<u32> {
        self.search.cost(from)
    }

    /// The cells of the way from a cell, that one last.
    pub(crate) fn way(&self, from: u32) -> Option<Vec<u32>> {
        let mut way = Vec::new();
        self.search.cost(from)?;
        self.search.path(from, &mut way);
        Some(way)
    }

    /// Length of the way from a cell, in cells.
    pub(crate) fn length(&self, from: u32) -> Option<f64> {
        self.way(from).map(|way| steps(self.class, &way).expect("a way").length())
    }
}

/// The eikonal update of DESIGN, repeated from a binary heap.
pub(crate) fn eikonal(class: &Clearance, goals: &[u32]) -> Vec<i32> {
    let slowness = class.slowness();
    let stride = class.stride() as usize;
    let mut distances = vec![NONE; slowness.len()];
    let mut heap = BinaryHeap::new();
    for &goal in goals {
        distances[goal as usize] = 0;
        heap.push(Reverse((0, goal as usize)));
    }
    while let Some(Reverse((distance, cell))) = heap.pop() {
        if distance > distances[cell] {
            continue;
        }
        for other in [cell - stride, cell - 1, cell + 1, cell + stride] {
            if slowness[other] == 0 {
                continue;
            }
            let horizontal = i64::from(distances[other - 1].min(distances[other + 1]));
            let vertical = i64::from(distances[other - stride].min(distances[other + stride]));
            let (lo, hi) = (horizontal.min(vertical), horizontal.max(vertical));
            let (f, d) = (i64::from(slowness[other]) * 16, hi - lo);
            let root = || ((2 * f * f - d * d) as u64).isqrt() as i64;
            let new = if d >= f { lo + f } else { lo + ((d + root() + 1) >> 1) };
            if new < i64::from(distances[other]) {
                distances[other] = new as i32;
                heap.push(Reverse((new as i32, other)));
            }
        }
    }
    distances
}

/// Whether the segment between two cells' centres touches no cell that `opaque` names: every cell
/// of the bounding box of the centres is tried with exact integers; the segment ends half a cell
/// before all others.
pub(crate) fn sees(from: (i64, i64), to: (i64, i64), opaque: impl Fn(i64, i64) -> bool) -> bool {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let touches = |x: i64, y: i64| {
        // Corners of the square against the line, in half cells from the first centre.
        let side = |a: i64, b: i64| (dx * b - dy * a).signum();
        let (left, top) = (2 * (x - from.0) - 1, 2 * (y - from.1) - 1);
        let sides = [(0, 0), (2, 0), (0, 2), (2, 2)].map(|(a, b)| side(left + a, top + b));
        sides.iter().any(|&s| s >= 0) && sides.iter().any(|&s| s <= 0)
    };
    let xs = from.0.min(to.0)..=from.0.max(to.0);
    xs.flat_map(|x| (from.1.min(to.1)..=from.1.max(to.1)).map(move |y| (x, y)))
        .all(|(x, y)| !opaque(x, y) || !touches(x, y))
}
