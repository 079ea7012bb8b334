//! Highways: preferred corridors with a lower cost.
