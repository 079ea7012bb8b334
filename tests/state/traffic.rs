//! Agents that come and leave, and traits that differ within a group: sources, sinks, varieties and
//! exits.

use std::collections::BTreeMap;

use throng::lane::Numbers;
use throng::map::Map;
use throng::math::Fx;
use throng::replay::{Replay, verify};
use throng::world::{Inflow, Outcome, Spread};
use throng::{
    AgentId, Distribution, Exit, ExitsDef, GroupDef, GroupId, Order, Scratch, Settings, Shape,
    Simulation, SourceDef, VaryDef, World, state, tick,
};

use crate::common::crowd::{Case, ids};
use crate::common::stage::map;
use crate::repeats::shows_every_bit;

in_both!(a_stream_brings_what_it_should_and_all_are_counted, every_bit_of_traffic_is_in_the_digest);

fn open<N: Numbers>(width: u32, height: u32) -> Simulation<N> {
    Simulation::new(map(width, height, &[]), Settings::default()).unwrap()
}

/// Positions by id.
fn places<N: Numbers>(sim: &Simulation<N>) -> BTreeMap<AgentId, [f64; 2]> {
    let world = sim.world();
    (0..world.len()).map(|row| (world.id(row), world.positions()[row].map(N::to_f64))).collect()
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let [x, y] = [a[0] - b[0], a[1] - b[1]];
    (x * x + y * y).sqrt()
}

/// The least distance between two of some places.
fn closest(places: &[[f64; 2]]) -> f64 {
    let pairs = places.iter().enumerate();
    let all = pairs.flat_map(|(i, a)| places[..i].iter().map(move |b| distance(*a, *b)));
    all.fold(f64::INFINITY, f64::min)
}

fn a_stream_brings_what_it_should_and_all_are_counted<N: Numbers>() {
    let mut sim = open::<N>(40, 12);
    let group = sim.add_group(GroupDef::default()).unwrap();
    let area = Shape::rect([0.0, 2.0], [3.0, 10.0]);
    let def = SourceDef { end: 50.0, ..SourceDef::at_rate(1.7) };
    let source = sim.add_source(group, area.clone(), def).unwrap();
    sim.send(group, Shape::rect([36.0, 0.0], [40.0, 12.0])).unwrap();
    let sink = sim.add_sink(Shape::rect([36.0, 0.0], [40.0, 12.0]), [group]).unwrap();
    let (mut entered, mut left, mut known) = (0, 0, BTreeMap::new());
    for done in 1..=2_000_u64 {
        sim.step();
        let source = &sim.world().sources()[usize::from(source.index())];
        // The integral of the rate, in whole numbers of tenths and twentieths.
        let due = (17 * done.min(1_000)) / 200;
        assert_eq!([source.due(), source.entered() + source.waiting()], [due; 2], "tick {done}");
        entered += sim.events().entered.len() as u64;
        left += sim.events().left.len() as u64;
        assert_eq!(entered, source.entered());
        assert_eq!(left, sim.world().sinks()[usize::from(sink.index())].left());
        assert_eq!(entered, sim.len() as u64 + left, "all who came are there or have left");
        assert!(sim.events().entered.iter().all(|id| !known.contains_key(id)), "they are new");
        known = places(&sim);
        assert!(known.values().all(|at| at[0] < 36.5), "nobody stays in the sink");
        assert!(sim.events().left.iter().all(|gone| !known.contains_key(&gone.id)));
        let now: Vec<_> = sim.events().entered.iter().map(|id| known[id]).collect();
        assert!(now.iter().all(|at| area.contains(at[0], at[1]) || at[0] < 3.3));
        assert_eq!(sim.world().has_comers(), done < 1_000 || source.waiting() > 0);
    }
    assert_eq!([entered, left], [85; 2]);
    assert!(sim.is_empty());
}

#[test]
fn who_finds_no_room_waits_outside() {
    let mut sim = open::<f32>(20, 10);
    // No agent pushes another while all stand.
    let def = GroupDef { radius: 0.5, separation: 0.0, ..GroupDef::default() };
    let group = sim.add_group(def).unwrap();
    // No agent moves: no more discs of a radius of 0.5 m fit in 3 m by 3 m than nine or so, give or take
    // discs whose centres are at its rim.
    let area = Shape::rect([0.0, 0.0], [3.0, 3.0]);
    let inflow = Inflow::Batches(vec![[1.0, 100.0]]);
    sim.add_source(group, area, SourceDef { inflow, ..SourceDef::default() }).unwrap();
    for _ in 0..20 {
        sim.step();
        assert!(sim.is_empty(), "nobody comes before the first second");
    }
    // No agent enters where others are: new ones have not moved by more than a step.
    for _ in 0..100 {
        sim.step();
        let now = places(&sim);
        for id in sim.events().entered {
            let others = now.iter().filter(|(other, _)| *other != id);
            let least = others.map(|(_, at)| distance(*at, now[id])).fold(f64::INFINITY, f64::min);
            assert!(least > 0.98, "{least}");
        }
    }
    assert!((5..=16).contains(&sim.len()), "{}", sim.len());
    let world = sim.world();
    assert_eq!(world.waiting_outside() + world.entered(), 100);
    assert!(world.has_comers());
    // When the agents inside are sent away, the others follow.
    sim.send(group, Shape::rect([10.0, 0.0], [20.0, 10.0])).unwrap();
    (0..1_200).for_each(|_| sim.step());
    let places: Vec<_> = places(&sim).into_values().collect();
    assert!(sim.len() > 60, "{}", sim.len());
    assert!(closest(&places) > 0.6);
}

#[test]
fn a_source_is_closed_by_order_and_with_its_group() {
    let mut sim = open::<f32>(20, 10);
    let [a, b] = [0; 2].map(|_| sim.add_group(GroupDef::default()).unwrap());
    let area = Shape::rect([0.0, 0.0], [10.0, 10.0]);
    let first = sim.add_source(a, area.clone(), SourceDef::at_rate(20.0)).unwrap();
    sim.add_source(b, area.clone(), SourceDef::at_rate(20.0)).unwrap();
    (0..3).for_each(|_| sim.step());
    assert_eq!(sim.len(), 6);
    sim.close_source(first).unwrap();
    sim.remove_group(b).unwrap();
    (0..3).for_each(|_| sim.step());
    assert_eq!(sim.len(), 3);
    assert!(!sim.world().has_comers());
    assert!(sim.add_source(b, area.clone(), SourceDef::at_rate(1.0)).is_err(), "it is gone");
    assert!(sim.close_source(throng::SourceId::new(2)).is_err());
    let wall = Shape::rect([30.0, 0.0], [31.0, 1.0]);
    assert!(sim.add_source(a, wall.clone(), SourceDef::at_rate(1.0)).is_err(), "off the map");
    assert!(sim.add_sink(wall, []).is_err());
    assert!(sim.add_sink(area, [b]).is_err());
    assert!(sim.world().sinks().is_empty());
}

#[test]
fn agents_wait_and_set_off_to_the_tick() {
    let mut sim = open::<f32>(40, 420);
    let group = sim.add_group(GroupDef::default()).unwrap();
    let wait = Some(Distribution::uniform(1.0, 5.0));
    sim.vary(group, VaryDef { wait, ..VaryDef::default() }).unwrap();
    // So far apart that no agent pushes another.
    let starts: Vec<Shape> =
        (0..200).map(|i| Shape::point([2.0, 2.0 + f64::from(i) * 2.0])).collect();
    let who = sim.spawn(group, starts.clone(), 200).unwrap();
    (0..7).for_each(|_| sim.step());
    sim.send(group, Shape::rect([36.0, 0.0], [40.0, 420.0])).unwrap();
    let sent = sim.tick_count();
    let times: Vec<u64> = who.iter().map(|&id| sim.world().sets_off(id).unwrap() - sent).collect();
    assert!(times.iter().all(|time| (20..=100).contains(time)), "{times:?}");
    let mean = times.iter().sum::<u64>() as f64 / 200.0;
    assert!((mean - 60.0).abs() < 5.0 * 80.0 / 12_f64.sqrt() / 200_f64.sqrt(), "{mean}");
    for tick in 0..=100 {
        sim.step();
        let now = places(&sim);
        for (i, id) in who.iter().enumerate() {
            let Shape::Point { at } = starts[i] else { unreachable!() };
            assert_eq!(now[id] != at, tick >= times[i], "agent {i} at {tick}, off at {}", times[i]);
            assert_eq!(sim.world().sets_off(*id).is_some(), tick < times[i]);
        }
    }
    // Agents that have set off do not wait again.
    sim.send(group, Shape::rect([0.0, 0.0], [4.0, 420.0])).unwrap();
    assert!(who.iter().all(|&id| sim.world().sets_off(id).is_none()));
}

#[test]
fn agents_like_speeds_of_their_distribution() {
    let mut sim = open::<f32>(40, 2_010);
    let group = sim.add_group(GroupDef { speed: 1.3, ..GroupDef::default() }).unwrap();
    let speed = Some(Distribution::normal(1.3, 0.25).within(0.7, 1.9));
    sim.vary(group, VaryDef { speed, ..VaryDef::default() }).unwrap();
    // Each in a lane of its own.
    let places: Vec<Shape> =
        (0..1_000).map(|i| Shape::point([2.0, 2.0 + f64::from(i) * 2.0])).collect();
    sim.spawn(group, places, 1_000).unwrap();
    sim.send(group, Shape::rect([36.0, 0.0], [40.0, 2_010.0])).unwrap();
    (0..60).for_each(|_| sim.step());
    let speeds: Vec<f64> = sim
        .world()
        .velocities()
        .iter()
        .map(|v| distance([f64::from(v[0]), f64::from(v[1])], [0.0; 2]))
        .collect();
    let n = speeds.len() as f64;
    let mean = speeds.iter().sum::<f64>() / n;
    let deviation = (speeds.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n).sqrt();
    // The bell is cut at 2.4 deviations: its own becomes 0.2376. Speeds are less by up to 1/32.
    assert!((1.26..1.30).contains(&mean), "{mean}");
    assert!((0.212..0.262).contains(&deviation), "{deviation}");
    assert!(speeds.iter().all(|v| (0.66..1.92).contains(v)));
    assert_eq!(sim.world().group(group).unwrap().def.sprint, 1.9 / 1.3);
}

/// A hall with doors of 2 m in the left and in the right wall.
pub(crate) fn hall() -> Map {
    map(
        60,
        24,
        &[
            [0, 0, 60, 1],
            [0, 23, 60, 24],
            [8, 1, 10, 11],
            [8, 13, 10, 23],
            [50, 1, 52, 11],
            [50, 13, 52, 23],
        ],
    )
}

pub(crate) fn two_exits(def: impl Fn(ExitsDef) -> ExitsDef) -> ExitsDef {
    let exit = |x: f64| Exit::new(Shape::rect([x, 2.0], [x + 5.0, 22.0]), 2.8);
    def(ExitsDef::among([exit(2.0), exit(53.0)]))
}

/// Agents that leave by the left and the right exit, of all that appear in a rectangle.
fn leavers(from: Shape, count: u32, def: &ExitsDef, ticks: u32) -> [u64; 2] {
    leaving(from, count, def, ticks).map(|(left, _)| left)
}

/// The same, and the tick in which the last one went.
fn leaving(from: Shape, count: u32, def: &ExitsDef, ticks: u32) -> [(u64, u64); 2] {
    let mut sim = Simulation::<f32>::new(hall(), Settings::default()).unwrap();
    // 1.3 to 1.6 of these pass in a second through a metre of a door.
    let group = sim.add_group(GroupDef::preset("pedestrian").unwrap()).unwrap();
    sim.spawn(group, from, count).unwrap();
    sim.choose(group, def.clone()).unwrap();
    for exit in &def.exits {
        sim.add_sink(exit.area.clone(), [group]).unwrap();
    }
    let mut gone = [(0, 0); 2];
    for _ in 0..ticks {
        sim.step();
        for (gone, sink) in gone.iter_mut().zip(sim.world().sinks()) {
            if sink.left() > gone.0 {
                *gone = (sink.left(), sim.tick_count());
            }
        }
    }
    assert!(sim.is_empty(), "{} are left", sim.len());
    gone
}

#[test]
fn without_crowds_everybody_takes_the_nearest_exit() {
    let nearest = two_exits(|def| ExitsDef { crowd: 0.0, ..def });
    let left = Shape::rect([12.0, 2.0], [28.0, 22.0]);
    assert_eq!(leavers(left.clone(), 60, &nearest, 3_000), [60, 0]);
    let right = Shape::rect([32.0, 2.0], [48.0, 22.0]);
    assert_eq!(leavers(right, 60, &nearest, 3_000), [0, 60]);
    // A few make no queue that would be worth the way.
    assert_eq!(leavers(left, 10, &two_exits(|def| def), 3_000), [10, 0]);
}

#[test]
fn a_crowded_exit_is_left_for_the_other() {
    let left = Shape::rect([12.0, 2.0], [28.0, 22.0]);
    let nearest = two_exits(|def| ExitsDef { crowd: 0.0, ..def });
    let [(400, alone), (0, _)] = leaving(left.clone(), 400, &nearest, 12_000) else {
        panic!("all take the nearest");
    };
    // Both doors together: the last one is out sooner by far, and at both at about the same time.
    let [(near, first), (far, second)] = leaving(left, 400, &two_exits(|def| def), 6_000);
    assert!((180..=290).contains(&near) && near + far == 400, "{near} {far}");
    assert!(10 * first.max(second) < 7 * alone, "{first} and {second}, {alone} by one");
    assert!(10 * first.abs_diff(second) < 3 * first, "{first} {second}");
}

#[test]
fn who_does_not_know_an_exit_does_not_take_it() {
    let left = Shape::rect([12.0, 2.0], [28.0, 22.0]);
    let known = |share: f64| {
        two_exits(|mut def| {
            def.exits[0].known = share;
            ExitsDef { crowd: 0.0, ..def }
        })
    };
    assert_eq!(leavers(left.clone(), 30, &known(0.0), 2_000), [0, 30]);
    let [near, _] = leavers(left.clone(), 100, &known(0.5), 3_000);
    assert!((25..=75).contains(&near), "{near}");
    // Agents that know no exit go to the nearest.
    let none = two_exits(|mut def| {
        def.exits.iter_mut().for_each(|exit| exit.known = 0.0);
        def
    });
    assert_eq!(leavers(left, 20, &none, 3_000), [20, 0]);
}

#[test]
fn an_order_to_the_group_ends_its_choice() {
    let mut sim = Simulation::<f32>::new(hall(), Settings::default()).unwrap();
    let group = sim.add_group(GroupDef::default()).unwrap();
    let who = sim.spawn(group, Shape::rect([12.0, 2.0], [48.0, 22.0]), 60).unwrap();
    sim.choose(group, two_exits(|def| def)).unwrap();
    (0..20).for_each(|_| sim.step());
    assert!(who.iter().all(|&id| sim.agent(id).unwrap().is_detached()), "they have chosen");
    let own = |sim: &Simulation<f32>| sim.world().group(group).unwrap().members();
    assert_eq!(own(&sim), 0);
    // Others come meanwhile and choose too.
    sim.spawn(group, Shape::rect([30.0, 2.0], [31.0, 3.0]), 1).unwrap();
    sim.step();
    assert_eq!(own(&sim), 0);
    sim.send(group, Shape::rect([20.0, 2.0], [40.0, 22.0])).unwrap();
    assert_eq!(own(&sim), 61);
    (0..600).for_each(|_| sim.step());
    assert_eq!(sim.world().arrived(), 61);
    // A group that cannot choose says why.
    let path = throng::nav::navigator::Navigator::Path;
    let other = sim.add_group(GroupDef { navigator: path, ..GroupDef::default() }).unwrap();
    let why = sim.choose(other, two_exits(|def| def)).unwrap_err().to_string();
    assert!(why.contains("does not go by flow fields"), "{why}");
    assert!(sim.choose(group, ExitsDef::default()).is_err(), "no exit");
}

#[test]
fn distributions_out_of_range_are_refused() {
    let mut sim = open::<f32>(20, 10);
    let group = sim.add_group(GroupDef::default()).unwrap();
    let vary = |speed: Spread| VaryDef { speed: Some(speed.into()), ..VaryDef::default() };
    assert!(sim.vary(group, vary(Spread::Constant(9.0))).is_err());
    assert!(sim.vary(group, vary(Spread::Uniform { low: 1.0, high: 0.5 })).is_err());
    assert!(sim.world().variety(group).is_none());
    sim.vary(group, vary(Spread::Uniform { low: 0.5, high: 1.0 })).unwrap();
    assert!(sim.world().variety(group).is_some());
}

/// The foyer from tick 0, and the orders of a tick.
fn foyer() -> Case {
    Case::of("foyer", 120, 400)
}

fn every_bit_of_traffic_is_in_the_digest<N: Numbers>() {
    let own = ["ids.wait", "traffic.sources", "traffic.comers", "traffic.sinks"];
    let columns = [&own[..], &["traffic.varieties", "traffic.choices"]].concat();
    let world = shows_every_bit::<N>(&foyer(), 320, &columns);
    assert!(world.entered() > 10 && world.left_by_sinks() > 5);
}

#[test]
fn a_restored_world_brings_the_same_agents() {
    let case = foyer();
    let mut world = World::<f32>::new(case.map.clone(), case.settings).unwrap();
    let mut scratch = Scratch::new();
    let (mut digests, mut images) = (Vec::new(), Vec::new());
    for at in 0..case.ticks {
        images.push(state::save(&world));
        let orders = (case.orders)(at, &ids(&world));
        tick(&mut world, &orders, &mut scratch);
        digests.push(state::digest(&world));
    }
    for from in [1, 60, 133, 250] {
        let mut other = World::<f32>::new(case.map.clone(), case.settings).unwrap();
        state::restore(&mut other, &images[from]).unwrap();
        let mut scratch = Scratch::new();
        for (at, digest) in digests.iter().enumerate().skip(from) {
            let orders = (case.orders)(at as u64, &ids(&other));
            tick(&mut other, &orders, &mut scratch);
            assert_eq!(state::digest(&other), *digest, "tick {at} from {from}");
        }
    }
}

/// A file in memory, which its copies share.
#[derive(Clone, Default)]
pub(crate) struct Memory(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl Memory {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }
}

impl std::io::Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_replay_repeats_sources_that_a_game_adds() {
    let mut sim = Simulation::<Fx>::new(hall(), Settings::default()).unwrap();
    let file = Memory::default();
    sim.record(file.clone(), "game").unwrap();
    let group = sim.add_group(GroupDef::default()).unwrap();
    (0..10).for_each(|_| sim.step());
    let from = Shape::rect([20.0, 2.0], [30.0, 22.0]);
    sim.add_source(group, from, SourceDef::poisson(4.0)).unwrap();
    sim.vary(
        group,
        VaryDef {
            speed: Some(Distribution::log_normal(1.3, 0.2).within(0.8, 2.0)),
            wait: Some(Distribution::uniform(0.0, 2.0)),
            ..VaryDef::default()
        },
    )
    .unwrap();
    sim.choose(group, two_exits(|def| def)).unwrap();
    sim.add_sink(Shape::rect([2.0, 2.0], [7.0, 22.0]), []).unwrap();
    (0..500).for_each(|_| sim.step());
    assert!(sim.world().left_by_sinks() > 10 && sim.len() > 10);
    sim.finish_recording().unwrap();
    let replay = Replay::read(&file.bytes()).unwrap();
    assert_eq!(verify(&replay, |_| ()).unwrap().difference, None);
}

#[test]
fn orders_at_work_say_what_they_added() {
    let mut world = World::<f32>::new(map(20, 10, &[]), Settings::default()).unwrap();
    let group = world.add_group(GroupDef::default()).unwrap();
    let area: Vec<Shape> = Shape::rect([0.0, 0.0], [5.0, 5.0]).into();
    let source = Order::Source { group, area: area.clone(), def: SourceDef::at_rate(1.0) };
    let sink = Order::Sink { area, groups: vec![GroupId::new(0)] };
    tick(&mut world, &[source, sink], &mut Scratch::new());
    let outcomes = world.outcomes();
    assert!(matches!(outcomes[0], Outcome::Source(id) if id.index() == 0), "{outcomes:?}");
    assert!(matches!(outcomes[1], Outcome::Sink(id) if id.index() == 0), "{outcomes:?}");
}
