//! Sinks: areas in which agents leave the world, and are counted.

use crate::math::each::Each;
use serde::{Deserialize, Serialize};

use crate::data::{GroupId, Id, SinkId};
use crate::map::area::{Shape, goal_cells};
use crate::map::{Map, area};

/// Most sinks of a world.
pub const MAX_SINKS: usize = 64;

/// An agent that has left by a sink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    /// The agent.
    pub id: Id,
    /// The group of the agent.
    pub group: GroupId,
    /// The sink.
    pub sink: SinkId,
    /// Where it was, in metres.
    pub at: [f64; 2],
    /// Index of the group whose order it followed: its own, or one that is detached from it.
    pub(crate) post: u16,
}

/// An area in which agents leave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sink {
    /// Where, in metres: the cells of a goal of these shapes.
    pub(crate) area: Vec<Shape>,
    /// The groups whose agents leave there; all of them when it is empty.
    pub(crate) groups: Vec<GroupId>,
    /// Agents that have left there.
    pub(crate) left: u64,
}

impl Sink {
    /// Where it is, in metres.
    pub fn area(&self) -> &[Shape] {
        &self.area
    }

    /// The groups whose agents leave there; all of them when there is none.
    pub fn groups(&self) -> &[GroupId] {
        &self.groups
    }

    /// Agents that have left there.
    pub fn left(&self) -> u64 {
        self.left
    }
}

/// The cells of a sink: a window of the map, and a bit for each cell of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SinkCells {
    /// First column and row.
    low: [i32; 2],
    /// Columns and rows.
    size: [i32; 2],
    holds: Vec<bool>,
}

impl SinkCells {
    /// The cells of a sink on a map; none where there are walls by now.
    pub(crate) fn new(map: &Map, shapes: &[Shape]) -> Self {
        let cells: Vec<[i32; 2]> = shapes
            .iter()
            .filter_map(|shape| goal_cells(map, std::slice::from_ref(shape), map.slowness()).ok())
            .flat_map(|cells| cells.area().to_vec())
            .map(|cell| map.cell(cell))
            .map(|(i, j)| [i as i32, j as i32])
            .collect();
        let Some(&first) = cells.first() else { return Self::default() };
        let [mut low, mut high] = [first; 2];
        for cell in &cells {
            low = [0, 1].each(|axis| low[axis].min(cell[axis]));
            high = [0, 1].each(|axis| high[axis].max(cell[axis]));
        }
        let size = [0, 1].each(|axis| high[axis] - low[axis] + 1);
        let mut own = Self { low, size, holds: vec![false; (size[0] * size[1]) as usize] };
        for cell in cells {
            let at = own.index(cell).expect("the window holds all of them");
            own.holds[at] = true;
        }
        own
    }

    fn index(&self, cell: [i32; 2]) -> Option<usize> {
        let [i, j] = [0, 1].each(|axis| cell[axis] - self.low[axis]);
        let inside = (0..self.size[0]).contains(&i) && (0..self.size[1]).contains(&j);
        inside.then(|| (j * self.size[0] + i) as usize)
    }

    /// Whether a cell, by column and row, is one of the sink's.
    #[inline]
    pub(crate) fn holds(&self, cell: [i32; 2]) -> bool {
        self.index(cell).is_some_and(|at| self.holds[at])
    }
}

/// Where the agents of a source appear: the cells of its area that they can stand in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spots {
    pub(crate) cells: Vec<u32>,
    /// The version of the map that they are of.
    pub(crate) version: Option<u32>,
}

impl Spots {
    /// The cells of an area in which agents that can stand where `slowness` is not 0 appear.
    pub(crate) fn new(map: &Map, shapes: &[Shape], slowness: &[u8], version: u32) -> Self {
        let mut cells = area::cells(map, shapes);
        cells.retain(|&cell| slowness[cell as usize] != 0);
        Self { cells, version: Some(version) }
    }
}
