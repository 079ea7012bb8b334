//! A cache of next hops.
