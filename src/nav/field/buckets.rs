//! A ring of buckets: the queue of both field solvers.
//!
//! A cell waits in the bucket of its distance. Buckets are worked in order; inside a bucket the
//! order does not matter, because a cell that improves waits again and both solvers run to a
//! fixpoint that does not depend on the order (Dial, "Algorithm 360", 1969, with wide buckets).

/// Cells that wait, by distance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets {
    /// Cells per bucket; a power of two of them.
    ring: Vec<Vec<u32>>,
    /// Width of a bucket is `1 << shift`.
    shift: u32,
    /// Number of the bucket that is being worked: its distances `>> shift`.
    current: i32,
    /// Cells of the current bucket that are done.
    position: usize,
    /// Cells that wait, stale ones included.
    waiting: usize,
}

impl Buckets {
    /// Empties the ring. `largest_step` is the most that a distance can exceed the one it comes
    /// from.
    pub(crate) fn start(&mut self, shift: u32, largest_step: i32, capacity: usize) {
        self.shift = shift;
        let buckets = ((largest_step >> shift) as usize + 2).next_power_of_two();
        // Equal room for every bucket: later searches that use the buckets in another order find
        // it there.
        let room = self.ring.iter().map(Vec::capacity).max().unwrap_or(0).max(capacity);
        self.ring.iter_mut().for_each(Vec::clear);
        self.ring.resize_with(buckets.max(self.ring.len()), Vec::new);
        self.ring.iter_mut().for_each(|bucket| bucket.reserve_exact(room));
        self.current = 0;
        self.position = 0;
        self.waiting = 0;
    }

    /// First distance above the current bucket.
    pub(crate) fn end_of_current(&self) -> i32 {
        (self.current + 1) << self.shift
    }

    /// Lets a cell wait whose distance fell from `old` to `new`; `new` is not below the current
    /// bucket.
    #[inline(always)]
    pub(crate) fn lower(&mut self, cell: u32, old: i32, new: i32) {
        let bucket = new >> self.shift;
        // The cell waits there already, unless the bucket is being worked.
        if old >> self.shift == bucket && bucket != self.current {
            return;
        }
        let slot = bucket as usize & (self.ring.len() - 1);
        self.ring[slot].push(cell);
        self.waiting += 1;
    }

    /// Whether a distance is in the current bucket; cells for which it is not are stale.
    #[inline(always)]
    pub(crate) fn is_current(&self, distance: i32) -> bool {
        distance >> self.shift == self.current
    }

    /// The next cell of the current bucket.
    #[inline(always)]
    pub(crate) fn next_in_current(&mut self) -> Option<u32> {
        let slot = self.current as usize & (self.ring.len() - 1);
        let cell = self.ring[slot].get(self.position).copied();
        if cell.is_some() {
            self.position += 1;
            self.waiting -= 1;
        }
        cell
    }

    /// Goes to the next bucket that has cells; `false` when none has.
    pub(crate) fn next_bucket(&mut self) -> bool {
        let mask = self.ring.len() - 1;
        self.ring[self.current as usize & mask].clear();
        self.position = 0;
        if self.waiting == 0 {
            return false;
        }
        while self.ring[self.current as usize & mask].is_empty() {
            self.current += 1;
        }
        true
    }

    /// Takes all cells that still wait.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = u32> {
        self.waiting = 0;
        self.position = 0;
        self.ring.iter_mut().flat_map(|bucket| bucket.drain(..))
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.ring.iter().map(|bucket| 4 * bucket.capacity() as u64).sum()
    }
}
