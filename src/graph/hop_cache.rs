//! A cache of next hops: of ways that were searched, which node comes next.
//!
//! **What.** At most `capacity` entries (from, to) → next node. Finding or inserting one makes it
//! the newest; when the cache is full, the one used longest ago goes.
//!
//! **Method.** Entries lie in one array and name each other by index: a chain for every bucket of a
//! hash table of at least as many buckets as entries, and one doubly linked list in the order of
//! use. Every operation is a constant number of steps and, after [`HopCache::new`], none allocates.

use crate::graph::NONE;
use crate::graph::use_order::UseOrder;
use crate::math::hash2;

/// An entry and its links.
#[derive(Clone, Copy, Debug)]
struct Entry {
    from: u32,
    to: u32,
    next: u32,
    /// The next entry of the same bucket.
    chain: u32,
}

/// The next node on the way from one node to another, for the ways used last.
#[derive(Clone, Debug)]
pub struct HopCache {
    entries: Vec<Entry>,
    capacity: u32,
    /// First entry of every bucket; a power of two of them.
    buckets: Vec<u32>,
    order: UseOrder,
}

/// Most entries of a cache.
pub const MAX_HOPS: u32 = 1 << 24;

impl HopCache {
    /// An empty cache.
    ///
    /// # Panics
    /// When the capacity is not 1 to [`MAX_HOPS`].
    pub fn new(capacity: u32) -> Self {
        assert!((1..=MAX_HOPS).contains(&capacity), "{capacity} next hops, not 1 to {MAX_HOPS}");
        Self {
            entries: Vec::with_capacity(capacity as usize),
            capacity,
            buckets: vec![NONE; capacity.next_power_of_two() as usize],
            order: UseOrder::new(capacity as usize),
        }
    }

    /// The node after `from` on the way to `to`, if it is known; it counts as used.
    pub fn find(&mut self, from: u32, to: u32) -> Option<u32> {
        let entry = self.entry(from, to);
        if entry == NONE {
            return None;
        }
        self.order.touch(entry);
        Some(self.entries[entry as usize].next)
    }

    /// Notes that `next` comes after `from` on the way to `to`.
    pub fn insert(&mut self, from: u32, to: u32, next: u32) {
        let mut entry = self.entry(from, to);
        if entry == NONE {
            entry = self.take(from, to);
            self.order.add(entry);
        } else {
            self.order.touch(entry);
        }
        self.entries[entry as usize].next = next;
    }

    /// Notes every step of a way, its end being where it leads. The steps nearest to the end are
    /// the newest: of a way that is longer than the cache, its end stays.
    pub fn insert_path(&mut self, path: &[u32]) {
        let Some(&to) = path.last() else { return };
        for step in path.windows(2) {
            self.insert(step[0], to, step[1]);
        }
    }

    /// Writes the way from one node to another over `path`, both included, if every step of it is
    /// known; else leaves what is known and returns `false`. Ways that were inserted without a turn
    /// back end after at most as many steps as there are entries.
    pub fn path(&mut self, from: u32, to: u32, path: &mut Vec<u32>) -> bool {
        path.clear();
        path.push(from);
        let mut at = from;
        while at != to {
            match self.find(at, to) {
                Some(next) if path.len() <= self.entries.len() => {
                    at = next;
                    path.push(at);
                }
                _ => return false,
            }
        }
        true
    }

    /// Forgets everything, as when the graph has changed.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.buckets.fill(NONE);
        self.order.clear();
    }

    /// Entries held.
    pub fn len(&self) -> u32 {
        self.entries.len() as u32
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Entries that fit.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let entries = self.entries.capacity() * size_of::<Entry>();
        (entries + 4 * self.buckets.capacity()) as u64 + self.order.bytes()
    }

    fn bucket(&self, from: u32, to: u32) -> usize {
        hash2(u64::from(from), u64::from(to)) as usize & (self.buckets.len() - 1)
    }

    /// The entry of a pair, or none.
    fn entry(&self, from: u32, to: u32) -> u32 {
        let mut at = self.buckets[self.bucket(from, to)];
        while at != NONE {
            let entry = &self.entries[at as usize];
            if entry.from == from && entry.to == to {
                break;
            }
            at = entry.chain;
        }
        at
    }

    /// A new entry in its bucket, not yet in the order of use.
    fn take(&mut self, from: u32, to: u32) -> u32 {
        let bucket = self.bucket(from, to);
        let fresh = Entry { from, to, next: NONE, chain: NONE };
        let at = if self.len() < self.capacity {
            self.entries.push(fresh);
            self.len() - 1
        } else {
            let oldest = self.order.oldest();
            self.order.remove(oldest);
            self.unchain(oldest);
            oldest
        };
        self.entries[at as usize] = Entry { chain: self.buckets[bucket], ..fresh };
        self.buckets[bucket] = at;
        at
    }

    /// Takes an entry out of its bucket.
    fn unchain(&mut self, entry: u32) {
        let Entry { from, to, chain, .. } = self.entries[entry as usize];
        let bucket = self.bucket(from, to);
        let mut at = self.buckets[bucket];
        if at == entry {
            self.buckets[bucket] = chain;
            return;
        }
        while self.entries[at as usize].chain != entry {
            at = self.entries[at as usize].chain;
        }
        self.entries[at as usize].chain = chain;
    }
}
