//! throng moves and navigates crowds of up to millions of agents on one machine, and gives the
//! same bits for the same input on every machine, thread count and instruction set.

pub mod data;
pub mod kernel;
pub mod lane;
pub mod map;
pub mod math;
pub mod nav;
pub mod par;
pub mod replay;
pub mod report;
pub mod scenario;
pub mod space;
pub mod state;
pub mod tick;
pub mod world;
