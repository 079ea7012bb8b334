//! Ways on large maps, by parts: next hops, portals, corridors, waypoints, gates and highways.

mod corridors;
mod gates;
mod hops;
mod portals;
mod walk;
mod waypoints;
