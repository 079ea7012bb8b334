//! A crowd at one moment, each agent under a number of its own.

use rayon::prelude::*;

use crate::lane::Numbers;
use crate::math::each::Each;
use crate::par;
use crate::report::roll::Roll;
use crate::world::World;

/// Rows that are copied together.
const CHUNK: usize = 4_096;

/// An agent in a frame. Metres and m/s.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub(super) id: u64,
    pub(super) group: u16,
    pub(super) pos: [f64; 2],
    pub(super) vel: [f64; 2],
}

/// A frame.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// Number of the frame.
    pub(super) number: u64,
    /// Simulated seconds.
    pub(super) t: f64,
    /// By their number.
    pub(super) rows: Vec<Row>,
}

impl Frame {
    /// Takes the crowd of a world after its agents have been numbered; y may go up.
    pub(super) fn load<N: Numbers>(
        &mut self,
        world: &World<N>,
        number: u64,
        roll: &Roll,
        y_up: bool,
    ) {
        self.number = number;
        // From whole numbers: a product with the length of a tick would be off in the last digit.
        self.t = world.tick_count() as f64 / f64::from(world.settings().tick_rate);
        let [positions, velocities] = [world.positions(), world.velocities()];
        let bottom = f64::from(world.map().height()) * world.map().cell_size();
        let turned = |[x, y]: [f64; 2], bottom: f64| [x, if y_up { bottom - y } else { y }];
        let row = |row: usize| {
            let tag = &world.tags()[row];
            Row {
                id: roll.number(tag.id),
                group: world.base_group(tag.group),
                pos: turned(positions[row].each(N::to_f64), bottom),
                vel: turned(velocities[row].each(N::to_f64), 0.0),
            }
        };
        par::fill(&mut self.rows, world.len(), CHUNK, row);
        self.rows.par_sort_unstable_by_key(|row| row.id);
    }
}
