//! Halting agents stand while they have a target, and walk on, or go back to their place, when it is gone.

use throng::GroupId;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::math::{Fx, Num};
use throng::tick::{Scratch, tick};
use throng::world::{Avoidance, GroupDef, Order, WeaponDef, World, state};

use crate::aim::{apart, armed, join, open, row, side};

fn weapon() -> WeaponDef {
    WeaponDef { range: 30.0, damage: 0.0, retarget: 0.2, ..WeaponDef::default() }
}

fn place<N: Numbers>(world: &World<N>, id: Id) -> [f64; 2] {
    world.positions()[row(world, id)].map(Num::to_f64)
}

fn run<N: Numbers>(world: &mut World<N>, orders: &[Order], ticks: u32) {
    let mut scratch = Scratch::new();
    tick(world, orders, &mut scratch);
    (1..ticks).for_each(|_| tick(world, &[], &mut scratch));
    throng::state::validate(world).unwrap();
}

/// How far one walks in 10 s with a target in range all the time, and in the next 10 s without.
fn walked<N: Numbers>(def: GroupDef) -> [f64; 2] {
    let mut world = armed::<N>(open(80, 20), &[weapon()]);
    let marcher = join(&mut world, def, &[[20.0, 10.0]])[0];
    join(&mut world, side(1, 0, None), &[[21.0, 2.0]]);
    let goal = vec![Shape::Disc { centre: [74.0, 10.0], radius: 3.0 }];
    run(&mut world, &[Order::Move { group: GroupId::new(0), goal }], 200);
    let there = place(&world, marcher)[0];
    assert!(world.target(marcher).is_some() || there > 40.0);
    run(&mut world, &[Order::Remove { group: GroupId::new(1), area: None }], 200);
    [there - 20.0, place(&world, marcher)[0] - there]
}

fn halts<N: Numbers>() {
    for avoidance in [Avoidance::Separation, Avoidance::Orca, Avoidance::None] {
        let def = GroupDef { avoidance, ..side(0, 0b10, Some(0)) };
        let [with, without] = walked::<N>(def.clone());
        assert!(with.abs() < 1.0, "{avoidance:?}: {with} m with a target");
        assert!(without > 12.0, "{avoidance:?}: {without} m without");
        let [with, _] = walked::<N>(GroupDef { halts: false, ..def });
        assert!(with > 12.0, "{avoidance:?}: {with} m by one who does not halt");
    }
}

#[test]
fn marchers_halt_and_walk_on() {
    halts::<f32>();
    halts::<Fx>();
}

/// An agent that halts in the area of its goal does not settle there: it walks on to its place.
#[test]
fn nobody_settles_where_it_fights() {
    let mut world = armed::<f32>(open(80, 20), &[weapon()]);
    let marcher = join(&mut world, side(0, 0b10, Some(0)), &[[62.0, 10.0]])[0];
    let goal = vec![Shape::Rect { min: [63.0, 4.0], max: [79.0, 16.0] }];
    run(&mut world, &[Order::Move { group: GroupId::new(0), goal }], 40);
    let was = world.tags()[row(&world, marcher)].state;
    assert!(was & state::ARRIVED != 0 && was & state::SETTLED == 0, "it is in the area: {was}");
    let foes = world.add_group(side(1, 0, None)).unwrap();
    world.spawn(foes, &[[60.0, 3.0]]).unwrap();
    run(&mut world, &[], 400);
    let stood = place(&world, marcher);
    assert_eq!(world.tags()[row(&world, marcher)].state & state::SETTLED, 0, "it fights");
    run(&mut world, &[Order::Remove { group: foes, area: None }], 300);
    let now = place(&world, marcher);
    assert!(apart(now, stood) > 2.0, "{stood:?} to {now:?}");
    assert!(world.tags()[row(&world, marcher)].state & state::SETTLED != 0);
}

/// An agent that was pushed away from its place and halts there goes back when the fight is over.
#[test]
fn home_is_where_it_was() {
    let mut world = armed::<f32>(open(40, 40), &[weapon()]);
    let guard = join(&mut world, side(0, 0b10, Some(0)), &[[20.0, 20.0]])[0];
    let pusher =
        world.add_group(GroupDef { radius: 2.0, weight: 50.0, ..side(0, 0, None) }).unwrap();
    world.spawn(pusher, &[[14.0, 20.0]]).unwrap();
    let foes = world.add_group(side(1, 0, None)).unwrap();
    world.spawn(foes, &[[20.0, 36.0]]).unwrap();
    let to = vec![Shape::Point { at: [19.2, 20.2] }];
    run(&mut world, &[Order::Move { group: pusher, goal: to }], 260);
    run(&mut world, &[Order::Remove { group: pusher, area: None }], 600);
    let away = place(&world, guard);
    let far = |at: [f64; 2]| apart(at, [20.0, 20.0]);
    assert!(far(away) > 1.0, "it makes way, and stands at {away:?} while it fights");
    run(&mut world, &[Order::Remove { group: foes, area: None }], 300);
    assert!(far(place(&world, guard)) < 0.4, "it is at {:?}", place(&world, guard));
}
