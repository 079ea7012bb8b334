//! Playing: a world that goes through a replay, forwards, and to any tick.

use std::sync::Arc;

use crate::lane::Numbers;
use crate::replay::{Frame, Keyframe, Replay, ReplayError};
use crate::state;
use crate::state::SnapshotError;
use crate::tick::{Probe, Scratch, tick_with};
use crate::world::World;

/// A replay being played in number type `N`, which must be that of its header.
#[derive(Clone, Debug)]
pub struct Player<'a, N: Numbers> {
    replay: &'a Replay,
    world: World<N>,
    scratch: Scratch<N>,
}

impl<'a, N: Numbers> Player<'a, N> {
    /// At the beginning: the header's empty world, or the first keyframe.
    ///
    /// # Errors
    /// When the header's world cannot be made, the replay is of the other number type, or begins
    /// late and without a keyframe.
    pub fn new(replay: &'a Replay) -> Result<Self, ReplayError> {
        Self::at(replay, replay.header.first_tick)
    }

    /// At the state after so many ticks, from the last keyframe before it.
    pub(super) fn at(replay: &'a Replay, ticks: u64) -> Result<Self, ReplayError> {
        let header = &replay.header;
        if header.numeric != N::NUMERIC {
            let (found, expected) = (header.numeric.word(), N::NUMERIC.word());
            let what = "numeric mode";
            let (found, expected) = (found.to_owned(), expected.to_owned());
            return Err(ReplayError::Foreign { what, found, expected });
        }
        let starts_here = replay.keyframes.first().is_some_and(|k| k.tick == header.first_tick);
        if header.first_tick > 0 && !starts_here {
            return Err(ReplayError::NoStart { tick: header.first_tick });
        }
        let world = World::new(Arc::clone(&header.map), header.settings)?;
        let mut player = Self { replay, world, scratch: Scratch::new() };
        player.restart(ticks)?;
        Ok(player)
    }

    /// Goes to the state after so many ticks from the last keyframe before it, wherever it is.
    pub(super) fn restart(&mut self, ticks: u64) -> Result<(), ReplayError> {
        let before = |keyframe: &Keyframe| keyframe.tick <= ticks;
        if let Some(index) = self.replay.keyframes.iter().rposition(before) {
            self.restore(index)?;
        }
        self.seek(ticks)
    }

    /// The world as it is now.
    pub fn world(&self) -> &World<N> {
        &self.world
    }

    /// Takes the world to the state of a keyframe.
    fn restore(&mut self, keyframe: usize) -> Result<(), ReplayError> {
        let keyframe = &self.replay.keyframes[keyframe];
        state::restore(&mut self.world, &keyframe.image()?)?;
        let (found, expected) = (self.world.tick_count(), keyframe.tick);
        if found == expected {
            return Ok(());
        }
        let (found, expected) = (found.to_string(), expected.to_string());
        Err(SnapshotError::Foreign { what: "tick", found, expected }.into())
    }

    /// Goes to the state after so many ticks, from the nearest keyframe before it, or from where it
    /// is when that is nearer. Beyond the end it goes to the end.
    ///
    /// # Errors
    /// When a keyframe is damaged.
    pub fn seek(&mut self, ticks: u64) -> Result<(), ReplayError> {
        let ticks = ticks.clamp(self.replay.header.first_tick, self.replay.end_tick());
        let (now, keyframes) = (self.world.tick_count(), &self.replay.keyframes);
        let nearest = keyframes.iter().rposition(|keyframe| keyframe.tick <= ticks);
        match nearest {
            Some(index) if now > ticks || keyframes[index].tick > now => self.restore(index)?,
            None if now > ticks => *self = Self::at(self.replay, ticks)?,
            _ => {}
        }
        while self.world.tick_count() < ticks && self.step().is_some() {}
        Ok(())
    }

    /// Plays the next tick and returns its frame; `None` at the end.
    pub fn step(&mut self) -> Option<&'a Frame> {
        self.step_with(&mut ())
    }

    /// The same with a probe.
    pub fn step_with(&mut self, probe: &mut impl Probe) -> Option<&'a Frame> {
        let frame = self.replay.frame(self.world.tick_count())?;
        tick_with::<N::Wide>(&mut self.world, &frame.orders, &mut self.scratch, probe);
        Some(frame)
    }
}
