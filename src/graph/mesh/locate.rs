//! Which polygon holds a point.
//!
//! A grid of tiles lies over the mesh. Each tile knows the polygons whose boxes touch it and has
//! one of them for a sample. From the middle of the sample a walk follows the straight line to the
//! point, from polygon to polygon; where a wall stops it the tile's polygons are looked at one by
//! one.

use crate::graph::NONE;
use crate::graph::mesh::{Mesh, after};
use crate::graph::rows::Rows;
use crate::math::plane;
use crate::math::plane::{blend, cross, distance, minus};

/// Steps of a walk, after which a look at the tile's polygons costs less.
const STEPS: u32 = 8;

/// Finds polygons by points. It belongs to the mesh it was made for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Locator {
    /// The corner of the first tile.
    low: [f64; 2],
    /// The corner of the mesh's box across from it.
    high: [f64; 2],
    /// Side of a tile.
    tile: f64,
    width: u32,
    height: u32,
    /// Polygons of every tile, ascending.
    members: Rows<u32>,
    /// A polygon of every tile; [`NONE`] in an empty one.
    samples: Vec<u32>,
    /// The middle of every polygon.
    centres: Vec<[f64; 2]>,
}

/// A point of a mesh and a polygon that holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The polygon.
    pub polygon: u32,
    /// x, y.
    pub point: [f64; 2],
}

impl Locator {
    /// A locator for a mesh: about as many tiles as polygons.
    pub fn new(mesh: &Mesh) -> Self {
        let count = mesh.polygon_count();
        if count == 0 {
            return Self::default();
        }
        let [low, high] = plane::bounds(mesh.places.iter().copied()).unwrap_or_default();
        let size = minus(high, low);
        let mut tile = (size[0] * size[1] / f64::from(count)).sqrt();
        let centres: Vec<_> = (0..count).map(|polygon| mesh.centre(polygon)).collect();
        let mut locator = Self { low, high, centres, ..Self::default() };
        loop {
            locator.tile = tile;
            locator.width = (size[0] / tile).floor() as u32 + 1;
            locator.height = (size[1] / tile).floor() as u32 + 1;
            if locator.fill(mesh) {
                return locator;
            }
            // Polygons lie over many tiles each: larger tiles.
            tile *= 2.0;
        }
    }

    /// Fills the tiles; says no when that would take too much memory.
    fn fill(&mut self, mesh: &Mesh) -> bool {
        let tiles = self.width as usize * self.height as usize;
        let polygons = mesh.polygon_count();
        let mut entries = 0;
        for polygon in 0..polygons {
            let [left, top, right, bottom] = self.cover(mesh, polygon);
            entries += u64::from(right - left + 1) * u64::from(bottom - top + 1);
        }
        if tiles > 1 && entries + tiles as u64 > 16 * (u64::from(polygons) + 4) {
            return false;
        }
        self.members = Rows::new(tiles, |visit| {
            for polygon in 0..polygons {
                let [left, top, right, bottom] = self.cover(mesh, polygon);
                for row in top..=bottom {
                    for column in left..=right {
                        visit((row * self.width + column) as usize, polygon);
                    }
                }
            }
        });
        self.samples = (0..tiles).map(|tile| self.sample(tile)).collect();
        true
    }

    /// The polygon of a tile whose middle is nearest to the tile's.
    fn sample(&self, tile: usize) -> u32 {
        let column = (tile % self.width as usize) as f64 + 0.5;
        let row = (tile / self.width as usize) as f64 + 0.5;
        let middle = [self.low[0] + column * self.tile, self.low[1] + row * self.tile];
        let (mut best, mut least) = (NONE, f64::INFINITY);
        for &polygon in self.members.row(tile) {
            let far = distance(middle, self.centres[polygon as usize]);
            if far < least {
                (best, least) = (polygon, far);
            }
        }
        best
    }

    /// First column, first row, last column, last row of the tiles that a polygon's box touches.
    fn cover(&self, mesh: &Mesh, polygon: u32) -> [u32; 4] {
        let mut cover = [u32::MAX, u32::MAX, 0, 0];
        for &place in mesh.places(polygon) {
            let (column, row) = self.tile_of(place);
            cover[0] = cover[0].min(column);
            cover[1] = cover[1].min(row);
            cover[2] = cover[2].max(column);
            cover[3] = cover[3].max(row);
        }
        cover
    }

    /// The column and row of the tile that holds a point, or of the nearest one.
    fn tile_of(&self, point: [f64; 2]) -> (u32, u32) {
        let part = minus(point, self.low);
        // A cast takes what is below 0 for 0.
        let column = (part[0] / self.tile) as u32;
        let row = (part[1] / self.tile) as u32;
        (column.min(self.width - 1), row.min(self.height - 1))
    }

    /// The tile of a point of the mesh's box.
    fn tile_at(&self, point: [f64; 2]) -> Option<usize> {
        let inside = point[0] >= self.low[0]
            && point[1] >= self.low[1]
            && point[0] <= self.high[0]
            && point[1] <= self.high[1];
        if !inside || self.samples.is_empty() {
            return None;
        }
        let (column, row) = self.tile_of(point);
        Some((row * self.width + column) as usize)
    }

    /// The polygon that holds a point; of several (on an edge, on a corner) the lowest. `None`
    /// outside the mesh.
    pub fn locate(&self, mesh: &Mesh, point: [f64; 2]) -> Option<u32> {
        let tile = self.tile_at(point)?;
        self.walk(mesh, tile, point).or_else(|| {
            self.members.row(tile).iter().copied().find(|&polygon| mesh.contains(polygon, point))
        })
    }

    /// Writes all polygons that hold a point over `found`, ascending: two on an edge, more on a
    /// corner.
    pub fn touching(&self, mesh: &Mesh, point: [f64; 2], found: &mut Vec<u32>) {
        found.clear();
        let Some(tile) = self.tile_at(point) else { return };
        if let Some(polygon) = self.walk(mesh, tile, point) {
            found.push(polygon);
        } else {
            let members = self.members.row(tile).iter().copied();
            found.extend(members.filter(|&polygon| mesh.contains(polygon, point)));
        }
    }

    /// The polygon that the line from a tile's sample leads to, if the point is well inside it.
    fn walk(&self, mesh: &Mesh, tile: usize, point: [f64; 2]) -> Option<u32> {
        let mut polygon = self.samples[tile];
        if polygon == NONE {
            return None;
        }
        let start = self.centres[polygon as usize];
        let line = minus(point, start);
        for _ in 0..STEPS {
            let edges = mesh.edges(polygon);
            let (mut exit, mut inside) = (NONE, true);
            for edge in edges.clone() {
                let next = after(edge, &edges);
                if mesh.side(edge, next, point) > 0 {
                    continue;
                }
                inside = false;
                let (a, b) = (minus(mesh.places[edge], start), minus(mesh.places[next], start));
                if cross(line, a) <= 0.0 && cross(line, b) >= 0.0 {
                    exit = mesh.across[edge];
                }
            }
            if inside {
                return Some(polygon);
            }
            if exit == NONE {
                return None;
            }
            polygon = exit;
        }
        None
    }

    /// The place of the mesh nearest to a point, no farther than `reach`; of equally near ones that
    /// of the lowest polygon. A point of the mesh is its own. The place found is inside its
    /// polygon, so a search can start or end there.
    pub fn nearest(&self, mesh: &Mesh, point: [f64; 2], reach: f64) -> Option<Place> {
        if let Some(polygon) = self.locate(mesh, point) {
            return Some(Place { polygon, point });
        }
        if self.samples.is_empty() {
            return None;
        }
        let (column, row) = self.tile_of(point);
        let mut best: Option<(f64, Place)> = None;
        for ring in 0..self.width.max(self.height) {
            let inner = f64::from(ring.saturating_sub(1)) * self.tile;
            if inner > best.map_or(reach, |(far, _)| far) {
                break;
            }
            self.each_tile(column, row, ring, |tile| {
                for &polygon in self.members.row(tile) {
                    let near = nearest_on(mesh, polygon, point);
                    let far = distance(near, point);
                    let nearer = best.is_none_or(|(least, place)| {
                        far < least || far == least && polygon < place.polygon
                    });
                    if far <= reach && nearer {
                        best = Some((far, Place { polygon, point: near }));
                    }
                }
            });
        }
        let (_, place) = best?;
        Some(Place { point: self.inside(mesh, place), ..place })
    }

    /// Tiles at a distance from one, the square's rim.
    fn each_tile(&self, column: u32, row: u32, ring: u32, mut visit: impl FnMut(usize)) {
        let (left, right) = (column.saturating_sub(ring), (column + ring).min(self.width - 1));
        let (top, bottom) = (row.saturating_sub(ring), (row + ring).min(self.height - 1));
        for y in top..=bottom {
            let whole = y.abs_diff(row) == ring;
            for x in left..=right {
                if whole || x.abs_diff(column) == ring {
                    visit((y * self.width + x) as usize);
                }
            }
        }
    }

    /// The place, or as near to it as its polygon holds a point: rounding may have left it outside.
    fn inside(&self, mesh: &Mesh, place: Place) -> [f64; 2] {
        let centre = self.centres[place.polygon as usize];
        let (mut point, mut share) = (place.point, 1.0 / (1_u64 << 50) as f64);
        while share < 1.0 && !mesh.contains(place.polygon, point) {
            point = blend(place.point, centre, share);
            share *= 2.0;
        }
        point
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let rest = 4 * self.samples.capacity() + 16 * self.centres.capacity();
        self.members.bytes() + rest as u64
    }
}

/// The point of a polygon's rim nearest to a point outside it.
fn nearest_on(mesh: &Mesh, polygon: u32, point: [f64; 2]) -> [f64; 2] {
    let places = mesh.places(polygon);
    let (mut best, mut least) = (places[0], f64::INFINITY);
    for i in 0..places.len() {
        let (a, b) = (places[i], places[(i + 1) % places.len()]);
        let near = blend(a, b, plane::nearest_on(point, a, b));
        let far = distance(near, point);
        if far < least {
            (best, least) = (near, far);
        }
    }
    best
}
