//! When the next tick is due.

use std::time::{Duration, Instant};

use crate::view::ask::Control;

/// How far the clock may lag before it forgets what it has missed.
const LAG: Duration = Duration::from_millis(250);
/// Time over which ticks are counted.
const COUNTED: Duration = Duration::from_millis(500);

/// The clock of a run.
pub(super) struct Clock {
    /// 1 plays, -1 plays backwards, 0 halts.
    pub(super) play: i8,
    /// Simulated seconds a second.
    pub(super) speed: f64,
    /// Seconds of a tick.
    dt: f64,
    due: Instant,
    counted_from: Instant,
    counted: u32,
    /// Ticks a second, lately.
    pub(super) rate: f64,
}

impl Clock {
    pub(super) fn new(dt: f64, is_paused: bool) -> Self {
        let now = Instant::now();
        let (play, speed, rate) = (i8::from(!is_paused), 1.0, 0.0);
        Self { play, speed, dt, due: now, counted_from: now, counted: 0, rate }
    }

    /// Takes on what a page wants.
    pub(super) fn set(&mut self, control: &Control) {
        if let Some(play) = control.play {
            self.play = play;
        }
        if let Some(speed) = control.speed {
            self.speed = speed;
        }
        self.due = Instant::now() + self.between();
    }

    fn between(&self) -> Duration {
        Duration::from_secs_f64(self.dt / self.speed)
    }

    /// How long until the next tick is due; `None` while the clock halts.
    pub(super) fn wait(&self) -> Option<Duration> {
        (self.play != 0).then(|| self.due.saturating_duration_since(Instant::now()))
    }

    /// Whether a tick is due, which is counted as done.
    pub(super) fn is_due(&mut self) -> bool {
        let now = Instant::now();
        if self.play == 0 || now < self.due {
            return false;
        }
        self.due += self.between();
        if now > self.due + LAG {
            self.due = now;
        }
        true
    }

    /// Counts a tick that was shown.
    pub(super) fn count(&mut self) {
        self.counted += 1;
        self.recount();
    }

    /// Ticks a second, lately.
    pub(super) fn recount(&mut self) {
        let time = self.counted_from.elapsed();
        if time >= COUNTED {
            self.rate = f64::from(self.counted) / time.as_secs_f64();
            self.counted = 0;
            self.counted_from = Instant::now();
        }
    }
}
