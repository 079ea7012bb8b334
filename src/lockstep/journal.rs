//! The journal: snapshots and orders of the last ticks, to run them again.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use crate::lane::Numbers;
use crate::lockstep::DigestList;
use crate::replay::ReplayError;
use crate::state;
use crate::state::SnapshotError;
use crate::tick::{Scratch, tick};
use crate::world::{Order, World};

/// How a program runs a tick: [`tick`], unless it has reasons of its own.
pub type Step<N> = fn(&mut World<N>, &[Order], &mut Scratch<N>);

/// The journal cannot answer.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It knows nothing about that tick.
    #[error("tick {tick} is not kept: there are those from {first} to {end}")]
    NotKept {
        /// The tick asked for.
        tick: u64,
        /// The first that can be made again.
        first: u64,
        /// The world's present tick.
        end: u64,
    },
    /// A snapshot cannot be read back: memory is damaged.
    #[error("a snapshot is damaged: {0}")]
    Snapshot(#[from] SnapshotError),
    /// A dump cannot be written.
    #[error(transparent)]
    Dump(#[from] ReplayError),
}

/// Whether a world is what its orders make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audit {
    /// The ticks that are kept give the same state when they are run again. What went wrong in
    /// them, if anything, goes wrong again.
    Repeats,
    /// They give another state: something changed this one that was no tick, in one of the ticks
    /// `first ..= last`. Memory may be bad, or a program wrote where it must not.
    Differs {
        /// The state before this tick was still right.
        first: u64,
        /// After this tick the difference was there.
        last: u64,
    },
}

/// A snapshot.
#[derive(Clone, Debug)]
struct Keyframe {
    /// Ticks done.
    tick: u64,
    /// Digest of the state then.
    digest: u64,
    bytes: Vec<u8>,
}

/// A tick.
#[derive(Clone, Debug)]
struct Entry {
    orders: Vec<Order>,
    /// Quick digest after it.
    quick: u64,
}

/// Snapshots of the last ticks, their orders and their quick digests.
///
/// The memory of snapshots is used again.
#[derive(Clone, Debug)]
pub struct Journal<N: Numbers> {
    every: u64,
    most: usize,
    step: Step<N>,
    /// A world to restore snapshots into.
    blank: World<N>,
    keyframes: VecDeque<Keyframe>,
    /// Ticks from the first keyframe on.
    entries: VecDeque<Entry>,
}

/// Ticks from one snapshot to the next, unless told otherwise.
pub const SNAPSHOT_EVERY: u32 = 32;
/// Snapshots that are kept, unless told otherwise.
pub const SNAPSHOTS: usize = 4;

impl<N: Numbers> Journal<N> {
    /// A journal that begins now, with a snapshot every [`SNAPSHOT_EVERY`] ticks, of which it keeps
    /// [`SNAPSHOTS`].
    pub fn new(world: &World<N>) -> Self {
        Self::with(world, SNAPSHOT_EVERY, SNAPSHOTS, tick)
    }

    /// A journal with a snapshot every so many ticks (0 counts as 1), of which it keeps `snapshots`
    /// (at least 2), for a program that runs its ticks by `step`.
    pub fn with(world: &World<N>, every: u32, snapshots: usize, step: Step<N>) -> Self {
        let blank = World::new(Arc::clone(&world.ground.given_map), world.settings);
        let blank = blank.expect("another world has this map and these settings");
        let (keyframes, entries) = (VecDeque::new(), VecDeque::new());
        let (every, most) = (u64::from(every.max(1)), snapshots.max(2));
        let mut journal = Self { every, most, step, blank, keyframes, entries };
        journal.snapshot(world, Vec::new());
        journal
    }

    fn snapshot(&mut self, world: &World<N>, mut bytes: Vec<u8>) {
        state::save_into(world, &mut bytes);
        let (tick, digest) = (world.tick_count(), state::digest(world));
        self.keyframes.push_back(Keyframe { tick, digest, bytes });
    }

    /// Records the tick that the world has just done with these orders.
    ///
    /// # Panics
    /// When a tick was left out.
    pub fn record(&mut self, world: &World<N>, orders: &[Order]) {
        let end = self.end() + 1;
        assert_eq!(world.tick_count(), end, "every tick of a world is recorded, in order");
        let quick = state::quick_digest(world);
        self.entries.push_back(Entry { orders: orders.to_vec(), quick });
        if !end.is_multiple_of(self.every) {
            return;
        }
        let mut bytes = Vec::new();
        if self.keyframes.len() == self.most {
            let oldest = self.keyframes.pop_front().expect("there are at least two");
            let dropped = self.first() - oldest.tick;
            self.entries.drain(..dropped as usize);
            bytes = oldest.bytes;
        }
        self.snapshot(world, bytes);
    }

    /// The tick of the oldest snapshot: the first that can be run again.
    pub fn first(&self) -> u64 {
        self.keyframes[0].tick
    }

    /// The tick after the last recorded one.
    pub fn end(&self) -> u64 {
        self.first() + self.entries.len() as u64
    }

    /// What was ordered in a tick, if it is kept.
    pub fn orders(&self, tick: u64) -> Option<&[Order]> {
        self.entry(tick).map(|entry| &entry.orders[..])
    }

    /// The quick digest after a tick, as it was when the tick ran, if it is kept.
    pub fn quick_digest(&self, tick: u64) -> Option<u64> {
        self.entry(tick).map(|entry| entry.quick)
    }

    fn entry(&self, tick: u64) -> Option<&Entry> {
        self.entries.get(usize::try_from(tick.checked_sub(self.first())?).ok()?)
    }

    /// The last snapshot at or before a tick: the ticks that the world had done then, and the image
    /// ([`state::save`]).
    pub fn snapshot_before(&self, tick: u64) -> Option<(u64, &[u8])> {
        let keyframe = self.keyframes.iter().rev().find(|keyframe| keyframe.tick <= tick)?;
        Some((keyframe.tick, &keyframe.bytes))
    }

    fn kept(&self, tick: u64) -> Result<(), JournalError> {
        let (first, end) = (self.first(), self.end());
        let kept = (first..=end).contains(&tick);
        if kept { Ok(()) } else { Err(JournalError::NotKept { tick, first, end }) }
    }

    /// The world when it had done `tick` ticks, made from the snapshot before and the orders since.
    ///
    /// # Errors
    /// When that is not kept, or a snapshot is damaged.
    pub fn world_at(&self, tick: u64) -> Result<World<N>, JournalError> {
        self.kept(tick)?;
        let (first, image) = self.snapshot_before(tick).expect("the tick is kept");
        let mut world = self.blank.clone();
        state::restore(&mut world, image)?;
        self.run(&mut world, first..tick, |_, _| true);
        Ok(world)
    }

    /// Runs a tick as the program does.
    pub(super) fn step(&self, world: &mut World<N>, orders: &[Order], scratch: &mut Scratch<N>) {
        (self.step)(world, orders, scratch);
    }

    /// Runs ticks that are kept, until `look` says that it is enough; it sees the world after each.
    fn run(
        &self,
        world: &mut World<N>,
        ticks: Range<u64>,
        mut look: impl FnMut(&World<N>, u64) -> bool,
    ) {
        let mut scratch = Scratch::new();
        for tick in ticks {
            let entry = self.entry(tick).expect("the tick is kept");
            self.step(world, &entry.orders, &mut scratch);
            if !look(world, tick) {
                return;
            }
        }
    }

    /// Full digests of the states after these ticks, by running them again: another peer's list
    /// for the same ticks tells the exact tick at which the states part.
    ///
    /// # Errors
    /// When a tick is not kept, or a snapshot is damaged.
    pub fn digests(&self, ticks: Range<u64>) -> Result<DigestList, JournalError> {
        self.kept(ticks.start)?;
        self.kept(ticks.end)?;
        let mut list = DigestList { first: ticks.start, digests: Vec::new() };
        let mut world = self.world_at(ticks.start)?;
        self.run(&mut world, ticks, |world, _| {
            list.digests.push(state::digest(world));
            true
        });
        Ok(list)
    }

    /// Runs all ticks again that are kept, and says whether they give what they gave before, up to
    /// `world`, which has done the last recorded tick.
    ///
    /// # Errors
    /// When the first snapshot is damaged.
    ///
    /// # Panics
    /// When `world` has not just done the last recorded tick.
    pub fn audit(&self, world: &World<N>) -> Result<Audit, JournalError> {
        let (mut first, end) = (self.first(), self.end());
        assert_eq!(world.tick_count(), end, "the world is that of the last recorded tick");
        let mut again = self.world_at(first)?;
        let mut last = None;
        self.run(&mut again, first..end, |again, tick| {
            let done = tick + 1;
            let quick = self.quick_digest(tick) == Some(state::quick_digest(again));
            let full = match self.keyframes.iter().find(|keyframe| keyframe.tick == done) {
                Some(keyframe) => Some(keyframe.digest),
                None => (done == end).then(|| state::digest(world)),
            };
            let right = full.map(|digest| digest == state::digest(again));
            if !quick || right == Some(false) {
                last = Some(tick);
            } else if right == Some(true) {
                first = done;
            }
            last.is_none()
        });
        Ok(last.map_or(Audit::Repeats, |last| Audit::Differs { first, last }))
    }
}
