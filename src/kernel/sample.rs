//! Sampling the flow field: wall-safe and bilinear.
//!
//! The direction at a point blends the vectors of the 4 nearest cell centres. Solid cells do not
//! count; nor does the cell diagonally across from the own cell when a side neighbour of the own
//! cell is solid, so no agent is drawn round a corner. A blend that cancels gives way to the own
//! cell's vector, and the zero at the goal stays zero. An agent that was pushed so far into a corner
//! that only the cell across is not solid follows that one.
//!
//! Codes are the packed directions of `nav::field`: x in the low and y in the high 16 bits, Q1.14;
//! bit 0 flags the goal's area; `0x8000_8000` is solid.

use crate::lane::{IntLane, Lane, Mask};
use crate::math::Num;
use crate::math::each::Each;

/// The code of a cell that is solid or that the field does not reach.
pub const SOLID: u32 = 0x8000_8000;

/// The 4 cells around points: where they are in a padded raster, and the weights.
#[derive(Clone, Copy)]
pub struct Corners<L: Lane> {
    /// Padded index of the upper left cell.
    pub first: L::Int,
    /// Share of the right and of the lower cells.
    pub share: [L; 2],
    /// Where the own cell is the right, and the lower one.
    pub own: [L::Mask; 2],
}

/// The 4 cells whose centres surround points on the map, for cells of `1 / scale` metres.
#[inline(always)]
pub fn corners<L: Lane>(x: L, y: L, scale: L, stride: i32) -> Corners<L> {
    let half = L::splat(L::Num::HALF);
    let (u, v) = (x * scale + half, y * scale + half);
    let (i, j) = (u.floor_int(), v.floor_int());
    let share = [u - L::from_int(i), v - L::from_int(j)];
    Corners {
        first: j * L::Int::splat(stride) + i,
        share,
        own: [half.le(share[0]), half.le(share[1])],
    }
}

/// The padded index of the cells that hold points.
#[inline(always)]
pub fn own_cell<L: Lane>(x: L, y: L, scale: L, stride: L::Int) -> L::Int {
    let one = L::Int::splat(1);
    ((y * scale).floor_int() + one) * stride + (x * scale).floor_int() + one
}

/// The codes of the 4 cells: upper left, upper right, lower left, lower right.
pub type Codes<L> = [<L as Lane>::Int; 4];

/// Reads the codes: `quad(lane, first)` gives the codes of 4 cells from a first one on.
#[inline(always)]
pub fn gather<L: Lane>(
    corners: &Corners<L>,
    quad: impl Fn(usize, usize) -> [[u32; 2]; 2],
) -> Codes<L> {
    let mut words = [[0_u64; 8]; 2];
    for lane in 0..L::WIDTH {
        let rows = quad(lane, corners.first.get(lane) as usize);
        for (words, [left, right]) in words.iter_mut().zip(rows) {
            words[lane] = u64::from(left) | u64::from(right) << 32;
        }
    }
    let [upper, lower] = words.each(|words| L::Int::halves(&words));
    [upper[0], upper[1], lower[0], lower[1]]
}

/// The codes of the 4 cells of a raster from a first one on, upper and lower ones; 0 beyond its end.
#[inline(always)]
pub fn quad(codes: &[u32], first: usize, stride: usize) -> [[u32; 2]; 2] {
    let cells = codes.get(first..first + stride + 2);
    cells.map_or([[0; 2]; 2], |cells| [0, stride].each(|row| [cells[row], cells[row + 1]]))
}

/// A sampled direction.
#[derive(Clone, Copy)]
pub struct Direction<L: Lane> {
    /// A unit vector, or zero where there is nowhere to go.
    pub x: L,
    /// See `x`.
    pub y: L,
    /// Where the own cell belongs to the goal's area.
    pub in_goal: L::Mask,
}

/// Picks the own cell's value, and the other three relative to it: beside, above or below, across.
#[inline(always)]
fn relative<L: Lane>(corners: &Corners<L>, codes: &Codes<L>) -> Codes<L> {
    let [right, down] = corners.own;
    let swap = |mask, a, b| (L::Int::select(mask, b, a), L::Int::select(mask, a, b));
    let (upper_own, upper_side) = swap(right, codes[0], codes[1]);
    let (lower_own, lower_side) = swap(right, codes[2], codes[3]);
    let (own, beyond) = swap(down, upper_own, lower_own);
    let (side, across) = swap(down, upper_side, lower_side);
    [own, side, beyond, across]
}

/// Blends codes to directions.
#[inline(always)]
pub fn blend<L: Lane>(corners: &Corners<L>, codes: &Codes<L>) -> Direction<L> {
    let [own, side, beyond, across] = relative::<L>(corners, codes);
    let solid = L::Int::splat(SOLID as i32);
    let [own_solid, side_solid, beyond_solid] = [own, side, beyond].each(|code| code.equal(solid));
    let across_out = across.equal(solid) | side_solid | beyond_solid;
    let cornered = own_solid & side_solid & beyond_solid & !across.equal(solid);
    // The own cell's share is at least a half in both directions.
    let one = L::one();
    let [fx, fy] = corners.share;
    let (gx, gy) =
        (L::select(corners.own[0], fx, one - fx), L::select(corners.own[1], fy, one - fy));
    let (ox, oy) = (one - gx, one - gy);
    let zero = L::zero();
    let weights = [
        L::select(own_solid, zero, gx.mul_unit(gy)),
        L::select(side_solid, zero, ox.mul_unit(gy)),
        L::select(beyond_solid, zero, gx.mul_unit(oy)),
        L::select(cornered, one, L::select(across_out, zero, ox.mul_unit(oy))),
    ];
    let (own_x, own_y) = unpack::<L>(own);
    let (mut x, mut y) = (weights[0].mul_unit(own_x), weights[0].mul_unit(own_y));
    for (weight, code) in weights.iter().zip([own, side, beyond, across]).skip(1) {
        let (cell_x, cell_y) = unpack::<L>(code);
        x = x + weight.mul_unit(cell_x);
        y = y + weight.mul_unit(cell_y);
    }
    let mut length = L::length(x, y);
    let lost = length.lt(L::splat(L::Num::from_f64(1.0 / 16.0))) & !own_solid;
    if lost.any() {
        (x, y) = (L::select(lost, own_x, x), L::select(lost, own_y, y));
        length = L::length(x, y);
    }
    let none = length.lt(L::splat(L::Num::from_f64(1.0 / 64.0)));
    let length = L::select(none, one, length);
    let unit = |component: L| L::select(none, zero, component.ratio(length));
    let flag = own.and(L::Int::splat(1)).equal(L::Int::splat(1)) & !own_solid;
    Direction { x: unit(x), y: unit(y), in_goal: flag }
}

/// The components of a code.
#[inline(always)]
fn unpack<L: Lane>(code: L::Int) -> (L, L) {
    let x = code.shift_left::<16>().shift_right::<16>().and(L::Int::splat(!1));
    (L::from_q14(x), L::from_q14(code.shift_right::<16>()))
}
