//! Doors: an agent narrower than a gap in a wall passes it, at every size of cells, whatever keeps
//! agents apart; one that is wider is told that there is no way.

mod crowds;
mod lone;
mod queue;
mod site;
