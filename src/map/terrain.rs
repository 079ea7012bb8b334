//! What the ground costs one kind of agents.

use crate::math::each::Each;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::data::definition::{Takes, define};
use crate::map::{Map, MapError, PLAIN};

define! {
    /// What the ground costs one kind of agents, where that differs from the map: letters that are
    /// quicker, slower or forbidden, and slopes. Plain by default: all as the map says.
    ///
    /// A wall of the map stays one for everybody. What is forbidden here, agents do not enter by their
    /// own will; others may push them in.
    pub struct TerrainCosts {
        /// What a cell costs more for each unit of its grade, as a share of its cost on level ground: with 4,
        /// a grade of 0.25 costs twice as much.
        slope_cost: f64 = 0.0, Takes::number("a cost for each unit of grade", 0.0, 1000.0);
        /// Grade beyond which a cell is forbidden.
        max_slope: f64 = f64::INFINITY,
            Takes::number("a grade, metres up for a metre ahead,", 0.0, 1000.0);
    }
    beside {
        /// Letters and their slowness, ascending.
        #[serde(deserialize_with = "letters")]
        letters: Vec<[u8; 2]> = Vec::new();
    }
}

/// Whether letters are such as [`TerrainCosts`] has: printable ASCII, ascending.
fn are_letters(letters: &[[u8; 2]]) -> bool {
    let known = letters.iter().all(|&[letter, _]| matches!(letter, b' '..=b'~'));
    known && letters.is_sorted_by(|a, b| a[0] < b[0])
}

/// Letters as [`TerrainCosts`] has them.
fn letters<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<[u8; 2]>, D::Error> {
    let letters = Vec::<[u8; 2]>::deserialize(from)?;
    let wrong = || D::Error::custom("letters of a map are printable, and ascend");
    are_letters(&letters).then_some(letters).ok_or_else(wrong)
}

impl TerrainCosts {
    /// Gives a letter (printable ASCII) its slowness in 1/16; 0 forbids it.
    ///
    /// # Errors
    /// [`MapError::LegendLetter`] when the letter is not printable ASCII.
    pub fn set(&mut self, letter: char, slowness: u8) -> Result<(), MapError> {
        if !matches!(letter, ' '..='~') {
            return Err(MapError::LegendLetter { letter });
        }
        let letter = letter as u8;
        match self.letters.binary_search_by_key(&letter, |&[known, _]| known) {
            Ok(at) => self.letters[at][1] = slowness,
            Err(at) => self.letters.insert(at, [letter, slowness]),
        }
        Ok(())
    }

    /// Takes on letters and their slowness; `false` when they are none, or do not ascend.
    pub(crate) fn set_all(&mut self, letters: &[[u8; 2]]) -> bool {
        self.letters = letters.to_vec();
        are_letters(letters)
    }

    /// Slowness of a letter in 1/16; `None` where it is the map's.
    pub fn get(&self, letter: u8) -> Option<u8> {
        let at = self.letters.binary_search_by_key(&letter, |&[known, _]| known).ok()?;
        Some(self.letters[at][1])
    }

    /// The letters that differ, ascending, each with its slowness in 1/16.
    pub fn letters(&self) -> &[[u8; 2]] {
        &self.letters
    }

    /// Whether all is as the map says.
    pub fn is_plain(&self) -> bool {
        self.letters.is_empty() && !self.has_slopes()
    }

    /// What equal costs have in common, and no others.
    pub(crate) fn key(&self) -> (Vec<[u8; 2]>, [u64; 2]) {
        (self.letters.clone(), [self.slope_cost, self.max_slope].each(f64::to_bits))
    }

    fn has_slopes(&self) -> bool {
        self.slope_cost > 0.0 || self.max_slope < f64::INFINITY
    }

    /// These costs with letters at hand.
    pub(super) fn table(&self) -> Table<'_> {
        let mut slowness = [None; 256];
        for &[letter, own] in &self.letters {
            slowness[usize::from(letter)] = Some(own);
        }
        Table { costs: self, slowness }
    }
}

/// [`TerrainCosts`] with an entry for every letter.
pub(super) struct Table<'a> {
    costs: &'a TerrainCosts,
    slowness: [Option<u8>; 256],
}

impl Table<'_> {
    /// Slowness of a cell (a padded index) in 1/16; 0 for walls, padding and what is forbidden. A
    /// slope makes it 255 at most.
    pub(super) fn slowness(&self, map: &Map, cell: u32) -> u8 {
        if map.slowness()[cell as usize] == 0 {
            return 0;
        }
        let ground = map.ground(cell);
        let own = self.slowness[usize::from(ground.letter)].unwrap_or(ground.slowness);
        if own == 0 || !self.costs.has_slopes() {
            return own;
        }
        let grade = map.grade(cell);
        if grade > self.costs.max_slope {
            return 0;
        }
        let raised = f64::from(own) * (1.0 + self.costs.slope_cost * grade) + 0.5;
        if raised < 255.0 { raised.floor() as u8 } else { 255 }
    }
}

/// The least slowness of every letter that the ground of a map can have, whatever is built and
/// taken down on it; 0 for none.
#[derive(Clone, Debug)]
pub(crate) struct Quickest([u8; 256]);

impl Quickest {
    /// That of a map as it was given. Reads every cell once.
    pub(crate) fn new(map: &Map) -> Self {
        let mut least = [0; 256];
        let mut see = |letter: u8, slowness: u8| {
            let known = &mut least[usize::from(letter)];
            if slowness != 0 && (*known == 0 || slowness < *known) {
                *known = slowness;
            }
        };
        let rows = map.slowness().chunks_exact(map.stride() as usize).skip(1);
        let mut has_walls = false;
        for (row, letters) in rows.zip(map.letters().chunks_exact(map.width() as usize)) {
            for (&slowness, &letter) in row[1..].iter().zip(letters) {
                see(letter, slowness);
                has_walls |= slowness == 0;
            }
        }
        if has_walls {
            // What stands where a wall of the map is taken down.
            see(b'.', PLAIN);
        }
        Self(least)
    }

    /// The least slowness of a letter in 1/16; 0 where it has no open ground.
    pub(crate) fn of(&self, letter: u8) -> u8 {
        self.0[usize::from(letter)]
    }

    /// How much faster than on plain ground agents go on their quickest ground, 1 at least.
    pub(crate) fn factor(&self, costs: &TerrainCosts) -> f64 {
        let known = (0..=u8::MAX).filter(|&letter| self.0[usize::from(letter)] != 0);
        let own = known.map(|letter| costs.get(letter).unwrap_or(self.0[usize::from(letter)]));
        let least = own.filter(|&slowness| slowness != 0).fold(PLAIN, u8::min);
        f64::from(PLAIN) / f64::from(least)
    }
}

#[cfg(test)]
mod tests {
    use super::{Quickest, TerrainCosts};
    use crate::map::Map;
    use proptest::prelude::*;

    /// A map of these cells: letter, slowness and height in 1/16 m.
    fn map(width: u32, cells: &[(u8, u8, i16)]) -> Map {
        let part = |pick: fn(&(u8, u8, i16)) -> u8| cells.iter().map(pick).collect::<Vec<u8>>();
        let (letters, slowness) = (part(|c| c.0), part(|c| c.1));
        let height = cells.len() as u32 / width;
        let map = Map::with_letters(width, height, 2.0, &slowness, &letters).unwrap();
        map.with_heights(&cells.iter().map(|c| c.2).collect::<Vec<_>>(), 3.0).unwrap()
    }

    fn length(x: f64, y: f64) -> f64 {
        (x * x + y * y).sqrt()
    }

    fn cell() -> impl Strategy<Value = (u8, u8, i16)> {
        let kinds = vec![(b'@', 0), (b'.', 16), (b'.', 16), (b'F', 40), (b'W', 16), (b'R', 8)];
        (proptest::sample::select(kinds), 0_i16..24).prop_map(|((l, s), h)| (l, s, h))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(80))]
        /// Against the definitions, cell by cell.
        #[test]
        fn a_class_costs_what_it_should(
            width in 1_u32..24,
            cells in proptest::collection::vec(cell(), 24..400),
            slope_cost in prop_oneof![Just(0.0), 0.0..9.0],
            max_slope in prop_oneof![Just(f64::INFINITY), 0.0..0.6],
            radius in prop_oneof![Just(0.5), Just(3.3)],
        ) {
            let cells = &cells[..cells.len() / width as usize * width as usize];
            let (wide, high) = (i64::from(width), cells.len() as i64 / i64::from(width));
            let map = map(width, cells);
            let mut costs = TerrainCosts { slope_cost, max_slope, ..TerrainCosts::default() };
            costs.set('W', 0).unwrap();
            costs.set('F', 80).unwrap();
            let class = map.try_class_for(radius, &costs).unwrap();
            let at = |x: i64, y: i64| cells[(y * wide + x) as usize];
            let wall = |x: i64, y: i64| {
                !((0..wide).contains(&x) && (0..high).contains(&y)) || at(x, y).1 == 0
            };
            for (x, y) in (0..high).flat_map(|y| (0..wide).map(move |x| (x, y))) {
                let between = |a: (i64, i64), b: (i64, i64)| {
                    let run = (b.0 - a.0 + b.1 - a.1) as f64 * 2.0 * 16.0;
                    let rise = f64::from(at(b.0, b.1).2) - f64::from(at(a.0, a.1).2);
                    if run == 0.0 { 0.0 } else { rise / run }
                };
                let along = between(((x - 1).max(0), y), ((x + 1).min(wide - 1), y));
                let down = between((x, (y - 1).max(0)), (x, (y + 1).min(high - 1)));
                let grade = length(along, down);
                let own = match at(x, y) {
                    (_, 0, _) | (b'W', ..) => 0.0,
                    (b'F', ..) => 80.0,
                    (_, slowness, _) => f64::from(slowness),
                };
                let own: f64 = if grade > max_slope { 0.0 } else { own };
                let own = (own * (1.0 + slope_cost * grade) + 0.5).floor().min(255.0) as u8;
                let index = map.index(x as u32, y as u32);
                prop_assert_eq!(class.ground(&map)[index as usize], own, "({}, {})", x, y);
                let near = (-3..=3).flat_map(|j| (-3..=3).map(move |i| (i, j)));
                let near = near.filter(|&(i, j)| wall(x + i, y + j));
                let gap = |d: i64| (d.abs() as f64 - 0.5).max(0.0) * 2.0;
                let clear = near.map(|(i, j)| length(gap(i), gap(j))).fold(f64::MAX, f64::min);
                let slowness = class.slowness()[index as usize];
                prop_assert!(slowness == own || slowness == 0 && clear < radius + 0.01);
                prop_assert!(slowness == 0 || clear > radius - 0.01);
            }
            prop_assert!(!class.is_even(&map) || cells.iter().all(|c| c.1 == 0 || c.0 == b'.'));
        }

        /// Ways out are as short as they can be, and lead from everywhere they can.
        #[test]
        fn ways_lead_out(
            width in 1_u32..24,
            cells in proptest::collection::vec(cell(), 24..400),
        ) {
            let cells = &cells[..cells.len() / width as usize * width as usize];
            let map = map(width, cells);
            let mut costs = TerrainCosts::default();
            "WF".chars().for_each(|letter| costs.set(letter, 0).unwrap());
            let class = map.try_class_for(0.5, &costs).unwrap();
            let (stride, count) = (map.stride() as usize, map.slowness().len());
            let mut steps = vec![usize::MAX; count];
            for _ in 0..=count {
                for cell in stride..count - stride {
                    let least = [cell - 1, cell + 1, cell - stride, cell + stride]
                        .map(|other| steps[other].saturating_add(1));
                    let closed = map.slowness()[cell] != 0;
                    let least = least.into_iter().min().filter(|_| closed).unwrap_or(usize::MAX);
                    steps[cell] = if class.slowness()[cell] != 0 { 0 } else { least };
                }
            }
            if !class.forbids() {
                prop_assert!(cells.iter().all(|c| !b"WF".contains(&c.0)));
            } else {
                for cell in stride..count - stride {
                    let away = (1..usize::MAX).contains(&steps[cell]);
                    prop_assert_eq!(class.exit(cell as u32).is_some(), away);
                    let (mut at, mut taken) = (cell, 0);
                    while let Some(side) = class.exit(at as u32) {
                        at = [at + 1, at + stride, at - 1, at - stride][usize::from(side)];
                        taken += 1;
                    }
                    prop_assert!(!away || taken == steps[cell] && steps[at] == 0);
                    prop_assert_eq!(class.way_out(cell as u32), at as u32);
                }
            }
        }
    }

    #[test]
    fn the_quickest_ground_counts_what_may_come() {
        let cells = |kinds: &[(u8, u8)]| -> Vec<_> {
            kinds.iter().map(|&(letter, slowness)| (letter, slowness, 0)).collect()
        };
        let factor = |kinds: &[(u8, u8)], costs: &TerrainCosts| {
            Quickest::new(&map(kinds.len() as u32, &cells(kinds))).factor(costs)
        };
        let mut own = TerrainCosts::default();
        assert_eq!(factor(&[(b'.', 16), (b'R', 8)], &own), 2.0);
        assert_eq!(factor(&[(b'S', 32)], &own), 1.0);
        own.set('R', 4).unwrap();
        assert_eq!(factor(&[(b'.', 16), (b'R', 8)], &own), 4.0);
        own.set('R', 0).unwrap();
        own.set('.', 12).unwrap();
        assert_eq!(factor(&[(b'S', 32), (b'R', 8)], &own), 1.0);
        // Where the wall comes down there is plain ground, which costs this group less.
        assert_eq!(factor(&[(b'S', 32), (b'@', 0)], &own), 16.0 / 12.0);
    }
}
