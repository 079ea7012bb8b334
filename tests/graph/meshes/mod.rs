//! Navigation meshes: made from grids and polygons, and searched: files, point location, ways over
//! points on edges, shortest ways.
//!
//! Lengths are compared with published ones and with the data folder's on meshes of game maps,
//! and with a visibility graph of another making on small maps.

mod build;
mod build_polygons;
mod build_search;
mod degenerate;
mod exact;
mod files;
mod locate;
mod oracle;
mod routes;
mod shapes;
