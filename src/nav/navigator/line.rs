//! The line of Bresenham over cells.

use crate::math::each::Each;

/// The cell of a line between two places that lies `count` steps from its start, as Bresenham
/// (1965) draws it: one step along the longer axis each. Beyond the end it goes on.
pub fn on_line(from: [i32; 2], to: [i32; 2], count: i32) -> [i32; 2] {
    let by = [to[0] - from[0], to[1] - from[1]].each(i64::from);
    let steps = by[0].abs().max(by[1].abs()).max(1);
    let moved = |by: i64| (2 * i64::from(count) * by + steps).div_euclid(2 * steps) as i32;
    [from[0] + moved(by[0]), from[1] + moved(by[1])]
}
