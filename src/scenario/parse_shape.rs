//! Shapes and areas of a scenario file.

use crate::data::definition::Limits;
use crate::data::number::plural;
use crate::map::area::{MAX_CORNERS, Shape};
use crate::scenario::def::AreaDef;
use crate::scenario::read::{Node, Table, quoted};

/// The keys that make a shape; a table has exactly one.
pub(super) const SHAPES: [&str; 4] = ["rect", "disc", "point", "polygon"];

/// The keys that make an area.
pub(super) const AREAS: [&str; 5] = ["rect", "disc", "point", "polygon", "any"];

/// Shapes that one area has at most.
const MAX_SHAPES: usize = 1000;

/// Corners of all polygons of one area at most.
const MAX_AREA_CORNERS: usize = 10_000;

const COORDINATE: Limits = Limits::from("a coordinate in metres", -1.0e6, 1.0e6);
const RADIUS: Limits = Limits::above("a radius in metres", 0.0, 1.0e6);

const A_SHAPE: &str = "a shape, as in { rect = [0, 0, 10, 5] }";

/// The area that a value describes: a table with one shape or `any` of several.
pub(super) fn area(node: &Node<'_>) -> Option<AreaDef> {
    let table = node.table(A_SHAPE, &AREAS)?;
    area_of(&table)
}

/// The area that a table describes, which may have other keys too.
pub(super) fn area_of(table: &Table<'_>) -> Option<AreaDef> {
    let kind = one_of(table, &AREAS)?;
    let node = table.get(kind)?;
    if kind != "any" {
        let shape = shape(kind, &node)?;
        return Some(AreaDef { shapes: vec![shape], places: vec![node.at] });
    }
    let what = "an array of shapes, as in [{ rect = [0, 0, 10, 5] }, { disc = [20, 5, 3] }]";
    let entries = node.array(what, MAX_SHAPES)?;
    if entries.is_empty() {
        node.bad_value("has no shape", what);
    }
    let mut area = AreaDef { shapes: Vec::new(), places: Vec::new() };
    for entry in &entries {
        if let Some((shape, node)) = shape_in(entry, &[]).and_then(|(shape, table)| {
            let kind = table.present(&SHAPES);
            Some((shape, table.get(kind.first()?)?))
        }) {
            area.shapes.push(shape);
            area.places.push(node.at);
        }
    }
    let corners = area.shapes.iter().map(|shape| match shape {
        Shape::Polygon { corners } => corners.len(),
        _ => 0,
    });
    let corners: usize = corners.sum();
    if corners > MAX_AREA_CORNERS {
        let wrong = format!("the polygons of one area have {corners} corners");
        node.problem(wrong, "at most 10,000 in all");
        return None;
    }
    (!area.shapes.is_empty() && area.shapes.len() == entries.len()).then_some(area)
}

/// The same of an area that covers ground, which points do not.
pub(super) fn ground_of(table: &Table<'_>) -> Option<AreaDef> {
    let area = area_of(table)?;
    for (shape, at) in area.shapes.iter().zip(&area.places) {
        if let Shape::Point { .. } = shape {
            let wrong = format!("{} covers no area", shape.label());
            table.problems.problem(at, wrong, "a rect, disc or polygon");
        }
    }
    Some(area)
}

/// The one shape that a value describes, and the table it is in, which may also have `other` keys.
pub(super) fn shape_in<'a>(node: &Node<'a>, other: &[&str]) -> Option<(Shape, Table<'a>)> {
    shape_of(node, &SHAPES, other).map(|(_, shape, table)| (shape, table))
}

/// The same of a value that may be of other kinds too, and which it is: a `hill` is a disc.
pub(super) fn shape_of<'a, 'k>(
    node: &Node<'a>,
    kinds: &[&'k str],
    other: &[&str],
) -> Option<(&'k str, Shape, Table<'a>)> {
    let known: Vec<&str> = kinds.iter().chain(other).copied().collect();
    let table = node.table(A_SHAPE, &known)?;
    let kind = one_of(&table, kinds)?;
    let shape = shape(kind, &table.get(kind)?)?;
    Some((kind, shape, table))
}

/// The one key of several that a table has; anything but one is reported.
pub(super) fn one_of<'k>(table: &Table<'_>, keys: &[&'k str]) -> Option<&'k str> {
    match table.present(keys)[..] {
        [key] => Some(key),
        [] if table.misspelt(keys) => None,
        [] => {
            let wrong = format!("none of {} is there", quoted(keys));
            table.problem(wrong, "exactly one of them");
            None
        }
        [_, second, ..] => {
            let all = quoted(&table.present(keys));
            let wrong = format!("{all} contradict each other");
            table.problems.problem(&table.place(second), wrong, "exactly one of them");
            None
        }
    }
}

/// A point.
pub(super) fn point(node: &Node<'_>) -> Option<[f64; 2]> {
    numbers(node, "[x, y] in metres")
}

fn shape(kind: &str, node: &Node<'_>) -> Option<Shape> {
    let shape = match kind {
        "rect" => {
            let [x0, y0, x1, y1] = numbers(node, "[x0, y0, x1, y1] in metres")?;
            if x0 >= x1 || y0 >= y1 {
                let low = [x0.min(x1), y0.min(y1)];
                let high = [x0.max(x1), y0.max(y1)];
                let corners = format!("[{}, {}, {}, {}]", low[0], low[1], high[0], high[1]);
                let expected = if low[0] < high[0] && low[1] < high[1] {
                    format!("the smaller corner first: {corners}")
                } else {
                    "[x0, y0, x1, y1] with x0 < x1 and y0 < y1".to_owned()
                };
                node.bad_value("covers no area", expected);
                return None;
            }
            Shape::Rect { min: [x0, y0], max: [x1, y1] }
        }
        "disc" | "hill" => {
            let [x, y, _] = numbers(node, "[x, y, radius] in metres")?;
            let parts = node.array("", 3)?;
            let radius = parts[2].number(&RADIUS)?;
            Shape::Disc { centre: [x, y], radius }
        }
        "point" => Shape::Point { at: point(node)? },
        _ => {
            let what = "[[x, y], …], 3 to 1,000 corners in metres";
            let parts = node.array(what, MAX_CORNERS)?;
            let corner = |part: &Node<'_>| numbers(part, "a corner [x, y] in metres");
            let corners: Vec<[f64; 2]> = parts.iter().map_while(corner).collect();
            if corners.len() < parts.len() {
                return None;
            }
            if corners.len() < 3 {
                let wrong = format!("has {}", plural(corners.len() as u64, "corner"));
                node.bad_value(&wrong, what);
                return None;
            }
            Shape::Polygon { corners }
        }
    };
    if let Err(error) = shape.validate() {
        node.problem(error.to_string(), "a shape with an area");
        return None;
    }
    Some(shape)
}

/// An array of exactly N coordinates.
pub(super) fn numbers<const N: usize>(node: &Node<'_>, what: &str) -> Option<[f64; N]> {
    numbers_within(node, what, &COORDINATE)
}

/// An array of exactly N numbers, each within limits.
pub(super) fn numbers_within<const N: usize>(
    node: &Node<'_>,
    what: &str,
    limits: &Limits,
) -> Option<[f64; N]> {
    let parts = node.array(what, MAX_CORNERS)?;
    if parts.len() != N {
        let wrong = format!("has {}, not {N}", plural(parts.len() as u64, "number"));
        node.bad_value(&wrong, what);
        return None;
    }
    let list: [Option<f64>; N] = std::array::from_fn(|i| parts[i].number(limits));
    list.iter().all(Option::is_some).then(|| list.map(Option::unwrap_or_default))
}
