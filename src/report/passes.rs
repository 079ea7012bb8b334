//! Agents that pass through each other.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::map::Map;
use crate::math::each::Each;
use crate::par;
use crate::report::Crowd;
use crate::report::disc_grid::{Disc, DiscGrid};
use crate::report::measures::CONTACT;
use crate::report::sieve::Sieve;

/// Seconds from one look to the next, at most. Two agents that meet at 4.4 m/s are within 0.3 m of
/// each other for 0.14 s.
const LOOK_S: f64 = 0.1;

/// Rows and pairs that are looked at together.
const CHUNK: usize = 4_096;

/// How often agents have passed through each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passes {
    /// Pairs of one group.
    pub same: u64,
    /// Pairs of two groups.
    pub other: u64,
}

/// Counts the pairs of agents that pass through each other.
///
/// Two agents do when their centres come nearer than half the sum of their radii: nearer than a
/// radius, for equals. That counts once, when it begins, and again only after their discs have
/// parted. Agents that appear within each other have not come nearer; they do not count until they
/// have parted.
///
/// Looks every 0.1 s at least, at every tick when ticks are longer. Keeps 16 bytes for every id up to
/// the largest, and some 20 for every agent.
#[derive(Debug, Default)]
pub struct PassMeter {
    /// Ticks from one look to the next.
    every: u64,
    /// Tick of the last look.
    last: Option<u64>,
    /// Number of the current look, from 1.
    round: u32,
    /// By id, for the last looks; look `n` is in `n % 2`. The look, and in the low half the row.
    /// Every agent writes its own entry alone, so these are atomics only to be written in parallel.
    places: [Vec<AtomicU64>; 2],
    sieve: Sieve,
    /// Pairs that came so near and have not parted since, by [`pair`], ascending.
    open: Vec<u64>,
    passes: Passes,
}

impl PassMeter {
    /// A meter for ticks of `dt` seconds.
    ///
    /// # Panics
    /// When `dt` is not positive and finite.
    pub fn new(dt: f64) -> Self {
        assert!(dt > 0.0 && dt.is_finite(), "a tick must last longer than 0 s, got {dt}");
        Self { every: ((LOOK_S / dt + 1e-6) as u64).max(1), ..Self::default() }
    }

    /// Whether it is time for the next look.
    pub fn is_due(&self, tick: u64) -> bool {
        self.last.is_none_or(|last| tick >= last + self.every)
    }

    /// Looks at the crowd after a tick. Does nothing unless [`is_due`](Self::is_due), so it may be
    /// called at every tick.
    pub fn observe(&mut self, tick: u64, crowd: &Crowd, map: &Map) {
        if !self.is_due(tick) {
            return;
        }
        crowd.check();
        self.last = Some(tick);
        self.round += 1;
        self.note_places(crowd);
        // The largest radius is half the largest sum of two.
        let radii = crowd.radii.iter().copied().filter(|radius| radius.is_finite());
        let rows = self.sieve.rows(crowd, map, radii.fold(0.0, f32::max));
        let found = near_pairs(crowd, map, &rows);
        let is_new = |pair: u64| self.open.binary_search(&pair).is_err();
        let new = some(&found, is_new);
        for &pair in &new {
            let ids = ids(pair);
            if ids.into_iter().all(|id| self.row(self.round - 1, id).is_some()) {
                let group = |id| self.row(self.round, id).map(|row| crowd.groups[row]);
                let [one, two] = ids.each(group);
                self.passes.same += u64::from(one == two);
                self.passes.other += u64::from(one != two);
            }
        }
        let mut open = some(&self.open, |pair| self.touch(crowd, pair));
        open.extend(new);
        open.par_sort_unstable();
        self.open = open;
    }

    /// Writes down the rows of all agents, by id.
    fn note_places(&mut self, crowd: &Crowd) {
        let ids = crowd.ids.iter().max().map_or(0, |&most| most as usize + 1);
        let places = &mut self.places[self.round as usize % 2];
        if ids > places.len() {
            places.resize_with(ids, AtomicU64::default);
        }
        let round = u64::from(self.round) << 32;
        par::chunks(crowd.len(), CHUNK, (), &|_, first, ()| {
            for (row, &id) in (first..).zip(&crowd.ids[first..]).take(CHUNK) {
                places[id as usize].store(round | row as u64, Relaxed);
            }
        });
    }

    /// The row of an agent at one of the last two looks, if it was there.
    fn row(&self, round: u32, id: u32) -> Option<usize> {
        let place = self.places[round as usize % 2].get(id as usize)?.load(Relaxed);
        (place >> 32 == u64::from(round)).then_some(place as u32 as usize)
    }

    /// Whether the discs of a pair overlap at this look.
    fn touch(&self, crowd: &Crowd, pair: u64) -> bool {
        let [Some(one), Some(two)] = ids(pair).each(|id| self.row(self.round, id)) else {
            return false;
        };
        let radius = |row: usize| f64::from(crowd.radius(row));
        let [dx, dy] = [0, 1].each(|axis| {
            f64::from(crowd.positions[one][axis]) - f64::from(crowd.positions[two][axis])
        });
        let reach = radius(one) + radius(two) - CONTACT;
        reach > 0.0 && dx * dx + dy * dy < reach * reach
    }

    /// The passes counted so far.
    pub fn passes(&self) -> Passes {
        self.passes
    }
}

/// A pair of ids, the smaller one first.
fn pair(one: u32, two: u32) -> u64 {
    u64::from(one.min(two)) << 32 | u64::from(one.max(two))
}

fn ids(pair: u64) -> [u32; 2] {
    [(pair >> 32) as u32, pair as u32]
}

/// The pairs among some rows whose centres are nearer than half the sum of their radii, in any order.
fn near_pairs(crowd: &Crowd, map: &Map, rows: &[u32]) -> Vec<u64> {
    let positions: Vec<[f32; 2]> = rows.iter().map(|&row| crowd.positions[row as usize]).collect();
    let groups: Vec<u16> = rows.iter().map(|&row| crowd.groups[row as usize]).collect();
    let sizes: Vec<f32> = match crowd.sizes.is_empty() {
        true => Vec::new(),
        false => rows.iter().map(|&row| crowd.sizes[row as usize]).collect(),
    };
    let some = Crowd { positions: &positions, groups: &groups, sizes: &sizes, ..*crowd };
    let Some(grid) = DiscGrid::new(&some, map) else { return Vec::new() };
    let near = |slot: usize, pairs: &mut Vec<u64>| {
        let disc = grid.discs()[slot];
        let (x, y, radius) = (f64::from(disc.x), f64::from(disc.y), f64::from(disc.radius));
        for slots in grid.near(x, y, radius) {
            for (at, other) in slots.clone().zip(&grid.discs()[slots]) {
                let (dx, dy) = (f64::from(other.x) - x, f64::from(other.y) - y);
                let other_radius = f64::from(other.radius);
                let reach = (radius + other_radius) * 0.5;
                let own = other_radius < radius || (other_radius == radius && at > slot);
                if own && dx * dx + dy * dy < reach * reach {
                    let id = |disc: &Disc| crowd.ids[rows[disc.row as usize] as usize];
                    pairs.push(pair(id(&disc), id(other)));
                }
            }
        }
    };
    let parts = par::runs(grid.discs().len(), CHUNK, |slots| {
        let mut pairs = Vec::new();
        slots.for_each(|slot| near(slot, &mut pairs));
        pairs
    });
    parts.concat()
}

/// The pairs that are wanted, in their order.
fn some(pairs: &[u64], wanted: impl Fn(u64) -> bool + Sync) -> Vec<u64> {
    let some = |pairs: &[u64]| pairs.iter().copied().filter(|&pair| wanted(pair)).collect();
    let parts: Vec<Vec<u64>> = par::runs(pairs.len(), CHUNK, |range| some(&pairs[range]));
    parts.concat()
}
