//! The mesh of one tile of a grid.

use super::delaunay::Triangulation;
use super::merge::merge;
use super::outline::Outlines;
use super::pieces::Pieces;
use crate::graph::NONE;
use crate::graph::rows::Rows;
use crate::map::{Clearance, Window};
use crate::math::each::Each;

/// An edge on the border of a tile.
pub(super) const BORDER: u32 = NONE - 1;

/// The merged polygons of one tile, with indices of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tile {
    /// x, y, by rows.
    pub(super) points: Vec<[u32; 2]>,
    /// Point of every corner, by polygon.
    pub(super) corners: Rows<u32>,
    /// The polygon across the edge from each corner to the next, [`BORDER`], or [`NONE`].
    pub(super) across: Vec<u32>,
    /// The same edge as that polygon has it.
    pub(super) twins: Vec<u32>,
}

/// Points and walls of a grid's outlines.
pub(super) struct Contours {
    /// By rows.
    pub(super) points: Vec<[i32; 2]>,
    /// From one point to another, with passable ground on the left where y points up.
    pub(super) walls: Vec<[u32; 2]>,
}

impl Contours {
    pub(super) fn new(outlines: &Outlines) -> Self {
        let (origin, [columns, rows]) = (outlines.origin, outlines.size.each(|n| n as usize));
        let width = columns + 1;
        let place = |[x, y]: [i32; 2]| (y - origin[1]) as usize * width + (x - origin[0]) as usize;
        let mut indices = vec![NONE; width * (rows + 1)];
        for &corner in outlines.corners.items() {
            indices[place(corner)] = 0;
        }
        let mut points = Vec::with_capacity(outlines.fixed.len());
        for (at, index) in indices.iter_mut().enumerate().filter(|(_, index)| **index == 0) {
            *index = points.len() as u32;
            let [x, y] = [at % width, at / width].each(|value| value as i32);
            points.push([x + origin[0], y + origin[1]]);
        }
        let mut walls = Vec::with_capacity(outlines.fixed.len());
        for ring in outlines.rings() {
            for (i, &from) in ring.iter().enumerate() {
                let to = ring[(i + 1) % ring.len()];
                walls.push([from, to].each(|corner| indices[place(corner)]));
            }
        }
        Self { points, walls }
    }

    /// The triangulation of the ground.
    pub(super) fn triangulation(&self) -> Triangulation {
        let points = self.points.iter().map(|point| point.each(f64::from)).collect();
        match Triangulation::of_lattice(points, &self.walls) {
            Ok(triangulation) => triangulation,
            Err(error) => panic!("outlines of a grid neither cross nor touch: {error}"),
        }
    }
}

impl Tile {
    /// The mesh of a window, a function of its cells and those around it. With `error` the
    /// outlines are simplified.
    pub(super) fn new(class: &Clearance, window: Window, error: Option<f64>) -> Self {
        let mut outlines = Outlines::trace(class, window);
        if let Some(error) = error {
            outlines.simplify(error);
        }
        if outlines.fixed.is_empty() {
            return Self::default();
        }
        let contours = Contours::new(&outlines);
        let triangulation = contours.triangulation();
        let merged = merge(&triangulation.points, &triangulation.cells);
        let twins = merged.twins();
        let mut tile = Self {
            points: contours.points.iter().map(|point| point.each(|value| value as u32)).collect(),
            across: merged.across(&twins),
            twins,
            ..Self::default()
        };
        tile.open_border(window, &merged);
        tile.corners = merged.corners;
        tile
    }

    /// Marks the edges on the border. Edges with walls beyond find none to be joined with.
    fn open_border(&mut self, window: Window, pieces: &Pieces) {
        // Corners count without the padding.
        let ends = [window.min, window.max].each(|at| at.each(|value| value - 1));
        let on_border = |a: [u32; 2], b: [u32; 2]| {
            (0..2).any(|i| a[i] == b[i] && (a[i] == ends[0][i] || a[i] == ends[1][i]))
        };
        for piece in 0..pieces.corners.count() {
            let corners = pieces.corners.row(piece);
            for (i, &from) in corners.iter().enumerate() {
                let to = corners[(i + 1) % corners.len()];
                if on_border(self.points[from as usize], self.points[to as usize]) {
                    self.across[pieces.corners.range(piece).start + i] = BORDER;
                }
            }
        }
    }
}
