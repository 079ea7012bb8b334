//! Maps made by rules: noise, caves, walkers, rooms, roads and places, from a seed.
//!
//! Everything is made of whole numbers and of `+ - * /`, square roots and comparisons, so the same
//! rules and the same seed give the same bytes on every machine.

pub mod points;
pub mod roads;
