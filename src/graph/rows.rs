//! Rows of different lengths, one after another in one array.

/// Items by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rows<T> {
    /// First item of every row, then the end.
    first: Vec<u32>,
    items: Vec<T>,
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
        self.first.len().saturating_sub(1)
    }

    /// The items of a row.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &[T] {
        &self.items[self.first[row] as usize..self.first[row + 1] as usize]
    }

    /// The items of a row, to be changed.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.items[self.first[row] as usize..self.first[row + 1] as usize]
    }

    /// The items of all rows.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (4 * self.first.capacity() + size_of::<T>() * self.items.capacity()) as u64
    }
}
