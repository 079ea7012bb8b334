//! Weapons: what a group shoots with.

use crate::lane::Numbers;
use crate::world::World;
use crate::world::WorldError;
use crate::world::settings::check;

/// Most weapons of a world.
pub const MAX_WEAPONS: usize = 1_024;
/// Most health of an agent, and most damage of a hit.
pub const MAX_HEALTH: f64 = 16_000.0;

/// Which of the two ways to hit under gravity a weapon takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShotArc {
    /// The flat one, which arrives first.
    Low,
    /// The lob.
    High,
}

/// How fast a shot leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Power {
    /// At the muzzle speed.
    Full,
    /// As slowly as still hits: the shot of least energy, at most at the muzzle speed.
    Least,
}

/// Whom a weapon is pointed at, of the foes within its range. Ties go to the nearest, then to the
/// smallest id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The nearest.
    Nearest,
    /// The one with the least health.
    Weakest,
    /// The one whose weapon does the most damage a second.
    Threat,
}

/// What a group shoots with. Lengths in metres, times in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct WeaponDef {
    /// Largest distance to a target, 0.1 ..= 2,000: between centres on the map.
    pub range: f64,
    /// Smallest distance to a target, 0 ..= `range`.
    pub min_range: f64,
    /// Time from one shot to the next, 0.05 ..= 3,600; a tick at the least.
    pub cooldown: f64,
    /// Muzzle speed in m/s, 0.1 ..= 10,000.
    pub speed: f64,
    /// How strongly a projectile falls, in m/s², 0 ..= 100; 0 flies straight.
    pub gravity: f64,
    /// The way to hit.
    pub arc: ShotArc,
    /// How fast a shot leaves.
    pub power: Power,
    /// Largest error of each component of the launch velocity, as a share of the speed, 0 ..= 1;
    /// small errors are more likely (the sum of two uniform ones).
    pub spread: f64,
    /// Health that a hit takes, 0 ..= 16,000.
    pub damage: f64,
    /// Radius in which a hit, on whatever it is, hurts agents, 0 ..= 50; the damage falls linearly
    /// from the middle to the edge, with the distance to the nearest point of an agent's axis, and
    /// walls do not stop it. 0 hurts only whom it hits.
    pub splash: f64,
    /// Height of the muzzle above the ground, 0 ..= 50.
    pub muzzle: f64,
    /// Time after which a projectile is gone, 0.05 ..= 120.
    pub lifetime: f64,
    /// How fast a projectile turns after its target, in rad/s, 0 ..= 100; 0 does not. One that turns
    /// keeps its speed, and does not fall.
    pub turn_rate: f64,
    /// Whom it is pointed at.
    pub choice: Choice,
    /// Whether a target is kept while it lives and is in range.
    pub sticky: bool,
    /// Shots that an agent has, 0 ..= 30,000; 0 is without a limit. Who has none left is unarmed.
    pub ammunition: u32,
    /// Time from one choice of a target to the next, 0.05 ..= 60.
    pub retarget: f64,
    /// Whether only targets are shot at that a straight line from the muzzle reaches.
    pub sight: bool,
    /// Whether projectiles hit, and splash hurts, friends too. Never who shot.
    pub friendly_fire: bool,
}

impl Default for WeaponDef {
    fn default() -> Self {
        Self {
            range: 60.0,
            min_range: 0.0,
            cooldown: 3.0,
            speed: 40.0,
            gravity: 9.81,
            arc: ShotArc::Low,
            power: Power::Full,
            spread: 0.01,
            damage: 25.0,
            splash: 0.0,
            muzzle: 1.5,
            lifetime: 30.0,
            turn_rate: 0.0,
            choice: Choice::Nearest,
            sticky: true,
            ammunition: 0,
            retarget: 1.0,
            sight: false,
            friendly_fire: false,
        }
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
        check("weapon range", self.range, 0.1, 2_000.0)?;
        check("weapon min_range", self.min_range, 0.0, self.range)?;
        check("weapon cooldown", self.cooldown, 0.05, 3_600.0)?;
        check("weapon speed", self.speed, 0.1, 10_000.0)?;
        check("weapon gravity", self.gravity, 0.0, 100.0)?;
        check("weapon spread", self.spread, 0.0, 1.0)?;
        check("weapon damage", self.damage, 0.0, MAX_HEALTH)?;
        check("weapon splash", self.splash, 0.0, 50.0)?;
        check("weapon muzzle", self.muzzle, 0.0, 50.0)?;
        check("weapon lifetime", self.lifetime, 0.05, 120.0)?;
        check("weapon turn_rate", self.turn_rate, 0.0, 100.0)?;
        check("weapon ammunition", f64::from(self.ammunition), 0.0, 30_000.0)?;
        check("weapon retarget", self.retarget, 0.05, 60.0)
    }
}

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

impl Tally {
    /// Projectiles in the air.
    pub fn in_flight(&self) -> u64 {
        self.fired - self.struck - self.ground - self.walls - self.lost
    }
}

/// A weapon of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Weapon<N> {
    /// What it is like.
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
    /// Adds a weapon and returns its index, which groups name. With the first one everybody is
    /// given health.
    ///
    /// # Errors
    /// When a number is out of range or there are too many weapons.
    pub fn add_weapon(&mut self, def: WeaponDef) -> Result<u16, WorldError> {
        def.check()?;
        if self.weapons.len() == MAX_WEAPONS {
            let asked = MAX_WEAPONS as u64 + 1;
            return Err(WorldError::TooMany { what: "weapons", asked, most: MAX_WEAPONS as u64 });
        }
        self.weapons.push(Weapon::new(def, self.settings.tick_rate));
        if self.weapons.len() == 1 {
            self.combatants.resize(self.ids.capacity());
            for tag in self.agents.tag.iter() {
                let health = self.traits[usize::from(tag.group)].health;
                self.combatants.health[tag.id as usize] = [health];
                self.combatants.aim[tag.id as usize] = crate::world::Aimed::NOBODY;
                self.combatants.rounds[tag.id as usize] = 0;
            }
        }
        Ok(self.weapons.len() as u16 - 1)
    }

    /// The weapons, in the order they were added.
    pub fn weapons(&self) -> &[Weapon<N>] {
        &self.weapons
    }
}
