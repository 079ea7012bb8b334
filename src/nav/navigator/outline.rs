//! A hand on the wall: following outlines, and mazes.
//!
//! These steps go to the four neighbours alone: open cells are joined through these.

use crate::math::each::Each;
use crate::nav::navigator::ground::{Ground, turned};
use crate::nav::navigator::walker::Walker;

/// Left, straight, right, back.
const LEFT: [u8; 4] = [6, 0, 2, 4];
const RIGHT: [u8; 4] = [2, 0, 6, 4];

/// A step with a hand on the wall.
fn along(walker: &Walker, ground: &Ground<'_>) -> Option<(u8, u32)> {
    let turns = if walker.right { RIGHT } else { LEFT };
    turns.iter().find_map(|&turn| {
        let heading = turned(walker.heading, turn);
        ground.step(walker.cell, heading).map(|cell| (heading, cell))
    })
}

/// Left, straight, right, back; before there is a wall at the left, straight on to one.
pub(super) fn left_hand(walker: &mut Walker, ground: &Ground<'_>) -> Option<(u8, u32)> {
    if !walker.traces {
        walker.heading &= !1;
        let wall = |turn| ground.step(walker.cell, turned(walker.heading, turn)).is_none();
        if !wall(6) && !wall(0) {
            return along(&Walker { heading: turned(walker.heading, 2), ..*walker }, ground);
        }
        if !wall(6) {
            walker.heading = turned(walker.heading, 2);
        }
        walker.traces = true;
    }
    walker.right = false;
    along(walker, ground)
}

/// Straight on where that leads nearer to the goal, else along the outline of what is in the way:
/// until the goal is in `sight`, or until the line from where that began to the goal is crossed
/// nearer to the goal.
///
/// An outline is left for the line nearer to the goal than it was met, and what follows leads
/// nearer still, so tracing to the line ends. Where the next step is not free, another outline
/// begins.
pub(super) fn trace(
    walker: &mut Walker,
    ground: &Ground<'_>,
    goal: u32,
    sight: bool,
    random: u64,
) -> Option<(u8, u32)> {
    if walker.cell == goal {
        return None;
    }
    let ahead = ground.advance(walker.cell, goal);
    if walker.traces {
        let leaves = match sight {
            true => ground.sees(walker.cell, goal, false),
            false => crosses(walker, ground, goal),
        };
        walker.traces = !leaves;
    }
    if !walker.traces {
        if ahead.is_some() {
            return ahead;
        }
        let (headings, _) = ground.towards(walker.cell, goal);
        // The step along the longer axis is one of the first two, and even.
        let wall = if headings[0].is_multiple_of(2) { headings[0] } else { headings[1] };
        walker.traces = true;
        walker.right = random >> 63 == 1;
        walker.began = walker.cell;
        walker.heading = turned(wall, if walker.right { 6 } else { 2 });
    }
    along(walker, ground)
}

/// Whether the last step reached or crossed the line from where the outline was met to the goal,
/// nearer to the goal.
fn crosses(walker: &Walker, ground: &Ground<'_>, goal: u32) -> bool {
    let [began, goal_at] = [walker.began, goal].each(|cell| ground.place(cell).each(i64::from));
    let [x, y] = [goal_at[0] - began[0], goal_at[1] - began[1]];
    let side = |cell| {
        let [i, j] = ground.place(cell).each(i64::from);
        (x * (j - began[1]) - y * (i - began[0])).signum()
    };
    let former = ground.beside(walker.cell, turned(walker.heading, 4));
    let (now, before) = (side(walker.cell), side(former));
    let nearer = ground.square(walker.cell, goal) < ground.square(walker.began, goal);
    nearer && (now == 0 || (before != 0 && now != before))
}
