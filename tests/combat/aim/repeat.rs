//! A fight gives the same bits for all threads and lane widths, and after save, restore and rewind;
//! without weapons there is nothing to do.

use throng::GroupId;
use throng::lane::{Lane, Numbers};
use throng::replay::{Driven, Rewind};
use throng::state::digest;
use throng::tick::{Scratch, tick_with};
use throng::world::{Choice, GroupDef, Order, WeaponDef, World};

use crate::aim::{armed, side};
use crate::common::crowd::{blocks, on_threads};

in_both!(a_fight_is_the_same_for_all, a_fight_can_be_rewound);

/// Three sides with four kinds of weapon among walls, close to each other.
pub(crate) fn battle<N: Numbers>() -> World<N> {
    let map = blocks(90, 90, 1.0, 3);
    let weapon = |choice: Choice, sticky: bool| WeaponDef {
        choice,
        sticky,
        cooldown: 0.7,
        retarget: 0.4,
        spread: 0.05,
        damage: 30.0,
        ..WeaponDef::default()
    };
    let weapons = [
        weapon(Choice::Nearest, true),
        WeaponDef { sight: true, gravity: 0.0, ..weapon(Choice::Weakest, false) },
        WeaponDef { splash: 3.0, min_range: 10.0, ..weapon(Choice::Threat, false) },
        WeaponDef { turn_rate: 4.0, gravity: 0.0, speed: 15.0, ..weapon(Choice::Nearest, false) },
    ];
    let mut world = armed::<N>(map, &weapons);
    for group in 0..6_u16 {
        let (team, speed) = ((group % 3) as u8, 1.0 + f64::from(group) / 4.0);
        let def = GroupDef { speed, ..side(team, 0b111 & !(1 << team), Some(group % 4)) };
        world.add_group(def).unwrap();
        let places = (0..600_u64).map(|i| {
            let random =
                |axis| throng::math::unit_f64(throng::math::hash3(i, axis, u64::from(group)));
            [random(0) * 90.0, random(1) * 90.0]
        });
        let open = |at: &[f64; 2]| world.is_open(at.map(N::from_f64));
        let places: Vec<_> = places.filter(open).take(300).collect();
        world.spawn(GroupId::new(group), &places).unwrap();
    }
    world
}

fn digests<L: Lane>(threads: usize, ticks: u32) -> Vec<u64> {
    on_threads(threads, || {
        let (mut world, mut scratch) = (battle::<L::Num>(), Scratch::new());
        let mut one = |_| {
            tick_with::<L>(&mut world, &[], &mut scratch, &mut ());
            throng::state::validate(&world).unwrap();
            digest(&world)
        };
        let all = (0..ticks).map(&mut one).collect();
        let fired: Vec<_> = world.weapons().iter().map(|weapon| weapon.tally.fired).collect();
        assert!(fired.iter().all(|&fired| fired > 100), "{fired:?}");
        all
    })
}

fn a_fight_is_the_same_for_all<N: Numbers>() {
    let expected = digests::<N::Wide>(1, 60);
    for threads in [1, 2, 3, 8] {
        assert_eq!(digests::<N::Wide>(threads, 60), expected, "{threads} threads");
    }
    assert_eq!(digests::<N::Single>(3, 60), expected, "one lane");
}

fn a_fight_can_be_rewound<N: Numbers>() {
    let orders = |_: &World<N>| Vec::<Order>::new();
    for mut rewind in [Rewind::new(1), Rewind::new(6), Rewind::reloading(5)] {
        let mut subject = Driven::new(battle::<N>(), &orders);
        assert_eq!((0..40).find_map(|_| rewind.step(&mut subject).unwrap()), None);
        assert!(subject.world.weapons()[0].tally.fired > 100);
        assert_eq!(Rewind::unseen(&subject), Vec::<String>::new());
    }
}
