//! Exact distance from every cell's centre to the nearest wall.
//!
//! A wall is the closed unit square of its cell, so along a straight wall the values on both sides
//! of its face are +1/2 and −1/2 cell and a bilinear blend of them is exactly 0 on the face. From a
//! centre, the square `(dx, dy)` cells away is `max(2|dx| − 1, 0)² + max(2|dy| − 1, 0)²` squared
//! half cells away.
//!
//! Method: the separable transform of Meijster, Roerdink and Hesselink ("A general algorithm for
//! computing distance transforms in linear time", 2000), with this metric in place of the Euclidean
//! one: its row term is convex in dx, so two candidates of a row still change places only once.
//! Down and up the columns first; then, along each row, the lower envelope of the columns' answers.
//! Open cells look for walls and wall cells for open ones in the same pass: a run of equal cells in
//! a row needs no candidate beyond the two cells that end it, because those are nearer in the row
//! and cost nothing in the column.
//!
//! Trick: most walls are near. Before any envelope, every cell of a row looks 1, 2, … cells to both
//! sides, all cells at once in lanes, until none could become nearer. Only runs that are not
//! settled after [`LOOKS`] looks get their envelope. *Measured* at 1024²: envelopes alone take 25 ms
//! among 20 % scattered walls.

use crate::map::Window;
use std::ops::Range;

/// Column distance that stands for "too far to matter", in half cells: 128.5 cells.
const FAR: u16 = 257;
/// Squared half cells from which the stored distance is clamped: 128 cells.
const CLAMP: i32 = 256 * 256;

/// Cells to both sides that are looked at in lanes.
const LOOKS: usize = 16;

/// Signed distance of every cell of a padded raster in 1/256 of a cell, rounded towards zero and
/// clamped to ±32,767. `slowness` is 0 in walls; cells off the raster count for nothing, so its
/// border must be wall.
pub(crate) fn wall_distance(slowness: &[u8], stride: u32) -> Vec<i16> {
    transform(slowness, stride as usize, LOOKS)
}

/// Makes distances right again after some cells have become walls or open, and returns a window
/// outside of which nothing has changed. `changed` is not empty.
///
/// A cell's distance can change only if a changed cell is not farther than it; a window around all
/// such cells is transformed again, with as much around it as it takes until no cell beyond could be
/// nearer.
pub(super) fn repair(
    slowness: &[u8],
    stride: u32,
    distances: &mut [i16],
    changed: &[u32],
) -> Window {
    let all = Window::all(slowness.len() as u32, stride);
    let window = reached(distances, stride, Window::around(changed, stride), all);
    let mut margin = LOOKS as u32;
    loop {
        let wide = window.grow(margin).within(all);
        let mut cells = Vec::with_capacity(wide.cell_count());
        for row in wide.rows(stride) {
            cells.extend_from_slice(&slowness[row.start as usize..row.end as usize]);
        }
        let result = transform(&cells, wide.width() as usize, LOOKS);
        let inner = || {
            window.rows(stride).map(|row| {
                let [x, y] = [row.start % stride - wide.min[0], row.start / stride - wide.min[1]];
                let first = (y * wide.width() + x) as usize;
                (row.start as usize, &result[first..first + row.len()])
            })
        };
        let known = (256 * margin + 128).min(32_767) as u16;
        if wide == all || inner().all(|(_, row)| row.iter().all(|d| d.unsigned_abs() <= known)) {
            for (first, row) in inner() {
                distances[first..first + row.len()].copy_from_slice(row);
            }
            return window;
        }
        margin *= 2;
    }
}

/// The window of the cells that are as far from a wall, or an open cell, as from `changed`, or
/// farther.
fn reached(distances: &[i16], stride: u32, changed: Window, all: Window) -> Window {
    let mut window = changed;
    let off =
        |at: u32, from: u32, to: u32| from.saturating_sub(at).max((at + 1).saturating_sub(to));
    for row in changed.grow(129).within(all).rows(stride) {
        let (left, y) = (row.start % stride, row.start / stride);
        let below = square(off(y, changed.min[1], changed.max[1]) as i32);
        for (x, distance) in (left..).zip(&distances[row.start as usize..row.end as usize]) {
            let aside = square(off(x, changed.min[0], changed.max[0]) as i32);
            let next = i32::from(distance.unsigned_abs()) + 1;
            if (aside + below).min(CLAMP) * 16_384 < next * next {
                window = window.with(x, y);
            }
        }
    }
    window
}

/// The distances; the number of looks changes no result.
fn transform(slowness: &[u8], stride: usize, looks: usize) -> Vec<i16> {
    let gaps = column_gaps(slowness, stride);
    let mut result = vec![0; slowness.len()];
    let mut envelope = Envelope::default();
    let mut squares = vec![0; stride];
    let mut signed = vec![0; stride];
    let rows = slowness.chunks_exact(stride).zip(gaps.chunks_exact(stride));
    for (target, (row, gaps)) in result.chunks_exact_mut(stride).zip(rows) {
        for (((square, signed), &gap), &slowness) in
            squares.iter_mut().zip(&mut signed).zip(gaps).zip(row)
        {
            *square = i32::from(gap) * i32::from(gap);
            *signed = if slowness == 0 { -*square } else { *square };
        }
        let greatest = look_around(&signed, &mut squares, looks);
        if greatest > square(looks as i32 + 1) {
            envelope.settle(row, gaps, &mut squares, square(looks as i32 + 1));
        }
        for ((target, &square), &slowness) in target.iter_mut().zip(&squares).zip(row) {
            // sqrt(square) half cells are 128·sqrt(square) units; f64 is exact to below 2^53, so
            // the truncated root is the floor of the true one.
            let root = (f64::from(square.min(CLAMP)) * 16_384.0).sqrt() as i32;
            let root = root.min(32_767) as i16;
            *target = if slowness == 0 { -root } else { root };
        }
    }
    result
}

/// Lowers the squares of a row by the columns up to `looks` cells to both sides and returns the
/// greatest square left. `signed` is the square of the column's gap, negative in walls: seen from
/// a cell of the other kind it counts as 0.
fn look_around(signed: &[i32], squares: &mut [i32], looks: usize) -> i32 {
    let mut greatest = squares.iter().copied().fold(0, i32::max);
    for offset in 1..=looks.min(squares.len() - 1) {
        let row_square = square(offset as i32);
        if greatest <= row_square {
            break;
        }
        let count = squares.len() - offset;
        look(&mut squares[..count], &signed[..count], &signed[offset..], row_square);
        look(&mut squares[offset..], &signed[offset..], &signed[..count], row_square);
        greatest = squares.iter().copied().fold(0, i32::max);
    }
    greatest
}

/// Lowers squares by what their cells see in other columns.
fn look(squares: &mut [i32], own: &[i32], seen: &[i32], row_square: i32) {
    for ((target, &own), &seen) in squares.iter_mut().zip(own).zip(seen) {
        let sign = own >> 31;
        let column_square = ((seen ^ sign) - sign).max(0);
        *target = (*target).min(column_square + row_square);
    }
}

/// Half cells from each centre to the nearest square of the other kind in its column, at most
/// [`FAR`].
fn column_gaps(slowness: &[u8], stride: usize) -> Vec<u16> {
    let mut gaps = vec![FAR; slowness.len()];
    let rows = slowness.len() / stride;
    for y in 1..rows {
        let (above, here) = gaps.split_at_mut(y * stride);
        let (from, to) = slowness[(y - 1) * stride..][..2 * stride].split_at(stride);
        grow(&above[(y - 1) * stride..], &mut here[..stride], from, to);
    }
    for y in (1..rows).rev() {
        let (above, here) = gaps.split_at_mut(y * stride);
        let (to, from) = slowness[(y - 1) * stride..][..2 * stride].split_at(stride);
        grow(&here[..stride], &mut above[(y - 1) * stride..], from, to);
    }
    gaps
}

/// Carries the gaps of one row to the next.
fn grow(source: &[u16], target: &mut [u16], from: &[u8], to: &[u8]) {
    for (((gap, &source), &from), &to) in target.iter_mut().zip(source).zip(from).zip(to) {
        let same = (from == 0) == (to == 0);
        let grown = if same { source + 2 } else { 1 };
        *gap = (*gap).min(grown);
    }
}

/// Lower envelope of the candidates of one run: site and first cell where it is the nearest.
#[derive(Default)]
struct Envelope {
    parts: Vec<Part>,
}

#[derive(Clone, Copy)]
struct Part {
    site: i32,
    /// Square of the site's gap.
    square: i32,
    start: i32,
}

impl Envelope {
    /// Squares of all runs of a row that have one above `settled`.
    fn settle(&mut self, row: &[u8], gaps: &[u16], squares: &mut [i32], settled: i32) {
        let mut start = 0;
        for kinds in row.chunk_by(|&a, &b| (a == 0) == (b == 0)) {
            let run = start..start + kinds.len();
            start = run.end;
            if squares[run.clone()].iter().any(|&square| square > settled) {
                self.run(gaps, run, squares);
            }
        }
    }

    /// Squares of one run of a row.
    fn run(&mut self, gaps: &[u16], run: Range<usize>, squares: &mut [i32]) {
        let Range { start, end } = run;
        let first = start as i32;
        let last = end as i32 - 1;
        self.parts.clear();
        if start > 0 {
            self.parts.push(Part { site: first - 1, square: 0, start: first });
        }
        for (site, &gap) in (first..).zip(&gaps[start..end]) {
            self.add(Part { site, square: i32::from(gap) * i32::from(gap), start: first }, last);
        }
        if end < gaps.len() {
            self.add(Part { site: last + 1, square: 0, start: first }, last);
        }
        let mut stop = last + 1;
        for part in self.parts.iter().rev() {
            for x in part.start..stop {
                squares[x as usize] = square(x - part.site) + part.square;
            }
            stop = part.start;
        }
    }

    /// Adds a site to the right of all others; `part.start` is the first cell of the run.
    fn add(&mut self, mut part: Part, last: i32) {
        while let Some(top) = self.parts.last() {
            let at = top.start;
            if square(at - top.site) + top.square <= square(at - part.site) + part.square {
                let x = first_nearer(top, &part);
                if x <= last {
                    part.start = x;
                    self.parts.push(part);
                }
                return;
            }
            self.parts.pop();
        }
        self.parts.push(part);
    }
}

/// Squared half cells between a centre and a square `offset` cells away in the row.
fn square(offset: i32) -> i32 {
    let half_cells = (2 * offset.abs() - 1).max(0);
    half_cells * half_cells
}

/// First cell that is strictly nearer to `right` than to `left`, where `left.site < right.site`:
/// the difference of the two row terms grows with x and is linear in each of three ranges.
fn first_nearer(left: &Part, right: &Part) -> i32 {
    let (i, u) = (left.site, right.site);
    let width = u - i;
    let gain = right.square - left.square;
    let edge = square(width);
    if gain >= edge {
        (gain.div_euclid(4 * width) + i + u + 3).div_euclid(2)
    } else if gain < -edge {
        (gain.div_euclid(4 * width) + i + u + 1).div_euclid(2)
    } else if width == 1 {
        u
    } else {
        ((gain.div_euclid(4 * (width - 1)) + i + u + 2).div_euclid(2)).clamp(i + 1, u)
    }
}

#[cfg(test)]
mod tests {
    use super::{LOOKS, transform, wall_distance};
    use proptest::prelude::*;

    fn brute(slowness: &[u8], stride: usize) -> Vec<i16> {
        let cells = (0..slowness.len()).map(|c| ((c % stride) as i64, (c / stride) as i64));
        let cells: Vec<_> = cells.collect();
        let half = |d: i64| (2 * d.abs() - 1).max(0).pow(2);
        let near = |at: usize| {
            let other = |&to: &usize| (slowness[to] == 0) != (slowness[at] == 0);
            let between = |to| {
                half(cells[to as usize].0 - cells[at].0) + half(cells[to as usize].1 - cells[at].1)
            };
            let all = (0..slowness.len()).filter(other).map(|to| between(to as i64)).min();
            let square = all.unwrap_or(i64::from(i32::MAX)) as u64;
            let root = (square * 16_384).isqrt().min(32_767) as i16;
            if slowness[at] == 0 { -root } else { root }
        };
        (0..slowness.len()).map(near).collect()
    }

    fn padded(width: usize, cells: &[u8]) -> Vec<u8> {
        let stride = width + 2;
        let mut all = vec![0; stride];
        for row in cells.chunks_exact(width) {
            all.push(0);
            all.extend_from_slice(row);
            all.push(0);
        }
        all.extend(vec![0; stride]);
        all
    }

    #[test]
    fn straight_wall_is_half_a_cell_away() {
        let all = padded(3, &[16; 9]);
        let found = wall_distance(&all, 5);
        assert_eq!(found[..5], [-181, -128, -128, -128, -181]);
        assert_eq!(found[5..10], [-128, 128, 128, 128, -128]);
        assert_eq!(found[12], 384);
    }

    #[test]
    fn far_cells_are_clamped() {
        let all = padded(300, &[16; 300 * 300]);
        let found = wall_distance(&all, 302);
        assert_eq!(found[151 * 302 + 151], 32_767);
        assert_eq!(found[101 * 302 + 151], 100 * 256 + 128);
        assert!(wall_distance(&[0; 300 * 2], 300).iter().all(|&d| d == -32_767));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn equals_brute_force(
            width in 1_usize..24,
            height in 1_usize..24,
            percent in 0_u32..=100,
            seed in any::<[u8; 24 * 24]>().no_shrink(),
        ) {
            let solid = |&b: &u8| if u32::from(b) * 100 < percent * 256 { 0 } else { 16 };
            let cells: Vec<u8> = seed[..width * height].iter().map(solid).collect();
            let all = padded(width, &cells);
            let expected = brute(&all, width + 2);
            for looks in [0, 1, 3, LOOKS, 99] {
                prop_assert_eq!(&transform(&all, width + 2, looks), &expected);
            }
        }
    }
}
