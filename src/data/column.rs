//! A column: one value a row, padded so that kernels have no tail.

use std::ops::{Deref, DerefMut};

use bytemuck::{Pod, Zeroable};

use crate::data::row::Word;

/// Rows behind the last one that a kernel may read or write.
const PADDING: usize = 16;

/// Sets the number of values, which mean nothing then. Memory that is new is zero, and takes no room in
/// the machine until it is written to.
pub(crate) fn renew<T: Zeroable + Copy>(values: &mut Vec<T>, count: usize) {
    if count > values.capacity() {
        let spare = if values.is_empty() { 0 } else { count / 8 };
        *values = bytemuck::zeroed_vec(count + spare);
    }
    values.resize(count, T::zeroed());
}

/// A column as digests, dumps and snapshots see it.
#[derive(Clone, Copy, Debug)]
pub struct ColumnView<'a> {
    /// `table.column`.
    pub name: &'static str,
    /// Unit of the values.
    pub unit: &'static str,
    /// Words of a row.
    pub words: &'static [Word],
    /// The rows, in native byte order.
    pub bytes: &'a [u8],
}

/// A growable column of plain values.
///
/// It reads as a slice of its rows. Behind the last row lie at least 16 more of padding, whose
/// values mean nothing.
#[derive(Clone, Debug)]
pub struct Column<T> {
    values: Vec<T>,
    rows: usize,
}

impl<T: Pod> Column<T> {
    /// An empty column. It takes no memory, not even for padding, until it is filled or resized.
    pub const fn new() -> Self {
        Self { values: Vec::new(), rows: 0 }
    }

    /// Sets the number of rows; new ones are zero.
    pub fn resize(&mut self, rows: usize) {
        let kept = rows.min(self.rows);
        self.values.resize(rows + PADDING, T::zeroed());
        self.values[kept..].fill(T::zeroed());
        self.rows = rows;
    }

    /// Sets the number of rows, whose values mean nothing then: see [`renew`].
    pub(crate) fn renew(&mut self, rows: usize) {
        renew(&mut self.values, rows + PADDING);
        self.rows = rows;
        self.clear_padding();
    }

    /// Appends a row.
    pub fn push(&mut self, value: T) {
        self.values.resize(self.rows + 1 + PADDING, T::zeroed());
        self.values[self.rows] = value;
        self.rows += 1;
    }

    /// Removes a row; the last one takes its place.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn swap_remove(&mut self, row: usize) -> T {
        let value = self[row];
        let last = self.rows - 1;
        self.values[row] = self.values[last];
        self.values.pop();
        self.rows = last;
        value
    }

    /// The rows and the padding.
    pub fn padded(&self) -> &[T] {
        &self.values
    }

    /// The rows and the padding.
    pub fn padded_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// Makes the padding zero.
    pub fn clear_padding(&mut self) {
        self.values[self.rows..].fill(T::zeroed());
    }

    /// The rows as bytes.
    pub fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.values[..self.rows])
    }
}

impl<T: Pod> Default for Column<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for Column<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.values[..self.rows]
    }
}

impl<T> DerefMut for Column<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values[..self.rows]
    }
}
