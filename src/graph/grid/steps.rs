//! The length of a way over cells.

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
