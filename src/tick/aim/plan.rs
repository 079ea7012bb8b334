//! Input of choosing and shooting, and the flags that they set.

use crate::math::each::Each;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::data::Id;
use crate::kernel::choose;
use crate::lane::{Lane, Numbers, Real};
use crate::math::hash2;
use crate::tick::aim::roles::Shooter;
use crate::world::{Aimed, Tag, World, state};

/// Longest wait for the first shot, in seconds.
const FIRST_SHOT: f64 = 2.0;

/// Stream of the random numbers that the first shot waits by.
const WAITS: u64 = 0x5f1e_57a4;

/// An agent is to choose.
pub(super) const SEEKS: u8 = 1;
/// An agent is to fire.
pub(super) const FIRES: u8 = 2;
/// What an agent aims at has changed.
pub(super) const CHANGED: u8 = 4;
/// A shot was found.
pub(super) const SHOOTS: u8 = 8;

/// Input of the stage.
pub(super) struct Plan<'a, N: Numbers> {
    pub(super) world: &'a World<N>,
    pub(super) shooters: &'a [Shooter<N>],
    pub(super) rows: &'a [AtomicU32],
    pub(super) tick: u32,
    /// Most ticks before the first shot.
    pub(super) first_shot: u32,
}

impl<N: Numbers> Plan<'_, N> {
    /// The row of an agent's target, while that may be shot at.
    #[inline(always)]
    pub(super) fn target(&self, shooter: &Shooter<N>, pos: [N; 2], aim: Aimed) -> Option<usize> {
        let id = Id { index: aim.target, generation: aim.generation };
        if !self.world.agents.ids.is_alive(id) {
            return None;
        }
        let row = self.row_of(aim);
        let (tag, at) = (self.world.agents.rows.tag[row], self.world.agents.rows.pos[row]);
        let traits = &self.world.groups.traits[usize::from(tag.group)];
        let one = |pos: [N; 2]| pos.each(N::Single::splat);
        let square = choose::square(one(pos), one(at)).get(0);
        let holds = traits.team & shooter.foes != 0
            && traits.health > N::ZERO
            && tag.state & state::LEAVING == 0
            && shooter.near <= square
            && square <= shooter.far;
        holds.then_some(row)
    }

    /// Whether a choice is due.
    #[inline(always)]
    pub(super) fn is_due(&self, shooter: &Shooter<N>, tag: Tag) -> bool {
        // As of tick + id, but in 32 bits.
        (shooter.beat + tag.id % shooter.retarget).is_multiple_of(shooter.retarget)
    }

    /// Whether a straight line leads from the muzzle of the agent in one row to the middle of the
    /// one in another.
    pub(super) fn sees(&self, from: usize, to: usize) -> bool {
        let world = self.world;
        world.ground.solid().is_clear(muzzle(world, from), body(world, to))
    }

    /// The row of an agent's target, which has to be alive.
    #[inline(always)]
    pub(super) fn row_of(&self, aim: Aimed) -> usize {
        self.rows[aim.target as usize].load(Ordering::Relaxed) as usize
    }

    /// What an agent with a target does: it halts if its group does, and fires when it is ready.
    #[inline(always)]
    pub(super) fn engage(
        &self,
        shooter: &Shooter<N>,
        aim: Aimed,
        desired: &mut [N; 2],
        flag: &mut u8,
    ) {
        if shooter.halts {
            *desired = [N::ZERO; 2];
        }
        // 0 means that the agent has never had a target.
        if aim.ready != 0 && self.tick.wrapping_sub(aim.ready) as i32 >= 0 {
            *flag |= FIRES;
        }
    }

    /// When the first shot may be fired.
    pub(super) fn first_shot(&self, shooter: &Shooter<N>, tag: Tag) -> u32 {
        let longest = u64::from(shooter.cooldown.min(self.first_shot));
        let waits = hash2(self.world.settings.seed ^ WAITS, u64::from(tag.id)) % longest;
        self.tick.wrapping_add(waits as u32).max(1)
    }
}

/// Input of the stage, from a world.
pub(super) fn plan<'a, N: Numbers>(
    world: &'a World<N>,
    shooters: &'a [Shooter<N>],
    rows: &'a [AtomicU32],
) -> Plan<'a, N> {
    let first_shot = (FIRST_SHOT * f64::from(world.settings.tick_rate)) as u32;
    Plan { world, shooters, rows, tick: world.log.tick as u32, first_shot }
}

/// The muzzle of the weapon of the agent in a row.
pub(super) fn muzzle<N: Numbers>(world: &World<N>, row: usize) -> [N; 3] {
    let traits = &world.groups.traits[usize::from(world.agents.rows.tag[row].group)];
    let weapon = &world.combat.weapons[usize::from(traits.weapon)];
    let [x, y] = world.agents.rows.pos[row];
    [x, y, world.ground.map.height_at([x, y]) + weapon.ballistics.muzzle]
}

/// The middle of the body of the agent in a row.
pub(super) fn body<N: Numbers>(world: &World<N>, row: usize) -> [N; 3] {
    let traits = &world.groups.traits[usize::from(world.agents.rows.tag[row].group)];
    let [x, y] = world.agents.rows.pos[row];
    [x, y, world.ground.map.height_at([x, y]) + traits.height * N::HALF]
}

/// An agent drops its target, which is a change.
pub(super) fn drop_target(aim: &mut Aimed) -> u8 {
    *aim = Aimed { ready: aim.ready, ..Aimed::NOBODY };
    CHANGED
}
