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
    near_budget: usize,
}

impl Keys {
    /// None yet; an eighth of the memory is for going back step by step.
    pub(super) fn new(memory: usize) -> Self {
        let near_budget = memory / 8;
        Self {
            images: BTreeMap::new(),
            bytes: 0,
            budget: memory - near_budget,
            spacing: SPACING,
            near: BTreeMap::new(),
            near_bytes: 0,
            near_budget,
        }
    }

    /// Leaves so many bytes to others from now on.
    pub(super) fn give(&mut self, bytes: usize) {
        self.budget = self.budget.saturating_sub(bytes);
        self.thin();
    }

    /// Keeps the state of a world if its tick is due and there is room, or less need of another one.
    pub(super) fn offer<N: Numbers>(&mut self, world: &World<N>) {
        let tick = world.tick_count();
        if !tick.is_multiple_of(self.spacing) || self.images.contains_key(&tick) {
            return;
        }
        // States are about as large as the last one.
        let size = self.images.values().next_back().map_or(0, Vec::len);
        let is_last = self.images.range(tick..).next().is_none();
        if !is_last && self.bytes + size > self.budget && self.gap(tick) <= self.least_gap().1 {
            return;
        }
        let image = state::save(world);
        self.bytes += image.len();
        self.images.insert(tick, image);
        self.thin();
    }

    /// Drops the states that are missed least until the others fit: those whose neighbours are nearest
    /// to each other, of these the first. So memory is full, and gaps are about even.
    fn thin(&mut self) {
        while self.bytes > self.budget && self.images.len() > 2 {
            let (tick, gap) = self.least_gap();
            self.bytes -= self.images.remove(&tick).map_or(0, |image| image.len());
            // States that would be dropped at once need not be saved.
            if gap >= 8 * self.spacing {
                self.spacing *= 2;
            }
        }
    }

    /// Ticks from the state before a tick to the one after it; endless for the first and the last.
    fn gap(&self, tick: u64) -> u64 {
        let before = self.images.range(..tick).next_back();
        let after = self.images.range(tick + 1..).next();
        before.zip(after).map_or(u64::MAX, |((before, _), (after, _))| after - before)
    }

    /// The state with the least gap, and that.
    fn least_gap(&self) -> (u64, u64) {
        let gaps = self.images.keys().map(|&tick| (tick, self.gap(tick)));
        gaps.min_by_key(|&(_, gap)| gap).unwrap_or((0, u64::MAX))
    }

    /// The most ticks from one state to the next.
    pub(super) fn longest(&self) -> u64 {
        let pairs = self.images.keys().zip(self.images.keys().skip(1));
        pairs.map(|(from, to)| to - from).max().unwrap_or(0)
    }

    /// The most ticks from one state to the next, about, once there are states of so many ticks.
    pub(super) fn longest_of(&self, ticks: u64) -> u64 {
        let size = self.images.values().next_back().map_or(1, Vec::len).max(1);
        let count = (self.budget / size).max(1) as u64;
        // Gaps are not all the same.
        self.longest().max(ticks * 3 / (2 * count))
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
        while self.near_bytes > self.near_budget
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

#[cfg(test)]
mod tests {
    use super::*;
    use throng::map::Map;
    use throng::tick::{Scratch, tick};
    use throng::world::Settings;

    #[test]
    fn states_are_spread_over_a_run_and_fill_the_memory() {
        let map = Map::from_slowness(4, 4, 1.0, &[16; 16]);
        let mut world = World::<f32>::new(map, Settings::default()).unwrap();
        let size = state::save(&world).len();
        // Room for 20 states of the run, and for some going back.
        let mut keys = Keys::new(size * 161 / 7);
        keys.offer(&world);
        let mut scratch = Scratch::new();
        for ticks in 1..=4_000 {
            tick(&mut world, &[], &mut scratch);
            keys.offer(&world);
            let even = ticks / 20;
            assert!(
                keys.bytes <= keys.budget && keys.longest() <= 2 * SPACING + 2 * even,
                "{ticks}"
            );
            let full = keys.images.len() >= 16.min(1 + ticks as usize / 8);
            assert!(full, "{} states after {ticks} ticks", keys.images.len());
        }
        assert!(keys.longest() <= 512 && keys.before(7).unwrap().0 == 0);
        // Going through it again makes no gap longer.
        let (longest, count) = (keys.longest(), keys.images.len());
        let image = keys.images[&0].clone();
        state::restore(&mut world, &image).unwrap();
        for _ in 0..4_000 {
            tick(&mut world, &[], &mut scratch);
            keys.offer(&world);
        }
        assert!(keys.longest() <= longest && keys.images.len() == count);
    }
}
