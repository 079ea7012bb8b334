//! Pictures of ticks that are far from any state, where a tick takes long: they are shown while the
//! state is restored.
//!
//! A picture is what a dense frame holds of all agents: place, group and kind of state. The first of 32
//! ticks is kept whole, 6 bytes an agent; the others by what has changed since the tick before: half a
//! byte along each axis, and a list of the agents that went farther, or are something else.

use std::collections::BTreeMap;

use throng::lane::Numbers;
use throng::world::World;

use crate::view::ask::{AgentsAsk, Frame, Value};
use crate::view::frame;
use crate::view::frame::Built;

/// Ticks of a group.
const GROUP: usize = 32;
/// A step takes at most one part in so many of a whole picture.
const SHARE: usize = 4;
/// Bytes of an agent: of its place, then of its group and state.
const PLACE: usize = 4;
const WORD: usize = 2;
/// The bits of a state that say its kind; the others are a value, which pictures do not have.
const KIND: u8 = 0xe0;
/// The nibble of an agent that went too far, and what is added to all others.
const FAR: u8 = 0;
const MIDDLE: i16 = 8;

/// A picture of a tick.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picture {
    /// Ticks done.
    pub(super) tick: u64,
    /// Agents then.
    pub(super) agents: usize,
    /// The body of a dense frame without projectiles.
    pub(super) body: Vec<u8>,
    pub(super) places: usize,
    pub(super) frame: Frame,
}

/// The changes from one tick to the next.
#[derive(Debug, Default)]
struct Step {
    agents: usize,
    /// How far agents went along x, and in the upper half along y.
    nibbles: Vec<u8>,
    /// Places of agents that went too far for that.
    far: Vec<(u32, [u8; PLACE])>,
    /// Groups and states where they have changed.
    words: Vec<(u32, [u8; WORD])>,
}

/// Consecutive ticks.
#[derive(Debug)]
struct Group {
    first: Picture,
    steps: Vec<Step>,
}

/// Pictures of a run, one after another.
pub(super) struct Pictures {
    groups: BTreeMap<u64, Group>,
    bytes: usize,
    budget: usize,
    /// The newest one.
    last: Option<Picture>,
}

impl Pictures {
    pub(super) fn new(budget: usize) -> Self {
        Self { groups: BTreeMap::new(), bytes: 0, budget, last: None }
    }

    /// Most bytes.
    pub(super) fn budget(&self) -> usize {
        self.budget
    }

    /// Bytes of all pictures.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.last.as_ref().map_or(0, |last| last.body.len())
    }

    /// Keeps a picture of a world that has done more ticks than all before.
    pub(super) fn keep<N: Numbers>(&mut self, world: &World<N>) {
        let tick = world.tick_count();
        let ask = AgentsAsk { have: 0, frame: None, detail: false, value: Value::Heading };
        let mut built = frame::build(world, &ask);
        built.body.truncate(built.places * (PLACE + WORD));
        let words = built.body[built.places * PLACE..].iter_mut().skip(1).step_by(WORD);
        words.for_each(|state| *state &= KIND);
        let (agents, places, frame) = (world.len(), built.places, built.frame);
        let picture = Picture { tick, agents, body: built.body, places, frame };
        let open = self.groups.values_mut().next_back();
        let open = open.filter(|group| group.steps.len() + 1 < GROUP);
        let step = match (open, &self.last) {
            (Some(group), Some(last)) if last.tick + 1 == tick && last.places == places => {
                Some((group, Step::between(last, &picture)))
            }
            _ => None,
        };
        // Where many go farther in a tick than half a byte holds, changes would take more than places.
        if let Some((group, step)) =
            step.filter(|(_, step)| step.bytes() <= picture.body.len() / SHARE)
        {
            self.bytes += step.bytes();
            group.steps.push(step);
        } else {
            self.bytes += picture.body.len();
            let group = Group { first: picture.clone(), steps: Vec::new() };
            self.groups.insert(tick, group);
        }
        self.last = Some(picture);
        self.thin();
    }

    /// Of every second group, of which there are pictures of all ticks, the first one stays; when there
    /// are no more such groups, every second of what is left goes.
    fn thin(&mut self) {
        while self.bytes() > self.budget && self.groups.len() > 2 {
            let open = self.groups.keys().next_back().copied().unwrap_or(0);
            let full = |group: &Group| !group.steps.is_empty();
            let all: Vec<(u64, bool)> =
                self.groups.iter().map(|(&tick, group)| (tick, full(group))).collect();
            let beside = all.windows(2).find(|pair| pair[0].1 && pair[1].1 && pair[1].0 != open);
            let any = all.iter().find(|(tick, is_full)| *is_full && *tick != open);
            if let Some(&(tick, _)) = beside.map(|pair| &pair[1]).or(any) {
                let steps =
                    self.groups.get_mut(&tick).map(|group| std::mem::take(&mut group.steps));
                self.bytes -= steps.iter().flatten().map(Step::bytes).sum::<usize>();
                continue;
            }
            for (tick, _) in all.into_iter().skip(1).step_by(2).filter(|(tick, _)| *tick != open) {
                let gone = self.groups.remove(&tick);
                self.bytes -= gone.map_or(0, |group| group.first.body.len());
            }
        }
    }

    /// The last picture of at most so many ticks.
    pub(super) fn before(&self, tick: u64) -> Option<Picture> {
        let (&first, group) = self.groups.range(..=tick).next_back()?;
        let mut picture = group.first.clone();
        let count = usize::try_from(tick - first).unwrap_or(usize::MAX);
        group.steps.iter().take(count).for_each(|step| step.go(&mut picture));
        Some(picture)
    }
}

impl Picture {
    /// As a frame of all agents.
    pub(super) fn built(&self) -> Built {
        let (places, frame, body) = (self.places, self.frame, self.body.clone());
        Built { is_near: false, places, frame, shots: 0, body }
    }
}

impl Step {
    fn between(last: &Picture, now: &Picture) -> Self {
        let [was, is] = [last, now].map(|picture| picture.body.split_at(picture.places * PLACE));
        let mut step = Self { agents: now.agents, ..Self::default() };
        step.nibbles.reserve_exact(now.places);
        let (was_at, is_at) = (was.0.as_chunks::<PLACE>().0, is.0.as_chunks::<PLACE>().0);
        for (id, (was, is)) in (0..).zip(was_at.iter().zip(is_at)) {
            let along = |at: usize| coordinate(is, at).wrapping_sub(coordinate(was, at)) as i16;
            let [x, y] = [along(0), along(2)];
            let is_near = x.unsigned_abs() < 8 && y.unsigned_abs() < 8;
            let nibble = (x.wrapping_add(MIDDLE) as u8) | (y.wrapping_add(MIDDLE) as u8) << 4;
            step.nibbles.push(if is_near { nibble } else { FAR });
            if !is_near {
                step.far.push((id, *is));
            }
        }
        let (was_word, is_word) = (was.1.as_chunks::<WORD>().0, is.1.as_chunks::<WORD>().0);
        let words = (0..).zip(was_word.iter().zip(is_word));
        step.words.extend(words.filter(|(_, (was, is))| was != is).map(|(id, (_, is))| (id, *is)));
        step
    }

    /// Takes a picture a tick on.
    fn go(&self, picture: &mut Picture) {
        let (at, words) = picture.body.split_at_mut(picture.places * PLACE);
        let (at, words) = (at.as_chunks_mut::<PLACE>().0, words.as_chunks_mut::<WORD>().0);
        for (at, &nibbles) in at.iter_mut().zip(&self.nibbles) {
            for (from, nibble) in [(0, nibbles & 15), (2, nibbles >> 4)] {
                let moved = coordinate(at, from).wrapping_add((i16::from(nibble) - MIDDLE) as u16);
                at[from..from + 2].copy_from_slice(&moved.to_le_bytes());
            }
        }
        self.far.iter().for_each(|&(id, place)| at[id as usize] = place);
        self.words.iter().for_each(|&(id, word)| words[id as usize] = word);
        (picture.tick, picture.agents) = (picture.tick + 1, self.agents);
    }

    fn bytes(&self) -> usize {
        self.nibbles.len() + size_of_val(&self.far[..]) + size_of_val(&self.words[..])
    }
}

fn coordinate(place: &[u8; PLACE], at: usize) -> u16 {
    u16::from_le_bytes([place[at], place[at + 1]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::scenario::{Plan, ScenarioDef};
    use throng::tick::{Scratch, tick};

    /// Archers that fall, and riders that go farther in a tick than half a byte holds.
    const FIGHT: &str = r#"
name = "fight"
ticks = 400
map = { size = [1000, 600] }
weapon = [{ name = "bow", preset = "bow", range = 90, cooldown = 2, spread = 0.02, damage = 60 }]
team = [{ name = "red" }, { name = "blue" }]
[[group]]
name = "west"
team = "red"
weapon = "bow"
spawn = { rect = [460, 280, 470, 320], count = 300 }
goal = { rect = [900, 280, 920, 320] }
[[group]]
name = "east"
team = "blue"
weapon = "bow"
spawn = { rect = [530, 280, 540, 320], count = 300 }
goal = { rect = [80, 280, 100, 320] }
[[group]]
name = "riders"
team = "blue"
speed = 6
spawn = { rect = [500, 20, 520, 40], count = 20 }
goal = { rect = [80, 20, 100, 40] }
"#;

    #[test]
    fn pictures_are_what_was_seen_and_fit_their_memory() {
        let def = ScenarioDef::parse(FIGHT, "fight.toml").unwrap();
        let map = def.load_map(&|_| panic!("no file")).unwrap();
        let plan = Plan::new(&def, map).unwrap();
        let mut world = World::<f32>::new(plan.map.clone(), plan.settings).unwrap();
        let mut scratch = Scratch::new();
        let [mut all, mut few] = [usize::MAX, 200_000].map(Pictures::new);
        let mut seen = Vec::new();
        for at in 0..400 {
            let orders: Vec<_> = plan.orders_at(at).cloned().collect();
            tick(&mut world, &orders, &mut scratch);
            [&mut all, &mut few].into_iter().for_each(|pictures| pictures.keep(&world));
            seen.push(all.last.clone().unwrap());
            assert!(few.bytes() <= few.budget, "{}", few.bytes());
        }
        let fallen = seen[0].agents - seen[399].agents;
        assert!(fallen > 10, "{fallen} have fallen");
        let far: usize =
            all.groups.values().flat_map(|group| &group.steps).map(|step| step.far.len()).sum();
        assert!(far > 10, "{far} went too far for a nibble");
        for picture in &seen {
            assert_eq!(all.before(picture.tick).unwrap(), *picture);
        }
        assert_eq!(all.before(0), None);
        let whole = seen.iter().map(|picture| picture.body.len()).sum::<usize>();
        assert!(all.bytes < whole / 3, "{} of {whole}", all.bytes);
        // With little memory they may be pictures of some ticks before.
        let mut exact = 0;
        for picture in &seen {
            let found = few.before(picture.tick).unwrap();
            assert_eq!(found, seen[found.tick as usize - 1]);
            exact += usize::from(found.tick == picture.tick);
        }
        assert!((20..300).contains(&exact), "{exact}");
    }
}
