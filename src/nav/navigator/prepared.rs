//! What routes are found by beside the grid: made once for a map and a class of agents.

use crate::graph::mesh::Locator;
use crate::graph::mesh::build::TiledMesh;
use crate::graph::network::{FloodFill, Method, Network, Placement, Sizes, Walls};
use crate::graph::waypoints::{WaypointError, WaypointOptions, Waypoints};
use crate::graph::{Grid, Mesh};
use crate::map::{Clearance, Map, Window};
use crate::nav::navigator::Navigator;

/// Cells of a side of a mesh's tiles.
const TILE: u32 = 64;
/// Cells between the nodes of a network of agents on open ground.
pub const SPACING: f64 = 6.0;
/// Cells beyond the radius up to which clearances in a network are told apart.
const CAP: f64 = 4.0;

/// A map as it was given, where it has changed since.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The map.
    pub map: &'a Map,
    /// The cells that agents of the class could stand on.
    pub class: &'a Clearance,
    /// What holds all cells of the class that have changed.
    pub changed: Window,
}

/// What the agents of a class share: a pure function of the map as it was given and as it is, so that
/// it need not be saved. Empty until a navigator needs something.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    pub(super) grid: Option<Grid>,
    pub(super) waypoints: Option<Waypoints>,
    pub(super) network: Option<Network>,
    pub(super) mesh: Option<(TiledMesh, Locator)>,
}

/// The radius in metres that networks of a class are for: no agent of the class is much smaller,
/// and none larger where that matters. Up to a cell, centres of cells may be nearer to walls than the
/// radius (see `map::room`); the class says which of them count.
pub(super) fn radius(map: &Map, class: &Clearance) -> f64 {
    let distance = f64::from(class.min_distance());
    // Half a cell and less is one class.
    let units = match distance {
        ..=128.0 => 64.0,
        ..=256.0 => 127.0,
        _ => distance - 1.0,
    };
    units / 256.0 * map.cell_size()
}

impl Prepared {
    /// Makes what a navigator needs, unless it is there. The nodes of a network are placed on the map
    /// as it was given, so that what is there does not depend on when it was made.
    ///
    /// # Errors
    /// When the map needs too many waypoints.
    pub fn prepare(
        &mut self,
        navigator: Navigator,
        map: &Map,
        class: &Clearance,
        given: Option<Given<'_>>,
    ) -> Result<(), WaypointError> {
        // Leaders that drop crumbs go by a path; the other navigators fill gaps by one.
        if navigator.is_by_routes() || navigator == Navigator::Breadcrumbs {
            self.grid.get_or_insert_with(|| Grid::new(class));
        }
        match navigator {
            Navigator::Waypoints if self.waypoints.is_none() => {
                self.waypoints = Some(Waypoints::new(map, class, WaypointOptions::default())?);
            }
            Navigator::Network if self.network.is_none() => {
                let radius = radius(map, class);
                let cap = radius + CAP * map.cell_size();
                let method = Method::FloodFill(FloodFill::every(SPACING * map.cell_size()));
                let placement = Placement { sizes: Sizes { radius, cap }, method };
                let network = match given {
                    None => Network::for_class(map, class, &placement),
                    Some(Given { map: then, class: open, changed }) => {
                        let mut network = Network::for_class(then, open, &placement);
                        let walls = Walls::of_class(map, class);
                        network.invalidate(&walls, walls.metres(changed));
                        network
                    }
                };
                self.network = Some(network);
            }
            Navigator::Mesh if self.mesh.is_none() => {
                let tiled = TiledMesh::new(class, TILE, None);
                let locator = Locator::new(tiled.mesh());
                self.mesh = Some((tiled, locator));
            }
            _ => {}
        }
        Ok(())
    }

    /// The network, where it is made.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// The navigation mesh, where it is made.
    pub fn mesh(&self) -> Option<&Mesh> {
        self.mesh.as_ref().map(|(tiled, _)| tiled.mesh())
    }

    /// The waypoints, where they are made.
    pub fn waypoints(&self) -> Option<&Waypoints> {
        self.waypoints.as_ref()
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let grid = self.grid.as_ref().map_or(0, Grid::bytes);
        let waypoints = self.waypoints.as_ref().map_or(0, Waypoints::bytes);
        let network = self.network.as_ref().map_or(0, Network::bytes);
        let mesh = self.mesh.as_ref();
        let mesh = mesh.map_or(0, |(tiled, locator)| tiled.mesh().bytes() + locator.bytes());
        grid + waypoints + network + mesh
    }

    /// Whether there are waypoints to find routes by.
    pub(crate) fn has_waypoints(&self) -> bool {
        self.waypoints.is_some()
    }

    /// Follows a change of the map, of `cells` of the class (padded indices). Waypoints, of which
    /// each may see half of the map, are placed anew.
    pub fn repair(&mut self, map: &Map, class: &Clearance, cells: &[u32]) {
        if cells.is_empty() {
            return;
        }
        let window = Window::around(cells, class.stride());
        if let Some(grid) = &mut self.grid {
            grid.repair(class, window);
        }
        if let Some((tiled, locator)) = &mut self.mesh {
            tiled.update(class, cells.iter().copied());
            *locator = Locator::new(tiled.mesh());
        }
        if let Some(network) = &mut self.network {
            let walls = Walls::of_class(map, class);
            network.invalidate(&walls, walls.metres(window));
        }
        if self.waypoints.take().is_some() {
            // Where there are too many now, routes are found on the grid.
            self.waypoints = Waypoints::new(map, class, WaypointOptions::default()).ok();
        }
    }
}
