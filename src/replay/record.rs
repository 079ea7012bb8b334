//! Recording a run.

use std::io::Write;

use crate::lane::Numbers;
use crate::replay::Frame;
use crate::replay::Header;
use crate::replay::ReplayError;
use crate::replay::frame;
use crate::state;
use crate::world::Order;
use crate::world::World;

/// Writes a replay as a run goes. Every frame is flushed, so a killed run loses a tick at most.
#[derive(Debug)]
pub struct Recorder<W: Write> {
    out: W,
    ticks: u64,
}

impl<W: Write> Recorder<W> {
    /// Begins a recording of an empty world that has not ticked; all else comes by orders.
    ///
    /// # Errors
    /// When the world is not empty or writing fails.
    pub fn start<N: Numbers>(
        world: &World<N>,
        label: &str,
        mut out: W,
    ) -> Result<Self, ReplayError> {
        if world.tick_count() > 0 || !world.groups().is_empty() {
            return Err(ReplayError::NotEmpty);
        }
        out.write_all(&Header::of(world, label).write()?)?;
        out.flush()?;
        Ok(Self { out, ticks: 0 })
    }

    /// Records the tick that the world has just done with these orders.
    ///
    /// # Errors
    /// When writing fails.
    pub fn tick<N: Numbers>(
        &mut self,
        world: &World<N>,
        orders: &[Order],
    ) -> Result<(), ReplayError> {
        let digests = state::columns(world).iter().map(|column| column.digest).collect();
        let frame = Frame { tick: self.ticks, orders: orders.to_vec(), digests };
        self.out.write_all(&frame.write())?;
        self.out.flush()?;
        self.ticks += 1;
        Ok(())
    }

    /// Ends the recording and gives back what was written to.
    ///
    /// # Errors
    /// When writing fails.
    pub fn finish(mut self) -> Result<W, ReplayError> {
        self.out.write_all(&frame::end(self.ticks))?;
        self.out.flush()?;
        Ok(self.out)
    }
}
