//! A spatial index: square bins that list what crosses them.

use crate::graph::network::obstacles::Point;
use crate::graph::rows::Rows;
use crate::math::plane;
use crate::math::plane::distance;

/// Bins along a side, at most.
const MOST: f64 = 1024.0;

/// Square bins over a rectangle; what lies beyond is in the outermost ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Bins {
    origin: Point,
    size: f64,
    columns: i64,
    rows: i64,
    /// Items by bin.
    items: Rows<u32>,
}

impl Bins {
    /// Bins of about `size` metres over segments (points are segments of no length); item i is in
    /// every bin that its segment crosses, and items are in ascending order.
    pub(super) fn new(count: usize, size: f64, segment: impl Fn(usize) -> [Point; 2]) -> Self {
        let [least, most] = plane::bounds((0..count).flat_map(&segment)).unwrap_or_default();
        let extent = [most[0] - least[0], most[1] - least[1]];
        // No more bins than a few for each item, however far they lie apart.
        let area = extent[0] * extent[1] / (4 * count + 16) as f64;
        let size = size.max(extent[0].max(extent[1]) / MOST).max(area.sqrt()).max(1e-6);
        let (columns, rows) = ((extent[0] / size) as i64 + 1, (extent[1] / size) as i64 + 1);
        let mut bins = Self { origin: least, size, columns, rows, items: Rows::default() };
        bins.items = Rows::new((columns * rows) as usize, |visit| {
            for item in 0..count {
                let [a, b] = segment(item);
                bins.each_bin(a, b, 0.0, |bin| visit(bin, item as u32));
            }
        });
        bins
    }

    /// Row or column of a coordinate, within the bins.
    fn place(&self, value: f64, axis: usize) -> i64 {
        let last = if axis == 0 { self.columns } else { self.rows } - 1;
        (((value - self.origin[axis]) / self.size).floor()).clamp(0.0, last as f64) as i64
    }

    /// Visits the bins within `reach` of a segment, row by row, and perhaps some beyond.
    fn each_bin(&self, a: Point, b: Point, reach: f64, mut visit: impl FnMut(usize)) {
        // A point is in one bin; for the rest, rounding must not hide a bin.
        let exact = reach == 0.0 && a == b;
        let reach = if exact { 0.0 } else { reach + 1e-9 * self.size };
        let rows = self.place(a[1].min(b[1]) - reach, 1)..=self.place(a[1].max(b[1]) + reach, 1);
        let last = self.rows - 1;
        for row in rows {
            let top = self.origin[1] + row as f64 * self.size - reach;
            let top = if row == 0 { f64::MIN } else { top };
            let bottom = self.origin[1] + (row + 1) as f64 * self.size + reach;
            let bottom = if row == last { f64::MAX } else { bottom };
            let rise = b[1] - a[1];
            let at = |y: f64| {
                let t = if rise == 0.0 { 0.0 } else { (y - a[1]) / rise };
                a[0] + (b[0] - a[0]) * t.clamp(0.0, 1.0)
            };
            let (from, to) = if rise == 0.0 { (a[0], b[0]) } else { (at(top), at(bottom)) };
            let columns = self.place(from.min(to) - reach, 0)..=self.place(from.max(to) + reach, 0);
            for column in columns {
                visit((row * self.columns + column) as usize);
            }
        }
    }

    /// Visits the items of all bins within `reach` of a segment; an item may come several times.
    pub(super) fn each_near(&self, a: Point, b: Point, reach: f64, mut visit: impl FnMut(u32)) {
        if self.items.items().is_empty() {
            return;
        }
        self.each_bin(a, b, reach, |bin| {
            for &item in self.items.row(bin) {
                visit(item);
            }
        });
    }

    /// Visits the items of the one bin that a point is in, in ascending order.
    pub(super) fn each_in_one(&self, at: Point, visit: impl FnMut(u32)) {
        if !self.items.items().is_empty() {
            let bin = self.place(at[1], 1) * self.columns + self.place(at[0], 0);
            self.items.row(bin as usize).iter().copied().for_each(visit);
        }
    }

    /// Visits the items of the ring of bins around a point that is `ring` bins from its own, and
    /// returns how near, in metres, items of later rings cannot be; `None` when there are no more
    /// rings.
    fn ring(&self, at: Point, ring: i64, mut visit: impl FnMut(u32)) -> Option<f64> {
        let (x, y) = (self.place(at[0], 0), self.place(at[1], 1));
        if ring > self.columns.max(self.rows) || self.items.items().is_empty() {
            return None;
        }
        for row in (y - ring).max(0)..=(y + ring).min(self.rows - 1) {
            let whole = row == y - ring || row == y + ring;
            let step = if whole || ring == 0 { 1 } else { 2 * ring };
            let mut column = x - ring;
            while column <= x + ring {
                if (0..self.columns).contains(&column) {
                    for &item in self.items.row((row * self.columns + column) as usize) {
                        visit(item);
                    }
                }
                column += step;
            }
        }
        Some(ring as f64 * self.size)
    }

    /// Visits points that are items, nearest first and then by number, until `visit` returns
    /// `false`. `near` is memory.
    pub(super) fn nearest(
        &self,
        at: Point,
        point: impl Fn(u32) -> Point,
        near: &mut Vec<(f64, u32)>,
        mut visit: impl FnMut(f64, u32) -> bool,
    ) {
        near.clear();
        let mut ring = 0;
        loop {
            let beyond = self.ring(at, ring, |item| near.push((distance(at, point(item)), item)));
            farthest_first(near);
            // What is left after the last ring counts whatever its distance.
            let sure = beyond.unwrap_or(f64::MAX);
            while let Some(&(length, item)) = near.last()
                && length <= sure
            {
                near.pop();
                if !visit(length, item) {
                    return;
                }
            }
            if beyond.is_none() {
                return;
            }
            ring += 1;
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.items.bytes()
    }
}

/// Sorts items with their distances.
fn farthest_first(items: &mut [(f64, u32)]) {
    items.sort_unstable_by(|p, q| q.0.total_cmp(&p.0).then(q.1.cmp(&p.1)));
}
