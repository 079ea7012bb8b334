//! Navigation meshes of grids, tile by tile.

use super::outline::grid;
use super::pieces::mesh;
use super::tile::{BORDER, Tile};
use crate::graph::mesh::after;
use crate::graph::rows::Rows;
use crate::graph::{Mesh, NONE};
use crate::map::{Clearance, Window};
use crate::math::each::Each;
use crate::par;

/// A navigation mesh of a grid in square tiles, each a function of its cells and those around it
/// (as in Mononen's Detour). A change rebuilds the tiles that it touches, and what comes out is
/// what a new mesh of the changed grid would be: points, polygons and their order. So a mesh need
/// not be saved with a world.
///
/// Coordinates are in cells. Polygons are convex and share whole edges, within tiles and across
/// their borders; corners of 180° occur where a neighbour's edge ends.
#[derive(Clone, Debug, PartialEq)]
pub struct TiledMesh {
    side: u32,
    error: Option<f64>,
    /// Columns and rows of the grid.
    size: [u32; 2],
    tiles: Vec<Tile>,
    mesh: Mesh,
    /// First polygon of every tile, then the end.
    first: Vec<u32>,
    /// The same before the last update.
    first_before: Vec<u32>,
    /// Tiles that the last update changed.
    changed: Vec<u32>,
}

impl TiledMesh {
    /// A mesh of the cells that agents of a class can stand on, in tiles of `side` cells (at
    /// least 1; 32 is a good choice; as many as the map's for one tile).
    ///
    /// With `error` the outlines are simplified ([`Outlines::simplify`](super::Outlines::simplify))
    /// to so many cells; without, the mesh covers the passable cells exactly.
    pub fn new(class: &Clearance, side: u32, error: Option<f64>) -> Self {
        let grid = grid(class);
        let size = [grid.width(), grid.height()];
        let side = side.clamp(1, size[0].max(size[1]).max(1));
        let mut tiled = Self {
            side,
            error,
            size,
            tiles: Vec::new(),
            mesh: Mesh::default(),
            first: Vec::new(),
            first_before: Vec::new(),
            changed: Vec::new(),
        };
        let count = tiled.columns() * size[1].div_ceil(side);
        let build = |tile| Tile::new(class, tiled.window(tile), error);
        tiled.tiles = par::map(count as usize, 1, |tile| build(tile as u32));
        tiled.assemble();
        tiled.first_before.clone_from(&tiled.first);
        tiled.changed = (0..count).collect();
        tiled
    }

    /// Follows a change of cells (padded indices, in any order), and tells the tiles that changed.
    ///
    /// # Panics
    /// When the grid's size is another than that of the grid that the mesh was made of.
    pub fn update(&mut self, class: &Clearance, cells: impl IntoIterator<Item = u32>) -> &[u32] {
        let grid = grid(class);
        assert_eq!([grid.width(), grid.height()], self.size, "columns and rows of the grid");
        self.changed.clear();
        let columns = self.columns();
        for cell in cells {
            // A cell is beside the tiles around it too.
            let around = [cell % class.stride(), cell / class.stride()]
                .each(|at| [at.saturating_sub(2), at.saturating_sub(1), at]);
            let [x, y] = [0, 1].each(|i| around[i].each(|at| at.min(self.size[i] - 1) / self.side));
            for row in y[0]..=y[2] {
                self.changed.extend((x[0]..=x[2]).map(|column| row * columns + column));
            }
        }
        self.changed.sort_unstable();
        self.changed.dedup();
        let changed = &self.changed;
        let build = |tile: usize| Tile::new(class, self.window(changed[tile]), self.error);
        let mut built = par::map(changed.len(), 1, build).into_iter();
        let tiles = &mut self.tiles;
        self.changed.retain(|&tile| {
            let new = built.next().expect("a tile for each");
            let old = &mut tiles[tile as usize];
            let differs = *old != new;
            *old = new;
            differs
        });
        std::mem::swap(&mut self.first, &mut self.first_before);
        if self.changed.is_empty() {
            self.first.clone_from(&self.first_before);
        } else {
            self.assemble();
        }
        &self.changed
    }

    /// The mesh. Coordinates are in cells.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The number of tiles. They go by rows.
    pub fn tile_count(&self) -> u32 {
        self.tiles.len() as u32
    }

    /// The cells of a tile, by column and row of a padded raster.
    pub fn window(&self, tile: u32) -> Window {
        let at = [tile % self.columns(), tile / self.columns()];
        let min = at.each(|i| i * self.side + 1);
        Window { min, max: [0, 1].each(|i| (min[i] + self.side).min(self.size[i] + 1)) }
    }

    /// The polygons of a tile.
    ///
    /// # Panics
    /// When there is no such tile.
    pub fn polygons(&self, tile: u32) -> std::ops::Range<u32> {
        self.first[tile as usize]..self.first[tile as usize + 1]
    }

    /// The tile of a polygon.
    pub fn tile(&self, polygon: u32) -> u32 {
        self.first.partition_point(|&first| first <= polygon) as u32 - 1
    }

    /// Tiles that the last update changed, in order; all after [`TiledMesh::new`].
    pub fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// What a polygon of the mesh before the last update is now; `None` when its tile has changed.
    pub fn now(&self, polygon: u32) -> Option<u32> {
        let tile = self.first_before.partition_point(|&first| first <= polygon) - 1;
        let kept = self.changed.binary_search(&(tile as u32)).is_err();
        kept.then(|| polygon - self.first_before[tile] + self.first[tile])
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let tile = |tile: &Tile| {
            tile.corners.bytes() + (8 * tile.points.len() + 8 * tile.twins.len()) as u64
        };
        let rows = 4 * (2 * self.first.len() + self.changed.len());
        self.tiles.iter().map(tile).sum::<u64>() + self.mesh.bytes() + rows as u64
    }

    fn columns(&self) -> u32 {
        self.size[0].div_ceil(self.side)
    }

    /// The place of a corner on the lines between tiles; `None` off them. All lines along x, then
    /// those along y.
    fn place(&self, [x, y]: [u32; 2]) -> Option<usize> {
        let [width, height] = self.size;
        if y % self.side == 0 || y == height {
            return Some((y.div_ceil(self.side) * (width + 1) + x) as usize);
        }
        let lines = (height.div_ceil(self.side) + 1) * (width + 1);
        let on_line = x % self.side == 0 || x == width;
        on_line.then(|| (lines + x.div_ceil(self.side) * (height + 1) + y) as usize)
    }

    /// Puts the tiles' meshes together.
    fn assemble(&mut self) {
        let [width, height] = self.size;
        let rows = (height.div_ceil(self.side) + 1) * (width + 1);
        let places = (rows + (width.div_ceil(self.side) + 1) * (height + 1)) as usize;
        let sum = |of: fn(&Tile) -> usize| self.tiles.iter().map(of).sum::<usize>();
        let corners = sum(|tile| tile.twins.len());
        let mut parts = Parts {
            points: Vec::with_capacity(sum(|tile| tile.points.len())),
            corners: Rows::default(),
            across: Vec::with_capacity(corners),
            twins: Vec::with_capacity(corners),
            border_points: vec![NONE; places],
            border_edges: [vec![(NONE, NONE); places], vec![(NONE, NONE); places]],
            indices: Vec::new(),
        };
        self.first.clear();
        for tile in &self.tiles {
            self.first.push(parts.corners.count() as u32);
            parts.add(tile, |corner| self.place(corner));
        }
        self.first.push(parts.corners.count() as u32);
        self.mesh = mesh(parts.points, parts.corners, parts.across, parts.twins);
    }
}

/// A mesh that tiles are being added to.
struct Parts {
    points: Vec<[f64; 2]>,
    corners: Rows<u32>,
    across: Vec<u32>,
    twins: Vec<u32>,
    /// The point at each corner of a cell on the lines between tiles.
    border_points: Vec<u32>,
    /// The edge and polygon that start there, along x and along y.
    border_edges: [Vec<(u32, u32)>; 2],
    /// The index in the mesh of each of a tile's points.
    indices: Vec<u32>,
}

impl Parts {
    fn add(&mut self, tile: &Tile, place: impl Fn([u32; 2]) -> Option<usize>) {
        self.indices.clear();
        for &point in &tile.points {
            let new = self.points.len() as u32;
            let mut index = new;
            if let Some(place) = place(point) {
                let known = &mut self.border_points[place];
                *known = (*known).min(new);
                index = *known;
            }
            if index == new {
                self.points.push(point.each(f64::from));
            }
            self.indices.push(index);
        }
        let (polygons, start) = (self.corners.count() as u32, self.twins.len() as u32);
        let indices = &self.indices;
        let moved = |index: &u32, by| if *index < BORDER { index + by } else { NONE };
        self.across.extend(tile.across.iter().map(|polygon| moved(polygon, polygons)));
        self.twins.extend(tile.twins.iter().map(|edge| moved(edge, start)));
        for row in 0..tile.corners.count() {
            let corners = tile.corners.row(row).iter();
            self.corners.extend(corners.map(|&corner| indices[corner as usize]));
        }
        for row in 0..tile.corners.count() {
            let (polygon, range) = (row as u32 + polygons, tile.corners.range(row));
            for at in range.clone().filter(|&at| tile.across[at] == BORDER) {
                let ends = [at, after(at, &range)];
                let [a, b] = ends.each(|i| tile.points[tile.corners[i] as usize]);
                let place = place(a.min(b)).expect("an edge on the border");
                self.join(at as u32 + start, polygon, usize::from(a[0] == b[0]), place);
            }
        }
    }

    /// Joins an edge on the border with that of a tile that was added before, or leaves it for one
    /// to come.
    fn join(&mut self, edge: u32, polygon: u32, along: usize, place: usize) {
        let other = &mut self.border_edges[along][place];
        if *other == (NONE, NONE) {
            *other = (edge, polygon);
        } else {
            let (other, beyond) = *other;
            (self.across[edge as usize], self.twins[edge as usize]) = (beyond, other);
            (self.across[other as usize], self.twins[other as usize]) = (polygon, edge);
        }
    }
}
