//! Agents that find their own way: they get there, do not, or wait for a route.

use throng::lane::Numbers;
use throng::map::Map;
use throng::map::area::Shape;
use throng::nav::navigator::Navigator;
use throng::world::{GroupDef, Order, Outcome, Refusal, Settings};
use throng::{CompanyId, GroupId};

use crate::common::stage::{Stage, disc, distance, map, point, rect};
use crate::common::terrain::noise;
use crate::navigators::cells::{drawn, maze};

in_both!(every_navigator_arrives_where_it_must);

/// Navigators that ask for routes.
const BY_ROUTES: [Navigator; 4] =
    [Navigator::Waypoints, Navigator::Path, Navigator::Network, Navigator::Mesh];

fn by(navigator: Navigator) -> GroupDef {
    GroupDef { navigator, ..GroupDef::default() }
}

/// Some agents side by side.
fn row(x: f64, y: f64, count: u32) -> Vec<[f64; 2]> {
    (0..count).map(|i| [x, y + f64::from(i)]).collect()
}

fn arrives<N: Numbers>(navigator: Navigator, ground: Map, from: &[[f64; 2]], to: Vec<Shape>) {
    let mut stage = Stage::<N>::new(ground);
    let group = stage.group(by(navigator), from);
    stage.send(group, to);
    assert!(stage.world.groups()[0].field().is_none(), "no field is held");
    let ticks = stage.until(4_000, Stage::all_arrived);
    let name = navigator.name();
    assert!(ticks.is_some(), "{name}: {} of {} arrived", stage.world.arrived(), from.len());
    assert_eq!(stage.world.fields().pending(), 0);
    // They settle in places of their own, like others.
    assert!(stage.until_rest(1_200).is_some(), "{name}: they do not come to rest");
    assert!(stage.closest() > 0.4, "{name}: two stand in one place");
    throng::state::validate(&stage.world).unwrap();
}

fn every_navigator_arrives_where_it_must<N: Numbers>() {
    let pillar = || map(40, 30, &[[17, 11, 23, 20]]);
    let start = row(4.5, 12.5, 6);
    for navigator in [Navigator::Trace, Navigator::TraceSight].into_iter().chain(BY_ROUTES) {
        arrives::<N>(navigator, pillar(), &start, disc(35.0, 15.0, 3.0));
    }
    arrives::<N>(Navigator::Straight, map(40, 30, &[]), &start, disc(35.0, 20.0, 3.0));
    let few = map(40, 30, &[[17, 11, 19, 13], [25, 20, 26, 22]]);
    arrives::<N>(Navigator::RandomAvoid, few, &start, disc(35.0, 15.0, 3.0));
    arrives::<N>(Navigator::Breadcrumbs, pillar(), &start, disc(35.0, 15.0, 3.0));
    let road = drawn(&[
        "..............................",
        "..............................",
        "====================..........",
        "...................=..........",
        "...................=..........",
        "...................=..........",
        "...................===========",
        "..............................",
    ]);
    let start: Vec<_> = (1..5).map(|x| [f64::from(x) + 0.5, 2.5]).collect();
    arrives::<N>(Navigator::Road, road, &start, rect(26.0, 6.0, 30.0, 7.0));
}

#[test]
fn a_hand_on_the_wall_finds_the_end_of_a_maze() {
    let ground = maze(7, 3);
    let mut stage = Stage::<f32>::new(ground);
    let group = stage.group(by(Navigator::LeftHand), &[[1.5, 1.5]]);
    stage.send(group, point(13.5, 13.5));
    assert!(stage.until(6_000, Stage::all_arrived).is_some(), "at {:?}", stage.one().pos);
}

#[test]
fn straight_ones_stop_at_a_wall_and_refuse_nothing() {
    let mut stage = Stage::<f32>::new(map(40, 30, &[[20, 5, 21, 25]]));
    let group = stage.group(by(Navigator::Straight), &row(4.5, 12.5, 4));
    stage.send(group, point(35.5, 14.5));
    assert_eq!(stage.until(1_000, Stage::all_arrived), None);
    for body in stage.bodies() {
        assert!(body.speed() < 0.05 && body.pos[0] < 20.0 && body.pos[0] > 17.0, "{body:?}");
    }
    // The same goal behind shut walls is refused to all.
    let mut stage = Stage::<f32>::new(map(40, 30, &[[20, 0, 21, 30]]));
    let group = stage.group(by(Navigator::Path), &row(4.5, 12.5, 4));
    let outcome = stage.order(Order::Move { group, goal: point(35.5, 14.5) });
    assert_eq!(outcome, Outcome::Refused(Refusal::Unreachable));
    assert!(!stage.world.groups()[0].has_order());
}

/// Shares of agents that have crossed a map of noise after three minutes.
#[test]
fn arrival_rates_on_one_map() {
    let mut rates = Vec::new();
    for navigator in Navigator::ALL {
        let mut stage = Stage::<f32>::new(noise(64, 12, 8));
        let group = stage.world.add_group(by(navigator)).unwrap();
        let area = rect(1.0, 1.0, 12.0, 63.0);
        stage.order(Order::Spawn { group, area, count: 50 });
        assert_eq!(stage.world.len(), 50);
        stage.send(group, disc(56.0, 32.0, 5.0));
        stage.until(3_600, Stage::all_arrived);
        throng::state::validate(&stage.world).unwrap();
        eprintln!(
            "{:<12} {:>2} of 50 after {} ticks",
            navigator.name(),
            stage.world.arrived(),
            stage.world.tick_count()
        );
        rates.push((navigator, stage.world.arrived()));
    }
    let rate = |asked| rates.iter().find(|(navigator, _)| *navigator == asked).unwrap().1;
    for all in [Navigator::Flow, Navigator::Trace].into_iter().chain(BY_ROUTES) {
        assert_eq!(rate(all), 50, "{all:?}");
    }
    assert!(rate(Navigator::Straight) < 25 && rate(Navigator::RandomAvoid) > 25, "{rates:?}");
}

#[test]
fn routes_come_as_the_work_is_paid_for() {
    // 40 groups of one; every search expands one node a tick, so many agents wait.
    let settings = Settings { route_expansions_per_tick: 1, ..Settings::default() };
    let mut stage = Stage::<f32>::with(map(60, 50, &[[20, 0, 22, 40], [40, 10, 42, 50]]), settings);
    let mut group = |at: [f64; 2]| stage.group(by(Navigator::Path), &[at]);
    let groups: Vec<GroupId> = row(3.5, 4.5, 40).into_iter().map(&mut group).collect();
    let go = |&group: &GroupId| Order::Move { group, goal: disc(55.0, 25.0, 5.0) };
    stage.orders(&groups.iter().map(go).collect::<Vec<_>>());
    // The first eight are served at once, and their work is owed.
    assert_eq!(stage.world.waiting_for_routes(), 32);
    let standing = stage.bodies().iter().filter(|body| body.speed() == 0.0).count();
    assert_eq!(standing, 32, "nobody sees the goal, so they stand until they are served");
    for _ in 0..50 {
        stage.tick();
    }
    assert_eq!(stage.world.waiting_for_routes(), 32, "a long search is paid for first");
    let ticks = stage.until(40_000, |stage| stage.world.waiting_for_routes() == 0).unwrap();
    assert!(ticks > 1_000, "{ticks}");
    assert!(stage.until(40_000, Stage::all_arrived).is_some());
    // With enough work a tick, all are served at once.
    let mut stage = Stage::<f32>::new(map(60, 50, &[[20, 0, 22, 40], [40, 10, 42, 50]]));
    let group = stage.group(by(Navigator::Path), &row(3.5, 4.5, 40));
    stage.send(group, disc(55.0, 25.0, 5.0));
    let ticks = stage.until(100, |stage| stage.world.waiting_for_routes() == 0).unwrap();
    assert!(ticks < 20, "{ticks}");
}

/// A wall with two doors; the nearer one is shut when agents are on their way to it.
#[test]
fn routes_lead_around_what_is_built() {
    for navigator in BY_ROUTES {
        let doors = [[30, 0, 32, 12], [30, 15, 32, 40], [30, 43, 32, 50]];
        let mut stage = Stage::<f32>::new(map(60, 50, &doors));
        let group = stage.group(by(navigator), &row(3.5, 10.5, 8));
        stage.send(group, disc(55.0, 14.0, 3.0));
        for _ in 0..150 {
            stage.tick();
        }
        let before = stage.bodies();
        assert!(before.iter().all(|body| body.pos[0] > 8.0), "{navigator:?}: {before:?}");
        let gate = rect(30.0, 12.0, 32.0, 15.0);
        assert!(matches!(stage.order(Order::Build { area: gate.clone() }), Outcome::Done { .. }));
        let mut lowest = 0.0_f64;
        let ticks = (0..4_000).find(|_| {
            stage.tick();
            lowest = stage.bodies().iter().fold(lowest, |most, body| most.max(body.pos[1]));
            stage.all_arrived()
        });
        assert!(ticks.is_some(), "{navigator:?}: {} arrived", stage.world.arrived());
        assert!(lowest > 38.0, "{navigator:?}: they went by the other door");
        // Opened again, it is used again.
        stage.order(Order::Demolish { area: gate });
        stage.send(group, disc(4.0, 14.0, 3.0));
        let mut lowest = 0.0_f64;
        let ticks = (0..4_000).find(|_| {
            stage.tick();
            lowest = stage.bodies().iter().fold(lowest, |most, body| most.max(body.pos[1]));
            stage.all_arrived()
        });
        assert!(ticks.is_some() && lowest < 25.0, "{navigator:?}: {lowest}");
    }
}

#[test]
fn a_path_is_as_short_as_the_flow_field_leads() {
    let all = [Navigator::Flow].into_iter().chain(BY_ROUTES);
    let lengths: Vec<f64> = all
        .clone()
        .map(|navigator| {
            let mut stage = Stage::<f32>::new(map(60, 50, &[[20, 0, 22, 40], [40, 10, 42, 50]]));
            let group = stage.group(by(navigator), &[[4.5, 4.5]]);
            stage.send(group, point(55.5, 45.5));
            let (mut length, mut at) = (0.0, stage.one().pos);
            while !stage.all_arrived() {
                stage.tick();
                length += distance(at, stage.one().pos);
                at = stage.one().pos;
                assert!(length < 500.0, "it gets there");
            }
            length
        })
        .collect();
    for (navigator, length) in all.zip(&lengths) {
        eprintln!("{:<12} leads {length:.1} m", navigator.name());
        assert!(*length < 1.15 * lengths[0], "{lengths:?}");
    }
}

#[test]
fn another_leads_when_the_leader_leaves() {
    let mut stage = Stage::<f32>::new(map(40, 30, &[[17, 11, 23, 20]]));
    let group = stage.group(by(Navigator::Breadcrumbs), &row(4.5, 12.5, 6));
    stage.send(group, disc(35.0, 15.0, 3.0));
    for _ in 0..100 {
        stage.tick();
    }
    let crumbs = stage.world.crumbs(group).len();
    assert!(crumbs > 4, "{crumbs}");
    let leader = stage.bodies()[0];
    let beside = Shape::Disc { centre: leader.pos, radius: 0.2 };
    stage.order(Order::Remove { group, area: Some(vec![beside]) });
    assert_eq!(stage.world.len(), 5);
    assert!(stage.until(4_000, Stage::all_arrived).is_some());
    assert!(stage.world.crumbs(group).len() > crumbs);
    // Another order, another trail.
    stage.order(Order::Stop { group });
    assert!(stage.world.crumbs(group).is_empty());
}

#[test]
fn in_a_company_they_go_by_fields() {
    let mut stage = Stage::<f32>::new(map(40, 30, &[[17, 11, 23, 20]]));
    let group = stage.group(by(Navigator::Straight), &row(4.5, 12.5, 6));
    let def = throng::world::CompanyDef { groups: vec![group], ..Default::default() };
    stage.order(Order::Company { def });
    stage.order(Order::MoveCompany { company: CompanyId::new(0), goal: disc(35.0, 15.0, 3.0) });
    assert!(stage.until(2_000, Stage::all_arrived).is_some());
    // And by themselves again.
    stage.send(group, disc(4.0, 15.0, 3.0));
    assert!(stage.world.groups()[0].field().is_none());
    assert_eq!(stage.until(600, Stage::all_arrived), None);
}
