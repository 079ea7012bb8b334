//! Notes about numbered things that are all forgotten at once.

/// A note for each number, at most. To forget all of them takes no time: each bears the stamp of the
/// round that it was made in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stamped<T> {
    notes: Vec<(u32, T)>,
    stamp: u32,
}

impl<T: Copy + Default> Stamped<T> {
    /// Forgets all notes, and makes room for so many numbers.
    pub(crate) fn clear(&mut self, count: usize) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.notes.len() < count || self.stamp == 0 {
            self.notes.clear();
            self.notes.resize(count, (0, T::default()));
            self.stamp = 1;
        }
    }

    /// The note about a number.
    #[inline(always)]
    pub(crate) fn get(&self, number: u32) -> Option<T> {
        let (stamp, note) = self.notes[number as usize];
        (stamp == self.stamp).then_some(note)
    }

    /// Makes a note, or replaces it.
    #[inline(always)]
    pub(crate) fn set(&mut self, number: u32, note: T) {
        self.notes[number as usize] = (self.stamp, note);
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of::<(u32, T)>() * self.notes.capacity()) as u64
    }
}
