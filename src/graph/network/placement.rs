//! The standard ways to a network for a map.

use crate::graph::network::corners::{Corners, points_of_visibility};
use crate::graph::network::flood::{FloodFill, flood_fill};
use crate::graph::network::walls::Walls;
use crate::graph::network::{Network, Sizes};
use crate::map::{Clearance, Map};

/// How nodes are placed on a map, and for which radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Radius that nodes and edges are placed for, and the cap of clearances, in metres.
    pub sizes: Sizes,
    /// Places of the nodes.
    pub method: Method,
}

/// Places of the nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Evenly over open ground.
    FloodFill(FloodFill),
    /// At the corners of walls.
    Corners(Corners),
}

impl Network {
    /// A network over the cells that a class of agents can stand on.
    pub fn for_class(map: &Map, class: &Clearance, placement: &Placement) -> Self {
        let walls = Walls::of_class(map, class);
        let Placement { sizes, method } = placement;
        let draft = match method {
            Method::FloodFill(placing) => flood_fill(map, class, &walls, sizes.radius, placing),
            Method::Corners(placing) => points_of_visibility(&walls, sizes.radius, placing),
        };
        Self::new(&draft, &walls, *sizes)
    }
}
