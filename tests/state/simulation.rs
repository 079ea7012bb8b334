//! The simulation that a game holds does what `tick` does with the same orders, and says what happened.

use std::io::Write;
use std::sync::{Arc, Mutex};

use throng::lane::Numbers;
use throng::nav::navigator::Navigator;
use throng::replay::{Replay, verify};
use throng::scenario::{Overrides, Plan};
use throng::state::SnapshotError;
use throng::world::Refusal;
use throng::{
    AgentId, Fx, GroupDef, GroupId, Order, Scratch, Settings, Shape, Simulation, WeaponDef, World,
    state, tick,
};

use crate::common::stage::map;

in_both!(it_is_what_tick_does, it_goes_back_between_an_order_and_its_tick);

fn room<N: Numbers>() -> Simulation<N> {
    Simulation::new(map(60, 30, &[[28, 0, 32, 12], [28, 18, 32, 30]]), Settings::default()).unwrap()
}

fn left() -> Shape {
    Shape::rect([1.0, 1.0], [20.0, 29.0])
}

fn right() -> Shape {
    Shape::disc([48.0, 15.0], 9.0)
}

/// A file in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Fails after so many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| std::io::Error::other("full"))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn plan(name: &str, agents: u32) -> Plan {
    let mut plan = Plan::load(name, &Overrides::default()).unwrap();
    for (_, order) in &mut plan.orders {
        if let Order::Spawn { count, .. } = order {
            *count = (*count).min(agents);
        }
    }
    plan
}

fn is_what_tick_does<N: Numbers>(name: &str) {
    let plan = plan(name, 150);
    let mut sim = Simulation::<N>::from_plan(plan.clone()).unwrap();
    let mut world = World::<N>::new(plan.map.clone(), plan.settings).unwrap();
    let mut scratch = Scratch::new();
    for now in 0..120 {
        let due = plan.orders.iter().filter(|(tick, _)| *tick == now);
        let orders: Vec<Order> = due.map(|(_, order)| order.clone()).collect();
        tick(&mut world, &orders, &mut scratch);
        sim.step();
        assert_eq!(sim.digest(), state::digest(&world), "{name}, tick {now}");
        assert_eq!(sim.world().outcomes(), world.outcomes());
    }
}

fn it_is_what_tick_does<N: Numbers>() {
    for name in ["small", "battle", "formations", "barricades", "siege"] {
        is_what_tick_does::<N>(name);
    }
}

#[test]
fn orders_take_effect_at_once_and_are_refused_with_a_reason() {
    let mut sim = room::<f32>();
    let walkers = sim.add_group(GroupDef::default()).unwrap();
    let ids = sim.spawn(walkers, left(), 40).unwrap();
    assert_eq!((sim.len(), ids.len(), sim.tick_count()), (40, 40, 0));
    assert_eq!(sim.events().spawned, ids);
    assert!(ids.iter().all(|&id| sim.agent(id).unwrap().group() == walkers));

    let wall = Shape::rect([28.0, 2.0], [32.0, 4.0]);
    let refusal = sim.send(walkers, wall.clone()).unwrap_err();
    assert!(matches!(refusal, Refusal::NoSuchPlace(_)), "{refusal}");
    assert_eq!(sim.events().refused.len(), 1);
    assert!(matches!(sim.spawn(walkers, wall, 1), Err(Refusal::DoNotFit(_))));
    let stranger = GroupId::new(7);
    assert_eq!(sim.stop(stranger), Err(Refusal::NoSuchGroup { group: GroupId::new(7), groups: 1 }));
    assert!(sim.add_group(GroupDef { speed: -1.0, ..GroupDef::default() }).is_err());
    assert!(sim.agent(AgentId { index: 99, generation: 0 }).is_none());

    assert_eq!(sim.send(walkers, right()), Ok(40));
    sim.step();
    // Refused orders belong to the tick that they were given in, until the next one begins.
    assert_eq!(sim.events().refused.len(), 4);
    sim.step();
    assert!(sim.events().refused.is_empty() && sim.events().spawned.is_empty());
}

#[test]
fn agents_are_found_by_id_wherever_their_rows_are() {
    let mut sim = room::<Fx>();
    let walkers = sim.add_group(GroupDef::default()).unwrap();
    let ids = sim.spawn(walkers, left(), 200).unwrap();
    sim.send(walkers, right()).unwrap();
    for _ in 0..100 {
        sim.step();
        for (row, agent) in sim.agents().enumerate() {
            assert_eq!((agent.row(), sim.row(agent.id())), (row, Some(row)));
        }
        let [x, y] = sim.agent(ids[7]).unwrap().pos();
        let nearest = sim.index().nearest([x, y], 1, 0.01, |_| true);
        assert_eq!(nearest[0].id, ids[7]);
    }
    let area = Some(vec![left()]);
    let removed = sim.order(Order::Remove { group: walkers, area }).unwrap() as usize;
    sim.step();
    let living = ids.iter().filter(|&&id| sim.agent(id).is_some()).count();
    assert!(removed > 0 && living == 200 - removed, "{removed} {living}");
}

#[test]
fn watches_tell_once() {
    let mut sim = room::<f32>();
    sim.watch_arrivals();
    sim.watch_stuck(3.0);
    let walkers = sim.add_group(GroupDef::default()).unwrap();
    let held = sim.add_group(GroupDef::default()).unwrap();
    let mut ids = sim.spawn(walkers, left(), 30).unwrap();
    // Walls on all sides: these have an order, and no way.
    let cage = [40.0, 2.0];
    let stuck = sim.spawn(held, Shape::disc(cage, 1.0), 1).unwrap();
    sim.send(held, right()).unwrap();
    sim.send(walkers, right()).unwrap();
    sim.build(vec![
        Shape::rect([37.0, 0.0], [38.0, 6.0]),
        Shape::rect([42.0, 0.0], [43.0, 6.0]),
        Shape::rect([37.0, 5.0], [43.0, 6.0]),
    ])
    .unwrap();
    let (mut arrived, mut told) = (Vec::new(), Vec::new());
    for _ in 0..1_200 {
        sim.step();
        arrived.extend_from_slice(sim.events().arrived);
        told.extend_from_slice(sim.events().stuck);
    }
    arrived.sort();
    arrived.dedup();
    ids.sort();
    assert_eq!(arrived, ids);
    assert!(told.contains(&stuck[0]), "{told:?}");
    assert!(told.iter().filter(|&&id| id == stuck[0]).count() < 4, "{told:?}");
}

#[test]
fn events_stay_until_the_next_step() {
    let mut sim = room::<f32>();
    let rifle = sim.add_weapon(WeaponDef::default()).unwrap();
    let side = |team, foes| GroupDef {
        weapon: Some(rifle),
        team,
        foes,
        health: 10.0,
        ..GroupDef::default()
    };
    let red = sim.add_group(side(0, 2)).unwrap();
    let blue = sim.add_group(side(1, 1)).unwrap();
    sim.spawn(red, Shape::disc([10.0, 15.0], 5.0), 30).unwrap();
    sim.spawn(blue, Shape::disc([22.0, 15.0], 5.0), 30).unwrap();
    let (mut fallen, mut impacts, mut fired, mut killers) = (0, 0, 0, 0);
    for _ in 0..400 {
        sim.step();
        fired += sim.fired().len();
        let (before, dead) = (sim.events().impacts.to_vec(), sim.events().fallen.to_vec());
        // Orders begin the next tick, but it has not been done.
        sim.stop(red).unwrap();
        assert_eq!((sim.events().impacts, sim.events().fallen), (&before[..], &dead[..]));
        for dead in &dead {
            let Some(killer) = sim.world().shooter(&dead.shot.unwrap()) else { continue };
            killers += 1;
            assert_eq!(
                sim.agent(killer).unwrap().group(),
                if dead.group == red { blue } else { red }
            );
        }
        impacts += before.len();
        fallen += dead.len();
    }
    assert!(fallen > 5 && impacts > 20 && killers > 5, "{fallen} {impacts} {killers}");
    assert_eq!(sim.len(), 60 - fallen);
    let tallies = sim.world().weapons().iter().map(|weapon| weapon.tally.fired);
    assert_eq!(tallies.sum::<u64>(), fired as u64);
}

/// Goes back in the middle of a tick whose orders have been given.
fn goes_back<N: Numbers>(navigator: Navigator) {
    let mut sim = room::<N>();
    let walkers = sim.add_group(GroupDef { navigator, ..GroupDef::default() }).unwrap();
    sim.spawn(walkers, left(), 60).unwrap();
    sim.send(walkers, right()).unwrap();
    sim.schedule(55, Order::Demolish { area: vec![Shape::rect([28.0, 0.0], [32.0, 4.0])] });
    (0..40).for_each(|_| sim.step());
    let area = Some(vec![Shape::rect([0.0, 0.0], [10.0, 30.0])]);
    sim.send(walkers, Shape::disc([50.0, 4.0], 3.0)).unwrap();
    sim.spawn(walkers, left(), 10).unwrap();
    sim.build(Shape::rect([28.0, 12.0], [32.0, 14.0])).unwrap();
    sim.order(Order::Remove { group: walkers, area }).unwrap();
    let (snapshot, before) = (sim.snapshot(), sim.digest());
    let play = |sim: &mut Simulation<N>| -> Vec<u64> {
        let digest = |_| {
            sim.step();
            sim.digest()
        };
        (0..60).map(digest).collect()
    };
    let first = play(&mut sim);
    sim.restore(&snapshot).unwrap();
    assert_eq!(sim.digest(), before);
    assert_eq!(play(&mut sim), first);
    let mut other = room::<N>();
    other.schedule(55, Order::Demolish { area: vec![Shape::rect([28.0, 0.0], [32.0, 4.0])] });
    other.restore(&snapshot).unwrap();
    assert_eq!(play(&mut other), first);
}

fn it_goes_back_between_an_order_and_its_tick<N: Numbers>() {
    for navigator in [Navigator::Flow, Navigator::Corridor, Navigator::Path] {
        goes_back::<N>(navigator);
    }
}

#[test]
fn a_recording_verifies_and_going_back_waits_for_its_end() {
    let (mut sim, file) = (room::<f32>(), Memory::default());
    let walkers = sim.add_group(GroupDef::default()).unwrap();
    sim.record(file.clone(), "a room").unwrap();
    sim.spawn(walkers, left(), 50).unwrap();
    sim.send(walkers, right()).unwrap();
    let snapshot = sim.snapshot();
    for now in 0..90 {
        if now == 30 {
            sim.build(Shape::rect([28.0, 12.0], [32.0, 15.0])).unwrap();
            sim.spawn(walkers, left(), 5).unwrap();
        }
        sim.step();
    }
    assert!(matches!(sim.restore(&snapshot), Err(SnapshotError::Recorded)));
    sim.finish_recording().unwrap();
    sim.restore(&snapshot).unwrap();
    let replay = Replay::read(&file.0.lock().unwrap()).unwrap();
    assert_eq!(replay.end_tick(), 90);
    let verdict = verify(&replay, |_| ()).unwrap();
    assert_eq!((verdict.difference, verdict.ticks), (None, 90));
}

#[test]
fn a_run_goes_on_when_its_recording_fails() {
    let mut sim = room::<f32>();
    sim.record(Full(6_000), "too long").unwrap();
    let walkers = sim.add_group(GroupDef::default()).unwrap();
    sim.spawn(walkers, left(), 50).unwrap();
    (0..400).for_each(|_| sim.step());
    assert_eq!(sim.tick_count(), 400);
    assert!(sim.finish_recording().is_err());
    assert!(sim.finish_recording().is_ok());
}

#[test]
fn frames_give_whole_ticks_and_places_in_between() {
    let mut sim = room::<f32>();
    let walkers = sim.add_group(GroupDef::default()).unwrap();
    let ids = sim.spawn(walkers, left(), 10).unwrap();
    sim.send(walkers, right()).unwrap();
    let frame = |sim: &mut Simulation<f32>| (0..sim.due(0.016)).for_each(|_| sim.step());
    (0..200).for_each(|_| frame(&mut sim));
    assert_eq!(sim.tick_count(), 64);
    assert!((0.0..=1.0).contains(&sim.alpha()));
    let agent = sim.agent(ids[0]).unwrap();
    let ([x0, _], [x1, _]) = (agent.pos_between(0.0), agent.pos_between(1.0));
    assert!(x1 == agent.pos()[0] && ((x1 - x0) - agent.velocity()[0] / 20.0).abs() < 1e-9);
    assert_eq!(sim.due(1e9), 8, "a slow frame does not make the next one slower");
}

/// A wind that blows harder in the north, and a swirl of some agents around a point.
fn wind<N: Numbers>(world: &World<N>, rows: std::ops::Range<usize>, desired: &mut [[N; 2]]) {
    for (row, desired) in rows.zip(desired) {
        let [_, y] = world.positions()[row];
        let swirls = world.tags()[row].id.is_multiple_of(3);
        desired[0] += N::from_f64(0.02) * (N::from_f64(30.0) - y);
        desired[1] = if swirls { -desired[1] } else { desired[1] };
    }
}

fn forced<N: Numbers>(lonely: bool) -> Vec<u64> {
    let mut sim = room::<N>();
    let walkers = sim.add_group(GroupDef::default()).unwrap();
    sim.spawn(walkers, left(), 60).unwrap();
    sim.send(walkers, right()).unwrap();
    sim.set_force(wind::<N>);
    let digest = |_| {
        sim.step();
        sim.digest()
    };
    let threads = if lonely { 1 } else { 3 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| (0..80).map(digest).collect())
}

#[test]
fn own_forces_move_agents_the_same_way_on_any_thread() {
    assert_eq!(forced::<f32>(true), forced::<f32>(false));
    assert_eq!(forced::<Fx>(true), forced::<Fx>(false));
    let mut sim = room::<f32>();
    let walkers = sim.add_group(GroupDef::default()).unwrap();
    let ids = sim.spawn(walkers, Shape::disc([10.0, 15.0], 1.0), 1).unwrap();
    sim.set_force(|_, _, desired| desired.fill([0.5, 0.0]));
    (0..60).for_each(|_| sim.step());
    let [x, _] = sim.agent(ids[0]).unwrap().pos();
    assert!(x > 11.0, "{x}");
    sim.clear_force();
    (0..100).for_each(|_| sim.step());
    assert!(sim.agent(ids[0]).unwrap().speed() < 0.01);
    sim.set_force(|_, _, desired| desired.fill([f32::NAN, f32::INFINITY]));
    (0..10).for_each(|_| sim.step());
    state::validate(sim.world()).unwrap();
}
