//! Groups and companies are removed and their indices used again: what named them is refused with a
//! reason, everywhere, and runs repeat.

use std::io::Write;
use std::sync::{Arc, Mutex};

use throng::lane::Numbers;
use throng::replay::{Replay, verify};
use throng::world::{Behaviour, BehaviourKind, Mark, Refusal};
use throng::{
    AgentOrder, CompanyDef, CompanyId, Formation, Fx, GroupDef, GroupId, MindId, Order, Scratch,
    Settings, Shape, Simulation, WeaponDef, WeaponId, World, state, tick,
};

use crate::common::stage::map;
use crate::common::thinkers::{hunt, hunters};

fn hall<N: Numbers>() -> Simulation<N> {
    Simulation::new(map(80, 40, &[]), Settings::default()).unwrap()
}

fn left() -> Shape {
    Shape::rect([2.0, 2.0], [30.0, 38.0])
}

fn right() -> Shape {
    Shape::disc([65.0, 20.0], 9.0)
}

fn side(team: u8, weapon: WeaponId) -> GroupDef {
    GroupDef { weapon: Some(weapon), team, foes: 3 - (1 << team), ..GroupDef::default() }
}

/// Every order that names a group, but for weapons and minds.
fn orders(group: GroupId) -> Vec<Order> {
    let (area, kind) = (vec![left()], BehaviourKind::Cohesion { with: group, range: 5.0 });
    let def = GroupDef::default();
    let company = CompanyDef { groups: vec![group], ..CompanyDef::default() };
    vec![
        Order::Move { group, goal: vec![right()] },
        Order::Opposite { group, centre: [40.0, 20.0] },
        Order::Behave { group, behaviours: vec![] },
        Order::Stop { group },
        Order::Spawn { group, area, count: 1 },
        Order::Remove { group, area: None },
        Order::Assign { agents: vec![], group },
        Order::Change { group, def },
        Order::RemoveGroup { group },
        Order::Company { def: company },
        Order::Strategies { team: 0, def: hunt(group) },
        Order::Behave { group: GroupId::new(1), behaviours: vec![Behaviour::new(kind)] },
    ]
}

#[test]
fn a_removed_group_is_refused_and_its_index_is_used_again() {
    let mut sim = hall::<f32>();
    let def = GroupDef { team: 0, ..GroupDef::default() };
    let [first, other] = [(); 2].map(|()| sim.add_group(def.clone()).unwrap());
    let ids = sim.spawn(first, left(), 60).unwrap();
    let stays = sim.spawn(other, left(), 20).unwrap();
    sim.send(first, right()).unwrap();
    (0..20).for_each(|_| sim.step());
    assert_eq!(sim.remove_group(first), Ok(60));
    // It is gone at once for later orders, and its agents with it.
    let refused = |sim: &mut Simulation<f32>| {
        for order in orders(first) {
            let why = sim.order(order.clone()).unwrap_err().to_string();
            let told =
                why.contains("group 0") && (why.contains("removed") || why.contains("no group"));
            assert!(told, "{order:?}: {why}");
        }
    };
    refused(&mut sim);
    let refusal = sim.order_agents(&ids[..1], AgentOrder::Stop).unwrap_err();
    assert_eq!(refusal, Refusal::NoSuchAgent { id: ids[0] });
    sim.step();
    assert_eq!(sim.len(), 20);
    assert!(ids.iter().all(|&id| sim.agent(id).is_none()));
    let again = sim.add_group(def.clone()).unwrap();
    assert_eq!((again.index(), again.generation()), (0, 1));
    assert_eq!(again, GroupId::with_generation(0, 1));
    refused(&mut sim);
    let world = sim.world();
    assert!(world.group(first).is_none() && world.group(again).is_some());
    assert_eq!((world.groups().len(), world.group_id(0)), (2, again));
    assert!(world.flow(first, [5.0, 5.0]).is_none() && world.crumbs(first).is_empty());
    let new = sim.spawn(again, left(), 5).unwrap();
    assert_eq!(sim.agent(new[0]).unwrap().group(), again);
    assert_eq!(sim.index().agent(new[0]).unwrap().group, again);
    assert_eq!(sim.agent(stays[0]).unwrap().group(), other);
    for order in orders(again) {
        assert!(
            sim.order(order.clone()).is_ok() || matches!(order, Order::Change { .. }),
            "{order:?}"
        );
        if let Order::RemoveGroup { .. } = order {
            break;
        }
    }
    let mut world = World::<f32>::new(map(9, 9, &[]), Settings::default()).unwrap();
    assert!(world.spawn(first, &[[1.5, 1.5]]).is_err());
}

#[test]
fn an_index_waits_for_agents_and_arrows_and_for_one_of_its_kind() {
    let mut sim = hall::<f32>();
    let bow = sim.add_weapon(WeaponDef { speed: 20.0, ..WeaponDef::default() }).unwrap();
    let archers = sim.add_group(side(0, bow)).unwrap();
    let foes = sim.add_group(GroupDef { team: 1, foes: 1, ..GroupDef::default() }).unwrap();
    sim.spawn(archers, Shape::disc([10.0, 20.0], 5.0), 10).unwrap();
    sim.spawn(foes, Shape::disc([60.0, 20.0], 5.0), 30).unwrap();
    while sim.world().projectiles().shot.is_empty() {
        sim.step();
    }
    sim.remove_group(archers).unwrap();
    // Its agents are there until the step.
    let next = sim.add_group(side(0, bow)).unwrap();
    assert_eq!(next, GroupId::new(2));
    sim.step();
    let in_the_air = |sim: &Simulation<f32>| {
        sim.world().projectiles().shot.iter().any(|shot| shot.group == archers.index())
    };
    let mut waited = 0;
    while in_the_air(&sim) {
        let another = sim.add_group(side(0, bow)).unwrap();
        assert_ne!(another.index(), archers.index());
        sim.remove_group(another).unwrap();
        sim.step();
        waited += 1;
    }
    assert!(waited > 3, "{waited}");
    let wide = sim.add_group(GroupDef { radius: 0.9, ..GroupDef::default() }).unwrap();
    assert_ne!(wide.index(), archers.index());
    let again = sim.add_group(side(0, bow)).unwrap();
    assert_eq!((again.index(), again.generation()), (archers.index(), 1));
    state::validate(sim.world()).unwrap();
}

#[test]
fn what_belongs_to_a_group_goes_with_it() {
    let mut sim = hall::<Fx>();
    let mind = sim.add_mind(hunters(3)).unwrap();
    let [base, thinks, plain] = [(); 3].map(|()| sim.add_group(GroupDef::default()).unwrap());
    let ids = sim.spawn(base, left(), 20).unwrap();
    sim.spawn(thinks, left(), 20).unwrap();
    sim.spawn(plain, left(), 20).unwrap();
    sim.send_agents(&ids[..5], right()).unwrap();
    sim.order(Order::Think { group: thinks, mind }).unwrap();
    (0..9).for_each(|_| sim.step());
    let parts = 3..sim.world().groups().len() as u16;
    assert!(parts.len() == 2, "a detachment and a variant");
    for part in parts {
        let why = sim.remove_group(sim.world().group_id(part)).unwrap_err();
        assert!(matches!(&why, Refusal::InUse(why) if why.contains("part of group")), "{why}");
    }
    assert_eq!(sim.remove_group(thinks), Ok(20));
    state::validate(sim.world()).unwrap();
    assert_eq!(sim.remove_group(base), Ok(20));
    state::validate(sim.world()).unwrap();
    sim.step();
    assert_eq!((sim.len(), sim.world().groups()[2].members()), (20, 20));
    assert!(sim.world().thoughts().state.is_empty(), "nobody thinks");
    let again: Vec<GroupId> = (0..5).map(|_| sim.add_group(GroupDef::default()).unwrap()).collect();
    let indices: Vec<u16> = again.iter().map(|group| group.index()).collect();
    assert_eq!(indices, [0, 1, 3, 4, 5], "all parts are free");
    sim.spawn(again[0], left(), 3).unwrap();
    sim.order(Order::Think { group: again[1], mind }).unwrap();
    sim.step();
    state::validate(sim.world()).unwrap();
}

#[test]
fn behaviours_companies_and_strategies_hold_no_group_that_is_gone() {
    let mut sim = hall::<f32>();
    let [prey, hunter, guard] = [(); 3].map(|()| sim.add_group(GroupDef::default()).unwrap());
    for group in [prey, hunter, guard] {
        sim.spawn(group, left(), 10).unwrap();
    }
    let seek = BehaviourKind::Seek { to: Mark::Group(prey), range: 20.0 };
    let wander = BehaviourKind::Wander { turn: 1.0, rate: 1.0 };
    let behaviours = [seek, wander.clone()].map(Behaviour::new).to_vec();
    sim.order(Order::Behave { group: hunter, behaviours }).unwrap();
    let def = CompanyDef {
        groups: vec![prey, guard],
        formation: Some(Formation::Line),
        ..CompanyDef::default()
    };
    let company = sim.add_company(def.clone()).unwrap();
    sim.order(Order::MoveCompany { company, goal: vec![right()] }).unwrap();
    (0..30).for_each(|_| sim.step());
    sim.order(Order::Strategies { team: 0, def: hunt(prey) }).unwrap();
    let why = sim.remove_group(prey).unwrap_err();
    assert!(matches!(&why, Refusal::InUse(why) if why.contains("strategies of team 0")), "{why}");
    let none = throng::mind::StrategiesDef::new(vec![], &[]);
    sim.order(Order::Strategies { team: 0, def: none }).unwrap();
    sim.remove_group(prey).unwrap();
    state::validate(sim.world()).unwrap();
    let hunters = sim.world().group(hunter).unwrap();
    assert_eq!(hunters.behaviours(), [Behaviour::new(wander)]);
    assert_eq!(sim.world().companies()[0].def.groups, [guard]);
    (0..200).for_each(|_| sim.step());
    // The company goes on with the groups that are left, and ends with the last of them.
    let is_there = |sim: &Simulation<f32>| {
        let agents = sim.agents().filter(|agent| agent.group() == guard);
        agents.map(|agent| agent.pos()[0]).fold(f64::INFINITY, f64::min) > 40.0
    };
    (0..600).for_each(|_| sim.step());
    assert!(is_there(&sim));
    sim.remove_group(guard).unwrap();
    assert!(sim.world().companies()[0].is_removed());
    let why = sim.order(Order::StopCompany { company }).unwrap_err();
    assert_eq!(why.to_string(), "there is no company 0: it has been removed");
    sim.step();
    let next = sim.add_company(CompanyDef { groups: vec![hunter], ..def }).unwrap();
    assert_eq!(next, CompanyId::with_generation(0, 1));
    assert!(sim.order(Order::StopCompany { company }).is_err());
    assert!(sim.order(Order::StopCompany { company: next }).is_ok());
}

#[test]
fn the_groups_of_a_removed_company_stand_and_can_join_another() {
    let mut sim = hall::<f32>();
    let slow = sim.add_group(GroupDef { speed: 0.7, ..GroupDef::default() }).unwrap();
    let quick = sim.add_group(GroupDef { speed: 2.8, ..GroupDef::default() }).unwrap();
    let [_, ids] = [slow, quick].map(|group| sim.spawn(group, left(), 10).unwrap());
    let def = CompanyDef { groups: vec![slow, quick], ..CompanyDef::default() };
    let company = sim.add_company(def.clone()).unwrap();
    sim.order(Order::MoveCompany { company, goal: vec![right()] }).unwrap();
    (0..60).for_each(|_| sim.step());
    assert!(sim.agent(ids[0]).unwrap().speed() < 1.0);
    assert_eq!(sim.remove_company(company), Ok(20));
    assert!(!sim.world().group(quick).unwrap().has_order());
    // It is as quick as it is, now and after going back.
    sim.send(quick, right()).unwrap();
    let snapshot = sim.snapshot();
    (0..60).for_each(|_| sim.step());
    assert!(ids.iter().any(|&id| sim.agent(id).unwrap().speed() > 2.0));
    let digest = sim.digest();
    sim.restore(&snapshot).unwrap();
    (0..60).for_each(|_| sim.step());
    assert_eq!(sim.digest(), digest);
    for stale in [company, CompanyId::new(7)] {
        let refusal = sim.remove_company(stale).unwrap_err();
        assert_eq!(refusal, Refusal::NoSuchCompany { company: stale, companies: 1 });
    }
    assert_eq!(sim.add_company(def), Ok(CompanyId::with_generation(0, 1)));
}

#[test]
fn handles_of_all_kinds_that_name_nothing_are_refused_with_a_reason() {
    let mut sim = hall::<f32>();
    let rifle = sim.add_weapon(WeaponDef::default()).unwrap();
    let group = sim.add_group(GroupDef::default()).unwrap();
    let ids = sim.spawn(group, left(), 2).unwrap();
    sim.order_agents(&ids[..1], AgentOrder::Remove).unwrap();
    sim.step();
    let mut why = |order: Order| sim.order(order).unwrap_err().to_string();
    let stop = |id| Order::Agents { agents: vec![id], order: AgentOrder::Stop };
    assert_eq!(why(stop(ids[0])), format!("agent {} does not live", ids[0]));
    assert_eq!(why(Order::Stop { group: GroupId::new(9) }), "there is no group 9: the world has 1");
    let later = GroupId::with_generation(0, 4);
    assert_eq!(why(Order::Stop { group: later }), "there is no group 0:4: it has been removed");
    let company = CompanyId::new(0);
    assert_eq!(why(Order::StopCompany { company }), "there is no company 0: the world has 0");
    let (none, from) = (WeaponId::new(3), [5.0, 5.0, 1.0]);
    let launch = |weapon| Order::Launch { group, weapon, from, velocity: [1.0, 0.0, 0.0] };
    assert_eq!(why(launch(none)), "there is no weapon 3: the world has 1");
    let armed = GroupDef { weapon: Some(none), ..GroupDef::default() };
    assert_eq!(why(Order::Group { def: armed }), "there is no weapon 3: the world has 1");
    let think = Order::Think { group, mind: MindId::new(2) };
    assert_eq!(why(think), "there is no mind 2: the world has 0");
    assert!(sim.order(launch(rifle)).is_ok());
    assert!(sim.agent(ids[0]).is_none() && sim.agent(ids[1]).is_some());
}

/// The orders of a tick in a game that removes groups.
fn script(at: u64) -> Vec<Order> {
    let wave = |generation| GroupId::with_generation(1, generation);
    let area = vec![left()];
    match at {
        0 => vec![
            Order::Weapon { def: WeaponDef { speed: 15.0, ..WeaponDef::default() } },
            Order::Group { def: side(0, WeaponId::new(0)) },
            Order::Group { def: side(1, WeaponId::new(0)) },
            Order::Spawn { group: GroupId::new(0), area: vec![right()], count: 30 },
            Order::Spawn { group: wave(0), area, count: 60 },
            Order::Move { group: wave(0), goal: vec![right()] },
        ],
        // Away with a wave, with its arrows in the air; the next one comes when they are down.
        40 => vec![Order::RemoveGroup { group: wave(0) }],
        80 => vec![
            Order::Group { def: side(1, WeaponId::new(0)) },
            Order::Spawn { group: wave(1), area, count: 50 },
            Order::Move { group: wave(1), goal: vec![right()] },
            Order::Stop { group: wave(0) },
        ],
        100 => vec![Order::RemoveGroup { group: wave(1) }, Order::Stop { group: wave(1) }],
        _ => vec![],
    }
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

/// The digests of all ticks of the script, with a recording, and once more from the middle of a tick.
fn plays<N: Numbers>(threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let (mut sim, file) = (hall::<N>(), Memory::default());
        let mut world = World::<N>::new(map(80, 40, &[]), Settings::default()).unwrap();
        let mut scratch = Scratch::new();
        sim.record(file.clone(), "waves").unwrap();
        let (mut digests, mut saved) = (Vec::new(), Vec::new());
        for at in 0..140 {
            for order in script(at) {
                let _ = sim.order(order);
            }
            if [41, 101].contains(&(at + 1)) {
                // The wave has been removed and is still there.
                saved.push((at, sim.snapshot()));
            }
            sim.step();
            tick(&mut world, &script(at), &mut scratch);
            state::validate(&world).unwrap();
            assert_eq!(
                (sim.digest(), sim.world().outcomes()),
                (state::digest(&world), world.outcomes())
            );
            digests.push(sim.digest());
        }
        let wave = sim.world().group_id(1);
        assert_eq!((wave.generation(), sim.world().groups().len()), (1, 2));
        sim.finish_recording().unwrap();
        let replay = Replay::read(&file.0.lock().unwrap()).unwrap();
        let verdict = verify(&replay, |_| ()).unwrap();
        assert_eq!((verdict.difference, verdict.ticks), (None, 140));
        for (at, snapshot) in saved.into_iter().rev() {
            let mut other = hall::<N>();
            for sim in [&mut sim, &mut other] {
                sim.restore(&snapshot).unwrap();
                for now in at..(at + 30).min(140) {
                    if now > at {
                        script(now).into_iter().for_each(|order| drop(sim.order(order)));
                    }
                    sim.step();
                    assert_eq!(sim.digest(), digests[now as usize], "from {at}, tick {now}");
                }
            }
        }
        digests
    })
}

#[test]
fn runs_that_remove_groups_repeat() {
    assert_eq!(plays::<f32>(1), plays::<f32>(3));
    assert_eq!(plays::<Fx>(1), plays::<Fx>(3));
}
