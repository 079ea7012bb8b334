//! Geometries of `JuPedSim`: walkable areas as well-known text, y up.

use throng::map::{MapError, wkt_polygons};

use crate::import::problem::Problem;
use crate::import::raster::{Inside, Point, Raster};
use crate::import::scenario;

/// What was read.
pub(super) struct Geometry {
    pub(super) raster: Raster,
    /// Polygons, and holes in them.
    pub(super) counts: [usize; 2],
    /// x and y in the file of the upper left corner of the map, in metres.
    pub(super) corner: Point,
}

impl Geometry {
    /// Walkable areas as cells, turned over, as y goes down in maps. What lies in no polygon is wall; a
    /// hole is at least a chain of cells, however thin it is.
    pub(super) fn read(bytes: &[u8], cell: Option<f64>) -> Result<Self, Problem> {
        let polygons = wkt_polygons(bytes).map_err(|error| match error {
            MapError::Wkt { line, column, wrong } => {
                let expected = "polygons as well-known text, in metres";
                Problem::at(format!("line {line}, column {column}"), wrong, expected)
            }
            error => Problem::whole(error.to_string(), "well-known text"),
        })?;
        let points = || polygons.iter().flatten().flatten();
        let least = |axis: usize| points().map(|at| at[axis]).fold(f64::INFINITY, f64::min);
        let most = |axis: usize| points().map(|at| at[axis]).fold(f64::NEG_INFINITY, f64::max);
        let corner = [least(0), most(1)];
        let size = [most(0) - corner[0], corner[1] - least(1)];
        let mut raster = scenario::open(size, cell.unwrap_or_else(|| super::side(size)))?;
        raster.walls.fill(true);
        let placed = |ring: &Vec<Point>| -> Vec<Point> {
            ring.iter().map(|[x, y]| [x - corner[0], corner[1] - y]).collect()
        };
        let mut holes = 0;
        for polygon in &polygons {
            let mut rings = polygon.iter().map(placed);
            let Some(outline) = rings.next() else { continue };
            raster.paint(&[outline], Inside::Odd, false)?;
            for hole in rings {
                raster.fill(&[hole], Inside::Odd)?;
                holes += 1;
            }
        }
        Ok(Self { raster, counts: [polygons.len(), holes], corner })
    }
}
