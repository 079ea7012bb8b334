//! Maps made from a seed, for tests and benches.

use throng::map::Map;

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        (((self.next() >> 32) * u64::from(end)) >> 32) as u32
    }
}

pub(crate) fn open(side: u32) -> Map {
    Map::from_slowness(side, side, 1.0, &vec![16; (side * side) as usize])
}

/// A share of the cells is wall.
pub(crate) fn noise(side: u32, percent: u32, seed: u64) -> Map {
    let mut random = Random(seed);
    let cell = |_| if random.below(100) < percent { 0 } else { 16 };
    Map::from_slowness(side, side, 1.0, &(0..side * side).map(cell).collect::<Vec<u8>>())
}

/// Rooms of 32 cells with walls of one cell; nine walls of ten have a door of three cells.
pub(crate) fn rooms(side: u32, seed: u64) -> Map {
    let room = 32;
    let mut random = Random(seed);
    let mut cells = vec![16_u8; (side * side) as usize];
    for y in 0..side {
        for x in 0..side {
            if x % room == 0 || y % room == 0 {
                cells[(y * side + x) as usize] = 0;
            }
        }
    }
    for y in (0..side).step_by(room as usize) {
        for x in (0..side).step_by(room as usize) {
            for vertical in [false, true] {
                let door = 2 + random.below(room - 6);
                if random.below(10) == 0 {
                    continue;
                }
                for i in door..door + 3 {
                    let (x, y) = if vertical { (x, y + i) } else { (x + i, y) };
                    if x < side && y < side {
                        cells[(y * side + x) as usize] = 16;
                    }
                }
            }
        }
    }
    Map::from_slowness(side, side, 1.0, &cells)
}

/// Patches of 8 cells of slowness 16 to 64, and 5 % walls.
pub(crate) fn weighted(side: u32, seed: u64) -> Map {
    let mut random = Random(seed);
    let patches = side.div_ceil(8);
    let patch: Vec<u8> = (0..patches * patches).map(|_| 16 + random.below(49) as u8).collect();
    let mut cells = Vec::new();
    for y in 0..side {
        for x in 0..side {
            let wall = random.below(100) < 5;
            cells.push(if wall { 0 } else { patch[(y / 8 * patches + x / 8) as usize] });
        }
    }
    Map::from_slowness(side, side, 1.0, &cells)
}

/// Small maps of every kind: walls up to half of the cells, slowness 1 to 255.
pub(crate) fn small(random: &mut Random, largest: u32) -> Map {
    let (width, height) = (1 + random.below(largest), 1 + random.below(largest));
    let percent = random.below(50);
    let kinds = [1, 1, 4, 255][random.below(4) as usize];
    let mut cell = || {
        if random.below(100) < percent {
            0
        } else if kinds == 1 {
            16
        } else {
            1 + random.below(kinds) as u8
        }
    };
    let cells: Vec<u8> = (0..width * height).map(|_| cell()).collect();
    Map::from_slowness(width, height, 1.0, &cells)
}

/// The passable cell in the given share (in 1/1000) of all passable cells, as a padded index.
pub(crate) fn passable_cell(slowness: &[u8], share: u32) -> Option<u32> {
    let all: Vec<u32> = (0..slowness.len() as u32).filter(|&c| slowness[c as usize] != 0).collect();
    all.get((all.len() as u64 * u64::from(share) / 1000) as usize).copied()
}

/// A maze in which one way leads from any corridor to any other (depth first). Corridors are so
/// many cells wide, walls one.
pub(crate) fn maze(side: u32, corridor: u32, seed: u64) -> Map {
    let mut random = Random(seed);
    let pitch = corridor + 1;
    let across = (side - 1) / pitch;
    let mut cells = vec![0_u8; (side * side) as usize];
    let mut carve = |x: u32, y: u32, width: u32, height: u32| {
        for row in y..y + height {
            cells[(row * side + x) as usize..][..width as usize].fill(16);
        }
    };
    let mut seen = vec![false; (across * across) as usize];
    let mut trail = vec![0];
    seen[0] = true;
    while let Some(&at) = trail.last() {
        let (x, y) = (at % across, at / across);
        carve(1 + x * pitch, 1 + y * pitch, corridor, corridor);
        let around = [(x > 0, at.wrapping_sub(1)), (x + 1 < across, at + 1)];
        let beside = [(y > 0, at.wrapping_sub(across)), (y + 1 < across, at + across)];
        let free = around.into_iter().chain(beside).filter(|&(is, to)| is && !seen[to as usize]);
        let free: Vec<u32> = free.map(|(_, to)| to).collect();
        if free.is_empty() {
            trail.pop();
            continue;
        }
        let to = free[random.below(free.len() as u32) as usize];
        let (x, y) = (x.min(to % across), y.min(to / across));
        let wide = if at.abs_diff(to) == 1 { pitch } else { 0 };
        let high = if at.abs_diff(to) == 1 { 0 } else { pitch };
        carve(1 + x * pitch, 1 + y * pitch, corridor + wide, corridor + high);
        seen[to as usize] = true;
        trail.push(to);
    }
    Map::from_slowness(side, side, 1.0, &cells)
}
