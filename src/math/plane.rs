//! Points and vectors of the plane in `f64`, for what is worked out before or beside the simulation.

use crate::math::each::Each;

/// A position: x right, y down; in metres where nothing else is said.
pub type Point = [f64; 2];

#[inline(always)]
pub(crate) fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

/// More than 0 when `b` points to the left of `a`, where y points up.
#[inline(always)]
pub(crate) fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[inline(always)]
pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// From `a` at 0 to `b` at 1.
#[inline(always)]
pub(crate) fn blend(a: Point, b: Point, t: f64) -> Point {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

#[inline(always)]
pub(crate) fn distance(a: Point, b: Point) -> f64 {
    let d = minus(a, b);
    dot(d, d).sqrt()
}

/// A direction of length 1; of no length as it is.
pub(crate) fn unit(d: Point) -> Point {
    let length = dot(d, d).sqrt();
    if length > 0.0 { d.each(|c| c / length) } else { d }
}

/// Where along a segment, 0 to 1, it is nearest to a point.
#[inline]
pub(crate) fn nearest_on(p: Point, a: Point, b: Point) -> f64 {
    let d = minus(b, a);
    let square = dot(d, d);
    if square > 0.0 { (dot(minus(p, a), d) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// Squared distance from a point to a segment.
#[inline]
pub(crate) fn point_segment(p: Point, a: Point, b: Point) -> f64 {
    let d = minus(p, blend(a, b, nearest_on(p, a, b)));
    dot(d, d)
}

/// Squared distance of two segments; 0 when they cross.
pub(crate) fn segment_segment(a: Point, b: Point, c: Point, d: Point) -> f64 {
    let (ab, cd) = (minus(b, a), minus(d, c));
    let sides = cross(ab, minus(c, a)) * cross(ab, minus(d, a));
    if sides < 0.0 && cross(cd, minus(a, c)) * cross(cd, minus(b, c)) < 0.0 {
        return 0.0;
    }
    let first = point_segment(a, c, d).min(point_segment(b, c, d));
    first.min(point_segment(c, a, b)).min(point_segment(d, a, b))
}

/// The least and the greatest x and y of some points; `None` without any.
pub(crate) fn bounds(points: impl IntoIterator<Item = Point>) -> Option<[Point; 2]> {
    let join = |[least, most]: [Point; 2], [point, _]: [Point; 2]| {
        [[0, 1].each(|i| least[i].min(point[i])), [0, 1].each(|i| most[i].max(point[i]))]
    };
    points.into_iter().map(|point| [point; 2]).reduce(join)
}
