//! Ways around agents that stand and hold their place.

use throng::lane::Numbers;
use throng::map::Map;
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Outcome};
use throng::{GroupId, state};

use crate::common::stage::{Stage, map, rect};

in_both!(a_cordon_with_a_gap_is_walked_round, a_complete_cordon_sends_walkers_by_another_street);

/// A line of agents that hold their place, from one y to another.
fn cordon<N: Numbers>(stage: &mut Stage<N>, x: f64, from: f64, to: f64) -> GroupId {
    let count = ((to - from) / 0.65).round() as u32;
    let step = (to - from) / f64::from(count);
    let places: Vec<[f64; 2]> =
        (0..count).map(|i| [x, from + (f64::from(i) + 0.5) * step]).collect();
    stage.group(GroupDef { hold: true, ..GroupDef::default() }, &places)
}

/// A hundred walkers on the left of a map, and their goal on its right.
fn walkers<N: Numbers>(ground: Map, start: [f64; 4], goal: [f64; 4]) -> (Stage<N>, GroupId) {
    let mut stage = Stage::<N>::new(ground);
    let group = stage.world.add_group(GroupDef::default()).unwrap();
    let [x0, y0, x1, y1] = start;
    let outcome = stage.order(Order::Spawn { group, area: rect(x0, y0, x1, y1), count: 100 });
    assert_eq!(outcome, Outcome::Done { agents: 100 });
    let [x0, y0, x1, y1] = goal;
    stage.send(group, rect(x0, y0, x1, y1));
    (stage, group)
}

fn a_cordon_with_a_gap_is_walked_round<N: Numbers>() {
    let (mut stage, _) =
        walkers::<N>(map(100, 20, &[]), [2.0, 1.0, 20.0, 15.0], [80.0, 0.0, 100.0, 20.0]);
    cordon(&mut stage, 50.5, 0.0, 16.0);
    let ticks = stage.until(2_400, |stage| stage.world.arrived() == 100);
    eprintln!("gap: {ticks:?} ticks, {} arrived", stage.world.arrived());
    assert!(ticks.is_some(), "{} of 100 got past a cordon with a gap", stage.world.arrived());
}

fn a_complete_cordon_sends_walkers_by_another_street<N: Numbers>() {
    // Two streets, 20 m and 8 m wide, with houses between; the other one is a detour of some 80 m.
    let ground = map(100, 80, &[[20, 20, 80, 72]]);
    let (mut stage, _) = walkers::<N>(ground, [2.0, 1.0, 18.0, 19.0], [82.0, 0.0, 100.0, 20.0]);
    let hold = cordon(&mut stage, 50.5, 0.0, 20.0);
    let ticks = stage.until(4_000, |stage| stage.world.arrived() == 100);
    eprintln!("other street: {ticks:?} ticks, {} arrived", stage.world.arrived());
    assert!(ticks.is_some(), "{} of 100 took the other street", stage.world.arrived());
    // Once the street is free again they go through it.
    stage.order(Order::Remove { group: hold, area: None });
    stage.send(GroupId::new(0), rect(0.0, 0.0, 18.0, 20.0));
    let back = stage.until(3_000, |stage| stage.world.arrived() == 100);
    let back = back.unwrap_or_else(|| panic!("{} came back", stage.world.arrived()));
    assert!(back < ticks.unwrap_or(0), "{back} ticks on the way back");
}

#[test]
fn without_another_way_the_field_still_leads_through() {
    let (mut stage, group) =
        walkers::<f32>(map(60, 20, &[]), [2.0, 1.0, 20.0, 19.0], [50.0, 0.0, 60.0, 20.0]);
    let hold = cordon(&mut stage, 40.5, 0.0, 20.0);
    (0..200).for_each(|_| stage.tick());
    let [x, y] = stage.world.flow(group, [25.0, 10.0]).unwrap();
    assert!(x > 0.9, "({x}, {y})");
    stage.order(Order::Remove { group: hold, area: None });
    assert!(stage.until(1_200, |stage| stage.world.arrived() == 100).is_some());
}

#[test]
fn held_ground_is_kept_in_snapshots_and_digests() {
    let (mut stage, _) =
        walkers::<f32>(map(60, 20, &[]), [2.0, 1.0, 20.0, 19.0], [50.0, 0.0, 60.0, 20.0]);
    cordon(&mut stage, 40.5, 0.0, 16.0);
    (0..70).for_each(|_| stage.tick());
    let image = state::save(&stage.world);
    let mut other =
        throng::world::World::<f32>::new(map(60, 20, &[]), *stage.world.settings()).unwrap();
    state::restore(&mut other, &image).unwrap();
    assert!(state::save(&other) == image);
    let mut scratch = Scratch::new();
    for at in 0..120 {
        assert_eq!(state::digest(&other), state::digest(&stage.world), "tick {at}");
        tick(&mut other, &[], &mut scratch);
        stage.tick();
    }
    let mut planted = stage.world.clone();
    state::plant(&mut planted, "crowding.held", 62, 3).unwrap();
    assert_ne!(state::digest(&planted), state::digest(&stage.world));
}
