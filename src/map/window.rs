//! Windows: rectangles of cells of a padded raster.

use crate::math::each::Each;
use std::ops::Range;

/// A rectangle of cells of a padded raster, by column and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First column and row.
    pub min: [u32; 2],
    /// The column and row after the last.
    pub max: [u32; 2],
}

impl Window {
    /// The whole of a raster of so many cells.
    pub fn all(cells: u32, stride: u32) -> Self {
        Self { min: [0; 2], max: [stride, cells / stride] }
    }

    /// The smallest window that holds some cells, of which there is one at least.
    pub fn around(cells: &[u32], stride: u32) -> Self {
        let place = |&cell: &u32| [cell % stride, cell / stride];
        let none = Self { min: [u32::MAX; 2], max: [0; 2] };
        cells.iter().map(place).fold(none, |window, [x, y]| window.with(x, y))
    }

    /// The smallest window that holds this one and a cell.
    pub fn with(self, x: u32, y: u32) -> Self {
        Self {
            min: [self.min[0].min(x), self.min[1].min(y)],
            max: [self.max[0].max(x + 1), self.max[1].max(y + 1)],
        }
    }

    /// So many cells more on every side; the first column and row stay where they reach 0.
    pub fn grow(self, cells: u32) -> Self {
        Self { min: self.min.each(|v| v.saturating_sub(cells)), max: self.max.each(|v| v + cells) }
    }

    /// The part of it in another one.
    pub fn within(self, other: Self) -> Self {
        let min = [0, 1].each(|i| self.min[i].max(other.min[i]));
        Self { min, max: [0, 1].each(|i| self.max[i].min(other.max[i]).max(min[i])) }
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.max[0] - self.min[0]
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.max[1] - self.min[1]
    }

    /// Cells.
    pub fn cell_count(&self) -> usize {
        self.width() as usize * self.height() as usize
    }

    /// Whether it holds a cell, as an index.
    pub fn contains(&self, cell: u32, stride: u32) -> bool {
        let place = [cell % stride, cell / stride];
        (0..2).all(|i| self.min[i] <= place[i] && place[i] < self.max[i])
    }

    /// The cells of its rows, as indices.
    pub fn rows(self, stride: u32) -> impl Iterator<Item = Range<u32>> + Clone {
        (self.min[1]..self.max[1]).map(move |y| y * stride + self.min[0]..y * stride + self.max[0])
    }
}
