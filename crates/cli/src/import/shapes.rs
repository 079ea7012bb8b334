//! Shapes of Vadere, in metres of the map.

use throng::map::area::{AreaError, Shape};

use crate::import::json::Node;
use crate::import::problem::Problem;
use crate::import::raster::{Point, disc};

/// Largest coordinate or length in metres: a UTM coordinate fits.
pub(super) const FAR: f64 = 1.0e8;

/// Corners of an obstacle at most.
const MAX_CORNERS: usize = 100_000;

/// Corners up to which a ring is searched for crossings.
const SEARCHED: usize = 2_000;

/// Where the bounds of a file lie.
pub(super) struct Frame {
    /// x that becomes 0.
    pub(super) left: f64,
    /// y that becomes 0; smaller ones lie below.
    pub(super) top: f64,
    /// Width and height in metres.
    pub(super) size: [f64; 2],
}

impl Frame {
    /// A point of the file on the map.
    fn place(&self, [x, y]: Point) -> Point {
        [rounded(x - self.left), rounded(self.top - y)]
    }

    /// A point of the map in the file.
    pub(super) fn back(&self, [x, y]: Point) -> Point {
        [self.left + x, self.top - y]
    }
}

/// Metres without the noise of a difference, to the micrometre.
pub(super) fn rounded(metres: f64) -> f64 {
    // No negative zero.
    (metres * 1.0e6).round() / 1.0e6 + 0.0
}

/// What a shape goes around.
pub(super) enum Outline {
    Disc(Point, f64),
    Ring(Vec<Point>),
}

/// A coordinate in metres.
pub(super) fn coordinate(node: &Node<'_>, key: &str) -> Result<f64, Problem> {
    node.need(key)?.number([-FAR, FAR], "coordinate in metres")
}

/// A point.
pub(super) fn point(node: &Node<'_>, frame: &Frame) -> Result<Point, Problem> {
    Ok(frame.place([coordinate(node, "x")?, coordinate(node, "y")?]))
}

/// The outline of a shape.
pub(super) fn outline(shape: &Node<'_>, frame: &Frame) -> Result<Outline, Problem> {
    let length = |node: &Node<'_>| node.number([0.0, FAR], "length in metres");
    let kind = shape.need("type")?;
    match kind.text()? {
        "RECTANGLE" => {
            let [x, y] = [coordinate(shape, "x")?, coordinate(shape, "y")?];
            let size = [length(&shape.need("width")?)?, length(&shape.need("height")?)?];
            let [x0, y1] = frame.place([x, y]);
            let [x1, y0] = frame.place([x + size[0], y + size[1]]);
            Ok(Outline::Ring(vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        }
        "CIRCLE" => {
            let centre = point(&shape.need("center")?, frame)?;
            Ok(Outline::Disc(centre, length(&shape.need("radius")?)?))
        }
        "POLYGON" => {
            let points = shape.items("points")?;
            if !(3..=MAX_CORNERS).contains(&points.len()) {
                let wrong = format!("the polygon has {} corners", points.len());
                return Err(Problem::at(shape.path.as_str(), wrong, "3 to 100,000"));
            }
            let mut ring = Vec::new();
            for node in &points {
                ring.push(point(node, frame)?);
            }
            // Some are closed by their first corner.
            ring.dedup();
            while ring.len() > 1 && ring.first() == ring.last() {
                ring.pop();
            }
            Ok(Outline::Ring(ring))
        }
        _ => Err(kind.wrong("is no shape", "RECTANGLE, CIRCLE or POLYGON")),
    }
}

/// A shape that agents come from, go to or are measured in: the part of it on the map; `None` where there
/// is none.
pub(super) fn area(shape: &Node<'_>, frame: &Frame) -> Result<Option<Shape>, Problem> {
    let [width, height] = frame.size;
    let found = match outline(shape, frame)? {
        Outline::Disc(centre, radius) => Shape::disc(centre, radius),
        Outline::Ring(corners) => match as_rect(&corners) {
            Some([min, max]) => Shape::rect(min, max),
            None => Shape::Polygon { corners },
        },
    };
    found.validate().map_err(|error| refused(shape, &error))?;
    let bounds = found.bounds();
    let inside = bounds.min.iter().all(|&low| low >= 0.0)
        && bounds.max[0] <= width
        && bounds.max[1] <= height;
    if inside {
        return Ok(Some(found));
    }
    let ring = match found {
        Shape::Rect { min, max } => {
            let [x0, y0] = min.map(|low| low.max(0.0));
            let [x1, y1] = [max[0].min(width), max[1].min(height)];
            let cut = Shape::rect([x0, y0], [x1, y1]);
            return Ok((x0 < x1 && y0 < y1).then_some(cut));
        }
        Shape::Disc { centre, radius } => disc(centre, radius),
        Shape::Polygon { corners } => corners,
        Shape::Point { .. } => Vec::new(),
    };
    let corners =
        cut(cut(cut(cut(ring, 0, 0.0, 1.0), 0, width, -1.0), 1, 0.0, 1.0), 1, height, -1.0);
    let corners: Vec<Point> = corners.into_iter().map(|corner| corner.map(rounded)).collect();
    let found = Shape::Polygon { corners };
    Ok(found.validate().is_ok().then_some(found))
}

/// A problem of a shape that the engine refuses.
fn refused(shape: &Node<'_>, error: &AreaError) -> Problem {
    Problem::at(shape.path.as_str(), error.to_string(), "an area that agents can use")
}

/// The corners of a ring that is an upright rectangle.
fn as_rect(ring: &[Point]) -> Option<[Point; 2]> {
    let [a, b, c, d] = ring else { return None };
    let is_one = (a[1] == b[1] && b[0] == c[0] && c[1] == d[1] && d[0] == a[0])
        || (a[0] == b[0] && b[1] == c[1] && c[0] == d[0] && d[1] == a[1]);
    let [min, max] = [[a[0].min(c[0]), a[1].min(c[1])], [a[0].max(c[0]), a[1].max(c[1])]];
    (is_one && min[0] < max[0] && min[1] < max[1]).then_some([min, max])
}

/// The part of a ring where a coordinate, by sign, is beyond an edge.
fn cut(ring: Vec<Point>, axis: usize, edge: f64, sign: f64) -> Vec<Point> {
    let depth = |at: Point| (at[axis] - edge) * sign;
    let mut kept = Vec::new();
    for (i, &to) in ring.iter().enumerate() {
        let from = ring[(i + ring.len() - 1) % ring.len()];
        let [a, b] = [depth(from), depth(to)];
        if (a >= 0.0) != (b >= 0.0) {
            let share = a / (a - b);
            kept.push([0, 1].map(|k: usize| from[k] + (to[k] - from[k]) * share));
        }
        if b >= 0.0 {
            kept.push(to);
        }
    }
    kept
}

/// A point where a ring crosses itself; touching is no crossing.
pub(super) fn crossing(ring: &[Point]) -> Option<Point> {
    if ring.len() > SEARCHED {
        return None;
    }
    let side = |[a, b]: [Point; 2], c: Point| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let edge = |i: usize| [ring[i], ring[(i + 1) % ring.len()]];
    for i in 0..ring.len() {
        for k in i + 1..ring.len() {
            let (one, other) = (edge(i), edge(k));
            let [a, b] = other.map(|at| side(one, at));
            let [c, d] = one.map(|at| side(other, at));
            if a * b < 0.0 && c * d < 0.0 {
                let share = c / (c - d);
                let [from, to] = one;
                return Some([0, 1].map(|k: usize| from[k] + (to[k] - from[k]) * share));
            }
        }
    }
    None
}

/// A shape in the words of scenario files.
pub(super) fn text(shape: &Shape) -> String {
    let number = |number: f64| format!("{}", rounded(number));
    let pair = |at: Point| format!("{}, {}", number(at[0]), number(at[1]));
    match shape {
        Shape::Point { at } => format!("point = [{}]", pair(*at)),
        Shape::Rect { min, max } => format!("rect = [{}, {}]", pair(*min), pair(*max)),
        Shape::Disc { centre, radius } => {
            format!("disc = [{}, {}]", pair(*centre), number(*radius))
        }
        Shape::Polygon { corners } => {
            let corners: Vec<String> =
                corners.iter().map(|at| format!("[{}]", pair(*at))).collect();
            format!("polygon = [{}]", corners.join(", "))
        }
    }
}
