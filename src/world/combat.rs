//! Fighters, and the projectiles in the air.

use crate::math::each::Each;
use bytemuck::{Pod, Zeroable};

use crate::data::{GroupId, Id, Kind, Row, StructureId, WeaponId, Word, table};
use crate::lane::Numbers;
use crate::world::{Refusal, World, WorldError};

/// Most projectiles in the air. Beyond it no agent fires, which is no loss of a shot: it is fired in
/// a later tick.
pub const MAX_PROJECTILES: usize = 1 << 22;

/// Highest, and lowest, place from which a shot can start, in metres.
const MAX_HEIGHT: f64 = 8_000.0;
/// Fastest that a shot can start along an axis, in m/s.
const MAX_SHOT_SPEED: f64 = 12_000.0;

/// No agent's id index.
pub(crate) const NOBODY: u32 = u32::MAX;

/// Bit of a target that is a structure: its index; the cell of it that is aimed at stands for the
/// generation. No agent's id index has it.
const WALL: u32 = 1 << 31;

/// Target of an agent's weapon, and the tick from which it may be fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Aimed {
    /// The low bits of the tick from which it may be fired.
    pub ready: u32,
    /// Id index and generation of the target; the largest index for none. Of a structure the index, with
    /// the highest bit set, and the cell.
    pub target: u32,
    /// See `target`.
    pub generation: u32,
}

impl Aimed {
    /// Ready, without a target.
    pub(crate) const NOBODY: Self = Self { ready: 0, target: NOBODY, generation: 0 };

    /// The agent that is the target, alive or not.
    pub fn target(self) -> Option<Id> {
        let Self { target: index, generation, .. } = self;
        (index & WALL == 0).then_some(Id { index, generation })
    }

    /// The structure that is the target, and the cell of it, standing or not.
    pub(crate) fn wall(self) -> Option<(StructureId, u32)> {
        let is_wall = self.is_engaged() && self.target & WALL != 0;
        is_wall.then_some((StructureId::new(self.target as u16), self.generation))
    }

    /// Whether there is a target of any kind.
    #[inline(always)]
    pub(crate) fn is_engaged(self) -> bool {
        self.target != NOBODY
    }

    /// Aims at a cell of a structure, by its index.
    pub(crate) fn at_wall(self, structure: u16, cell: u32) -> Self {
        Self { ready: self.ready, target: WALL | u32::from(structure), generation: cell }
    }
}

impl Row for Aimed {
    const WORDS: &'static [Word] = &[
        Word::new("ready", Kind::U32),
        Word::new("target", Kind::U32),
        Word::new("generation", Kind::U32),
    ];
}

table! {
    /// Health and aim by id index; without rows in a world without weapons. Rows of free ids are
    /// zero.
    pub struct Combatants<N: Numbers> as "fighters" {
        /// Health that is left.
        health: [N; 1], "";
        /// Target of its weapon, and the tick from which it may be fired.
        aim: Aimed, "";
        /// Shots that are left; also 0 for weapons without a limit.
        rounds: u32, "";
    }
}

/// Shooter, weapon and target of a shot that is being fired.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShotOwner {
    /// Id index of the shooter, or [`NOBODY`].
    pub(crate) id: u32,
    pub(crate) group: u16,
    pub(crate) weapon: WeaponId,
    pub(crate) aim: Aimed,
}

/// Owner and target of a projectile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Shot {
    /// How many the weapon had fired before, in its low bits: with the weapon a name for as long as
    /// it flies.
    pub serial: u32,
    /// The weapon.
    pub weapon: WeaponId,
    /// Index of the group whose agent shot: no other group's while the projectile flies.
    pub group: u16,
    /// Id index of the agent that shot ([`World::shooter`]).
    pub shooter: u32,
    /// The low bits of the tick at whose end it is gone.
    pub expires: u32,
    /// Id index and generation of the agent it was fired at, or structure and cell, as in [`Aimed`];
    /// the largest index for none.
    pub target: u32,
    /// See `target`.
    pub generation: u32,
}

impl Row for Shot {
    const WORDS: &'static [Word] = &[
        Word::new("serial", Kind::U32),
        Word::new("weapon", Kind::U16),
        Word::new("group", Kind::U16),
        Word::new("shooter", Kind::U32),
        Word::new("expires", Kind::U32),
        Word::new("target", Kind::U32),
        Word::new("generation", Kind::U32),
    ];
}

table! {
    /// The projectiles in the air, one a row, without gaps.
    pub struct Projectiles<N: Numbers> as "projectiles" {
        /// Where: x, y and height above the datum.
        pos: [N; 3], "m";
        /// Velocity, upwards last.
        vel: [N; 3], "m/s";
        /// Owner and target.
        shot: Shot, "";
    }
}

/// The thing that a projectile met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Struck {
    /// An agent.
    Agent(Id),
    /// The ground.
    Ground,
    /// A wall or a cliff.
    Wall,
    /// Nothing: it left the map or grew too old.
    Nothing,
}

/// The end of a projectile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Where it was then: x, y and height in metres.
    pub at: [f64; 3],
    /// The thing that it met.
    pub struck: Struck,
    /// Owner and target of the projectile.
    pub shot: Shot,
}

/// The death of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fallen {
    /// The agent that died.
    pub id: Id,
    /// The group of the agent.
    pub group: GroupId,
    /// Where it died, in metres.
    pub at: [f64; 2],
    /// The shot that killed it; `None` when an order did.
    pub shot: Option<Shot>,
}

impl<N: Numbers> World<N> {
    /// A projectile of a weapon takes to the air, which must have room for it.
    pub(crate) fn launch(&mut self, pos: [N; 3], vel: [N; 3], shooter: ShotOwner) {
        let weapon = &mut self.combat.weapons[usize::from(shooter.weapon)];
        let shot = Shot {
            serial: weapon.tally.fired as u32,
            weapon: shooter.weapon,
            group: shooter.group,
            shooter: shooter.id,
            expires: (self.log.tick as u32).wrapping_add(weapon.ballistics.lifetime),
            target: shooter.aim.target,
            generation: shooter.aim.generation,
        };
        weapon.tally.fired += 1;
        self.combat.projectiles.push(pos, vel, shot);
    }

    /// A shot that is ordered.
    pub(crate) fn launch_by_order(
        &mut self,
        group: GroupId,
        weapon: WeaponId,
        from: [f64; 3],
        velocity: [f64; 3],
    ) -> Result<(), Refusal> {
        let refuse = |why: String| Err(Refusal::NoSuchShot(why));
        if usize::from(weapon) >= self.combat.weapons.len() {
            let weapons = self.combat.weapons.len();
            return refuse(WorldError::NoSuchWeapon { weapon, weapons }.to_string());
        }
        let (on_map, high) =
            (self.ground.map.cell_at(from[0], from[1]), from[2].abs() <= MAX_HEIGHT);
        if on_map.is_none() || !high {
            return refuse(format!("a shot cannot start at {from:?}: that is off the map"));
        }
        if !velocity.iter().all(|v| v.abs() <= MAX_SHOT_SPEED) {
            return refuse(format!("a shot cannot have the velocity {velocity:?}"));
        }
        if self.combat.projectiles.shot.len() == MAX_PROJECTILES {
            return refuse(format!("{MAX_PROJECTILES} projectiles are in the air already"));
        }
        let group = group.index();
        let shooter = ShotOwner { id: NOBODY, group, weapon, aim: Aimed::NOBODY };
        self.launch(from.each(N::from_f64), velocity.each(N::from_f64), shooter);
        Ok(())
    }

    /// The projectiles in the air.
    pub fn projectiles(&self) -> &Projectiles<N> {
        &self.combat.projectiles
    }

    /// The projectiles that ended in the last tick, by row.
    pub fn impacts(&self) -> &[Impact] {
        &self.combat.impacts
    }

    /// Agents that died in the last tick. They are gone by now.
    pub fn fallen(&self) -> &[Fallen] {
        &self.combat.fallen
    }

    /// The agent that fired a shot, if it lives; `None` for an ordered shot. A new agent that was given
    /// the index of a dead shooter while the shot flew is returned in its place.
    pub fn shooter(&self, shot: &Shot) -> Option<Id> {
        let known = shot.shooter != NOBODY && (shot.shooter as usize) < self.agents.ids.capacity();
        let id = known.then(|| self.agents.ids.id(shot.shooter))?;
        self.is_alive(id).then_some(id)
    }

    /// The health of a living agent; `None` when it is dead, or the world has no weapons.
    pub fn health(&self, id: Id) -> Option<N> {
        let health = self.combat.combatants.health.get(id.index as usize)?;
        self.is_alive(id).then_some(health[0])
    }

    /// The agent that an agent aims at, while both live.
    pub fn target(&self, id: Id) -> Option<Id> {
        let aim = self.combat.combatants.aim.get(id.index as usize)?;
        aim.target().filter(|&target| self.is_alive(id) && self.is_alive(target))
    }
}
