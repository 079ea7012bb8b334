//! Crowds come to rest at a goal, and standing agents make way for walkers.

use crate::common::stage::{Stage, distance, map, point};
use throng::lane::Numbers;
use throng::world::{Avoidance, GroupDef};

in_both!(
    a_thousand_at_a_point_rest_and_stay_by_separation,
    a_thousand_at_a_point_rest_and_stay_by_orca,
    those_who_stand_make_way_and_return,
    those_who_hold_are_walked_around
);

const TICK_RATE: f64 = 20.0;

fn walker(avoidance: Avoidance) -> GroupDef {
    GroupDef { avoidance, ..GroupDef::default() }
}

/// Agents in rows and columns, `gap` apart, from a corner.
fn block([x, y]: [f64; 2], columns: u32, rows: u32, gap: f64) -> Vec<[f64; 2]> {
    let place = |i| [x + f64::from(i % columns) * gap, y + f64::from(i / columns) * gap];
    (0..columns * rows).map(place).collect()
}

/// 1,000 agents are ordered to one point: all rest within 1.5 times the time that the last of them
/// needs alone (1.75 times by ORCA, which slows down before a jam), and a minute later none has
/// moved by more than a radius.
fn a_thousand_rest_at_a_point<N: Numbers>(avoidance: Avoidance) {
    let goal = [90.0, 45.0];
    let starts = block([8.0, 29.0], 25, 40, 0.8);
    let name = N::NUMERIC.word();
    let alone = |start: [f64; 2]| {
        let mut stage = Stage::<N>::new(map(120, 90, &[]));
        let group = stage.group(walker(avoidance), &[start]);
        stage.send(group, point(goal[0], goal[1]));
        f64::from(stage.until_rest(20_000).expect("it arrives")) / TICK_RATE
    };
    let last =
        starts.iter().copied().max_by(|a, b| distance(*a, goal).total_cmp(&distance(*b, goal)));
    let free = alone(last.unwrap());
    let mut stage = Stage::<N>::new(map(120, 90, &[]));
    let group = stage.group(walker(avoidance), &starts);
    stage.send(group, point(goal[0], goal[1]));
    let ticks = stage.until_rest((4.0 * free * TICK_RATE) as u32);
    let time = ticks.map_or(f64::INFINITY, |ticks| f64::from(ticks) / TICK_RATE);
    eprintln!("{name}, {avoidance:?}: at rest after {time} s; the last alone needs {free} s");
    let most = if avoidance == Avoidance::Orca { 1.75 } else { 1.5 };
    assert!(time <= most * free, "{name}, {avoidance:?}: {time} s, the last alone {free} s");
    let before = stage.bodies();
    let mut moved = 0.0_f64;
    for _ in 0..(60.0 * TICK_RATE) as u32 {
        stage.tick();
        for (a, b) in before.iter().zip(stage.bodies()) {
            moved = moved.max(distance(a.pos, b.pos));
        }
    }
    assert!(moved <= 0.3, "{name}, {avoidance:?}: somebody moved by {moved} m within a minute");
    assert!(stage.closest() > 0.95 * 0.6, "{name}, {avoidance:?}: {} m", stage.closest());
}

fn a_thousand_at_a_point_rest_and_stay_by_separation<N: Numbers>() {
    a_thousand_rest_at_a_point::<N>(Avoidance::Separation);
}

fn a_thousand_at_a_point_rest_and_stay_by_orca<N: Numbers>() {
    a_thousand_rest_at_a_point::<N>(Avoidance::Orca);
}

/// A walker crosses a block of agents that stand in rows. They make way and go back, or hold and
/// leave just enough room.
fn walks_through<N: Numbers>(avoidance: Avoidance, hold: bool) {
    let name = N::NUMERIC.word();
    let mut stage = Stage::<N>::new(map(60, 40, &[]));
    let idle = GroupDef { hold, ..walker(avoidance) };
    let places =
        if hold { block([20.0, 12.0], 10, 10, 1.6) } else { block([22.0, 14.0], 12, 12, 1.1) };
    let crowd = stage.group(idle, &places);
    let lone = stage.group(walker(avoidance), &[[5.0, 20.3]]);
    // Let the standing agents settle first.
    for _ in 0..100 {
        stage.tick();
    }
    let homes = stage.bodies();
    stage.send(lone, point(52.0, 20.3));
    let there = |stage: &Stage<N>| {
        stage
            .bodies()
            .iter()
            .filter(|body| body.group == lone.index())
            .all(|body| body.has_arrived())
    };
    let ticks = stage.until(4_000, there).unwrap_or(u32::MAX);
    let free = 47.0 / 1.4 * TICK_RATE;
    let ratio = f64::from(ticks) / free;
    eprintln!("{name}, {avoidance:?}, hold {hold}: {ratio:.2} times the free time");
    assert!(ratio < 1.5, "{name}, {avoidance:?}, hold {hold}: {ratio} times the free time");
    let away = |stage: &Stage<N>| {
        let pairs =
            homes.iter().zip(stage.bodies()).filter(|(body, _)| body.group == crowd.index());
        pairs.map(|(a, b)| distance(a.pos, b.pos)).fold(0.0, f64::max)
    };
    if hold {
        let away = away(&stage);
        assert!(away == 0.0, "{name}, {avoidance:?}: one who holds moved by {away} m");
        return;
    }
    for _ in 0..(30.0 * TICK_RATE) as u32 {
        stage.tick();
    }
    let far = away(&stage);
    assert!(far <= 0.3 + 1e-3, "{name}, {avoidance:?}: {far} m from home after half a minute");
    assert!(stage.bodies().iter().all(|body| body.speed() == 0.0), "{name}: somebody still moves");
}

fn those_who_stand_make_way_and_return<N: Numbers>() {
    for avoidance in [Avoidance::Separation, Avoidance::Orca] {
        walks_through::<N>(avoidance, false);
    }
}

fn those_who_hold_are_walked_around<N: Numbers>() {
    for avoidance in [Avoidance::Separation, Avoidance::Orca] {
        walks_through::<N>(avoidance, true);
    }
}
