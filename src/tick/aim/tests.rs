//! The limit to projectiles.

use super::{CHANGED, Memory, Muzzle, Roles, SHOOTS, Shooter, launch};
use crate::map::Map;
use crate::world::{Aimed, GroupDef, Settings, WeaponDef, World};

/// Where there is room for two more projectiles only the first two of three fire; the third is
/// as ready as before.
#[test]
fn nobody_fires_beyond_the_limit() {
    let map = Map::from_slowness(8, 8, 1.0, &[16; 64]);
    let mut world = World::<f32>::new(map, Settings::default()).unwrap();
    let weapon = Some(world.add_weapon(WeaponDef::default()).unwrap());
    let group = world.add_group(GroupDef { weapon, ..GroupDef::default() }).unwrap();
    world.spawn(group, &[[1.0, 1.0], [3.0, 1.0], [5.0, 1.0]]).unwrap();
    let aim = Aimed { ready: 1, target: 2, generation: 1 };
    let memory = Memory {
        roles: Roles {
            shooters: vec![Shooter { cooldown: 60, ..Shooter::default() }],
            ..Roles::default()
        },
        aims: vec![aim; 3],
        flags: vec![SHOOTS; 3],
        muzzles: vec![Muzzle::default(); 3],
        busy: vec![CHANGED],
        ..Memory::default()
    };
    launch(&mut world, &memory, 2);
    assert_eq!(world.combat.projectiles.shot.iter().map(|s| s.shooter).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(
        world.combat.combatants.aim.iter().map(|aim| aim.ready).collect::<Vec<_>>(),
        [60, 60, 1]
    );
    launch(&mut world, &memory, 2);
    assert_eq!(world.combat.weapons[0].tally.fired, 2);
}
