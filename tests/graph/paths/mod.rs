//! Ways over grids and graphs: published optima, textbook searches, jump points, landmarks, and
//! what a query allocates.

mod grids;
mod jumps;
mod landmarks;
mod lines;
mod order;
mod published;
mod textbook;
