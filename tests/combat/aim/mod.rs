//! Targets and shots: targets are checked against a look at all agents; when shots are fired, and
//! whether they hit; and that halting agents stand, and walk on.

mod choices;
mod firing;
mod halting;
mod repeat;
mod strategies;

use throng::WeaponId;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::Map;
use throng::world::{GroupDef, Settings, Shot, WeaponDef, World};

/// An open map.
pub(crate) fn open(width: u32, height: u32) -> Map {
    Map::from_slowness(width, height, 1.0, &vec![16; (width * height) as usize])
}

/// A world on a map, with these weapons.
pub(crate) fn armed<N: Numbers>(map: Map, weapons: &[WeaponDef]) -> World<N> {
    let mut world = World::new(map, Settings::default()).unwrap();
    weapons.iter().for_each(|def| {
        world.add_weapon(def.clone()).unwrap();
    });
    world
}

/// A group of a team that fights others.
pub(crate) fn side(team: u8, foes: u32, weapon: Option<u16>) -> GroupDef {
    let weapon = weapon.map(WeaponId::new);
    GroupDef { team, foes, weapon, ..GroupDef::default() }
}

/// Adds a group with agents.
pub(crate) fn join<N: Numbers>(world: &mut World<N>, def: GroupDef, at: &[[f64; 2]]) -> Vec<Id> {
    let group = world.add_group(def).unwrap();
    world.spawn(group, at).unwrap()
}

/// The distance between two places.
pub(crate) fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    let [x, y] = [0, 1].map(|i| b[i] - a[i]);
    (x * x + y * y).sqrt()
}

/// The row of an agent.
pub(crate) fn row<N: Numbers>(world: &World<N>, id: Id) -> usize {
    (0..world.len()).find(|&row| world.id(row) == id).expect("it lives")
}

/// The shots that were fired in the last tick, whether they have ended already or not.
pub(crate) fn fired<N: Numbers>(world: &World<N>) -> Vec<Shot> {
    let dt = world.dt();
    let is_new = |shot: &&Shot| {
        let life = (world.weapons()[usize::from(shot.weapon)].def.lifetime / dt).ceil() as u64;
        u64::from(shot.expires) == world.tick_count() - 1 + life
    };
    let ended = world.impacts().iter().map(|impact| &impact.shot);
    ended.chain(world.projectiles().shot.iter()).filter(is_new).copied().collect()
}
