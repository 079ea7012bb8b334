//! Plain ways to say what a map is like.

use std::collections::BTreeSet;

/// The regions of the cells that `open` holds for, joined over their sides, each as its cells.
pub(crate) fn regions(width: usize, letters: &[u8], open: impl Fn(u8) -> bool) -> Vec<Vec<usize>> {
    let mut left: BTreeSet<usize> = (0..letters.len()).filter(|&at| open(letters[at])).collect();
    let mut all = Vec::new();
    while let Some(start) = left.pop_first() {
        let (mut region, mut next) = (vec![start], 0);
        while let Some(&at) = region.get(next) {
            next += 1;
            let (x, y) = (at % width, at / width);
            let mut sides = vec![(x, y + 1), (x + 1, y)];
            sides.extend(x.checked_sub(1).map(|x| (x, y)));
            sides.extend(y.checked_sub(1).map(|y| (x, y)));
            for (x, y) in sides.into_iter().filter(|side| side.0 < width) {
                if left.remove(&(y * width + x)) {
                    region.push(y * width + x);
                }
            }
        }
        all.push(region);
    }
    all
}

/// The fewest walls between two sets of cells, by a wave over sides from the one.
pub(crate) fn walls_between(width: usize, cells: usize, from: &[usize], to: &[usize]) -> u32 {
    let mut far = vec![u32::MAX; cells];
    let mut wave = std::collections::VecDeque::new();
    for &at in from {
        far[at] = 0;
        wave.push_back(at);
    }
    while let Some(at) = wave.pop_front() {
        let (x, y) = ((at % width) as i64, (at / width) as i64);
        for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
            let (x, y) = (x + dx, y + dy);
            let other = (y * width as i64 + x) as usize;
            let inside = x >= 0 && y >= 0 && x < width as i64 && other < cells;
            if inside && far[other] == u32::MAX {
                far[other] = far[at] + 1;
                wave.push_back(other);
            }
        }
    }
    to.iter().map(|&at| far[at] - 1).min().unwrap()
}
