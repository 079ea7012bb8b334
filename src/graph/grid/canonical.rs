//! Of the ways of one cost, those that go diagonally first.

use crate::graph::grid::*;

/// Steps that are needed after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Canonical {
    /// Makes the differences of neighbours different in their first four bits.
    factor: u32,
    /// Direction of every first four bits.
    directions: [u8; 16],
}

impl Canonical {
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
