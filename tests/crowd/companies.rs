//! Companies: several groups at the pace of the slowest; formations that keep their shape on open
//! ground, dissolve at a gate and form again behind it.
//!
//! Shapes are judged by positions alone: `crate::common::ranks` lays the shape that there should be over
//! them, as it fits best.

use crate::common::crowd::{Case, on_threads};
use crate::common::ranks::misfit;
use crate::common::stage::{Body, Stage, disc, distance, map, point, rect};
use throng::data::Id;
use throng::lane::{Lane, Numbers};
use throng::map::Map;
use throng::math::Fx;
use throng::replay::{Recorder, Replay, verify};
use throng::tick::{Scratch, tick};
use throng::world::{CompanyDef, Formation, GroupDef, Order, Outcome, World};
use throng::{CompanyId, GroupId, state};

in_both!(
    formations_keep_their_shape_and_come_to_rest,
    formations_turn,
    formations_dissolve_at_a_gate_and_form_again,
    gaps_close,
    digests_are_the_same_for_all_threads_and_lanes,
    a_replay_verifies
);

/// Metres between neighbours.
const SPACING: f64 = 1.5;

/// The ranks of 60, written down by hand.
const RANKS: [(Formation, &[u32]); 4] = [
    (Formation::Line, &[20, 20, 20]),
    (Formation::Column, &[4; 15]),
    (Formation::Block, &[8, 8, 8, 8, 8, 8, 8, 4]),
    (Formation::Wedge, &[1, 3, 5, 7, 9, 11, 13, 11]),
];

fn walker(speed: f64) -> GroupDef {
    GroupDef { speed, ..GroupDef::default() }
}

fn done(outcome: &Outcome) {
    assert!(!outcome.is_refused(), "{outcome:?}");
}

fn seconds<N: Numbers>(stage: &mut Stage<N>, seconds: u32) {
    (0..20 * seconds).for_each(|_| stage.tick());
}

/// 30 pikes at 1.4 m/s and 30 archers at 2 m/s, mixed in a square around (25, y), as a company.
fn company<N: Numbers>(map: Map, formation: Option<Formation>, y: f64) -> Stage<N> {
    let mut stage = Stage::new(map);
    for speed in [1.4, 2.0] {
        let group = stage.world.add_group(walker(speed)).unwrap();
        let area = rect(15.0, y - 10.0, 35.0, y + 10.0);
        done(&stage.order(Order::Spawn { group, area, count: 30 }));
    }
    let groups = [0, 1].map(GroupId::new).to_vec();
    let def = CompanyDef { groups, formation, spacing: Some(SPACING), files: None };
    done(&stage.order(Order::Company { def }));
    stage
}

fn send<N: Numbers>(stage: &mut Stage<N>, x: f64, y: f64) {
    done(&stage.order(Order::MoveCompany { company: CompanyId::new(0), goal: point(x, y) }));
}

fn places(bodies: &[Body]) -> Vec<[f64; 2]> {
    bodies.iter().map(|body| body.pos).collect()
}

fn error<N: Numbers>(stage: &Stage<N>, ranks: &[u32]) -> f64 {
    misfit(&places(&stage.bodies()), ranks, SPACING)
}

fn mean_x(bodies: &[Body]) -> f64 {
    bodies.iter().map(|body| body.pos[0]).sum::<f64>() / bodies.len() as f64
}

/// The oracle itself: exact for a turned shape, and it sees gaps, shifts and another shape.
#[test]
fn the_misfit_measures() {
    for (_, ranks) in RANKS {
        let turned = |[x, y]: [f64; 2]| {
            [40.0 + SPACING * (0.6 * x - 0.8 * y), 9.0 + SPACING * (0.8 * x + 0.6 * y)]
        };
        let ideal = crate::common::ranks::shape(ranks).concat();
        let mut people: Vec<[f64; 2]> = ideal.into_iter().map(turned).collect();
        assert!(misfit(&people, ranks, SPACING) < 0.02);
        people[30][0] += 3.0 * SPACING;
        let one = misfit(&people, ranks, SPACING);
        assert!((0.1..0.6).contains(&one), "{one}");
        for (_, other) in RANKS.iter().filter(|(_, other)| *other != ranks) {
            assert!(misfit(&people, other, SPACING) > 0.5);
        }
    }
}

/// Without a formation: alone the fast agents run away; in a company they do not.
fn nobody_runs_ahead<N: Numbers>(together: bool) -> f64 {
    let mut stage = Stage::<N>::new(map(200, 40, &[]));
    for (speed, y) in [(1.0, 10.0), (2.0, 20.0)] {
        let group = stage.world.add_group(walker(speed)).unwrap();
        let area = rect(5.0, y, 15.0, y + 10.0);
        done(&stage.order(Order::Spawn { group, area, count: 40 }));
    }
    let def =
        CompanyDef { groups: vec![GroupId::new(0), GroupId::new(1)], ..CompanyDef::default() };
    done(&stage.order(Order::Company { def }));
    if together {
        done(&stage.order(Order::MoveCompany {
            company: CompanyId::new(0),
            goal: disc(185.0, 20.0, 12.0),
        }));
    } else {
        stage.send(GroupId::new(0), disc(185.0, 20.0, 12.0));
        stage.send(GroupId::new(1), disc(185.0, 20.0, 12.0));
    }
    seconds(&mut stage, 10);
    let start = stage.bodies();
    seconds(&mut stage, 80);
    let bodies = stage.bodies();
    if together {
        let speed = (mean_x(&bodies) - mean_x(&start)) / 80.0;
        assert!((speed - 1.0).abs() < 0.03, "{speed} m/s");
        let fastest = bodies.iter().map(Body::speed).fold(0.0, f64::max);
        assert!(fastest < 1.001, "{fastest} m/s");
    }
    let apart = |body: &Body| {
        let slow = bodies.iter().filter(|other| other.group == 0);
        slow.map(|other| distance(other.pos, body.pos)).fold(f64::INFINITY, f64::min)
    };
    bodies.iter().map(apart).fold(0.0, f64::max)
}

#[test]
fn a_company_without_formation_stays_together() {
    assert!(nobody_runs_ahead::<f32>(false) > 40.0, "the fast ones run away by themselves");
    let apart = [nobody_runs_ahead::<f32>(true), nobody_runs_ahead::<Fx>(true)];
    eprintln!("the farthest from the slow ones: {apart:.1?} m");
    assert!(apart.iter().all(|&apart| apart < 12.0), "{apart:?} m");
}

fn walks_and_rests<N: Numbers>(formation: Formation, ranks: &[u32]) {
    let mut stage = company::<N>(map(160, 60, &[]), Some(formation), 30.0);
    send(&mut stage, 125.0, 30.0);
    seconds(&mut stage, 15);
    let (start, mut worst) = (mean_x(&stage.bodies()), 0.0_f64);
    for _ in 0..40 {
        seconds(&mut stage, 1);
        worst = worst.max(error(&stage, ranks));
    }
    let speed = (mean_x(&stage.bodies()) - start) / 40.0;
    let name = (formation.name(), N::NUMERIC.word());
    eprintln!("{name:?} on open ground: error {worst:.3} spacings, {speed:.3} m/s");
    assert!(worst < 0.3, "{name:?}: {worst} spacings");
    assert!((0.93 * 1.4..1.01 * 1.4).contains(&speed), "{name:?}: {speed} m/s");
    // From then on the pace is that of the slowest.
    let start = mean_x(&stage.bodies());
    seconds(&mut stage, 15);
    let speed = (mean_x(&stage.bodies()) - start) / 15.0;
    assert!((speed - 1.4).abs() < 0.03 * 1.4, "{name:?}: {speed} m/s");
    rests(&mut stage, ranks, [125.0, 30.0], name);
}

/// Every agent arrives in the shape around a point and stays there without a motion.
fn rests<N: Numbers>(
    stage: &mut Stage<N>,
    ranks: &[u32],
    at: [f64; 2],
    name: (&'static str, &'static str),
) {
    let still = |stage: &Stage<N>| stage.bodies().iter().all(|body| body.vel == [0.0; 2]);
    let rest = stage.until(2_000, |stage| stage.all_arrived() && still(stage));
    assert!(rest.is_some(), "{name:?}: {} have arrived", stage.world.arrived());
    let error = error(stage, ranks);
    let anchor = stage.world.companies()[0].anchor().unwrap();
    eprintln!("{name:?} at rest: error {error:.3} spacings");
    assert!(anchor.rests && distance(anchor.pos.map(N::to_f64), at) < 0.01, "{anchor:?}");
    assert!(error < 0.1, "{name:?}: {error} spacings");
    let before = places(&stage.bodies());
    for _ in 0..100 {
        stage.tick();
        assert!(still(stage), "{name:?}: somebody moves");
    }
    assert_eq!(places(&stage.bodies()), before);
}

fn formations_keep_their_shape_and_come_to_rest<N: Numbers>() {
    for (formation, ranks) in RANKS {
        walks_and_rests::<N>(formation, ranks);
    }
}

/// The pikes stand before the archers, though they all start in one crowd.
#[test]
fn the_first_group_stands_in_front() {
    for formation in [Formation::Line, Formation::Column, Formation::Block] {
        let mut stage = company::<f32>(map(160, 60, &[]), Some(formation), 30.0);
        send(&mut stage, 125.0, 30.0);
        seconds(&mut stage, 40);
        let bodies = stage.bodies();
        let of = |group| bodies.iter().filter(move |body| body.group == group);
        let last_pike = of(0).map(|body| body.pos[0]).fold(f64::INFINITY, f64::min);
        let first_archer = of(1).map(|body| body.pos[0]).fold(0.0, f64::max);
        assert!(last_pike > first_archer - 0.5 * SPACING, "{}", formation.name());
    }
}

/// Around a corner of 90°: along a wall of 60 m, then across.
fn turns<N: Numbers>(formation: Formation, ranks: &[u32]) {
    let mut stage = company::<N>(map(130, 130, &[[0, 45, 70, 50]]), Some(formation), 22.0);
    send(&mut stage, 60.0, 110.0);
    let name = (formation.name(), N::NUMERIC.word());
    let behind = |stage: &Stage<N>| stage.bodies().iter().all(|body| body.pos[1] > 52.0);
    assert!(stage.until(3_000, behind).is_some(), "{name:?}: not all get round the corner");
    seconds(&mut stage, 15);
    let error = error(&stage, ranks);
    eprintln!("{name:?} behind the corner: error {error:.3} spacings");
    assert!(error < 0.5, "{name:?}: {error} spacings");
    rests(&mut stage, ranks, [60.0, 110.0], name);
}

/// A turn of 90° on open ground, by a new goal: the shape is whole again after 25 s.
fn wheels<N: Numbers>(formation: Formation, ranks: &[u32]) {
    let mut stage = company::<N>(map(150, 150, &[]), Some(formation), 30.0);
    send(&mut stage, 75.0, 30.0);
    seconds(&mut stage, 25);
    send(&mut stage, 58.0, 130.0);
    seconds(&mut stage, 25);
    let mut worst = 0.0_f64;
    for _ in 0..15 {
        seconds(&mut stage, 1);
        worst = worst.max(error(&stage, ranks));
    }
    let name = (formation.name(), N::NUMERIC.word());
    eprintln!("{name:?} after a turn: error {worst:.3} spacings");
    assert!(worst < 0.5, "{name:?}: {worst} spacings");
}

fn formations_turn<N: Numbers>() {
    for (formation, ranks) in RANKS {
        wheels::<N>(formation, ranks);
        turns::<N>(formation, ranks);
    }
}

/// A wall at x = 70 to 72 with a gap of 4 m.
fn gate() -> Map {
    map(160, 60, &[[70, 0, 72, 28], [70, 32, 72, 60]])
}

fn passes<N: Numbers>(formation: Formation, ranks: &[u32]) {
    let mut stage = company::<N>(gate(), Some(formation), 30.0);
    send(&mut stage, 130.0, 30.0);
    let name = (formation.name(), N::NUMERIC.word());
    let (mut dissolved, mut waits) = (0.0_f64, None);
    for second in 0..150 {
        seconds(&mut stage, 1);
        state::validate(&stage.world).unwrap();
        let bodies = stage.bodies();
        let through = bodies.iter().filter(|body| body.pos[0] > 72.0).count();
        let error = error(&stage, ranks);
        if (1..60).contains(&through) {
            dissolved = dissolved.max(error);
        }
        if through == 60 {
            let first = *waits.get_or_insert(second);
            if second == first + 20 {
                eprintln!("{name:?}: {dissolved:.2} spacings at the gate, {error:.3} 20 s later");
                assert!(error < 0.5, "{name:?}: {error} spacings 20 s behind the gate");
                break;
            }
        }
    }
    assert!(waits.is_some_and(|first| first < 129), "{name:?}: not all get through");
    // A column of 4 files and 4.5 m only just scrapes.
    let least = if formation == Formation::Column { 0.2 } else { 0.5 };
    assert!(dissolved > least, "{name:?}: {dissolved} spacings at the gate");
    rests(&mut stage, ranks, [130.0, 30.0], name);
}

fn formations_dissolve_at_a_gate_and_form_again<N: Numbers>() {
    for (formation, ranks) in RANKS {
        passes::<N>(formation, ranks);
    }
}

fn gaps_close<N: Numbers>() {
    let mut stage = company::<N>(map(160, 60, &[]), Some(Formation::Line), 30.0);
    send(&mut stage, 140.0, 30.0);
    seconds(&mut stage, 20);
    assert!(error(&stage, RANKS[0].1) < 0.3);
    let bodies = stage.bodies();
    // Every third leaves: to a group of its own, and out of the world.
    let third: Vec<Id> = bodies.iter().map(|body| body.id).step_by(3).collect();
    let group = stage.world.add_group(walker(1.0)).unwrap();
    done(&stage.order(Order::Assign { agents: third, group }));
    done(&stage.order(Order::Remove { group, area: None }));
    assert_eq!(stage.world.len(), 40);
    seconds(&mut stage, 15);
    let error = error(&stage, &[20, 20]);
    eprintln!("{}: error {error:.3} spacings after the loss of a third", N::NUMERIC.word());
    assert!(error < 0.3, "{error} spacings");
}

/// A company takes on every formation on its way, then none, then stands and forms up.
#[test]
fn a_company_changes_its_formation() {
    let mut stage = company::<f32>(map(260, 60, &[]), None, 30.0);
    send(&mut stage, 235.0, 30.0);
    let form = |formation| Order::Form { company: CompanyId::new(0), formation };
    for (formation, ranks) in RANKS {
        done(&stage.order(form(Some(formation))));
        seconds(&mut stage, 25);
        assert!(error(&stage, ranks) < 0.3, "{}", formation.name());
    }
    done(&stage.order(form(None)));
    assert!(stage.world.companies()[0].anchor().is_none());
    let before = mean_x(&stage.bodies());
    seconds(&mut stage, 10);
    assert!(mean_x(&stage.bodies()) > before + 12.0);
    done(&stage.order(Order::StopCompany { company: CompanyId::new(0) }));
    seconds(&mut stage, 3);
    let before = mean_x(&stage.bodies());
    done(&stage.order(form(Some(Formation::Block))));
    seconds(&mut stage, 30);
    assert!((mean_x(&stage.bodies()) - before).abs() < 1.0);
    assert!(error(&stage, RANKS[2].1) < 0.1);
    assert!(stage.all_arrived() && stage.bodies().iter().all(|body| body.vel == [0.0; 2]));
}

/// A group's own order takes it out; the company's next order brings it back.
#[test]
fn a_group_may_leave_and_come_back() {
    let mut stage = company::<f32>(map(160, 60, &[]), Some(Formation::Block), 30.0);
    send(&mut stage, 125.0, 30.0);
    seconds(&mut stage, 15);
    stage.send(GroupId::new(1), disc(20.0, 30.0, 8.0));
    seconds(&mut stage, 20);
    let (pikes, archers): (Vec<Body>, Vec<Body>) =
        stage.bodies().into_iter().partition(|body| body.group == 0);
    assert!(archers.iter().all(|body| body.pos[0] < 30.0), "the archers went back");
    assert!(misfit(&places(&pikes), &[6, 6, 6, 6, 6], SPACING) < 0.3);
    send(&mut stage, 125.0, 30.0);
    let arrives = stage.until(4_000, Stage::all_arrived);
    assert!(arrives.is_some());
    assert!(error(&stage, RANKS[2].1) < 0.1);
}

/// What the shipped scenario orders, with losses, reinforcements and an order to one group.
fn campaign() -> Case {
    let mut case = Case::of("formations", 240, 1_700);
    let orders = case.orders;
    case.orders = Box::new(move |tick, ids| {
        let mut orders = orders(tick, ids);
        match tick {
            300 => orders.push(Order::Remove {
                group: GroupId::new(0),
                area: Some(rect(0.0, 0.0, 60.0, 18.0)),
            }),
            320 => {
                orders.push(Order::Spawn {
                    group: GroupId::new(2),
                    area: rect(2.0, 50.0, 12.0, 70.0),
                    count: 9,
                });
            }
            340 => orders.push(Order::Move { group: GroupId::new(7), goal: point(20.0, 140.0) }),
            500 => orders.push(Order::StopCompany { company: CompanyId::new(2) }),
            520 => orders.push(Order::MoveCompany {
                company: CompanyId::new(2),
                goal: disc(40.0, 80.0, 9.0),
            }),
            _ => {}
        }
        orders
    });
    case
}

fn compare<L: Lane>(case: &Case, threads: usize, expected: &[u64]) {
    let digests = case.digests::<L>(threads);
    let differs = expected.iter().zip(&digests).position(|(a, b)| a != b);
    assert_eq!(differs, None, "{threads} threads, {} lanes: that tick", L::WIDTH);
    assert_eq!(expected.len(), digests.len());
}

fn digests_are_the_same_for_all_threads_and_lanes<N: Numbers>() {
    let case = campaign();
    let expected = case.digests::<N::Wide>(1);
    for threads in [2, 3, 8] {
        compare::<N::Wide>(&case, threads, &expected);
    }
    compare::<N::Single>(&case, 3, &expected);
}

fn replay<N: Numbers>() {
    let case = campaign();
    let mut world = World::<N>::new(case.map.clone(), case.settings).unwrap();
    let mut recorder = Recorder::start(&world, case.name, Vec::new()).unwrap();
    let mut scratch = Scratch::new();
    for at in 0..case.ticks {
        let orders = (case.orders)(at, &Vec::new());
        tick(&mut world, &orders, &mut scratch);
        crate::common::crowd::assert_done(&world);
        recorder.tick(&world, &orders).unwrap();
    }
    let bytes = recorder.finish().unwrap();
    let read = Replay::read(&bytes).unwrap();
    let verdict = on_threads(3, || verify(&read, |_| ()).unwrap());
    assert_eq!((verdict.ticks, verdict.difference), (case.ticks, None));
    assert_eq!(verdict.digest, state::digest(&world));
}

fn a_replay_verifies<N: Numbers>() {
    replay::<N>();
}
