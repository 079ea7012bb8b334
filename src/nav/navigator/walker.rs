//! A walker, and what it remembers.

use crate::nav::navigator::ground::{Ground, HEADINGS, turned};

/// An agent that chooses its way cell by cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walker {
    /// Where it is, as a padded index.
    pub cell: u32,
    /// Where its line, or its outline, begins.
    pub began: u32,
    /// Its last step: eighths of a turn clockwise from the right.
    pub heading: u8,
    /// Whether it keeps a hand on the wall.
    pub traces: bool,
    /// Whether that is the right hand.
    pub right: bool,
    /// Steps that it has chosen.
    pub steps: u32,
}

impl Walker {
    /// A walker that sets out from a cell for another.
    pub fn new(ground: &Ground<'_>, cell: u32, goal: u32) -> Self {
        let (headings, _) = ground.towards(cell, goal);
        Self { cell, began: cell, heading: headings[0], ..Self::default() }
    }
}

/// One of the free steps.
pub(super) fn any_step(ground: &Ground<'_>, cell: u32, random: u64) -> Option<(u8, u32)> {
    let free = (0..HEADINGS).filter(|&heading| ground.step(cell, heading).is_some());
    let count = free.clone().count() as u64;
    let heading = free.clone().nth(((random >> 32) % count.max(1)) as usize)?;
    Some((heading, ground.step(cell, heading)?))
}

/// One of the free steps ahead and to either side of that; where there is none, any.
pub(super) fn wander(
    ground: &Ground<'_>,
    cell: u32,
    heading: u8,
    random: u64,
) -> Option<(u8, u32)> {
    let turn = [7, 0, 0, 1][(random >> 62) as usize];
    let heading = turned(heading, turn);
    match ground.step(cell, heading) {
        Some(next) => Some((heading, next)),
        None => any_step(ground, cell, random),
    }
}
