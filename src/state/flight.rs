//! The rows of projectiles of an image, checked before they are taken on.

use crate::lane::Numbers;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::kept::{Kept, all_within};
use crate::world::{MAX_PROJECTILES, Weapon, World};

/// Nothing in the air is faster along an axis, in m/s.
const MAX_SPEED: f64 = 32_000.0;

/// Every projectile is of a weapon and a group that there are, is somewhere, and has time left of
/// its life; weapons have fired as many as have ended and are in the air.
pub(super) fn check_projectiles<N: Numbers>(
    world: &World<N>,
    kept: &Kept<'_, N>,
    weapons: &[Weapon<N>],
) -> Result<(), SnapshotError> {
    let groups = kept.groups.0.len();
    let rows = kept.shot.len();
    if rows > MAX_PROJECTILES {
        return Err(contradiction(format!("{rows} projectiles are too many")));
    }
    let range = |most: f64| [N::from_f64(-most), N::from_f64(most)];
    if !all_within(kept.shot_pos.bytes, range(N::EXTENT))
        || !all_within(kept.shot_vel.bytes, range(MAX_SPEED))
    {
        return Err(contradiction("a projectile is nowhere, or too fast"));
    }
    let mut in_flight = vec![0_u64; weapons.len()];
    for (shot, [x, y, _]) in kept.shot.iter().zip(kept.shot_pos.iter()) {
        if world.ground.map.cell_at(x.to_f64(), y.to_f64()).is_none() {
            return Err(contradiction(format!("a projectile is off the map, at ({x:?}, {y:?})")));
        }
        match in_flight.get_mut(usize::from(shot.weapon)) {
            Some(count) if usize::from(shot.group) < groups => *count += 1,
            _ => return Err(contradiction(format!("nobody has fired {shot:?}"))),
        }
        let left = shot.expires.wrapping_sub(kept.tick() as u32);
        let lifetime = weapons[usize::from(shot.weapon)].ballistics.lifetime;
        if !(1..=lifetime).contains(&left) {
            return Err(contradiction(format!("{left} ticks are left of a life of {lifetime}")));
        }
    }
    for (index, (weapon, count)) in weapons.iter().zip(in_flight).enumerate() {
        let tally = weapon.tally;
        let ended = [tally.struck, tally.ground, tally.walls, tally.lost];
        let all = ended.into_iter().try_fold(count, u64::checked_add);
        if all != Some(tally.fired) {
            return Err(contradiction(format!("weapon {index} counts its shots wrong")));
        }
    }
    Ok(())
}
