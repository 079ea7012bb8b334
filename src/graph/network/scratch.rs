//! The memory of queries.

use crate::graph::Search;
use crate::graph::network::obstacles::{Point, Stretch};

/// Memory of queries, used again and again.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) search: Search,
    pub(super) near: Vec<(f64, u32)>,
    pub(super) seen: Vec<u32>,
    pub(super) starts: Vec<(u32, u32)>,
    pub(super) goals: Vec<(u32, u32)>,
    pub(super) nodes: Vec<u32>,
    pub(super) head: Vec<Point>,
    pub(super) tail: Vec<Point>,
    pub(super) grounds: Vec<Stretch>,
    pub(super) looked: u32,
}

impl Scratch {
    /// Straight ways that the last query checked: with its expansions, the work it took.
    pub fn looked(&self) -> u32 {
        self.looked
    }

    /// Nodes that the last way went over, before it was made shorter.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }
}
