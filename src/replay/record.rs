//! Recording a run.

use std::io::Write;

use crate::lane::Numbers;
use crate::replay::frame::MAX_BLOCK;
use crate::replay::{
    Frame, Header, Keyframe, MAX_FILE, MAX_FRAMES, MAX_IMAGE, RecordOptions, ReplayError, Stages,
    frame,
};
use crate::state;
use crate::state::Tree;
use crate::world::{Order, World};

/// Fewest ticks from one keyframe to the next.
const LEAST_SPACING: u64 = 16;
/// Ticks done for each tick from one keyframe to the next: a seek repeats at most this share.
const SPACING: u64 = 160;

/// Ticks within which half of the budget of keyframes may be spent.
const HALF_SPENT: u64 = 8_000;

/// Bytes of the end block.
const END_BYTES: u64 = 32;

/// Orders and digests that wait for a flush, in bytes, before it comes early.
const MAX_WAITING: usize = 8 << 20;

/// Writes a replay as a run goes. A killed run loses what came after the last flush. A copy that is
/// finished is the whole replay so far, while the original goes on.
#[derive(Clone, Debug)]
pub struct Recorder<W: Write> {
    out: W,
    options: RecordOptions,
    /// The next tick.
    tick: u64,
    waiting: Vec<Frame>,
    /// About how many bytes they take.
    waiting_bytes: usize,
    keyframes: Spacing,
    image: Vec<u8>,
    /// Bytes of memory that a reader has left for frames, and bytes that the file may still get.
    room: u64,
    file_room: u64,
}

/// When keyframes are due.
#[derive(Clone, Debug, Default)]
struct Spacing {
    budget: u64,
    spent: u64,
    /// Ticks done at the first frame.
    first: u64,
    /// Ticks done at the last one, and its bytes.
    last: u64,
    last_size: u64,
}

impl Spacing {
    /// Whether one of about the size of the last is due after so many ticks. The spacing grows with
    /// the run, and the share of the budget that may be spent goes towards all of it, so that some
    /// is left however long the run is.
    fn is_due(&self, ticks: u64) -> bool {
        let done = ticks - self.first;
        let spacing = LEAST_SPACING.max(done / SPACING);
        let spent = self.spent.saturating_add(self.last_size.max(1));
        ticks - self.last >= spacing && spent <= self.allowed(done)
    }

    /// Bytes that may be spent within so many ticks.
    fn allowed(&self, done: u64) -> u64 {
        let share = u128::from(self.budget) * u128::from(done) / u128::from(done + HALF_SPENT);
        share as u64
    }
}

impl<W: Write> Recorder<W> {
    /// Begins a recording. A world that has already begun is written as a keyframe first, so that
    /// the replay begins there.
    ///
    /// # Errors
    /// When writing fails.
    pub fn start<N: Numbers>(
        world: &World<N>,
        options: impl Into<RecordOptions>,
        mut out: W,
    ) -> Result<Self, ReplayError> {
        let options = options.into();
        let header = Header::of(world, &options).write()?;
        out.write_all(&header)?;
        let tick = world.tick_count();
        let keyframes = Spacing {
            budget: options.keyframe_bytes,
            first: tick,
            last: tick,
            ..Spacing::default()
        };
        let mut recorder = Self {
            out,
            options,
            tick,
            waiting: Vec::new(),
            waiting_bytes: 0,
            keyframes,
            image: Vec::new(),
            room: MAX_FRAMES,
            file_room: (MAX_FILE - END_BYTES).saturating_sub(header.len() as u64),
        };
        if tick > 0 || !world.groups().is_empty() {
            recorder.keyframe(world)?;
        }
        recorder.out.flush()?;
        Ok(recorder)
    }

    /// Records the tick that the world has just done with these orders.
    ///
    /// # Errors
    /// When writing fails, or with [`ReplayError::Full`], after which the recording can be finished,
    /// but not go on.
    ///
    /// # Panics
    /// When the world has done more or fewer ticks than were recorded.
    pub fn tick<N: Numbers>(
        &mut self,
        world: &World<N>,
        orders: &[Order],
    ) -> Result<(), ReplayError> {
        self.traced(world, orders, &Stages::default())
    }

    /// The same where the state was digested elsewhere: no keyframe is written then.
    ///
    /// # Errors
    /// As [`Recorder::tick`].
    ///
    /// # Panics
    /// As [`Recorder::tick`].
    pub fn tick_of<N: Numbers>(
        &mut self,
        world: &World<N>,
        orders: &[Order],
        tree: &Tree,
    ) -> Result<(), ReplayError> {
        self.wait_for_flush(world, orders, &Stages::default(), tree);
        match self.is_flush_due() {
            true => self.flush(),
            false => Ok(()),
        }
    }

    /// Whether a keyframe may be due after so many ticks.
    pub fn is_keyframe_due(&self, tick: u64) -> bool {
        self.keyframes.is_due(tick)
    }

    /// The same with the digests after every stage of the tick.
    ///
    /// # Errors
    /// As [`Recorder::tick`].
    ///
    /// # Panics
    /// As [`Recorder::tick`].
    pub fn traced<N: Numbers>(
        &mut self,
        world: &World<N>,
        orders: &[Order],
        stages: &Stages,
    ) -> Result<(), ReplayError> {
        self.wait_for_flush(world, orders, stages, &Tree::of(world));
        if self.keyframes.is_due(self.tick) {
            self.flush()?;
            // A state that is too large for a keyframe uses the budget up.
            let block = self.pack(world).ok();
            self.keyframes.last_size = block.as_ref().map_or(u64::MAX, |block| block.len() as u64);
            let fits = |block: &Vec<u8>| block.len() as u64 <= self.file_room;
            if let Some(block) = block.filter(fits).filter(|_| self.keyframes.is_due(self.tick)) {
                self.write_keyframe(&block)?;
            }
        } else if self.is_flush_due() {
            self.flush()?;
        }
        Ok(())
    }

    /// Whether as much is waiting as may.
    fn is_flush_due(&self) -> bool {
        self.waiting.len() as u64 >= u64::from(self.options.flush_ticks.max(1))
            || self.waiting_bytes > MAX_WAITING
    }

    /// Notes the tick that the world has just done, of which this is the tree.
    fn wait_for_flush<N: Numbers>(
        &mut self,
        world: &World<N>,
        orders: &[Order],
        stages: &Stages,
        tree: &Tree,
    ) {
        assert_eq!(self.tick + 1, world.tick_count(), "every tick is recorded once");
        let columns = tree.column_digests();
        let digest = state::combine(&columns);
        let columns = columns.iter().map(|column| column.digest as u16).collect();
        let stages = stages.short();
        let frame = Frame { tick: self.tick, orders: orders.to_vec(), digest, columns, stages };
        self.tick += 1;
        // What names agents takes 8 bytes each, and 16 for a place; all other orders are small.
        let ids = |order: &Order| match order {
            Order::Assign { agents, .. } => 8 * agents.len(),
            Order::Agents { agents, .. } => 256 + 24 * agents.len(),
            _ => 256,
        };
        self.waiting_bytes += 256 + orders.iter().map(ids).sum::<usize>();
        self.waiting.push(frame);
    }

    /// Writes what is waiting.
    ///
    /// # Errors
    /// When writing fails, or with [`ReplayError::Full`].
    pub fn flush(&mut self) -> Result<(), ReplayError> {
        if let Some(first) = self.waiting.first() {
            let tick = first.tick;
            let written = self.write_waiting();
            if matches!(written, Err(ReplayError::Full { .. })) {
                self.tick = tick;
            }
            self.waiting.clear();
            self.waiting_bytes = 0;
            written?;
        }
        self.out.flush()?;
        Ok(())
    }

    /// Writes the block of what is waiting, if a reader would take it.
    fn write_waiting(&mut self) -> Result<(), ReplayError> {
        let tick = self.waiting[0].tick;
        let full = |what, limit| ReplayError::Full { tick, what, limit };
        let frame::Packed { block, raw, memory } = frame::packed(&self.waiting);
        if raw > MAX_BLOCK {
            return Err(full("the bytes of a block of ticks", MAX_BLOCK));
        }
        let room = self.room.checked_sub(memory);
        let room = room.ok_or_else(|| full("the bytes of memory of all ticks", MAX_FRAMES))?;
        let file_room = self.file_room.checked_sub(block.len() as u64);
        let file_room = file_room.ok_or_else(|| full("the bytes of the file", MAX_FILE))?;
        self.out.write_all(&block)?;
        (self.room, self.file_room) = (room, file_room);
        Ok(())
    }

    /// Writes the state of the world, which has done the recorded ticks, whatever the budget.
    ///
    /// # Errors
    /// When writing fails, or the state is too large for a keyframe.
    pub fn keyframe<N: Numbers>(&mut self, world: &World<N>) -> Result<(), ReplayError> {
        self.flush()?;
        let block = self.pack(world)?;
        self.write_keyframe(&block)
    }

    fn pack<N: Numbers>(&mut self, world: &World<N>) -> Result<Vec<u8>, ReplayError> {
        state::save_into(world, &mut self.image);
        let bytes = self.image.len() as u64;
        if bytes > MAX_IMAGE {
            return Err(ReplayError::StateTooLarge { bytes, limit: MAX_IMAGE });
        }
        Ok(Keyframe::new(world.tick_count(), &self.image).write())
    }

    fn write_keyframe(&mut self, block: &[u8]) -> Result<(), ReplayError> {
        let (tick, what, limit) = (self.tick, "the bytes of the file", MAX_FILE);
        let file_room = self.file_room.checked_sub(block.len() as u64);
        self.file_room = file_room.ok_or(ReplayError::Full { tick, what, limit })?;
        self.keyframes.last_size = block.len() as u64;
        self.keyframes.spent += self.keyframes.last_size;
        self.keyframes.last = self.tick;
        self.out.write_all(block)?;
        self.out.flush()?;
        Ok(())
    }

    /// Ends the recording and gives back what was written to.
    ///
    /// # Errors
    /// When writing fails, or with [`ReplayError::Full`] without an end; not after a
    /// [`Recorder::flush`], whatever came of that.
    pub fn finish(mut self) -> Result<W, ReplayError> {
        self.flush()?;
        self.out.write_all(&frame::end(self.tick))?;
        self.out.flush()?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Map;
    use crate::replay::Replay;
    use crate::tick::{Scratch, tick};
    use crate::world::Settings;

    /// Records until there is no room; the first tick that is missing, and the file.
    fn filled(limit: impl FnOnce(&mut Recorder<Vec<u8>>)) -> (u64, Vec<u8>) {
        let map = Map::from_slowness(4, 4, 1.0, &[16; 16]);
        let mut world = World::<f32>::new(map, Settings::default()).unwrap();
        let mut scratch = Scratch::new();
        let options =
            RecordOptions { keyframe_bytes: 1 << 20, flush_ticks: 4, ..Default::default() };
        let mut recorder = Recorder::start(&world, options, Vec::new()).unwrap();
        limit(&mut recorder);
        for _ in 0..10_000 {
            tick(&mut world, &[], &mut scratch);
            if let Err(error) = recorder.tick(&world, &[]) {
                let ReplayError::Full { tick, .. } = error else { panic!("{error}") };
                return (tick, recorder.finish().unwrap());
            }
        }
        panic!("there is room for all");
    }

    #[test]
    fn a_full_replay_is_whole() {
        let limits: [fn(&mut Recorder<Vec<u8>>); 2] =
            [|recorder| recorder.room = 10_000, |recorder| recorder.file_room = 10_000];
        for limit in limits {
            let (tick, bytes) = filled(limit);
            let replay = Replay::read(&bytes).unwrap();
            assert!(tick > 8 && replay.end_tick() == tick, "{tick} {}", replay.end_tick());
            assert_eq!(replay.frames.len() as u64, tick);
        }
    }
}
