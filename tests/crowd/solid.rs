//! Agents that choose their velocity stay solid in the densest crowds: none comes nearer to another than it
//! can stand.

use crate::common::stage::{Stage, distance, map};
use crate::common::sweep::Sweep;
use std::ops::Range;
use throng::lane::Numbers;
use throng::math::Fx;
use throng::world::Avoidance;
use throng::{GroupDef, Map, Settings, Shape, Simulation};

/// The pairs deeper than a share of a radius, per 1,000 agents: the most at any second, and the mean.
fn deeper<N: Numbers>(sim: &mut Simulation<N>, share: f64, seconds: u32) -> [f64; 2] {
    let mut sweep = Sweep::default();
    let [mut most, mut sum] = [0.0_f64; 2];
    for _ in 0..seconds {
        (0..20).for_each(|_| sim.step());
        let pairs = sweep.pairs_deeper(sim.world(), share, |_| true) as f64;
        let pairs = pairs / (sim.world().len() as f64 / 1_000.0);
        (most, sum) = (most.max(pairs), sum + pairs);
    }
    [most, sum / f64::from(seconds)]
}

fn walker() -> GroupDef {
    let avoidance = Avoidance::Orca;
    GroupDef { speed: 2.2, acceleration: 5.0, avoidance, ..GroupDef::default() }
}

/// Two dense blocks of one group converge at their goal. Where agents do not look back as they give way, up
/// to 11 pairs of 1,000 agents are deeper than a quarter of a radius.
fn converge<N: Numbers>() {
    let map = Map::from_slowness(120, 60, 1.0, &[16; 120 * 60]);
    let mut sim = Simulation::<N>::new(map, Settings::default()).unwrap();
    let group = sim.add_group(walker()).unwrap();
    for x in [5.0, 85.0] {
        sim.spawn(group, Shape::rect([x, 15.0], [x + 30.0, 45.0]), 2_600).unwrap();
    }
    sim.send(group, Shape::rect([50.0, 10.0], [70.0, 20.0])).unwrap();
    let [most, _] = deeper(&mut sim, 0.25, 30);
    assert!(most < 2.0, "{}: {most} pairs of 1,000 agents", N::NUMERIC.word());
}

#[test]
fn dense_crowds_that_converge_stay_solid() {
    converge::<f32>();
    converge::<Fx>();
}

/// Two rooms with a gate between them, which lies in these rows of cells of half a metre; and an area in
/// each.
fn rooms<N: Numbers>(gate: Range<usize>) -> (Simulation<N>, [Shape; 2]) {
    let is_wall = |x: usize, y: usize| (59..61).contains(&x) && !gate.contains(&y);
    let slowness = |x, y| if is_wall(x, y) { 0 } else { 16 };
    let cells = (0..100).flat_map(|y| (0..120).map(move |x| [x, y]));
    let cells: Vec<u8> = cells.map(|[x, y]| slowness(x, y)).collect();
    let map = Map::from_slowness(120, 100, 0.5, &cells);
    let sides = [Shape::rect([9.5, 15.0], [23.5, 35.0]), Shape::rect([36.5, 15.0], [50.5, 35.0])];
    (Simulation::new(map, Settings::default()).unwrap(), sides)
}

/// Two groups of 200 meet at a gate of 3 m. Where they squeeze past each other down to 0.6 of their radii, on
/// average five pairs of 1,000 agents are deeper than half a radius.
fn meet<N: Numbers>() {
    let (mut sim, sides) = rooms::<N>(47..53);
    for [from, to] in [[0, 1], [1, 0]] {
        let group = sim.add_group(GroupDef { avoidance: Avoidance::Orca, ..GroupDef::default() });
        let group = group.unwrap();
        sim.spawn(group, sides[from].clone(), 200).unwrap();
        sim.send(group, sides[to].clone()).unwrap();
    }
    let [_, mean] = deeper(&mut sim, 0.5, 120);
    let (name, arrived) = (N::NUMERIC.word(), sim.world().arrived());
    assert!(mean < 0.2, "{name}: {mean} pairs of 1,000 agents");
    assert!(arrived > 380, "{name}: {arrived} are in");
}

#[test]
fn crowds_that_meet_at_a_gate_stay_solid() {
    meet::<f32>();
    meet::<Fx>();
}

/// 200 quick agents go through a gate of 2 m. Agents that follow neighbours which they overlap, and which may
/// stop at once, get deeper than half a radius.
fn queue<N: Numbers>() {
    let (mut sim, [from, to]) = rooms::<N>(48..52);
    let group = sim.add_group(GroupDef::preset("rts").unwrap()).unwrap();
    sim.spawn(group, from, 200).unwrap();
    sim.send(group, to).unwrap();
    let [most, _] = deeper(&mut sim, 0.5, 60);
    let (name, arrived) = (N::NUMERIC.word(), sim.world().arrived());
    eprintln!("{name}: {most} pairs of 1,000 agents, {arrived} are in");
    assert!(most <= 0.0, "{name}: {most} pairs of 1,000 agents");
    assert!(arrived == 200, "{name}: {arrived} are in");
}

#[test]
fn a_queue_of_quick_agents_stays_solid() {
    queue::<f32>();
    queue::<Fx>();
}

/// Two queues of quick agents press against each other for a minute in a corridor of a metre, where no
/// two can pass: how near the nearest two ever are, as a share of the radii of both. Where agents that
/// neighbours lead into a wall slide along it, it is two thirds, and some get past each other.
fn press<N: Numbers>() -> f64 {
    let cell = 0.25;
    let cells = (0..6).flat_map(|y| (0..80).map(move |_| if (1..5).contains(&y) { 16 } else { 0 }));
    let map = Map::from_slowness(80, 6, cell, &cells.collect::<Vec<u8>>());
    let mut sim = Simulation::<N>::new(map, Settings::default()).unwrap();
    let across = [1.2 * cell, 4.8 * cell];
    let sides = [[1.0, 9.0], [80.0 * cell - 9.0, 80.0 * cell - 1.0]];
    let sides = sides.map(|[from, to]| Shape::rect([from, across[0]], [to, across[1]]));
    for [from, to] in [[0, 1], [1, 0]] {
        let group = sim.add_group(GroupDef::preset("rts").unwrap()).unwrap();
        sim.spawn(group, sides[from].clone(), 8).unwrap();
        sim.send(group, sides[to].clone()).unwrap();
    }
    let mut nearest = f64::INFINITY;
    for _ in 0..60 * 20 {
        sim.step();
        let places: Vec<[f64; 2]> = sim.agents().map(|agent| agent.pos()).collect();
        for (i, a) in places.iter().enumerate() {
            let distances = places[..i].iter().map(|b| distance(*a, *b) / 0.6);
            nearest = distances.fold(nearest, f64::min);
        }
    }
    nearest
}

#[test]
fn nobody_is_pressed_into_another_between_walls() {
    for (name, nearest) in [("f32", press::<f32>()), ("fixed", press::<Fx>())] {
        assert!(nearest > 0.71, "{name}: {nearest} of the radii apart");
    }
}

/// Of three agents that stand in a row two are as near as they may be, and the third is deep in the second,
/// which is not shifted into the first. Without that they are 0.41 m apart after a tick.
fn row<N: Numbers>() {
    let mut stage = Stage::<N>::new(map(20, 20, &[]));
    let def = GroupDef { avoidance: Avoidance::Orca, ..GroupDef::default() };
    stage.group(def, &[[10.0, 10.0], [10.48, 10.0], [10.68, 10.0]]);
    stage.tick();
    let [first, second, _] = stage.bodies()[..] else { panic!("there are three") };
    let apart = distance(first.pos, second.pos);
    assert!(apart > 0.46, "{}: {apart} m apart", N::NUMERIC.word());
}

#[test]
fn nobody_is_shifted_into_another() {
    row::<f32>();
    row::<Fx>();
}
