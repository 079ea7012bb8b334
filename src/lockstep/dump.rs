//! Dumps: the last ticks of a journal as a short replay, for `throng diff`.

use crate::lane::Numbers;
use crate::lockstep::{Journal, JournalError};
use crate::replay::{RecordOptions, Recorder};
use crate::tick::Scratch;
use crate::world::World;

impl<N: Numbers> Journal<N> {
    /// A dump of a tick, made by running it again: a replay that begins with the snapshot before
    /// the tick and ends with the state after it. The dumps of two machines that differ in that
    /// tick tell in what they differ ([`replay::compare()`](crate::replay::compare()), `throng
    /// diff`).
    ///
    /// # Errors
    /// When the tick is not kept, or a snapshot is damaged.
    pub fn dump(&self, tick: u64, label: &str) -> Result<Vec<u8>, JournalError> {
        let (mut recorder, mut world) = self.dump_before(tick, label)?;
        let orders = self.orders(tick).unwrap_or_default();
        self.step(&mut world, orders, &mut Scratch::new());
        recorder.tick(&world, orders)?;
        finish(recorder, &world)
    }

    /// A dump of the last recorded tick that ends with `world` itself, as it is, not as it would be
    /// if its ticks were run again. Beside [`dump`](Self::dump) of that tick it shows what has
    /// happened to a world that an [`audit`](Self::audit) finds to differ.
    ///
    /// # Errors
    /// When no tick has been recorded, or a snapshot is damaged.
    ///
    /// # Panics
    /// When `world` has not just done the last recorded tick.
    pub fn dump_live(&self, world: &World<N>, label: &str) -> Result<Vec<u8>, JournalError> {
        let tick = world.tick_count().saturating_sub(1);
        assert_eq!(tick + 1, self.end(), "the world is that of the last recorded tick");
        let (mut recorder, _) = self.dump_before(tick, label)?;
        recorder.tick(world, self.orders(tick).unwrap_or_default())?;
        finish(recorder, world)
    }

    /// The ticks from the snapshot before a tick up to that one, and the world then.
    fn dump_before(
        &self,
        tick: u64,
        label: &str,
    ) -> Result<(Recorder<Vec<u8>>, World<N>), JournalError> {
        if self.orders(tick).is_none() {
            let (first, end) = (self.first(), self.end());
            return Err(JournalError::NotKept { tick, first, end });
        }
        let (first, _) = self.snapshot_before(tick).expect("the tick is kept");
        let mut world = self.world_at(first)?;
        // No keyframes but the first and the last.
        let options = RecordOptions { keyframe_bytes: 0, ..RecordOptions::from(label) };
        let mut recorder = Recorder::start(&world, options, Vec::new())?;
        let mut scratch = Scratch::new();
        for tick in first..tick {
            let orders = self.orders(tick).unwrap_or_default();
            self.step(&mut world, orders, &mut scratch);
            recorder.tick(&world, orders)?;
        }
        Ok((recorder, world))
    }
}

fn finish<N: Numbers>(
    mut recorder: Recorder<Vec<u8>>,
    world: &World<N>,
) -> Result<Vec<u8>, JournalError> {
    recorder.keyframe(world)?;
    Ok(recorder.finish()?)
}
