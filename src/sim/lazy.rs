//! What is made from the world when it is first asked for after a step.

use std::sync::{Mutex, OnceLock, PoisonError};

/// A table of one moment. Its memory is kept from one moment to the next.
#[derive(Debug, Default)]
pub(super) struct Lazy<T> {
    now: OnceLock<T>,
    spare: Mutex<T>,
}

impl<T: Default> Lazy<T> {
    /// The table, filled by `fill` when this is the first call since it was forgotten.
    pub(super) fn get(&self, fill: impl FnOnce(&mut T)) -> &T {
        self.now.get_or_init(|| {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut table = std::mem::take(&mut *spare);
            fill(&mut table);
            table
        })
    }

    /// Forgets the table: the moment that it was made for is over.
    pub(super) fn forget(&mut self) {
        if let Some(table) = self.now.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = table;
        }
    }
}
