//! The goal cells of a field.

use crate::data::sets;
use xxhash_rust::xxh3::Xxh3;

/// Cells that are hashed at once.
const HASHED: usize = 64;

/// The cells that a field leads to, as padded indices.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct GoalCells {
    seeds: Vec<u32>,
    area: Vec<u32>,
}

impl Clone for GoalCells {
    fn clone(&self) -> Self {
        Self { seeds: self.seeds.clone(), area: self.area.clone() }
    }

    /// Uses the memory again.
    fn clone_from(&mut self, source: &Self) {
        self.seeds.clone_from(&source.seeds);
        self.area.clone_from(&source.area);
    }
}

impl GoalCells {
    /// Cells at distance 0, and the cells of the goal area around them, in any order. The seeds are
    /// part of the area.
    pub fn new(seeds: Vec<u32>, mut area: Vec<u32>) -> Self {
        area.extend_from_slice(&seeds);
        Self { seeds: sets::distinct(seeds), area: sets::distinct(area) }
    }

    /// One cell.
    pub fn point(cell: u32) -> Self {
        Self { seeds: vec![cell], area: vec![cell] }
    }

    /// Cells at distance 0, ascending.
    pub fn seeds(&self) -> &[u32] {
        &self.seeds
    }

    /// Cells that count as arrived, ascending; the seeds are among them.
    pub fn area(&self) -> &[u32] {
        &self.area
    }

    /// XXH3-64 over a class and all cells, little-endian.
    pub(crate) fn hash(&self, class: u32) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(&class.to_le_bytes());
        hash.update(&(self.seeds.len() as u64).to_le_bytes());
        for cells in [&self.seeds, &self.area].into_iter().flat_map(|cells| cells.chunks(HASHED)) {
            let mut bytes = [[0; 4]; HASHED];
            for (bytes, cell) in bytes.iter_mut().zip(cells) {
                *bytes = cell.to_le_bytes();
            }
            hash.update(bytes[..cells.len()].as_flattened());
        }
        hash.digest()
    }
}
