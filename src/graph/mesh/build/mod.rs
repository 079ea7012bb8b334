//! Navigation meshes made from grids and polygons.
//!
//! A grid's passable cells are bounded by [`Outlines`]; a [`Triangulation`] fills them with a
//! constrained Delaunay triangulation, whose triangles are merged to convex polygons. A
//! [`TiledMesh`] does so for each tile of a map, so a change of some cells costs no more than the
//! tiles that it touches, and the mesh depends on the cells alone, not on what they were before.
//! [`Mesh::from_polygons`](crate::graph::Mesh::from_polygons) and [`ObstacleMesh`] take polygons
//! instead of cells. [`greedy`] is the slow way to triangulate that the others are tested against.
//!
//! Every result is a function of the input alone: where several triangulations are Delaunay (four
//! corners on one circle, which on a grid is the rule), their common part is kept and the cells
//! that it leaves, which are convex, are cut or merged in an order of their own.

mod arrange;
mod cover;
mod delaunay;
pub mod greedy;
mod merge;
mod obstacles;
mod outline;
mod pieces;
mod polygons;
mod simplify;
mod tile;
mod tiles;

pub use delaunay::{Triangulation, TriangulationError};
pub use obstacles::ObstacleMesh;
pub use outline::Outlines;
pub use polygons::{MAX_COORDINATE, MAX_CORNERS, PolygonError};
pub use tiles::TiledMesh;
