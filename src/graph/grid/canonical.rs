//! Of the ways of one cost, those that go diagonally first.
//!
//! **What.** Where the ground around a cell is even, most steps out of it are not needed, given the
//! step that led to it: there is a way around the cell that is cheaper, or that costs the same and
//! goes diagonally earlier. A search then looks at one to three neighbours instead of eight.
//!
//! **Method.** The pruning of Harabor & Grastien, "Online Graph Pruning for Pathfinding on Grid
//! Maps", 2011, without jumps: Sturtevant & Rabin, "Canonical Orderings on Grids", 2016. Diagonal
//! steps cut no corners, so after a straight step those to a side are needed only where the cell
//! beside the last one is a wall.
//!
//! **Why it is exact.** The only step that is left out in favour of a way of *equal* cost is the
//! diagonal one of straight-diagonal, and that way, diagonal-straight, ends with a straight step.
//! A straight step is only left out in favour of a cheaper way, so it never is on a cheapest one,
//! whichever of several cheapest ways led to its cell.

use crate::graph::grid::{DOWN, DOWN_LEFT, DOWN_RIGHT, LEFT, RIGHT, UP, UP_LEFT, UP_RIGHT};

/// Steps that are needed after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Canonical {
    /// Makes the differences of neighbours different in their first four bits.
    factor: u32,
    /// Direction of every first four bits.
    directions: [u8; 16],
}

impl Canonical {
    /// For these differences between a cell and its neighbours, all of which differ.
    pub(super) fn new(offsets: &[u32; 8]) -> Self {
        let mut factor = 1_u32;
        loop {
            let mut directions = [8; 16];
            let free = offsets.iter().enumerate().all(|(i, offset)| {
                let place = &mut directions[(offset.wrapping_mul(factor) >> 28) as usize];
                std::mem::replace(place, i as u8) == 8
            });
            if free {
                return Self { factor, directions };
            }
            factor = factor.wrapping_mul(0x9e37_79b1).wrapping_add(2);
        }
    }

    /// The steps of `mask` that are needed after a step by `offset`.
    #[inline(always)]
    pub(super) fn after(&self, offset: u32, mask: u8) -> u8 {
        let direction = self.directions[(offset.wrapping_mul(self.factor) >> 28) as usize];
        AFTER[usize::from(direction & 7)][usize::from(mask)]
    }
}

/// By direction of the last step and bits of possible steps: bits of the needed steps.
static AFTER: [[u8; 256]; 8] = after();

const fn after() -> [[u8; 256]; 8] {
    // Ahead, and for each side: behind, beside and ahead.
    const STRAIGHTS: [(u8, [(u8, u8); 2]); 4] = [
        (UP, [(DOWN_LEFT, LEFT | UP_LEFT), (DOWN_RIGHT, RIGHT | UP_RIGHT)]),
        (LEFT, [(UP_RIGHT, UP | UP_LEFT), (DOWN_RIGHT, DOWN | DOWN_LEFT)]),
        (RIGHT, [(UP_LEFT, UP | UP_RIGHT), (DOWN_LEFT, DOWN | DOWN_RIGHT)]),
        (DOWN, [(UP_LEFT, LEFT | DOWN_LEFT), (UP_RIGHT, RIGHT | DOWN_RIGHT)]),
    ];
    const DIAGONALS: [u8; 4] = [
        UP | LEFT | UP_LEFT,
        UP | RIGHT | UP_RIGHT,
        DOWN | LEFT | DOWN_LEFT,
        DOWN | RIGHT | DOWN_RIGHT,
    ];
    let mut after = [[0; 256]; 8];
    let mut mask = 0;
    while mask < 256 {
        let mut i = 0;
        while i < 4 {
            let (ahead, sides) = STRAIGHTS[i];
            let mut kept = ahead;
            let mut side = 0;
            while side < 2 {
                let (behind, beside) = sides[side];
                if mask as u8 & behind == 0 {
                    kept |= beside;
                }
                side += 1;
            }
            after[i][mask] = mask as u8 & kept;
            after[i + 4][mask] = mask as u8 & DIAGONALS[i];
            i += 1;
        }
        mask += 1;
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_told_from_the_others_on_maps_of_every_width() {
        for stride in 3..20_000_i32 {
            let offsets = [-stride, -1, 1, stride, -stride - 1, 1 - stride, stride - 1, stride + 1];
            let offsets = offsets.map(|offset| offset as u32);
            let canonical = Canonical::new(&offsets);
            for (i, offset) in offsets.into_iter().enumerate() {
                assert_eq!(canonical.after(offset, u8::MAX), AFTER[i][255], "{stride}");
                let place = offset.wrapping_mul(canonical.factor) >> 28;
                assert_eq!(usize::from(canonical.directions[place as usize]), i, "{stride}");
            }
        }
    }

    #[test]
    fn on_open_ground_straight_leads_straight_and_diagonal_to_three() {
        assert_eq!(AFTER.map(|after| after[255].count_ones()), [1, 1, 1, 1, 3, 3, 3, 3]);
        assert_eq!((AFTER[2][255], AFTER[7][255]), (RIGHT, RIGHT | DOWN | DOWN_RIGHT));
        // A wall behind, on the left: up and what is beyond it are needed as well.
        let open = !UP_LEFT;
        assert_eq!(AFTER[2][usize::from(open)], RIGHT | UP | UP_RIGHT);
    }
}
