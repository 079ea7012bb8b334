//! Weapons: what a group shoots with.

use crate::data::WeaponId;
use crate::data::definition::{Definition, Takes, define, words};
use crate::data::record::record;
use crate::lane::Numbers;
use crate::world::error::check;
use crate::world::{World, WorldError};

/// Most weapons of a world.
pub const MAX_WEAPONS: usize = 1_024;
/// Most health of an agent, and most damage of a hit.
pub const MAX_HEALTH: f64 = 16_000.0;

words! {
    /// Which of the two ways to hit under gravity a weapon takes.
    #[serde(rename_all = "kebab-case")]
    pub enum ShotArc {
        /// The flat one, which arrives first.
        Low = "low",
        /// The lob.
        High = "high",
    }
}

words! {
    /// How fast a shot leaves.
    #[serde(rename_all = "kebab-case")]
    pub enum Power {
        /// At the muzzle speed.
        Full = "full",
        /// As slowly as still hits: the shot of least energy, at most at the muzzle speed.
        Least = "least",
    }
}

words! {
    /// Which of the foes within its range a weapon is pointed at. Ties go to the nearest, then to the
    /// smallest id.
    #[serde(rename_all = "kebab-case")]
    pub enum Choice {
        /// The nearest.
        Nearest = "nearest",
        /// The one with the least health.
        Weakest = "weakest",
        /// The one whose weapon does the most damage a second.
        Threat = "threat",
    }
}

define! {
    /// What a group shoots with. Lengths in metres, times in seconds.
    pub struct WeaponDef as "weapon" {
        /// Largest distance to a target: between centres on the map.
        range: f64 = 60.0, Takes::number("a distance in metres", 0.1, 2_000.0);
        /// Smallest distance to a target, at most `range`.
        min_range: f64 = 0.0, Takes::number("a distance in metres", 0.0, 2_000.0);
        /// Time from one shot to the next, a tick at the least.
        cooldown: f64 = 3.0, Takes::number("a time in seconds", 0.05, 3_600.0);
        /// Speed at the muzzle.
        speed: f64 = 40.0, Takes::number("a speed in m/s", 0.1, 10_000.0);
        /// How strongly a projectile falls; 0 flies straight.
        gravity: f64 = 9.81, Takes::number("an acceleration in m/s²", 0.0, 100.0);
        /// Of the two ways to hit under gravity the flat one, which arrives first, or the lob.
        arc: ShotArc = ShotArc::Low;
        /// Shots leave at `speed`, or as slowly as still hits.
        power: Power = Power::Full;
        /// Largest error of each component of the launch velocity, as a share of `speed`; small errors are
        /// more likely (the sum of two uniform ones).
        spread: f64 = 0.01, Takes::number("a share of the speed", 0.0, 1.0);
        /// Health that a hit takes.
        damage: f64 = 25.0, Takes::number("a loss of health", 0.0, MAX_HEALTH);
        /// Radius in which a hit, on whatever it is, hurts agents; the damage falls linearly from the middle
        /// to the edge, with the distance to the nearest point of an agent's axis, and walls do not stop
        /// it. 0 hurts only the agent that is hit.
        splash: f64 = 0.0, Takes::number("a radius in metres", 0.0, 50.0);
        /// Height of the muzzle above the ground.
        muzzle: f64 = 1.5, Takes::number("a height in metres", 0.0, 50.0);
        /// Time after which a projectile is gone.
        lifetime: f64 = 30.0, Takes::number("a time in seconds", 0.05, 120.0);
        /// How fast a projectile turns after its target; 0 does not. One that turns keeps its speed, and does
        /// not fall.
        turn_rate: f64 = 0.0, Takes::number("a turn in rad/s", 0.0, 100.0);
        /// Which of the foes in range it is pointed at: the nearest, the one with the least health, or the
        /// one with the weapon that does the most damage a second.
        choice: Choice = Choice::Nearest;
        /// Whether a target is kept while it lives and is in range.
        sticky: bool = true;
        /// Time from one choice of a target to the next.
        retarget: f64 = 1.0, Takes::number("a time in seconds", 0.05, 60.0);
        /// Whether only targets are shot at that a straight line from the muzzle reaches.
        sight: bool = false;
        /// Whether projectiles hit, and splash hurts, friends too; never the agent that shot.
        friendly_fire: bool = false;
        /// Shots that an agent has; 0 is without a limit. An agent that has none left is unarmed.
        ammunition: u32 = 0, Takes::Whole { what: "a number of shots", low: 0, high: 30_000 };
    }
}

impl WeaponDef {
    /// Names of the presets.
    pub const PRESETS: [&str; 3] = ["bow", "gun", "catapult"];

    /// Numbers that go together; `None` when there is no preset of that name.
    ///
    /// * `bow`: arrows that fall, shot where the target will be, over the heads of friends or flat.
    /// * `gun`: fast and straight, at what can be seen.
    /// * `catapult`: slow stones lobbed over walls, which hurt all around where they come down.
    pub fn preset(name: &str) -> Option<Self> {
        let plain = Self::default();
        match name {
            "bow" => Some(Self {
                range: 120.0,
                cooldown: 5.0,
                speed: 45.0,
                spread: 0.02,
                damage: 35.0,
                lifetime: 15.0,
                ..plain
            }),
            "gun" => Some(Self {
                range: 90.0,
                cooldown: 8.0,
                speed: 300.0,
                gravity: 0.0,
                spread: 0.01,
                damage: 60.0,
                lifetime: 1.0,
                sight: true,
                ..plain
            }),
            "catapult" => Some(Self {
                range: 220.0,
                min_range: 40.0,
                cooldown: 10.0,
                speed: 50.0,
                arc: ShotArc::High,
                spread: 0.02,
                damage: 150.0,
                splash: 4.0,
                muzzle: 3.0,
                retarget: 5.0,
                ..plain
            }),
            _ => None,
        }
    }

    /// Refuses what is out of range.
    ///
    /// # Errors
    /// Names the number, its value and its range.
    pub fn check(&self) -> Result<(), WorldError> {
        self.check_fields()?;
        check("weapon min_range", self.min_range, 0.0, self.range)
    }
}

record! {
    /// What has become of a weapon's shots. Every shot that is not in the air any more is in exactly
    /// one of `struck`, `ground`, `walls` and `lost`.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Tally {
        /// Shots fired.
        pub fired: u64,
        /// Projectiles that struck an agent.
        pub struck: u64,
        /// Projectiles that came down on the ground.
        pub ground: u64,
        /// Projectiles that met a wall or a cliff.
        pub walls: u64,
        /// Projectiles that left the map or grew too old.
        pub lost: u64,
        /// Agents that were hurt: struck, or by splash; each as often as it was.
        pub hurt: u64,
        /// Agents that died of it.
        pub kills: u64,
        /// Health that it took.
        pub damage: f64,
    }
}

impl Tally {
    /// Projectiles in the air.
    pub fn in_flight(&self) -> u64 {
        self.fired - self.struck - self.ground - self.walls - self.lost
    }
}

/// A weapon of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Weapon<N> {
    /// Its definition.
    pub def: WeaponDef,
    /// What has become of its shots.
    pub tally: Tally,
    /// Its numbers as kernels read them.
    pub(crate) ballistics: Ballistics<N>,
}

/// A weapon's numbers as kernels read them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ballistics<N> {
    /// Range, m.
    pub range: N,
    /// Smallest range, m.
    pub min_range: N,
    /// Muzzle speed, m/s.
    pub speed: N,
    /// Gravity, m/s².
    pub gravity: N,
    /// Largest error of a component of the launch velocity, m/s.
    pub spread: N,
    /// Health that a hit takes.
    pub damage: N,
    /// Radius of splash, m.
    pub splash: N,
    /// Height of the muzzle, m.
    pub muzzle: N,
    /// Most that a tick changes the velocity of a projectile that turns, m/s.
    pub turn: N,
    /// Ticks from one shot to the next, from one choice to the next, and of a life.
    pub cooldown: u32,
    /// See `cooldown`.
    pub retarget: u32,
    /// See `cooldown`.
    pub lifetime: u32,
}

impl<N: Numbers> Weapon<N> {
    /// A weapon that has not been fired.
    pub(crate) fn new(def: WeaponDef, tick_rate: u32) -> Self {
        let n = N::from_f64;
        let ticks = |seconds: f64| (seconds * f64::from(tick_rate)).ceil().max(1.0) as u32;
        let ballistics = Ballistics {
            range: n(def.range),
            min_range: n(def.min_range),
            speed: n(def.speed),
            gravity: n(def.gravity),
            spread: n(def.spread * def.speed),
            damage: n(def.damage),
            splash: n(def.splash),
            muzzle: n(def.muzzle),
            turn: n((def.turn_rate / f64::from(tick_rate)).min(2.0) * def.speed),
            cooldown: ticks(def.cooldown),
            retarget: ticks(def.retarget),
            lifetime: ticks(def.lifetime),
        };
        Self { def, tally: Tally::default(), ballistics }
    }
}

impl<N: Numbers> World<N> {
    /// Adds a weapon, which groups name. With the first one every agent is given health.
    ///
    /// # Errors
    /// When a number is out of range or there are too many weapons.
    pub fn add_weapon(&mut self, def: WeaponDef) -> Result<WeaponId, WorldError> {
        def.check()?;
        if self.combat.weapons.len() == MAX_WEAPONS {
            let asked = MAX_WEAPONS as u64 + 1;
            return Err(WorldError::TooMany { what: "weapons", asked, most: MAX_WEAPONS as u64 });
        }
        self.combat.weapons.push(Weapon::new(def, self.settings.tick_rate));
        if self.combat.weapons.len() == 1 {
            self.combat.combatants.resize(self.agents.ids.capacity());
            for tag in self.agents.rows.tag.iter() {
                let health = self.groups.traits[usize::from(tag.group)].health;
                self.combat.combatants.health[tag.id as usize] = [health];
                self.combat.combatants.aim[tag.id as usize] = crate::world::Aimed::NOBODY;
                self.combat.combatants.rounds[tag.id as usize] = 0;
            }
        }
        Ok(WeaponId::new(self.combat.weapons.len() as u16 - 1))
    }

    /// The weapons, in the order they were added.
    pub fn weapons(&self) -> &[Weapon<N>] {
        &self.combat.weapons
    }
}
