//! The open ground of a map as rectangles.

use crate::map::Map;
use crate::math::each::Each;
use crate::report::measure::convex::{Point, area, cut_to};

/// Open cells in runs of rows, runs of one extent in rows one below the other joined. Two rectangles
/// touch only where one ends and the other begins, from the top down.
#[derive(Clone, Debug)]
pub(super) struct Walkable {
    /// Smallest x, y, largest x, y in m.
    rects: Vec<[f64; 4]>,
    /// By row of cells: first column, end, and rectangle of each run.
    rows: Vec<Vec<[u32; 3]>>,
    /// By rectangle: those that it touches, and where: y, smallest and largest x.
    links: Vec<Vec<(u32, [f64; 3])>>,
    /// By rectangle: the least rectangle that is connected with it.
    parts: Vec<u32>,
    cell: f64,
}

impl Walkable {
    pub(super) fn new(map: &Map) -> Self {
        let cell = map.cell_size();
        let mut ground = Self { rects: vec![], rows: vec![], links: vec![], parts: vec![], cell };
        for row in 0..map.height() {
            let runs = runs(map, row);
            let above = ground.rows.last().cloned().unwrap_or_default();
            let of_row = runs.into_iter().map(|[from, end]| {
                let y = f64::from(row) * cell;
                let whole = above.iter().find(|run| run[..2] == [from, end]);
                let rect = whole.map_or(ground.rects.len() as u32, |run| run[2]);
                if whole.is_some() {
                    ground.rects[rect as usize][3] = y + cell;
                } else {
                    ground.add([from, end], y, &above);
                }
                [from, end, rect]
            });
            let of_row = of_row.collect();
            ground.rows.push(of_row);
        }
        for rect in 0..ground.rects.len() as u32 {
            ground.mark(rect);
        }
        ground
    }

    /// A rectangle begins at a height, below the runs of the row above.
    fn add(&mut self, [from, end]: [u32; 2], y: f64, above: &[[u32; 3]]) {
        let [x0, x1] = [from, end].each(|column| f64::from(column) * self.cell);
        let new = self.rects.len() as u32;
        self.rects.push([x0, y, x1, y + self.cell]);
        self.links.push(Vec::new());
        self.parts.push(u32::MAX);
        for &[other_from, other_end, other] in above {
            let (left, right) = (from.max(other_from), end.min(other_end));
            if left < right {
                let at = [y, f64::from(left) * self.cell, f64::from(right) * self.cell];
                self.links[new as usize].push((other, at));
                self.links[other as usize].push((new, at));
            }
        }
    }

    /// Marks all that is connected with a rectangle, unless it is marked.
    fn mark(&mut self, first: u32) {
        let mut open = vec![first];
        while let Some(rect) = open.pop() {
            if self.parts[rect as usize] == u32::MAX {
                self.parts[rect as usize] = first;
                open.extend(self.links[rect as usize].iter().map(|link| link.0));
            }
        }
    }

    /// The rectangle that a point is in; `None` in a wall and off the map.
    pub(super) fn at(&self, [x, y]: Point) -> Option<u32> {
        let row = self.rows.get((y / self.cell).floor() as usize)?;
        let column = (x / self.cell).floor() as u32;
        row.iter().find(|run| run[0] <= column && column < run[1]).map(|run| run[2])
    }

    /// The part of the ground that a rectangle is of, named by one of its rectangles.
    pub(super) fn part(&self, rect: u32) -> u32 {
        self.parts[rect as usize]
    }

    /// A rectangle: smallest x, y, largest x, y.
    pub(super) fn rect(&self, rect: u32) -> [f64; 4] {
        self.rects[rect as usize]
    }

    /// How many rectangles there are.
    pub(super) fn len(&self) -> usize {
        self.rects.len()
    }

    /// The rectangles that a convex polygon reaches from one of them without leaving the ground, and the
    /// area in m² that it has there.
    pub(super) fn reach(&self, polygon: &[Point], from: u32) -> (Vec<u32>, f64) {
        let (mut found, mut sum, mut at) = (vec![from], 0.0, 0);
        let (mut rest, mut spare) = (Vec::new(), Vec::new());
        while at < found.len() {
            let rect = found[at] as usize;
            rest.clear();
            rest.extend_from_slice(polygon);
            cut_to(&mut rest, &mut spare, self.rects[rect]);
            sum += area(&rest);
            for &(other, [y, left, right]) in &self.links[rect] {
                if !found.contains(&other) && crosses(polygon, y, [left, right]) {
                    found.push(other);
                }
            }
            at += 1;
        }
        (found, sum)
    }
}

/// The runs of open cells in a row: first column and end.
fn runs(map: &Map, row: u32) -> Vec<[u32; 2]> {
    let mut runs: Vec<[u32; 2]> = Vec::new();
    for column in 0..map.width() {
        if map.slowness()[map.index(column, row) as usize] > 0 {
            match runs.last_mut() {
                Some(run) if run[1] == column => run[1] += 1,
                _ => runs.push([column, column + 1]),
            }
        }
    }
    runs
}

/// Whether a convex polygon has more than a point in common with a level line.
fn crosses(polygon: &[Point], y: f64, [left, right]: [f64; 2]) -> bool {
    let mut reach = [f64::INFINITY, f64::NEG_INFINITY];
    let Some(&last) = polygon.last() else { return false };
    let mut from = last;
    for &to in polygon {
        if (from[1] <= y && y <= to[1]) || (to[1] <= y && y <= from[1]) {
            let rise = to[1] - from[1];
            let at = if rise == 0.0 {
                to[0]
            } else {
                from[0] + (to[0] - from[0]) * (y - from[1]) / rise
            };
            reach = [reach[0].min(at), reach[1].max(at)];
        }
        from = to;
    }
    reach[0].max(left) < reach[1].min(right)
}
