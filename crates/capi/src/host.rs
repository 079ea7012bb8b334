//! Modes of a thread that would change results.

use std::hint::black_box;

use crate::status::{Fault, ThrongStatus};

/// Refuses a thread that flushes denormal numbers to zero or rounds otherwise than to the nearest
/// number, as libraries built for fast mathematics leave it.
pub(crate) fn check() -> Result<(), Fault> {
    let refuse = |why| Err(Fault::new(ThrongStatus::Host, why));
    if black_box(f32::MIN_POSITIVE) * black_box(0.5) == 0.0 {
        return refuse("this thread flushes denormal numbers to zero, so results would differ");
    }
    // Far less than half a step from 1, up and down: only the nearest number is 1 both times.
    if [1e-20, -1e-20].map(|little| black_box(1_f32) + black_box(little) == 1.0) != [true; 2] {
        return refuse("this thread does not round to the nearest number, so results would differ");
    }
    Ok(())
}
