//! The rest of a replay, from a state of its run on.

use crate::lane::Numbers;
use crate::replay::{Frame, Header, Keyframe, MAX_IMAGE, Replay, ReplayError, frame};
use crate::state;
use crate::world::World;

/// Ticks of a block.
const BLOCK: usize = 32;

impl Replay {
    /// A replay of the rest of this one: it begins with the state of a world that has played the ticks
    /// before, and holds the orders, digests and keyframes from there to the end.
    ///
    /// # Errors
    /// When the world is not in the state that was recorded after so many ticks, or its state is too
    /// large for a keyframe.
    ///
    /// ```
    /// use throng::replay::{Player, Recorder, Replay, verify};
    /// # use throng::{Legend, Map, Scratch, Settings, World, tick};
    /// # let map = Map::from_rows(&["...."], &Legend::default(), 1.0)?;
    /// # let mut world = World::<f32>::new(map, Settings::default())?;
    /// # let mut recorder = Recorder::start(&world, "short", Vec::new())?;
    /// # for _ in 0..9 {
    /// #     tick(&mut world, &[], &mut Scratch::new());
    /// #     recorder.tick(&world, &[])?;
    /// # }
    /// # let replay = Replay::read(&recorder.finish()?)?;
    /// let mut player = Player::<f32>::new(&replay)?;
    /// player.seek(6)?;
    /// let rest = Replay::read(&replay.rest(player.world())?)?;
    /// assert_eq!((rest.header.first_tick, rest.end_tick()), (6, 9));
    /// assert!(verify(&rest, |_| {})?.difference.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rest<N: Numbers>(&self, world: &World<N>) -> Result<Vec<u8>, ReplayError> {
        let first = world.tick_count();
        self.check_state(world)?;
        let header = Header { first_tick: first, ..self.header.clone() };
        let mut bytes = header.write()?;
        if first > 0 || !world.groups().is_empty() {
            let image = state::save(world);
            if image.len() as u64 > MAX_IMAGE {
                let bytes = image.len() as u64;
                return Err(ReplayError::StateTooLarge { bytes, limit: MAX_IMAGE });
            }
            bytes.extend(Keyframe::new(first, &image).write());
        }
        let skipped = (first - self.header.first_tick) as usize;
        let mut frames = &self.frames[skipped.min(self.frames.len())..];
        let mut keyframes = self.keyframes.iter().filter(|keyframe| keyframe.tick > first);
        let mut next = keyframes.next();
        // A keyframe stands behind the ticks that it is the state after.
        while let Some(Frame { tick, .. }) = frames.first() {
            let to_keyframe = next.map_or(BLOCK as u64, |keyframe| keyframe.tick - tick);
            let count = frames.len().min(BLOCK).min(to_keyframe as usize);
            let end = tick + count as u64;
            let (block, rest) = frames.split_at(count);
            bytes.extend(frame::block(block));
            frames = rest;
            if let Some(keyframe) = next.filter(|keyframe| keyframe.tick == end) {
                bytes.extend(keyframe.write());
                next = keyframes.next();
            }
        }
        bytes.extend(frame::end(self.end_tick()));
        Ok(bytes)
    }

    /// Refuses a world that is not in the state recorded after as many ticks as it has done.
    fn check_state<N: Numbers>(&self, world: &World<N>) -> Result<(), ReplayError> {
        let tick = world.tick_count();
        let is_within = (self.header.first_tick..=self.end_tick()).contains(&tick);
        let before = tick.checked_sub(1).and_then(|before| self.frame(before));
        // The state before the first tick has no digest of its own: its first tick will tell.
        let is_same = before.is_none_or(|frame| frame.digest == state::digest(world));
        match is_within && is_same {
            true => Ok(()),
            false => Err(ReplayError::OtherState { tick }),
        }
    }
}
