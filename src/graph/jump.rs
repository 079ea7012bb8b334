//! Jump-point search on uniform grids.
