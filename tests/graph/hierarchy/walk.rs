//! A point that follows directions that are asked for as it goes: wall-safe bilinear sampling, and
//! walls that stop it.

use throng::map::Clearance;
use throng::nav::field::direction;

/// Cells a step.
const STEP: f64 = 0.25;

/// Walks from the centre of a cell to a goal cell by the directions that `code` gives for cells,
/// all as padded indices. Returns the length in cells, or where it did not get on.
pub(crate) fn walk(
    class: &Clearance,
    (start, goal): (u32, u32),
    longest: f64,
    mut code: impl FnMut(u32) -> u32,
) -> Result<f64, (f64, f64)> {
    let stride = class.stride();
    // In cells of the padded raster, so that cell (0, 0) is a corner of the padding.
    let centre = |cell: u32| (f64::from(cell % stride) + 0.5, f64::from(cell / stride) + 0.5);
    let cell = |x: f64, y: f64| y.floor() as u32 * stride + x.floor() as u32;
    let open = |cell: u32| class.slowness()[cell as usize] != 0;
    let mut vector = |cell: u32| {
        let (x, y) = direction::unpack(code(cell)).unwrap_or((0, 0));
        (f64::from(x) / 16_384.0, f64::from(y) / 16_384.0)
    };
    let free = |from: (f64, f64), to: (f64, f64)| {
        open(cell(to.0, to.1)) && (open(cell(from.0, to.1)) || open(cell(to.0, from.1)))
    };
    let (mut at, mut length) = (centre(start), 0.0);
    while cell(at.0, at.1) != goal {
        let (x, y) = at;
        let own = cell(x, y);
        let (fx, fy) = (x - x.floor() - 0.5, y - y.floor() - 0.5);
        let side = if fx < 0.0 { own - 1 } else { own + 1 };
        let beyond = if fy < 0.0 { own - stride } else { own + stride };
        let across = side + beyond - own;
        let (wx, wy) = (fx.abs(), fy.abs());
        let clear = open(side) && open(beyond) && open(across);
        let mut sum = (0.0, 0.0);
        for (cell, weight, counts) in [
            (own, (1.0 - wx) * (1.0 - wy), true),
            (side, wx * (1.0 - wy), open(side)),
            (beyond, (1.0 - wx) * wy, open(beyond)),
            (across, wx * wy, clear),
        ] {
            if counts && weight > 0.0 {
                let vector = vector(cell);
                sum = (sum.0 + weight * vector.0, sum.1 + weight * vector.1);
            }
        }
        let norm = (sum.0 * sum.0 + sum.1 * sum.1).sqrt();
        let own = vector(own);
        let blend = if norm < 0.1 { own } else { (sum.0 / norm, sum.1 / norm) };
        let tries = [blend, own].into_iter().flat_map(|(vx, vy)| {
            let to = (x + STEP * vx, y + STEP * vy);
            [to, (to.0, y), (x, to.1)]
        });
        let moved = |p: (f64, f64)| (p.0 - x).abs() + (p.1 - y).abs() > 0.05 * STEP;
        let next = tries.into_iter().find(|&to| moved(to) && free(at, to));
        let Some(next) = next else { return Err(at) };
        length += ((next.0 - x) * (next.0 - x) + (next.1 - y) * (next.1 - y)).sqrt();
        at = next;
        if length > longest {
            return Err(at);
        }
    }
    let (x, y) = centre(goal);
    Ok(length + ((x - at.0) * (x - at.0) + (y - at.1) * (y - at.1)).sqrt())
}
