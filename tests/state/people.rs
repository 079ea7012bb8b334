//! Traits that differ within a group: radii, response times and patience.

use std::collections::BTreeMap;

use throng::lane::Numbers;
use throng::math::Fx;
use throng::{
    AgentId, Distribution, ExitsDef, GroupDef, GroupId, Order, Settings, Shape, Simulation, VaryDef,
};

use crate::common::crowd::Case;
use crate::common::stage::{distance, map};
use crate::repeats::{is_the_same_in_all_ways, shows_every_bit};
use crate::traffic::{hall, two_exits};

in_both!(
    agents_keep_apart_by_their_own_radii,
    walls_keep_off_every_agent_by_its_own_radius,
    agents_take_on_velocities_each_in_its_own_time,
    every_bit_of_what_agents_are_is_in_the_digest
);

fn sizes(radius: Distribution) -> VaryDef {
    VaryDef { radius: Some(radius), ..VaryDef::default() }
}

fn responses(response: Distribution) -> VaryDef {
    VaryDef { response: Some(response), ..VaryDef::default() }
}

/// Radii and positions by id.
fn discs<N: Numbers>(sim: &Simulation<N>) -> BTreeMap<AgentId, (f64, [f64; 2])> {
    sim.agents().map(|agent| (agent.id(), (agent.radius(), agent.pos()))).collect()
}

/// Mean and standard deviation.
fn moments(values: &[f64]) -> [f64; 2] {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    [mean, (squares / count).sqrt()]
}

fn drawn<N: Numbers>() -> Vec<f64> {
    let mut sim = Simulation::<N>::new(map(60, 60, &[]), Settings::default()).unwrap();
    let group = sim.add_group(GroupDef { radius: 0.4, ..GroupDef::default() }).unwrap();
    sim.spawn(group, Shape::rect([1.0, 1.0], [59.0, 30.0]), 1_000).unwrap();
    assert!(discs(&sim).values().all(|&(radius, _)| radius == 0.4), "alike before");
    sim.vary(group, sizes(Distribution::uniform(0.2, 0.4))).unwrap();
    // Agents that come later differ too.
    sim.spawn(group, Shape::rect([1.0, 31.0], [59.0, 59.0]), 1_000).unwrap();
    let radii: Vec<f64> = discs(&sim).values().map(|&(radius, _)| radius).collect();
    assert!(radii.iter().all(|radius| (0.2..=0.4).contains(radius)));
    for half in radii.chunks(1_000) {
        let [mean, deviation] = moments(half);
        // Four standard errors of a uniform distribution of that width.
        assert!((mean - 0.3).abs() < 4.0 * 0.0577 / 1_000_f64.sqrt(), "{mean}");
        assert!((deviation - 0.0577).abs() < 0.004, "{deviation}");
    }
    // A removed agent leaves nothing to the one that gets its id.
    let all = sim.agents().map(|agent| agent.id()).collect::<Vec<_>>();
    let other = sim.add_group(GroupDef { radius: 0.4, ..GroupDef::default() }).unwrap();
    sim.order(Order::Remove { group, area: None }).unwrap();
    sim.step();
    sim.spawn(other, Shape::rect([1.0, 1.0], [59.0, 59.0]), 500).unwrap();
    assert!(sim.agents().all(|agent| all.iter().any(|id| id.index == agent.id().index)));
    assert!(discs(&sim).values().all(|&(radius, _)| radius == 0.4));
    radii
}

#[test]
fn radii_are_drawn_by_id() {
    assert_eq!(drawn::<f32>(), drawn::<Fx>());
}

/// Agents that press through a door: how near pairs come in all, as shares of the sums of their radii, the
/// least; and how many pairs come nearer than 0.8 m.
fn press<N: Numbers>(preset: &str) -> (f64, usize) {
    let walls = [[14, 0, 15, 5], [14, 7, 15, 12]];
    let mut sim = Simulation::<N>::new(map(40, 12, &walls), Settings::default()).unwrap();
    let def = GroupDef { radius: 0.5, ..GroupDef::preset(preset).unwrap() };
    let group = sim.add_group(def).unwrap();
    sim.vary(group, sizes(Distribution::uniform(0.2, 0.5))).unwrap();
    sim.spawn(group, Shape::rect([2.0, 1.0], [13.0, 11.0]), 80).unwrap();
    sim.send(group, Shape::rect([28.0, 1.0], [40.0, 11.0])).unwrap();
    let (mut least, mut close) = (f64::INFINITY, 0);
    for at in 0..300 {
        sim.step();
        if at % 10 > 0 {
            continue;
        }
        let all: Vec<_> = discs(&sim).into_values().collect();
        let pairs = all.iter().enumerate().flat_map(|(i, a)| all[..i].iter().map(move |b| (a, b)));
        for (a, b) in pairs {
            let apart = distance(a.1, b.1);
            least = least.min(apart / (a.0 + b.0));
            close += usize::from(apart < 0.8);
        }
    }
    (least, close)
}

fn agents_keep_apart_by_their_own_radii<N: Numbers>() {
    for preset in ["rts", "horde"] {
        let (least, close) = press::<N>(preset);
        assert!(least > 0.65, "{preset}: {least} of the sum of their radii");
        // Were they as large as their group, no pair would be much nearer than a metre.
        assert!(close > 100, "{preset}: {close} pairs come nearer than 0.8 m");
    }
}

/// Agents that lean on a wall at 30 m: each comes as near as its own radius, and no nearer.
fn walls_keep_off_every_agent_by_its_own_radius<N: Numbers>() {
    // No field is done before the test is over, so they walk straight.
    let settings = Settings { field_cells_per_tick: 1, ..Settings::default() };
    let mut sim = Simulation::<N>::new(map(60, 60, &[[30, 0, 32, 58]]), settings).unwrap();
    let def = GroupDef { radius: 0.6, separation: 0.0, wall_margin: 0.0, ..GroupDef::default() };
    let group = sim.add_group(def).unwrap();
    sim.vary(group, sizes(Distribution::uniform(0.1, 0.6))).unwrap();
    for i in 0..20 {
        let at = [27.0, 4.0 + 2.0 * f64::from(i)];
        sim.spawn(group, Shape::Point { at }, 1).unwrap();
    }
    sim.send(group, Shape::rect([50.0, 0.0], [60.0, 50.0])).unwrap();
    let mut nearest = BTreeMap::new();
    for _ in 0..120 {
        sim.step();
        for (id, (radius, [x, _])) in discs(&sim) {
            let gap = 30.0 - x - radius;
            assert!(gap > -0.01, "{id:?} of {radius} m is {gap} m from the wall");
            let least = nearest.entry(id).or_insert(gap);
            *least = gap.min(*least);
        }
    }
    assert!(nearest.values().all(|gap| *gap < 0.25), "{nearest:?}");
}

/// The time in which an agent takes on its velocity, from the first tick of a walk: of the velocity
/// that it wants it has a share of `dt / T` then, where no force is too large.
fn response_times<N: Numbers>(def: &GroupDef, vary: Option<VaryDef>, agents: u32) -> Vec<f64> {
    let mut sim = Simulation::<N>::new(map(100, 220, &[]), Settings::default()).unwrap();
    let group = sim.add_group(def.clone()).unwrap();
    if let Some(vary) = vary {
        sim.vary(group, vary).unwrap();
    }
    for i in 0..agents {
        let at = [5.0 + 10.0 * f64::from(i % 8), 5.0 + 6.0 * f64::from(i / 8)];
        sim.spawn(group, Shape::Point { at }, 1).unwrap();
    }
    sim.send(group, Shape::rect([90.0, 0.0], [100.0, 220.0])).unwrap();
    sim.step();
    let first: BTreeMap<_, f64> = sim.agents().map(|agent| (agent.id(), agent.speed())).collect();
    (0..200).for_each(|_| sim.step());
    // By now they all walk as fast as they like.
    let dt = 0.05;
    sim.agents().map(|agent| dt * agent.speed() / first[&agent.id()]).collect()
}

fn agents_take_on_velocities_each_in_its_own_time<N: Numbers>() {
    let def = GroupDef { acceleration: 1_000.0, response: 0.9, ..GroupDef::default() };
    for avoidance in ["horde", "rts"] {
        let avoidance = GroupDef::preset(avoidance).unwrap().avoidance;
        let def = GroupDef { avoidance, speed: 1.0, ..def.clone() };
        let vary = responses(Distribution::uniform(0.3, 1.5));
        let times = response_times::<N>(&def, Some(vary), 200);
        assert!(times.iter().all(|time| (0.29..1.53).contains(time)), "{avoidance:?}: {times:?}");
        let [mean, deviation] = moments(&times);
        assert!((mean - 0.9).abs() < 4.0 * 0.346 / 200_f64.sqrt(), "{mean}");
        assert!((deviation - 0.346).abs() < 0.06, "{deviation}");
        // Without variety all are as their group says.
        let alike = response_times::<N>(&def, None, 8);
        assert!(alike.iter().all(|time| (time - 0.9).abs() < 0.01), "{alike:?}");
    }
}

/// Positions after a walk through each other.
fn walk<N: Numbers>(def: &GroupDef, vary: Option<VaryDef>) -> Vec<[N; 2]> {
    let mut sim =
        Simulation::<N>::new(map(40, 20, &[[19, 0, 20, 8]]), Settings::default()).unwrap();
    let group = sim.add_group(def.clone()).unwrap();
    sim.spawn(group, Shape::rect([1.0, 1.0], [8.0, 19.0]), 60).unwrap();
    if let Some(vary) = vary {
        sim.vary(group, vary).unwrap();
    }
    sim.send(group, Shape::rect([30.0, 2.0], [38.0, 18.0])).unwrap();
    (0..300).for_each(|_| sim.step());
    sim.world().positions().to_vec()
}

#[test]
fn who_differs_by_nothing_walks_as_its_group() {
    for preset in GroupDef::PRESETS {
        let def = GroupDef { radius: 0.25, response: 0.4, ..GroupDef::preset(preset).unwrap() };
        let vary = VaryDef {
            radius: Some(Distribution::constant(0.25)),
            ..responses(Distribution::constant(0.4))
        };
        let other = GroupDef { response: 0.7, ..def.clone() };
        assert_eq!(walk::<f32>(&def, None), walk::<f32>(&other, Some(vary.clone())), "{preset}");
        assert_eq!(walk::<Fx>(&def, None), walk::<Fx>(&other, Some(vary)), "{preset}");
    }
}

/// Two groups that differ in all there is, one of them by another order while they walk.
fn case() -> Case {
    let orders = |at: u64, _: &_| {
        let [a, b] = [0, 1].map(GroupId::new);
        let group = |preset: &str| Order::Group { def: GroupDef::preset(preset).unwrap() };
        let spawn = |group, x: f64| Order::Spawn {
            group,
            area: vec![Shape::rect([x, 2.0], [x + 9.0, 22.0])],
            count: 70,
        };
        let go = |group, x: f64| Order::Move {
            group,
            goal: vec![Shape::rect([x, 8.0], [x + 6.0, 16.0])],
        };
        let vary = |group, low: f64| Order::Vary {
            group,
            def: VaryDef {
                speed: Some(Distribution::uniform(1.0, 2.0)),
                radius: Some(Distribution::normal(low + 0.05, 0.05).within(low, 0.18)),
                response: Some(Distribution::uniform(low, 0.8)),
                ..VaryDef::default()
            },
        };
        match at {
            0 => vec![
                group("pedestrian"),
                group("horde"),
                vary(a, 0.1),
                spawn(a, 2.0),
                spawn(b, 29.0),
                go(a, 30.0),
                go(b, 4.0),
            ],
            40 => vec![vary(b, 0.08)],
            80 => vec![Order::Remove {
                group: a,
                area: Some(vec![Shape::rect([0.0, 0.0], [20.0, 12.0])]),
            }],
            90 => vec![spawn(b, 30.0)],
            _ => Vec::new(),
        }
    };
    let map = map(40, 24, &[[19, 0, 21, 9], [19, 14, 21, 24]]);
    Case {
        name: "people",
        map,
        settings: Settings::default(),
        ticks: 160,
        orders: Box::new(orders),
    }
}

fn every_bit_of_what_agents_are_is_in_the_digest<N: Numbers>() {
    let columns = ["ids.smaller", "ids.slower", "ids.pace", "traffic.varieties"];
    shows_every_bit::<N>(&case(), 100, &columns);
}

#[test]
fn people_who_differ_are_the_same_for_all_lanes_threads_and_restored() {
    is_the_same_in_all_ways(&case(), &[1, 39, 81, 91]);
}

#[test]
fn radii_and_responses_that_agents_cannot_have_are_refused() {
    let mut sim = Simulation::<f32>::new(map(20, 10, &[]), Settings::default()).unwrap();
    let group = sim.add_group(GroupDef { radius: 0.3, ..GroupDef::default() }).unwrap();
    let wide = sim.vary(group, sizes(Distribution::uniform(0.2, 0.4))).unwrap_err().to_string();
    assert!(wide.contains("radius") && wide.contains("0.4"), "{wide}");
    assert!(sim.vary(group, sizes(Distribution::constant(0.01))).is_err());
    let slow = sim.vary(group, responses(Distribution::constant(61.0))).unwrap_err().to_string();
    assert!(slow.contains("response") && slow.contains("61"), "{slow}");
    assert!(sim.world().variety(group).is_none());
}

/// The ticks between an agent's choice of an exit and its next one, if any, of all
/// agents. The two exits are alike, so that agents find the other one better as the crowd moves.
fn changes(patience: Option<Distribution>) -> Vec<u64> {
    let mut sim = Simulation::<f32>::new(hall(), Settings::default()).unwrap();
    let group = sim.add_group(GroupDef::preset("pedestrian").unwrap()).unwrap();
    sim.vary(group, VaryDef { patience, ..VaryDef::default() }).unwrap();
    sim.spawn(group, Shape::rect([12.0, 2.0], [34.0, 22.0]), 300).unwrap();
    let choice = two_exits(|def| ExitsDef { every: 0.4, stay: 0.0, ..def });
    sim.choose(group, choice).unwrap();
    let (mut chosen, mut between) = (BTreeMap::new(), Vec::new());
    for at in 0..600_u64 {
        sim.step();
        let world = sim.world();
        for row in 0..world.len() {
            let now = world.tags()[row].group;
            if now == group.index() {
                continue;
            }
            let (since, last) = chosen.entry(world.id(row)).or_insert((at, now));
            if *last != now {
                between.push(at - *since);
                (*since, *last) = (at, now);
            }
        }
    }
    between
}

#[test]
fn agents_keep_to_an_exit_for_as_long_as_they_have_patience() {
    let [hasty, steady] = [None, Some(Distribution::uniform(4.0, 8.0))].map(changes);
    assert!(hasty.iter().any(|&ticks| ticks < 80), "without patience some change sooner");
    assert!(steady.len() > 10 && steady.iter().all(|&ticks| ticks >= 80), "{steady:?}");
    assert!(changes(Some(Distribution::constant(1.0e6))).is_empty());
}
