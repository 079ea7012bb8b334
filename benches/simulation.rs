//! What a simulation adds to the tick: finding an agent, a force of one's own, orders to many, groups
//! that go and come, and events that are not read. Each benchmark asserts its answer first.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use throng::lane::Numbers;
use throng::tick::{Probe, Scratch, Stage, tick};
use throng::{AgentId, GroupDef, Map, Settings, Shape, Simulation, WeaponDef, World};

/// Agents on open ground, on their way to the right.
fn crowd(agents: u32) -> (Simulation<f32>, Vec<AgentId>) {
    let side = (f64::from(agents) * 2.5).sqrt().ceil() as u32;
    let map = Map::from_slowness(2 * side, side, 1.0, &vec![16; 2 * (side * side) as usize]);
    let mut sim = Simulation::<f32>::new(map, Settings::default()).expect("a good map");
    let group = sim.add_group(GroupDef::default()).expect("a good group");
    let side = f64::from(side);
    let left = Shape::rect([1.0, 1.0], [side, side - 1.0]);
    let ids = sim.spawn(group, left, agents).expect("there is room");
    let right = Shape::rect([side, 1.0], [2.0 * side - 1.0, side - 1.0]);
    sim.send(group, right).expect("there is a way");
    (0..20).for_each(|_| sim.step());
    (sim, ids)
}

/// How long the stage took in which forces of one's own act.
#[derive(Default)]
struct Behave {
    began: Option<Instant>,
    took: Duration,
}

impl Probe for Behave {
    fn ended<N: Numbers>(&mut self, stage: Stage, _: &World<N>, _: &Scratch<N>) {
        match stage {
            Stage::Arrivals => self.began = Some(Instant::now()),
            Stage::Behave => self.took += self.began.expect("arrivals come before").elapsed(),
            _ => {}
        }
    }
}

/// Time of an agent found by its id, of 100,000 in any order.
fn agent(c: &mut Criterion) {
    let (sim, mut ids) = crowd(100_000);
    // Neighbours in the list are not neighbours in the columns.
    ids.sort_by_key(|id| id.index.wrapping_mul(0x9e37_79b1));
    assert!(ids.iter().all(|&id| sim.agent(id).is_some_and(|agent| agent.id() == id)));
    let mut group = c.benchmark_group("simulation");
    group.throughput(Throughput::Elements(ids.len() as u64));
    group.bench_function("agent/100000", |b| {
        b.iter(|| {
            ids.iter().filter(|&&id| sim.agent(id).is_some_and(|a| a.pos()[0] > 1.0)).count()
        });
    });
    group.finish();
}

/// Time an agent of the stage with a force, and of the loop in it by itself.
fn force(c: &mut Criterion) {
    let agents = 100_000;
    let (mut sim, _) = crowd(agents);
    let turn = |pos: &[[f32; 2]], desired: &mut [[f32; 2]]| {
        for (at, wish) in pos.iter().zip(desired) {
            wish[1] += 0.001 * (100.0 - at[1]);
        }
    };
    let mut group = c.benchmark_group("simulation");
    group.throughput(Throughput::Elements(u64::from(agents)));
    let timed = |sim: &mut Simulation<f32>, times: u64| {
        let mut probe = Behave::default();
        (0..times).for_each(|_| sim.step_with(&mut probe));
        probe.took
    };
    group.bench_function("force/none", |b| b.iter_custom(|times| timed(&mut sim, times)));
    sim.set_force(move |world, rows, desired| turn(&world.positions()[rows], desired));
    group.bench_function("force/own", |b| b.iter_custom(|times| timed(&mut sim, times)));
    sim.clear_force();
    let mut desired = vec![[0.0; 2]; sim.len()];
    let pos = sim.world().positions().to_vec();
    group.bench_function("force/loop alone", |b| {
        b.iter(|| turn(black_box(&pos), black_box(&mut desired)));
    });
    group.finish();
}

/// Two sides of as many agents each, in range of each other, so that shots are fired and strike.
fn battle(agents: u32) -> World<f32> {
    let map = Map::from_slowness(200, 200, 1.0, &[16; 200 * 200]);
    let mut sim = Simulation::<f32>::new(map, Settings::default()).expect("a good map");
    let weapon = WeaponDef { cooldown: 1.0, range: 80.0, ..WeaponDef::default() };
    let weapon = Some(sim.add_weapon(weapon).expect("a good weapon"));
    for (team, x) in [(0, 40.0), (1, 110.0)] {
        let foes = 3 - (1 << team);
        let def = GroupDef { team, foes, weapon, health: 1_000.0, ..GroupDef::default() };
        let side = sim.add_group(def).expect("a good group");
        let area = Shape::rect([x, 2.0], [x + 50.0, 198.0]);
        sim.spawn(side, area, agents).expect("there is room");
    }
    (0..40).for_each(|_| sim.step());
    assert!(!sim.events().impacts.is_empty());
    sim.world().clone()
}

/// Steps of a simulation with its events unread, and the ticks of the same world: in turns, so that
/// both meet the same load. Copies and first allocations are outside of the time.
fn events(c: &mut Criterion) {
    const TICKS: u32 = 50;
    let starts = [("march", crowd(20_000).0.world().clone()), ("battle", battle(2_000))];
    for (name, start) in &starts {
        // The time of the steps, and of the ticks.
        let both = || {
            let mut sim = Simulation::from(start.clone());
            let (mut world, mut scratch) = (start.clone(), Scratch::new());
            sim.step();
            tick(&mut world, &[], &mut scratch);
            let mut took = [Duration::ZERO; 2];
            for _ in 0..TICKS {
                let began = Instant::now();
                sim.step();
                let between = Instant::now();
                tick(&mut world, &[], &mut scratch);
                took[0] += between - began;
                took[1] += between.elapsed();
            }
            assert_eq!(sim.digest(), throng::state::digest(&world));
            took
        };
        let mut group = c.benchmark_group("simulation");
        group.throughput(Throughput::Elements(start.len() as u64 * u64::from(TICKS)));
        for (side, what) in ["events unread", "ticks alone"].into_iter().enumerate() {
            let timed = |times: u64| (0..times).map(|_| both()[side]).sum::<Duration>();
            group.bench_function(format!("{name}/{what}"), |b| b.iter_custom(timed));
        }
        group.finish();
    }
}

/// A group removed and another added in its place, in a world of many groups.
fn groups(c: &mut Criterion) {
    let mut sim = crowd(1_000).0;
    let mut all: Vec<_> =
        (0..1_000).map(|_| sim.add_group(GroupDef::default()).expect("there is room")).collect();
    let mut turn = 0;
    c.bench_function("simulation/remove_group and add_group", |b| {
        b.iter_custom(|times| {
            let mut took = Duration::ZERO;
            for _ in 0..times {
                turn += 37;
                let at = turn % all.len();
                let start = Instant::now();
                sim.remove_group(all[at]).expect("it is there");
                all[at] = sim.add_group(GroupDef::default()).expect("there is room");
                took += start.elapsed();
                if turn % 64 == 0 {
                    sim.step();
                }
            }
            took
        });
    });
    assert_eq!(sim.world().groups().len(), 1_001);
    assert!(all.iter().all(|&group| sim.world().group(group).is_some()));
}

/// 500 agents sent to goals of their own in one order, time of the order.
fn orders(c: &mut Criterion) {
    let (mut sim, ids) = crowd(20_000);
    let place = |i: usize, to: f64| [to + 1.5 * (i % 25) as f64, 20.0 + 1.5 * (i / 25) as f64];
    let goals = |to: f64| -> Vec<_> {
        ids[..500].iter().enumerate().map(|(i, &id)| (id, place(i, to))).collect()
    };
    let both = [goals(60.0), goals(120.0)];
    let groups = sim.world().groups().len();
    assert_eq!(sim.send_each(&both[0]), Ok(500));
    assert_eq!(sim.world().groups().len(), groups + 1, "one more group, not one for each");
    let mut group = c.benchmark_group("simulation");
    let mut turn = 0;
    group.bench_function("send_each/500", |b| {
        b.iter_custom(|times| {
            let mut took = Duration::ZERO;
            for _ in 0..times {
                turn += 1;
                let start = Instant::now();
                sim.send_each(&both[turn % 2]).expect("there is a way");
                took += start.elapsed();
                sim.step();
            }
            took
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(3));
    targets = agent, force, events, groups, orders
}
criterion_main!(benches);
