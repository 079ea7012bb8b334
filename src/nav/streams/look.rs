//! Blocks as searches along strips and ways see them, and what they have in common, so that in the open no
//! strip need be followed.

use crate::math::each::Each;
use crate::nav::field::direction::unpack;

/// Cosine up to which headings lead the same way, in units of [`CELL`] squared: 0.5.
pub(super) const LIKE: i32 = CELL / 2 * CELL;
/// One cell, in the units of positions here.
pub(super) const CELL: i32 = 1 << 14;

/// A block as seen by a search along a strip or a way, in one number: the direction in the middle of
/// the block, the sectors by which it will be crossed, of these the ones that are not the group's own, and
/// the ones that other groups will cross it by exactly. In the border of the raster it is zero.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look(pub(super) u64);

impl Look {
    /// First bits of the sectors.
    pub(super) const SECTORS: u32 = 32;
    const OPPOSED: u32 = 40;
    const OTHERS: u32 = 48;

    pub(super) fn new(direction: u32, sectors: u8, opposed: u8, others: u8) -> Self {
        Self(
            u64::from(direction)
                | u64::from(sectors) << Self::SECTORS
                | u64::from(opposed) << Self::OPPOSED
                | u64::from(others) << Self::OTHERS,
        )
    }

    /// Where it leads; `None` when it leads nowhere. Zero in a goal.
    #[inline(always)]
    pub(super) fn way(self) -> Option<(i16, i16)> {
        unpack(self.0 as u32)
    }

    /// Whether a direction is needed there, and which.
    #[inline(always)]
    pub(super) fn leads(self) -> Option<(i16, i16)> {
        self.way().filter(|&way| way != (0, 0))
    }

    /// Whether it is crossed by some of these sectors.
    #[inline(always)]
    pub(super) fn has(self, sectors: u8) -> bool {
        self.0 & u64::from(sectors) << Self::SECTORS != 0
    }

    /// Whether it is crossed by some of these sectors, the own group aside.
    #[inline(always)]
    pub(super) fn is_opposed(self, sectors: u8) -> bool {
        self.0 & u64::from(sectors) << Self::OPPOSED != 0
    }

    /// Whether other groups will cross it by some of these sectors.
    #[inline(always)]
    pub(super) fn is_crossed(self, sectors: u8) -> bool {
        self.0 & u64::from(sectors) << Self::OTHERS != 0
    }
}

/// What blocks have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    /// A bit for every sector up to 3, which counts for the opposite one too: there is a wall in no block,
    /// and each will be crossed by some heading that is of neither sector.
    crossed: u8,
    /// Least and greatest components of the directions.
    low: [i32; 2],
    high: [i32; 2],
}

impl Common {
    /// Of no blocks.
    pub(super) const ALL: Self = Self { crossed: 0xf, low: [i32::MAX; 2], high: [i32::MIN; 2] };

    /// Notes a block; gives whether there still is a sector that counts.
    pub(super) fn note(&mut self, look: Look) -> bool {
        let Some((x, y)) = look.way() else {
            self.crossed = 0;
            return false;
        };
        for sector in 0..4 {
            self.crossed &= !(u8::from(!look.has(!(0x11 << sector))) << sector);
        }
        if (x, y) != (0, 0) {
            let way = [i32::from(x), i32::from(y)];
            self.low = [0, 1].each(|i| self.low[i].min(way[i]));
            self.high = [0, 1].each(|i| self.high[i].max(way[i]));
        }
        self.crossed != 0
    }

    /// What they have in common with others.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            crossed: self.crossed & other.crossed,
            low: [0, 1].each(|i| self.low[i].min(other.low[i])),
            high: [0, 1].each(|i| self.high[i].max(other.high[i])),
        }
    }

    /// Whether all blocks belong to the strip of one of them, with this way in this sector.
    pub(super) fn is_strip(&self, way: [i32; 2], sector: u32) -> bool {
        let least = |i: usize| (way[i] * self.low[i]).min(way[i] * self.high[i]);
        self.crossed >> ((sector + 2) % 4) & 1 == 1 && least(0) + least(1) > LIKE
    }
}
