//! Which cells of a class have changed.

use crate::map::Clearance;

/// The cells whose slowness in a class differs from what it was, and what else a repair must know
/// of the past.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CellChanges {
    /// Padded indices, ascending.
    cells: Vec<u32>,
    least_before: u8,
    greatest_before: u8,
}

impl Clone for CellChanges {
    fn clone(&self) -> Self {
        Self { cells: self.cells.clone(), ..*self }
    }

    /// Uses the memory again.
    fn clone_from(&mut self, source: &Self) {
        let mut cells = std::mem::take(&mut self.cells);
        cells.clone_from(&source.cells);
        *self = Self { cells, ..*source };
    }
}

impl CellChanges {
    /// The cells (padded indices, in any order) in which a class has changed, and the least and the
    /// greatest slowness that it had before. Cells that are named without a change do no harm.
    pub fn new(mut cells: Vec<u32>, least_before: u8, greatest_before: u8) -> Self {
        cells.sort_unstable();
        cells.dedup();
        Self { cells, least_before, greatest_before }
    }

    /// The cells in which two classes of one size differ.
    ///
    /// # Panics
    /// When the classes are not of one size.
    pub fn between(before: &Clearance, after: &Clearance) -> Self {
        let mut changes = Self::default();
        changes.set_between(before, after, 0..after.slowness().len() as u32 / after.stride());
        changes
    }

    /// Becomes the cells in which two classes of one size differ, in the memory at hand. Only the
    /// given rows of the padded raster are compared; all others must be equal.
    ///
    /// # Panics
    /// When the classes are not of one size, or the rows are not all theirs.
    pub fn set_between(
        &mut self,
        before: &Clearance,
        after: &Clearance,
        rows: std::ops::Range<u32>,
    ) {
        let (old, new) = (before.slowness(), after.slowness());
        let sizes = [before, after].map(|class| (class.stride(), class.slowness().len()));
        assert!(sizes[0] == sizes[1], "classes of one map are of one size: {sizes:?}");
        let stride = after.stride() as usize;
        self.cells.clear();
        for row in rows {
            let first = row as usize * stride;
            let (old, new) = (&old[first..first + stride], &new[first..first + stride]);
            if old != new {
                let differs = |&x: &usize| old[x] != new[x];
                self.cells.extend((0..stride).filter(differs).map(|x| (first + x) as u32));
            }
        }
        (self.least_before, self.greatest_before) = (before.least(), before.greatest());
    }

    /// Adds later changes of the same class.
    pub fn extend(&mut self, later: &Self) {
        self.cells.extend_from_slice(&later.cells);
        self.cells.sort_unstable();
        self.cells.dedup();
        self.greatest_before = self.greatest_before.max(later.greatest_before);
    }

    /// The cells, as padded indices, ascending.
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Least slowness of a passable cell before the changes.
    pub fn least_before(&self) -> u8 {
        self.least_before
    }

    /// Greatest slowness of a passable cell before the changes.
    pub fn greatest_before(&self) -> u8 {
        self.greatest_before
    }

    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether a cell has changed.
    pub(super) fn contains(&self, cell: u32) -> bool {
        let within = |cells: &[u32]| cells[0] <= cell && cell <= cells[cells.len() - 1];
        !self.cells.is_empty() && within(&self.cells) && self.cells.binary_search(&cell).is_ok()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        4 * self.cells.capacity() as u64
    }
}
