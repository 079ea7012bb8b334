//! The ways to find a way, by name.

use throng::nav::navigator::Navigator;

/// A way to find a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Method {
    /// [`Navigator::Straight`].
    Straight,
    /// [`Navigator::RandomAvoid`].
    RandomAvoid,
    /// [`Navigator::Trace`].
    Trace,
    /// [`Navigator::TraceSight`].
    TraceSight,
    /// [`Navigator::Breadcrumbs`].
    Breadcrumbs,
    /// [`Navigator::Road`].
    Road,
    /// [`Navigator::LeftHand`].
    LeftHand,
    /// Down a flow field of its own.
    Flow,
    /// A* on the grid, then straight from corner to corner.
    Path,
    /// From waypoint to waypoint, by a table of next hops.
    Waypoints,
    /// Over a network of paths at the corners of walls.
    Network,
    /// Over a navigation mesh in tiles: A* and a funnel.
    Mesh,
    /// Dijkstra's search on the grid.
    Dijkstra,
    /// A* on the grid, estimates by the empty grid.
    AstarOctile,
    /// A* on the grid, estimates by the straight line.
    AstarEuclid,
    /// A* on the grid, estimates by eight landmarks, too.
    Landmarks,
    /// Jump points.
    Jump,
    /// Greedy best-first search on the grid.
    Greedy,
    /// Through the portals of sectors, then cell by cell.
    Portals,
    /// A* in two parts, where one cell cuts the map in two.
    Split,
    /// Over a navigation mesh in one piece: A* and a funnel.
    Funnel,
    /// The same, and on until nothing much shorter is likely.
    Relaxed,
    /// The shortest way over a navigation mesh (Polyanya).
    Exact,
}

/// What a method promises about the length of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Promise {
    /// To arrive sometimes.
    Nothing,
    /// To find a way where there is one.
    Found,
    /// The shortest way in straight and diagonal steps, where all ground is alike.
    Octile,
    /// The shortest way of all.
    Straight,
}

use Method::AstarEuclid;
use Method::AstarOctile;
use Method::Breadcrumbs;
use Method::Dijkstra;
use Method::Exact;
use Method::Flow;
use Method::Funnel;
use Method::Greedy;
use Method::Jump;
use Method::Landmarks;
use Method::LeftHand;
use Method::Mesh;
use Method::Network;
use Method::Path;
use Method::Portals;
use Method::RandomAvoid;
use Method::Relaxed;
use Method::Road;
use Method::Split;
use Method::Straight;
use Method::Trace;
use Method::TraceSight;
use Method::Waypoints;

impl Method {
    /// All of them, those of scenarios first.
    pub(crate) const ALL: [Self; 23] = [
        Straight,
        RandomAvoid,
        Trace,
        TraceSight,
        Breadcrumbs,
        Road,
        LeftHand,
        Flow,
        Path,
        Waypoints,
        Network,
        Mesh,
        Dijkstra,
        AstarOctile,
        AstarEuclid,
        Landmarks,
        Jump,
        Greedy,
        Portals,
        Split,
        Funnel,
        Relaxed,
        Exact,
    ];

    /// What it is called; navigators have their names in scenario files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Dijkstra => "dijkstra",
            AstarOctile => "astar-octile",
            AstarEuclid => "astar-euclid",
            Landmarks => "landmarks",
            Jump => "jump",
            Greedy => "greedy",
            Portals => "portals",
            Split => "split",
            Funnel => "funnel",
            Relaxed => "relaxed",
            Exact => "exact",
            Flow => Navigator::Flow.name(),
            Path => Navigator::Path.name(),
            Waypoints => Navigator::Waypoints.name(),
            Network => Navigator::Network.name(),
            Mesh => Navigator::Mesh.name(),
            Straight | RandomAvoid | Trace | TraceSight | Breadcrumbs | Road | LeftHand => {
                self.by_cells().map_or("", Navigator::name)
            }
        }
    }

    /// The method of a name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// The navigator that goes cell by cell.
    pub(crate) fn by_cells(self) -> Option<Navigator> {
        Some(match self {
            Straight => Navigator::Straight,
            RandomAvoid => Navigator::RandomAvoid,
            Trace => Navigator::Trace,
            TraceSight => Navigator::TraceSight,
            Breadcrumbs => Navigator::Breadcrumbs,
            Road => Navigator::Road,
            LeftHand => Navigator::LeftHand,
            _ => return None,
        })
    }

    /// Whether it goes over a navigation mesh, so that a mesh file will do for a map.
    pub(crate) fn by_mesh(self) -> bool {
        matches!(self, Mesh | Funnel | Relaxed | Exact)
    }

    /// What it promises about a way's length.
    pub(crate) fn promise(self) -> Promise {
        match self {
            Dijkstra | AstarOctile | AstarEuclid | Landmarks | Jump | Split => Promise::Octile,
            Exact => Promise::Straight,
            Flow | Path | Waypoints | Network | Mesh | Greedy | Portals | Funnel | Relaxed => {
                Promise::Found
            }
            _ => Promise::Nothing,
        }
    }
}
