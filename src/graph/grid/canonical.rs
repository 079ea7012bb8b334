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
//!
//! **Over uneven ground** steps are only left out in favour of a cheaper way, whatever that costs:
//! ways of equal cost stay what they are. Which steps those are follows from bounds on the slowness
//! around a cell, one of five rules; a search over patches then looks at 2.2 neighbours.

use crate::graph::grid::{
    DOWN, DOWN_LEFT, DOWN_RIGHT, LEFT, RIGHT, STRAIGHT, StepCosts, UP, UP_LEFT, UP_RIGHT,
};
use crate::math::each::Each;

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
    pub(super) fn after(&self, rule: Rule, offset: u32, mask: u8) -> u8 {
        let direction = self.directions[(offset.wrapping_mul(self.factor) >> 28) as usize];
        AFTER[rule as usize][usize::from(direction & 7)][usize::from(mask)]
    }
}

/// Which steps out of a cell may be left out, by what is known of the ground around it. Each rule
/// leaves out what the one before it does, and more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rule {
    /// None.
    #[default]
    All,
    /// Those back: to the last cell, and to cells beside it that are nearer to it than the cell.
    Ahead,
    /// After a straight step also those to a side, where the side can be reached diagonally.
    Sides,
    /// After a diagonal step also those to the corners at its sides.
    Turns,
    /// Those that ways over even ground do not need.
    Even,
}

impl Rule {
    /// The rule of a cell, by its slowness and that of the neighbours in the order of directions.
    pub(super) fn new(costs: StepCosts, own: u8, around: [u8; 8]) -> Self {
        if around.iter().all(|&other| other == own || other == 0) {
            return Self::even(costs.between(own, own));
        }
        let StepCosts { straight, diagonal } = costs;
        // Costs are rounded down, which two steps do twice: by less than 64/32. So many are granted
        // to what is left out, and by small costs a step back could come to less.
        if straight < 32 {
            return Self::All;
        }
        let [most, least] =
            [around[..4].iter().max(), around[4..].iter().filter(|&&s| s != 0).min()]
                .each(|slowness| slowness.copied().map_or(0, u32::from));
        let (own, more) = (u32::from(own), diagonal - straight);
        // From p to a side u: diagonal · (p + u) < straight · (p + 2 own + u). From p to a corner c
        // by way of a: straight · (p + 2 a + c) < diagonal · (p + 2 own + c).
        if more * most + 32 > straight * own {
            Self::Ahead
        } else if straight * most + 32 > diagonal * own + more * least {
            Self::Sides
        } else {
            Self::Turns
        }
    }

    /// The rule of even ground, by what steps cost there. Small costs are rounded: a diagonal step
    /// can come to as much as two straight ones.
    pub(super) fn even(costs: StepCosts) -> Self {
        if costs.diagonal < 2 * costs.straight { Self::Even } else { Self::All }
    }
}

/// By rule, direction of the last step and bits of possible steps: bits of the needed steps.
static AFTER: [[[u8; 256]; 8]; 5] = after();

const fn after() -> [[[u8; 256]; 8]; 5] {
    let even = after_even();
    // Steps back, by direction.
    const BACK: [u8; 8] = [
        DOWN | DOWN_LEFT | DOWN_RIGHT,
        RIGHT | UP_RIGHT | DOWN_RIGHT,
        LEFT | UP_LEFT | DOWN_LEFT,
        UP | UP_LEFT | UP_RIGHT,
        DOWN_RIGHT | DOWN | RIGHT,
        DOWN_LEFT | DOWN | LEFT,
        UP_RIGHT | UP | RIGHT,
        UP_LEFT | UP | LEFT,
    ];
    let mut after = [[[0; 256]; 8]; 5];
    let mut i = 0;
    while i < 8 {
        let mut mask = 0;
        while mask < 256 {
            let ahead = mask as u8 & !BACK[i];
            // Over uneven ground corners ahead are needed after a straight step.
            let sides = if i < 4 { even[i][mask] | ahead & !STRAIGHT } else { ahead };
            let turns = if i < 4 { sides } else { even[i][mask] };
            let needed = [mask as u8, ahead, sides, turns, even[i][mask]];
            let mut rule = 0;
            while rule < 5 {
                after[rule][i][mask] = needed[rule];
                rule += 1;
            }
            mask += 1;
        }
        i += 1;
    }
    after
}

/// What is needed on even ground.
const fn after_even() -> [[u8; 256]; 8] {
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
        let even = after_even();
        for stride in 3..20_000_i32 {
            let offsets = [-stride, -1, 1, stride, -stride - 1, 1 - stride, stride - 1, stride + 1];
            let offsets = offsets.map(|offset| offset as u32);
            let canonical = Canonical::new(&offsets);
            for (i, offset) in offsets.into_iter().enumerate() {
                assert_eq!(canonical.after(Rule::Even, offset, u8::MAX), even[i][255], "{stride}");
                let place = offset.wrapping_mul(canonical.factor) >> 28;
                assert_eq!(usize::from(canonical.directions[place as usize]), i, "{stride}");
            }
        }
    }

    #[test]
    fn on_open_ground_straight_leads_straight_and_diagonal_to_three() {
        let even = after_even();
        assert_eq!(even.map(|after| after[255].count_ones()), [1, 1, 1, 1, 3, 3, 3, 3]);
        assert_eq!((even[2][255], even[7][255]), (RIGHT, RIGHT | DOWN | DOWN_RIGHT));
        // A wall behind, on the left: up and what is beyond it are needed as well.
        let open = !UP_LEFT;
        assert_eq!(even[2][usize::from(open)], RIGHT | UP | UP_RIGHT);
    }
}
