//! The ground: terrain, passability, wall distance, clearance, and areas on it.
//!
//! Coordinates are metres, x right and y down as in map files; cell (0, 0) is top left and cell
//! (i, j) covers `[i, i + 1) × [j, j + 1)` times the cell size. Rasters are row-major and padded by
//! one solid cell on every side, so a search needs no edge tests.

pub mod area;
pub mod placement;

/// A map of square cells with a cost each.
#[derive(Clone, Debug)]
pub struct Map {
    width: u32,
    height: u32,
    cell_size: f64,
    letters: Vec<u8>,
    slowness: Vec<u8>,
    wall_distance: Vec<i16>,
}

impl Map {
    /// A map from one slowness a cell, row by row: 0 is a wall, 16 is plain ground, 32 takes twice
    /// as long to cross.
    pub fn from_slowness(width: u32, height: u32, cell_size: f64, cells: &[u8]) -> Self {
        let stride = width as usize + 2;
        let mut slowness = vec![0; stride * (height as usize + 2)];
        for y in 0..height as usize {
            let row = &cells[y * width as usize..][..width as usize];
            slowness[(y + 1) * stride + 1..][..width as usize].copy_from_slice(row);
        }
        let letters = cells.iter().map(|&s| if s == 0 { b'@' } else { b'.' }).collect();
        let wall_distance = vec![0; slowness.len()];
        Self { width, height, cell_size, letters, slowness, wall_distance }
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

    /// Signed distance from every cell's centre to the nearest wall square in 1/256 of a cell,
    /// padded. Negative inside walls: minus the distance to the nearest open square. The outside of
    /// the map is a wall.
    pub fn wall_distance(&self) -> &[i16] {
        &self.wall_distance
    }
}
