//! A battle of ordered shots repeats: on any number of threads, in any lanes, from a snapshot, by a
//! rewind and from a replay; and what a snapshot says of shots is checked.

use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::math::Fx;
use throng::replay::{Driven, RecordOptions, Recorder, Replay, Rewind, verify};
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Settings, WeaponDef, World};
use throng::{GroupId, WeaponId, state};

use crate::common::crowd::{Case, Ids, blocks, ids};
use crate::flight::range::{group, random};

/// Two sides that walk into each other under fire: arrows, shells and missiles, hills and walls.
fn battle() -> Case {
    let height = |i: u32| (i % 80 / 16 * 9) as i16;
    let heights: Vec<i16> = (0..80 * 80).map(height).collect();
    let map = blocks(80, 80, 1.0, 21).with_heights(&heights, 3.0).unwrap();
    let weapons = [
        WeaponDef { damage: 40.0, friendly_fire: true, ..WeaponDef::default() },
        WeaponDef { splash: 4.0, damage: 80.0, ..WeaponDef::default() },
        WeaponDef { turn_rate: 2.0, splash: 1.0, lifetime: 3.0, ..WeaponDef::default() },
    ];
    let orders = move |at: u64, _: &Ids| {
        let mut orders = Vec::new();
        if at == 0 {
            orders.extend(weapons.iter().map(|def| Order::Weapon { def: def.clone() }));
            for (side, x) in [(0_u8, 2.0), (1, 58.0)] {
                let def = GroupDef { speed: 3.0, hold: false, ..group(side, 2 >> side) };
                let area = vec![Shape::Rect { min: [x, 2.0], max: [x + 20.0, 78.0] }];
                let goal = vec![Shape::Rect { min: [60.0 - x, 2.0], max: [80.0 - x, 78.0] }];
                let group = u16::from(side);
                orders.push(Order::Group { def });
                orders.push(Order::Spawn { group: GroupId::new(group), area, count: 500 });
                orders.push(Order::Move { group: GroupId::new(group), goal });
            }
        }
        orders.extend((0..if at < 60 { 40 } else { 0 }).map(|i| {
            let r = |k, range| random(31, [at << 32 | i, k], range);
            Order::Launch {
                group: GroupId::new((i % 2) as u16),
                weapon: WeaponId::new((i % 3) as u16),
                from: [r(0, [0.0, 79.9]), r(1, [0.0, 79.9]), r(2, [3.0, 30.0])],
                velocity: [r(3, [-30.0, 30.0]), r(4, [-30.0, 30.0]), r(5, [-20.0, 30.0])],
            }
        }));
        orders
    };
    let settings = Settings::default();
    Case { name: "battle", map, settings, ticks: 90, orders: Box::new(orders) }
}

#[test]
fn neither_threads_nor_lanes_change_a_battle() {
    fn same<N: Numbers>(case: &Case) {
        let expected = case.digests::<N::Wide>(1);
        for threads in [2, 3, 8] {
            assert_eq!(case.digests::<N::Wide>(threads), expected, "{threads} threads");
        }
        assert_eq!(case.digests::<N::Single>(3), expected, "one lane");
    }
    let case = battle();
    same::<f32>(&case);
    same::<Fx>(&case);
    // There is something to get wrong: most of it happens.
    let mut last = None;
    case.run::<<f32 as Numbers>::Wide>(|world| last = Some(world.clone()));
    for (index, weapon) in last.expect("a world").weapons().iter().enumerate() {
        let tally = weapon.tally;
        let least = tally.struck.min(tally.ground).min(tally.hurt);
        assert!(least > 8 && tally.kills > 0 && tally.walls + tally.lost > 0, "{index}: {tally:?}");
    }
}

/// A world in the middle of a battle.
fn middle<N: Numbers>(case: &Case) -> (World<N>, Scratch<N>) {
    let mut world = World::<N>::new(case.map.clone(), case.settings).unwrap();
    let mut scratch = Scratch::new();
    for at in 0..45 {
        let orders = (case.orders)(at, &ids(&world));
        tick(&mut world, &orders, &mut scratch);
    }
    assert!(world.projectiles().shot.len() > 100, "in the air");
    (world, scratch)
}

#[test]
fn a_battle_goes_on_from_a_snapshot_by_a_rewind_and_from_a_replay() {
    fn repeats<N: Numbers>(case: &Case) {
        let (mut world, mut scratch) = middle::<N>(case);
        let saved = state::save(&world);
        let mut other = World::<N>::new(case.map.clone(), case.settings).unwrap();
        state::restore(&mut other, &saved).unwrap();
        let mut fresh = Scratch::new();
        for at in 45..case.ticks {
            let orders = (case.orders)(at, &ids(&world));
            tick(&mut world, &orders, &mut scratch);
            tick(&mut other, &orders, &mut fresh);
            assert_eq!(state::digest(&world), state::digest(&other), "tick {at}");
            assert_eq!(world.impacts(), other.impacts());
        }
        let orders = |world: &World<N>| (case.orders)(world.tick_count(), &ids(world));
        for mut rewind in [Rewind::new(5), Rewind::reloading(5)] {
            let world = World::<N>::new(case.map.clone(), case.settings).unwrap();
            let mut subject = Driven::new(world, &orders);
            let fault = (0..case.ticks).find_map(|_| rewind.step(&mut subject).unwrap());
            assert_eq!(fault, None);
        }
        let mut world = World::<N>::new(case.map.clone(), case.settings).unwrap();
        let options: RecordOptions = case.name.into();
        let mut recorder = Recorder::start(&world, options, Vec::new()).unwrap();
        let mut scratch = Scratch::new();
        for at in 0..case.ticks {
            let orders = (case.orders)(at, &ids(&world));
            tick(&mut world, &orders, &mut scratch);
            recorder.tick(&world, &orders).unwrap();
        }
        let bytes = recorder.finish().unwrap();
        let verdict = verify(&Replay::read(&bytes).unwrap(), |_| ()).unwrap();
        assert_eq!((verdict.difference, verdict.ticks), (None, case.ticks));
    }
    let case = battle();
    repeats::<f32>(&case);
    repeats::<Fx>(&case);
}

/// Every bit of a few shots, flipped: refused, or the battle goes on from it, to its end.
#[test]
fn every_bit_of_a_shot_is_refused_or_played() {
    fn bits<N: Numbers>(case: &Case) {
        let (world, mut scratch) = middle::<N>(case);
        let (mut refused, mut played) = (0, 0);
        let columns = [("projectiles.pos", 12), ("projectiles.vel", 12), ("projectiles.shot", 24)];
        for (column, bytes) in columns {
            for bit in 0..8 * bytes {
                let row = bit * 3 % world.projectiles().shot.len();
                let mut flipped = world.clone();
                if state::plant(&mut flipped, column, row, bit).is_err() {
                    refused += 1;
                    continue;
                }
                played += 1;
                for _ in 0..3 {
                    tick(&mut flipped, &[], &mut scratch);
                    state::validate(&flipped).unwrap();
                }
            }
        }
        assert!(refused > 40 && played > 150, "{refused} refused, {played} played");
        // What no shot can say: another weapon or group than there are, a time that is up or that
        // no shot of this weapon has left, a weapon that has fired fewer.
        for (column, row, bit) in [
            ("projectiles.shot", 3, 32 + 9),
            ("projectiles.shot", 3, 48 + 9),
            ("projectiles.shot", 3, 96 + 20),
            ("projectiles.shot", 3, 96 + 31),
            ("projectiles.pos", 3, 31),
            ("weapons.tally", 0, 3),
        ] {
            let planted = state::plant(&mut world.clone(), column, row, bit);
            assert!(planted.is_err(), "{column} {row} {bit}");
        }
    }
    let case = battle();
    bits::<f32>(&case);
    bits::<Fx>(&case);
}
