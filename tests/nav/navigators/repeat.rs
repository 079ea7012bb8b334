//! The same bits for any number of threads and lanes, and after a restore in the middle.

use throng::lane::Numbers;
use throng::nav::navigator::Navigator;
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Settings, World};
use throng::{GroupId, state};

use crate::common::crowd::{Case, Ids, blocks};
use crate::common::stage::{disc, rect};

in_both!(threads_and_lanes_make_no_difference, a_world_goes_on_after_a_restore_in_the_middle);

/// A group of every navigator; they go, change sides, are assigned to each other, and leave.
fn orders(at: u64, ids: &Ids) -> Vec<Order> {
    let groups = Navigator::ALL.len() as u16;
    let goals = [disc([80.0, 80.0][0], 80.0, 9.0), disc(12.0, 80.0, 9.0), disc(80.0, 12.0, 9.0)];
    let go = |group: u16, goal: usize| Order::Move {
        group: GroupId::new(group),
        goal: goals[goal % 3].clone(),
    };
    match at {
        0 => {
            let group = |navigator: Navigator| Order::Group {
                def: GroupDef { navigator, radius: 0.3, ..GroupDef::default() },
            };
            let spawn = |group| Order::Spawn {
                group: GroupId::new(group),
                area: rect(2.0, 2.0, 50.0, 50.0),
                count: 60,
            };
            let go = |group| go(group, usize::from(group));
            let groups = || 0..groups;
            Navigator::ALL
                .map(group)
                .into_iter()
                .chain(groups().map(spawn))
                .chain(groups().map(go))
                .collect()
        }
        60 => (0..groups).map(|group| go(group, usize::from(group) + 1)).collect(),
        75 => {
            let some = ids.iter().filter(|(id, _)| id.index % 5 == 0).map(|(id, _)| *id);
            vec![
                Order::Assign { agents: some.collect(), group: GroupId::new(9) },
                Order::Stop { group: GroupId::new(3) },
            ]
        }
        80 => vec![
            Order::Remove { group: GroupId::new(9), area: Some(rect(10.0, 10.0, 30.0, 30.0)) },
            Order::Spawn { group: GroupId::new(4), area: rect(50.0, 2.0, 60.0, 12.0), count: 40 },
        ],
        _ => Vec::new(),
    }
}

fn case() -> Case {
    let map = blocks(92, 92, 1.0, 21);
    let settings = Settings { route_expansions_per_tick: 20, seed: 9, ..Settings::default() };
    Case { name: "navigators", map, settings, ticks: 140, orders: Box::new(orders) }
}

fn threads_and_lanes_make_no_difference<N: Numbers>() {
    let case = case();
    let expected = case.digests::<N::Wide>(1);
    for threads in 2..=4 {
        assert!(case.digests::<N::Wide>(threads) == expected, "{threads} threads");
    }
    assert!(case.digests::<N::Single>(3) == expected, "one lane");
}

fn a_world_goes_on_after_a_restore_in_the_middle<N: Numbers>() {
    let case = case();
    let mut world = World::<N>::new(case.map.clone(), case.settings).unwrap();
    let mut scratch = Scratch::new();
    let (mut images, mut digests, mut waiting) = (Vec::new(), Vec::new(), 0);
    for at in 0..case.ticks {
        if at % 7 == 0 {
            images.push((at, state::save(&world)));
            waiting += world.waiting_for_routes();
        }
        let orders = orders(at, &crate::common::crowd::ids(&world));
        tick(&mut world, &orders, &mut scratch);
        state::validate(&world).unwrap();
        digests.push(state::digest(&world));
    }
    assert!(waiting > 100, "some images are taken while agents wait: {waiting}");
    for (from, image) in images.iter().step_by(3) {
        // Once into a world that has gone on, once into one that knows nothing yet.
        let fresh = World::<N>::new(case.map.clone(), case.settings).unwrap();
        for (mut world, until) in [(world.clone(), case.ticks), (fresh, *from + 25)] {
            let mut scratch = Scratch::new();
            state::restore(&mut world, image).unwrap();
            assert!(state::save(&world) == *image, "tick {from}: the image of the image");
            for at in *from..until.min(case.ticks) {
                let orders = orders(at, &crate::common::crowd::ids(&world));
                tick(&mut world, &orders, &mut scratch);
                let (now, then) = (state::digest(&world), digests[at as usize]);
                assert_eq!(now, then, "from tick {from}, at tick {at}");
            }
        }
    }
}

#[test]
fn every_memory_of_a_way_counts() {
    let case = case();
    let settings = Settings { route_expansions_per_tick: 10, ..case.settings };
    let mut world = World::<f32>::new(case.map.clone(), settings).unwrap();
    let mut scratch = Scratch::new();
    for at in 0..40 {
        tick(&mut world, &orders(at, &Vec::new()), &mut scratch);
    }
    let digest = state::digest(&world);
    // Column, row, bit: whatever is changed shows, or is refused.
    let mut refused = 0;
    let bits = [
        ("navigation.point", 300, 5),
        ("navigation.step", 300, 9),
        ("navigation.step", 300, 16),
        ("navigation.step", 540, 40),
        ("navigation.route", 540, 70),
        ("navigation.queue", 0, 1),
        ("navigation.debt", 3, 2),
        ("navigation.crumbs", 1, 0),
        ("navigation.area", 2, 1),
        ("navigation.seeds", 1, 1),
        ("navigation.step", 300, 63),
        ("navigation.queue", 0, 31),
        ("navigation.crumbs", 1, 31),
        ("groups.traits", 2, 25 * 64 + 62),
    ];
    for (column, row, bit) in bits {
        let mut other = world.clone();
        match state::plant(&mut other, column, row, bit) {
            Ok(()) => assert_ne!(state::digest(&other), digest, "{column}, {row}, {bit}"),
            Err(_) => {
                refused += 1;
                assert_eq!(state::digest(&other), digest, "{column}, {row}, {bit}");
            }
        }
        // Whatever it holds, a tick goes through.
        tick(&mut other, &[], &mut Scratch::new());
    }
    assert!((3..=5).contains(&refused), "{refused} were refused");
}
