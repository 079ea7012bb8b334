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
pub(crate) const BLOCK: usize = 64;
const WORDS: u32 = BLOCK as u32;

/// Cells that wait, by distance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets {
    /// Blocks, one after another. Block 0 stands for none.
    words: Vec<u32>,
    /// Blocks that have been used since the start, block 0 too.
    used: u32,
    /// First block that was given back; each names the next one.
    free: u32,
    /// First block of each bucket, which has one even when it is empty. A power of two of them.
    heads: Vec<u32>,
    /// Where the next cell of each bucket goes.
    tails: Vec<u32>,
    /// Width of a bucket is `1 << shift`.
    shift: u32,
    /// Number of the bucket that is being worked: its distances `>> shift`.
    current: i32,
    /// Where the next cell of the current bucket is taken.
    read: u32,
    /// Distance and entry of what is beyond the ring, the farthest first.
    later: Vec<(i32, u32)>,
}

impl Buckets {
    /// Empties the ring. `largest_step` is the most that a distance can exceed the one it comes
    /// from; `room` is for that many cells that wait at once, more make it grow.
    pub(crate) fn start(&mut self, shift: u32, largest_step: i32, room: usize) {
        let buckets = ((largest_step >> shift) as u32 + 2).next_power_of_two();
        self.used = buckets + 1;
        let words = self.used as usize * BLOCK;
        if self.words.len() < words {
            self.words.reserve((words + room).saturating_sub(self.words.len()));
            self.words.resize(words, 0);
        }
        self.free = 0;
        self.heads.clear();
        self.heads.extend(1..=buckets);
        self.tails.clear();
        self.tails.extend((1..=buckets).map(first_of));
        self.shift = shift;
        self.current = 0;
        self.read = self.tails[0];
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
        if old >> self.shift != bucket || bucket == self.current {
            self.push(cell, new);
        }
    }

    /// Lets an entry wait in the bucket of a distance, which is not below the current bucket and
    /// not beyond the ring.
    #[inline(always)]
    pub(crate) fn push(&mut self, cell: u32, distance: i32) {
        let slot = self.slot(distance >> self.shift);
        let tail = self.tails[slot];
        self.words[tail as usize] = cell;
        let tail = tail + 1;
        self.tails[slot] = tail;
        if tail.is_multiple_of(WORDS) {
            self.add_block(slot);
        }
    }

    /// Adds a block to a bucket when its last one is full.
    #[cold]
    #[inline(never)]
    fn add_block(&mut self, slot: usize) {
        let mut block = self.free;
        if block == 0 {
            block = self.used;
            self.used += 1;
            let words = self.used as usize * BLOCK;
            if self.words.len() < words {
                self.words.resize(words, 0);
            }
        } else {
            self.free = self.words[block as usize * BLOCK];
        }
        let full = self.tails[slot] - WORDS;
        self.words[full as usize] = block;
        self.tails[slot] = first_of(block);
    }

    /// Gives the block that ends at `read` back and goes on with the next one.
    #[cold]
    #[inline(never)]
    fn free_block(&mut self) {
        let block = self.read / WORDS - 1;
        let link = &mut self.words[block as usize * BLOCK];
        let next = std::mem::replace(link, self.free);
        self.free = block;
        self.read = first_of(next);
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
        let cell = self.words[self.read as usize];
        self.read += 1;
        if self.read.is_multiple_of(WORDS) {
            self.free_block();
        }
        Some(cell)
    }

    /// Takes up to `most` of the next cells of the current bucket, all of one block, and returns how
    /// many it has written to `cells`; 0 when none is left.
    #[inline(always)]
    pub(crate) fn take(&mut self, most: u32, cells: &mut [u32; BLOCK]) -> usize {
        let tail = self.tails[self.slot(self.current)];
        let block = self.read / WORDS;
        let end = if tail / WORDS == block { tail } else { (block + 1) * WORDS };
        let count = (end - self.read).min(most);
        let taken = &self.words[self.read as usize..][..count as usize];
        cells[..count as usize].copy_from_slice(taken);
        self.read += count;
        if self.read.is_multiple_of(WORDS) {
            self.free_block();
        }
        count as usize
    }

    /// Goes from a bucket that is worked to the next one that has cells; `false` when none has.
    pub(crate) fn next_bucket(&mut self) -> bool {
        let slot = self.slot(self.current);
        // All blocks but the last have been given back.
        self.heads[slot] = self.tails[slot] / WORDS;
        self.tails[slot] = first_of(self.heads[slot]);
        self.read = self.tails[slot];
        for ahead in 1..self.tails.len() as i32 {
            let slot = self.slot(self.current + ahead);
            let first = first_of(self.heads[slot]);
            if self.tails[slot] != first {
                self.current += ahead;
                self.read = first;
                return true;
            }
        }
        false
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
        self.read = self.tails[self.slot(self.current)];
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

/// Where the first cell of a block lies.
fn first_of(block: u32) -> u32 {
    block * WORDS + 1
}
