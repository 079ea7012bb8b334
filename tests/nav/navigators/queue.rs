//! Many agents that ask for routes at once: how long they wait, and what they do meanwhile.

use throng::GroupId;
use throng::lane::Numbers;
use throng::map::Map;
use throng::math::Fx;
use throng::nav::navigator::Navigator;
use throng::report::routes::{RouteMeter, Routes};
use throng::world::{CutOff, GroupDef, Order, Outcome, Settings};

use crate::common::stage::{Stage, disc, map, rect};
use crate::common::terrain::{noise, rooms};

/// The ticks that it takes until 95 % of a crowd have crossed a map, and how they waited.
fn crossing<N: Numbers>(navigator: Navigator, ground: &Map, expansions: u32) -> (u32, Routes) {
    let settings = Settings { route_expansions_per_tick: expansions, ..Settings::default() };
    let mut stage = Stage::<N>::with(ground.clone(), settings);
    let def = GroupDef { navigator, avoid_crowds: false, ..GroupDef::default() };
    let group = stage.world.add_group(def).unwrap();
    let (width, height) = (f64::from(ground.width()), f64::from(ground.height()));
    let area = rect(1.0, 1.0, 0.2 * width, height - 1.0);
    let outcome = stage.order(Order::Spawn { group, area, count: 800 });
    assert_eq!(outcome, Outcome::Done { agents: 800 });
    stage.send(group, disc(0.85 * width, 0.5 * height, 0.12 * width));
    let mut meter = RouteMeter::default();
    for ticks in 0..6_000 {
        meter.observe(&stage.world);
        let CutOff { unreachable, idle } = stage.world.cut_off();
        assert_eq!(idle, 0);
        if stage.world.arrived() + unreachable >= 760 {
            let routes = Routes::new(&stage.world, &meter).unwrap_or_default();
            return (ticks, routes);
        }
        stage.tick();
    }
    panic!("{}: {} of 800 arrived", navigator.name(), stage.world.arrived());
}

fn none_starves<N: Numbers>(navigators: &[Navigator]) {
    let ground = noise(128, 14, 8);
    let (flow, _) = crossing::<N>(Navigator::Flow, &ground, 4_096);
    for &navigator in navigators {
        // A twentieth of the usual work: as on a map of twenty times as many cells.
        let (ticks, routes) = crossing::<N>(navigator, &ground, 200);
        let name = navigator.name();
        eprintln!("{name:<10} {ticks} ticks, by the field {flow}; {routes}");
        // They all take the shortest way, where the field spreads them.
        assert!(f64::from(ticks) <= 1.6 * f64::from(flow), "{name}: {ticks}, by the field {flow}");
        assert!(routes.waited > 0, "{name}: nobody waited");
        assert!(routes.longest_s < 60.0, "{name}: {routes}");
    }
}

#[test]
fn a_crowd_that_waits_for_routes_arrives_as_soon_as_by_the_field() {
    let mesh = Navigator::Mesh;
    none_starves::<f32>(&[Navigator::Path, mesh, Navigator::Network, Navigator::Waypoints]);
    none_starves::<Fx>(&[Navigator::Path]);
}

#[test]
fn a_group_with_one_goal_shares_a_search() {
    let mut stage = Stage::<f32>::new(rooms(128, 16));
    let def = GroupDef { navigator: Navigator::Path, ..GroupDef::default() };
    let group = stage.world.add_group(def).unwrap();
    stage.order(Order::Spawn { group, area: rect(1.0, 1.0, 30.0, 127.0), count: 900 });
    stage.send(group, disc(110.0, 64.0, 10.0));
    assert_eq!(stage.world.waiting_for_routes(), 0, "all have got a route in one tick");
    assert!(stage.world.groups()[0].field().is_none(), "nobody needs a field");
}

#[test]
fn the_first_in_the_queue_is_served_first() {
    // Every group asks for something else, one a tick; searches are short of work.
    let settings = Settings { route_expansions_per_tick: 20, ..Settings::default() };
    let mut stage = Stage::<f32>::with(rooms(96, 12), settings);
    let groups: Vec<GroupId> = (0..40)
        .map(|i| {
            let def = GroupDef { navigator: Navigator::Path, ..GroupDef::default() };
            let group = stage.world.add_group(def).unwrap();
            let y = 2.0 + f64::from(i % 20) * 4.6;
            let area = rect(1.0, y - 1.0, 12.0, y + 1.0);
            stage.order(Order::Spawn { group, area, count: 3 });
            group
        })
        .collect();
    for &group in &groups {
        let x = 60.0 + f64::from(group.index() % 5) * 7.0;
        stage.send(group, disc(x, 48.0, 5.0));
    }
    let mut served = Vec::new();
    for _ in 0..3_000 {
        let queue = stage.world.route_queue();
        let waits = |group: GroupId| {
            let mut tags = stage.world.tags().iter();
            tags.any(|tag| tag.group == group.index() && queue.contains(&tag.id))
        };
        let new: Vec<GroupId> = groups.iter().copied().filter(|&g| !waits(g)).collect();
        served.extend(new.into_iter().filter(|group| !served.contains(group)).collect::<Vec<_>>());
        if served.len() == groups.len() {
            break;
        }
        stage.tick();
    }
    let mut sorted = served.clone();
    sorted.sort_unstable();
    assert_eq!(served, sorted, "they are served in the order in which they asked");
}

#[test]
fn those_who_are_cut_off_are_told_from_those_under_way() {
    for navigator in [Navigator::Flow, Navigator::Path, Navigator::Corridor] {
        // A wall all across, and a few beyond it.
        let mut stage = Stage::<f32>::new(map(60, 20, &[[30, 0, 31, 20]]));
        let mut places: Vec<[f64; 2]> = (0..8).map(|i| [5.5, 2.5 + f64::from(i) * 2.0]).collect();
        places.extend((0..3).map(|i| [50.5, 4.5 + f64::from(i) * 4.0]));
        let group = stage.group(GroupDef { navigator, ..GroupDef::default() }, &places);
        let idle = stage.group(GroupDef::default(), &[[3.5, 3.5], [3.5, 16.5]]);
        assert_eq!(stage.world.cut_off(), CutOff { unreachable: 0, idle: 13 });
        stage.send(group, disc(20.0, 10.0, 4.0));
        assert_eq!(stage.world.cut_off(), CutOff { unreachable: 3, idle: 2 });
        assert!(stage.until(800, |stage| stage.world.arrived() == 8).is_some());
        assert_eq!(stage.world.cut_off(), CutOff { unreachable: 3, idle: 2 });
        stage.order(Order::Demolish { area: rect(30.0, 8.0, 31.0, 12.0) });
        stage.send(idle, disc(20.0, 10.0, 4.0));
        assert_eq!(stage.world.cut_off(), CutOff::default(), "{}", navigator.name());
    }
}
