//! Piecewise linear transfer functions.

/// The value at `at` of the function through `points` (x, y), whose x grow: straight between two
/// points, level before the first and after the last, and exact at every one. Without points it is
/// `at` itself.
pub fn transfer(points: &[[f64; 2]], at: f64) -> f64 {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return at };
    if at <= first[0] {
        return first[1];
    }
    // The list is short: its first point beyond `at` ends the piece.
    match points.windows(2).find(|pair| at < pair[1][0]) {
        Some(&[[x0, y0], [x1, y1]]) => y0 + (at - x0) / (x1 - x0) * (y1 - y0),
        _ => last[1],
    }
}
