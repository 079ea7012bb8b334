//! Polygons as well-known text, from which navigation meshes are made.

use std::path::Path;

use throng::graph::Mesh;
use throng::map::wkt_polygons;

use crate::error::CliError;

/// Most bytes of a file: 1 MiB, more than polygons of as many corners as there may be.
pub(crate) const MAX_FILE: u64 = 1 << 20;

/// Fills the only polygon of a file, read from a path, with a mesh: its outline is the boundary of the
/// free area.
pub(crate) fn mesh(path: &Path, file: &[u8]) -> Result<Mesh, CliError> {
    let refused = |why: String| CliError::Polygons { path: path.to_owned(), why };
    let polygons = wkt_polygons(file).map_err(|error| refused(error.to_string()))?;
    let [polygon] = &polygons[..] else {
        return Err(refused(format!("it has {} polygons, and one is wanted", polygons.len())));
    };
    let (boundary, holes) = polygon.split_first().expect("an outline at least");
    Mesh::from_polygons(boundary, holes).map_err(|error| refused(error.to_string()))
}
