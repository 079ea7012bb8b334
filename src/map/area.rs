//! Areas: where agents appear, where they go, what a gate covers.

/// A part of the map, in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// One point.
    Point {
        /// x, y.
        at: [f64; 2],
    },
    /// An axis-parallel rectangle.
    Rect {
        /// Smallest x, y.
        min: [f64; 2],
        /// Largest x, y.
        max: [f64; 2],
    },
    /// A disc.
    Disc {
        /// x, y of the centre.
        centre: [f64; 2],
        /// Radius.
        radius: f64,
    },
    /// A simple polygon, its corners in order.
    Polygon {
        /// x, y of every corner.
        corners: Vec<[f64; 2]>,
    },
}
