//! Tallies of weapons as bytes, for digests and snapshots.

use crate::data::bytes::{BytesError, Reader, Write};
use crate::data::{Kind, Word};
use crate::world::Tally;

/// The words of a tally.
pub(crate) const TALLY: &[Word] = &[
    Word::new("fired", Kind::U64),
    Word::new("struck", Kind::U64),
    Word::new("ground", Kind::U64),
    Word::new("walls", Kind::U64),
    Word::new("lost", Kind::U64),
    Word::new("hurt", Kind::U64),
    Word::new("kills", Kind::U64),
    Word::new("damage", Kind::F64),
];

impl Tally {
    /// Appends a row of [`TALLY`].
    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        let Self { fired, struck, ground, walls, lost, hurt, kills, damage } = *self;
        [fired, struck, ground, walls, lost, hurt, kills].iter().for_each(|&n| to.u64(n));
        to.f64(damage);
    }

    /// Reads a row of [`TALLY`].
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, BytesError> {
        Ok(Self {
            fired: from.u64("fired")?,
            struck: from.u64("struck")?,
            ground: from.u64("ground")?,
            walls: from.u64("walls")?,
            lost: from.u64("lost")?,
            hurt: from.u64("hurt")?,
            kills: from.u64("kills")?,
            damage: from.f64("damage")?,
        })
    }
}
