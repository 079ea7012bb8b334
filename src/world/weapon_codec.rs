//! Weapons as bytes, for replays, digests and snapshots.

use crate::data::Kind;
use crate::data::Word;
use crate::data::bytes::BytesError;
use crate::data::bytes::Reader;
use crate::data::bytes::Write;
use crate::world::Choice;
use crate::world::Power;
use crate::world::ShotArc;
use crate::world::Tally;
use crate::world::WeaponDef;
use crate::world::codec::whole;

/// The words of a weapon, as [`WeaponDef::numbers`] has them.
pub(crate) const WEAPON: &[Word] = &{
    const fn number(name: &'static str) -> Word {
        Word::new(name, Kind::F64)
    }
    [
        number("range"),
        number("min_range"),
        number("cooldown"),
        number("speed"),
        number("gravity"),
        number("arc"),
        number("power"),
        number("spread"),
        number("damage"),
        number("splash"),
        number("muzzle"),
        number("lifetime"),
        number("turn_rate"),
        number("choice"),
        number("sticky"),
        number("retarget"),
        number("sight"),
        number("friendly_fire"),
        number("ammunition"),
    ]
};

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

impl WeaponDef {
    /// Its numbers, in the order that files hold them.
    pub(crate) fn numbers(&self) -> [f64; 19] {
        let one = |is: bool| f64::from(u8::from(is));
        [
            self.range,
            self.min_range,
            self.cooldown,
            self.speed,
            self.gravity,
            f64::from(self.arc as u8),
            f64::from(self.power as u8),
            self.spread,
            self.damage,
            self.splash,
            self.muzzle,
            self.lifetime,
            self.turn_rate,
            f64::from(self.choice as u8),
            one(self.sticky),
            self.retarget,
            one(self.sight),
            one(self.friendly_fire),
            f64::from(self.ammunition),
        ]
    }

    /// Reads these numbers, in range or not.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, BytesError> {
        Ok(Self {
            range: from.any_f64("range")?,
            min_range: from.any_f64("min_range")?,
            cooldown: from.any_f64("cooldown")?,
            speed: from.any_f64("speed")?,
            gravity: from.any_f64("gravity")?,
            arc: [ShotArc::Low, ShotArc::High][whole(from, "arc", 1.0)? as usize],
            power: [Power::Full, Power::Least][whole(from, "power", 1.0)? as usize],
            spread: from.any_f64("spread")?,
            damage: from.any_f64("damage")?,
            splash: from.any_f64("splash")?,
            muzzle: from.any_f64("muzzle")?,
            lifetime: from.any_f64("lifetime")?,
            turn_rate: from.any_f64("turn_rate")?,
            choice: [Choice::Nearest, Choice::Weakest, Choice::Threat]
                [whole(from, "choice", 2.0)? as usize],
            sticky: whole(from, "sticky", 1.0)? == 1,
            retarget: from.any_f64("retarget")?,
            sight: whole(from, "sight", 1.0)? == 1,
            friendly_fire: whole(from, "friendly_fire", 1.0)? == 1,
            ammunition: whole(from, "ammunition", f64::from(u32::MAX))?,
        })
    }
}

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
