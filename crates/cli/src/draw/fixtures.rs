//! What a map has beside its cells, as pictures show it.

use crate::draw::traffic::Traffic;
use crate::draw::walls::Walls;

/// Walls with hit points, closed doors, sources and sinks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fixtures {
    /// Walls with hit points, and closed doors.
    pub walls: Walls,
    /// Sources and sinks.
    pub traffic: Traffic,
}
