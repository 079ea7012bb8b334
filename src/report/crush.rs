//! How a crowd pressed over a whole run.

use serde::Serialize;

use crate::math::each::Each;
use crate::report::measures::Depths;
use crate::report::passes::Passes;

/// How the agents of a run overlapped and passed through each other, agents at rest too.
///
/// Depths are shares of the smaller radius of a pair, as in [`Depths`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Crush {
    /// Pairs that overlap, for 1,000 agents, mean over the samples.
    pub pairs_per_1000: f64,
    /// Pairs that are deeper than a quarter of a radius.
    pub deeper_25: f64,
    /// Deeper than half a radius.
    pub deeper_50: f64,
    /// Deeper than a radius.
    pub deeper_100: f64,
    /// The largest `deeper_25` of a sample.
    pub worst_deeper_25: f64,
    /// The tick of that sample; 0 when no pair was that deep.
    pub worst_at: u64,
    /// Depth up to which half of the pairs of all samples go, rounded up to the next 1/256.
    pub overlap_p50: f64,
    /// Depth up to which 99 in 100 of these pairs go.
    pub overlap_p99: f64,
    /// Depth of the deepest pair.
    pub overlap_max: f64,
    /// How often two agents of one group passed through each other; see
    /// [`PassMeter`](crate::report::passes::PassMeter).
    pub passed_through_same: u64,
    /// How often two agents of two groups passed through each other.
    pub passed_through_other: u64,
}

/// Pairs for 1,000 agents at one moment: all that overlap, and those deeper than each of
/// [`DEEP`](crate::report::measures::DEEP).
pub fn per_1000(agents: usize, depths: &Depths) -> [f64; 4] {
    let [some, more, most] = depths.deeper;
    [depths.overlaps.pairs, some, more, most]
        .each(|pairs| pairs as f64 * 1e3 / agents.max(1) as f64)
}

/// Sums up the samples of a run.
#[derive(Clone, Debug, Default)]
pub struct CrushMeter {
    /// Samples with agents.
    samples: u64,
    /// Sums of [`per_1000`].
    sums: [f64; 4],
    /// All pairs of all samples.
    depths: Depths,
    worst: (f64, u64),
}

impl CrushMeter {
    /// Takes in a sample of so many agents after a tick. One without agents does not count.
    pub fn take(&mut self, tick: u64, agents: usize, depths: &Depths) {
        if agents == 0 {
            return;
        }
        let rates = per_1000(agents, depths);
        self.samples += 1;
        self.sums.iter_mut().zip(rates).for_each(|(sum, rate)| *sum += rate);
        self.depths.add(depths);
        if rates[1] > self.worst.0 {
            self.worst = (rates[1], tick);
        }
    }

    /// Samples that count, so far.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The run so far.
    pub fn crush(&self, passes: Passes) -> Crush {
        let samples = self.samples.max(1) as f64;
        let [pairs_per_1000, deeper_25, deeper_50, deeper_100] =
            self.sums.each(|sum| sum / samples);
        Crush {
            pairs_per_1000,
            deeper_25,
            deeper_50,
            deeper_100,
            worst_deeper_25: self.worst.0,
            worst_at: self.worst.1,
            overlap_p50: self.depths.quantile(0.5),
            overlap_p99: self.depths.quantile(0.99),
            overlap_max: self.depths.overlaps.max_overlap_radii,
            passed_through_same: passes.same,
            passed_through_other: passes.other,
        }
    }
}
