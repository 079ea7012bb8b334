//! The ways to find a way, by name.

use throng::nav::navigator::Navigator;

/// A way to find a way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// As the agents of a scenario go; all but [`Navigator::Corridor`], which needs ticks.
    By(Navigator),
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
    /// By next hops that earlier ways have left, else A* on the grid.
    Hops,
    /// A search on the grid that prefers highways: roads, and the ways between landmarks.
    Highways,
    /// Over a network of paths at the corners of walls.
    Visibility,
    /// Over a navigation mesh in one piece: A* and a funnel.
    Funnel,
    /// The same, and on until nothing much shorter is likely.
    Relaxed,
    /// The shortest way over a navigation mesh (Polyanya).
    #[default]
    Exact,
}

/// What a method promises about the length of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// To arrive sometimes.
    Nothing,
    /// To find a way where there is one.
    Found,
    /// The shortest way in straight and diagonal steps, where all ground is alike.
    Octile,
    /// The shortest way of all.
    Straight,
}

/// Methods that agents of scenarios do not go by, with their names.
const OTHERS: [(Method, &str); 14] = [
    (Method::Dijkstra, "dijkstra"),
    (Method::AstarOctile, "astar-octile"),
    (Method::AstarEuclid, "astar-euclid"),
    (Method::Landmarks, "landmarks"),
    (Method::Jump, "jump"),
    (Method::Greedy, "greedy"),
    (Method::Portals, "portals"),
    (Method::Split, "split"),
    (Method::Hops, "hops"),
    (Method::Highways, "highways"),
    (Method::Visibility, "visibility"),
    (Method::Funnel, "funnel"),
    (Method::Relaxed, "relaxed"),
    (Method::Exact, "exact"),
];

impl Method {
    /// All methods, the navigators of scenarios first.
    pub fn all() -> impl Iterator<Item = Self> {
        let navigators = Navigator::ALL.into_iter().filter(|&by| by != Navigator::Corridor);
        navigators.map(Self::By).chain(OTHERS.map(|(method, _)| method))
    }

    /// What it is called; navigators have their names in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            Self::By(navigator) => navigator.name(),
            _ => OTHERS.iter().find(|(other, _)| *other == self).map_or("", |(_, name)| name),
        }
    }

    /// The method of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|method| method.name() == name)
    }

    /// Whether it goes cell by cell.
    pub fn is_by_cells(self) -> bool {
        matches!(self, Self::By(navigator) if navigator.is_by_cells())
    }

    /// Whether it can go over a map of hexagons, from one to a neighbour.
    pub fn is_on_hexagons(self) -> bool {
        matches!(
            self,
            Self::Dijkstra
                | Self::AstarOctile
                | Self::AstarEuclid
                | Self::Landmarks
                | Self::Greedy
                | Self::Split
                | Self::Hops
        )
    }

    /// Whether it goes over a navigation mesh, so that a mesh file will do for a map.
    pub fn is_by_mesh(self) -> bool {
        matches!(self, Self::By(Navigator::Mesh) | Self::Funnel | Self::Relaxed | Self::Exact)
    }

    /// What it promises about a way's length.
    pub fn promise(self) -> Promise {
        match self {
            Self::Dijkstra
            | Self::AstarOctile
            | Self::AstarEuclid
            | Self::Landmarks
            | Self::Jump
            | Self::Split
            | Self::Hops => Promise::Octile,
            Self::Exact => Promise::Straight,
            _ if self.is_by_cells() => Promise::Nothing,
            _ => Promise::Found,
        }
    }
}
