//! Rewinding: a run that is taken back and repeated must come to the same state.
//!
//! The method of ggrs' sync test and of 0 A.D.'s serialization test: at every tick the state of
//! some ticks ago is restored, into the same world or into a new one, and the ticks are done again.
//! What is not in the snapshot, and what depends on anything but the state and the orders, shows as
//! a difference.

use std::collections::VecDeque;

use crate::state;
use crate::state::{ColumnDifference, Image, SnapshotError};

/// A simulation that can be saved and restored.
///
/// [`Driven`](crate::replay::Driven) is a world with its scratch memory; a game that keeps more than a
/// world implements it for all that it keeps.
pub trait Subject: Sized {
    /// Does a tick with the orders that belong to it.
    fn step(&mut self);
    /// Ticks done.
    fn ticks(&self) -> u64;
    /// The digest of the state.
    fn digest(&self) -> u64;
    /// Saves the state in place of what the vector holds. It should hold an image of
    /// [`state::save`] alone or behind other bytes.
    fn save(&self, image: &mut Vec<u8>);
    /// Takes the state back.
    ///
    /// # Errors
    /// When the image is refused.
    fn restore(&mut self, image: &[u8]) -> Result<(), SnapshotError>;
    /// One that has not begun, as another machine would make it.
    ///
    /// # Errors
    /// When it cannot be made.
    fn fresh(&self) -> Result<Self, SnapshotError>;
    /// Flips one bit in every part of the state, one after another, and returns the digest of each;
    /// with the name of the part.
    fn flipped(&self) -> Vec<(String, u64)> {
        Vec::new()
    }
}

/// Where a repeated run differs from the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewindFault {
    /// Ticks done at the state that was restored.
    pub from: u64,
    /// The first tick after which the digests differ; `None` when the restored state itself does.
    pub tick: Option<u64>,
    /// Whether a new world was loaded, rather than the same one rewound.
    pub reloaded: bool,
    /// The columns that differ, where both states are known.
    pub differences: Vec<ColumnDifference>,
}

/// Checks a run as it goes.
#[derive(Clone, Debug)]
pub struct Rewind {
    /// Ticks that are repeated.
    depth: usize,
    /// Whether a new world is loaded for it.
    reload: bool,
    /// The images after the last ticks, and their digests, oldest first.
    past: VecDeque<(Vec<u8>, u64)>,
    again: Vec<u8>,
}

impl Rewind {
    /// A check that takes the same world back by `depth` ticks, at least 1, at every tick.
    pub fn new(depth: usize) -> Self {
        Self { depth: depth.max(1), reload: false, past: VecDeque::new(), again: Vec::new() }
    }

    /// A check that loads a new world with the state of `depth` ticks ago.
    pub fn reloading(depth: usize) -> Self {
        Self { reload: true, ..Self::new(depth) }
    }

    /// Does a tick, and repeats the last ones. The subject ends in the repeated state.
    ///
    /// # Errors
    /// When a snapshot is refused.
    pub fn step<S: Subject>(
        &mut self,
        subject: &mut S,
    ) -> Result<Option<RewindFault>, SnapshotError> {
        if self.past.is_empty() {
            self.remember(subject, Vec::new());
        }
        subject.step();
        let memory = match self.past.len() > self.depth {
            true => self.past.pop_front().map_or_else(Vec::new, |(image, _)| image),
            false => Vec::new(),
        };
        self.remember(subject, memory);
        let (start, _) = &self.past[0];
        if self.reload {
            *subject = subject.fresh()?;
        }
        subject.restore(start)?;
        let from = subject.ticks();
        let fault =
            |tick, differences| RewindFault { from, tick, reloaded: self.reload, differences };
        for (index, (image, digest)) in self.past.iter().enumerate() {
            if index > 0 {
                subject.step();
            }
            let same = if index == 0 {
                // Between states that are equal by digest, an image may still tell them apart.
                subject.save(&mut self.again);
                self.again == *image
            } else {
                subject.digest() == *digest
            };
            if !same {
                subject.save(&mut self.again);
                let tick = (index > 0).then(|| from + index as u64 - 1);
                return Ok(Some(fault(tick, differences(image, &self.again))));
            }
        }
        Ok(None)
    }

    fn remember<S: Subject>(&mut self, subject: &S, mut memory: Vec<u8>) {
        subject.save(&mut memory);
        self.past.push_back((memory, subject.digest()));
    }

    /// The parts of a subject's state that its digest does not see.
    pub fn unseen<S: Subject>(subject: &S) -> Vec<String> {
        let digest = subject.digest();
        let same = subject.flipped().into_iter().filter(|(_, flipped)| *flipped == digest);
        same.map(|(name, _)| name).collect()
    }
}

/// The differences of two images; none when either is more than an image.
fn differences(a: &[u8], b: &[u8]) -> Vec<ColumnDifference> {
    match (Image::read(a), Image::read(b)) {
        (Ok(a), Ok(b)) => state::differences(&a, &b),
        _ => Vec::new(),
    }
}
