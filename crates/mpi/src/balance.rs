//! Where to cut: strips follow the time that processes need for theirs.

/// Ticks from one measurement to the next.
pub(crate) const EVERY: u64 = 16;
/// Time of the slowest over that of all on average from which cuts are moved.
const UNEVEN: f64 = 1.05;
/// How far cuts move towards where they should be.
const STEP: f64 = 0.5;
/// Least share of the agents of a process, of an even one.
const LEAST: f64 = 0.1;

/// The cuts, as shares of the agents in their order.
#[derive(Clone, Debug)]
pub(crate) struct Balance {
    /// Where the part of each process ends.
    ends: Vec<f64>,
    /// Sums over all measurements: the times of the slowest, and of all on average.
    slowest: f64,
    mean: f64,
    pub(crate) moves: u64,
}

impl Balance {
    /// Even parts.
    pub(crate) fn new(count: usize) -> Self {
        let ends = (1..=count).map(|i| i as f64 / count as f64).collect();
        Self { ends, slowest: 0.0, mean: 0.0, moves: 0 }
    }

    /// Before which agent each part ends.
    pub(crate) fn cut(&self, agents: u32, ends: &mut [u32]) {
        for (end, share) in ends.iter_mut().zip(&self.ends) {
            *end = (share * f64::from(agents)).round() as u32;
        }
    }

    /// How uneven the times have been: 1 where all worked as long.
    pub(crate) fn imbalance(&self) -> f64 {
        if self.mean > 0.0 { self.slowest / self.mean } else { 1.0 }
    }

    /// Takes the time that each process needed for its part, in seconds, and moves the cuts where they
    /// differ much.
    pub(crate) fn measured(&mut self, times: &[f64]) {
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let slowest = times.iter().copied().fold(0.0, f64::max);
        if mean.is_nan() || mean <= 0.0 {
            return;
        }
        self.slowest += slowest;
        self.mean += mean;
        if slowest > UNEVEN * mean {
            self.move_cuts(times, mean);
            self.moves += 1;
        }
    }

    /// Moves every cut towards where the time before it would be its share, if time within a part were
    /// spread evenly.
    fn move_cuts(&mut self, times: &[f64], mean: f64) {
        let count = times.len();
        let (mut part, mut before, mut start) = (0, 0.0, 0.0);
        let mut moved = self.ends.clone();
        for (i, end) in moved.iter_mut().enumerate().take(count - 1) {
            let wanted = (i + 1) as f64 * mean;
            while part + 1 < count && before + times[part] < wanted {
                before += times[part];
                start = self.ends[part];
                part += 1;
            }
            let share = ((wanted - before) / times[part].max(1e-12)).clamp(0.0, 1.0);
            let at = start + share * (self.ends[part] - start);
            *end += STEP * (at - *end);
        }
        let least = LEAST / count as f64;
        for i in 0..count - 1 {
            let from = if i == 0 { 0.0 } else { moved[i - 1] };
            moved[i] = moved[i].max(from + least).min(1.0 - least * (count - 1 - i) as f64);
        }
        self.ends = moved;
    }
}

#[cfg(test)]
mod tests {
    use super::Balance;

    /// The time of each part of a crowd in which an agent costs `cost(share)`.
    fn times(balance: &Balance, cost: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut ends = vec![0; balance.ends.len()];
        balance.cut(10_000, &mut ends);
        let mut first = 0;
        let part = |end: u32| {
            let time = (first..end).map(|agent| cost(f64::from(agent) / 10_000.0)).sum();
            first = end;
            time
        };
        ends.into_iter().map(part).collect()
    }

    #[test]
    fn cuts_go_to_where_all_work_as_long() {
        for count in [2, 3, 8] {
            let mut balance = Balance::new(count);
            // The last quarter of the crowd costs as much as the rest.
            let cost = |share| if share < 0.75 { 1.0 } else { 3.0 };
            for _ in 0..30 {
                let times = times(&balance, cost);
                balance.measured(&times);
            }
            let times = times(&balance, cost);
            let mean = times.iter().sum::<f64>() / count as f64;
            assert!(times.iter().all(|time| *time < 1.06 * mean), "{count}: {times:?}");
            assert!(balance.moves > 0 && balance.moves < 30, "{count}: {} moves", balance.moves);
            assert_eq!(*balance.ends.last().unwrap(), 1.0);
        }
    }

    #[test]
    fn nobody_is_left_without_agents() {
        let mut balance = Balance::new(4);
        (0..50).for_each(|_| balance.measured(&[1.0, 1e-9, 1e-9, 1e-9]));
        let mut ends = [0; 4];
        balance.cut(1_000, &mut ends);
        assert!(ends[0] >= 25 && ends.windows(2).all(|pair| pair[1] >= pair[0] + 20), "{ends:?}");
        assert_eq!(ends[3], 1_000);
    }

    #[test]
    fn even_parts_stay() {
        let mut balance = Balance::new(3);
        balance.measured(&[1.0, 1.04, 1.0]);
        balance.measured(&[0.0; 3]);
        assert_eq!((balance.moves, balance.ends), (0, Balance::new(3).ends));
    }
}
