//! The classic steering behaviours of one agent, on paper; how they blend; and what is refused.

use crate::common::stage::{Body, Stage, distance, length, map, point};
use crate::common::steering::{DT, behave, behaving, cross, dot, members, minus, nimble};
use throng::lane::Numbers;
use throng::math::Fx;
use throng::world::{
    Behaviour, BehaviourKind, GroupDef, Mark, Order, Outcome, Refusal, Settings, Side,
};
use throng::{GroupId, state};

in_both!(
    one_agent_seeks_and_flees_a_point,
    pursuit_meets_its_quarry_where_it_must,
    evading_keeps_farther_than_fleeing,
    flight_comes_before_the_goal_which_resumes,
    weights_and_priorities_blend_as_defined
);

fn seeks_a_point<N: Numbers>() {
    let (start, to) = ([10.0, 70.0], [83.0, 21.0]);
    let mut stage = Stage::<N>::new(map(100, 100, &[]));
    let group = stage.group(nimble(2.0), &[start]);
    let range = 30_000.0;
    behave(&mut stage, group, BehaviourKind::Seek { to: Mark::Point(to), range });
    let along = minus(to, start).map(|c| c / distance(to, start));
    let ticks = (distance(to, start) / 2.0 / DT) as u32;
    for tick in 2..ticks {
        stage.tick();
        let one = stage.one();
        assert!(cross(along, minus(one.pos, start)).abs() < 0.05, "{one:?} left the line");
        let gone = dot(along, minus(one.pos, start));
        assert!((gone - f64::from(tick) * DT * 2.0).abs() < 0.15, "tick {tick}: {gone} m");
        assert!((one.speed() - 2.0).abs() < 0.01, "{one:?}");
    }
    (0..10).for_each(|_| stage.tick());
    assert!(distance(stage.one().pos, to) < 0.15, "{:?}", stage.one());
}

fn flees_from_a_point<N: Numbers>() {
    let (start, from) = ([40.0, 45.0], [37.0, 41.0]);
    let mut stage = Stage::<N>::new(map(100, 100, &[]));
    let group = stage.group(nimble(2.0), &[start]);
    behave(&mut stage, group, BehaviourKind::Flee { from: Mark::Point(from), range: 20.0 });
    let along = minus(start, from).map(|c| c / 5.0);
    let mut last = 5.0;
    for tick in 0..400 {
        stage.tick();
        let one = stage.one();
        let away = distance(one.pos, from);
        assert!(cross(along, minus(one.pos, from)).abs() < 0.05, "{one:?} left the line");
        let fade = ((20.0 - last) / 10.0_f64).min(1.0);
        assert!((one.speed() - 2.0 * fade).abs() < 0.02, "tick {tick}: {one:?} at {away} m");
        last = away;
    }
    assert!(last > 18.0 && last < 20.0, "it stops at the edge: {last} m");
}

fn one_agent_seeks_and_flees_a_point<N: Numbers>() {
    seeks_a_point::<N>();
    flees_from_a_point::<N>();
}

/// A quarry that crosses at a constant velocity and a hunter that starts when it has its speed:
/// the tick and the place at which they are within `near` of each other.
fn hunt<N: Numbers>(hunter: impl Fn(GroupId) -> BehaviourKind) -> (f64, [f64; 2], [[f64; 2]; 2]) {
    let mut stage = Stage::<N>::new(map(100, 100, &[]));
    let quarry = stage.group(nimble(1.5), &[[20.0, 20.0]]);
    let to = Mark::Point([90.0, 34.0]);
    behave(&mut stage, quarry, BehaviourKind::Seek { to, range: 30_000.0 });
    (0..20).for_each(|_| stage.tick());
    let hunters = stage.group(nimble(2.0), &[[36.0, 40.0]]);
    let start = members(&stage, quarry)[0];
    behave(&mut stage, hunters, hunter(quarry));
    for tick in 1..2_000 {
        let [a, b] = [quarry, hunters].map(|group| members(&stage, group)[0]);
        if distance(a.pos, b.pos) < NEAR {
            return (f64::from(tick) * DT, b.pos, [start.pos, start.vel]);
        }
        stage.tick();
    }
    panic!("it is not met");
}

const NEAR: f64 = 0.5;

fn pursuit_meets_its_quarry_where_it_must<N: Numbers>() {
    let (range, horizon) = (30.0, 10.0);
    let (time, at, [pos, vel]) =
        hunt::<N>(|quarry| BehaviourKind::Pursue { quarry, range, horizon });
    // |offset + vel·t| = 2·t; on that course the distance shrinks evenly.
    let offset = minus(pos, [36.0, 40.0]);
    let (a, b, c) = (4.0 - dot(vel, vel), dot(offset, vel), dot(offset, offset));
    let meets = ((b * b + a * c).sqrt() + b) / a;
    let near = meets * (1.0 - NEAR / length(offset));
    let aim = [0, 1].map(|i| offset[i] + vel[i] * meets);
    let place = [0, 1].map(|i| [36.0, 40.0][i] + aim[i] * near / meets);
    assert!((time - near).abs() < 0.11, "{time} s instead of {near}");
    assert!(distance(at, place) < 0.25, "{at:?} instead of {place:?}");
    let (later, _, _) = hunt::<N>(|group| BehaviourKind::Seek { to: Mark::Group(group), range });
    assert!(later > 1.3 * time, "seek takes {later} s, pursuit {time} s");
}

/// The least distance between a runner and a hunter that passes it.
fn least_distance<N: Numbers>(kind: impl Fn(GroupId) -> BehaviourKind) -> f64 {
    let mut stage = Stage::<N>::new(map(120, 60, &[]));
    let hunter = stage.group(nimble(4.0), &[[10.0, 30.0]]);
    let to = Mark::Point([110.0, 30.0]);
    behave(&mut stage, hunter, BehaviourKind::Seek { to, range: 30_000.0 });
    let runner = stage.group(nimble(1.0), &[[40.0, 30.8]]);
    behave(&mut stage, runner, kind(hunter));
    let mut least = f64::INFINITY;
    for _ in 0..480 {
        stage.tick();
        least = least.min(stage.closest());
    }
    least
}

fn evading_keeps_farther_than_fleeing<N: Numbers>() {
    let (range, horizon) = (20.0, 5.0);
    let flee = least_distance::<N>(|group| BehaviourKind::Flee { from: Mark::Group(group), range });
    let evade = least_distance::<N>(|hunter| BehaviourKind::Evade { hunter, range, horizon });
    let stand = least_distance::<N>(|_| BehaviourKind::Goal);
    assert!((stand - 0.8).abs() < 0.05, "the hunter passes at {stand} m");
    assert!(evade > flee + 0.5 && flee > stand, "evade {evade} m, flee {flee} m");
}

/// Agents that wander, far from each other, and where they started.
fn wanderers<N: Numbers>(seed: u64) -> (Stage<N>, Vec<[f64; 2]>) {
    let settings = Settings { seed, ..Settings::default() };
    let mut stage = Stage::<N>::with(map(700, 700, &[]), settings);
    let place = |i: u32| [250.0 + f64::from(i % 14) * 14.0, 250.0 + f64::from(i / 14) * 14.0];
    let starts: Vec<[f64; 2]> = (0..196).map(place).collect();
    let def = GroupDef { response: 0.25, ..nimble(1.4) };
    let group = stage.group(def, &starts);
    behave(&mut stage, group, BehaviourKind::Wander { turn: 1.5, rate: 0.5 });
    (stage, starts)
}

fn wanders<N: Numbers>() {
    let (mut stage, starts) = wanderers::<N>(1);
    let square = |stage: &Stage<N>| {
        let moved: Vec<[f64; 2]> =
            stage.bodies().iter().zip(&starts).map(|(body, &at)| minus(body.pos, at)).collect();
        let mean = [0, 1].map(|i| moved.iter().map(|m| m[i]).sum::<f64>() / moved.len() as f64);
        (moved.iter().map(|&m| dot(m, m)).sum::<f64>() / moved.len() as f64, length(mean))
    };
    (0..60).for_each(|_| stage.tick());
    let (mut sharpest, mut turned, mut speed) = (0.0_f64, 0.0, 0.0);
    let mut squares = Vec::new();
    for tick in 0..4_000 {
        let before = stage.bodies();
        stage.tick();
        for (a, b) in before.iter().zip(stage.bodies()) {
            let turn = (cross(a.vel, b.vel) / a.speed() / b.speed()).asin().abs() / DT;
            // Agents that touch turn as the contact wants, and slow ones turn faster.
            let alone = |o: &Body| o.id == a.id || distance(o.pos, a.pos) > 0.5;
            if turn < 1.2 || a.speed() > 1.3 && before.iter().all(alone) {
                sharpest = sharpest.max(turn);
            }
            turned += turn;
            assert!(b.speed() < 1.401, "{b:?}");
            speed += b.speed();
        }
        if tick == 1_999 || tick == 3_999 {
            squares.push(square(&stage));
        }
    }
    assert!(sharpest < 1.5 * 1.05 && sharpest > 1.2, "{sharpest} rad/s");
    assert!(speed / 4_000.0 / 196.0 > 1.3, "turns cost little speed");
    assert!(turned / 4_000.0 / 196.0 > 0.4, "they turn all the time");
    // Twice the time, twice the square; and nowhere on average.
    let growth = squares[1].0 / squares[0].0;
    assert!((1.4..2.9).contains(&growth), "{squares:?}");
    for (square, mean) in squares {
        assert!(mean < 3.0 * (square / 196.0).sqrt(), "{mean} m on average, {square} m²");
        assert!(square < 98.0 * 98.0, "they come far too far: {square} m²");
    }
}

#[test]
fn wandering_is_a_random_walk() {
    wanders::<f32>();
    wanders::<Fx>();
    let digest = |seed| {
        let (mut stage, _) = wanderers::<f32>(seed);
        (0..100).for_each(|_| stage.tick());
        state::digest(&stage.world)
    };
    assert_eq!(digest(5), digest(5));
    assert_ne!(stage_positions(5), stage_positions(6), "another seed");
}

fn stage_positions(seed: u64) -> Vec<[f64; 2]> {
    let (mut stage, _) = wanderers::<f32>(seed);
    (0..100).for_each(|_| stage.tick());
    stage.bodies().iter().map(|body| body.pos).collect()
}

fn flight_comes_before_the_goal_which_resumes<N: Numbers>() {
    let mut stage = Stage::<N>::new(map(120, 60, &[]));
    let deer = stage.group(GroupDef::default(), &[[30.0, 30.0]]);
    let wolves = stage.group(GroupDef::default(), &[[38.0, 30.2]]);
    stage.send(deer, point(100.5, 30.5));
    let flee = BehaviourKind::Flee { from: Mark::Group(wolves), range: 16.0 };
    behaving(&mut stage, deer, &[Behaviour::new(flee.clone()).priority(1)]);
    let goal = [100.5, 30.5];
    let before = distance(members(&stage, deer)[0].pos, goal);
    (0..60).for_each(|_| stage.tick());
    let one = members(&stage, deer)[0];
    assert!(distance(one.pos, goal) > before + 1.0, "it runs from its goal: {one:?}");
    (0..400).for_each(|_| stage.tick());
    let one = members(&stage, deer)[0];
    let away = distance(one.pos, members(&stage, wolves)[0].pos);
    assert!(away > 8.0 && !one.has_arrived(), "{away} m, {one:?}");
    stage.order(Order::Remove { group: wolves, area: None });
    let left = stage.until(2_000, Stage::all_arrived);
    assert!(left.is_some(), "without the wolf it arrives: {:?}", stage.one());
    // In the same priority the goal pulls as well, and the two meet nearer to the wolf.
    let mut other = Stage::<N>::new(map(120, 60, &[]));
    let deer = other.group(GroupDef::default(), &[[30.0, 30.0]]);
    let wolves = other.group(GroupDef::default(), &[[38.0, 30.0]]);
    other.send(deer, point(100.5, 30.5));
    behave(&mut other, deer, flee);
    (0..460).for_each(|_| other.tick());
    assert_eq!(members(&other, wolves)[0].pos, [38.0, 30.0]);
    assert!(members(&other, deer)[0].pos[0] > 20.0);
}

/// The velocity of an agent after a tick under behaviours towards points east (+x) and south (+y).
fn blended<N: Numbers>(list: &[(char, f64, u8)]) -> [f64; 2] {
    let mut stage = Stage::<N>::new(map(100, 100, &[]));
    let group = stage.group(nimble(2.0), &[[50.0, 50.0]]);
    let behaviour = |&(to, weight, priority): &(char, f64, u8)| {
        let to = Mark::Point(if to == 'e' { [90.0, 50.0] } else { [50.0, 90.0] });
        let kind = BehaviourKind::Seek { to, range: 30_000.0 };
        Behaviour::new(kind).weight(weight).priority(priority)
    };
    behaving(&mut stage, group, &list.iter().map(behaviour).collect::<Vec<_>>());
    stage.one().vel
}

/// Behaviours, and the velocity that they make.
type Case = (&'static [(char, f64, u8)], [f64; 2]);

fn weights_and_priorities_blend_as_defined<N: Numbers>() {
    let third = 0.1_f64.sqrt() * 2.0;
    let cases: [Case; 9] = [
        (&[('e', 1.0, 0)], [2.0, 0.0]),
        (&[('e', 0.25, 0)], [0.5, 0.0]),
        (&[('e', 1.0, 0), ('s', 3.0, 0)], [third, 3.0 * third]),
        (&[('e', 0.3, 0), ('s', 0.4, 0)], [0.6, 0.8]),
        (&[('e', 1.0, 0), ('s', 1.0, 1)], [0.0, 2.0]),
        (&[('e', 1.0, 0), ('s', 0.4, 7)], [1.2, 0.8]),
        (&[('e', 5.0, 2), ('s', 5.0, 1)], [2.0, 0.0]),
        (&[('s', 0.0, 200), ('e', 1.0, 0)], [2.0, 0.0]),
        (&[('e', 0.2, 3), ('s', 0.3, 2), ('e', 9.0, 1)], [1.4, 0.6]),
    ];
    for (list, expected) in cases {
        let found = blended::<N>(list);
        assert!(distance(found, expected) < 0.01, "{list:?}: {found:?}, not {expected:?}");
    }
}

/// Agents that hold stay, others that stand do not; a goal without weight is forgotten; and `[]`
/// makes a group plain again.
#[test]
fn standing_holding_and_plain_groups() {
    let mut stage = Stage::<f32>::new(map(100, 100, &[]));
    let free = stage.group(nimble(2.0), &[[20.0, 20.0]]);
    let hold = stage.group(GroupDef { hold: true, ..nimble(2.0) }, &[[40.0, 40.0]]);
    let wander = BehaviourKind::Wander { turn: 0.0, rate: 1.0 };
    behave(&mut stage, free, wander.clone());
    behave(&mut stage, hold, wander);
    (0..20).for_each(|_| stage.tick());
    assert!(distance(members(&stage, free)[0].pos, [20.0, 20.0]) > 1.5);
    assert_eq!(members(&stage, hold)[0].pos, [40.0, 40.0]);
    behaving(&mut stage, free, &[Behaviour::new(BehaviourKind::Goal).weight(0.0)]);
    stage.send(free, point(80.5, 80.5));
    (0..20).for_each(|_| stage.tick());
    let stood = members(&stage, free)[0];
    assert_eq!(stood.vel, [0.0; 2]);
    behaving(&mut stage, free, &[]);
    assert!(stage.world.groups()[usize::from(free)].behaviours().is_empty());
    (0..20).for_each(|_| stage.tick());
    assert!(distance(members(&stage, free)[0].pos, [80.5, 80.5]) < distance(stood.pos, [80.5; 2]));
}

#[test]
fn bad_behaviours_are_refused_and_change_nothing() {
    let mut stage = Stage::<f32>::new(map(50, 50, &[]));
    let group = stage.group(GroupDef::default(), &[[20.0, 20.0]]);
    let digest = state::columns(&stage.world);
    let column = digest.iter().position(|c| c.name == "groups.behaviours").unwrap();
    let wander = |turn| BehaviourKind::Wander { turn, rate: 1.0 };
    let path = |points: &[[f64; 2]]| BehaviourKind::Path {
        points: points.to_vec(),
        radius: 1.0,
        closed: true,
    };
    let seek = |to, range| BehaviourKind::Seek { to, range };
    let wall = |distance, range| BehaviourKind::Wall { side: Side::Left, distance, range };
    let bad = [
        (vec![Behaviour::new(wander(11.0))], "turn is 11"),
        (vec![Behaviour::new(wander(f64::NAN))], "turn is NaN"),
        (vec![Behaviour::new(wander(1.0)).weight(-0.5)], "weight is -0.5"),
        (vec![Behaviour::new(wander(1.0)); 17], "17 behaviours"),
        (vec![Behaviour::new(BehaviourKind::Goal); 2], "twice"),
        (vec![Behaviour::new(path(&[[1.0, 1.0]]))], "points is 1"),
        (vec![Behaviour::new(path(&[[1.0, 1.0], [9.0, 1.0], [1.0, 1.001]]))], "two points"),
        (vec![Behaviour::new(seek(Mark::Point([60.0, 1.0]), 9.0))], "x is 60"),
        (vec![Behaviour::new(seek(Mark::Group(GroupId::new(0)), 31.0))], "range is 31"),
        (vec![Behaviour::new(wall(3.0, 2.0))], "range is 2"),
    ];
    for (behaviours, why) in bad {
        match stage.order(Order::Behave { group, behaviours }) {
            Outcome::Refused(refusal) => assert!(refusal.to_string().contains(why), "{refusal}"),
            done => panic!("{why}: {done:?}"),
        }
    }
    let nobody = Behaviour::new(seek(Mark::Group(GroupId::new(9)), 3.0));
    let order = Order::Behave { group, behaviours: vec![nobody] };
    let refusal = Refusal::NoSuchGroup { group: GroupId::new(9), groups: 1 };
    assert_eq!(stage.order(order), Outcome::Refused(refusal));
    assert_eq!(state::columns(&stage.world)[column], digest[column], "nothing changed");
    behave(&mut stage, group, wander(1.0));
    assert_ne!(state::columns(&stage.world)[column], digest[column], "the digest sees it");
}
