//! Wall avoidance by the distance field.
//!
//! The wall distance is sampled bilinearly where an agent will be; its gradient is the wall's
//! normal. When that point is nearer to the wall than radius + margin, two forces act: a normal push
//! away from the wall, and a tangential pull along it on the side of travel (head-on ties go by the
//! agent's hash). After the move, what still overlaps the wall is pushed out along the normal.

use crate::kernel::sample::Corners;
use crate::lane::IntLane;
use crate::lane::Lane;
use crate::math::Num;

/// A wall as an agent feels it.
#[derive(Clone, Copy)]
pub struct Wall<L> {
    /// Distance to it, in cells.
    pub distance: L,
    /// Its normal, a unit vector away from it, or zero where the distance is level.
    pub normal: [L; 2],
}

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
    values.map(|value| L::from_q8(L::Int::from_fn(|lane| value[lane])))
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
    let normal = [gx, gy].map(|slope| L::select(level, L::zero(), slope.ratio(safe)));
    Wall { distance, normal }
}

/// The two forces: push and pull, in units of the depth by which the wall's margin is entered.
///
/// `ahead` is the wall where the agent will be, `margin` the distance to keep (cells), `vel` the
/// velocity, `lean` picks a side for head-on ties.
#[inline(always)]
pub fn forces<L: Lane>(ahead: &Wall<L>, margin: L, vel: [L; 2], lean: L::Mask) -> [[L; 2]; 2] {
    let depth = (margin - ahead.distance).larger(L::zero()).smaller(L::one());
    let [nx, ny] = ahead.normal;
    let (tx, ty) = (-ny, nx);
    let along = tx.mul_coarse(vel[0]) + ty.mul_coarse(vel[1]);
    let zero = L::zero();
    let tie = !along.lt(zero) & !zero.lt(along);
    let backwards = along.lt(zero) | (tie & lean);
    let side = L::select(backwards, -depth, depth);
    // The pull helps only those who walk into the wall.
    let into = (nx.mul_coarse(vel[0]) + ny.mul_coarse(vel[1])).lt(zero);
    let side = L::select(into, side, zero);
    [[nx.mul_unit(depth), ny.mul_unit(depth)], [tx.mul_unit(side), ty.mul_unit(side)]]
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
    let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let minus = |a: [f64; 2], b: [f64; 2]| [a[0] - b[0], a[1] - b[1]];
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
    let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
    let tangent = [along[0] / length, along[1] / length];
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let normal = [-tangent[1], tangent[0]];
    let normal = if dot(normal, ahead) > 0.0 { normal.map(|c| -c) } else { normal };
    let tangent = if dot(tangent, ahead) < 0.0 { tangent.map(|c| -c) } else { tangent };
    let depth = -dot(normal, ahead) * (1.0 - t);
    Some([normal.map(|c| c * depth), tangent.map(|c| c * depth)])
}
