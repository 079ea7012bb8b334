//! What a method needs to know of a map, and its queries.

use crate::pathfinding::{Method, Query, Scratch, Way, descend, hexagons};
use std::sync::{Mutex, MutexGuard};
use throng::graph::grid::Heuristic;
use throng::graph::highways::Highways;
use throng::graph::hop_cache::HopCache;
use throng::graph::jump::JumpError;
use throng::graph::landmarks::Landmarks;
use throng::graph::mesh::Locator;
use throng::graph::mesh::build::TiledMesh;
use throng::graph::network::{Network, Outcome, Placement, Sizes, Trip, Walls};
use throng::graph::portals::Portals;
use throng::graph::split::Split;
use throng::graph::waypoints::WaypointError;
use throng::graph::{Grid, Jump, Mesh, Search, grid, network, split};
use throng::map::area::GoalCells;
use throng::map::{Clearance, Map, PLAIN};
use throng::nav::field::UNREACHED;
use throng::nav::navigator::{Navigator, Terrain, WalkOptions, walk};
use throng::nav::{field, navigator};

/// Landmarks of [`Method::Landmarks`].
const LANDMARKS: u32 = 8;

/// Next hops that [`Method::Hops`] remembers.
const HOPS: u32 = 1 << 16;

/// Sixteenths of its cost that an edge of [`Method::Highways`] costs.
const FACTOR: u32 = 12;

const BREADCRUMBS: Method = Method::By(Navigator::Breadcrumbs);

/// Why a method cannot be used on a map.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// Jump points are for uniform ground.
    #[error(transparent)]
    Jump(#[from] JumpError),
    /// The method is for squares.
    #[error("it goes over squares, not over hexagons")]
    Hexagons,
    /// The map needs too many waypoints.
    #[error(transparent)]
    Waypoints(#[from] WaypointError),
}

/// A method with what it needs to know of a map, made once.
#[derive(Debug)]
pub struct Prepared<'a> {
    method: Method,
    map: &'a Map,
    class: &'a Clearance,
    radius: f64,
    /// Whether cells are hexagons.
    hexagons: bool,
    tool: Tool,
}

#[derive(Debug)]
enum Tool {
    Nothing,
    Grid(Grid),
    Landmarks(Grid, Landmarks),
    Jump(Jump),
    Portals(Portals),
    Split(Grid, Split),
    Hops(Grid, Mutex<HopCache>),
    Highways(Grid, Vec<bool>),
    Visibility(Network),
    Mesh(Mesh, Locator),
    /// What agents of a scenario have.
    Routes(Box<navigator::Prepared>),
}

impl<'a> Prepared<'a> {
    /// Prepares a method for the agents of a radius in metres; `class` is theirs.
    ///
    /// # Errors
    /// [`Refused`] when the method cannot be used on the map.
    pub fn new(
        method: Method,
        map: &'a Map,
        class: &'a Clearance,
        radius: f64,
    ) -> Result<Self, Refused> {
        let tool = match method {
            Method::By(navigator) if navigator.is_by_routes() => {
                let mut prepared = Box::<navigator::Prepared>::default();
                prepared.prepare(navigator, map, class, None)?;
                Tool::Routes(prepared)
            }
            Method::By(Navigator::Breadcrumbs)
            | Method::Dijkstra
            | Method::AstarOctile
            | Method::AstarEuclid
            | Method::Greedy => Tool::Grid(Grid::new(class)),
            Method::By(_) => Tool::Nothing,
            Method::Landmarks => {
                let grid = Grid::new(class);
                let landmarks = far_apart(class, &grid, &mut Search::default());
                Tool::Landmarks(grid, landmarks)
            }
            Method::Hops => {
                let hops = HopCache::new(HOPS);
                Tool::Hops(Grid::new(class), Mutex::new(hops))
            }
            Method::Highways => {
                let grid = Grid::new(class);
                let on = highways(class, &grid);
                Tool::Highways(grid, on)
            }
            Method::Jump => Tool::Jump(Jump::new(class)?),
            Method::Split => {
                let grid = Grid::new(class);
                let split = in_two(class, &grid);
                Tool::Split(grid, split)
            }
            Method::Portals => Tool::Portals(Portals::new(class)),
            Method::Visibility => {
                let sizes = Sizes { radius, cap: radius + 2.0 * map.cell_size() };
                let method = network::Method::Corners(network::Corners::default());
                Tool::Visibility(Network::for_class(map, class, &Placement { sizes, method }))
            }
            Method::Funnel | Method::Relaxed | Method::Exact => {
                let tiled = TiledMesh::new(class, map.width().max(map.height()), None);
                let mesh = tiled.mesh().clone();
                let locator = Locator::new(&mesh);
                Tool::Mesh(mesh, locator)
            }
        };
        Ok(Self { method, map, class, radius, hexagons: false, tool })
    }

    /// Prepares a method for a map whose cells are hexagons in rows, of which rows 1, 3, 5 … lie half
    /// a hexagon to the right ([`Neighbours::Hex`](grid::Neighbours)).
    ///
    /// # Errors
    /// [`Refused::Hexagons`] when the method is for squares.
    pub fn on_hexagons(
        method: Method,
        map: &'a Map,
        class: &'a Clearance,
    ) -> Result<Self, Refused> {
        let grid = hexagons::grid(class);
        let tool = match method {
            Method::Dijkstra | Method::AstarOctile | Method::AstarEuclid | Method::Greedy => {
                Tool::Grid(grid)
            }
            Method::Landmarks => {
                let landmarks = far_apart(class, &grid, &mut Search::default());
                Tool::Landmarks(grid, landmarks)
            }
            Method::Hops => Tool::Hops(grid, Mutex::new(HopCache::new(HOPS))),
            Method::Split => {
                let split = in_two(class, &grid);
                Tool::Split(grid, split)
            }
            _ => return Err(Refused::Hexagons),
        };
        Ok(Self { method, map, class, radius: 0.0, hexagons: true, tool })
    }

    /// Bytes of what was prepared; the map's own are not counted.
    pub fn bytes(&self) -> u64 {
        match &self.tool {
            Tool::Nothing => 0,
            Tool::Grid(grid) => grid.bytes(),
            Tool::Landmarks(grid, landmarks) => grid.bytes() + landmarks.bytes(),
            Tool::Jump(jump) => jump.bytes(),
            Tool::Portals(portals) => portals.bytes(),
            Tool::Split(grid, split) => grid.bytes() + split.bytes(),
            Tool::Hops(grid, hops) => grid.bytes() + lock(hops).bytes(),
            Tool::Highways(grid, on) => grid.bytes() + on.len() as u64,
            Tool::Visibility(network) => network.bytes(),
            Tool::Mesh(mesh, locator) => mesh.bytes() + locator.bytes(),
            Tool::Routes(prepared) => prepared.bytes(),
        }
    }

    /// The middle of a cell, in cells; of a hexagon, in widths of one.
    pub fn middle(&self, cell: u32) -> [f64; 2] {
        let (x, y) = self.map.cell(cell);
        if self.hexagons {
            return throng::map::hexagons::middle([x, y]);
        }
        [f64::from(x) + 0.5, f64::from(y) + 0.5]
    }

    /// Asks for a way between two passable cells, which is written over `way`.
    pub fn find(&self, query: &Query, scratch: &mut Scratch, way: &mut Way) {
        way.clear();
        scratch.cells.clear();
        let (from, to) = (query.from, query.to);
        let (found, expansions) = match &self.tool {
            Tool::Nothing if self.method == Method::By(Navigator::Flow) => {
                self.down_a_field(query, way)
            }
            Tool::Nothing => self.walk(query, &[], scratch),
            Tool::Routes(prepared) => self.as_agents(prepared, query, scratch, way),
            Tool::Grid(_) if self.method == BREADCRUMBS => {
                let trail = self.trail(query, scratch);
                self.walk(query, &trail, scratch)
            }
            Tool::Grid(grid) => on_grid(self.method, grid, query, scratch),
            Tool::Landmarks(grid, landmarks) => {
                let octile = grid.estimate(Heuristic::Octile, to);
                let estimate = landmarks.estimate(to, octile);
                let Scratch { search, cells, .. } = scratch;
                let found = search.find(grid, &[(from, 0)], |cell| cell == to, estimate);
                search.path(to, cells);
                (found.is_some(), u64::from(search.expansions()))
            }
            Tool::Jump(jump) => {
                let Scratch { search, cells, .. } = scratch;
                let found = jump.find(search, from, to).is_some();
                if found {
                    jump.path(search, to, cells);
                }
                (found, u64::from(search.expansions()))
            }
            Tool::Portals(portals) => {
                let Scratch { portals: search, cells, .. } = scratch;
                let found = search.find(portals, self.class, from, to, cells);
                (found.is_some(), u64::from(search.expansions()))
            }
            Tool::Split(grid, split) => {
                let Scratch { split: search, cells, .. } = scratch;
                let estimate = |a, b| grid.estimate(Heuristic::Octile, b)(a);
                let found = search.find(split, grid, (from, to), estimate, cells);
                (found.is_some(), search.expansions())
            }
            Tool::Hops(_, hops) if lock(hops).path(from, to, &mut scratch.cells) => (true, 0),
            Tool::Hops(grid, hops) => {
                let found = on_grid(self.method, grid, query, scratch);
                lock(hops).insert_path(&scratch.cells);
                found
            }
            Tool::Highways(grid, on) => {
                let Scratch { highways: search, cells, .. } = scratch;
                let preferred = Highways::new(grid, on, FACTOR);
                let estimate = grid.estimate(Heuristic::Octile, to);
                let found = search.find(&preferred, from, to, estimate).is_some();
                if found {
                    search.path(to, cells);
                }
                (found, u64::from(search.expansions()))
            }
            Tool::Visibility(network) => self.on_network(network, query, scratch, way),
            Tool::Mesh(mesh, locator) => {
                let ends = [from, to].map(|cell| self.middle(cell));
                over_mesh(self.method, mesh, locator, ends, scratch, way);
                (way.found, way.expansions)
            }
        };
        (way.found, way.expansions) = (found, expansions);
        self.write(scratch, way);
    }

    /// Makes points of cells, if there are any, and measures.
    fn write(&self, scratch: &mut Scratch, way: &mut Way) {
        if !scratch.cells.is_empty() {
            let is_square = !self.hexagons;
            way.steps = is_square.then(|| grid::steps(self.class, &scratch.cells)).flatten();
            way.points.extend(scratch.cells.iter().map(|&cell| self.middle(cell)));
        }
        way.measure();
        if let Some(steps) = way.steps {
            way.length = steps.length();
        }
    }

    /// The way that an agent of a scenario goes. Here and below: whether it was found, and what was
    /// expanded.
    fn as_agents(
        &self,
        prepared: &navigator::Prepared,
        query: &Query,
        scratch: &mut Scratch,
        way: &mut Way,
    ) -> (bool, u64) {
        let Method::By(navigator) = self.method else { return (false, 0) };
        let terrain = Terrain { map: self.map, class: self.class, prepared };
        let Scratch { finder, cells, .. } = scratch;
        let found = finder.find_whole(navigator, &terrain, query.from, query.to, cells);
        let corners = cells.drain(..).map(|cell| self.middle(cell));
        way.points.extend(corners.filter(|_| found));
        (found, finder.work())
    }

    fn walk(&self, query: &Query, trail: &[u32], scratch: &mut Scratch) -> (bool, u64) {
        let Method::By(navigator) = self.method else { return (false, 0) };
        let goals = GoalCells::point(query.to);
        let options = WalkOptions { seed: query.seed, most_steps: query.most_steps, trail };
        let walk = walk(navigator, self.class, query.from, &goals, &options);
        scratch.cells = walk.cells;
        (walk.arrived, scratch.cells.len() as u64 - 1)
    }

    fn down_a_field(&self, query: &Query, way: &mut Way) -> (bool, u64) {
        let [from, to] = [query.from, query.to].map(|cell| self.middle(cell));
        let field = field::solve(self.class, &GoalCells::point(query.to));
        let reached = field.distances.iter().filter(|&&distance| distance != UNREACHED);
        let most = query.most_steps.saturating_mul(4);
        let found = field.distances[query.from as usize] != UNREACHED
            && descend::walk(self.class, &field.directions, from, to, most, &mut way.points);
        (found, reached.count() as u64)
    }

    fn on_network(
        &self,
        network: &Network,
        query: &Query,
        scratch: &mut Scratch,
        way: &mut Way,
    ) -> (bool, u64) {
        let side = self.map.cell_size();
        let [from, to] =
            [query.from, query.to].map(|cell| self.middle(cell).map(|part| part * side));
        let trip = Trip { from, to, radius: self.radius };
        let walls = Walls::of_class(self.map, self.class);
        let asked = network::Query::default();
        let outcome = network.route(&walls, &trip, &asked, &mut scratch.network, &mut way.points);
        way.points.iter_mut().flatten().for_each(|part| *part /= side);
        match outcome {
            Outcome::Found { expansions, .. } => (true, u64::from(expansions)),
            Outcome::NoWay { expansions } => (false, u64::from(expansions)),
            Outcome::NoNode { .. } => (false, 0),
        }
    }

    /// The crumbs of a query's leader, which goes by the cheapest way, oldest first; none for methods
    /// other than [`Navigator::Breadcrumbs`].
    pub fn trail(&self, query: &Query, scratch: &mut Scratch) -> Vec<u32> {
        match &self.tool {
            Tool::Grid(grid) if self.method == BREADCRUMBS => {
                let leader = Query { from: query.leader, ..*query };
                on_grid(Method::AstarOctile, grid, &leader, scratch);
                std::mem::take(&mut scratch.cells)
            }
            _ => Vec::new(),
        }
    }

    /// Cells that the last query of a search on the grid has looked at, for pictures.
    pub fn seen(&self, scratch: &Scratch) -> Vec<u32> {
        let search = match self.tool {
            Tool::Grid(_) if self.method == BREADCRUMBS => return Vec::new(),
            Tool::Grid(_) | Tool::Landmarks(..) | Tool::Jump(_) => &scratch.search,
            Tool::Routes(_) if self.method == Method::By(Navigator::Path) => {
                scratch.finder.search()
            }
            _ => return Vec::new(),
        };
        let cells = 0..self.class.slowness().len() as u32;
        cells.filter(|&cell| search.cost(cell).is_some()).collect()
    }

    /// The navigation mesh, where the method has one.
    pub fn mesh(&self) -> Option<&Mesh> {
        match &self.tool {
            Tool::Mesh(mesh, _) => Some(mesh),
            Tool::Routes(prepared) => prepared.mesh(),
            _ => None,
        }
    }

    /// The network, where the method has one.
    pub fn network(&self) -> Option<&Network> {
        match &self.tool {
            Tool::Visibility(network) => Some(network),
            Tool::Routes(prepared) => prepared.network(),
            _ => None,
        }
    }

    /// The cells of highways, where the method has them, for pictures.
    pub fn highways(&self) -> Vec<u32> {
        let Tool::Highways(_, on) = &self.tool else { return Vec::new() };
        (0..).zip(on).filter(|&(_, &on)| on).map(|(cell, _)| cell).collect()
    }
}

/// A way over a mesh, for one of the methods that go by it, written over `way`.
pub fn over_mesh(
    method: Method,
    mesh: &Mesh,
    locator: &Locator,
    [from, to]: [[f64; 2]; 2],
    scratch: &mut Scratch,
    way: &mut Way,
) {
    let path = &mut scratch.path;
    way.found = match method {
        Method::Exact => scratch.exact.find(mesh, locator, from, to, path),
        Method::Relaxed => scratch.relaxed.find(mesh, locator, from, to, path),
        _ => scratch.funnel.find(mesh, locator, from, to, path),
    };
    way.expansions = u64::from(path.expansions);
    way.points.clear();
    way.points.extend_from_slice(&path.points);
    way.measure();
}

/// A search on the grid: whether there is a way, which is written to the scratch, and the nodes that
/// were expanded.
fn on_grid(method: Method, grid: &Grid, query: &Query, scratch: &mut Scratch) -> (bool, u64) {
    let heuristic = match method {
        Method::Dijkstra => Heuristic::Zero,
        Method::AstarEuclid => Heuristic::Euclid,
        _ => Heuristic::Octile,
    };
    let (starts, is_goal) = ([(query.from, 0)], |cell| cell == query.to);
    let estimate = grid.estimate(heuristic, query.to);
    let found = match method {
        Method::Greedy => scratch.search.greedy(grid, &starts, is_goal, estimate),
        Method::Dijkstra => scratch.search.find(grid, &starts, is_goal, |_| 0),
        _ => scratch.search.find(grid, &starts, is_goal, estimate),
    };
    scratch.search.path(query.to, &mut scratch.cells);
    (found.is_some(), u64::from(scratch.search.expansions()))
}

/// A passable cell of the largest component.
fn in_largest(class: &Clearance) -> u32 {
    let labels = 1..=class.component_count();
    let largest = labels.max_by_key(|&label| class.component_size(label)).unwrap_or(0);
    let cells = 0..class.slowness().len() as u32;
    cells.clone().find(|&cell| class.component(cell) == largest).unwrap_or(0)
}

/// The grid cut in two at the cell that cuts off the most; in one piece where no cell does.
fn in_two(class: &Clearance, grid: &Grid) -> Split {
    let largest = split::cut_nodes(grid).into_iter().max_by_key(|cut| cut.cut_off);
    let gates: Vec<Vec<u32>> = largest
        .filter(|cut| class.passable(cut.node))
        .map(|cut| vec![cut.node])
        .into_iter()
        .collect();
    Split::new(grid, &gates).expect("a gate of one cell of the grid")
}

/// [`LANDMARKS`] landmarks of the largest component.
fn far_apart(class: &Clearance, grid: &Grid, search: &mut Search) -> Landmarks {
    Landmarks::new(grid, in_largest(class), LANDMARKS, search)
}

/// Cells of roads, ground quicker than plain, and of the cheapest ways between landmarks.
fn highways(class: &Clearance, grid: &Grid) -> Vec<bool> {
    let road = |&slowness: &u8| (1..PLAIN).contains(&slowness);
    let mut on: Vec<bool> = class.slowness().iter().map(road).collect();
    let (mut search, mut cells) = (Search::default(), Vec::new());
    let landmarks = far_apart(class, grid, &mut search);
    for &from in landmarks.nodes() {
        search.find(grid, &[(from, 0)], |_| false, |_| 0);
        for &to in landmarks.nodes().iter().filter(|&&to| to > from) {
            search.path(to, &mut cells);
            cells.iter().for_each(|&cell| on[cell as usize] = true);
        }
    }
    on
}

fn lock(hops: &Mutex<HopCache>) -> MutexGuard<'_, HopCache> {
    hops.lock().expect("no query panics with the cache in its hand")
}
