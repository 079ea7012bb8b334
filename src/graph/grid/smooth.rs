//! What becomes of a way over cells: its length, and the straight lines that are shorter.

use crate::map::Clearance;

/// Steps of a way over eight neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Straight steps.
    pub straights: u32,
    /// Diagonal steps.
    pub diagonals: u32,
}

impl Steps {
    /// Length in cells: straight steps + diagonal steps · √2.
    pub fn length(self) -> f64 {
        f64::from(self.straights) + f64::from(self.diagonals) * std::f64::consts::SQRT_2
    }
}

/// Counts the steps of a way, cells as padded indices. `None` when two cells in a row are not
/// neighbours, a cell is impassable, or a diagonal step cuts a corner.
pub fn steps(class: &Clearance, path: &[u32]) -> Option<Steps> {
    let mut steps = Steps::default();
    if !path.iter().all(|&cell| class.passable(cell)) {
        return None;
    }
    let stride = class.stride();
    for pair in path.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let across = (from % stride).abs_diff(to % stride);
        let down = (from / stride).abs_diff(to / stride);
        match (across, down) {
            (1, 0) | (0, 1) => steps.straights += 1,
            (1, 1) => {
                let beside = [from - from % stride + to % stride, to - to % stride + from % stride];
                if !beside.iter().all(|&cell| class.passable(cell)) {
                    return None;
                }
                steps.diagonals += 1;
            }
            _ => return None,
        }
    }
    Some(steps)
}

/// Pulls a way over cells straight: writes the cells where it still bends, first and last included,
/// over `corners`. From every corner the line goes to the last cell of the way that is in sight
/// ([`Clearance::sees`]) over ground no slower than any cell of the part that it replaces, so the
/// result is never longer nor costs more than the way; it need not be the shortest.
///
/// What is in sight is sought by steps that double and then halve, so a corner costs a few lines.
pub fn smooth(class: &Clearance, path: &[u32], corners: &mut Vec<u32>) {
    corners.clear();
    let Some((&first, &last)) = path.first().zip(path.last()) else { return };
    corners.push(first);
    let mut at = 0;
    while at + 1 < path.len() {
        at = farthest(class, path, at);
        corners.push(path[at]);
    }
    debug_assert_eq!(corners.last(), Some(&last));
}

/// A cell of a way that one of them sees, as far on as is easily found.
fn farthest(class: &Clearance, path: &[u32], at: usize) -> usize {
    let sees = |to: usize| {
        let ground = path[at..=to].iter().map(|&cell| class.slowness()[cell as usize]);
        class.sees(path[at], path[to], ground.min().unwrap_or(0))
    };
    // Neighbours see each other.
    let (mut seen, mut step) = (at + 1, 1);
    while seen + step < path.len() && sees(seen + step) {
        seen += step;
        step *= 2;
    }
    while step > 0 {
        if seen + step < path.len() && sees(seen + step) {
            seen += step;
        }
        step /= 2;
    }
    seen
}
