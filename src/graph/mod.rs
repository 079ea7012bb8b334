//! Index-based graphs and the searches on them: grids, networks of nodes and edges, navigation
//! meshes.
//!
//! Nodes are `u32` indices and everything lies in flat arrays. Costs are whole numbers, so answers
//! are the same bits everywhere. A search keeps its memory from query to query and marks what it
//! has seen with a stamp, so a query clears nothing and, once warm, allocates nothing.

pub mod csr;
pub mod grid;
pub mod highways;
pub mod hop_cache;
pub mod jump;
pub mod landmarks;
pub mod mesh;
pub mod network;
pub mod portals;
pub mod search;
pub mod split;
pub mod waypoints;

pub use csr::Csr;
pub use grid::Grid;
pub use jump::Jump;
pub use mesh::Mesh;
pub use search::Found;
pub use search::Graph;
pub use search::Search;

/// No node, no polygon, no edge.
pub const NONE: u32 = u32::MAX;
