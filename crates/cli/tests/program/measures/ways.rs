//! Rest, arrival, stuck agents, length of ways; threads and number types.

use throng::report::measure::{Measures, Options, Report};
use throng::scenario::Plan;
use throng::tick::{Scratch, tick};
use throng::world::World;
use throng::{Fx, Numbers};

use crate::measures::{Agent, Bench, near, plan_of};

#[test]
fn rest_begins_when_the_last_one_stops_for_good() {
    let mut bench = Bench::new("");
    for tick in 1..=400 {
        // One stops after 12.3 s; one of the other group after 5 s, but for a jerk at 15 s.
        let first = if tick < 246 { 1.0 } else { 0.009 };
        let other = if tick < 100 || tick == 300 { 0.5 } else { 0.0 };
        bench.tick(&[
            Agent::at(0, 5.0, 5.0).walking(first, 0.0),
            Agent::at(1, 8.0, 5.0),
            Agent::at(2, 11.0, 5.0).of(1).walking(0.0, other),
        ]);
    }
    let report = bench.measures.report();
    near(report.groups[0].settle_time_s.unwrap(), 12.3, 1e-9);
    near(report.groups[1].settle_time_s.unwrap(), 15.05, 1e-9);
    near(report.settle_time_s.unwrap(), 15.05, 1e-9);
    near(report.series.kinetic_energy[0].unwrap(), (1.0 + 0.25) / 2.0 / 3.0, 1e-7);
    bench.tick(&[Agent::at(0, 5.0, 5.0).walking(0.02, 0.0)]);
    let report = bench.measures.report();
    assert_eq!((report.groups[0].settle_time_s, report.settle_time_s), (None, None));
    near(report.groups[1].settle_time_s.unwrap(), 15.05, 1e-9);
}

#[test]
fn a_detour_is_longer_by_geometry() {
    let mut bench = Bench::new("");
    // 4 m right and 3 m down where 5 m lead straight there, in 70 steps of 0.1 m; the rest is not a
    // part of the way.
    let place = |step: u32| {
        let way = f64::from(step.min(70)) * 0.1;
        let [x, y] = if way < 4.0 { [way, 0.0] } else { [4.0, way - 4.0] };
        Agent::at(9, 5.0 + x, 5.0 + y)
    };
    for step in 0..=69 {
        bench.tick(&[place(step), Agent::at(1, 20.0, 5.0 + f64::from(step) * 0.1)]);
    }
    bench.tick(&[place(70).arrived(), Agent::at(1, 20.0, 12.0).arrived()]);
    for step in 0..50 {
        let to_and_fro = f64::from(step % 2);
        bench.tick(&[
            Agent::at(9, 9.0 + to_and_fro, 8.0).arrived(),
            Agent::at(1, 20.0, 12.0).arrived(),
        ]);
    }
    let path = bench.measures.report().groups[0].path;
    assert_eq!((path.trips, path.trips_by_field), (2, 0));
    near(path.max_ratio.unwrap(), 1.4, 1e-5);
    near(path.median_ratio.unwrap(), 1.0, 1e-5);
    near(path.mean_ratio.unwrap(), 1.2, 1e-5);
    assert_eq!(path.p95_ratio, path.max_ratio);
    let report = bench.measures.report();
    assert_eq!((report.groups[0].arrived, report.series.arrived[70]), (2, 2));
    assert_eq!(report.series.arrived[69], 0);
}

#[test]
fn stuck_agents_count_by_group() {
    let mut bench = Bench::new("");
    for tick in 1..=600 {
        let x = 5.0 + f64::from(tick) * 0.05;
        bench.tick(&[
            Agent::at(0, x, 5.0).walking(1.0, 0.0),
            Agent::at(1, 5.0, 9.0).of(1),
            Agent::at(2, 5.0, 12.0).of(1),
            Agent::at(3, 5.0, 15.0).of(1).arrived(),
        ]);
    }
    let report = bench.measures.report();
    assert_eq!(report.groups[0].stuck_agent_s, 0.0);
    near(report.groups[1].stuck_agent_s, 2.0 * 20.0, 2.0);
    assert_eq!(report.stuck_agent_s, report.groups[1].stuck_agent_s);
    assert_eq!(report.series.stuck.last(), Some(&2));
    assert_eq!(report.stuck_agents_max, 2);
    assert_eq!(report.series.stuck[150], 0);
}

/// A wall with a door at its lower end between start and goal.
const ROUND: &str = "ticks = 1200\n[map]\nsize = [40, 20]\nwalls = [{ rect = [20, 0, 21, 15] }]\n\
    [[group]]\nname = \"one\"\nspawn = { point = [5.5, 4.5] }\ngoal = { rect = [32, 2, 38, 8] }\n\
    [[gate]]\nname = \"door\"\nfrom = [20.5, 20]\nto = [20.5, 0]\n";

pub(crate) fn run<N: Numbers>(plan: &Plan, options: Options, ticks: u64) -> (Report, World<N>) {
    let mut world = World::<N>::new(plan.map.clone(), plan.settings).unwrap();
    let mut scratch = Scratch::new();
    let mut measures = Measures::new(plan, options);
    for now in 0..ticks {
        let orders: Vec<_> = plan.orders_at(now).cloned().collect();
        tick(&mut world, &orders, &mut scratch);
        measures.observe(&world);
    }
    measures.finish(&world);
    (measures.report(), world)
}

#[test]
fn one_agent_walks_nearly_the_shortest_way() {
    let plan = plan_of(ROUND);
    let (report, _) = run::<f32>(&plan, Options::default(), 1200);
    let path = report.groups[0].path;
    assert_eq!((path.trips, path.trips_by_field), (1, 1));
    let ratio = path.mean_ratio.unwrap();
    assert!((0.97..1.06).contains(&ratio), "{ratio}");
    let gate = &report.gates[0];
    assert_eq!((gate.open_m, gate.forward.count, gate.backward.crossings), (5.0, 1, 0));
    assert_eq!(report.groups[0].arrived, 1);
    let settled = report.groups[0].settle_time_s.unwrap();
    assert!((25.0..50.0).contains(&settled), "{settled}");
}

#[test]
fn another_order_on_the_way_begins_another_trip() {
    // Away for 10 s, then back to where it came from: only the way back counts.
    let plan = plan_of(
        "ticks = 1200\n[map]\nsize = [60, 20]\n\
         [[group]]\nname = \"one\"\nspawn = { point = [5.5, 10.5] }\ngoal = { rect = [50, 5, 58, 15] }\n\
         [[order]]\ntick = 200\nmove = \"one\"\ngoal = { rect = [1, 8, 6, 13] }\n",
    );
    let (report, _) = run::<f32>(&plan, Options::default(), 1200);
    let path = report.groups[0].path;
    assert_eq!((path.trips, path.trips_by_field), (1, 1));
    let ratio = path.mean_ratio.unwrap();
    assert!((0.95..1.25).contains(&ratio), "{ratio}: the way there is not a part of it");
}

#[test]
fn the_last_state_is_sampled_and_means_leave_the_warm_up_out() {
    let plan = plan_of(ROUND);
    let (report, world) =
        run::<f32>(&plan, Options { every: 100, warm_up_s: 20.0, ..Options::default() }, 450);
    assert_eq!(report.series.time_s, [5.0, 10.0, 15.0, 20.0, 22.5]);
    assert_eq!(report.ticks, world.tick_count());
    let speeds = &report.series.mean_speed[3..];
    let mean = speeds.iter().flatten().sum::<f64>() / speeds.len() as f64;
    near(report.mean_speed.unwrap(), mean, 1e-12);
    assert!(report.series.mean_speed[0] != report.mean_speed);
}

/// Two crowds against each other.
const COUNTER: &str = "ticks = 400\nnumeric = \"f32\"\n[map]\nsize = [40, 12]\n\
    [[group]]\nname = \"right\"\nspawn = { rect = [1, 1, 14, 11], count = 120 }\n\
    goal = { rect = [28, 1, 39, 11] }\n\
    [[group]]\nname = \"left\"\nspawn = { rect = [26, 1, 39, 11], count = 120 }\n\
    goal = { rect = [1, 1, 12, 11] }\n";
const MEASURED: &str = "[[gate]]\nname = \"middle\"\nfrom = [20, 12]\nto = [20, 0]\n\
    [[area]]\nname = \"middle\"\nrect = [15, 0, 25, 12]\n";

#[test]
fn measures_do_not_depend_on_threads_and_change_no_bit() {
    let plan = plan_of(&format!("{COUNTER}{MEASURED}"));
    let plain = plan_of(COUNTER);
    assert_eq!((plain.scene.gates.len(), plain.scene.areas.len()), (0, 0));
    let results: Vec<(Report, u64)> = [1, 2, 8]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (report, world) = pool.install(|| run::<f32>(&plan, Options::default(), 400));
            (report, throng::state::digest(&world))
        })
        .collect();
    assert!(results.iter().all(|result| *result == results[0]));
    assert!(results[0].0.gates[0].forward.count > 20);
    assert!(results[0].0.areas[0].lane_order.is_some());
    let mut world = World::<f32>::new(plain.map.clone(), plain.settings).unwrap();
    let mut scratch = Scratch::new();
    for now in 0..400 {
        let orders: Vec<_> = plain.orders_at(now).cloned().collect();
        tick(&mut world, &orders, &mut scratch);
    }
    assert_eq!(throng::state::digest(&world), results[0].1);
}

#[test]
fn fixed_point_is_measured_too() {
    let plan = plan_of(&format!("{COUNTER}{MEASURED}"));
    let (fixed, _) = run::<Fx>(&plan, Options::default(), 400);
    let (single, _) = run::<f32>(&plan, Options::default(), 400);
    let [a, b] = [&fixed, &single].map(|report| report.gates[0].both.count as f64);
    assert!(a > 100.0 && (a / b - 1.0).abs() < 0.2, "{a} {b}");
}
