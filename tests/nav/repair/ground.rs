//! Ground that changes.

use crate::common::terrain;
use crate::common::terrain::Random;
use throng::map::{Clearance, Map};
use throng::nav::field::GoalCells;

/// A map whose cells are put and taken.
#[derive(Clone)]
pub(crate) struct Ground {
    pub(crate) width: u32,
    pub(crate) height: u32,
    cells: Vec<u8>,
    /// Rectangles (x, y, width, height) that were built, and what was there.
    built: Vec<([u32; 4], Vec<u8>)>,
}

impl Ground {
    pub(crate) fn new(map: &Map) -> Self {
        let (width, height) = (map.width(), map.height());
        let cell = |i: u32| map.slowness()[map.index(i % width, i / width) as usize];
        let cells = (0..width * height).map(cell).collect();
        Self { width, height, cells, built: Vec::new() }
    }

    pub(crate) fn class(&self, radius: f64) -> Clearance {
        Map::from_slowness(self.width, self.height, 1.0, &self.cells).class(radius)
    }

    /// Gives a rectangle another slowness, as far as it is on the map.
    pub(crate) fn build(&mut self, [x, y, width, height]: [u32; 4], slowness: u8) {
        let rect = [x, y, width.min(self.width - x), height.min(self.height - y)];
        let mut before = Vec::new();
        for j in y..y + rect[3] {
            for i in x..x + rect[2] {
                let cell = &mut self.cells[(j * self.width + i) as usize];
                before.push(std::mem::replace(cell, slowness));
            }
        }
        self.built.push((rect, before));
    }

    /// Takes the last building away.
    pub(crate) fn demolish(&mut self) {
        let Some(([x, y, width, _], before)) = self.built.pop() else { return };
        for (i, &slowness) in (0..).zip(&before) {
            let (i, j) = (x + i % width, y + i / width);
            self.cells[(j * self.width + i) as usize] = slowness;
        }
    }

    /// Some change: a building up to `largest` cells wide, ground of another slowness, one cell, or
    /// what was built last is taken away.
    pub(crate) fn change(&mut self, random: &mut Random, largest: u32) {
        let (x, y) = (random.below(self.width), random.below(self.height));
        let mut side = || 1 + random.below(largest);
        let rect = [x, y, side(), side()];
        match random.below(8) {
            0..3 => self.build(rect, 0),
            3 => self.build(rect, 1 + random.below(255) as u8),
            4 => self.build([x, y, 1, 1], 16),
            _ => self.demolish(),
        }
    }
}

/// Up to `most` cells, passable or not, with an area around the first.
pub(crate) fn goals(class: &Clearance, random: &mut Random, most: u32) -> GoalCells {
    let cells = class.slowness().len() as u32;
    let count = 1 + random.below(most);
    let mut seeds = Vec::new();
    for _ in 0..count {
        let passable = terrain::passable_cell(class.slowness(), random.below(1000));
        let any = class.stride() + random.below(cells - 2 * class.stride());
        seeds.push(if random.below(8) == 0 { any } else { passable.unwrap_or(any) });
    }
    let area = (0..random.below(40)).map(|i| seeds[0] + i).filter(|&cell| cell < cells).collect();
    GoalCells::new(seeds, area)
}
