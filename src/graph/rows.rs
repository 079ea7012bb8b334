//! Rows of different lengths, one after another in one array.

use std::ops::{Index, Range};

/// Items by row. By index it gives items of all rows, the first row's first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows<T> {
    /// First item of every row, then the end.
    first: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { first: vec![0], items: Vec::new() }
    }
}

impl<T> Index<usize> for Rows<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, item: usize) -> &T {
        &self.items[item]
    }
}

impl<T: Copy + Default> Rows<T> {
    /// So many rows of what `each` gives: an item and its row, in any order, and the same when it is
    /// called again. Inside a row items keep their order.
    pub(crate) fn new(rows: usize, each: impl Fn(&mut dyn FnMut(usize, T))) -> Self {
        let mut first = vec![0_u32; rows + 1];
        each(&mut |row, _| first[row + 1] += 1);
        for row in 0..rows {
            first[row + 1] += first[row];
        }
        let mut next = first.clone();
        let mut items = vec![T::default(); first[rows] as usize];
        each(&mut |row, item| {
            items[next[row] as usize] = item;
            next[row] += 1;
        });
        Self { first, items }
    }
}

impl<T> Rows<T> {
    /// Rows.
    pub(crate) fn count(&self) -> usize {
        self.first.len() - 1
    }

    /// Places of a row's items among all.
    #[inline(always)]
    pub(crate) fn range(&self, row: usize) -> Range<usize> {
        self.first[row] as usize..self.first[row + 1] as usize
    }

    /// The items of a row.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &[T] {
        &self.items[self.range(row)]
    }

    /// The items of a row, to be changed.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [T] {
        let range = self.range(row);
        &mut self.items[range]
    }

    /// The items of all rows.
    #[inline(always)]
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// The row of every item.
    pub(crate) fn owners(&self) -> Vec<u32> {
        let mut owners = vec![0; self.items.len()];
        (0..self.count()).for_each(|row| owners[self.range(row)].fill(row as u32));
        owners
    }

    /// Adds an item to the row that is being made.
    pub(crate) fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Adds a row of items.
    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.end_row();
    }

    /// Items of the row that is being made.
    pub(crate) fn open_row(&mut self) -> &mut [T] {
        let start = self.first[self.count()] as usize;
        &mut self.items[start..]
    }

    /// Ends the row that is being made.
    pub(crate) fn end_row(&mut self) {
        self.first.push(self.items.len() as u32);
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (4 * self.first.capacity() + size_of::<T>() * self.items.capacity()) as u64
    }
}
