//! How fast agents that are under way walk.

use rayon::prelude::*;

use crate::report::{ARRIVED, ORDERED};

/// Speeds of agents that have an order and have not arrived, over all observations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpeedMeter {
    sum: f64,
    count: u64,
    range: Option<[f64; 2]>,
}

impl SpeedMeter {
    /// A meter that has seen nobody.
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks at velocities in m/s and the flags of [`Crowd`](crate::report::Crowd), row by row. The
    /// sums have an order that depends on the number of rows alone.
    ///
    /// # Panics
    /// When the columns differ in length.
    pub fn observe(&mut self, velocities: &[[f32; 2]], flags: &[u8]) {
        assert!(
            velocities.len() == flags.len(),
            "{} velocities, {} flags",
            velocities.len(),
            flags.len()
        );
        let parts: Vec<Self> = (velocities.par_chunks(1 << 14), flags.par_chunks(1 << 14))
            .into_par_iter()
            .map(|(velocities, flags)| {
                let mut part = Self::new();
                for (&[x, y], flags) in velocities.iter().zip(flags) {
                    if flags & (ORDERED | ARRIVED) == ORDERED {
                        let (x, y) = (f64::from(x), f64::from(y));
                        let speed = (x * x + y * y).sqrt();
                        part.add(&Self { sum: speed, count: 1, range: Some([speed; 2]) });
                    }
                }
                part
            })
            .collect();
        parts.iter().for_each(|part| self.add(part));
    }

    fn add(&mut self, part: &Self) {
        self.sum += part.sum;
        self.count += part.count;
        self.range = match (self.range, part.range) {
            (Some(a), Some(b)) => Some([a[0].min(b[0]), a[1].max(b[1])]),
            (a, b) => a.or(b),
        };
    }

    /// Mean speed in m/s; 0 when nobody was under way.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }

    /// Smallest and largest speed in m/s; `None` when nobody was under way.
    pub fn range(&self) -> Option<[f64; 2]> {
        self.range
    }
}
