//! Wall avoidance.
//!
//! **Forces.** The wall distance is sampled bilinearly where an agent will be; its gradient is the
//! wall's normal. When that point is nearer to the wall than radius + margin, two forces act: a
//! normal push away from the wall, and a tangential pull along it on the side of travel (head-on
//! ties go by the agent's hash). Both are as strong as the gradient is steep: between two walls, and
//! before a gap, it is no wall's normal but the blend of several, and short. They slow a walker and
//! turn it; they never stop it ([`no_stop`]), or none would pass a gap narrower than its margins.
//!
//! **Discs.** After the move, what still overlaps a wall is moved out. Bilinear distances are right
//! along a straight wall and at the centres of cells, but the middle of a gap of two cells seems half
//! a cell nearer to the walls than it is, and a corner farther away. So discs of a radius of up to a
//! cell are held against the 8 cells around their own ([`keep_off`]), exactly: no other wall is as
//! near as that. Larger ones are moved along the gradient; what errs by half a cell there, the classes
//! of the map err by too (`map::Clearance`), so ways lead through no gap in which it matters.

use crate::kernel::sample::Corners;
use crate::lane::{IntLane, Lane, Mask};
use crate::math::Num;
use crate::math::each::{Each, Make};
use crate::math::plane::{cross, dot, minus, unit};

/// A wall as an agent feels it.
#[derive(Clone, Copy)]
pub struct Wall<L> {
    /// Distance to it, in cells.
    pub distance: L,
    /// Its normal, a unit vector away from it, or zero where the distance is level.
    pub normal: [L; 2],
    /// How fast the distance grows along the normal: 1 at a single straight wall, less between
    /// walls, at most 1.
    pub slope: L,
}

/// Bits of the walls around a cell; [`CORNER`] is the one up left, then up right, down left and
/// down right.
const LEFT: i32 = 1;
const RIGHT: i32 = 2;
const UP: i32 = 4;
const DOWN: i32 = 8;
const CORNER: i32 = 16;

/// Wall distances up to this (1/256 of a cell) are those of cells with a wall among the 8 around.
pub const BESIDE: i32 = 181;

/// Reads the wall distance of the 4 cells around points.
#[inline(always)]
pub fn gather<L: Lane>(corners: &Corners<L>, stride: usize, raster: &[i16]) -> [L; 4] {
    let mut values = [[0_i32; 8]; 4];
    #[expect(clippy::needless_range_loop, reason = "the lane indexes four arrays")]
    for lane in 0..L::WIDTH {
        let index = corners.first.get(lane) as usize;
        let (upper, lower) = (&raster[index..index + 2], &raster[index + stride..][..2]);
        values[0][lane] = i32::from(upper[0]);
        values[1][lane] = i32::from(upper[1]);
        values[2][lane] = i32::from(lower[0]);
        values[3][lane] = i32::from(lower[1]);
    }
    values.each(|value| L::from_q8(L::Int::from_fn(|lane| value[lane])))
}

/// The wall at points between 4 cells.
#[inline(always)]
pub fn wall<L: Lane>(corners: &Corners<L>, [a, b, c, d]: [L; 4]) -> Wall<L> {
    let [fx, fy] = corners.share;
    let (upper, lower) = (b - a, d - c);
    let top = a + fx.mul_coarse(upper);
    let bottom = c + fx.mul_coarse(lower);
    let distance = top + fy.mul_coarse(bottom - top);
    let (gx, gy) = (upper + fy.mul_coarse(lower - upper), bottom - top);
    let length = L::length(gx, gy);
    let level = length.lt(L::splat(L::Num::from_f64(1.0 / 64.0)));
    let safe = L::select(level, L::one(), length);
    let normal = [gx, gy].each(|slope| L::select(level, L::zero(), slope.ratio(safe)));
    Wall { distance, normal, slope: length.smaller(L::one()) }
}

/// The walls among the 8 cells around cells of a padded raster, none of which is in its border.
#[inline(always)]
pub fn around<L: Lane>(cells: L::Int, stride: usize, raster: &[i16]) -> L::Int {
    L::Int::from_fn(|lane| {
        let cell = cells.get(lane) as usize;
        let row = |first: usize| -> [bool; 3] { Make::make(|i| raster[first + i] <= 0) };
        let (up, own, down) = (row(cell - stride - 1), row(cell - 1), row(cell + stride - 1));
        let walls = [own[0], own[2], up[1], down[1], up[0], up[2], down[0], down[2]];
        walls.iter().rev().fold(0, |bits, &wall| bits << 1 | i32::from(wall))
    })
}

/// Which of the cells around is a wall: one of the bits above.
#[inline(always)]
fn has<L: Lane>(around: L::Int, bit: i32) -> L::Mask {
    !around.and(L::Int::splat(bit)).equal(L::Int::splat(0))
}

/// The corners of a cell that stick out towards it: the cell there is a wall, and those beside it
/// are not. Each comes with its coordinates in the cell.
#[inline(always)]
fn bare_corner<L: Lane>(around: L::Int, corner: usize) -> (L::Mask, [L; 2]) {
    let (right, below) = (corner & 1 == 1, corner & 2 == 2);
    let aside = has::<L>(around, if right { RIGHT } else { LEFT });
    let over = has::<L>(around, if below { DOWN } else { UP });
    let at = [right, below].each(|far| if far { L::one() } else { L::zero() });
    (has::<L>(around, CORNER << corner) & !aside & !over, at)
}

/// Moves the centres of discs away from the walls around their cells, first from corners, then from
/// sides, each by as little as takes the disc out of that wall; a disc between walls on both sides
/// that leave it no room gets into the middle. No disc leaves its cell. `at` are centres in their
/// cells, from 0 to 1; radii are in cells, at most 1; `around` is as [`around`] gives it.
#[inline(always)]
pub fn keep_off<L: Lane>(mut at: [L; 2], radius: L, around: L::Int) -> [L; 2] {
    let (zero, one, half) = (L::zero(), L::one(), L::splat(L::Num::HALF));
    for corner in 0..4 {
        let (bare, from) = bare_corner::<L>(around, corner);
        if !bare.any() {
            continue;
        }
        let away = [0, 1].each(|i| at[i] - from[i]);
        let length = L::length(away[0], away[1]);
        // At the very corner no way out is the shortest.
        let apart = L::splat(L::Num::from_f64(1.0 / 256.0)).lt(length);
        let inside = bare & apart & length.lt(radius);
        if inside.any() {
            let safe = L::select(apart, length, one);
            let out = |i: usize| from[i] + L::select(apart, away[i].ratio(safe), zero) * radius;
            at = [0, 1].each(|i| L::select(inside, out(i), at[i]));
        }
    }
    let keep = |at: L, low: i32, high: i32| {
        let (low, high) = (has::<L>(around, low), has::<L>(around, high));
        let kept = L::select(low, at.larger(radius), at);
        let kept = L::select(high, kept.smaller(one - radius), kept);
        L::select(low & high & half.lt(radius), half, kept)
    };
    [keep(at[0], LEFT, RIGHT), keep(at[1], UP, DOWN)]
}

/// The place of [`keep_off`] for one disc, in `f64`. Walls: left, right, up, down, up left, up right,
/// down left, down right.
pub fn reference_keep_off([mut x, mut y]: [f64; 2], radius: f64, walls: [bool; 8]) -> [f64; 2] {
    for (i, [cx, cy]) in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].into_iter().enumerate() {
        let bare = walls[4 + i] && !walls[i % 2] && !walls[2 + i / 2];
        let length = ((x - cx) * (x - cx) + (y - cy) * (y - cy)).sqrt();
        if bare && length < radius && length > 1.0 / 256.0 {
            [x, y] = [cx + (x - cx) / length * radius, cy + (y - cy) / length * radius];
        }
    }
    let keep = |v: f64, low: bool, high: bool| {
        let kept = if low { v.max(radius) } else { v };
        let kept = if high { kept.min(1.0 - radius) } else { kept };
        if low && high && radius > 0.5 { 0.5 } else { kept }
    };
    [keep(x, walls[0], walls[1]), keep(y, walls[2], walls[3])]
}

/// What [`nearest`] gives as the distance where there is no wall, in cells.
pub const NONE: f64 = 2.0;

/// The nearest wall among those around the cells of points, exactly; at [`NONE`], and level, where
/// there is none. `at` are points in their cells, from 0 to 1.
#[inline(always)]
pub fn nearest<L: Lane>(at: [L; 2], around: L::Int) -> Wall<L> {
    let (zero, one) = (L::zero(), L::one());
    let far = L::splat(L::Num::from_f64(NONE));
    let mut nearest = Wall { distance: far, normal: [zero; 2], slope: one };
    let mut offer = |there: L::Mask, distance: L, normal: [L; 2]| {
        let nearer = there & distance.lt(nearest.distance);
        nearest.distance = L::select(nearer, distance, nearest.distance);
        nearest.normal = [0, 1].each(|i| L::select(nearer, normal[i], nearest.normal[i]));
    };
    offer(has::<L>(around, LEFT), at[0], [one, zero]);
    offer(has::<L>(around, RIGHT), one - at[0], [-one, zero]);
    offer(has::<L>(around, UP), at[1], [zero, one]);
    offer(has::<L>(around, DOWN), one - at[1], [zero, -one]);
    for corner in 0..4 {
        let (bare, from) = bare_corner::<L>(around, corner);
        if bare.any() {
            let away = [0, 1].each(|i| at[i] - from[i]);
            let length = L::length(away[0], away[1]);
            let apart = L::splat(L::Num::from_f64(1.0 / 256.0)).lt(length);
            let safe = L::select(apart, length, one);
            let normal = away.each(|c| L::select(apart, c.ratio(safe), zero));
            offer(bare, length, normal);
        }
    }
    nearest
}

/// The two forces: push and pull, in units of the depth in metres by which the wall's margin is
/// entered, which counts up to 1 m.
///
/// `ahead` is the wall where the agent will be, its distance and the `margin` to keep in metres,
/// `vel` the velocity, `lean` picks a side for head-on ties.
#[inline(always)]
pub fn forces<L: Lane>(ahead: &Wall<L>, margin: L, vel: [L; 2], lean: L::Mask) -> [[L; 2]; 2] {
    let depth = (margin - ahead.distance).larger(L::zero()).smaller(L::one());
    let depth = depth.mul_unit(ahead.slope);
    let [nx, ny] = ahead.normal;
    let (tx, ty) = (-ny, nx);
    let along = tx.mul_coarse(vel[0]) + ty.mul_coarse(vel[1]);
    let zero = L::zero();
    let tie = !along.lt(zero) & !zero.lt(along);
    let backwards = along.lt(zero) | (tie & lean);
    let side = L::select(backwards, -depth, depth);
    // The pull helps only agents that walk into the wall.
    let into = (nx.mul_coarse(vel[0]) + ny.mul_coarse(vel[1])).lt(zero);
    let side = L::select(into, side, zero);
    [[nx.mul_unit(depth), ny.mul_unit(depth)], [tx.mul_unit(side), ty.mul_unit(side)]]
}

/// A push of walls, so limited that no agent is stopped by it: what of it is against the desired
/// velocity comes to half of what that velocity pulls an agent at rest with. `pull` is the force for
/// each m/s by which the agent is slower than it desires, in 1/s.
#[inline(always)]
pub fn no_stop<L: Lane>(push: [L; 2], desired: [L; 2], pull: L) -> [L; 2] {
    let speed = L::length(desired[0], desired[1]);
    let none = speed.lt(L::splat(L::Num::from_f64(1.0 / 256.0)));
    let safe = L::select(none, L::one(), speed);
    let ahead = desired.each(|c| L::select(none, L::zero(), c.ratio(safe)));
    let against = -(push[0] * ahead[0] + push[1] * ahead[1]);
    // Limited to what fixed point can hold; nothing pulls that much.
    let [speed, pull] = [(speed, 512.0), (pull, 64.0)]
        .each(|(v, most)| v.smaller(L::splat(L::Num::from_f64(most))));
    let most = speed * L::splat(L::Num::HALF) * pull;
    let over = L::select(none, L::zero(), (against - most).larger(L::zero()));
    [0, 1].each(|i| push[i] + ahead[i] * over)
}

/// The same two forces from wall segments by line–line intersection, for one agent, in `f64`.
///
/// The path `pos → pos + ahead` meets segment `a → b` where both parameters lie in [0, 1]. The depth
/// is what is left of the path behind the wall, measured along the normal. `None` when no segment is
/// met; the nearest one counts.
pub fn reference(
    pos: [f64; 2],
    ahead: [f64; 2],
    segments: &[[[f64; 2]; 2]],
) -> Option<[[f64; 2]; 2]> {
    let mut nearest: Option<(f64, [f64; 2])> = None;
    for &[a, b] in segments {
        let along = minus(b, a);
        let denominator = cross(ahead, along);
        if denominator == 0.0 {
            continue;
        }
        let t = cross(minus(a, pos), along) / denominator;
        let u = cross(minus(a, pos), ahead) / denominator;
        let meets = (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u);
        if meets && nearest.is_none_or(|(first, _)| t < first) {
            nearest = Some((t, along));
        }
    }
    let (t, along) = nearest?;
    let tangent = unit(along);
    let normal = [-tangent[1], tangent[0]];
    let normal = if dot(normal, ahead) > 0.0 { normal.each(|c| -c) } else { normal };
    let tangent = if dot(tangent, ahead) < 0.0 { tangent.each(|c| -c) } else { tangent };
    let depth = -dot(normal, ahead) * (1.0 - t);
    Some([normal.each(|c| c * depth), tangent.each(|c| c * depth)])
}
