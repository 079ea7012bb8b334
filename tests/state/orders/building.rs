//! Buildings go up and come down while a crowd walks.

use crate::common::crowd::{on_threads, shipped};
use crate::common::stage::{Stage, disc, map, rect};
use crate::common::terrain;
use crate::common::terrain::Random;
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::map::{Ground, Map};
use throng::math::{Fx, Numeric};
use throng::nav::field::solve_around;
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Outcome, Refusal, Settings, World};
use throng::{GroupId, state};

in_both!(who_is_in_the_way_is_pushed_out_and_goes_round);

/// Where the walls of a world are, cell by cell.
fn walls<N: Numbers>(world: &World<N>) -> Vec<bool> {
    world.map().slowness().iter().map(|&slowness| slowness == 0).collect()
}

/// The field that a group follows is the one of the map as it is.
fn assert_right<N: Numbers>(world: &World<N>, group: u16) {
    let row = &world.groups()[usize::from(group)];
    let id = row.field().expect("the group follows a field");
    let (goals, _) = world.fields().goals(id).expect("it is held");
    let class = world.map().class(row.def.radius);
    let crowd = world.fields().crowd(id).expect("it is held");
    let right = solve_around(&class, goals, crowd).directions;
    assert!(world.fields().directions(id) == Some(&right[..]), "group {group}");
}

fn open_field<N: Numbers>() -> Stage<N> {
    let mut stage = Stage::new(map(60, 60, &[]));
    let group = stage.world.add_group(GroupDef::default()).unwrap();
    let area = rect(2.0, 2.0, 30.0, 58.0);
    stage.order(Order::Spawn { group, area, count: 800 });
    stage.send(group, disc(46.0, 30.0, 13.0));
    stage
}

fn who_is_in_the_way_is_pushed_out_and_goes_round<N: Numbers>() {
    let mut stage = open_field::<N>();
    (0..40).for_each(|_| stage.tick());
    let inside = |stage: &Stage<N>| {
        let within = |[x, y]: [f64; 2]| (10.0..30.0).contains(&x) && (15.0..35.0).contains(&y);
        stage.bodies().iter().filter(|body| within(body.pos)).count()
    };
    let before = inside(&stage);
    assert!(before > 100);
    let outcome = stage.order(Order::Build { area: rect(10.0, 15.0, 30.0, 35.0) });
    let Outcome::Done { agents } = outcome else { panic!("{outcome:?}") };
    assert!(agents as usize + 60 > before && agents as usize <= before + 60, "{agents} {before}");
    assert_eq!(inside(&stage), 0);
    state::validate(&stage.world).unwrap();
    assert_eq!(walls(&stage.world).iter().filter(|&&wall| wall).count(), 400 + 4 * 61);
    // They go round it.
    let arrived = stage.until(3000, Stage::all_arrived).expect("all arrive");
    assert!(arrived > 100);
    assert_right(&stage.world, 0);
    state::validate(&stage.world).unwrap();
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut stage = open_field::<f32>();
    let wall = rect(40.0, 5.0, 44.0, 9.0);
    assert_eq!(stage.order(Order::Build { area: wall.clone() }), Outcome::Done { agents: 0 });
    let version = stage.world.map_version();
    let mut refuse = |order: Order| {
        let mut silent = stage.clone();
        let Outcome::Refused(refusal) = stage.order(order) else { panic!("carried out") };
        silent.tick();
        assert_eq!(state::digest(&silent.world), state::digest(&stage.world));
        assert_eq!(stage.world.map_version(), version);
        refusal
    };
    let same = [
        Order::Build { area: wall },
        Order::Build { area: rect(70.0, 5.0, 80.0, 9.0) },
        Order::Build { area: Vec::new() },
        Order::Demolish { area: rect(10.0, 10.0, 20.0, 20.0) },
    ];
    for order in same {
        assert!(matches!(refuse(order), Refusal::NothingChanges(_)));
    }
    let all = Order::Build { area: rect(-5.0, -5.0, 100.0, 100.0) };
    assert_eq!(refuse(all).to_string(), "no open ground would be left");
    let bad = Order::Build { area: rect(5.0, 5.0, 5.0, 9.0) };
    assert!(matches!(refuse(bad), Refusal::NoSuchPlace(_)));
}

#[test]
fn demolition_brings_back_the_ground_and_opens_walls() {
    let given = terrain::weighted(64, 3);
    let mut stage = Stage::<f32>::new(given.clone());
    let house = vec![Shape::Polygon { corners: vec![[20.0, 20.0], [30.0, 22.0], [24.0, 31.0]] }];
    stage.order(Order::Build { area: house.clone() });
    assert!(stage.world.map() != &given && stage.world.given_map() == &given);
    assert_eq!(stage.world.map_version(), 1);
    stage.order(Order::Demolish { area: house.clone() });
    let mut opened = 0;
    for y in 0..64 {
        for x in 0..64 {
            let cell = given.index(x, y);
            let (before, now) = (given.ground(cell), stage.world.map().ground(cell));
            let inside = house[0].contains(f64::from(x) + 0.5, f64::from(y) + 0.5);
            let wall = inside && before.slowness == 0;
            opened += u32::from(wall);
            assert_eq!(now, if wall { Ground::PLAIN } else { before }, "({x}, {y})");
        }
    }
    assert!(opened > 0);

    let mut stage = Stage::<f32>::new(map(20, 20, &[[8, 0, 10, 20]]));
    stage.group(GroupDef::default(), &[[3.0, 10.0]]);
    let goal = disc(16.0, 10.0, 2.0);
    let refused = stage.order(Order::Move { group: GroupId::new(0), goal: goal.clone() });
    assert_eq!(refused, Outcome::Refused(Refusal::Unreachable));
    stage.order(Order::Demolish { area: rect(8.0, 14.0, 10.0, 16.0) });
    stage.send(GroupId::new(0), goal);
    stage.until(600, Stage::all_arrived).expect("through the gap");
}

/// A change that the seed decides, on a map of so many metres.
fn random_change(random: &mut Random, side: u32) -> Order {
    let at = [random.below(side - 8), random.below(side - 8)].map(f64::from);
    let size = [2 + random.below(6), 2 + random.below(6)].map(f64::from);
    let area = match random.below(3) {
        0 => {
            let corners = vec![at, [at[0] + size[0], at[1] + 1.0], [at[0], at[1] + size[1]]];
            vec![Shape::Polygon { corners }]
        }
        _ => rect(at[0], at[1], at[0] + size[0], at[1] + size[1]),
    };
    if random.below(5) < 3 { Order::Build { area } } else { Order::Demolish { area } }
}

/// Digests of every tick of a run in which the map changes all the time. Every so often the run goes
/// on in another world, which was restored.
fn busy_run<N: Numbers>(map: &Map, ticks: u32, move_house: bool) -> Vec<u64> {
    let settings = Settings {
        field_cells_per_tick: 700,
        field_jobs: 3,
        // Longer than the work on the fields of all groups.
        crowding_ticks: 200,
        ..Settings::default()
    };
    let mut stage = Stage::<N>::with(map.clone(), settings);
    let mut random = Random(9);
    for (radius, count) in [(0.3, 250), (0.9, 60), (0.3, 90)] {
        let group = stage.world.add_group(GroupDef { radius, ..GroupDef::default() }).unwrap();
        stage.order(Order::Spawn { group, area: rect(0.0, 0.0, 96.0, 96.0), count });
    }
    let mut digests = Vec::new();
    let mut most = [0; 2];
    for tick in 0..ticks {
        if tick % 40 == 0 {
            let goal =
                disc(f64::from(random.below(80)) + 8.0, f64::from(random.below(80)) + 8.0, 5.0);
            stage.order(Order::Move { group: GroupId::new((tick / 40 % 3) as u16), goal });
        }
        if random.below(3) == 0 {
            stage.order(random_change(&mut random, 96));
        } else {
            stage.tick();
        }
        state::validate(&stage.world).unwrap();
        let kept = stage.world.fields().keep();
        let repaired = kept.fields.iter().filter(|field| field.repaired && field.work > 0).count();
        most = [most[0].max(repaired), most[1].max(kept.fields.len())];
        digests.push(state::digest(&stage.world));
        if move_house && tick % 7 == 3 {
            let image = state::save(&stage.world);
            let mut other = Stage::<N>::with(map.clone(), settings);
            if tick % 2 == 0 {
                // Another history: of this nothing may be left.
                other.order(random_change(&mut Random(u64::from(tick)), 96));
            }
            state::restore(&mut other.world, &image).expect("a good image");
            assert_eq!(state::digest(&other.world), state::digest(&stage.world), "tick {tick}");
            assert!(other.world.map() == stage.world.map());
            stage = other;
        }
    }
    assert!(most[0] >= 2 && most[1] >= 3, "{most:?}");
    for group in 0..3 {
        stage.until(4000, |stage| stage.world.fields().pending() == 0).expect("all gets right");
        assert_right(&stage.world, group);
    }
    digests
}

#[test]
fn runs_on_changing_maps_repeat_and_can_be_restored() {
    let map = terrain::rooms(96, 5);
    let plain = on_threads(1, || busy_run::<f32>(&map, 400, false));
    assert_eq!(on_threads(3, || busy_run::<f32>(&map, 400, false)), plain);
    assert_eq!(on_threads(2, || busy_run::<f32>(&map, 400, true)), plain);
    let fixed = busy_run::<Fx>(&map, 200, false);
    assert_eq!(busy_run::<Fx>(&map, 200, true), fixed);
}

/// Every tick a house of 8 m goes up somewhere in the city, stands for 10 s, and comes down again, 200
/// times; 20,000 people walk about between them.
#[test]
fn two_hundred_houses_go_up_and_down_in_a_city() {
    let plan = shipped("city", Numeric::F32, 20_000);
    let settings = Settings { field_cells_per_tick: 3_000, ..plan.settings };
    let run = |threads: usize| {
        on_threads(threads, || {
            let mut world = World::<f32>::new(plan.map.clone(), settings).unwrap();
            let (mut scratch, mut random) = (Scratch::new(), Random(3));
            let (mut houses, mut pushed) = (Vec::new(), 0);
            for at in 0..400 {
                let mut orders: Vec<Order> = plan.orders_at(at).cloned().collect();
                if houses.len() < 200 {
                    let [x, y] = [random.below(470), random.below(390)].map(f64::from);
                    houses.push(rect(x, y, x + 8.0, y + 8.0));
                    orders.push(Order::Build { area: houses[houses.len() - 1].clone() });
                }
                if at >= 200 {
                    orders.push(Order::Demolish { area: houses[at as usize - 200].clone() });
                }
                tick(&mut world, &orders, &mut scratch);
                for (order, outcome) in orders.iter().zip(world.outcomes()) {
                    match (order, outcome) {
                        (Order::Build { .. }, Outcome::Done { agents }) => pushed += agents,
                        (Order::Build { .. } | Order::Demolish { .. }, Outcome::Refused(why)) => {
                            assert!(matches!(why, Refusal::NothingChanges(_)), "{why}");
                        }
                        _ => {}
                    }
                }
                let places = world.positions().iter().map(|pos| pos.map(f64::from));
                let slowness = world.map().slowness();
                let inside = |[x, y]: [f64; 2]| {
                    world.map().cell_at(x, y).is_none_or(|cell| slowness[cell as usize] == 0)
                };
                assert_eq!(places.filter(|&pos| inside(pos)).count(), 0, "tick {at}");
            }
            (state::digest(&world), pushed, world.map_version())
        })
    };
    let (digest, pushed, version) = run(1);
    eprintln!("{version} changes, {pushed} agents moved out");
    assert!(pushed > 500 && version > 250, "{pushed}, {version}");
    assert_eq!(run(3), (digest, pushed, version));
}
