//! Heights: the ground above the datum, and how far walls rise above it.

use crate::data::sets;
use crate::kernel::heightfield::{Contact, Heightfield, SQUARE, STEPS};
use crate::map::{Map, MapError, limits, padded};
use crate::math::Num;

/// Greatest height of the ground, above or below the datum, and of walls above it, in metres.
pub const MAX_HEIGHT: f64 = 1000.0;

/// How far walls rise above their ground unless told, in metres.
pub const WALL_HEIGHT: f64 = 3.0;

/// What a map knows of heights.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Heights {
    /// Height of the ground in 1/16 m, padded; empty where all of it is 0.
    ground: Vec<i16>,
    /// How far walls rise above their ground, in 1/16 m.
    wall: i16,
    /// The greatest top of all cells, in 1/16 m.
    highest: i16,
    /// The lowest ground and the greatest top of every square of cells, as [`Heightfield`] has them.
    squares: Vec<[i16; 2]>,
}

impl Heights {
    /// Flat ground with walls of the usual height.
    pub(super) fn flat(slowness: &[u8], width: u32) -> Self {
        Self::new(Vec::new(), units(WALL_HEIGHT), slowness, width)
    }

    /// These heights, with their extremes.
    fn new(ground: Vec<i16>, wall: i16, slowness: &[u8], width: u32) -> Self {
        let height = slowness.len() as u32 / (width + 2) - 2;
        let count = width.div_ceil(SQUARE) * height.div_ceil(SQUARE);
        let squares = vec![[0; 2]; count as usize];
        let mut heights = Self { ground, wall, highest: 0, squares };
        heights.measure(slowness, width, 0..count);
        heights
    }

    /// Takes on that some cells (padded, not of the padding) have become walls or open.
    pub(super) fn repair(&mut self, slowness: &[u8], width: u32, cells: &[u32]) {
        let (stride, wide) = (width + 2, width.div_ceil(SQUARE));
        let square =
            |&cell: &u32| (cell / stride - 1) / SQUARE * wide + (cell % stride - 1) / SQUARE;
        self.measure(slowness, width, sets::distinct(cells.iter().map(square)));
    }

    /// Finds the extremes of some squares, and then of all.
    fn measure(&mut self, slowness: &[u8], width: u32, squares: impl IntoIterator<Item = u32>) {
        let (stride, wide) = (width + 2, width.div_ceil(SQUARE));
        let rows = slowness.len() as u32 / stride - 2;
        for square in squares {
            let (left, top) = (square % wide * SQUARE, square / wide * SQUARE);
            let mut extremes = [i16::MAX, i16::MIN];
            for row in top..(top + SQUARE).min(rows) {
                for column in left..(left + SQUARE).min(width) {
                    let cell = ((row + 1) * stride + column + 1) as usize;
                    let low = self.ground.get(cell).copied().unwrap_or(0);
                    let high = low + if slowness[cell] == 0 { self.wall } else { 0 };
                    extremes = [extremes[0].min(low), extremes[1].max(high)];
                }
            }
            self.squares[square as usize] = extremes;
        }
        self.highest = self.squares.iter().fold(i16::MIN, |highest, square| highest.max(square[1]));
    }

    /// Bytes for the hash of a map: none for flat ground with walls of the usual height.
    pub(super) fn each_part(&self, mut part: impl FnMut(&[u8])) {
        if self.ground.is_empty() && self.wall == units(WALL_HEIGHT) {
            return;
        }
        part(&self.wall.to_le_bytes());
        self.ground.iter().for_each(|height| part(&height.to_le_bytes()));
    }
}

/// A height in metres in 1/16 m, to the nearest.
pub fn units(metres: f64) -> i16 {
    (metres * f64::from(STEPS) + 0.5).floor() as i16
}

impl Map {
    /// The same map with heights: of the ground in 1/16 m above the datum, one a cell, row by row (or
    /// none, where all are 0), and of walls above their ground in metres, kept in 1/16 m.
    ///
    /// # Errors
    /// [`MapError::CellCount`]; [`MapError::Height`] and [`MapError::WallHeight`] beyond
    /// [`MAX_HEIGHT`].
    pub fn with_heights(mut self, heights: &[i16], wall_height: f64) -> Result<Self, MapError> {
        let (width, height) = (self.width, self.height);
        if !heights.is_empty() {
            limits::check_count(width, height, heights.len())?;
        }
        let limit = units(MAX_HEIGHT);
        if let Some(cell) = heights.iter().position(|h| !(-limit..=limit).contains(h)) {
            let metres = f64::from(heights[cell]) / f64::from(STEPS);
            let (row, column) = (cell as u32 / width + 1, cell as u32 % width + 1);
            return Err(MapError::Height { row, column, height: metres, limit: MAX_HEIGHT });
        }
        if !(0.0..=MAX_HEIGHT).contains(&wall_height) {
            return Err(MapError::WallHeight { height: wall_height, limit: MAX_HEIGHT });
        }
        let is_flat = heights.iter().all(|&height| height == 0);
        let ground = if is_flat { Vec::new() } else { padded(heights, width) };
        self.heights = Heights::new(ground, units(wall_height), &self.slowness, width);
        Ok(self)
    }

    /// Height of the ground of every cell in 1/16 m above the datum, padded (padding is 0). Empty
    /// for a flat map, where all of it is 0.
    pub fn heights(&self) -> &[i16] {
        &self.heights.ground
    }

    /// Whether the ground is at height 0 everywhere.
    pub fn is_flat(&self) -> bool {
        self.heights.ground.is_empty()
    }

    /// How steep the ground of a cell (a padded index, not of the padding) is: metres that it rises
    /// for a metre ahead, in the steepest direction. By central differences between the cells
    /// beside it; at the edge of the map between the cell and the one beside it.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn grade(&self, cell: u32) -> f64 {
        if self.is_flat() {
            return 0.0;
        }
        let (x, y) = self.cell(cell);
        let height = |cell: u32| f64::from(self.heights.ground[cell as usize]);
        let along = |at: u32, count: u32, step: u32| {
            let (low, high) = (u32::from(at > 0), u32::from(at + 1 < count));
            if low + high == 0 {
                return 0.0;
            }
            let rise = height(cell + high * step) - height(cell - low * step);
            rise / (f64::from(STEPS) * f64::from(low + high) * self.cell_size)
        };
        let across = [along(x, self.width, 1), along(y, self.height, self.stride())];
        (across[0] * across[0] + across[1] * across[1]).sqrt()
    }

    /// How far walls rise above their ground, in metres, for shots.
    pub fn wall_height(&self) -> f64 {
        f64::from(self.heights.wall) / f64::from(STEPS)
    }

    /// What a shot must clear in a cell (an index into a padded raster), in 1/16 m above the datum:
    /// its ground, with the wall on it.
    pub fn top(&self, cell: u32) -> i16 {
        self.heightfield().top(cell as usize)
    }

    /// The greatest top of all cells, in metres above the datum: nothing blocks a shot above it.
    pub fn highest_top(&self) -> f64 {
        f64::from(self.heights.highest) / f64::from(STEPS)
    }

    /// Height in metres of the ground under a point; off the map that of the nearest cell. Exact in
    /// both number types.
    pub fn height_at<N: Num>(&self, at: [N; 2]) -> N {
        self.heightfield().ground_at(at)
    }

    /// The heights as shots see them.
    pub fn heightfield(&self) -> Heightfield<'_> {
        Heightfield {
            slowness: &self.slowness,
            heights: &self.heights.ground,
            wall: self.heights.wall,
            highest: self.heights.highest,
            squares: &self.heights.squares,
            size: [self.width, self.height],
            cell_size: self.cell_size,
        }
    }

    /// What a straight shot between two points, x, y, z in metres, meets first; see
    /// [`Heightfield::first_contact`].
    pub fn first_contact<N: Num>(&self, from: [N; 3], to: [N; 3]) -> Option<Contact> {
        self.heightfield().first_contact(from, to)
    }

    /// Whether a straight shot between two points, x, y, z in metres, meets nothing.
    pub fn is_clear<N: Num>(&self, from: [N; 3], to: [N; 3]) -> bool {
        self.heightfield().is_clear(from, to)
    }
}
