//! Path networks: what an edge keeps clear of, where nodes go, ways over them, and corridors.

mod changing;
mod corridors;
mod crumbs;
mod files;
mod oracle;
mod placing;
mod ratio;
mod validity;
mod ways;
