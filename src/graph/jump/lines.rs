//! Walls as lines of bits.

/// Rows, or columns, of cells, one bit each, 1 is a wall. There is a word of walls before and after
/// every line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    words: Vec<u64>,
    /// Words of a line.
    pitch: u32,
}

impl Lines {
    /// Lines of cells that all are walls.
    pub(super) fn new(lines: u32, length: u32) -> Self {
        let pitch = length.div_ceil(64) + 2;
        Self { words: vec![u64::MAX; (lines * pitch) as usize], pitch }
    }

    pub(super) fn set(&mut self, line: u32, at: u32, wall: bool) {
        let bit = 1 << (at % 64);
        let word = &mut self.words[(line * self.pitch + 1 + at / 64) as usize];
        *word = if wall { *word | bit } else { *word & !bit };
    }

    /// The 64 bits of a line from a place on, which counts from the word before the line.
    #[inline(always)]
    fn window(&self, line: u32, at: u32) -> u64 {
        let word = (line * self.pitch + at / 64) as usize;
        let shift = at % 64;
        (self.words[word] >> shift) | (self.words[word + 1] << 1 << (63 - shift))
    }

    /// Where a straight way from an open cell on has to stop: at the goal, or where a wall beside
    /// it has ended one cell before. `None` when a wall comes first. The line is not the first or
    /// the last one; `goal` is any number off the line when it is not on it.
    #[inline(always)]
    pub(super) fn jump<const FORWARD: bool>(&self, line: u32, at: u32, goal: u32) -> Option<u32> {
        let mut at = at;
        loop {
            let start = if FORWARD { at + 64 } else { at + 1 };
            let window = |line: u32| self.window(line, start);
            let (before, own, after) = (window(line - 1), window(line), window(line + 1));
            let to_goal = if FORWARD { goal.wrapping_sub(at) } else { at.wrapping_sub(goal) };
            // The first bit on the way is the own cell, which is open.
            if FORWARD {
                let mut stops = own | (before << 1 & !before) | (after << 1 & !after);
                if to_goal < 64 {
                    stops |= 1 << to_goal & !1;
                }
                if stops != 0 {
                    let steps = stops.trailing_zeros();
                    return (own >> steps & 1 == 0).then(|| at + steps);
                }
                at += 63;
            } else {
                let mut stops = own | (before >> 1 & !before) | (after >> 1 & !after);
                if to_goal < 64 {
                    stops |= (1 << 63) >> to_goal & (u64::MAX >> 1);
                }
                if stops != 0 {
                    let steps = stops.leading_zeros();
                    return (own << steps >> 63 == 0).then(|| at - steps);
                }
                at -= 63;
            }
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.words.capacity() as u64
    }
}
