//! Caves by a cellular automaton.
//!
//! **Method.** Johnson, Yannakakis and Togelius, "Cellular automata for real-time generation of infinite
//! cave levels" (2010), with the counts of life-like automata: a floor becomes a wall, and a wall stays
//! one, by how many of its 8 neighbours are walls. 64 cells are a word; the counts of 64 cells are the
//! bits of four words, added by full adders (Knuth, TAOCP 7.1.3). A round reads one raster and writes
//! another.

use crate::generate::canvas::Done;
use crate::generate::{Canvas, Cave};
use crate::math::{hash2, unit_f64};
use crate::par;

/// Rows to a task.
const ROWS: usize = 32;

/// The sum of three bits, as two bits, for 64 cells at once.
fn add3(a: u64, b: u64, c: u64) -> [u64; 2] {
    let half = a ^ b;
    [half ^ c, (a & b) | (half & c)]
}

/// A word with the cells to the left of its own, and one with those to the right. Bit 0 is the
/// leftmost cell; beyond the ends all is wall.
fn beside(row: &[u64], i: usize) -> [u64; 2] {
    let before = if i == 0 { u64::MAX } else { row[i - 1] };
    let after = row.get(i + 1).copied().unwrap_or(u64::MAX);
    [row[i] << 1 | before >> 63, row[i] >> 1 | after << 63]
}

/// Where the count of walls around is one of `counts` (bit n for n), for 64 cells at once.
fn count_is(bits: [u64; 4], counts: u16) -> u64 {
    (0..=8_u16).filter(|n| counts & (1 << n) != 0).fold(0, |found, n| {
        let bit = |i: usize| if n & (1 << i) != 0 { bits[i] } else { !bits[i] };
        found | bit(0) & bit(1) & bit(2) & bit(3)
    })
}

/// One word of the next round.
fn next(rows: [&[u64]; 3], i: usize, birth: u16, survive: u16) -> u64 {
    let [above, own, below] = rows;
    let ([up_left, up_right], [left, right]) = (beside(above, i), beside(own, i));
    let [down_left, down_right] = beside(below, i);
    let [a0, a1] = add3(up_left, above[i], up_right);
    let [b0, b1] = add3(down_left, below[i], down_right);
    let (c0, c1) = (left ^ right, left & right);
    let [ones, carry] = add3(a0, b0, c0);
    // Four words of weight 2: their sum is 0 to 4.
    let [twos, d] = add3(a1, b1, c1);
    let (twos, e) = (twos ^ carry, twos & carry);
    let bits = [ones, twos, d ^ e, d & e];
    (own[i] & count_is(bits, survive)) | (!own[i] & count_is(bits, birth))
}

impl Canvas {
    /// Makes a cave of the cells of the region.
    pub(super) fn cave(&mut self, cave: &Cave, seed: u64) -> Done {
        let mask = self.mask(&cave.region);
        let (width, height) = (self.width as usize, self.height as usize);
        let words = width.div_ceil(64);
        // A row of wall above, one below, and wall wherever the mask does not reach.
        let mut cells = vec![u64::MAX; words * (height + 2)];
        let mut inside = vec![0_u64; words * (height + 2)];
        for y in 0..height {
            for x in 0..width {
                if mask[y * width + x] {
                    let (word, bit) = ((y + 1) * words + x / 64, x % 64);
                    inside[word] |= 1 << bit;
                    let chance = unit_f64(hash2(seed, (y as u64) << 32 | x as u64));
                    if chance >= cave.fill {
                        cells[word] &= !(1 << bit);
                    }
                }
            }
        }
        let counts = |list: &[u8]| list.iter().fold(0, |mask, &count| mask | 1_u16 << count);
        let (birth, survive) = (counts(&cave.birth), counts(&cave.survive));
        let mut other = cells.clone();
        for _ in 0..cave.rounds {
            let (from, inside) = (&cells, &inside);
            let body = &mut other[words..words * (height + 1)];
            par::chunks(body.len(), ROWS * words, body, &|_, first, part: &mut [u64]| {
                for (i, word) in part.iter_mut().enumerate() {
                    let (row, column) = ((first + i) / words, (first + i) % words);
                    let line = |row: usize| &from[row * words..(row + 1) * words];
                    let rows = [line(row), line(row + 1), line(row + 2)];
                    let at = (row + 1) * words + column;
                    *word = next(rows, column, birth, survive) | !inside[at];
                }
            });
            std::mem::swap(&mut cells, &mut other);
        }
        for y in 0..height {
            for x in 0..width {
                if mask[y * width + x] {
                    let wall = cells[(y + 1) * words + x / 64] >> (x % 64) & 1 == 1;
                    self.letters[y * width + x] = if wall { cave.wall } else { cave.floor };
                }
            }
        }
        Ok(())
    }
}
