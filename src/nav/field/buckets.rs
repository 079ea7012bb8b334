//! A ring of buckets: the queue of both field solvers.
//!
//! A cell waits in the bucket of its distance. Buckets are worked in order; inside a bucket the
//! order does not matter, because a cell that improves waits again and both solvers run to a
//! fixpoint that does not depend on the order (Dial, "Algorithm 360", 1969, with wide buckets).
//!
//! All buckets take blocks of 63 cells from one pool, so the memory follows the cells that wait,
//! not the number of buckets times the fullest one. What is beyond the ring, as a repair's entries may
//! be, waits in a sorted list.

/// Words of a block: the number of the next block, then cells.
const BLOCK: u32 = 64;

/// Cells that wait, by distance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets {
    /// Blocks, one after another. Block 0 stands for none.
    words: Vec<u32>,
    /// First block that was given back; each names the next one.
    free: u32,
    /// First block of each bucket. A power of two of them.
    heads: Vec<u32>,
    /// Where the next cell of each bucket goes; a multiple of [`BLOCK`] when a new block is due, 0
    /// when the bucket is empty.
    tails: Vec<u32>,
    /// Width of a bucket is `1 << shift`.
    shift: u32,
    /// Number of the bucket that is being worked: its distances `>> shift`.
    current: i32,
    /// Where the next cell of the current bucket is taken.
    read: u32,
    /// Cells that wait, stale ones included.
    waiting: u32,
    /// Distance and entry of what is beyond the ring, the farthest first.
    later: Vec<(i32, u32)>,
}

impl Buckets {
    /// Empties the ring. `largest_step` is the most that a distance can exceed the one it comes
    /// from; `room` is for that many cells that wait at once, more make it grow.
    pub(crate) fn start(&mut self, shift: u32, largest_step: i32, room: usize) {
        let buckets = ((largest_step >> shift) as usize + 2).next_power_of_two();
        self.words.clear();
        self.words.reserve(room + buckets * BLOCK as usize);
        self.words.resize(BLOCK as usize, 0);
        self.free = 0;
        self.heads.clear();
        self.heads.resize(buckets, 0);
        self.tails.clear();
        self.tails.resize(buckets, 0);
        self.shift = shift;
        self.current = 0;
        self.read = 0;
        self.waiting = 0;
        self.later.clear();
    }

    #[inline(always)]
    fn slot(&self, bucket: i32) -> usize {
        bucket as usize & (self.tails.len() - 1)
    }

    /// First distance above the current bucket.
    #[inline(always)]
    pub(crate) fn end_of_current(&self) -> i32 {
        (self.current + 1) << self.shift
    }

    /// Whether a distance is beyond the bucket at work.
    #[inline(always)]
    pub(crate) fn is_later(&self, distance: i32) -> bool {
        distance >= self.end_of_current()
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
        self.push(cell, new);
    }

    /// Lets an entry wait in the bucket of a distance, which is not below the current bucket and
    /// not beyond the ring.
    #[inline(always)]
    fn push(&mut self, cell: u32, distance: i32) {
        let bucket = distance >> self.shift;
        let slot = self.slot(bucket);
        let mut tail = self.tails[slot];
        if tail.is_multiple_of(BLOCK) {
            tail = self.add_block(slot, tail);
        }
        self.words[tail as usize] = cell;
        self.tails[slot] = tail + 1;
        self.waiting += 1;
    }

    /// Adds a block to a bucket that ends at `tail` and returns where its first cell goes.
    #[cold]
    fn add_block(&mut self, slot: usize, tail: u32) -> u32 {
        let mut block = self.free;
        if block == 0 {
            block = self.words.len() as u32 / BLOCK;
            self.words.resize(self.words.len() + BLOCK as usize, 0);
        } else {
            self.free = self.words[(block * BLOCK) as usize];
        }
        let first = block * BLOCK + 1;
        if tail == 0 {
            self.heads[slot] = block;
            if slot == self.slot(self.current) {
                self.read = first;
            }
        } else {
            self.words[(tail - BLOCK) as usize] = block;
        }
        first
    }

    /// Gives a block back and returns the one it named.
    fn free_block(&mut self, block: u32) -> u32 {
        let link = &mut self.words[(block * BLOCK) as usize];
        let next = std::mem::replace(link, self.free);
        self.free = block;
        next
    }

    /// Whether a distance is in the current bucket; cells for which it is not are stale.
    #[inline(always)]
    pub(crate) fn is_current(&self, distance: i32) -> bool {
        distance >> self.shift == self.current
    }

    /// The next cell of the current bucket.
    #[inline(always)]
    pub(crate) fn next_in_current(&mut self) -> Option<u32> {
        if self.read == self.tails[self.slot(self.current)] {
            return None;
        }
        if self.read.is_multiple_of(BLOCK) {
            self.read = self.free_block(self.read / BLOCK - 1) * BLOCK + 1;
        }
        let cell = self.words[self.read as usize];
        self.read += 1;
        self.waiting -= 1;
        Some(cell)
    }

    /// Goes from a bucket that is worked to the next one that has cells; `false` when none has.
    pub(crate) fn next_bucket(&mut self) -> bool {
        let slot = self.slot(self.current);
        if self.tails[slot] != 0 {
            self.free_block((self.tails[slot] - 1) / BLOCK);
            self.tails[slot] = 0;
        }
        self.read = 0;
        if self.waiting == 0 {
            return false;
        }
        while self.tails[self.slot(self.current)] == 0 {
            self.current += 1;
        }
        self.read = self.heads[self.slot(self.current)] * BLOCK + 1;
        true
    }

    /// Whether the bucket of a distance is in the ring now, or before it.
    #[inline(always)]
    fn reaches(&self, distance: i32) -> bool {
        (distance >> self.shift) - self.current < self.tails.len() as i32
    }

    /// Adds an entry of any distance, before [`Buckets::sort`].
    pub(crate) fn add(&mut self, entry: u32, distance: i32) {
        self.later.push((distance, entry));
    }

    /// Makes the added entries ready.
    pub(crate) fn sort(&mut self) {
        self.later.sort_unstable_by(|a, b| b.cmp(a));
        self.later.dedup();
    }

    /// Adds an entry of any distance while others are worked. One that is nearer than the bucket at
    /// work goes there.
    #[inline(always)]
    pub(crate) fn put(&mut self, entry: u32, distance: i32) {
        if self.reaches(distance) {
            self.push(entry, distance.max(self.current << self.shift));
        } else {
            self.postpone(entry, distance);
        }
    }

    /// Puts an entry in its place in the list.
    #[cold]
    fn postpone(&mut self, entry: u32, distance: i32) {
        let place = self.later.partition_point(|&other| other > (distance, entry));
        self.later.insert(place, (distance, entry));
    }

    /// The next of all entries, added ones too.
    pub(crate) fn next(&mut self) -> Option<u32> {
        loop {
            if let Some(entry) = self.next_in_current() {
                return Some(entry);
            }
            if !self.turn() {
                return None;
            }
        }
    }

    /// Goes to the next bucket that has entries, added ones too; `false` when none has.
    pub(crate) fn turn(&mut self) -> bool {
        self.feed();
        if self.read != self.tails[self.slot(self.current)] || self.next_bucket() {
            return true;
        }
        let Some(&(distance, _)) = self.later.last() else { return false };
        self.current = distance >> self.shift;
        self.feed();
        true
    }

    /// Moves what the ring reaches from the list into it.
    fn feed(&mut self) {
        while let Some(&(distance, entry)) = self.later.last()
            && self.reaches(distance)
        {
            self.push(entry, distance);
            self.later.pop();
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let words = self.words.capacity() + self.heads.capacity() + self.tails.capacity();
        (4 * words + 8 * self.later.capacity()) as u64
    }
}
