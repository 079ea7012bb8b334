//! Every way to find a way, behind one door: to compare them, and to draw what they find.
//!
//! Ways go from the middle of a cell to the middle of another, so that all are about the same
//! thing. Points and lengths are in cells.

mod descend;
pub(crate) mod hexagons;
mod method;
mod prepared;
mod scratch;

pub use method::{Method, Promise};
pub use prepared::{Prepared, Refused, over_mesh};
pub use scratch::Scratch;

use throng::graph::grid::Steps;

/// A question for a way.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// The start's cell, as a padded index.
    pub from: u32,
    /// The goal's cell.
    pub to: u32,
    /// Where the leader of [`Navigator::Breadcrumbs`](throng::nav::navigator::Navigator) sets out.
    pub leader: u32,
    /// Seed of what is random.
    pub seed: u64,
    /// Methods that go cell by cell give up after so many steps.
    pub most_steps: u32,
}

/// An answer: the way that was found.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// Whether it ends at the goal.
    pub found: bool,
    /// Points, the start first, in cells. A walk that does not arrive is there, too.
    pub points: Vec<[f64; 2]>,
    /// Length in cells.
    pub length: f64,
    /// Steps of a way that goes cell by cell; `None` also where it makes one that is none.
    pub steps: Option<Steps>,
    /// Nodes that were expanded; cells that a field reaches; steps that a walk chose.
    pub expansions: u64,
}

impl Way {
    fn clear(&mut self) {
        self.points.clear();
        (self.found, self.length, self.steps, self.expansions) = (false, 0.0, None, 0);
    }

    fn measure(&mut self) {
        let pairs = self.points.windows(2);
        let lengths = pairs.map(|pair| {
            let [x, y] = [0, 1].map(|i| pair[1][i] - pair[0][i]);
            (x * x + y * y).sqrt()
        });
        self.length = lengths.sum();
    }
}
