//! Shots are counted: whatever is fired is in the air or has ended in one way, at every tick.

use throng::lane::Numbers;
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::{Fx, hash3};
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Settings, Struck, WeaponDef, World};
use throng::{GroupId, WeaponId};

use crate::flight::range::{group, random, speed};

/// Ticks in which a world is shot into, and ticks in all.
const FIRE: u64 = 60;
const ALL: u64 = 100;

/// Walls, hills and slow ground from a seed.
fn map(seed: u64) -> Map {
    let side = 36;
    let cell = |i: u64| match hash3(seed, 7, i) % 100 {
        0..8 => 0,
        8..20 => 40,
        _ => 16,
    };
    let cells: Vec<u8> = (0..side * side).map(cell).collect();
    let map = Map::from_slowness(side as u32, side as u32, 2.0, &cells);
    if seed.is_multiple_of(2) {
        return map;
    }
    let height = |i: u64| (hash3(seed, 8, i) % 60) as i16 - 20;
    map.with_heights(&(0..side * side).map(height).collect::<Vec<_>>(), 4.0).unwrap()
}

/// A weapon of any kind that there is.
fn weapon(seed: u64, index: u64) -> WeaponDef {
    let at = |k, range| random(seed, [900 + index, k], range);
    WeaponDef {
        speed: speed(at(0, [0.0, 1.0]), [0, 4]),
        gravity: if index.is_multiple_of(3) { 0.0 } else { at(1, [1.0, 30.0]) },
        damage: at(2, [0.0, 60.0]),
        splash: if index.is_multiple_of(2) { at(3, [0.0, 5.0]) } else { 0.0 },
        lifetime: at(4, [0.05, 2.0]),
        turn_rate: if index == 2 { 3.0 } else { 0.0 },
        friendly_fire: index == 1,
        ..WeaponDef::default()
    }
}

/// Fires at random into a random world; returns how many shots it fired, how all of
/// them ended, and how many agents have fallen.
fn fire<N: Numbers>(seed: u64, per_tick: u64) -> (u64, [u64; 4], u64) {
    let tick_rate = [10, 20, 60, 250][seed as usize % 4];
    let settings = Settings { tick_rate, ..Settings::default() };
    let mut world = World::<N>::new(map(seed), settings).unwrap();
    let mut scratch = Scratch::new();
    let weapons = 4;
    let mut orders: Vec<Order> =
        (0..weapons).map(|index| Order::Weapon { def: weapon(seed, index) }).collect();
    for (team, foes) in [(0, 2), (1, 1), (2, 3)] {
        let (speed, hold) = (6.0, false);
        orders.push(Order::Group { def: GroupDef { speed, hold, ..group(team, foes) } });
    }
    let whole = vec![Shape::Rect { min: [0.0; 2], max: [72.0; 2] }];
    for group in 0..3 {
        orders.push(Order::Spawn { group: GroupId::new(group), area: whole.clone(), count: 150 });
        let goal = vec![Shape::Disc { centre: [36.0, 36.0], radius: 20.0 }];
        orders.push(Order::Move { group: GroupId::new(group), goal });
    }
    let (mut fired, mut ends, mut fallen) = (0, [0; 4], 0);
    for at in 0..ALL {
        if at < FIRE {
            orders.extend((0..per_tick).map(|i| {
                let r = |k, range| random(seed, [at << 32 | i, k], range);
                let fast = speed(r(0, [0.0, 1.0]), [0, 3]);
                let axis = |k| r(k, [-1.0, 1.0]) * fast;
                Order::Launch {
                    group: GroupId::new((i % 3) as u16),
                    weapon: WeaponId::new((i / 3 % weapons) as u16),
                    from: [r(1, [0.0, 71.9]), r(2, [0.0, 71.9]), r(3, [-3.0, 12.0])],
                    velocity: [axis(4), axis(5), axis(6) * 0.3],
                }
            }));
            fired += per_tick;
        }
        tick(&mut world, &orders, &mut scratch);
        orders.clear();
        let done = world.outcomes().iter().all(|o| !o.is_refused());
        assert!(done, "{:?}", world.outcomes());
        for impact in world.impacts() {
            ends[match impact.struck {
                Struck::Agent(_) => 0,
                Struck::Ground => 1,
                Struck::Wall => 2,
                Struck::Nothing => 3,
            }] += 1;
        }
        fallen += world.fallen().len() as u64;
        let tallies = || world.weapons().iter().map(|weapon| weapon.tally);
        let sum = |pick: fn(&throng::world::Tally) -> u64| tallies().map(|t| pick(&t)).sum::<u64>();
        let all = [sum(|t| t.struck), sum(|t| t.ground), sum(|t| t.walls), sum(|t| t.lost)];
        let flying = world.projectiles().shot.len() as u64;
        assert_eq!((all, sum(|t| t.fired)), (ends, fired), "tick {at}");
        assert_eq!(fired, ends.iter().sum::<u64>() + flying, "tick {at}");
        assert_eq!((sum(|t| t.kills), world.len() as u64), (fallen, 450 - fallen));
        let by_group: u64 = world.groups().iter().map(|group| u64::from(group.fallen())).sum();
        assert_eq!(by_group, fallen);
        throng::state::validate(&world).unwrap();
    }
    (fired, ends, fallen)
}

#[test]
fn no_shot_is_lost_or_counted_twice() {
    fn all<N: Numbers>() -> u64 {
        let (mut fired, mut ends, mut fallen) = (0, [0; 4], 0);
        for seed in 0..12 {
            let (shots, ended, dead) = fire::<N>(seed, 75);
            fired += shots;
            fallen += dead;
            (0..4).for_each(|i| ends[i] += ended[i]);
        }
        assert!(ends.iter().all(|&count| count > 800) && fallen > 50, "{ends:?} {fallen}");
        fired
    }
    assert!(all::<f32>() + all::<Fx>() >= 100_000);
}
