//! Which cells of a class have changed.

use crate::map::Clearance;
use crate::math::each::Each;

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
    /// What has changed about a class: cells (padded indices, each once) with the slowness that they
    /// had before. Cells that have kept theirs do no harm.
    pub fn new(class: &Clearance, before: &[(u32, u8)]) -> Self {
        let mut changes = Self::default();
        changes.set(class, before.iter().copied());
        changes
    }

    /// The cells in which two classes of one size differ.
    ///
    /// # Panics
    /// When the classes are not of one size.
    pub fn between(before: &Clearance, after: &Clearance) -> Self {
        let (old, new) = (before.slowness(), after.slowness());
        let sizes = [before, after].each(|class| (class.stride(), class.slowness().len()));
        assert!(sizes[0] == sizes[1], "classes of one map are of one size: {sizes:?}");
        let pairs = (0..).zip(old.iter().zip(new));
        let differs = pairs.filter(|(_, (old, new))| old != new);
        let mut changes = Self::default();
        changes.set(after, differs.map(|(cell, (&old, _))| (cell, old)));
        changes
    }

    /// Becomes what [`CellChanges::new`] gives, in the memory at hand.
    pub fn set(&mut self, class: &Clearance, before: impl Iterator<Item = (u32, u8)>) {
        let mut counts: [u32; 256] = std::array::from_fn(|s| class.count(s as u8));
        self.cells.clear();
        self.cells.extend(before.map(|(cell, before)| {
            counts[usize::from(class.slowness()[cell as usize])] -= 1;
            counts[usize::from(before)] += 1;
            cell
        }));
        self.cells.sort_unstable();
        let mut passable = (1..=u8::MAX).filter(|&s| counts[usize::from(s)] > 0);
        self.least_before = passable.next().unwrap_or(0);
        self.greatest_before = passable.next_back().unwrap_or(self.least_before);
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
