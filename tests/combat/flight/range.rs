//! A shooting range: a world, and shots into it.

use throng::data::Id;
use throng::lane::{Lane, Numbers};
use throng::map::Map;
use throng::math::{hash3, unit_f64};
use throng::tick::{Scratch, tick_with};
use throng::world::{GroupDef, Impact, Order, Settings, Tally, WeaponDef, World};
use throng::{GroupId, WeaponId};

/// Open ground of square cells.
pub(crate) fn plain(width: u32, height: u32, cell: f64) -> Map {
    Map::from_slowness(width, height, cell, &vec![16; (width * height) as usize])
}

/// A random number of the coordinates, between two.
pub(crate) fn random(seed: u64, at: [u64; 2], [low, high]: [f64; 2]) -> f64 {
    low + (high - low) * unit_f64(hash3(seed, at[0], at[1]))
}

/// A speed in m/s from 10^`low` to 10^`high`, every power of ten as likely as another one.
pub(crate) fn speed(share: f64, [low, high]: [i32; 2]) -> f64 {
    let power = f64::from(low) + share * f64::from(high - low);
    let (whole, mut rest) = (power.floor() as i32, power - power.floor());
    let mut speed = (0..whole).fold(1.0, |speed, _| speed * 10.0);
    let mut root = 10.0_f64;
    for _ in 0..30 {
        (root, rest) = (root.sqrt(), rest * 2.0);
        if rest >= 1.0 {
            (speed, rest) = (speed * root, rest - 1.0);
        }
    }
    speed
}

/// The length of a vector on the map.
pub(crate) fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// A group of agents that stand until told to go.
pub(crate) fn group(team: u8, foes: u32) -> GroupDef {
    GroupDef { team, foes, health: 100.0, hold: true, ..GroupDef::default() }
}

/// A shot that flies straight and does no harm.
pub(crate) fn straight() -> WeaponDef {
    WeaponDef { gravity: 0.0, damage: 0.0, ..WeaponDef::default() }
}

/// A shot of a side.
pub(crate) fn shot(group: u16, weapon: u16, from: [f64; 3], velocity: [f64; 3]) -> Order {
    Order::Launch { group: GroupId::new(group), weapon: WeaponId::new(weapon), from, velocity }
}

/// A world and its memory.
pub(crate) struct Range<N: Numbers> {
    pub(crate) world: World<N>,
    pub(crate) scratch: Scratch<N>,
}

impl<N: Numbers> Range<N> {
    pub(crate) fn new(map: Map, rate: u32, weapons: &[WeaponDef], groups: &[GroupDef]) -> Self {
        let settings = Settings { tick_rate: rate, ..Settings::default() };
        let mut world = World::new(map, settings).unwrap();
        weapons.iter().for_each(|def| assert!(world.add_weapon(def.clone()).is_ok()));
        groups.iter().for_each(|def| assert!(world.add_group(def.clone()).is_ok()));
        Self { world, scratch: Scratch::new() }
    }

    /// An agent of a group.
    pub(crate) fn stand(&mut self, group: u16, at: [f64; 2]) -> Id {
        self.world.spawn(GroupId::new(group), &[at]).unwrap()[0]
    }

    /// A tick in lanes `L`; all orders are carried out.
    pub(crate) fn tick<L: Lane<Num = N>>(&mut self, orders: &[Order]) {
        tick_with::<L>(&mut self.world, orders, &mut self.scratch, &mut ());
        for outcome in self.world.outcomes() {
            assert!(!outcome.is_refused(), "{outcome:?}");
        }
    }

    /// Ticks in 8 lanes until nothing is in the air, at most so many; all impacts, with the number of
    /// the tick.
    pub(crate) fn play(&mut self, orders: &[Order], most: u64) -> Vec<(u64, Impact)> {
        self.tick::<N::Wide>(orders);
        let mut all = Vec::new();
        for tick in 1..=most {
            all.extend(self.world.impacts().iter().map(|&impact| (tick, impact)));
            if self.world.projectiles().shot.is_empty() {
                break;
            }
            self.tick::<N::Wide>(&[]);
        }
        all
    }

    pub(crate) fn tally(&self, weapon: usize) -> Tally {
        self.world.weapons()[weapon].tally
    }

    pub(crate) fn health(&self, id: Id) -> f64 {
        self.world.health(id).expect("a living agent").to_f64()
    }
}
