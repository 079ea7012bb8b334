//! Cells with room for a disc that is wider than a cell and no wider than two.
//!
//! A disc of a radius between half a cell and a whole one fits nowhere between walls one cell apart,
//! and always between walls two cells apart. So its centre can be in the middle of a block of 2 × 2
//! open cells, and go from there to the middle of a block that shares two cells with this one, and
//! nowhere else; up to √½ cells it also gets through the middle of a cell from a block to the one
//! across. A cell has room when it is in such a block. Two cells without a block in common, side by
//! side or in one another's place at a pinch, must not look joined: the few cells at which they
//! would be are left out. Each of those is in one block only, or in two that are not joined, so no
//! other way is lost, and the components of what is left are those of the disc's free positions (but
//! that a cell of a block whose neighbours are both left out stays by itself).

use crate::math::each::Each;

/// Least wall distance of a cell's centre, in 1/256 of a cell, from which this rule holds.
const NARROW: i16 = 128;
/// √½ cells in the same unit: the distance of a cell's centre from its corners.
const ACROSS: i16 = 181;
/// A whole cell: where this rule ends.
const WIDE: i16 = 256;

/// Whether this rule says which cells have room for a radius in 1/256 of a cell.
pub(super) fn is_between(radius: i16) -> bool {
    radius > NARROW && radius <= WIDE
}

/// How far away, in cells, walls can take the room of a cell under this rule.
pub(super) const REACH: u32 = 2;

/// Whether an open cell of a padded raster has room for a radius for which [`is_between`] holds;
/// `is_open` says of the cells around whether they are not walls.
pub(super) fn has_room(
    cell: usize,
    stride: usize,
    radius: i16,
    is_open: impl Fn(usize) -> bool,
) -> bool {
    let stride = stride as isize;
    let open = |offset: isize| is_open(cell.wrapping_add_signed(offset));
    let block = |x: isize, y: isize| open(x) && open(y) && open(x + y);
    let blocks = [(-1, -stride), (1, -stride), (-1, stride), (1, stride)];
    let blocks = blocks.each(|(x, y)| block(x, y));
    if !blocks.contains(&true) {
        return false;
    }
    let across = matches!(blocks, [true, false, false, true] | [false, true, true, false]);
    // Beyond the border to the next cell there is a block, and walls on both sides of the border
    // stagger: they are no more than a cell apart.
    let staggered = |next: isize, side: isize| {
        open(next)
            && !open(side)
            && !open(next - side)
            && open(next + side)
            && open(2 * next)
            && open(2 * next + side)
    };
    let pairs = [(1, stride), (-1, stride), (stride, 1), (-stride, 1)];
    let pinched = |&(next, side): &(isize, isize)| staggered(next, side) || staggered(next, -side);
    !(across && radius > ACROSS || pairs.iter().any(pinched))
}

#[cfg(test)]
mod tests {
    use super::has_room;
    use proptest::prelude::*;

    /// Side of the maps, padded.
    const SIDE: usize = 10;
    /// Points to a cell's side of the fine grid; a multiple of 2, so that middles are on it.
    const FINE: usize = 16;

    /// Labels of joined sets: `joined(i)` lists what `i` is joined to, and nothing if it is not there.
    fn labels(count: usize, joined: impl Fn(usize) -> Option<Vec<usize>>) -> Vec<usize> {
        let mut labels = vec![0; count];
        let mut next = 0;
        for start in 0..count {
            if labels[start] != 0 || joined(start).is_none() {
                continue;
            }
            next += 1;
            let mut stack = vec![start];
            while let Some(at) = stack.pop() {
                if labels[at] == 0 {
                    labels[at] = next;
                    stack.extend(joined(at).unwrap().into_iter().filter(|&i| joined(i).is_some()));
                }
            }
        }
        labels
    }

    /// The components of a disc's free positions on a fine grid of points.
    fn fine(open: &[bool], radius: f64) -> Vec<usize> {
        let side = SIDE * FINE;
        let free: Vec<bool> = (0..side * side)
            .map(|at| {
                let [x, y] = [at % side, at / side].map(|v| v as f64 / FINE as f64);
                let walls = (0..SIDE * SIDE).filter(|&cell| !open[cell]);
                let square = |cell: usize| {
                    let [i, j] = [cell % SIDE, cell / SIDE].map(|v| v as f64);
                    let dx = (i - x).max(x - i - 1.0).max(0.0);
                    let dy = (j - y).max(y - j - 1.0).max(0.0);
                    dx * dx + dy * dy
                };
                walls.map(square).fold(f64::MAX, f64::min) >= radius * radius
            })
            .collect();
        labels(side * side, |at| free[at].then(|| vec![at - 1, at + 1, at - side, at + side]))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn what_is_joined_is_what_a_disc_gets_to(
            bits in any::<[u8; 64]>().no_shrink(),
            percent in 5_u32..45,
        ) {
            let mut open = vec![false; SIDE * SIDE];
            for (i, &bits) in bits.iter().enumerate() {
                open[(i / 8 + 1) * SIDE + i % 8 + 1] = u32::from(bits) * 100 >= percent * 256;
            }
            // Well off the radii at which the answer changes, since the grid is not infinitely fine.
            for radius in [0.55_f64, 0.64, 0.76, 0.94] {
                let units = (radius * 256.0) as i16;
                let room = |c: usize| open[c] && has_room(c, SIDE, units, |c| open[c]);
                let cells = labels(SIDE * SIDE, |c| {
                    room(c).then(|| vec![c - 1, c + 1, c - SIDE, c + SIDE])
                });
                let points = fine(&open, radius);
                let alone = |label: usize| cells.iter().filter(|&&l| l == label).count() == 1;
                // The middle of every open block is free. Two are joined on the grid if and only if
                // the same cells are in or around both; a cell that nothing is joined to is in none.
                let mut middles = Vec::new();
                for c in (0..SIDE * (SIDE - 1)).filter(|c| c % SIDE < SIDE - 1) {
                    let block = [c, c + 1, c + SIDE, c + SIDE + 1];
                    if block.iter().all(|&c| open[c]) {
                        let [x, y] = [c % SIDE + 1, c / SIDE + 1].map(|v| v * FINE);
                        let labels = block.iter().map(|&c| cells[c]);
                        let mut labels: Vec<_> = labels.filter(|&l| l != 0 && !alone(l)).collect();
                        labels.dedup();
                        middles.push((points[y * SIDE * FINE + x], labels));
                    }
                }
                for (i, (point, cells)) in middles.iter().enumerate() {
                    prop_assert!(*point != 0 && cells.len() <= 1);
                    for (other, others) in &middles[..i] {
                        if point == other {
                            prop_assert!(cells.len() == 1 && cells == others, "radius {radius}");
                        } else {
                            prop_assert!(cells.is_empty() || cells != others, "radius {radius}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_gap_of_two_cells_has_room_and_one_of_one_has_not() {
        for (gap, expected) in [(1, false), (2, true), (3, true)] {
            let open: Vec<bool> = (0..SIDE * SIDE)
                .map(|c| {
                    let (x, y) = (c % SIDE, c / SIDE);
                    let inside = (1..SIDE - 1).contains(&x) && (1..SIDE - 1).contains(&y);
                    inside && (y != 5 || (4..4 + gap).contains(&x))
                })
                .collect();
            for radius in [129, 181, 182, 256] {
                let room = (4..4 + gap).any(|x| has_room(5 * SIDE + x, SIDE, radius, |c| open[c]));
                assert_eq!(room, expected, "{gap} cells, radius {radius}/256");
            }
        }
    }
}
