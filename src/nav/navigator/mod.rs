//! Navigators: ways to find a way, other than by a flow field.
//!
//! Some choose cell by cell, with a little memory ([`Walker`]) and no map of the whole: straight
//! on, at random, along an outline, after crumbs, along a road, with a hand on the wall. The others
//! ask for a route, a few points long, and follow it. Everything here is a pure function over the
//! cells that agents of one size can stand on, so tests and programs walk without a world
//! ([`walk()`]).

mod finder;
pub mod ground;
pub mod line;
mod next;
mod outline;
mod prepared;
mod road;
pub mod route;
mod trail;
mod walk;
mod walker;

pub use finder::{Finder, Terrain, nearest_open};
pub use ground::Ground;
pub use prepared::{Given, Prepared, SPACING};
pub use walk::{Walk, WalkOptions, walk};
pub use walker::Walker;

use crate::data::definition::words;

words! {
    /// How the agents of a group find their way to a goal.
    #[derive(Default)]
    #[serde(rename_all = "kebab-case")]
    pub enum Navigator {
        /// By a flow field, which all share.
        #[default]
        Flow = "flow",
        /// Straight at the goal; they stop at walls. As a walk: the line of Bresenham (1965).
        Straight = "straight",
        /// Straight on where the next step is free, else a step in a random free direction.
        RandomAvoid = "random-avoid",
        /// Straight on; along the outline of what is in the way, until the line from where that began
        /// to the goal is crossed nearer to the goal (Bug2 of Lumelsky and Stepanov 1987).
        Trace = "trace",
        /// The same, until the goal is in sight. It never ends where the goal cannot be seen from the
        /// outline.
        TraceSight = "trace-sight",
        /// Each takes the newest crumb beside it, or wanders. The agent with the lowest id leads: it
        /// goes by a path and drops the crumbs.
        Breadcrumbs = "breadcrumbs",
        /// Along roads, ground quicker than plain, whatever the goal.
        Road = "road",
        /// With the left hand on the wall, whatever the goal.
        LeftHand = "left-hand",
        /// By a table of next hops between waypoints.
        Waypoints = "waypoints",
        /// By a path on the grid, pulled tight.
        Path = "path",
        /// By a network of paths.
        Network = "network",
        /// By a navigation mesh.
        Mesh = "mesh",
        /// By a flow field that is made only where agents are, for large maps.
        Corridor = "corridor",
    }
}

impl Navigator {
    /// Whether it chooses cell by cell, with what is around alone.
    pub fn is_by_cells(self) -> bool {
        matches!(
            self,
            Self::Straight
                | Self::RandomAvoid
                | Self::Trace
                | Self::TraceSight
                | Self::Breadcrumbs
                | Self::Road
                | Self::LeftHand
        )
    }

    /// Whether agents head for points of their own, and must remember which.
    pub fn is_by_points(self) -> bool {
        self.is_by_cells() || self.is_by_routes()
    }

    /// Whether it asks for routes.
    pub fn is_by_routes(self) -> bool {
        matches!(self, Self::Waypoints | Self::Path | Self::Network | Self::Mesh)
    }
}
