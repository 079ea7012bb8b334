//! The ground: terrain, passability, wall distance, clearance, heights, and areas on it.
//!
//! Coordinates are metres, x right and y down as in map files; cell (0, 0) is top left and cell
//! (i, j) covers `[i, i + 1) × [j, j + 1)` times the cell size. Rasters are row-major and padded by
//! one solid cell on every side, so a search needs no edge tests.

pub mod area;
mod change;
mod class_terrain;
mod clearance;
mod components;
mod distance;
mod error;
mod file;
mod heights;
pub mod hexagons;
mod legend;
pub mod limits;
pub(crate) mod line;
mod movingai;
mod picture;
pub mod placement;
mod room;
mod terrain;
mod tiled;
mod window;
mod wkt;

pub use change::Ground;
pub(crate) use clearance::ClassKind;
pub use clearance::Clearance;
pub use error::MapError;
pub use file::{FileKind, FileRules};
pub use heights::{MAX_HEIGHT, WALL_HEIGHT, units};
pub use legend::{Legend, PLAIN};
pub use picture::Colours;
pub(crate) use terrain::Quickest;
pub use terrain::TerrainCosts;
pub use tiled::TiledRules;
pub use window::Window;
pub use wkt::{wkt_origin, wkt_polygons};

use heights::Heights;
use xxhash_rust::xxh3::Xxh3;

/// A map of square cells with a cost each.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    width: u32,
    height: u32,
    cell_size: f64,
    letters: Vec<u8>,
    slowness: Vec<u8>,
    wall_distance: Vec<i16>,
    heights: Heights,
    /// Open cells that are not plain.
    uneven: u32,
}

impl Map {
    /// A map from one slowness a cell, row by row: 0 is a wall, 16 is plain ground, 32 takes twice
    /// as long to cross. `cell_size` is in metres.
    ///
    /// # Panics
    /// When [`Map::try_from_slowness`] would return an error.
    pub fn from_slowness(width: u32, height: u32, cell_size: f64, cells: &[u8]) -> Self {
        match Self::try_from_slowness(width, height, cell_size, cells) {
            Ok(map) => map,
            Err(error) => panic!("{error}"),
        }
    }

    /// A map from one slowness a cell, row by row, like [`Map::from_slowness`]. Its letters are `@`
    /// for walls and `.` for the rest.
    ///
    /// # Errors
    /// [`MapError::Size`], [`MapError::TooManyCells`], [`MapError::CellSize`],
    /// [`MapError::CellCount`], [`MapError::DistanceBound`].
    pub fn try_from_slowness(
        width: u32,
        height: u32,
        cell_size: f64,
        cells: &[u8],
    ) -> Result<Self, MapError> {
        limits::check_size(width, height, cell_size)?;
        limits::check_count(width, height, cells.len())?;
        let letters = cells.iter().map(|&s| if s == 0 { b'@' } else { b'.' }).collect();
        Self::build(width, height, cell_size, letters, cells)
    }

    /// A map from slowness and letters, one a cell, row by row.
    ///
    /// # Errors
    /// When the size is out of range or does not match the cells.
    pub fn with_letters(
        width: u32,
        height: u32,
        cell_size: f64,
        cells: &[u8],
        letters: &[u8],
    ) -> Result<Self, MapError> {
        limits::check_size(width, height, cell_size)?;
        limits::check_count(width, height, cells.len().min(letters.len()))?;
        limits::check_count(width, height, cells.len().max(letters.len()))?;
        Self::build(width, height, cell_size, letters.to_vec(), cells)
    }

    /// Pads the cells and measures the walls; the sizes are checked before.
    fn build(
        width: u32,
        height: u32,
        cell_size: f64,
        letters: Vec<u8>,
        cells: &[u8],
    ) -> Result<Self, MapError> {
        let slowness = padded(cells, width);
        limits::check_distances(&slowness, width + 2)?;
        let wall_distance = distance::wall_distance(&slowness, width + 2);
        let heights = Heights::flat(&slowness, width);
        let uneven = slowness.iter().filter(|&&s| is_uneven(s)).count() as u32;
        Ok(Self { width, height, cell_size, letters, slowness, wall_distance, heights, uneven })
    }

    /// Width in cells, without the padding.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in cells, without the padding.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Side of a cell in metres.
    pub fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// Cells from one row of a padded raster to the next: `width + 2`.
    pub fn stride(&self) -> u32 {
        self.width + 2
    }

    /// The letters of the map file, row by row, without padding.
    pub fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// Index of cell (x, y) in a padded raster.
    pub fn index(&self, x: u32, y: u32) -> u32 {
        (y + 1) * self.stride() + x + 1
    }

    /// Cell (x, y) of an index into a padded raster; the cell must not be padding.
    pub fn cell(&self, index: u32) -> (u32, u32) {
        (index % self.stride() - 1, index / self.stride() - 1)
    }

    /// The cell that holds a point in metres, as an index into a padded raster; `None` off the map.
    pub fn cell_at(&self, x: f64, y: f64) -> Option<u32> {
        let (i, j) = ((x / self.cell_size).floor(), (y / self.cell_size).floor());
        let inside =
            i >= 0.0 && j >= 0.0 && i < f64::from(self.width) && j < f64::from(self.height);
        inside.then(|| self.index(i as u32, j as u32))
    }

    /// Slowness of every cell in 1/16 (0 is a wall), padded.
    pub fn slowness(&self) -> &[u8] {
        &self.slowness
    }

    /// Whether all open ground is plain.
    pub fn is_even(&self) -> bool {
        self.uneven == 0
    }

    /// Signed distance from every cell's centre to the nearest wall square in 1/256 of a cell,
    /// padded. Negative inside walls: minus the distance to the nearest open square. The outside of
    /// the map is a wall.
    pub fn wall_distance(&self) -> &[i16] {
        &self.wall_distance
    }

    /// A hash of everything a map is: XXH3-64 over width, height, the bits of the cell size, the
    /// padded slowness and the letters; unless the map is flat with walls of [`WALL_HEIGHT`], then
    /// over the height of walls and the padded heights of the ground in 1/16 m. All little-endian.
    pub fn hash(&self) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(&self.width.to_le_bytes());
        hash.update(&self.height.to_le_bytes());
        hash.update(&self.cell_size.to_bits().to_le_bytes());
        hash.update(&self.slowness);
        hash.update(&self.letters);
        self.heights.each_part(|bytes| hash.update(bytes));
        hash.digest()
    }
}

/// A raster of rows of `width` cells with a border of one cell of 0 around it.
pub(crate) fn padded<T: Copy + Default>(cells: &[T], width: u32) -> Vec<T> {
    let (width, stride) = (width as usize, width as usize + 2);
    let mut padded = vec![T::default(); stride * (cells.len() / width + 2)];
    let rows = padded.chunks_exact_mut(stride).skip(1);
    for (padded, row) in rows.zip(cells.chunks_exact(width)) {
        padded[1..=width].copy_from_slice(row);
    }
    padded
}

/// Whether ground of a slowness is open but not plain.
fn is_uneven(slowness: u8) -> bool {
    slowness != 0 && slowness != PLAIN
}
