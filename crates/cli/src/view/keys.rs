//! States to begin from, in memory: what makes it quick to go anywhere.

use std::collections::BTreeMap;

use throng::lane::Numbers;
use throng::state;
use throng::world::World;

use crate::view::packed::{Packed, Packer};

/// Most ticks from one state to the next while there is room.
const SPACING: u64 = 8;
/// Milliseconds of ticks after which there is another state: with the time of restoring one, a seek stays
/// below a second.
const WALK: f64 = 400.0;
/// How much larger than the newest state later ones may be.
const GROWTH: f64 = 1.05;

/// States by the ticks that were done.
pub(super) struct Keys {
    images: BTreeMap<u64, Packed>,
    /// Most bytes of `images`; states of single steps have room of their own.
    budget: usize,
    /// Least ticks from one state to the next one that is kept.
    spacing: u64,
    /// Milliseconds of ticks after which another one is due.
    walk: f64,
    /// States of the ticks before the one that is shown, for going back step by step.
    near: BTreeMap<u64, Packed>,
    near_bytes: usize,
    near_budget: usize,
    packer: Packer,
    /// Bytes that the newest state has taken, without what it shares with others.
    size: usize,
    /// A state as it is, before it is packed or after.
    image: Vec<u8>,
}

impl Keys {
    /// None yet; an eighth of the memory is for going back step by step.
    pub(super) fn new(memory: usize) -> Self {
        let near_budget = memory / 8;
        Self {
            images: BTreeMap::new(),
            budget: memory - near_budget,
            spacing: 1,
            walk: WALK,
            near: BTreeMap::new(),
            near_bytes: 0,
            near_budget,
            packer: Packer::default(),
            size: 1,
            image: Vec::new(),
        }
    }

    /// Leaves so many bytes to others from now on.
    pub(super) fn give(&mut self, bytes: usize) {
        self.budget = self.budget.saturating_sub(bytes);
        self.thin();
    }

    /// Spreads states over a run whose ticks take so many milliseconds in all, where that is known: if
    /// they fit at up to twice the distance, none has to be dropped later.
    pub(super) fn spread(&mut self, all_ms: Option<f64>) {
        let even = all_ms.map_or(0.0, |all_ms| all_ms / self.room());
        self.walk = if even <= 2.0 * WALK { even.max(WALK) } else { WALK };
    }

    /// How many states have room, about.
    fn room(&self) -> f64 {
        (self.budget as f64 / (GROWTH * self.size as f64)).max(1.0)
    }

    /// Keeps the state of a world if it is due and there is room, or less need of another one. `walked`
    /// are the milliseconds of its ticks since it was last at a state that is kept.
    pub(super) fn offer<N: Numbers>(&mut self, world: &World<N>, walked: &mut f64) {
        let tick = world.tick_count();
        let before = self.images.range(..=tick).next_back().map(|(before, _)| *before);
        if before == Some(tick) {
            *walked = 0.0;
        }
        let is_far = |ticks: u64| {
            let is_late = *walked >= self.walk || (ticks >= SPACING && self.walk <= WALK);
            ticks >= self.spacing && is_late
        };
        if !before.is_none_or(|before| is_far(tick - before)) {
            return;
        }
        let is_last = self.images.range(tick..).next().is_none();
        let is_full = self.packer.bytes() + self.size > self.budget + self.near_share();
        if !is_last && is_full && self.gap(tick) <= self.least_gap().1 {
            return;
        }
        let packed = self.pack(world);
        self.images.insert(tick, packed);
        *walked = 0.0;
        self.thin();
    }

    fn pack<N: Numbers>(&mut self, world: &World<N>) -> Packed {
        state::save_into(world, &mut self.image);
        let before = self.packer.bytes();
        let packed = self.packer.pack(&self.image);
        self.size = self.packer.bytes().saturating_sub(before).max(1);
        packed
    }

    /// Bytes of states of single steps, up to what they may have.
    fn near_share(&self) -> usize {
        self.near_bytes.min(self.near_budget)
    }

    /// Drops the states that are missed least until the others fit: states whose neighbours are nearest
    /// to each other, of these the first. So memory is full, and gaps are about even.
    fn thin(&mut self) {
        while self.packer.bytes() > self.budget + self.near_share() && self.images.len() > 2 {
            let (tick, gap) = self.least_gap();
            if let Some(packed) = self.images.remove(&tick) {
                self.packer.discard(packed);
            }
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

    /// The most milliseconds from one state to the next, about, at the end of a run whose ticks take so
    /// many in all and so many each.
    pub(super) fn farthest(&self, all_ms: f64, tick_ms: f64) -> f64 {
        let even = all_ms / self.room();
        // Where states are dropped, gaps are not all the same.
        let is_even = even <= self.walk;
        let last = if is_even { even } else { even * 1.5 };
        last.max(self.longest() as f64 * tick_ms)
    }

    /// Begins to keep the states of a stretch that is walked back step by step.
    pub(super) fn clear_near(&mut self) {
        while let Some((_, packed)) = self.near.pop_first() {
            self.packer.discard(packed);
        }
        self.near_bytes = 0;
    }

    /// Keeps the state of a world in such a stretch; when memory is full, the first ones go.
    pub(super) fn offer_near<N: Numbers>(&mut self, world: &World<N>) {
        let packed = self.pack(world);
        self.near_bytes += packed.bytes();
        if let Some(other) = self.near.insert(world.tick_count(), packed) {
            self.near_bytes -= other.bytes();
            self.packer.discard(other);
        }
        while self.near_bytes > self.near_budget
            && self.near.len() > 1
            && let Some((_, packed)) = self.near.pop_first()
        {
            self.near_bytes -= packed.bytes();
            self.packer.discard(packed);
        }
        self.thin();
    }

    /// The tick of the last state after at most so many ticks.
    pub(super) fn before(&self, tick: u64) -> Option<u64> {
        let last = |images: &BTreeMap<u64, Packed>| images.range(..=tick).next_back().map(|k| *k.0);
        last(&self.images).max(last(&self.near))
    }

    /// The state of a tick as it was saved.
    pub(super) fn image(&mut self, tick: u64) -> Option<&[u8]> {
        let packed = self.near.get(&tick).or_else(|| self.images.get(&tick))?;
        packed.unpack(&mut self.image);
        Some(&self.image)
    }

    /// Bytes of all states.
    pub(super) fn bytes(&self) -> usize {
        self.packer.bytes()
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
        // Room for 20 states of the run, and for some going back.
        let mut packer = Packer::default();
        let _first = packer.pack(&state::save(&world));
        let whole = packer.bytes();
        let mut scratch = Scratch::new();
        let mut later = world.clone();
        tick(&mut later, &[], &mut scratch);
        let _second = packer.pack(&state::save(&later));
        let size = packer.bytes() - whole;
        let memory = (20 * size + whole) * 8 / 7;
        let mut keys = Keys::new(memory);
        keys.offer(&world, &mut 0.0);
        for ticks in 1..=4_000 {
            tick(&mut world, &[], &mut scratch);
            keys.offer(&world, &mut 0.0);
            let even = ticks / 20;
            assert!(
                keys.bytes() <= keys.budget && keys.longest() <= 2 * SPACING + 2 * even,
                "{ticks}"
            );
            let full = keys.images.len() >= 16.min(1 + ticks as usize / 8);
            assert!(full, "{} states after {ticks} ticks", keys.images.len());
        }
        assert!(keys.longest() <= 512 && keys.before(7) == Some(0));
        // Going through it again makes no gap longer.
        let (longest, count) = (keys.longest(), keys.images.len());
        state::restore(&mut world, keys.image(0).unwrap()).unwrap();
        for _ in 0..4_000 {
            tick(&mut world, &[], &mut scratch);
            keys.offer(&world, &mut 0.0);
        }
        assert!(keys.longest() <= longest && keys.images.len() == count);
    }

    /// Agents that walk, of which a state has some kilobytes.
    fn crowd() -> World<f32> {
        let map = Map::from_slowness(64, 64, 1.0, &[16; 4096]);
        let mut world = World::<f32>::new(map, Settings::default()).unwrap();
        let group = world.add_group(throng::GroupDef::default()).unwrap();
        let places: Vec<_> =
            (0..900).map(|i| [2.0 + f64::from(i % 30), 2.0 + f64::from(i / 30)]).collect();
        world.spawn(group, &places).unwrap();
        world
    }

    #[test]
    fn memory_is_never_exceeded_and_ticks_of_a_known_run_are_near_a_state() {
        // Bytes, milliseconds of a tick, and of every 24th one.
        for (memory, slow, slowest) in [
            (200_000, 1.0, 1.0),
            (400_000, 90.0, 90.0),
            (400_000, 290.0, 600.0),
            (900_000, 110.0, 400.0),
            (4_000_000, 90.0, 500.0),
            (400_000, 9e3, 9e3),
        ] {
            let (mut world, mut scratch) = (crowd(), Scratch::new());
            let mut keys = Keys::new(memory);
            let (mut walked, mut times) = (0.0, vec![0.0]);
            keys.offer(&world, &mut walked);
            for at in 1..=200 {
                tick(&mut world, &[], &mut scratch);
                let ms = if at % 24 == 0 { slowest } else { slow };
                times.push(times[at - 1] + ms);
                walked += ms;
                keys.spread(Some(times[at] / at as f64 * 200.0));
                keys.offer(&world, &mut walked);
                assert!(keys.bytes() <= memory, "{} of {memory}", keys.bytes());
            }
            // Milliseconds from a state to the tick before the next one.
            let ends: Vec<_> = keys.images.keys().map(|&tick| tick as usize).chain([201]).collect();
            let walks = ends.windows(2).map(|pair| times[pair[1] - 1] - times[pair[0]]);
            let farthest = walks.fold(0.0, f64::max);
            let even = times[200] / keys.room();
            if even <= 2.0 * WALK {
                assert!(farthest <= even.max(WALK), "{farthest} {even}");
            }
            // Walking back fills its own share.
            keys.clear_near();
            for _ in 0..60 {
                tick(&mut world, &[], &mut scratch);
                keys.offer_near(&world);
                assert!(keys.bytes() <= memory, "{} of {memory}, going back", keys.bytes());
            }
            assert!(keys.near.len() > 1);
        }
    }
}
