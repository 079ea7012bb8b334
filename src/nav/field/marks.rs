//! One bit for every cell of a padded raster.

use std::ops::Range;

/// A set of cells. Memory is a bit a cell; clearing and walking cost what lies between the first
/// and the last cell of the set.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    words: Vec<u64>,
    /// The words that may hold a cell.
    first: usize,
    end: usize,
}

impl Marks {
    /// Empties the set, for rasters of so many cells.
    pub(super) fn clear(&mut self, cells: usize) {
        let words = cells.div_ceil(64);
        if words == self.words.len() {
            let range = self.range();
            self.words[range].fill(0);
        } else {
            self.words.clear();
            self.words.resize(words, 0);
        }
        (self.first, self.end) = (words, 0);
    }

    #[inline(always)]
    pub(super) fn insert(&mut self, cell: usize) {
        let word = cell >> 6;
        self.words[word] |= 1 << (cell & 63);
        self.first = self.first.min(word);
        self.end = self.end.max(word + 1);
    }

    #[inline(always)]
    pub(super) fn contains(&self, cell: usize) -> bool {
        self.words[cell >> 6] >> (cell & 63) & 1 != 0
    }

    /// The words that may hold a cell.
    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.end.max(self.first)
    }

    /// Cells of a word.
    pub(super) fn count(&self, word: usize) -> u32 {
        self.words[word].count_ones()
    }

    /// The 64 cells from an index on.
    #[inline(always)]
    fn window(&self, from: i64) -> u64 {
        let (word, shift) = (from >> 6, from & 63);
        let get = |word: i64| self.words.get(word as usize).copied().unwrap_or(0);
        // In two steps, as a shift by 64 is none.
        get(word) >> shift | get(word + 1) << 1 << (63 - shift)
    }

    /// The cells of one word that are in the set or have one of their eight neighbours in it.
    #[inline(always)]
    pub(super) fn grown(&self, word: usize, stride: usize) -> u64 {
        let row = |from: i64| self.window(from - 1) | self.window(from) | self.window(from + 1);
        let (from, stride) = (64 * word as i64, stride as i64);
        row(from - stride) | row(from) | row(from + stride)
    }

    /// Adds the cells of one word.
    pub(super) fn add_word(&mut self, word: usize, cells: u64) {
        if cells != 0 {
            self.words[word] |= cells;
            self.first = self.first.min(word);
            self.end = self.end.max(word + 1);
        }
    }

    /// Calls `visit` with every run of cells in some words, ascending; runs end at word borders.
    #[inline(always)]
    pub(super) fn each_run(&self, words: Range<usize>, mut visit: impl FnMut(Range<usize>)) {
        for (word, &bits) in words.clone().zip(&self.words[words]) {
            let (mut bits, mut at) = (bits, 64 * word);
            while bits != 0 {
                let gap = bits.trailing_zeros();
                bits >>= gap;
                at += gap as usize;
                let run = bits.trailing_ones();
                visit(at..at + run as usize);
                at += run as usize;
                bits = if run == 64 { 0 } else { bits >> run };
            }
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.words.capacity() as u64
    }
}
