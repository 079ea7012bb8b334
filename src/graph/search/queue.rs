//! The queue of searches: entries leave in the order of (key, estimate, node), whatever the keys.
//!
//! **Method.** A ring of buckets by key (Dial, "Algorithm 360", 1969). The entries up to the end of
//! the current bucket lie in a sorted list, so the order is total and does not depend on the width
//! of buckets; all others hang unsorted in chains, and most are sorted only among the few of their
//! bucket. What lies beyond the ring waits aside; it comes in when the ring gets there, and when
//! the ring is empty buckets get the width that half of what waits aside fits in.
//!
//! With plain grids, whose steps cost up to 362, a bucket is one key wide.

/// Buckets of the ring.
const RING: u32 = 4096;
/// End of a chain.
const END: u32 = u32::MAX;

/// A node that waits. Compared by key, then by what is left, then by node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) key: u32,
    pub(crate) left: u32,
    pub(crate) node: u32,
    /// The node before it. Of a node with one cost there is one entry, so this never decides.
    pub(crate) parent: u32,
}

/// An entry of a chain and the next one.
#[derive(Clone, Copy, Debug)]
struct Link {
    entry: Entry,
    next: u32,
}

/// Entries that wait.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    /// Entries up to the current bucket, the first at the end.
    near: Vec<Entry>,
    /// All chains.
    links: Vec<Link>,
    /// Chain of the links that are free.
    free: u32,
    /// Chain of every bucket.
    heads: Box<[u32; RING as usize]>,
    /// One bit for every bucket with a chain.
    filled: Box<[u64; RING as usize / 64]>,
    /// Chain of what is beyond the ring, and its least key.
    far: u32,
    far_key: u32,
    /// The bucket that is being worked, a key without its last `shift` bits.
    current: u32,
    shift: u32,
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            near: Vec::new(),
            links: Vec::new(),
            free: END,
            heads: Box::new([END; RING as usize]),
            filled: Box::new([0; RING as usize / 64]),
            far: END,
            far_key: u32::MAX,
            current: 0,
            shift: 0,
        }
    }
}

impl Queue {
    /// Takes all entries away.
    pub(crate) fn clear(&mut self) {
        self.near.clear();
        self.links.clear();
        self.free = END;
        for (word, bits) in self.filled.iter_mut().enumerate() {
            while *bits != 0 {
                self.heads[word * 64 + bits.trailing_zeros() as usize] = END;
                *bits &= *bits - 1;
            }
        }
        self.far = END;
        self.far_key = u32::MAX;
        self.current = 0;
        self.shift = 0;
    }

    /// Lets an entry wait.
    #[inline(always)]
    pub(crate) fn push(&mut self, entry: Entry) {
        let bucket = entry.key >> self.shift;
        if bucket <= self.current {
            self.insert(entry);
        } else {
            self.hang(entry, bucket);
        }
    }

    /// Puts an entry into the sorted list. It mostly is the first.
    #[inline(always)]
    fn insert(&mut self, entry: Entry) {
        if self.near.last().is_none_or(|&last| entry <= last) {
            self.near.push(entry);
        } else {
            let at = self.near.partition_point(|&other| other > entry);
            self.near.insert(at, entry);
        }
    }

    /// Hangs an entry into a chain.
    #[inline(always)]
    fn hang(&mut self, entry: Entry, bucket: u32) {
        let link = self.free;
        let head = if bucket - self.current < RING {
            let slot = bucket % RING;
            self.filled[slot as usize / 64] |= 1 << (slot % 64);
            &mut self.heads[slot as usize]
        } else {
            self.far_key = self.far_key.min(entry.key);
            &mut self.far
        };
        if link == END {
            let next = std::mem::replace(head, self.links.len() as u32);
            self.links.push(Link { entry, next });
        } else {
            let next = std::mem::replace(head, link);
            self.free =
                std::mem::replace(&mut self.links[link as usize], Link { entry, next }).next;
        }
    }

    /// The first entry that `keep` keeps; others are dropped some time.
    #[inline(always)]
    pub(crate) fn pop(&mut self, keep: impl Fn(&Entry) -> bool) -> Option<Entry> {
        loop {
            while let Some(entry) = self.near.pop() {
                if keep(&entry) {
                    return Some(entry);
                }
            }
            let Some(bucket) = self.next_bucket().filter(|_| self.far == END) else {
                if !self.bring_near() {
                    return None;
                }
                continue;
            };
            let first = self.take_chain(bucket);
            let Link { entry, next } = self.links[first as usize];
            if next != END {
                self.sort_chain(first, &keep);
                continue;
            }
            self.give_back(first, first);
            if keep(&entry) {
                return Some(entry);
            }
        }
    }

    /// Goes to a bucket and takes its chain.
    #[inline(always)]
    fn take_chain(&mut self, bucket: u32) -> u32 {
        self.current = bucket;
        let slot = bucket % RING;
        self.filled[slot as usize / 64] &= !(1 << (slot % 64));
        std::mem::replace(&mut self.heads[slot as usize], END)
    }

    /// Makes the links of a chain free.
    #[inline(always)]
    fn give_back(&mut self, first: u32, last: u32) {
        self.links[last as usize].next = self.free;
        self.free = first;
    }

    /// Makes a chain the sorted list, which is empty.
    fn sort_chain(&mut self, first: u32, keep: &impl Fn(&Entry) -> bool) {
        let mut link = first;
        loop {
            let Link { entry, next } = self.links[link as usize];
            if keep(&entry) {
                self.near.push(entry);
            }
            if next == END {
                break;
            }
            link = next;
        }
        self.give_back(first, link);
        last_first(&mut self.near);
    }

    /// Sorts the next bucket of what waits, be it beyond the ring; `false` when nothing waits.
    #[cold]
    fn bring_near(&mut self) -> bool {
        let mut next = self.next_bucket();
        if self.far != END && next.is_none_or(|next| self.far_key >> self.shift <= next) {
            self.fetch(next.is_none());
            next = self.next_bucket();
        }
        // What was fetched may lie in the list already.
        if let Some(bucket) = next.filter(|_| self.near.is_empty()) {
            let first = self.take_chain(bucket);
            self.sort_chain(first, &|_| true);
        }
        !self.near.is_empty()
    }

    /// The first bucket after the current one that has a chain.
    #[inline(always)]
    fn next_bucket(&self) -> Option<u32> {
        let slot = (self.current + 1) % RING;
        let start = slot as usize / 64;
        let bits = self.filled[start] & (u64::MAX << (slot % 64));
        if bits == 0 {
            return self.next_word(start);
        }
        Some(
            self.current
                + ((start as u32 * 64 + bits.trailing_zeros()).wrapping_sub(self.current) % RING),
        )
    }

    /// The same, when the word of the next bucket holds none.
    fn next_word(&self, start: usize) -> Option<u32> {
        let words = self.filled.len();
        let word = (1..=words).map(|i| (start + i) % words).find(|&w| self.filled[w] != 0)?;
        let slot = word as u32 * 64 + self.filled[word].trailing_zeros();
        Some(self.current + (slot.wrapping_sub(self.current) % RING))
    }

    /// Brings in what is no longer beyond the ring. An empty ring is moved there and gets buckets
    /// that hold half of it.
    #[cold]
    fn fetch(&mut self, ring_is_empty: bool) {
        if ring_is_empty {
            let (mut lengths, mut count) = ([0_u32; 33], 0);
            let mut link = self.far;
            while link != END {
                let Link { entry, next } = self.links[link as usize];
                lengths[(32 - (entry.key - self.far_key).leading_zeros()) as usize] += 1;
                count += 1;
                link = next;
            }
            let mut within = 0;
            let half = |&length: &u32| {
                within += lengths[length as usize];
                2 * within >= count
            };
            let length = (0..33).find(half).unwrap_or(32);
            self.shift = length.saturating_sub(RING.ilog2());
            self.current = self.far_key >> self.shift;
        }
        let mut link = std::mem::replace(&mut self.far, END);
        self.far_key = u32::MAX;
        while link != END {
            let Link { entry, next } = self.links[link as usize];
            self.links[link as usize].next = self.free;
            self.free = link;
            self.push(entry);
            link = next;
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let near = self.near.capacity() * size_of::<Entry>();
        let links = self.links.capacity() * size_of::<Link>();
        (near + links + size_of_val(&*self.heads) + size_of_val(&*self.filled)) as u64
    }
}

fn last_first(entries: &mut [Entry]) {
    entries.sort_unstable_by(|a, b| b.cmp(a));
}
