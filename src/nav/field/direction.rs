//! Where each cell leads: the upwind gradient of the distances.
//!
//! A direction is a `u32`: x in the low half, y in the high half, as `i16` with 16,384 = 1.0. Bit 0
//! is not part of x: it says that the cell belongs to the goal area. [`SOLID`] stands for cells
//! that lead nowhere: walls, and cells from which no goal can be reached. Goals have a zero
//! direction.
//!
//! The gradient takes the nearer neighbour of each axis, if it is nearer than the cell itself.
//! Where the cell diagonally between those two is solid, only the steeper axis counts: no direction
//! leads into a wall or round a corner.

use crate::nav::field::UNREACHED;

/// Direction of cells that lead nowhere.
pub const SOLID: u32 = 0x8000_8000;
/// Bit of a direction that marks the goal area.
pub const GOAL_AREA: u32 = 1;

/// Packs the direction of a vector; the zero vector stays zero.
#[inline(always)]
pub fn pack(x: i32, y: i32) -> u32 {
    let (x, y) = (x as f32, y as f32);
    let square = x * x + y * y;
    let scale = if square > 0.0 { 8_192.0 / square.sqrt() } else { 0.0 };
    // x keeps bit 0 free, so it is rounded to even.
    let x = round(x * scale) << 1;
    let y = round(y * (scale * 2.0));
    (x as u32 & 0xffff) | ((y as u32) << 16)
}

/// Nearest whole number of a value in ±16,384.
#[inline(always)]
fn round(value: f32) -> i32 {
    // A cast is cut where numbers end, one number at a time. Whole numbers below 2^23 are the last
    // bits of what they and 2^23 make.
    const END: f32 = 8_388_608.0;
    let bits = ((value + 16_384.5).floor() + END).to_bits();
    (bits - END.to_bits()) as i32 - 16_384
}

/// x and y of a direction, 16,384 = 1.0; `None` when it leads nowhere.
#[inline]
pub fn unpack(direction: u32) -> Option<(i16, i16)> {
    (direction != SOLID).then_some(((direction & !GOAL_AREA) as i16, (direction >> 16) as i16))
}

/// Whether a direction marks its cell as part of the goal area.
#[inline]
pub fn is_goal_area(direction: u32) -> bool {
    direction & GOAL_AREA != 0
}

/// Directions of the rows `first..first + n` of a padded raster, none of which is a border row,
/// where `target` holds n rows.
pub fn write_rows(distances: &[i32], stride: u32, first: u32, target: &mut [u32]) {
    let width = stride as usize;
    for (y, row) in (first as usize..).zip(target.chunks_exact_mut(width)) {
        row[0] = SOLID;
        row[width - 1] = SOLID;
        write_run(distances, stride, y * width + 1, &mut row[1..width - 1]);
    }
}

/// Directions of neighbouring cells of one row, from the padded index `first` on; none is in the
/// first or the last row of the raster.
pub fn write_run(distances: &[i32], stride: u32, first: usize, target: &mut [u32]) {
    let count = target.len();
    let row = |first: usize| {
        let row = &distances[first - 1..][..count + 2];
        (&row[..count], &row[1..][..count], &row[2..][..count])
    };
    let (ul, u, ur) = row(first - stride as usize);
    let (l, t, r) = row(first);
    let (dl, d, dr) = row(first + stride as usize);
    for i in 0..count {
        let corners = [ul[i], ur[i], dl[i], dr[i]];
        target[i] = direction(t[i], [l[i], r[i], u[i], d[i]], corners);
    }
}

/// Direction of a cell of distance `t` from its neighbours.
#[inline(always)]
fn direction(t: i32, [l, r, u, d]: [i32; 4], [ul, ur, dl, dr]: [i32; 4]) -> u32 {
    let (right, down) = (r < l, d < u);
    let x = (t - l.min(r)).max(0);
    let y = (t - u.min(d)).max(0);
    let upper = if right { ur } else { ul };
    let lower = if right { dr } else { dl };
    let corner = if down { lower } else { upper };
    let blocked = corner == UNREACHED;
    let (only_x, only_y) = (blocked & (x >= y), blocked & (x < y));
    let x = if only_y { 0 } else { x };
    let y = if only_x { 0 } else { y };
    let packed = pack(if right { x } else { -x }, if down { y } else { -y });
    if t == UNREACHED { SOLID } else { packed }
}

/// Marks the directions of the cells of a goal area that `takes` takes.
pub(super) fn mark_area(directions: &mut [u32], area: &[u32], takes: impl Fn(usize) -> bool) {
    for cell in area.iter().map(|&cell| cell as usize) {
        if let Some(direction) = directions.get_mut(cell).filter(|d| **d != SOLID && takes(cell)) {
            *direction |= GOAL_AREA;
        }
    }
}
