//! Fields and distances that are repaired after the ground has changed: the same bits as new ones,
//! for little work.

mod bounds;
mod distances;
mod equal;
mod ground;
