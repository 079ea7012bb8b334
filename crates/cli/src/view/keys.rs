//! States to begin from, in memory: what makes it quick to go anywhere.

use std::collections::BTreeMap;

use throng::lane::Numbers;
use throng::state;
use throng::world::World;

/// Ticks from one state to the next, at first.
const SPACING: u64 = 8;

/// States by the ticks that were done.
pub(super) struct Keys {
    images: BTreeMap<u64, Vec<u8>>,
    bytes: usize,
    /// Most bytes.
    budget: usize,
    spacing: u64,
    /// States of the ticks before the one that is shown, for going back step by step.
    near: BTreeMap<u64, Vec<u8>>,
    near_bytes: usize,
}

impl Keys {
    /// None yet; a fifth of the memory is for going back step by step.
    pub(super) fn new(budget: usize) -> Self {
        Self {
            images: BTreeMap::new(),
            bytes: 0,
            budget: budget / 5 * 4,
            spacing: SPACING,
            near: BTreeMap::new(),
            near_bytes: 0,
        }
    }

    /// Keeps the state of a world if its tick is due. When memory is full, every second one goes.
    pub(super) fn offer<N: Numbers>(&mut self, world: &World<N>) {
        let tick = world.tick_count();
        if !tick.is_multiple_of(self.spacing) || self.images.contains_key(&tick) {
            return;
        }
        let image = state::save(world);
        self.bytes += image.len();
        self.images.insert(tick, image);
        while self.bytes > self.budget && self.images.len() > 1 {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.images.retain(|tick, _| tick.is_multiple_of(spacing));
            self.bytes = self.images.values().map(Vec::len).sum();
        }
    }

    /// Begins to keep the states of a stretch that is walked back step by step.
    pub(super) fn clear_near(&mut self) {
        self.near.clear();
        self.near_bytes = 0;
    }

    /// Keeps the state of a world in such a stretch; when memory is full, the first ones go.
    pub(super) fn offer_near<N: Numbers>(&mut self, world: &World<N>) {
        let image = state::save(world);
        self.near_bytes += image.len();
        self.near.insert(world.tick_count(), image);
        while self.near_bytes > self.budget / 4
            && self.near.len() > 1
            && let Some((_, image)) = self.near.pop_first()
        {
            self.near_bytes -= image.len();
        }
    }

    /// The last state after at most so many ticks.
    pub(super) fn before(&self, tick: u64) -> Option<(u64, &[u8])> {
        let last =
            |images: &BTreeMap<u64, Vec<u8>>| images.range(..=tick).next_back().map(|k| *k.0);
        let found = last(&self.images).max(last(&self.near))?;
        let image = self.near.get(&found).or_else(|| self.images.get(&found))?;
        Some((found, image))
    }

    /// Bytes of all states.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.near_bytes
    }
}
