//! What the letters of a map mean.

use crate::map::MapError;

/// Slowness of plain ground in 1/16: a field's unit of cost is this ground.
pub const PLAIN: u8 = 16;

/// Letters for kinds of ground that a legend has no letter for, in the order they are taken.
const SPARE: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFHIJKLMNPQRUVXYZ0123456789";

/// Slowness of every letter in 1/16: 0 is a wall, 16 plain ground, 32 takes twice as long to cross.
///
/// The default is the legend of the MovingAI benchmark maps (Sturtevant, "Benchmarks for
/// Grid-Based Pathfinding", 2012) for a unit on the ground: `.`, `G` and `S` (swamp) are plain
/// ground; `@`, `O`, `T` (trees) and `W` (water) are walls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legend {
    /// One entry for each ASCII letter; `None` is a letter that may not occur.
    slowness: [Option<u8>; 128],
}

impl Default for Legend {
    fn default() -> Self {
        let mut slowness = [None; 128];
        for letter in b".GS" {
            slowness[usize::from(*letter)] = Some(PLAIN);
        }
        for letter in b"@OTW" {
            slowness[usize::from(*letter)] = Some(0);
        }
        Self { slowness }
    }
}

impl Legend {
    /// A legend without letters.
    pub fn empty() -> Self {
        Self { slowness: [None; 128] }
    }

    /// Gives a letter (printable ASCII, space included) its slowness in 1/16; 0 makes it a wall.
    ///
    /// # Errors
    /// [`MapError::LegendLetter`] when the letter is not printable ASCII.
    pub fn set(&mut self, letter: char, slowness: u8) -> Result<(), MapError> {
        if !matches!(letter, ' '..='~') {
            return Err(MapError::LegendLetter { letter });
        }
        self.slowness[letter as usize] = Some(slowness);
        Ok(())
    }

    /// Slowness of a letter in 1/16; `None` when the legend does not have it.
    pub fn get(&self, letter: u8) -> Option<u8> {
        *self.slowness.get(usize::from(letter))?
    }

    /// A letter that means a slowness in 1/16: one of the legend, or a spare letter or digit, which
    /// is then added to it. `None` when none is left.
    pub fn letter_for(&mut self, slowness: u8) -> Option<u8> {
        let known = |letter: u8| self.get(letter) == Some(slowness);
        if let Some(letter) = b"@.".iter().copied().chain(b'!'..=b'~').find(|&b| known(b)) {
            return Some(letter);
        }
        let letter = SPARE.iter().copied().find(|&letter| self.get(letter).is_none())?;
        self.slowness[usize::from(letter)] = Some(slowness);
        Some(letter)
    }

    /// The letters of the legend in ASCII order.
    pub fn letters(&self) -> String {
        (0..128_u8).filter(|&letter| self.get(letter).is_some()).map(char::from).collect()
    }
}
