//! Changing a map: cells become walls, or open.

use crate::data::record::record;
use crate::map::{Map, PLAIN, Window, distance, is_uneven, limits};

record! {
    /// What a cell is: how slow it is to cross, and its letter.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Ground {
        /// Slowness in 1/16; 0 is a wall.
        pub slowness: u8,
        /// Its letter in a map file.
        pub letter: u8,
    }
}

impl Ground {
    /// A wall.
    pub const WALL: Self = Self { slowness: 0, letter: b'@' };
    /// Plain open ground.
    pub const PLAIN: Self = Self { slowness: PLAIN, letter: b'.' };
}

impl Map {
    /// What a cell (a padded index, not of the padding) is.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn ground(&self, cell: u32) -> Ground {
        let (x, y) = self.cell(cell);
        let letter = self.letters[(y * self.width + x) as usize];
        Ground { slowness: self.slowness[cell as usize], letter }
    }

    /// Whether ways are sure to stay short enough for fields after a change of cells, for any class:
    /// on maps of up to 8 Mi plain cells they are.
    pub(crate) fn stays_short(&self, cells: &[(u32, Ground)]) -> bool {
        let now: u64 = self.slowness.iter().map(|&s| u64::from(s)).sum();
        let added: u64 = cells.iter().map(|(_, ground)| u64::from(ground.slowness)).sum();
        (now + added) * 16 <= limits::MAX_SUM
    }

    /// Changes what cells are (padded indices, none of the padding, each once), and all that follows
    /// from it. Returns a window outside of which no wall distance and no slowness has changed;
    /// `None` without cells.
    ///
    /// Ways can become longer: the caller checks the classes that the map is used with.
    pub(crate) fn change(&mut self, cells: &[(u32, Ground)]) -> Option<Window> {
        let (mut indices, mut walls) = (Vec::new(), Vec::new());
        for &(cell, Ground { slowness, letter }) in cells {
            let (x, y) = self.cell(cell);
            self.letters[(y * self.width + x) as usize] = letter;
            let old = std::mem::replace(&mut self.slowness[cell as usize], slowness);
            self.uneven -= u32::from(is_uneven(old));
            self.uneven += u32::from(is_uneven(slowness));
            indices.push(cell);
            if (old == 0) != (slowness == 0) {
                walls.push(cell);
            }
        }
        let stride = self.stride();
        let mut window = (!indices.is_empty()).then(|| Window::around(&indices, stride))?;
        if !walls.is_empty() {
            let Self { slowness, wall_distance, .. } = self;
            let reach = distance::repair(slowness, stride, wall_distance, &walls);
            window = window.with(reach.min[0], reach.min[1]);
            window = window.with(reach.max[0] - 1, reach.max[1] - 1);
            self.heights.repair(&self.slowness, self.width, &walls);
        }
        Some(window)
    }
}

#[cfg(test)]
mod tests {
    use super::Ground;
    use crate::map::{Map, TerrainCosts};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn a_changed_map_equals_a_new_one(
            size in (1_u32..90, 1_u32..70),
            percent in 0_u32..60,
            seed in any::<u64>(),
        ) {
            let (width, height) = size;
            let mut state = seed | 1;
            let mut random = |below: u32| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                ((state >> 33) % u64::from(below)) as u32
            };
            let kinds = [(8, b'a'), (16, b'.'), (16, b'.'), (48, b'b')];
            let (mut cells, mut letters): (Vec<u8>, Vec<u8>) = (0..width * height)
                .map(|_| if random(100) < percent { (0, b'@') } else { kinds[random(4) as usize] })
                .unzip();
            let heights: Vec<i16> = (0..width * height).map(|_| random(12) as i16).collect();
            let made = |cells: &[u8], letters: &[u8]| {
                let map = Map::with_letters(width, height, 1.0, cells, letters).unwrap();
                map.with_heights(&heights, 3.0).unwrap()
            };
            let mut map = made(&cells, &letters);
            let mut own = TerrainCosts::default();
            own.set('a', 0).unwrap();
            own.set('.', 24).unwrap();
            let mut steep = own.clone();
            (steep.slope_cost, steep.max_slope) = (3.0, 0.4);
            let plain = TerrainCosts::default();
            let kinds = [
                (0.4, &plain),
                (0.6, &plain),
                (0.9, &plain),
                (1.2, &plain),
                (3.7, &plain),
                (0.4, &own),
                (0.9, &steep),
                (1.2, &steep),
            ];
            let of = |map: &Map, (radius, costs)| map.try_class_for(radius, costs).unwrap();
            let mut classes = kinds.map(|kind| of(&map, kind));
            for _ in 0..12 {
                let (x, y) = (random(width), random(height));
                let (wide, high) = (1 + random(9), 1 + random(9));
                let ground = [Ground::WALL, Ground::PLAIN][random(2) as usize];
                let mut changes = Vec::new();
                for (i, j) in (y..(y + high).min(height))
                    .flat_map(|j| (x..(x + wide).min(width)).map(move |i| (i, j)))
                {
                    cells[(j * width + i) as usize] = ground.slowness;
                    letters[(j * width + i) as usize] = ground.letter;
                    changes.push((map.index(i, j), ground));
                }
                let before = map.clone();
                let window = map.change(&changes).expect("there are cells");
                let new = made(&cells, &letters);
                prop_assert!(new.wall_distance() == map.wall_distance());
                prop_assert!(new == map);
                for cell in 0..map.slowness().len() as u32 {
                    let at = cell as usize;
                    let same = before.wall_distance()[at] == map.wall_distance()[at];
                    prop_assert!(same || window.contains(cell, map.stride()));
                }
                for (class, kind) in classes.iter_mut().zip(kinds) {
                    let old = class.clone();
                    let found = class.repair(&map, window).expect("a small map");
                    prop_assert!(*class == of(&new, kind));
                    let all = 0..map.slowness().len() as u32;
                    let differs = |&c: &u32| old.slowness()[c as usize] != class.slowness()[c as usize];
                    let before = |c: u32| (c, old.slowness()[c as usize]);
                    prop_assert!(all.filter(differs).map(before).eq(found));
                }
            }
        }
    }

    #[test]
    fn a_building_in_the_open_is_seen_from_afar() {
        let mut map = Map::from_slowness(400, 300, 1.0, &vec![16; 400 * 300]);
        let fresh = map.clone();
        let cell = |map: &Map| map.index(200, 150);
        let at = cell(&map);
        map.change(&[(at, Ground::WALL)]);
        assert_eq!(map.wall_distance()[at as usize + 100], 100 * 256 - 128);
        map.change(&[(at, Ground::PLAIN)]);
        assert!(map == fresh);
    }
}
