//! Lines over cells: the line of Bresenham, and whether a line is free.

use crate::nav::navigator::Ground;

/// The cell of a line between two places that lies `count` steps from its start, as Bresenham
/// (1965) draws it: one step along the longer axis each. Beyond the end it goes on.
pub fn on_line(from: [i32; 2], to: [i32; 2], count: i32) -> [i32; 2] {
    let by = [to[0] - from[0], to[1] - from[1]].map(i64::from);
    let steps = by[0].abs().max(by[1].abs()).max(1);
    let moved = |by: i64| (2 * i64::from(count) * by + steps).div_euclid(2 * steps) as i32;
    [from[0] + moved(by[0]), from[1] + moved(by[1])]
}

/// Whether an agent can walk straight from the centre of a cell to that of another: every cell that
/// the line touches is open, corners included. With `even` they must also be as quick as the first
/// one, so that no way is cut through slower ground.
pub fn is_clear(ground: &Ground<'_>, from: u32, to: u32, even: bool) -> bool {
    let own = ground.slowness(from);
    let (a, b) = (ground.place(from), ground.place(to));
    let by = [b[0] - a[0], b[1] - a[1]];
    let sign = by.map(i32::signum);
    let [wide, high] = by.map(|by| i64::from(by.abs()));
    let good = |at: [i32; 2]| {
        let slowness = ground.slowness(ground.cell(at));
        slowness != 0 && (!even || slowness == own)
    };
    if own == 0 {
        return false;
    }
    // Above 0 the line leaves the cell by its left or right side, below by another, at 0 by a
    // corner.
    let (mut at, mut side) = (a, wide - high);
    while at != b {
        if side == 0 {
            if !(good([at[0] + sign[0], at[1]]) && good([at[0], at[1] + sign[1]])) {
                return false;
            }
            at = [at[0] + sign[0], at[1] + sign[1]];
            side += 2 * (wide - high);
        } else if side > 0 {
            at[0] += sign[0];
            side -= 2 * high;
        } else {
            at[1] += sign[1];
            side += 2 * wide;
        }
        if !good(at) {
            return false;
        }
    }
    true
}
