//! How the crowd presses, over time.

use crate::map::Map;
use crate::report::Crowd;
use crate::report::crush::{Crush, CrushMeter, per_1000};
use crate::report::measure::series::PressSeries;
use crate::report::measures::Depths;
use crate::report::passes::{PassMeter, Passes};

/// Follows overlaps, and agents that pass through each other.
#[derive(Debug)]
pub(super) struct Press {
    dt: f64,
    crush: CrushMeter,
    passes: PassMeter,
    /// As they were at the last sample, and its tick.
    before: (Passes, u64),
    pub(super) series: PressSeries,
}

impl Press {
    /// For ticks of `dt` seconds.
    pub(super) fn new(dt: f64) -> Self {
        Self {
            dt,
            crush: CrushMeter::default(),
            passes: PassMeter::new(dt),
            before: (Passes::default(), 0),
            series: PressSeries::default(),
        }
    }

    /// Looks at the crowd after a tick.
    pub(super) fn follow(&mut self, tick: u64, crowd: &Crowd, map: &Map) {
        self.passes.observe(tick, crowd, map);
    }

    /// Adds a sample with these overlaps.
    pub(super) fn sample(&mut self, tick: u64, crowd: &Crowd, depths: &Depths) {
        self.crush.take(tick, crowd.len(), depths);
        let [pairs, deeper_25, deeper_50, deeper_100] = per_1000(crowd.len(), depths);
        let (before, then) = std::mem::replace(&mut self.before, (self.passes.passes(), tick));
        let passed_s = tick.saturating_sub(then) as f64 * self.dt;
        let rate = |now: u64, before: u64| {
            if passed_s > 0.0 { (now - before) as f64 / passed_s } else { 0.0 }
        };
        let series = &mut self.series;
        series.pairs_per_1000.push(pairs);
        series.deeper_25.push(deeper_25);
        series.deeper_50.push(deeper_50);
        series.deeper_100.push(deeper_100);
        series.overlap_p99.push(depths.quantile(0.99));
        let now = self.passes.passes();
        series.passes_same_per_s.push(rate(now.same, before.same));
        series.passes_other_per_s.push(rate(now.other, before.other));
    }

    /// The run so far.
    pub(super) fn crush(&self) -> Crush {
        self.crush.crush(self.passes.passes())
    }
}
