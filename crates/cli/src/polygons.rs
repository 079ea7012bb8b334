//! Polygons as well-known text, from which navigation meshes are made.

use std::path::Path;

use throng::graph::Mesh;

use crate::error::CliError;

/// Most bytes of a file: 1 MiB, more than polygons of as many corners as there may be.
pub(crate) const MAX_FILE: u64 = 1 << 20;

/// A point, in the unit of the file.
type Point = [f64; 2];

/// Fills `POLYGON ((x y, ...), (x y, ...))`, read from a path, with a mesh: the first ring is the
/// boundary of the free area, the others are holes.
pub(crate) fn mesh(path: &Path, file: &[u8]) -> Result<Mesh, CliError> {
    let refused = |why: String| CliError::Polygons { path: path.to_owned(), why };
    let text = String::from_utf8_lossy(file);
    let rings = rings(&text).map_err(refused)?;
    let (boundary, holes) = rings.split_first().expect("one ring at least");
    Mesh::from_polygons(boundary, holes).map_err(|error| refused(error.to_string()))
}

/// The rings of a polygon, without the last point, which is the first once more.
fn rings(text: &str) -> Result<Vec<Vec<Point>>, String> {
    let body = text.trim().strip_prefix("POLYGON").ok_or("it does not begin with POLYGON")?;
    let body = body.trim().strip_prefix('(').and_then(|body| body.strip_suffix(')'));
    let body = body.ok_or("a polygon is rings in brackets: POLYGON ((0 0, 4 0, 4 3, 0 0))")?.trim();
    let body = body.strip_suffix(')').ok_or("a ring ends with a bracket")?;
    body.split(')').map(|ring| ring_of(ring.trim_start_matches([',', ' ']))).collect()
}

fn ring_of(text: &str) -> Result<Vec<Point>, String> {
    let text = text.trim().strip_prefix('(').ok_or("a ring begins with a bracket")?;
    let mut ring = Vec::new();
    for point in text.split(',') {
        let wrong = || format!("`{}` is no point: two numbers, x and y", shown(point));
        let numbers: Result<Vec<f64>, _> = point.split_whitespace().map(str::parse).collect();
        let numbers = numbers.map_err(|_| wrong())?;
        ring.push(<Point>::try_from(numbers).map_err(|_| wrong())?);
    }
    let closing = ring.pop();
    if ring.first() != closing.as_ref() {
        return Err("a ring ends where it begins".to_owned());
    }
    Ok(ring)
}

/// The beginning of a text, for messages.
fn shown(text: &str) -> String {
    text.trim().chars().take(40).collect()
}
