//! How every group fights, tick by tick.

use crate::lane::{Lane, Numbers, Real};
use crate::tick::aim::raster::{Raster, Target};
use crate::world::{Traits, Weapon, World};

/// How the agents of a group choose and shoot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shooter<N> {
    /// Whether they have foes.
    pub(super) armed: bool,
    pub(super) sticky: bool,
    pub(super) sight: bool,
    pub(super) halts: bool,
    pub(super) foes: u32,
    /// The view that they choose from.
    pub(super) view: usize,
    pub(super) range: N,
    /// Squares of the least and the largest distance of a target.
    pub(super) near: f64,
    pub(super) far: f64,
    /// Ticks from one choice to the next, and the present tick modulo that.
    pub(super) retarget: u32,
    pub(super) beat: u32,
    pub(super) cooldown: u32,
    /// Whether shots are counted.
    pub(super) counted: bool,
    /// Whether a structure stands that its shots harm.
    pub(super) breaches: bool,
}

impl<N> Shooter<N> {
    /// Whether its agents look for targets.
    pub(super) fn acts(&self) -> bool {
        self.armed || self.breaches
    }
}

/// How all groups fight, and what they are as targets; by group.
#[derive(Clone, Debug, Default)]
pub(super) struct Roles<N> {
    pub(super) shooters: Vec<Shooter<N>>,
    pub(super) targets: Vec<Target>,
    /// Damage a second of every group, and the same in order.
    pub(super) threats: Vec<f64>,
    pub(super) order: Vec<f64>,
    pub(super) raster: Raster<N>,
    /// Whether a group can strike at a structure.
    pub(super) breach: bool,
}

/// Notes how every group fights; returns the longest range (m) of groups that have foes, if any have.
pub(super) fn note_roles<N: Numbers>(world: &World<N>, memory: &mut Roles<N>) -> Option<f64> {
    let Roles { shooters, targets, threats, order, raster, breach } = memory;
    *breach = false;
    let present = || {
        world.groups.list.iter().zip(&world.groups.traits).filter(|(group, _)| group.members > 0)
    };
    let targeted = present().filter(|(_, traits)| traits.health > N::ZERO);
    let targeted = targeted.fold(0, |teams, (_, traits)| teams | traits.team);
    shooters.clear();
    targets.clear();
    threats.clear();
    raster.clear_views();
    let (mut longest, mut hunted) = (None, 0);
    for (group, traits) in world.groups.list.iter().zip(&world.groups.traits) {
        let weapon = world.combat.weapons.get(usize::from(traits.weapon));
        threats.push(weapon.map_or(0.0, |weapon| weapon.def.damage / weapon.def.cooldown));
        let fires = group.members > 0 && !group.def.hold_fire;
        let armed = fires && traits.foes & targeted != 0;
        let breaches = fires && weapon.is_some_and(|weapon| can_breach(world, weapon, traits));
        let Some(weapon) = weapon.filter(|_| armed || breaches) else {
            shooters.push(Shooter::default());
            continue;
        };
        *breach |= breaches;
        if armed {
            longest = Some(weapon.def.range.max(longest.unwrap_or(0.0)));
            hunted |= traits.foes;
        }
        let square = |range: N| {
            let range = N::Single::splat(range).real();
            (range * range).get(0)
        };
        let numbers = &weapon.ballistics;
        shooters.push(Shooter {
            armed,
            breaches,
            sticky: weapon.def.sticky,
            sight: weapon.def.sight,
            halts: traits.halts,
            foes: traits.foes,
            view: if armed { raster.view(traits.foes, weapon.def.choice) } else { 0 },
            range: numbers.range,
            near: square(numbers.min_range),
            far: square(numbers.range),
            retarget: numbers.retarget,
            beat: (world.log.tick % u64::from(numbers.retarget)) as u32,
            cooldown: numbers.cooldown,
            counted: weapon.def.ammunition > 0,
        });
    }
    order.clear();
    order.extend_from_slice(threats);
    order.sort_unstable_by(f64::total_cmp);
    order.dedup();
    for (traits, threat) in world.groups.traits.iter().zip(threats) {
        let hunted = traits.team & hunted != 0 && traits.health > N::ZERO;
        let greater = order.len() - order.partition_point(|other| *other <= *threat);
        targets.push(Target { team: if hunted { traits.team } else { 0 }, threat: greater as i32 });
    }
    longest
}

/// Whether a structure stands that is harmed by the shots of agents with this weapon and these traits.
fn can_breach<N: Numbers>(world: &World<N>, weapon: &Weapon<N>, traits: &Traits<N>) -> bool {
    !world.structures.is_empty() && {
        let mut standing = world.structures.list.iter().filter(|structure| structure.stands());
        standing.any(|structure| structure.def.is_harmed(&weapon.def, traits))
    }
}
