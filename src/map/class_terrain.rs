//! The ground of a class whose agents have terrain costs of their own, and the ways out of what is
//! forbidden to them.

use crate::map::{Map, TerrainCosts, Window, is_uneven, limits};

/// No way out.
const NONE: u8 = u8::MAX;

/// Ground as a class sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClassTerrain {
    /// Slowness of every cell in 1/16, padded, however near walls are; 0 for walls and what is
    /// forbidden.
    pub(super) ground: Vec<u8>,
    /// Whether some of it is not plain.
    pub(super) is_uneven: bool,
    /// Sum of the slowness of all cells.
    sum: u64,
    /// For every cell that is open in the map but that the class cannot stand on, the side to leave
    /// it by: 0 right, 1 down, 2 left, 3 up. Empty where nothing is forbidden.
    exits: Vec<u8>,
}

impl ClassTerrain {
    /// The ground of a map by these costs; without ways out, which [`ClassTerrain::finish`] finds.
    pub(super) fn new(map: &Map, costs: &TerrainCosts) -> Self {
        let table = costs.table();
        let cells = 0..map.slowness().len() as u32;
        let ground = cells.map(|cell| table.slowness(map, cell)).collect();
        Self { ground, is_uneven: false, sum: 0, exits: Vec::new() }
    }

    /// Takes on what has changed about the map inside a window; [`ClassTerrain::finish`] is due then.
    pub(super) fn repair(&mut self, map: &Map, costs: &TerrainCosts, window: Window) {
        let table = costs.table();
        for cell in window.rows(map.stride()).flatten() {
            self.ground[cell as usize] = table.slowness(map, cell);
        }
    }

    /// Finds what follows from the ground and the cells that the class can stand on (`slowness`).
    pub(super) fn finish(&mut self, map: &Map, slowness: &[u8]) {
        let cells = || map.slowness().iter().zip(&self.ground);
        let forbids = cells().any(|(&open, &own)| open != 0 && own == 0);
        self.is_uneven = forbids || self.ground.iter().any(|&s| is_uneven(s));
        self.sum = self.ground.iter().map(|&s| u64::from(s)).sum();
        self.exits.clear();
        if forbids {
            self.flood(map, slowness);
        }
    }

    /// Floods the cells that the class cannot stand on from those that it can, over open ground.
    fn flood(&mut self, map: &Map, slowness: &[u8]) {
        let (stride, open) = (map.stride(), map.slowness());
        self.exits.resize(slowness.len(), NONE);
        let closed = |cell: u32| open[cell as usize] != 0 && slowness[cell as usize] == 0;
        let mut wave: Vec<u32> = Vec::new();
        for cell in (0..slowness.len() as u32).filter(|&cell| closed(cell)) {
            let leads_out = |&side: &u8| slowness[beside(cell, side, stride) as usize] != 0;
            if let Some(side) = (0..4).find(leads_out) {
                self.exits[cell as usize] = side;
                wave.push(cell);
            }
        }
        let mut next = 0;
        while let Some(&cell) = wave.get(next) {
            next += 1;
            for side in 0..4 {
                let other = beside(cell, side, stride);
                if closed(other) && self.exits[other as usize] == NONE {
                    self.exits[other as usize] = (side + 2) % 4;
                    wave.push(other);
                }
            }
        }
    }

    /// Whether anything is forbidden.
    pub(super) fn forbids(&self) -> bool {
        !self.exits.is_empty()
    }

    /// The side by which to leave a cell; `None` where the class can stand, in walls, and where no
    /// way leads out.
    pub(super) fn exit(&self, cell: u32) -> Option<u8> {
        self.exits.get(cell as usize).copied().filter(|&side| side != NONE)
    }

    /// The cell that ways out lead to from a cell: itself where none begins there.
    pub(super) fn way_out(&self, mut cell: u32, stride: u32) -> u32 {
        while let Some(side) = self.exit(cell) {
            cell = beside(cell, side, stride);
        }
        cell
    }

    /// Whether ways are sure to stay short enough for fields after a change of so many cells.
    pub(super) fn stays_short(&self, cells: usize) -> bool {
        (self.sum + 255 * cells as u64) * 16 <= limits::MAX_SUM
    }
}

/// The cell beside another.
fn beside(cell: u32, side: u8, stride: u32) -> u32 {
    match side {
        0 => cell + 1,
        1 => cell + stride,
        2 => cell - 1,
        _ => cell - stride,
    }
}
