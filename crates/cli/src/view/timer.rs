//! How long ticks and their stages take.

use std::time::{Duration, Instant};

use throng::lane::Numbers;
use throng::tick::{Probe, Scratch, Stage};
use throng::world::World;

/// Share of the newest tick in the means.
const NEWEST: f64 = 0.1;

/// Mean times of the last ticks.
pub(super) struct Timer {
    /// Milliseconds by stage.
    pub(super) stages: [f64; Stage::ALL.len()],
    /// Milliseconds of a tick.
    pub(super) tick: f64,
    /// Milliseconds of the newest one.
    pub(super) newest: f64,
    began: Instant,
    last: Instant,
    now: [Duration; Stage::ALL.len()],
    ticks: u64,
}

impl Timer {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self {
            stages: [0.0; Stage::ALL.len()],
            tick: 0.0,
            newest: 0.0,
            began: now,
            last: now,
            now: Default::default(),
            ticks: 0,
        }
    }

    /// A tick begins.
    pub(super) fn begin(&mut self) {
        self.began = Instant::now();
        self.last = self.began;
        self.now = Default::default();
    }

    /// The tick is done.
    pub(super) fn end(&mut self) {
        self.ticks += 1;
        let share = NEWEST.max(1.0 / self.ticks as f64);
        let mix =
            |mean: &mut f64, time: Duration| *mean += share * (time.as_secs_f64() * 1e3 - *mean);
        let all = self.began.elapsed();
        self.newest = all.as_secs_f64() * 1e3;
        mix(&mut self.tick, all);
        for (mean, &time) in self.stages.iter_mut().zip(&self.now) {
            mix(mean, time);
        }
    }
}

impl Probe for Timer {
    fn ended<N: Numbers>(&mut self, stage: Stage, _: &World<N>, _: &Scratch<N>) {
        let now = Instant::now();
        self.now[stage as usize] += now - self.last;
        self.last = now;
    }
}
