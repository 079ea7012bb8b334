//! Finding routes, by whatever a navigator goes by.

use crate::graph::mesh::{FunnelSearch, MeshPath};
use crate::graph::network::{Outcome, Query, Trip, Walls};
use crate::graph::{NONE, Search, network};
use crate::map::area::GoalCells;
use crate::map::{Clearance, Map};
use crate::math::each::Each;
use crate::nav::navigator::ground::HEADINGS;
use crate::nav::navigator::prepared::radius;
use crate::nav::navigator::route::Corners;
use crate::nav::navigator::{Ground, Navigator, Prepared, route};

/// Cells of a way that memory is there for from the start.
const LONG_WAY: usize = 2_048;
/// Cells of a way that is one of many, at most: its agent asks for the rest when it is there.
const PART: usize = 512;
/// Cells of such a way that are as much work as a node of a search.
const CELLS_PER_UNIT: u64 = 8;

/// A map, a class of agents, and what has been prepared for these.
#[derive(Clone, Copy, Debug)]
pub struct Terrain<'a> {
    /// The map.
    pub map: &'a Map,
    /// The cells that the agents can stand on.
    pub class: &'a Clearance,
    /// What their navigators need.
    pub prepared: &'a Prepared,
}

/// Memory of searches for routes, used again and again.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    search: Search,
    starts: Vec<(u32, u32)>,
    cells: Vec<u32>,
    hops: Vec<u32>,
    network: network::Scratch,
    points: Vec<[f64; 2]>,
    funnel: FunnelSearch,
    path: MeshPath,
    /// Nodes that the last search expanded, and straight ways that it checked.
    work: u64,
}

impl Finder {
    /// Memory with room for the seeds that goals usually have.
    pub fn new() -> Self {
        Self { starts: Vec::with_capacity(1_024), ..Self::default() }
    }

    /// Bytes held by searches.
    pub fn bytes(&self) -> u64 {
        self.search.bytes() + self.funnel.bytes()
    }

    /// The last search on the grid.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// What the last route took: nodes expanded and straight ways checked, 1 at least.
    pub fn work(&self) -> u64 {
        self.work.max(1)
    }

    /// The first corners of a route from a cell, by a navigator that goes [by
    /// routes](Navigator::is_by_routes): to any of the seeds of a goal on the grid, to `centre` by
    /// the others. None when there is no way, or when what the navigator needs is not prepared.
    pub fn find(
        &mut self,
        navigator: Navigator,
        terrain: &Terrain<'_>,
        from: u32,
        goals: &GoalCells,
        centre: u32,
    ) -> Option<Corners> {
        let mut corners = Corners::default();
        let push = |cell| corners.push(cell);
        let is_whole = self.each_corner(navigator, terrain, from, (goals, centre), push)?;
        Some(Corners { is_whole, ..corners })
    }

    /// The whole of the route that [`Finder::find`] begins with: all its corners, the first cell
    /// before them, over `corners`. Whether there is one.
    pub fn find_whole(
        &mut self,
        navigator: Navigator,
        terrain: &Terrain<'_>,
        from: u32,
        to: u32,
        corners: &mut Vec<u32>,
    ) -> bool {
        corners.clear();
        corners.push(from);
        let push = |cell| {
            corners.push(cell);
            true
        };
        self.each_corner(navigator, terrain, from, (&GoalCells::point(to), to), push).is_some()
    }

    /// Calls `push` with the corners of a route until it refuses one, and says whether it took all;
    /// none when there is no way.
    fn each_corner(
        &mut self,
        navigator: Navigator,
        terrain: &Terrain<'_>,
        from: u32,
        (goals, centre): (&GoalCells, u32),
        push: impl FnMut(u32) -> bool,
    ) -> Option<bool> {
        self.work = 0;
        match navigator {
            Navigator::Waypoints if terrain.prepared.waypoints.is_some() => {
                self.by_waypoints(terrain, from, centre)?;
            }
            Navigator::Network => self.by_network(terrain, from, centre)?,
            Navigator::Mesh => self.by_mesh(terrain, from, centre)?,
            _ => {
                self.by_grid(terrain, from, goals)?;
                return Some(route::each_corner(&Ground::new(terrain.class), &self.cells, push));
            }
        }
        self.join(terrain, push)
    }

    /// Looks for the ways over the grid from several cells to the seeds of a goal, in one search.
    /// [`Finder::next_of_many`] gives the route of each. False when no grid is prepared.
    pub fn find_many(&mut self, terrain: &Terrain<'_>, from: &[u32], goals: &GoalCells) -> bool {
        self.work = 0;
        let Some(grid) = terrain.prepared.grid.as_ref() else { return false };
        let Self { search, starts, .. } = self;
        route::find_together(grid, terrain.class, search, starts, [from, goals.seeds()]);
        self.work = u64::from(self.search.expansions());
        true
    }

    /// The first corners of the route from one of the cells of [`Finder::find_many`]; none where
    /// there is no way. [`Finder::work`] counts it, too.
    pub fn next_of_many(&mut self, terrain: &Terrain<'_>, from: u32) -> Option<Corners> {
        self.search.cost(from)?;
        self.cells.clear();
        let mut at = from;
        while at != NONE && self.cells.len() < PART {
            self.cells.push(at);
            at = self.search.parent(at);
        }
        self.work += 1 + self.cells.len() as u64 / CELLS_PER_UNIT;
        let mut corners = route::corners(&Ground::new(terrain.class), &self.cells);
        corners.is_whole &= at == NONE;
        Some(corners)
    }

    /// Writes the cells of a way to the nearest goal.
    fn by_grid(&mut self, terrain: &Terrain<'_>, from: u32, goals: &GoalCells) -> Option<()> {
        let grid = terrain.prepared.grid.as_ref()?;
        let found = route::find(grid, terrain.class, &mut self.search, from, goals.seeds());
        self.work = u64::from(self.search.expansions());
        self.cells.reserve(LONG_WAY.saturating_sub(self.cells.len()));
        self.search.path(found?.node, &mut self.cells);
        Some(())
    }

    /// Writes the hops of a way, as by the others below.
    fn by_waypoints(&mut self, terrain: &Terrain<'_>, from: u32, to: u32) -> Option<()> {
        let waypoints = terrain.prepared.waypoints.as_ref()?;
        let from = nearest_open(&Ground::new(terrain.class), from)?;
        waypoints.route(terrain.class, from, to, &mut self.hops)?;
        self.work = self.hops.len() as u64;
        Some(())
    }

    fn by_network(&mut self, terrain: &Terrain<'_>, from: u32, to: u32) -> Option<()> {
        let Terrain { map, class, prepared } = *terrain;
        let network = prepared.network.as_ref()?;
        let ground = Ground::new(class);
        let from = nearest_open(&ground, from)?;
        let metres = |cell| middle(&ground, cell).each(|c| c * map.cell_size());
        let trip = Trip { from: metres(from), to: metres(to), radius: radius(map, class) };
        let walls = Walls::of_class(map, class);
        let points = &mut self.points;
        let outcome = network.route(&walls, &trip, &Query::default(), &mut self.network, points);
        self.work = u64::from(self.network.looked());
        if let Outcome::Found { expansions, .. } | Outcome::NoWay { expansions } = outcome {
            self.work += u64::from(expansions);
        }
        let cells = self.points.iter().map(|point| point.each(|c| c / map.cell_size()));
        take_cells(&ground, map, from, cells, &mut self.hops);
        Some(())
    }

    fn by_mesh(&mut self, terrain: &Terrain<'_>, from: u32, to: u32) -> Option<()> {
        let (tiled, locator) = terrain.prepared.mesh.as_ref()?;
        let ground = Ground::new(terrain.class);
        let from = nearest_open(&ground, from)?;
        let (start, goal) = (middle(&ground, from), middle(&ground, to));
        self.funnel.find(tiled.mesh(), locator, start, goal, &mut self.path);
        self.work = u64::from(self.path.expansions);
        let points = self.path.points.iter().copied();
        take_cells(&ground, terrain.map, from, points, &mut self.hops);
        Some(())
    }

    /// Calls `push` with the corners of a way over hops, which should see each other. Where two do
    /// not, since points on the rim of cells have become middles, a way over the grid joins them.
    fn join(&mut self, terrain: &Terrain<'_>, mut push: impl FnMut(u32) -> bool) -> Option<bool> {
        let grid = terrain.prepared.grid.as_ref()?;
        let ground = Ground::new(terrain.class);
        for pair in self.hops.windows(2) {
            let goes_on = if ground.sees(pair[0], pair[1], false) {
                push(pair[1])
            } else {
                let (class, search) = (terrain.class, &mut self.search);
                let found = route::find(grid, class, search, pair[0], &pair[1..2]);
                self.work += u64::from(self.search.expansions());
                self.search.path(found?.node, &mut self.cells);
                route::each_corner(&ground, &self.cells, &mut push)
            };
            if !goes_on {
                return Some(false);
            }
        }
        (self.hops.len() > 1).then_some(true)
    }
}

/// The middle of a cell, in cells.
fn middle(ground: &Ground<'_>, cell: u32) -> [f64; 2] {
    ground.place(cell).each(|c| f64::from(c) - 0.5)
}

/// A cell, or where agents cannot stand in it, one of the eight around it.
pub fn nearest_open(ground: &Ground<'_>, cell: u32) -> Option<u32> {
    let around = (0..HEADINGS).step_by(2).chain((1..HEADINGS).step_by(2));
    let around = around.map(|heading| ground.beside(cell, heading));
    std::iter::once(cell).chain(around).find(|&cell| ground.is_open(cell))
}

/// The cells of a way's points (in cells), beginning with `from` in place of the first one, over
/// `hops`. A point on the rim of several cells belongs to the one farthest from walls.
fn take_cells(
    ground: &Ground<'_>,
    map: &Map,
    from: u32,
    points: impl Iterator<Item = [f64; 2]>,
    hops: &mut Vec<u32>,
) {
    hops.clear();
    hops.push(from);
    for point in points.skip(1) {
        let high = point.each(|c| c.floor() as i32 + 1);
        let low = [0, 1].each(|axis| high[axis] - i32::from(point[axis] == point[axis].floor()));
        let places = (low[1]..=high[1]).flat_map(|j| (low[0]..=high[0]).map(move |i| [i, j]));
        let cells = places.map(|at| ground.cell(at)).filter(|&cell| ground.is_open(cell));
        let best = cells.max_by_key(|&cell| (map.wall_distance()[cell as usize], u32::MAX - cell));
        hops.extend(best.filter(|cell| hops.last() != Some(cell)));
    }
}
