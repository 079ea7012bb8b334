//! Tracing: the digests after every stage of a tick, to name the stage in which two runs part.

use crate::lane::Numbers;
use crate::state::{Place, Tree};
use crate::tick::{Probe, Scratch, Stage};
use crate::world::World;

/// The digests after every stage of a tick: of the state, and of what the stages hand on to each
/// other. It is a [`Probe`]: give it to [`tick_with`](crate::tick::tick_with).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    stages: Vec<(Stage, Tree)>,
}

/// The first stage and column in which two traces of a tick differ, as frames hold them; `columns`
/// are the names of the state's columns.
pub(super) fn traced_difference(
    columns: &[String],
    [a, b]: [&[Vec<u16>]; 2],
) -> Option<(Stage, String)> {
    let mut pairs = Stage::ALL.into_iter().zip(a.iter().zip(b));
    let (stage, (a, b)) = pairs.find(|(_, (a, b))| a != b)?;
    let column = a.iter().zip(b).position(|(a, b)| a != b)?;
    let name = columns.get(column).cloned();
    Some((stage, name.unwrap_or_else(|| "scratch".to_owned())))
}

impl Probe for Stages {
    fn ended<N: Numbers>(&mut self, stage: Stage, world: &World<N>, scratch: &Scratch<N>) {
        let mut tree = Tree::of(world);
        tree.columns.extend(Tree::of_views(&scratch.columns()).columns);
        self.stages.push((stage, tree));
    }

    fn reads_scratch(&self) -> bool {
        true
    }
}

impl Stages {
    /// Forgets all, to be used for the next tick.
    pub fn clear(&mut self) {
        self.stages.clear();
    }

    /// The stages and the digests after each.
    pub fn trees(&self) -> &[(Stage, Tree)] {
        &self.stages
    }

    /// The low 16 bits of every column's digest, stage by stage; see [`traced_difference`].
    pub(super) fn short(&self) -> Vec<Vec<u16>> {
        let short = |(_, tree): &(Stage, Tree)| {
            tree.column_digests().iter().map(|column| column.digest as u16).collect()
        };
        self.stages.iter().map(short).collect()
    }

    /// The first stage after which two runs of a tick differ, and where.
    pub fn first_difference(&self, other: &Self) -> Option<(Stage, Place)> {
        let pairs = self.stages.iter().zip(&other.stages);
        let mut found =
            pairs.filter_map(|((stage, a), (_, b))| Some((*stage, a.first_difference(b)?)));
        found.next()
    }
}
