//! What processes that share a run do beside its ticks: agree to go on, compare, write checkpoints.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use throng::lane::Numbers;
use throng::report::observer::{Looks, Observer};
use throng::state;
use throng::state::{Image, RowDigests};
use throng::tick::{Exchange, Scratch};
use throng::world::World;

use crate::error::CliError;
use crate::output::Output;
use crate::signal;
use crate::summary::Shared;

/// The processes of a run, and the way that bytes move between them.
pub trait Processes: Sync {
    /// How their ticks exchange bytes.
    fn exchange(&self) -> Arc<dyn Exchange>;
    /// How many of them share this machine.
    fn beside(&self) -> usize;
    /// What they exchanged so far, and how evenly they worked. All of them ask at the same time.
    fn figures(&self) -> Shared;
    /// Ends all of them.
    fn abort(&self, code: u8) -> !;
}

/// How processes share a run.
pub(crate) struct Sharing<'a> {
    pub(crate) processes: &'a dyn Processes,
    pub(crate) exchange: Arc<dyn Exchange>,
    /// The state to go on from.
    pub(crate) from: Option<Vec<u8>>,
    /// Where the state is written, and every how many ticks.
    pub(crate) checkpoint: Option<(PathBuf, u64)>,
    /// Whether digests are compared after every tick.
    pub(crate) compare: bool,
    /// When the first process looks at all agents.
    pub(crate) looks: Looks,
}

/// What processes do next, in the bits of a byte: each says what it would have, and all do what any says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Next(u8);

impl Next {
    /// Another tick, after which the first process needs no agents but its own.
    pub(crate) const TICK: Self = Self(0);
    /// Another tick, after which the first process looks at all agents.
    pub(crate) const LOOK: Self = Self(1);
    /// Another tick, after which all digest their agents.
    pub(crate) const DIGEST: Self = Self(2);
    /// No other tick.
    pub(crate) const END: Self = Self(4);

    /// Whether all that is said in another is said in this.
    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl Sharing<'_> {
    /// The tick that the run begins after.
    pub(crate) fn first(&self) -> Result<u64, CliError> {
        let image = self.from.as_deref().map(Image::read).transpose();
        let image = image.map_err(|source| CliError::Snapshot { source })?;
        Ok(image.map_or(0, |image| image.tick()))
    }

    /// Brings a new world to where the run begins.
    pub(crate) fn begin<N: Numbers>(
        &self,
        world: &mut World<N>,
        scratch: &mut Scratch<N>,
    ) -> Result<(), CliError> {
        if let Some(image) = &self.from {
            state::restore(world, image).map_err(|source| CliError::Snapshot { source })?;
        }
        scratch.divide_with(Arc::clone(&self.exchange));
        Ok(())
    }

    /// What all do next, when this process would do that.
    pub(crate) fn next(&self, wished: Next) -> Next {
        let wished = if signal::stopped().is_some() { Next::END } else { wished };
        let mut all = Vec::new();
        self.exchange.gather(&[wished.0], &mut all);
        Next(all.iter().fold(0, |all, said| all | said))
    }

    /// Whether a checkpoint is due after so many ticks.
    pub(crate) fn is_due(&self, tick: u64) -> bool {
        self.checkpoint.as_ref().is_some_and(|(_, every)| tick.is_multiple_of(*every))
    }

    /// After a tick: compares, gives the first process all agents when it looks at them, and writes a
    /// checkpoint when it is time. Gives the digests of all rows where no process has all.
    pub(crate) fn after<N: Numbers>(
        &self,
        world: &mut World<N>,
        scratch: &mut Scratch<N>,
        next: Next,
    ) -> Result<Option<RowDigests>, CliError> {
        if self.compare {
            scratch.gather(world);
            self.compare(world)?;
        }
        let mut digests = None;
        if next.has(Next::LOOK) {
            scratch.gather_to_first(world);
        } else if next.has(Next::DIGEST) {
            digests = scratch.row_digests(world);
        }
        if let Some((path, _)) = &self.checkpoint
            && self.is_due(world.tick_count())
        {
            save(world, path)?;
        }
        Ok(digests)
    }

    /// After the last tick: a last checkpoint, and what was exchanged. The first process gets all agents,
    /// and what all have seen in walls.
    pub(crate) fn end<N: Numbers>(
        &self,
        world: &mut World<N>,
        scratch: &mut Scratch<N>,
        observer: &mut Observer,
    ) -> Result<Shared, CliError> {
        let (whole, looks) = (scratch.why_whole(world), self.looks);
        let figures = Shared { whole, looks, ..self.processes.figures() };
        scratch.gather_to_first(world);
        let (own, mut all) = (observer.walled().flat_map(u32::to_le_bytes), Vec::new());
        self.exchange.gather(&own.collect::<Vec<u8>>(), &mut all);
        let (ids, _) = all.as_chunks();
        observer.note_walled(ids.iter().map(|id| u32::from_le_bytes(*id)));
        // What follows looks at the world alone.
        *scratch = Scratch::new();
        if let Some((path, _)) = &self.checkpoint {
            save(world, path)?;
        }
        Ok(figures)
    }

    fn compare<N: Numbers>(&self, world: &World<N>) -> Result<(), CliError> {
        let mut all = Vec::new();
        let own = state::digest(world).to_le_bytes();
        self.exchange.gather(&own, &mut all);
        match all.chunks(8).position(|other| other != own) {
            Some(process) => Err(CliError::Differs { process, tick: world.tick_count() }),
            None => Ok(()),
        }
    }
}

/// Writes the state; an older file of the name stays whole until this one is.
fn save<N: Numbers>(world: &World<N>, path: &Path) -> Result<(), CliError> {
    Output::renew(path, state::save(world))
}
