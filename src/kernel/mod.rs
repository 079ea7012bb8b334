//! Batch arithmetic on blocks of agents.
//!
//! A kernel is written once over [`Lane`](crate::lane::Lane) and sees numbers, never a world. It
//! gives the same bits on 8 lanes and on one.

pub mod approach;
pub mod choose;
pub mod contact;
pub mod flight;
pub mod fuzzy;
pub mod half_planes;
pub mod headway;
pub mod heightfield;
pub mod intercept;
pub mod motion;
pub mod nearest;
pub mod orca;
pub mod own_side;
pub mod sample;
pub mod sense;
pub mod separate;
pub mod steer;
pub mod sweep;
pub mod wall;
pub mod wall_limit;
