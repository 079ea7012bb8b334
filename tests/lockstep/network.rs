//! A network in memory that does to datagrams what networks do, from a seed.

use crate::common::terrain::Random;

/// How bad a network is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faults {
    /// Datagrams of a hundred that are lost.
    pub(crate) lost: u32,
    /// Datagrams of a hundred that come twice.
    pub(crate) doubled: u32,
    /// Steps that one takes at most; each takes its own, so they overtake each other.
    pub(crate) delay: u32,
}

/// Nothing goes wrong, and everything takes a step.
pub(crate) const GOOD: Faults = Faults { lost: 0, doubled: 0, delay: 1 };
/// Worse than a telephone on a train.
pub(crate) const BAD: Faults = Faults { lost: 20, doubled: 10, delay: 6 };

struct Datagram<T> {
    arrives: u64,
    from: usize,
    to: usize,
    content: T,
}

/// Datagrams so far: all, and the ones that went wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) sent: u32,
    pub(crate) lost: u32,
    pub(crate) doubled: u32,
    pub(crate) overtaken: u32,
}

/// Datagrams on their way.
pub(crate) struct Network<T> {
    faults: Faults,
    random: Random,
    step: u64,
    under_way: Vec<Datagram<T>>,
    pub(crate) count: Count,
}

impl<T: Clone> Network<T> {
    pub(crate) fn new(faults: Faults, seed: u64) -> Self {
        let (under_way, count) = (Vec::new(), Count::default());
        Self { faults, random: Random(seed), step: 0, under_way, count }
    }

    /// Time passes.
    pub(crate) fn step(&mut self) {
        self.step += 1;
    }

    pub(crate) fn send(&mut self, from: usize, to: usize, content: T) {
        self.count.sent += 1;
        if self.random.below(100) < self.faults.lost {
            self.count.lost += 1;
            return;
        }
        let copies = 1 + u32::from(self.random.below(100) < self.faults.doubled);
        self.count.doubled += copies - 1;
        for _ in 0..copies {
            let arrives = self.step + 1 + u64::from(self.random.below(self.faults.delay));
            let later = |other: &&Datagram<T>| {
                other.from == from && other.to == to && other.arrives > arrives
            };
            self.count.overtaken += self.under_way.iter().filter(later).count() as u32;
            self.under_way.push(Datagram { arrives, from, to, content: content.clone() });
        }
    }

    /// Datagrams that have arrived at a peer, with their senders, by time of arrival.
    pub(crate) fn arrived(&mut self, to: usize) -> Vec<(usize, T)> {
        let here = |datagram: &Datagram<T>| datagram.to == to && datagram.arrives <= self.step;
        let (mut arrived, under_way): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.under_way).into_iter().partition(here);
        self.under_way = under_way;
        arrived.sort_by_key(|datagram| datagram.arrives);
        arrived.into_iter().map(|datagram| (datagram.from, datagram.content)).collect()
    }
}
