//! Areas of terms and of their overlaps, as polynomials of the level that they are cut off at.

use crate::math::each::Each;

/// A straight line: its value at level 0, and its slope.
type Line = [f64; 2];

/// What lies between two levels of a shape, in units of the range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    pub(super) floor: f64,
    pub(super) height: f64,
    pub(super) area: [f64; 2],
    pub(super) moment: [f64; 3],
}

fn at(line: Line, level: f64) -> f64 {
    line[0] + level * line[1]
}

/// The sides of a trapezoid.
fn sides([a, b, c, d]: [f64; 4]) -> [Line; 2] {
    [[a, b - a], [d, c - d]]
}

/// What lies between two lines from level `floor` to `ceiling`.
fn share([left, right]: [Line; 2], floor: f64, ceiling: f64) -> Share {
    let (l, r) = (at(left, floor), at(right, floor));
    let (dl, dr) = (left[1], right[1]);
    Share {
        floor,
        height: ceiling - floor,
        area: [r - l, 0.5 * (dr - dl)],
        moment: [0.5 * (r - l) * (r + l), 0.5 * (r * dr - l * dl), (dr - dl) * (dr + dl) / 6.0],
    }
}

/// A trapezoid.
pub(super) fn term(shape: [f64; 4]) -> Share {
    share(sides(shape), 0.0, 1.0)
}

/// The level between `floor` and `ceiling` at which two lines cross.
fn crossing(a: Line, b: Line, floor: f64, ceiling: f64) -> Option<f64> {
    let level = (b[0] - a[0]) / (a[1] - b[1]);
    (floor < level && level < ceiling).then_some(level)
}

/// The overlap of two trapezoids, from level 0 up; nothing when they only touch.
pub(super) fn overlap(shapes: [[f64; 4]; 2]) -> Vec<Share> {
    let [[left_a, right_a], [left_b, right_b]] = shapes.each(sides);
    let breaks = [crossing(left_a, left_b, 0.0, 1.0), crossing(right_a, right_b, 0.0, 1.0)];
    let mut levels: Vec<f64> = breaks.into_iter().flatten().chain([0.0, 1.0]).collect();
    levels.sort_unstable_by(f64::total_cmp);
    let mut found = Vec::new();
    for ends in levels.windows(2) {
        let (floor, mut ceiling) = (ends[0], ends[1]);
        let middle = 0.5 * (floor + ceiling);
        let left = if at(left_a, middle) < at(left_b, middle) { left_b } else { left_a };
        let right = if at(right_a, middle) < at(right_b, middle) { right_a } else { right_b };
        if at(left, floor) >= at(right, floor) {
            break;
        }
        let peak = crossing(left, right, floor, ceiling);
        ceiling = peak.unwrap_or(ceiling);
        if ceiling > floor {
            found.push(share([left, right], floor, ceiling));
        }
        if peak.is_some() {
            break;
        }
    }
    found
}
