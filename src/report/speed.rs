//! How fast agents that are under way walk.

use crate::par;
use crate::report::{ARRIVED, ORDERED};

/// Speeds of agents that have an order and have not arrived, over all observations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpeedMeter {
    sum: f64,
    count: u64,
}

impl SpeedMeter {
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
        let parts = par::runs(flags.len(), 1 << 14, |rows| {
            let mut part = Self::default();
            for (&[x, y], flags) in velocities[rows.clone()].iter().zip(&flags[rows]) {
                if flags & (ORDERED | ARRIVED) == ORDERED {
                    let (x, y) = (f64::from(x), f64::from(y));
                    part.add(&Self { sum: (x * x + y * y).sqrt(), count: 1 });
                }
            }
            part
        });
        parts.iter().for_each(|part| self.add(part));
    }

    fn add(&mut self, part: &Self) {
        self.sum += part.sum;
        self.count += part.count;
    }

    /// Mean speed in m/s; 0 when no agent was under way.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}
