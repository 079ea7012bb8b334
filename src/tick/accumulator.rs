//! Irregular frames in, whole ticks out.

/// Turns a caller's frame times into numbers of ticks. The frame times never reach the simulation.
///
/// ```
/// let mut clock = throng::tick::Accumulator::new(20, 5);
/// assert_eq!(clock.frame(0.049), 0);
/// assert_eq!(clock.frame(0.002), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Accumulator {
    tick_rate: u32,
    most: u32,
    /// Time not yet ticked, in nanoseconds times the tick rate.
    owed: u64,
}

/// Nanoseconds of a second.
const SECOND: u64 = 1_000_000_000;

impl Accumulator {
    /// For `tick_rate` ticks a second; a frame gets `most` ticks at most, and time beyond is
    /// dropped, so that a slow frame does not make the next one slower.
    pub fn new(tick_rate: u32, most: u32) -> Self {
        Self { tick_rate: tick_rate.max(1), most: most.max(1), owed: 0 }
    }

    /// The ticks to run after a frame of so many seconds (negative and NaN count as 0).
    pub fn frame(&mut self, seconds: f64) -> u32 {
        let nanoseconds = (seconds.clamp(0.0, 3600.0) * SECOND as f64).round_ties_even() as u64;
        self.owed += nanoseconds * u64::from(self.tick_rate);
        let ticks = self.owed / SECOND;
        self.owed %= SECOND;
        ticks.min(u64::from(self.most)) as u32
    }

    /// How far the present lies between the last tick and the next, 0 ..= 1, to draw in between.
    pub fn fraction(&self) -> f64 {
        self.owed as f64 / SECOND as f64
    }
}
