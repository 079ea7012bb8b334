//! Crumbs that a leader has dropped.

use crate::nav::navigator::ground::Ground;
use crate::nav::navigator::walker::{Walker, wander};

/// A step to the newest crumb beside the walker; it stays on the newest of all, and wanders where
/// there is none. `trail` has the oldest first.
pub(super) fn follow(
    walker: &Walker,
    ground: &Ground<'_>,
    trail: &[u32],
    random: u64,
) -> Option<(u8, u32)> {
    if trail.last() == Some(&walker.cell) {
        return None;
    }
    // Crumbs older than the one underfoot lead back.
    let newer = trail.iter().rev().take_while(|&&crumb| crumb != walker.cell);
    let beside = |&crumb: &u32| {
        let heading = ground.heading_to(walker.cell, crumb)?;
        Some((heading, ground.step(walker.cell, heading)?))
    };
    newer
        .into_iter()
        .find_map(beside)
        .or_else(|| wander(ground, walker.cell, walker.heading, random))
}
