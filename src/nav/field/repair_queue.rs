//! What a repair still has to look at, by distance.

use crate::nav::field::buckets::Buckets;

/// Entries in the order of their distances: a ring of buckets for those near the distance at work,
/// a sorted list for the ones far ahead.
#[derive(Clone, Debug, Default)]
pub(super) struct RepairQueue {
    buckets: Buckets,
    /// Distance and entry of what waits for its turn, the farthest first.
    later: Vec<(i32, u32)>,
}

impl RepairQueue {
    /// Empties the repair queue. Buckets are `1 << shift` wide, and the ring reaches
    /// at least `largest_step` beyond the one at work.
    pub(super) fn start(&mut self, shift: u32, largest_step: i32, room: usize) {
        self.buckets.start(shift, largest_step, room);
        self.later.clear();
    }

    /// Adds an entry of any distance, before [`RepairQueue::sort`].
    pub(super) fn add(&mut self, entry: u32, distance: i32) {
        self.later.push((distance, entry));
    }

    /// Makes the added entries ready.
    pub(super) fn sort(&mut self) {
        self.later.sort_unstable_by(|a, b| b.cmp(a));
        self.later.dedup();
    }

    /// Adds an entry while others are worked. One that is nearer than the bucket at work goes
    /// there.
    #[inline(always)]
    pub(super) fn push(&mut self, entry: u32, distance: i32) {
        if self.buckets.reaches(distance) {
            self.buckets.push(entry, distance.max(self.buckets.start_of_current()));
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

    /// Whether a distance is beyond the bucket at work.
    #[inline(always)]
    pub(super) fn is_later(&self, distance: i32) -> bool {
        distance >= self.buckets.end_of_current()
    }

    /// The next entry.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<u32> {
        loop {
            if let Some(entry) = self.buckets.next_in_current() {
                return Some(entry);
            }
            if !self.turn() {
                return None;
            }
        }
    }

    /// The next entry of the bucket at work.
    #[inline(always)]
    pub(super) fn next_in_current(&mut self) -> Option<u32> {
        self.buckets.next_in_current()
    }

    /// Goes to the next bucket that has entries; `false` when none has.
    pub(super) fn turn(&mut self) -> bool {
        self.feed();
        if self.buckets.has_current() || self.buckets.next_bucket() {
            return true;
        }
        let Some(&(distance, _)) = self.later.last() else { return false };
        self.buckets.jump(distance);
        self.feed();
        true
    }

    /// Moves what the ring reaches from the list into it.
    fn feed(&mut self) {
        while let Some(&(distance, entry)) = self.later.last() {
            if !self.buckets.reaches(distance) {
                return;
            }
            self.buckets.push(entry, distance);
            self.later.pop();
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.buckets.bytes() + (self.later.capacity() * size_of::<(i32, u32)>()) as u64
    }
}
