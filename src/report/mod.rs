//! What came out of a run, for people and for other programs: measures of a crowd and trajectories.
//!
//! Measures take plain columns, so they work on any engine's output and need no world. They are
//! written a second time, plainly and in `f64`, so that they can judge the engine.

pub mod battle;
mod columns;
pub mod crush;
mod disc_grid;
pub mod heat;
pub mod measure;
pub mod measures;
pub mod minds;
pub use crate::data::number;
pub mod observer;
pub mod passes;
pub mod roll;
pub mod routes;
mod sieve;
pub mod speed;
pub mod stuck;
pub mod timeline;
pub mod trajectories;

/// Bit of [`Crowd::flags`]: the agent has arrived.
pub const ARRIVED: u8 = 1;

/// Bit of [`Crowd::flags`]: the agent has an order to go somewhere, and has not halted to shoot.
pub const ORDERED: u8 = 2;

/// What a picture or a measure needs to know of a crowd at one moment.
///
/// The first five columns have one entry an agent, the last two one a group. Rows may be in any
/// order, and in another order a tick later.
#[derive(Clone, Copy, Debug)]
pub struct Crowd<'a> {
    /// Centres, x and y in metres.
    pub positions: &'a [[f32; 2]],
    /// Index into `radii` and `colours`.
    pub groups: &'a [u16],
    /// [`ARRIVED`] and [`ORDERED`].
    pub flags: &'a [u8],
    /// The index part of the id: unique in the crowd, the same for an agent at every tick.
    pub ids: &'a [u32],
    /// Radius in metres; empty where all agents of a group are alike.
    pub sizes: &'a [f32],
    /// Radius of a group's agents in metres, of the largest where they differ.
    pub radii: &'a [f32],
    /// Colour of a group, red, green, blue.
    pub colours: &'a [[u8; 3]],
}

impl Crowd<'_> {
    /// Number of agents.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no agent.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The radius of the agent in a row, in metres.
    pub fn radius(&self, row: usize) -> f32 {
        let own = self.sizes.get(row).copied();
        own.unwrap_or_else(|| self.radii[usize::from(self.groups[row])])
    }

    /// Number of agents that have arrived.
    pub fn arrived(&self) -> usize {
        self.flags.iter().filter(|&&flags| flags & ARRIVED != 0).count()
    }

    /// Sees that columns agree.
    ///
    /// # Panics
    /// With the numbers, when columns differ in length or a group has no entry.
    pub fn check(&self) {
        let (rows, groups) = (self.positions.len(), self.radii.len());
        let lengths = [self.groups.len(), self.flags.len(), self.ids.len()];
        assert!(
            lengths == [rows; 3],
            "{rows} positions need as many groups, flags and ids, got {lengths:?}"
        );
        let sizes = self.sizes.len();
        assert!(sizes == 0 || sizes == rows, "{rows} positions, {sizes} sizes");
        assert!(self.colours.len() == groups, "{groups} radii, {} colours", self.colours.len());
        if let Some(most) = self.groups.iter().max() {
            assert!(usize::from(*most) < groups, "group {most} of {groups}");
        }
    }
}
