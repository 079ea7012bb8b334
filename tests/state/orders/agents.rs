//! Orders to single agents: detachments, and what is done to agents.

use crate::common::stage::{Stage, disc, distance, map, rect};
use crate::common::thinkers::hunters;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::math::Fx;
use throng::nav::navigator::Navigator;
use throng::tick::{Scratch, tick};
use throng::world::{
    AgentOrder, Behaviour, BehaviourKind, CompanyDef, Distribution, GroupDef, Order, Outcome,
    Refusal, VaryDef, WeaponDef, World,
};
use throng::{CompanyId, GroupId, MindId, WeaponId, state};

in_both!(agents_that_are_sent_go_where_they_are_told, agents_with_goals_of_their_own_share_the_way);

/// Forty agents of a group on open ground with a wall, on their way to the right.
fn marching<N: Numbers>(navigator: Navigator) -> Stage<N> {
    let mut stage = Stage::new(map(60, 40, &[[30, 10, 32, 40]]));
    let group = stage.world.add_group(GroupDef { navigator, ..GroupDef::default() }).unwrap();
    stage.order(Order::Spawn { group, area: rect(2.0, 10.0, 14.0, 30.0), count: 40 });
    stage.send(group, disc(50.0, 30.0, 5.0));
    stage
}

fn ids<N: Numbers>(stage: &Stage<N>) -> Vec<Id> {
    stage.bodies().iter().map(|body| body.id).collect()
}

fn tell<N: Numbers>(stage: &mut Stage<N>, agents: &[Id], order: AgentOrder) -> Outcome {
    stage.order(Order::Agents { agents: agents.to_vec(), order })
}

fn told<N: Numbers>(stage: &mut Stage<N>, agents: &[Id], order: AgentOrder) {
    let outcome = tell(stage, agents, order);
    assert_eq!(outcome, Outcome::Done { agents: agents.len() as u32 });
}

fn why<N: Numbers>(stage: &mut Stage<N>, agents: &[Id], order: AgentOrder) -> Refusal {
    let Outcome::Refused(refusal) = tell(stage, agents, order) else { panic!("it was done") };
    refusal
}

fn sent_go_where_they_are_told<N: Numbers>(navigator: Navigator) {
    let mut stage = marching::<N>(navigator);
    let all = ids(&stage);
    let (some, rest) = all.split_at(12);
    (0..40).for_each(|_| stage.tick());
    let goal = disc(10.0, 35.0, 4.0);
    told(&mut stage, some, AgentOrder::Send { goal: goal.clone() });
    assert_eq!(stage.world.groups().len(), 2, "{navigator:?}: a group in all, not one for each");
    for _ in 0..1_400 {
        stage.tick();
    }
    for body in stage.bodies() {
        let goal = if some.contains(&body.id) { [10.0, 35.0] } else { [50.0, 30.0] };
        assert!(distance(body.pos, goal) < 6.0, "{navigator:?}: {body:?}");
        assert_eq!(stage.world.base_group(body.group), 0);
    }
    // Sent together again they keep their detachment, sent apart from it they get another one.
    told(&mut stage, some, AgentOrder::Send { goal: disc(10.0, 5.0, 4.0) });
    assert_eq!(stage.world.groups().len(), 2);
    told(&mut stage, &some[..3], AgentOrder::Send { goal });
    assert_eq!(stage.world.groups().len(), 3);
    // All return to the order of their group with it.
    stage.send(GroupId::new(0), disc(50.0, 5.0, 5.0));
    assert!(stage.bodies().iter().all(|body| body.group == 0));
    // A detachment without agents is used again.
    told(&mut stage, &rest[..5], AgentOrder::Stop);
    assert_eq!(stage.world.groups().len(), 3);
}

fn agents_that_are_sent_go_where_they_are_told<N: Numbers>() {
    for navigator in [Navigator::Flow, Navigator::Path, Navigator::Corridor, Navigator::Mesh] {
        sent_go_where_they_are_told::<N>(navigator);
    }
}

/// Every agent stands at its own place, and has arrived, after so many ticks.
fn assert_each_gets_there<N: Numbers>(stage: &mut Stage<N>, goals: &[(Id, [f64; 2])], ticks: u32) {
    let own = |id: Id| goals.iter().find(|(other, _)| *other == id).expect("all were sent").1;
    for _ in 0..ticks {
        stage.tick();
        // Twice the radius along each axis, and half a radius for the rest of the tick.
        let mut arrived = stage.bodies().into_iter().filter(|body| body.has_arrived());
        let early = arrived.find(|body| distance(body.pos, own(body.id)) > 1.0);
        assert!(early.is_none(), "{early:?} has arrived somewhere else");
    }
    for body in stage.bodies() {
        let goal = own(body.id);
        assert!(distance(body.pos, goal) < 0.9 && body.has_arrived(), "{goal:?}: {body:?}");
    }
}

fn each_goes_to_its_own<N: Numbers>(navigator: Navigator) {
    let mut stage = marching::<N>(navigator);
    (0..40).for_each(|_| stage.tick());
    // A block behind the wall, in an order that has nothing to do with where they are now.
    let place = |i: usize| [44.0 + 1.5 * (i * 7 % 8) as f64, 25.0 + 1.5 * (i * 7 % 40 / 8) as f64];
    let goals: Vec<_> = ids(&stage).into_iter().zip((0..40).map(place)).collect();
    let (agents, to): (Vec<Id>, Vec<_>) = goals.iter().copied().unzip();
    told(&mut stage, &agents, AgentOrder::SendEach { to: to.clone() });
    assert_eq!(stage.world.groups().len(), 2, "{navigator:?}: a group in all, not one for each");
    (0..300).for_each(|_| stage.tick());
    // The same order again is no order.
    let mut twin = stage.world.clone();
    told(&mut stage, &agents, AgentOrder::SendEach { to });
    tick(&mut twin, &[], &mut Scratch::new());
    assert_eq!(stage.world.positions(), twin.positions());
    // A saved game goes on with the same places.
    let saved = state::save(&twin);
    state::restore(&mut twin, &saved).unwrap();
    assert_each_gets_there(&mut stage, &goals, 1_400);
    assert_eq!(stage.world.arrived(), 40);
}

fn agents_with_goals_of_their_own_share_the_way<N: Numbers>() {
    for navigator in [Navigator::Flow, Navigator::Path, Navigator::Corridor, Navigator::Mesh] {
        each_goes_to_its_own::<N>(navigator);
    }
}

/// Goals on both sides of the wall, and alone in corners: some fields, and all get there.
#[test]
fn goals_apart_have_fields_of_their_own() {
    let mut stage = marching::<f32>(Navigator::Flow);
    let place = |i: usize| match i {
        0 => [1.0, 1.0],
        1 => [59.0, 39.0],
        _ => [21.0 + 1.0 * i as f64 - 2.0 * f64::from(u8::from(i == 9 || i == 10)), 20.0],
    };
    let goals: Vec<_> = ids(&stage).into_iter().zip((0..38).map(place)).collect();
    let (agents, to): (Vec<Id>, Vec<_>) = goals.iter().copied().unzip();
    let open: Vec<bool> = to.iter().map(|at| !(29.5..32.5).contains(&at[0])).collect();
    let keep = |i: &usize| open[*i];
    let some: Vec<Id> = (0..38).filter(keep).map(|i| agents[i]).collect();
    let places: Vec<[f64; 2]> = (0..38).filter(keep).map(|i| to[i]).collect();
    // The others stay where they are.
    let rest: Vec<Id> = ids(&stage).into_iter().filter(|id| !some.contains(id)).collect();
    told(&mut stage, &rest, AgentOrder::Remove);
    told(&mut stage, &some, AgentOrder::SendEach { to: places.clone() });
    let groups = stage.world.groups().len();
    assert!((3..=6).contains(&groups), "{groups} groups for {} goals", places.len());
    let goals: Vec<_> = some.into_iter().zip(places).collect();
    assert_each_gets_there(&mut stage, &goals, 1_600);
}

#[test]
fn goals_of_their_own_that_nobody_can_stand_at_are_refused() {
    let mut stage = marching::<f32>(Navigator::Flow);
    let some = ids(&stage)[..2].to_vec();
    let mut each = |to| why(&mut stage, &some, AgentOrder::SendEach { to });
    let in_wall = each(vec![[10.0, 10.0], [31.0, 20.0]]).to_string();
    assert!(in_wall.contains("(31, 20)"), "{in_wall}");
    let too_few = each(vec![[10.0, 10.0]]).to_string();
    assert!(too_few.contains("1 goal for 2 agents"), "{too_few}");
    let nowhere = each(vec![[10.0, 10.0], [f64::NAN, 20.0]]).to_string();
    assert!(nowhere.contains("NaN"), "{nowhere}");
}

#[test]
fn stopped_agents_stand_until_they_rejoin() {
    let mut stage = marching::<f32>(Navigator::Flow);
    let all = ids(&stage);
    (0..20).for_each(|_| stage.tick());
    told(&mut stage, &all[..5], AgentOrder::Stop);
    (0..60).for_each(|_| stage.tick());
    let before = stage.bodies();
    (0..40).for_each(|_| stage.tick());
    let moved = |i: usize, stage: &Stage<f32>| distance(before[i].pos, stage.bodies()[i].pos);
    assert!((0..5).all(|i| moved(i, &stage) < 0.4), "they stand");
    assert!((5..40).all(|i| moved(i, &stage) > 0.5), "the others go on");
    told(&mut stage, &all[..5], AgentOrder::Rejoin);
    let end = stage.until(1_500, Stage::all_arrived);
    assert!(end.is_some());
}

#[test]
fn what_is_done_to_agents_is_seen() {
    let mut stage = Stage::<f32>::new(map(60, 40, &[]));
    stage.order(Order::Weapon { def: WeaponDef::default() });
    let group = stage.world.add_group(GroupDef { health: 50.0, ..GroupDef::default() }).unwrap();
    stage.order(Order::Spawn { group, area: rect(2.0, 10.0, 14.0, 30.0), count: 40 });
    let all = ids(&stage);
    let health = |stage: &Stage<f32>, id| stage.world.health(id);

    told(&mut stage, &all[..2], AgentOrder::Damage { health: 20.0 });
    assert_eq!((health(&stage, all[0]), health(&stage, all[2])), (Some(30.0), Some(50.0)));
    told(&mut stage, &all[..1], AgentOrder::Heal { health: 90.0 });
    assert_eq!((health(&stage, all[0]), health(&stage, all[1])), (Some(50.0), Some(30.0)));
    told(&mut stage, &all[1..2], AgentOrder::Damage { health: 30.0 });
    assert!(!stage.world.is_alive(all[1]));
    assert_eq!(stage.world.fallen().len(), 1);
    assert!(stage.world.fallen()[0].id == all[1] && stage.world.fallen()[0].shot.is_none());

    told(&mut stage, &all[2..4], AgentOrder::Teleport { to: vec![[50.0, 5.0], [50.0, 9.0]] });
    let body = |stage: &Stage<f32>, id| {
        stage.bodies().into_iter().find(|body| body.id == id).expect("it lives")
    };
    assert!(distance(body(&stage, all[2]).pos, [50.0, 5.0]) < 0.1);
    assert!(distance(body(&stage, all[3]).pos, [50.0, 9.0]) < 0.1);
    (0..60).for_each(|_| stage.tick());
    assert!(distance(body(&stage, all[2]).pos, [50.0, 5.0]) < 0.1, "they stay");

    told(&mut stage, &all[2..3], AgentOrder::Push { by: [0.0, 1.0] });
    assert!(body(&stage, all[2]).vel[1] > 0.5);
    told(&mut stage, &all[2..3], AgentOrder::Push { by: [900.0, 0.0] });
    assert!(body(&stage, all[2]).speed() < 3.0, "no faster than they can be");

    assert_eq!(stage.world.label(all[5]), 0);
    told(&mut stage, &all[5..6], AgentOrder::Label { label: 77 });
    assert_eq!((stage.world.label(all[5]), stage.world.label(all[6])), (77, 0));
    told(&mut stage, &all[5..6], AgentOrder::Remove);
    assert!(!stage.world.is_alive(all[5]));
    stage.order(Order::Spawn { group, area: rect(2.0, 10.0, 14.0, 30.0), count: 4 });
    assert!(ids(&stage).iter().all(|&id| stage.world.label(id) == 0), "an id's label ends with it");
}

#[test]
fn labels_and_detachments_are_in_digests() {
    let mut stage = marching::<Fx>(Navigator::Flow);
    let all = ids(&stage);
    let mut other = stage.clone();
    told(&mut stage, &all[..1], AgentOrder::Label { label: 1 });
    other.tick();
    let columns = |stage: &Stage<Fx>| state::columns(&stage.world);
    let differ = |a: &Stage<Fx>, b: &Stage<Fx>| -> Vec<String> {
        let pairs = columns(a).into_iter().zip(columns(b));
        pairs.filter(|(a, b)| a != b).map(|(a, _)| a.name.to_string()).collect()
    };
    assert_eq!(differ(&stage, &other), ["world.clock", "ids.label"]);
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let mut stage = marching::<f32>(Navigator::Flow);
    let all = ids(&stage);
    let stranger = Id { index: 7, generation: 9 };
    let (mut before, goal) = (stage.clone(), rect(30.5, 12.0, 31.5, 20.0));
    let twice = [all[3], all[4], all[3]];
    let far = AgentOrder::Teleport { to: vec![[31.0, 20.0]] };
    let refused = [
        (why(&mut stage, &[stranger], AgentOrder::Stop), "7:9"),
        (why(&mut stage, &twice, AgentOrder::Stop), "named twice"),
        (why(&mut stage, &all[..2], AgentOrder::Send { goal }), "lies wholly in walls"),
        (why(&mut stage, &all[..1], far), "in a wall or off the map"),
        (why(&mut stage, &all[..2], AgentOrder::Teleport { to: vec![] }), "0 places for 2"),
        (why(&mut stage, &all[..2], AgentOrder::Damage { health: 1.0 }), "no weapons"),
        (why(&mut stage, &all[..2], AgentOrder::Push { by: [f64::NAN, 0.0] }), "NaN"),
        (why(&mut stage, &all[..2], AgentOrder::Send { goal: vec![] }), ""),
        (why(&mut stage, &all[..2], AgentOrder::Pace { factor: 2.5 }), "2.5"),
    ];
    for (refusal, words) in &refused {
        assert!(refusal.to_string().contains(words), "{refusal}");
    }
    refused.iter().for_each(|_| before.tick());
    assert_eq!(state::digest(&stage.world), state::digest(&before.world));
}

#[test]
fn agents_of_companies_leave_and_return() {
    let mut stage = marching::<f32>(Navigator::Flow);
    let def = CompanyDef { groups: vec![GroupId::new(0)], ..CompanyDef::default() };
    stage.order(Order::Company { def });
    stage.order(Order::MoveCompany { company: CompanyId::new(0), goal: disc(50.0, 30.0, 6.0) });
    let all = ids(&stage);
    told(&mut stage, &all[..6], AgentOrder::Send { goal: disc(10.0, 5.0, 3.0) });
    (0..1_300).for_each(|_| stage.tick());
    let near = |stage: &Stage<f32>, at: [f64; 2]| {
        stage.bodies().iter().filter(|body| distance(body.pos, at) < 8.0).count()
    };
    assert_eq!((near(&stage, [10.0, 5.0]), near(&stage, [50.0, 30.0])), (6, 34));
    stage.order(Order::MoveCompany { company: CompanyId::new(0), goal: disc(50.0, 10.0, 6.0) });
    assert!(stage.bodies().iter().all(|body| body.group == 0));
}

#[test]
fn agents_that_think_take_orders_by_their_group_alone() {
    let mut stage = marching::<f32>(Navigator::Flow);
    stage.orders(&[
        Order::Mind { def: hunters(3) },
        Order::Think { group: GroupId::new(0), mind: MindId::new(0) },
    ]);
    let all = ids(&stage);
    let goal = vec![Shape::Point { at: [5.0, 5.0] }];
    let refusal = why(&mut stage, &all[..2], AgentOrder::Send { goal });
    assert!(refusal.to_string().contains("think"), "{refusal}");
    told(&mut stage, &all[..2], AgentOrder::Push { by: [0.5, 0.0] });
}

#[test]
fn paces_are_shares_of_the_speed_of_a_group() {
    let mut stage = Stage::<Fx>::new(map(90, 40, &[]));
    let group = stage.world.add_group(GroupDef { sprint: 2.0, ..GroupDef::default() }).unwrap();
    stage.world.spawn(group, &[[5.0, 5.0], [5.0, 15.0], [5.0, 25.0], [5.0, 35.0]]).unwrap();
    stage.send(group, rect(80.0, 1.0, 88.0, 39.0));
    let all = ids(&stage);
    for (id, factor) in all.iter().zip([0.0, 0.5, 1.0, 1.5]) {
        told(&mut stage, &[*id], AgentOrder::Pace { factor });
    }
    (0..200).for_each(|_| stage.tick());
    let speed = stage.world.groups()[0].def.speed;
    for (body, factor) in stage.bodies().iter().zip([0.0, 0.5, 1.0, 1.5]) {
        let share = body.speed() / speed;
        assert!((share - factor).abs() < 0.06, "{share} is not {factor}");
    }
}

#[test]
fn a_group_changes_with_its_detachments() {
    let mut stage = marching::<f32>(Navigator::Flow);
    let all = ids(&stage);
    told(&mut stage, &all[..10], AgentOrder::Send { goal: disc(50.0, 5.0, 5.0) });
    (0..60).for_each(|_| stage.tick());
    let def = GroupDef { speed: 0.4, ..stage.world.groups()[0].def.clone() };
    let outcome = stage.order(Order::Change { group: GroupId::new(0), def: def.clone() });
    assert_eq!(outcome, Outcome::Done { agents: 40 });
    (0..60).for_each(|_| stage.tick());
    assert!(stage.bodies().iter().all(|body| body.speed() < 0.45), "all are slow now");
    assert!(stage.bodies().iter().filter(|body| body.speed() > 0.2).count() > 20, "and go on");
    let why = |outcome| match outcome {
        Outcome::Refused(refusal) => refusal.to_string(),
        done => panic!("{done:?}"),
    };
    let slow = GroupDef { speed: -3.0, ..def.clone() };
    assert!(
        why(stage.order(Order::Change { group: GroupId::new(0), def: slow })).contains("speed")
    );
    assert!(
        why(stage.order(Order::Change { group: GroupId::new(1), def: def.clone() }))
            .contains("variant")
    );
    let unarmed = GroupDef { weapon: Some(WeaponId::new(3)), ..def.clone() };
    assert!(
        why(stage.order(Order::Change { group: GroupId::new(0), def: unarmed })).contains("weapon")
    );
    let wide = GroupDef { radius: 0.6, ..def.clone() };
    assert!(
        why(stage.order(Order::Change { group: GroupId::new(0), def: wide })).contains("radius")
    );
    stage.orders(&[
        Order::Mind { def: hunters(3) },
        Order::Think { group: GroupId::new(0), mind: MindId::new(0) },
    ]);
    let quick = GroupDef { speed: 1.0, ..def };
    assert!(matches!(
        stage.order(Order::Change { group: GroupId::new(0), def: quick }),
        Outcome::Done { .. }
    ));
    let speeds: Vec<f64> = stage.world.groups().iter().map(|group| group.def.speed).collect();
    assert!(speeds.iter().all(|&speed| speed > 0.45), "variants change too: {speeds:?}");
}

/// A world is saved as it goes on: what steers a group, and what its agents differ in, fit its new traits.
#[test]
fn a_group_that_was_changed_goes_on_from_a_snapshot() {
    let mut stage = marching::<f32>(Navigator::Flow);
    let group = GroupId::new(0);
    let behaviours = vec![Behaviour::new(BehaviourKind::Wander { turn: 0.8, rate: 2.5 })];
    stage.order(Order::Behave { group, behaviours });
    (0..20).for_each(|_| stage.tick());
    let def = stage.world.groups()[0].def.clone();
    let slow = GroupDef { response: 4.0 * def.response, speed: 0.5 * def.speed, ..def };
    stage.order(Order::Change { group, def: slow.clone() });
    let mut other = World::<f32>::new(stage.world.map().clone(), *stage.world.settings()).unwrap();
    state::restore(&mut other, &state::save(&stage.world)).unwrap();
    let mut scratch = Scratch::new();
    for _ in 0..20 {
        stage.tick();
        tick(&mut other, &[], &mut scratch);
        assert_eq!(state::digest(&stage.world), state::digest(&other));
    }
    // Agents that differ in speed cannot become too slow for it.
    let speed = Some(Distribution::constant(0.9));
    let def = VaryDef { speed, ..VaryDef::default() };
    assert!(!stage.order(Order::Vary { group, def }).is_refused());
    let outcome = stage.order(Order::Change { group, def: GroupDef { speed: 0.4, ..slow } });
    let Outcome::Refused(why) = outcome else { panic!("{outcome:?}") };
    assert!(why.to_string().contains("differ: the constant of speed is 0.9"), "{why}");
    state::validate(&stage.world).unwrap();
}
