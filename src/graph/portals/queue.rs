//! The queue of searches inside one sector: a small ring of buckets, and seeds that join it when
//! their turn comes.

/// Cells of a window that wait, by distance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    buckets: Vec<Vec<u16>>,
    /// Width of a bucket is `1 << shift`.
    shift: u32,
    current: u32,
    waiting: u32,
    /// Seeds that have not joined yet, farthest first.
    seeds: Vec<(u32, u16)>,
}

impl Queue {
    /// Empties the queue. Distances exceed those they come from by no more than `largest_step`.
    pub(crate) fn start(&mut self, shift: u32, largest_step: u32) {
        let buckets = ((largest_step >> shift) as usize + 2).next_power_of_two();
        self.buckets.iter_mut().for_each(Vec::clear);
        self.buckets.resize_with(buckets, Vec::new);
        self.shift = shift;
        self.current = 0;
        self.waiting = 0;
        self.seeds.clear();
    }

    /// Lets a cell start at a distance. All seeds are named before the search begins.
    pub(crate) fn seed(&mut self, cell: u16, distance: u32) {
        self.seeds.push((distance, cell));
    }

    /// Begins the search.
    pub(crate) fn begin(&mut self) {
        self.seeds.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Lets a cell wait whose distance fell from `old` to `new`.
    #[inline(always)]
    pub(crate) fn lower(&mut self, cell: u16, old: u32, new: u32) {
        let bucket = new >> self.shift;
        if old >> self.shift == bucket && bucket != self.current {
            return;
        }
        let slot = bucket as usize & (self.buckets.len() - 1);
        self.buckets[slot].push(cell);
        self.waiting += 1;
    }

    /// The next cell whose turn it is.
    #[inline(always)]
    pub(crate) fn next(&mut self, distances: &[u32]) -> Option<u16> {
        loop {
            let slot = self.current as usize & (self.buckets.len() - 1);
            while let Some(cell) = self.buckets[slot].pop() {
                self.waiting -= 1;
                if distances[usize::from(cell)] >> self.shift == self.current {
                    return Some(cell);
                }
            }
            if self.waiting > 0 {
                self.current += 1;
            } else {
                self.current = self.seeds.last()?.0 >> self.shift;
            }
            self.join();
        }
    }

    /// Takes in the seeds of the current bucket.
    fn join(&mut self) {
        let slot = self.current as usize & (self.buckets.len() - 1);
        while let Some(&(distance, cell)) = self.seeds.last()
            && distance >> self.shift <= self.current
        {
            self.buckets[slot].push(cell);
            self.waiting += 1;
            self.seeds.pop();
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let cells: usize = self.buckets.iter().map(Vec::capacity).sum();
        (2 * cells + 8 * self.seeds.capacity()) as u64
    }
}
