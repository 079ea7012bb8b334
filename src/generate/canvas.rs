//! The canvas that steps draw on.

use crate::generate::{GenerateError, Region};
use crate::map::area::Shape;

/// Letters, heights, layers and places under way. Rasters are row by row, without padding.
#[derive(Clone, Debug, PartialEq)]
pub struct Canvas {
    /// Cells from left to right.
    pub width: u32,
    /// Cells from top to bottom.
    pub height: u32,
    /// Side of a cell in metres.
    pub cell: f64,
    /// Letter of every cell.
    pub letters: Vec<u8>,
    /// Height of the ground of every cell in metres; empty while all is flat at 0.
    pub heights: Vec<f32>,
    /// Named rasters of numbers from 0 to 1.
    pub layers: Vec<(String, Vec<f32>)>,
    /// Named points in metres.
    pub places: Vec<(String, Vec<[f64; 2]>)>,
    /// What painting and searching may still do, in painted cells.
    pub(super) room: u64,
}

/// Cells that steps may paint, one over another; cells that are only looked at do not count. It is 32
/// times the largest map, a quarter of a minute.
const MAX_PAINT: u64 = 1 << 31;

/// What a step returns.
pub(super) type Done = Result<(), GenerateError>;

impl Canvas {
    /// Flat ground of one letter.
    pub(super) fn new(width: u32, height: u32, cell: f64, fill: u8) -> Self {
        let letters = vec![fill; width as usize * height as usize];
        let (heights, layers, places) = (Vec::new(), Vec::new(), Vec::new());
        Self { width, height, cell, letters, heights, layers, places, room: MAX_PAINT }
    }

    /// Cells of a square of so many to a side, as far as a canvas has them.
    pub(super) fn square(&self, side: usize) -> usize {
        side.min(self.width as usize) * side.min(self.height as usize)
    }

    /// Takes the work of painting so many cells from what there is room for.
    pub(super) fn charge(&mut self, cells: usize) -> Done {
        self.room = self.room.checked_sub(cells as u64 + 1).ok_or_else(|| {
            let wrong = "what this step and those before it paint is too much work";
            GenerateError::whole("kind", wrong, "fewer, smaller or narrower things")
        })?;
        Ok(())
    }

    /// The layer of a name.
    pub fn layer(&self, name: &str) -> Option<&[f32]> {
        self.layers.iter().find(|layer| layer.0 == name).map(|layer| &layer.1[..])
    }

    /// The points of a name, in metres.
    pub fn place(&self, name: &str) -> Option<&[[f64; 2]]> {
        self.places.iter().find(|place| place.0 == name).map(|place| &place.1[..])
    }

    /// Width and height in metres.
    pub fn extent(&self) -> [f64; 2] {
        [f64::from(self.width) * self.cell, f64::from(self.height) * self.cell]
    }

    /// The layer of a name that was checked.
    pub(super) fn known_layer(&self, name: &str) -> &[f32] {
        self.layer(name).expect("a checked recipe names layers that are there")
    }

    /// The points of a name that was checked, in metres.
    pub(super) fn known_place(&self, name: &str) -> &[[f64; 2]] {
        self.place(name).expect("a checked recipe names places that are there")
    }

    /// The cell of a point in metres; of a point off the canvas the nearest one.
    pub(super) fn cell_at(&self, at: [f64; 2]) -> [u32; 2] {
        let cell =
            |at: f64, size: u32| (at / self.cell).floor().clamp(0.0, f64::from(size - 1)) as u32;
        [cell(at[0], self.width), cell(at[1], self.height)]
    }

    /// The middle of a cell in metres.
    pub(super) fn centre(&self, [x, y]: [u32; 2]) -> [f64; 2] {
        [(f64::from(x) + 0.5) * self.cell, (f64::from(y) + 0.5) * self.cell]
    }

    /// Index of a cell.
    pub(super) fn index(&self, [x, y]: [u32; 2]) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// A length in metres in cells, to the nearest, at least 1.
    pub(super) fn cells(&self, metres: f64) -> u32 {
        (metres / self.cell + 0.5).floor().clamp(1.0, f64::from(u16::MAX)) as u32
    }

    /// Which cells belong to a region: those whose centre lies in one of its shapes (and the cell of
    /// a point), and that bear one of its letters.
    pub(super) fn mask(&self, region: &Region) -> Vec<bool> {
        let mut mask = vec![region.within.is_empty(); self.letters.len()];
        for shape in &region.within {
            self.add(shape, &mut mask);
        }
        if !region.on.is_empty() {
            let mut wanted = [false; 256];
            region.on.iter().for_each(|&letter| wanted[usize::from(letter)] = true);
            for (inside, &letter) in mask.iter_mut().zip(&self.letters) {
                *inside &= wanted[usize::from(letter)];
            }
        }
        mask
    }

    fn add(&self, shape: &Shape, mask: &mut [bool]) {
        let bounds = shape.bounds();
        let ([left, top], [right, bottom]) = (self.cell_at(bounds.min), self.cell_at(bounds.max));
        for y in top..=bottom {
            for x in left..=right {
                let [cx, cy] = self.centre([x, y]);
                let inside = match shape {
                    Shape::Point { .. } => true,
                    shape => shape.contains(cx, cy),
                };
                mask[self.index([x, y])] |= inside;
            }
        }
    }

    /// Slope of the ground in the middle of a cell, metres up for a metre along: central differences,
    /// at the edge of the map one-sided over the same two cells.
    pub(super) fn slope(&self, x: u32, y: u32) -> f64 {
        if self.heights.is_empty() {
            return 0.0;
        }
        let at = |x: u32, y: u32| f64::from(self.heights[self.index([x, y])]);
        let (left, right) = (x.saturating_sub(1), (x + 1).min(self.width - 1));
        let (up, down) = (y.saturating_sub(1), (y + 1).min(self.height - 1));
        let along = |rise: f64, cells: u32| rise / (f64::from(cells.max(1)) * self.cell);
        let dx = along(at(right, y) - at(left, y), right - left);
        let dy = along(at(x, down) - at(x, up), down - up);
        (dx * dx + dy * dy).sqrt()
    }

    /// The cells of a disc of a radius in cells around the middle of a cell, at least that cell, row by
    /// row. Cells off the canvas are left out.
    pub(super) fn disc(&self, [x, y]: [u32; 2], radius: f64) -> Vec<usize> {
        let reach = radius.floor().max(0.0) as u32;
        let (right, bottom) = ((x + reach).min(self.width - 1), (y + reach).min(self.height - 1));
        let mut cells = Vec::new();
        for cy in y.saturating_sub(reach)..=bottom {
            for cx in x.saturating_sub(reach)..=right {
                let (dx, dy) = (f64::from(cx.abs_diff(x)), f64::from(cy.abs_diff(y)));
                if dx * dx + dy * dy <= radius.max(0.0) * radius.max(0.0) {
                    cells.push(self.index([cx, cy]));
                }
            }
        }
        cells
    }

    /// The cells of a rectangle of whole cells, cut to the canvas, row by row.
    pub(super) fn rect(&self, [left, top]: [u32; 2], [wide, high]: [u32; 2]) -> Vec<usize> {
        let (right, bottom) = ((left + wide).min(self.width), (top + high).min(self.height));
        (top..bottom)
            .flat_map(|y| (left..right).map(move |x| [x, y]))
            .map(|c| self.index(c))
            .collect()
    }

    /// Gives cells a letter.
    pub(super) fn paint(&mut self, cells: &[usize], letter: u8) {
        cells.iter().for_each(|&cell| self.letters[cell] = letter);
    }
}
