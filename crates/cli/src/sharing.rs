//! What processes that share a run do beside its ticks: agree to go on, compare, write checkpoints.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use throng::lane::Numbers;
use throng::state;
use throng::state::Image;
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
}

/// What a process says before a tick.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    GoOn = 0,
    /// A signal ends this process.
    Signal = 1,
    End = 2,
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
        scratch.share_with(Some(Arc::clone(&self.exchange)));
        Ok(())
    }

    /// Whether all do another tick, when this process would.
    pub(crate) fn goes_on(&self, would: bool) -> bool {
        let word = match (would, signal::stopped()) {
            (false, _) => Word::End,
            (true, Some(_)) => Word::Signal,
            (true, None) => Word::GoOn,
        };
        let mut all = Vec::new();
        self.exchange.gather(&[word as u8], &mut all);
        all.iter().all(|&said| said == Word::GoOn as u8)
    }

    /// After a tick: compares, and writes a checkpoint when it is time.
    pub(crate) fn after<N: Numbers>(&self, world: &World<N>) -> Result<(), CliError> {
        if self.compare {
            self.compare(world)?;
        }
        match &self.checkpoint {
            Some((path, every)) if world.tick_count().is_multiple_of(*every) => save(world, path),
            _ => Ok(()),
        }
    }

    /// After the last tick: a last checkpoint, and what was exchanged.
    pub(crate) fn end<N: Numbers>(&self, world: &World<N>) -> Result<Shared, CliError> {
        let figures = self.processes.figures();
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
