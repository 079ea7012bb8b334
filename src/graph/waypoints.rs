//! Waypoint tables: next hops between nodes that see the whole map.
