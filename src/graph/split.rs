//! Split search: through a gate that every way must take.
