//! Polygons as well-known text, from which navigation meshes are made.

use std::path::Path;

use throng::graph::Mesh;

use crate::error::CliError;
use crate::load;

/// Most bytes of a file: 1 MiB, more than polygons of as many corners as there may be.
const MAX_FILE: u64 = 1 << 20;

/// A point, in the unit of the file.
type Point = [f64; 2];

/// Reads `POLYGON ((x y, ...), (x y, ...))` and fills it with a mesh: the first ring is the boundary
/// of the free area, the others are holes.
pub(crate) fn mesh(path: &Path) -> Result<Mesh, CliError> {
    let refused = |why: String| CliError::Polygons { path: path.to_owned(), why };
    let text = String::from_utf8_lossy(&load::read(path, MAX_FILE)?).into_owned();
    let rings = rings(&text).map_err(|why| refused(why.to_owned()))?;
    let (boundary, holes) = rings.split_first().expect("one ring at least");
    Mesh::from_polygons(boundary, holes).map_err(|error| refused(error.to_string()))
}

/// The rings of a polygon, without the last point, which is the first once more.
fn rings(text: &str) -> Result<Vec<Vec<Point>>, &'static str> {
    let body = text.trim().strip_prefix("POLYGON").ok_or("it does not begin with POLYGON")?;
    let body = body.trim().strip_prefix('(').and_then(|body| body.strip_suffix(')'));
    let body = body.ok_or("a polygon is rings in brackets: POLYGON ((0 0, 4 0, 4 3, 0 0))")?.trim();
    let body = body.strip_suffix(')').ok_or("a ring ends with a bracket")?;
    body.split(')').map(|ring| ring_of(ring.trim_start_matches([',', ' ']))).collect()
}

fn ring_of(text: &str) -> Result<Vec<Point>, &'static str> {
    let text = text.trim().strip_prefix('(').ok_or("a ring begins with a bracket")?;
    let mut ring = Vec::new();
    for point in text.split(',') {
        let numbers: Vec<f64> = point.split_whitespace().flat_map(str::parse).collect();
        let point = <Point>::try_from(numbers).map_err(|_| "a point is two numbers, x and y")?;
        ring.push(point);
    }
    let closing = ring.pop();
    if ring.first() != closing.as_ref() {
        return Err("a ring ends where it begins");
    }
    Ok(ring)
}
