//! Constrained Delaunay triangulations.

use super::merge::merge;
use super::pieces::Pieces;
use crate::data::sets;
use crate::graph::rows::Rows;
use crate::graph::{Mesh, NONE};
use crate::math::each::Each;
use robust::Coord;
use spade::{ConstrainedDelaunayTriangulation, InsertionError, Point2, Triangulation as _};
use thiserror::Error;

/// With something of type `U` on every edge.
pub(super) type Cdt<U = ()> = ConstrainedDelaunayTriangulation<Point2<f64>, (), U>;

/// Why points and walls cannot be triangulated.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TriangulationError {
    /// A coordinate that is not a number, infinite, or too large or small for exact predicates.
    #[error("a point cannot be triangulated: {0}")]
    Point(#[from] InsertionError),
    /// Two points are the same.
    #[error("{0} of the points are the same as another")]
    SamePoints(usize),
    /// A wall between points that there are not, or from a point to itself.
    #[error("a wall from point {from} to {to} of {points} points")]
    Wall {
        /// Index of the point where it starts.
        from: u32,
        /// Index of the point where it ends.
        to: u32,
        /// How many points there are.
        points: usize,
    },
    /// Two walls cross, or one goes through a point.
    #[error("walls cross, or go through a point: {0}")]
    Crossing(String),
}

/// The constrained Delaunay triangulation of the free area on the left of walls, where y points up.
///
/// An edge that is no wall has no corner of its two triangles inside the circle through the other
/// three (Chew 1989, "Constrained Delaunay triangulations"). Found with exact predicates
/// (Shewchuk 1997, "Adaptive precision floating-point arithmetic"). Where four or more points lie
/// on one circle, the triangles go out from the point of lowest index, so there is one answer,
/// whatever the order of the walls.
#[derive(Clone, Debug, PartialEq)]
pub struct Triangulation {
    pub(super) points: Vec<[f64; 2]>,
    pub(super) cells: Pieces,
}

impl Triangulation {
    /// Triangulates points and walls, each from one point to another with free ground on its left.
    ///
    /// # Errors
    /// Any of [`TriangulationError`].
    pub fn new(points: Vec<[f64; 2]>, walls: &[[u32; 2]]) -> Result<Self, TriangulationError> {
        Self::with(points, walls, on_circle)
    }

    /// Triangulates points with whole coordinates below 2^15.
    pub(super) fn of_lattice(
        points: Vec<[f64; 2]>,
        walls: &[[u32; 2]],
    ) -> Result<Self, TriangulationError> {
        Self::with(points, walls, whole_on_circle)
    }

    fn with(
        points: Vec<[f64; 2]>,
        walls: &[[u32; 2]],
        on_circle: impl Fn([[f64; 2]; 4]) -> bool,
    ) -> Result<Self, TriangulationError> {
        let cdt = load(&points, walls)?;
        let ends = Rows::new(points.len(), |visit| {
            walls.iter().for_each(|&[from, to]| visit(from as usize, to));
        });
        let cells = cells(&faces(&cdt, &ends), &points, on_circle);
        Ok(Self { points, cells })
    }

    /// All points.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The triangles, as indices of points, counter-clockwise where y points up.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::with_capacity(self.points.len() * 2);
        for cell in 0..self.cells.corners.count() {
            let corners = self.cells.corners.row(cell);
            triangles.extend(corners[1..].windows(2).map(|far| [corners[0], far[0], far[1]]));
        }
        triangles
    }

    /// A mesh of the triangles.
    pub fn mesh(&self) -> Mesh {
        let triangles: Vec<Vec<u32>> = self.triangles().into_iter().map(Vec::from).collect();
        Mesh::new(self.points.clone(), &triangles)
    }

    /// A mesh of the triangles merged to convex polygons: edges are taken away, the longest first,
    /// while what they part stays convex (Hertel and Mehlhorn 1983, so at most four times as many
    /// polygons as need be).
    pub fn merged(&self) -> Mesh {
        merge(&self.points, &self.cells).mesh(self.points.clone())
    }
}

/// Triangulates points and walls; vertices have the indices of their points.
pub(super) fn load<U: Default>(
    points: &[[f64; 2]],
    walls: &[[u32; 2]],
) -> Result<Cdt<U>, TriangulationError> {
    let count = points.len();
    let bad = |wall: &&[u32; 2]| wall[0] == wall[1] || wall.iter().any(|&p| p as usize >= count);
    if let Some(&[from, to]) = walls.iter().find(bad) {
        return Err(TriangulationError::Wall { from, to, points: count });
    }
    let vertices = points.iter().map(|&[x, y]| Point2::new(x, y)).collect();
    let edges = sets::distinct(walls.iter().map(|&[a, b]| [a.min(b) as usize, a.max(b) as usize]));
    let count = edges.len();
    let mut crossing = None;
    let cdt = Cdt::<U>::try_bulk_load_cdt(vertices, edges, |edge| crossing = Some(edge))?;
    if cdt.num_vertices() < points.len() {
        return Err(TriangulationError::SamePoints(points.len() - cdt.num_vertices()));
    }
    if let Some([a, b]) = crossing {
        let text = format!("the one from {:?} to {:?}", points[a], points[b]);
        return Err(TriangulationError::Crossing(text));
    }
    if cdt.num_constraints() != count {
        let text = format!("{count} walls became {}", cdt.num_constraints());
        return Err(TriangulationError::Crossing(text));
    }
    Ok(cdt)
}

/// Whether four points lie on one circle.
pub(super) fn on_circle(points: [[f64; 2]; 4]) -> bool {
    let [a, b, c, d] = points.each(|[x, y]| Coord { x, y });
    robust::incircle(a, b, c, d) == 0.0
}

/// The same for whole coordinates below 2^15.
fn whole_on_circle(points: [[f64; 2]; 4]) -> bool {
    let [a, b, c, d] = points.each(|point| point.each(|value| value as i64));
    let row = |p: [i64; 2]| {
        let [x, y] = [p[0] - d[0], p[1] - d[1]];
        [x, y, x * x + y * y]
    };
    let [a, b, c] = [a, b, c].each(row);
    let minor = |p: [i64; 3], q: [i64; 3]| p[0] * q[1] - p[1] * q[0];
    a[2] * minor(b, c) + b[2] * minor(c, a) + c[2] * minor(a, b) == 0
}

/// A triangle: its points, the faces across its edges (0 is outside), and which of them are walls.
#[derive(Clone, Copy, Default)]
pub(super) struct Face {
    pub(super) points: [u32; 3],
    pub(super) across: [u32; 3],
    pub(super) walls: [bool; 3],
    pub(super) free: bool,
}

/// Free triangles joined across edges whose four points lie on one circle: convex polygons, the
/// same for every Delaunay triangulation of the same walls.
pub(super) fn cells(
    faces: &[Face],
    points: &[[f64; 2]],
    on_circle: impl Fn([[f64; 2]; 4]) -> bool,
) -> Pieces {
    let mut seen = vec![false; faces.len()];
    let mut cells = Pieces::default();
    let mut next = vec![(NONE, false); points.len()];
    let mut stack = Vec::new();
    for start in (1..faces.len()).filter(|&face| faces[face].free) {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        stack.push(start);
        while let Some(at) = stack.pop() {
            let face = &faces[at];
            for i in 0..3 {
                let across = face.across[i] as usize;
                if !joined(face, i, &faces[across], points, &on_circle) {
                    next[face.points[i] as usize] = (face.points[(i + 1) % 3], face.walls[i]);
                } else if !seen[across] {
                    seen[across] = true;
                    stack.push(across);
                }
            }
        }
        // All points on a circle are corners of the cell, so the walk can begin at any.
        let begin = faces[start].points[0];
        let mut corner = begin;
        loop {
            let (to, wall) = next[corner as usize];
            cells.corners.push(corner);
            cells.walls.push(wall);
            corner = to;
            if corner == begin {
                break;
            }
        }
        cells.close();
    }
    cells.sorted()
}

/// Whether the points of a face and of the one across an edge of it lie on one circle, and no wall
/// is between.
fn joined(
    face: &Face,
    edge: usize,
    across: &Face,
    points: &[[f64; 2]],
    on_circle: &impl Fn([[f64; 2]; 4]) -> bool,
) -> bool {
    if face.walls[edge] || !across.free {
        return false;
    }
    let [a, b, c] = face.points;
    let far = across.points.iter().find(|point| !face.points.contains(point));
    let d = *far.expect("two triangles on an edge have four points");
    on_circle([a, b, c, d].each(|point| points[point as usize]))
}

/// All faces by their index; those that walls enclose on their left are free.
fn faces(cdt: &Cdt, walls: &Rows<u32>) -> Vec<Face> {
    let mut faces = vec![Face::default(); cdt.num_all_faces()];
    let mut stack = Vec::new();
    for handle in cdt.inner_faces() {
        let at = handle.fix().index();
        let face = &mut faces[at];
        for (i, edge) in handle.adjacent_edges().into_iter().enumerate() {
            let (from, to) = (edge.from().fix().index() as u32, edge.to().fix().index() as u32);
            face.points[i] = from;
            face.across[i] = edge.rev().face().fix().index() as u32;
            face.walls[i] = edge.is_constraint_edge();
            face.free |= face.walls[i] && walls.row(from as usize).contains(&to);
        }
        if face.free {
            stack.push(at);
        }
    }
    while let Some(at) = stack.pop() {
        let face = faces[at];
        for i in 0..3 {
            let across = &mut faces[face.across[i] as usize];
            if !face.walls[i] && face.across[i] != 0 && !across.free {
                across.free = true;
                stack.push(face.across[i] as usize);
            }
        }
    }
    faces
}
