//! Index-based graphs and the searches on them: grids, networks of nodes and edges, navigation
//! meshes.
//!
//! Nodes are `u32` indices and everything lies in flat arrays. Costs are whole numbers, so answers
//! are the same bits everywhere. A search keeps its memory from query to query and marks what it
//! has seen, so a query clears nothing and, once warm, allocates nothing.
//!
//! ```
//! use throng::graph::grid::Heuristic;
//! use throng::graph::{Grid, Jump, Search};
//! use throng::map::{Legend, Map};
//!
//! let map = Map::from_rows(&["..@.", "..@.", "...."], &Legend::default(), 1.0)?;
//! let class = map.class(0.4);
//! let (start, goal) = (map.index(0, 0), map.index(3, 0));
//!
//! // A* over the cells; a straight step costs 256.
//! let grid = Grid::new(&class);
//! let mut search = Search::default();
//! let octile = grid.estimate(Heuristic::Octile, goal);
//! let found = search.find(&grid, &[(start, 0)], |cell| cell == goal, octile).unwrap();
//! assert_eq!(found.cost, 5 * 256 + 362);
//!
//! // The cells of the way.
//! let mut path = Vec::new();
//! search.path(goal, &mut path);
//! assert_eq!(path.len(), 7);
//!
//! // Where all ground costs the same, jump points find a way of that cost much faster.
//! let jump = Jump::new(&class).expect("even ground");
//! assert_eq!(jump.find(&mut search, start, goal), Some(found));
//! jump.path(&search, goal, &mut path);
//! assert_eq!(path.len(), 7);
//! # Ok::<(), throng::map::MapError>(())
//! ```

pub mod csr;
pub mod grid;
pub mod highways;
pub mod hop_cache;
pub mod jump;
pub mod landmarks;
pub mod mesh;
pub mod network;
pub mod portals;
mod rows;
pub mod search;
pub mod split;
mod stamped;
pub(crate) mod use_order;
pub mod waypoints;

pub use csr::Csr;
pub use grid::Grid;
pub use jump::Jump;
pub use mesh::Mesh;
pub use search::{Found, Graph, Search};

/// No node, no polygon, no edge.
pub const NONE: u32 = u32::MAX;
