//! Shots: when they are fired, how many, how they spread, and that they hit.

use std::collections::BTreeMap;

use throng::GroupId;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::Map;
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Power, ShotArc, Struck, WeaponDef, World};

use crate::aim::{armed, fired, join, open, side};

in_both!(
    shots_come_a_cooldown_apart,
    errors_of_launches_are_spread_as_stated,
    shots_without_spread_hit
);

/// A line of men, each alone.
fn line(y: f64, count: u32) -> Vec<[f64; 2]> {
    (0..count).map(|i| [5.0 + 3.0 * f64::from(i), y]).collect()
}

/// The ticks at which each agent fired.
fn ticks_of_shots<N: Numbers>(world: &mut World<N>, ticks: u64) -> BTreeMap<u32, Vec<u64>> {
    let (mut scratch, mut all) = (Scratch::new(), BTreeMap::<_, Vec<_>>::new());
    for at in 0..ticks {
        tick(world, &[], &mut scratch);
        throng::state::validate(world).unwrap();
        for shot in fired(world) {
            all.entry(shot.shooter).or_default().push(at);
        }
    }
    all
}

/// Shots come exactly a cooldown apart, the first one at most two seconds, or a cooldown, after
/// the first choice; and not all at once.
fn cadence<N: Numbers>(cooldown: f64) {
    // All choose in the first tick.
    let weapon = WeaponDef { cooldown, damage: 0.0, retarget: 0.05, ..WeaponDef::default() };
    let mut world = armed::<N>(open(160, 40), &[weapon]);
    let shooters = join(&mut world, side(0, 0b10, Some(0)), &line(5.0, 40));
    join(&mut world, side(1, 0, None), &line(35.0, 40));
    let (ticks, period) = (1_200, (cooldown * 20.0).ceil() as u64);
    let all = ticks_of_shots(&mut world, ticks);
    let mut first = Vec::new();
    for id in &shooters {
        let shots = &all[&id.index];
        assert!(shots[0] <= period.min(40), "{id} fires first at {}", shots[0]);
        first.push(shots[0]);
        assert!(shots.windows(2).all(|w| w[1] - w[0] == period), "{id}: {shots:?}");
        // A minute's shots: as many as there are whole cooldowns left.
        assert_eq!(shots.len() as u64, (ticks - 1 - shots[0]) / period + 1);
    }
    first.sort_unstable();
    first.dedup();
    assert!(3 * first.len() as u64 > period.min(40), "they begin at {first:?}");
    let total: usize = all.values().map(Vec::len).sum();
    assert_eq!(world.weapons()[0].tally.fired, total as u64);
}

fn shots_come_a_cooldown_apart<N: Numbers>() {
    // The last one is not a whole number of ticks.
    for cooldown in [0.05, 3.0, 1.01] {
        cadence::<N>(cooldown);
    }
}

/// Every agent chooses once in `retarget` ticks, at ticks of its own.
#[test]
fn choices_are_spread_over_ticks() {
    let weapon = WeaponDef { retarget: 1.0, ..WeaponDef::default() };
    let mut world = armed::<f32>(open(160, 40), &[weapon]);
    let shooters = join(&mut world, side(0, 0b10, Some(0)), &line(5.0, 50));
    join(&mut world, side(1, 0, None), &line(35.0, 50));
    let (mut scratch, mut chosen) = (Scratch::new(), Vec::new());
    for _ in 0..20 {
        let before = shooters.iter().filter(|&&id| world.target(id).is_some()).count();
        tick(&mut world, &[], &mut scratch);
        let after = shooters.iter().filter(|&&id| world.target(id).is_some()).count();
        chosen.push(after - before);
    }
    assert_eq!(chosen.iter().sum::<usize>(), 50, "{chosen:?}");
    assert!(chosen.iter().all(|&n| (2..=3).contains(&n)), "{chosen:?}");
}

/// The launch velocities of shots that were just fired, by shooter.
fn launches<N: Numbers>(spread: f64, seed: u64) -> Vec<(u32, u64, [f64; 3])> {
    // Fast and for a target far away, so that every shot is still in the air when it is looked at.
    let weapon = WeaponDef {
        spread,
        speed: 100.0,
        cooldown: 0.05,
        damage: 0.0,
        gravity: 0.0,
        range: 600.0,
        ..WeaponDef::default()
    };
    let mut world = World::<N>::new(
        open(500, 40),
        throng::world::Settings { seed, ..throng::world::Settings::default() },
    )
    .unwrap();
    world.add_weapon(weapon).unwrap();
    let at: Vec<_> = (0..20).map(|i| [5.0, 5.0 + 1.5 * f64::from(i)]).collect();
    join(&mut world, side(0, 0b10, Some(0)), &at);
    join(&mut world, side(1, 0, None), &[[490.0, 20.0]]);
    let (mut scratch, mut all) = (Scratch::new(), Vec::new());
    for at in 0..100 {
        tick(&mut world, &[], &mut scratch);
        let shots = world.projectiles();
        let fresh = fired(&world);
        for (shot, vel) in shots.shot.iter().zip(shots.vel.iter()) {
            if fresh.contains(shot) {
                all.push((shot.shooter, at, vel.map(N::to_f64)));
            }
        }
    }
    all.sort_unstable_by_key(|&(shooter, at, _)| (shooter, at));
    all
}

fn spread<N: Numbers>() {
    let (exact, wide) = (launches::<N>(0.0, 1), launches::<N>(0.2, 1));
    assert!(exact.len() > 1_200, "{} shots", exact.len());
    assert_eq!(wide, launches::<N>(0.2, 1), "the same seed");
    assert_ne!(wide, launches::<N>(0.2, 2), "another seed");
    let (mut sums, mut squares, mut across) = ([0.0; 3], [0.0; 3], 0.0);
    for (wide, exact) in wide.iter().zip(&exact) {
        assert_eq!((wide.0, wide.1), (exact.0, exact.1));
        let error = [0, 1, 2].map(|i| (wide.2[i] - exact.2[i]) / 20.0);
        for i in 0..3 {
            assert!(error[i].abs() < 1.0, "{error:?}");
            sums[i] += error[i];
            squares[i] += error[i] * error[i];
        }
        across += error[0] * error[1] + error[1] * error[2] + error[2] * error[0];
    }
    // The sum of two uniform errors has a variance of a sixth; the mean's deviation is 0.41 / √n.
    let n = wide.len() as f64;
    for i in 0..3 {
        assert!((sums[i] / n).abs() < 0.05, "mean {}", sums[i] / n);
        assert!((squares[i] / n - 1.0 / 6.0).abs() < 0.03, "variance {}", squares[i] / n);
    }
    assert!((across / n).abs() < 0.05, "components differ in their errors: {}", across / n);
}

fn errors_of_launches_are_spread_as_stated<N: Numbers>() {
    spread::<N>();
}

/// Hits and misses of the only weapon in so many ticks; other shots are still in the air.
fn struck<N: Numbers>(world: &mut World<N>, orders: &[Order], ticks: u64) -> [u64; 2] {
    let mut scratch = Scratch::new();
    tick(world, orders, &mut scratch);
    let mut misses = 0;
    for _ in 1..ticks {
        tick(world, &[], &mut scratch);
        throng::state::validate(world).unwrap();
        misses += world.impacts().iter().filter(|i| !matches!(i.struck, Struck::Agent(_))).count();
    }
    let tally = world.weapons()[0].tally;
    assert_eq!(tally.struck + misses as u64 + tally.in_flight(), tally.fired, "{tally:?}");
    [tally.struck, misses as u64]
}

/// Without spread, every shot at an agent that stands, or walks straight on, hits.
fn hits<N: Numbers>(map: &Map, weapon: WeaponDef, walks: bool) {
    let weapon = WeaponDef { spread: 0.0, damage: 0.0, cooldown: 0.5, ..weapon };
    let name = format!("{:?} {walks} {weapon:?}", N::NUMERIC);
    let mut world = armed::<N>(map.clone(), &[weapon]);
    let foe = GroupDef { acceleration: 100.0, response: 0.05, ..side(1, 0, None) };
    join(&mut world, side(0, 0b10, Some(0)), &[[50.0, 12.0], [52.0, 12.0], [54.0, 13.0]]);
    join(&mut world, foe, &[[12.0, 50.0]]);
    let point = throng::map::area::Shape::Point { at: [88.0, 50.0] };
    let orders = walks.then(|| Order::Move { group: GroupId::new(1), goal: vec![point] });
    // It walks straight on for 76 m, at 1.4 m/s.
    let [struck, misses] = struck(&mut world, orders.as_slice(), 900);
    assert!(struck > 150, "{struck} hits, {misses} misses: {name}");
    // The first shots are fired while the target is still gathering speed.
    let most = if walks { 6 } else { 0 };
    assert!(misses <= most, "{struck} hits, {misses} misses: {name}");
}

/// A hillside of steps between shooter and target.
fn hills() -> Map {
    let heights: Vec<i16> = (0..100 * 100).map(|i| 16 * ((i / 100) / 8) as i16).collect();
    open(100, 100).with_heights(&heights, 3.0).unwrap()
}

fn shots_without_spread_hit<N: Numbers>() {
    let plain = WeaponDef { range: 90.0, ..WeaponDef::default() };
    let kinds = [
        plain.clone(),
        WeaponDef { arc: ShotArc::High, ..plain.clone() },
        WeaponDef { power: Power::Least, ..plain.clone() },
        WeaponDef { gravity: 0.0, speed: 200.0, ..plain.clone() },
        WeaponDef { turn_rate: 3.0, gravity: 0.0, ..plain },
    ];
    for kind in kinds {
        for map in [open(100, 100), hills()] {
            for walks in [false, true] {
                hits::<N>(&map, kind.clone(), walks);
            }
        }
    }
}

/// An agent that cannot reach its target drops it, fires no shot, and chooses again.
#[test]
fn targets_out_of_reach_are_dropped() {
    // 10 m/s reach 10 m, not 30.
    let weapon = WeaponDef { range: 60.0, speed: 10.0, retarget: 0.5, ..WeaponDef::default() };
    let mut world = armed::<f32>(open(60, 60), &[weapon]);
    let shooter = join(&mut world, side(0, 0b10, Some(0)), &[[10.0, 10.0]])[0];
    join(&mut world, side(1, 0, None), &[[40.0, 10.0]]);
    let (mut scratch, mut with, mut drops) = (Scratch::new(), 0, 0);
    for _ in 0..400 {
        let had = world.target(shooter).is_some();
        tick(&mut world, &[], &mut scratch);
        let has = world.target(shooter).is_some();
        with += u32::from(has);
        drops += u32::from(had && !has);
    }
    assert_eq!(world.weapons()[0].tally.fired, 0);
    // Before its first shot would be due, and never again for longer than a tick.
    assert!(with <= 41 && drops <= 1, "{with} ticks with a target, dropped {drops} times");
}

/// Sticky agents keep a target that is no longer the nearest; others do not.
#[test]
fn only_sticky_agents_stick() {
    for sticky in [true, false] {
        let weapon = WeaponDef { sticky, retarget: 0.1, damage: 0.0, ..WeaponDef::default() };
        let mut world = armed::<f32>(open(60, 20), &[weapon]);
        let shooter = join(&mut world, side(0, 0b10, Some(0)), &[[5.0, 10.0]])[0];
        let first = join(&mut world, side(1, 0, None), &[[30.0, 10.0]])[0];
        let mut scratch = Scratch::new();
        (0..5).for_each(|_| tick(&mut world, &[], &mut scratch));
        assert_eq!(world.target(shooter), Some(first));
        let nearer = world.spawn(GroupId::new(1), &[[20.0, 10.0]]).unwrap()[0];
        (0..5).for_each(|_| tick(&mut world, &[], &mut scratch));
        assert_eq!(world.target(shooter), Some(if sticky { first } else { nearer }));
    }
}

/// The target of a shooter before and after a change.
fn after(change: impl Fn(Id, Id) -> Vec<Order>) -> [Option<Id>; 2] {
    let weapon = WeaponDef { range: 40.0, retarget: 60.0, damage: 0.0, ..WeaponDef::default() };
    let mut world = armed::<f32>(open(60, 20), &[weapon]);
    let shooter = join(&mut world, side(0, 0b10, Some(0)), &[[5.0, 10.0]])[0];
    let foe = join(&mut world, side(1, 0, None), &[[30.0, 10.0]])[0];
    world.add_group(side(0, 0, None)).unwrap();
    world.add_group(GroupDef { health: 0.0, ..side(1, 0, None) }).unwrap();
    // Another foe, out of reach: there is still an enemy.
    join(&mut world, side(1, 0, None), &[[58.0, 10.0]]);
    let mut scratch = Scratch::new();
    // The first choice is due at tick 0, the next a minute later.
    tick(&mut world, &[], &mut scratch);
    let before = world.target(shooter);
    assert_eq!(before, Some(foe));
    tick(&mut world, &change(shooter, foe), &mut scratch);
    [before, world.target(shooter)]
}

/// A target is dropped when it is removed, changes sides, or cannot be hurt any more; not otherwise.
#[test]
fn targets_are_dropped_at_once() {
    let [before, still] = after(|_, _| Vec::new());
    assert_eq!(before, still);
    let changes: [fn(Id, Id) -> Vec<Order>; 3] = [
        |_, _| vec![Order::Remove { group: GroupId::new(1), area: None }],
        |_, foe| vec![Order::Assign { agents: vec![foe], group: GroupId::new(2) }],
        |_, foe| vec![Order::Assign { agents: vec![foe], group: GroupId::new(3) }],
    ];
    for change in changes {
        assert_eq!(after(change)[1], None);
    }
    // An agent that has no weapon any more has no use for a target.
    let [_, now] =
        after(|shooter, _| vec![Order::Assign { agents: vec![shooter], group: GroupId::new(2) }]);
    assert_eq!(now, None);
}

/// An agent that gets the id of a killed one is not aimed at for that.
#[test]
fn an_id_used_again_is_nobodys_target() {
    let weapon = WeaponDef { retarget: 60.0, spread: 0.0, damage: 200.0, ..WeaponDef::default() };
    let mut world = armed::<f32>(open(60, 20), &[weapon]);
    let shooter = join(&mut world, side(0, 0b10, Some(0)), &[[5.0, 10.0]])[0];
    let foe = join(&mut world, side(1, 0, None), &[[30.0, 10.0]])[0];
    let mut scratch = Scratch::new();
    for _ in 0..200 {
        if world.is_alive(foe) {
            tick(&mut world, &[], &mut scratch);
        }
    }
    assert!(!world.is_alive(foe), "it is hit");
    let next = world.spawn(GroupId::new(1), &[[30.0, 10.0]]).unwrap()[0];
    assert_eq!(next.index, foe.index);
    let fired = world.weapons()[0].tally.fired;
    // Long enough for another shot, and not for another choice.
    (0..100).for_each(|_| tick(&mut world, &[], &mut scratch));
    assert_eq!(world.target(shooter), None);
    assert_eq!(world.weapons()[0].tally.fired, fired);
}

/// A choice that needs sight looks at sixteen candidates and no more.
#[test]
fn sixteen_candidates_are_looked_at() {
    for (hidden, found) in [(15, true), (16, false)] {
        let wall = |i: u32| i % 60 == 13 && (10..30).contains(&(i / 60));
        let cells: Vec<u8> = (0..60 * 40).map(|i| if wall(i) { 0 } else { 16 }).collect();
        let weapon = WeaponDef { sight: true, retarget: 0.05, ..WeaponDef::default() };
        let map = Map::from_slowness(60, 40, 1.0, &cells);
        let mut world = armed::<f32>(map, &[weapon]);
        let shooter = join(&mut world, side(0, 0b10, Some(0)), &[[10.5, 20.0]])[0];
        let behind = |i| [16.5 + f64::from(i % 4), 18.0 + f64::from(i / 4)];
        join(&mut world, side(1, 0, None), &(0..hidden).map(behind).collect::<Vec<_>>());
        let seen = world.spawn(GroupId::new(1), &[[10.5, 38.0]]).unwrap()[0];
        tick(&mut world, &[], &mut Scratch::new());
        assert_eq!(world.target(shooter), found.then_some(seen), "{hidden} are hidden");
    }
}
