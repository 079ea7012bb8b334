//! Rooms joined by corridors.
//!
//! **Method.** Rooms are tried one after another at places and of sizes by chance; one that would come
//! too near to another is tried anew, a few times. The pairs that are joined are the minimum spanning
//! tree of their middles and the shortest of the others ([`pairs`]); a corridor goes straight, turns
//! once, and goes straight again. So every room is joined to every other.

use crate::generate::canvas::Done;
use crate::generate::roads::pairs;
use crate::generate::{Canvas, GenerateError, Rooms};
use crate::math::each::Each;
use crate::math::{hash3, unit_f64};

/// Tries for each room.
const TRIES: u64 = 30;

/// A room: its first cell, and its sides in cells.
#[derive(Clone, Copy)]
struct Room {
    at: [u32; 2],
    size: [u32; 2],
}

impl Room {
    fn middle(self) -> [u32; 2] {
        [0, 1].each(|axis| self.at[axis] + self.size[axis] / 2)
    }

    /// Whether two rooms have less than `gap` cells between them.
    fn crowds(self, other: Self, gap: u32) -> bool {
        (0..2).all(|axis| {
            self.at[axis] < other.at[axis] + other.size[axis] + gap
                && other.at[axis] < self.at[axis] + self.size[axis] + gap
        })
    }
}

/// How many cells of a mask lie above and to the left of each corner of a cell.
struct Sums {
    stride: usize,
    sums: Vec<u32>,
}

impl Sums {
    fn new(mask: &[bool], width: usize) -> Self {
        let stride = width + 1;
        let mut sums = vec![0; stride * (mask.len() / width + 1)];
        for (y, row) in mask.chunks_exact(width).enumerate() {
            let mut sum = 0;
            for (x, &inside) in row.iter().enumerate() {
                sum += u32::from(inside);
                sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + sum;
            }
        }
        Self { stride, sums }
    }

    fn holds(&self, room: Room) -> bool {
        let [left, top] = room.at.each(|at| at as usize);
        let [wide, high] = room.size.each(|size| size as usize);
        let sum = |x: usize, y: usize| self.sums[y * self.stride + x];
        let found = sum(left + wide, top + high) + sum(left, top)
            - sum(left + wide, top)
            - sum(left, top + high);
        found == room.size[0] * room.size[1]
    }
}

impl Canvas {
    /// Makes rooms and corridors.
    pub(super) fn rooms(&mut self, rooms: &Rooms, seed: u64) -> Done {
        let sums = Sums::new(&self.mask(&rooms.region), self.width as usize);
        let gap = (rooms.gap / self.cell + 0.5).floor() as u32;
        let sides = rooms.size.each(|side| self.cells(side));
        let mut list: Vec<Room> = Vec::new();
        for number in 0..u64::from(rooms.count) {
            let mut tries = (0..TRIES).filter_map(|attempt| {
                let id = number * TRIES + attempt;
                let chance = |stream| unit_f64(hash3(seed, id, stream));
                // From `low` to `high`, both included.
                let between = |stream, low: u32, high: u32| {
                    low + (chance(stream) * f64::from(high - low + 1)) as u32
                };
                let size = [between(0, sides[0], sides[1]), between(1, sides[0], sides[1])];
                let right = self.width.checked_sub(size[0] + gap).filter(|&end| end >= gap)?;
                let bottom = self.height.checked_sub(size[1] + gap).filter(|&end| end >= gap)?;
                Some(Room { at: [between(2, gap, right), between(3, gap, bottom)], size })
            });
            let free = |room: &Room| {
                sums.holds(*room) && !list.iter().any(|other| room.crowds(*other, gap))
            };
            let found = tries.find(free);
            list.extend(found);
        }
        if list.is_empty() {
            let wrong = "there is no space for a room";
            return Err(GenerateError::whole("size", wrong, "smaller rooms or a smaller `gap`"));
        }
        let middles: Vec<[u32; 2]> = list.iter().map(|room| room.middle()).collect();
        let loops = (rooms.loops * list.len() as f64 + 0.5).floor() as u32;
        let passage = rooms.passage.unwrap_or(rooms.floor);
        for (number, [from, to]) in pairs(&middles, loops).into_iter().enumerate() {
            let across = hash3(seed, number as u64, 4) & 1 == 0;
            let ends = [middles[from as usize], middles[to as usize]];
            let width = self.cells(rooms.corridor);
            let long: u32 = (0..2).map(|axis| ends[0][axis].abs_diff(ends[1][axis]) + width).sum();
            self.charge(long as usize * width as usize)?;
            self.corridor(ends, across, width, passage);
        }
        for room in &list {
            self.paint(&self.rect(room.at, room.size), rooms.floor);
        }
        if let Some(name) = &rooms.name {
            let points = middles.iter().map(|&cell| self.centre(cell)).collect();
            self.places.push((name.clone(), points));
        }
        Ok(())
    }

    /// A corridor from one cell to another, first across or first down.
    fn corridor(&mut self, [from, to]: [[u32; 2]; 2], across: bool, width: u32, letter: u8) {
        let bend = if across { [to[0], from[1]] } else { [from[0], to[1]] };
        for [a, b] in [[from, bend], [bend, to]] {
            let start = [0, 1].each(|axis| a[axis].min(b[axis]).saturating_sub((width - 1) / 2));
            let size = [0, 1].each(|axis| a[axis].abs_diff(b[axis]) + width);
            self.paint(&self.rect(start, size), letter);
        }
    }
}
