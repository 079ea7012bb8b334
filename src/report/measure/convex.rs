//! Convex polygons: what half-planes and rectangles leave of them.

use crate::math::each::Each;

/// x, y in m.
pub(super) type Point = [f64; 2];

/// Sides in a quarter of the polygon that stands for a circle.
const QUARTER: usize = 16;

/// Leaves the part of a convex polygon where `a x + b y <= c`. `spare` is room to work in.
pub(super) fn cut(polygon: &mut Vec<Point>, spare: &mut Vec<Point>, [a, b, c]: [f64; 3]) {
    spare.clear();
    let side = |[x, y]: Point| a * x + b * y - c;
    let Some(&last) = polygon.last() else { return };
    let (mut from, mut before) = (last, side(last));
    for &to in polygon.iter() {
        let after = side(to);
        if (before < 0.0 && after > 0.0) || (before > 0.0 && after < 0.0) {
            let share = before / (before - after);
            spare.push([0, 1].each(|k| from[k] + (to[k] - from[k]) * share));
        }
        if after <= 0.0 {
            spare.push(to);
        }
        (from, before) = (to, after);
    }
    std::mem::swap(polygon, spare);
}

/// Leaves the part of a convex polygon inside a rectangle: smallest x, y, largest x, y.
pub(super) fn cut_to(polygon: &mut Vec<Point>, spare: &mut Vec<Point>, [x0, y0, x1, y1]: [f64; 4]) {
    for line in [[-1.0, 0.0, -x0], [1.0, 0.0, x1], [0.0, -1.0, -y0], [0.0, 1.0, y1]] {
        cut(polygon, spare, line);
    }
}

/// The area in m².
pub(super) fn area(polygon: &[Point]) -> f64 {
    let Some(&[x, y]) = polygon.first() else { return 0.0 };
    let doubled =
        |pair: &[Point]| (pair[0][0] - x) * (pair[1][1] - y) - (pair[1][0] - x) * (pair[0][1] - y);
    let sum: f64 = polygon.windows(2).map(doubled).sum();
    sum.abs() * 0.5
}

/// The box around a polygon: smallest x, y, largest x, y.
pub(super) fn bounds(polygon: &[Point]) -> [f64; 4] {
    let empty = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    polygon
        .iter()
        .fold(empty, |[x0, y0, x1, y1], &[x, y]| [x0.min(x), y0.min(y), x1.max(x), y1.max(y)])
}

/// Whether two boxes have an area in common.
pub(super) fn overlap(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// Corners of a regular polygon inside the circle of radius 1 around (0, 0), 16 sides to a quarter. By
/// halving angles: there is no sine that is the same on all machines.
pub(super) fn circle() -> Vec<Point> {
    let mut quarter: Vec<Point> = vec![[1.0, 0.0], [0.0, 1.0]];
    while quarter.len() <= QUARTER {
        let halved = quarter.windows(2).flat_map(|pair| {
            let [x, y] = [0, 1].each(|k| pair[0][k] + pair[1][k]);
            let length = (x * x + y * y).sqrt();
            [pair[0], [x / length, y / length]]
        });
        quarter = halved.chain([[0.0, 1.0]]).collect();
    }
    quarter.pop();
    let turned = |turns: usize| {
        let turn = move |point: Point| (0..turns).fold(point, |[x, y], _| [-y, x]);
        quarter.iter().map(move |&point| turn(point))
    };
    (0..4).flat_map(turned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_of_what_is_left_are_known() {
        let (mut square, mut spare) =
            (vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]], vec![]);
        assert_eq!(area(&square), 16.0);
        cut(&mut square, &mut spare, [1.0, 1.0, 4.0]);
        assert_eq!(area(&square), 8.0);
        cut_to(&mut square, &mut spare, [1.0, 1.0, 9.0, 9.0]);
        assert_eq!(area(&square), 2.0);
        cut(&mut square, &mut spare, [1.0, 0.0, 0.5]);
        assert_eq!(area(&square), 0.0);
    }

    #[test]
    fn a_circle_is_round_and_of_unit_radius() {
        let circle = circle();
        assert_eq!(circle.len(), 64);
        assert!(circle.iter().all(|[x, y]| (x * x + y * y - 1.0).abs() < 1e-12));
        // n / 2 · sin(2π / n) for n = 64.
        assert!((area(&circle) - 3.136_548_490_545_94).abs() < 1e-12);
    }
}
