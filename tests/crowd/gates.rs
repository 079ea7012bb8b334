//! Gates that more agents want to pass than can at once: queues before them, and what stands behind.

use throng::lane::Numbers;
use throng::world::Avoidance;
use throng::{GroupDef, Map, Settings, Shape, Simulation};

in_both!(queues_before_a_gate_stay_on_their_side, agents_in_the_half_of_others_make_way);

/// A map of 240 by 200 cells of a metre, with a wall 4 m thick in the middle and a gate of `width` in it.
fn gate(width: usize) -> Map {
    let open = 100 - width / 2..100 + width.div_ceil(2);
    let is_wall = |x: usize, y: usize| (118..122).contains(&x) && !open.contains(&y);
    let cells = (0..200).flat_map(|y| (0..240).map(move |x| (x, y)));
    let cells: Vec<u8> = cells.map(|(x, y)| if is_wall(x, y) { 0 } else { 16 }).collect();
    Map::from_slowness(240, 200, 1.0, &cells)
}

/// Agents that choose their velocity.
fn joggers() -> GroupDef {
    GroupDef {
        speed: 2.2,
        acceleration: 5.0,
        personal_space: 0.2,
        avoidance: Avoidance::Orca,
        ..GroupDef::default()
    }
}

/// Two groups of 2,500 that want through a gate of 6 m. Where queues cost what other crowds do, each goes
/// around its own, to the half of the gate where the others come out, and 700 are in, however long it takes.
fn queues_before_a_gate_stay_on_their_side<N: Numbers>() {
    let mut sim = Simulation::<N>::new(gate(6), Settings::default()).unwrap();
    let sides =
        [Shape::rect([2.0, 10.0], [100.0, 190.0]), Shape::rect([140.0, 10.0], [238.0, 190.0])];
    for [from, to] in [[0, 1], [1, 0]] {
        let group = sim.add_group(joggers()).unwrap();
        sim.spawn(group, sides[from].clone(), 2_500).unwrap();
        sim.send(group, sides[to].clone()).unwrap();
    }
    (0..90 * 20).for_each(|_| sim.step());
    let arrived = sim.world().arrived();
    assert!(arrived > 900, "{arrived} are in after a minute and a half");
}

/// At a gate of 20 m 1,500 agents go out and 1,600 in, 100 of which begin before the exit half. These make
/// way: without it 150 (fixed point: 70) are out after a minute, as the 100 wait for their queue, and it for
/// the exit. They do so at once: where agents make way after they have been blocked for long, nobody has
/// passed the gate after 12 seconds.
fn agents_in_the_half_of_others_make_way<N: Numbers>() {
    let settings = Settings { seed: 1, ..Settings::default() };
    let mut sim = Simulation::<N>::new(gate(20), settings).unwrap();
    let sides =
        [Shape::rect([2.0, 10.0], [116.0, 190.0]), Shape::rect([124.0, 10.0], [238.0, 190.0])];
    let [out, others] = [1, 0].map(|to: usize| {
        let group = sim.add_group(joggers()).unwrap();
        sim.send(group, sides[to].clone()).unwrap();
        group
    });
    sim.spawn(out, Shape::rect([88.0, 85.0], [117.0, 115.0]), 1_500).unwrap();
    sim.spawn(others, Shape::rect([122.5, 100.0], [127.0, 110.0]), 100).unwrap();
    sim.spawn(others, Shape::rect([123.0, 65.0], [150.0, 99.0]), 1_500).unwrap();
    (0..12 * 20).for_each(|_| sim.step());
    let count = sim.agents().filter(|agent| agent.group() == out && agent.pos()[0] > 122.0).count();
    assert!(count > 10, "{count} have passed the gate after 12 seconds");
    (0..48 * 20).for_each(|_| sim.step());
    let count = sim.agents().filter(|agent| agent.group() == out && agent.has_arrived()).count();
    assert!(count > 650, "{count} are out after a minute");
}

/// A crowd stands in the goal, across the way to its far end: agents take places first to which it is not on
/// the way, and go past it. Without that 11 do, and the others wait before it.
#[test]
fn a_crowd_that_stands_in_the_goal_is_passed() {
    let mut sim = Simulation::<f32>::new(gate(200), Settings::default()).unwrap();
    let def = GroupDef::default();
    let still = sim.add_group(def.clone()).unwrap();
    sim.spawn(still, Shape::rect([150.0, 85.0], [180.0, 115.0]), 2_000).unwrap();
    let group = sim.add_group(GroupDef { speed: 2.0, avoidance: Avoidance::Orca, ..def }).unwrap();
    sim.spawn(group, Shape::rect([60.0, 95.0], [118.0, 105.0]), 400).unwrap();
    sim.send(group, Shape::rect([140.0, 40.0], [200.0, 160.0])).unwrap();
    (0..40 * 20).for_each(|_| sim.step());
    let walkers = sim.agents().filter(|agent| agent.group() == group);
    let past = walkers.filter(|agent| agent.pos()[0] > 155.0).count();
    assert!(past > 50, "{past} of 400 are past the edge of the crowd after 40 s");
}
