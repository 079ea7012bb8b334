//! The textbook versions that ways are compared with, and how cases are made.

use crate::common::terrain;
use crate::common::terrain::Random;
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use throng::map::{Clearance, Map};

/// A small map, of one slowness or of several, and two of its passable cells.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) map: Map,
    pub(crate) class: Clearance,
    pub(crate) start: u32,
    pub(crate) goal: u32,
}

/// Where the lines of a map that is drawn have walls and slow ground, and two cells `s` and `g`.
pub(crate) fn drawn(rows: &[&str]) -> Case {
    let (width, height) = (rows[0].len() as u32, rows.len() as u32);
    let letters: Vec<u8> = rows.concat().into_bytes();
    let cells: Vec<u8> = letters.iter().map(|&c| if c == b'@' { 0 } else { 16 }).collect();
    let map = Map::from_slowness(width, height, 1.0, &cells);
    let find = |letter| letters.iter().position(|&c| c == letter).expect("a letter") as u32;
    let [start, goal] = [b's', b'g'].map(|c| map.index(find(c) % width, find(c) / width));
    Case { class: map.class(0.0), map, start, goal }
}

/// Cases with up to so many cells across. Uneven ones are of 1 to 255.
pub(crate) fn cases(largest: u32, uneven: bool) -> impl Strategy<Value = Case> {
    any::<u64>().prop_filter_map("a map with an open cell", move |seed| {
        let mut random = Random(seed);
        let mut map = terrain::small(&mut random, largest);
        if !uneven {
            let (width, height) = (map.width(), map.height());
            let open = |i: u32| map.slowness()[map.index(i % width, i / width) as usize] != 0;
            let plain = [16, 16, 1, 2, 3, 31, 255][random.below(7) as usize];
            let cell = |i| if open(i) { plain } else { 0 };
            let cells: Vec<u8> = (0..width * height).map(cell).collect();
            map = Map::from_slowness(width, height, 1.0, &cells);
        }
        if uneven && random.below(2) == 0 {
            map = patched(&mut random, &map);
        }
        let class = map.class(0.0);
        let start = terrain::passable_cell(class.slowness(), random.below(1000))?;
        let goal = terrain::passable_cell(class.slowness(), random.below(1000))?;
        Some(Case { map, class, start, goal })
    })
}

/// A map's walls over patches of ground, each of one slowness.
fn patched(random: &mut Random, map: &Map) -> Map {
    let (width, height, side) = (map.width(), map.height(), 2 + random.below(8));
    let kinds: Vec<u8> = (0..4).map(|_| 1 + random.below(40) as u8).collect();
    let patches: Vec<u8> = (0..32 * 32).map(|_| kinds[random.below(4) as usize]).collect();
    let cell = |i: u32| {
        let (x, y) = (i % width, i / width);
        let is_open = map.slowness()[map.index(x, y) as usize] != 0;
        if is_open { patches[(y / side * 32 + x / side) as usize] } else { 0 }
    };
    Map::from_slowness(width, height, 1.0, &(0..width * height).map(cell).collect::<Vec<u8>>())
}

/// Lengths of the shortest ways over eight neighbours from a cell to all, in cells: Dijkstra with a
/// heap of lengths. Infinite where there is none.
pub(crate) fn lengths(class: &Clearance, start: u32) -> Vec<f64> {
    let stride = i64::from(class.stride());
    let open = |cell: i64| class.slowness()[cell as usize] != 0;
    let mut lengths = vec![f64::INFINITY; class.slowness().len()];
    let mut heap = BinaryHeap::new();
    lengths[start as usize] = 0.0;
    // The bits of a length that is not negative are in its order.
    heap.push(Reverse((0.0_f64.to_bits(), i64::from(start))));
    while let Some(Reverse((bits, cell))) = heap.pop() {
        let length = f64::from_bits(bits);
        if length > lengths[cell as usize] {
            continue;
        }
        for (x, y) in (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y))) {
            let other = cell + y * stride + x;
            if open(other) && open(cell + x) && open(cell + y * stride) {
                let new = length + if x != 0 && y != 0 { 2.0_f64.sqrt() } else { 1.0 };
                if new < lengths[other as usize] {
                    lengths[other as usize] = new;
                    heap.push(Reverse((new.to_bits(), other)));
                }
            }
        }
    }
    lengths
}

/// Fewest steps from a cell to another, one wave after another.
pub(crate) fn steps(start: u32, goal: u32, neighbours: impl Fn(u32) -> Vec<u32>) -> Option<u32> {
    let mut seen = vec![start];
    let mut wave = VecDeque::from([(start, 0)]);
    while let Some((cell, steps)) = wave.pop_front() {
        if cell == goal {
            return Some(steps);
        }
        for other in neighbours(cell) {
            if !seen.contains(&other) {
                seen.push(other);
                wave.push_back((other, steps + 1));
            }
        }
    }
    None
}
