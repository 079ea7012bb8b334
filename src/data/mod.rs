//! Columns, tables, ids and rasters: how throng keeps its data.
