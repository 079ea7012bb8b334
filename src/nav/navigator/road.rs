//! Roads: ground that is quicker than plain.

use crate::map::PLAIN;
use crate::nav::navigator::ground::{Ground, turned};
use crate::nav::navigator::walker::Walker;

/// What a step to a road is worth.
const ROAD: i32 = 10;

/// What a step is worth by its turn in eighths, and the order in which equals are looked at.
const TURNS: [(u8, i32); 8] = [(0, 2), (1, 1), (7, 1), (2, 0), (6, 0), (3, 0), (5, 0), (4, -1)];

/// The free step of most worth: 10 for a road, 2 for the present heading, 1 for those beside it, -1
/// for back. Of equals the one that turns less, and that to the right.
pub(super) fn follow(walker: &Walker, ground: &Ground<'_>) -> Option<(u8, u32)> {
    let mut best: Option<(i32, u8, u32)> = None;
    for (turn, worth) in TURNS {
        let heading = turned(walker.heading, turn);
        let Some(cell) = ground.step(walker.cell, heading) else { continue };
        let worth = worth + if ground.slowness(cell) < PLAIN { ROAD } else { 0 };
        if best.is_none_or(|(most, _, _)| worth > most) {
            best = Some((worth, heading, cell));
        }
    }
    best.map(|(_, heading, cell)| (heading, cell))
}
