//! Agents think: they perceive what there is, decide together, and stay what they are until then.

use crate::common::crowd::on_threads;
use crate::common::stage::{Stage, disc, distance, map, rect};
use throng::lane::{Lane, Numbers};
use throng::math::Fx;
use throng::mind::fuzzy::{Controller, Rule, Term, Variable};
use throng::mind::{Argument, Expression, MachineDef, Output, StateDef, TransitionDef, fuzzy};
use throng::tick::{Probe, Scratch, tick, tick_with};
use throng::world::{
    Control, Destination, FIRST_OUTPUT, GroupDef, INPUTS, MindDef, Order, Settings, StateTraits,
    WeaponDef, World, input_names,
};
use throng::{GroupId, MindId, state};

in_both!(
    nobody_observes_a_half_changed_agent,
    a_snapshot_holds_all_thoughts,
    controllers_feed_conditions,
    agents_perceive_what_there_is,
    who_has_shot_everything_is_unarmed_until_it_reloads
);

/// A transition.
fn go(when: &str, to: u8) -> TransitionDef {
    let names = input_names(&["alarm".to_owned()], &[]);
    let when =
        if when.is_empty() { Ok(Expression::always()) } else { Expression::parse(when, &names) };
    TransitionDef { when: when.unwrap(), to, argument: None, outputs: Vec::new() }
}

fn state(name: &str, go: Vec<TransitionDef>) -> StateDef {
    StateDef { go, ..StateDef::new(name) }
}

fn decision(name: &str, go: Vec<TransitionDef>) -> StateDef {
    StateDef { decides: true, ..state(name, go) }
}

/// A mind that looks in every tick.
fn mind(states: Vec<StateDef>) -> MindDef {
    MindDef { every: 1, ..MindDef::new(MachineDef::new(states)) }
}

/// Lets a group think.
fn think<N: Numbers>(stage: &mut Stage<N>, group: GroupId, def: MindDef) {
    let mind = stage.world.add_mind(def).unwrap();
    let outcome = stage.order(Order::Think { group, mind });
    assert!(!outcome.is_refused(), "{outcome:?}");
}

fn states<N: Numbers>(stage: &Stage<N>) -> Vec<u8> {
    stage.bodies().iter().map(|body| stage.world.state_of(body.id).unwrap()).collect()
}

#[test]
fn a_chain_of_three_decisions_settles_in_one_tick() {
    let mut stage = Stage::<f32>::new(map(20, 20, &[]));
    let group = stage.group(GroupDef::default(), &[[5.5, 5.5], [15.5, 5.5]]);
    let hands_on = |to: u8, number: f64| TransitionDef {
        argument: Some(Argument::Number(number)),
        outputs: vec![Output::AddCount(1.0)],
        ..go("", to)
    };
    let passes = |when: &str, to: u8| TransitionDef {
        argument: Some(Argument::Input(14)),
        outputs: vec![Output::AddCount(1.0)],
        ..go(when, to)
    };
    think(
        &mut stage,
        group,
        mind(vec![
            state(
                "idle",
                vec![TransitionDef {
                    argument: Some(Argument::Number(7.0)),
                    ..go("timer >= 0.2", 1)
                }],
            ),
            decision("one", vec![passes("argument > 6 and timer <= 0", 2), go("", 0)]),
            decision("two", vec![passes("", 3)]),
            decision("three", vec![passes("friend > 30", 0), hands_on(4, 2.5)]),
            state("done", Vec::new()),
        ]),
    );
    let before = states(&stage);
    assert_eq!(before, [0, 0]);
    let mut seen = vec![before];
    for _ in 0..8 {
        stage.tick();
        seen.push(states(&stage));
    }
    // All at once from the first state to the last, four ticks after the beginning.
    let turn = seen.iter().position(|s| *s == [4, 4]).expect("they are done");
    assert!(turn >= 4 && seen[..turn].iter().all(|s| *s == [0, 0]), "{seen:?}");
    let memory = stage.world.thoughts().memory[0];
    assert_eq!([memory[0], memory[1]], [2.5, 3.0]);
}

/// A chain of exactly as many transitions as are allowed settles, and one of one more does not.
#[test]
fn a_chain_is_as_long_as_it_is_allowed_to_be() {
    for (chain, expected) in [(3, 3), (2, 0)] {
        let mut stage = Stage::<Fx>::new(map(20, 20, &[]));
        let group = stage.group(GroupDef::default(), &[[5.5, 5.5]]);
        let states_of = vec![
            state("idle", vec![go("", 1)]),
            decision("one", vec![go("", 2)]),
            decision("two", vec![go("", 3)]),
            state("done", Vec::new()),
        ];
        let machine = MachineDef { chain, ..MachineDef::new(states_of) };
        think(&mut stage, group, MindDef { every: 1, ..MindDef::new(machine) });
        assert_eq!(states(&stage), [expected]);
        assert_eq!(stage.world.endless().len(), usize::from(expected == 0));
    }
}

#[test]
fn a_chain_without_end_is_told_and_changes_nothing() {
    let mut stage = Stage::<Fx>::new(map(20, 20, &[]));
    let group = stage.group(GroupDef::default(), &[[5.5, 5.5]]);
    think(
        &mut stage,
        group,
        mind(vec![
            state("calm", vec![go("timer > 0.3", 1)]),
            decision(
                "left",
                vec![
                    go("speed > 3", 0),
                    TransitionDef { outputs: vec![Output::AddCount(1.0)], ..go("", 2) },
                ],
            ),
            decision("right", vec![go("speed <= 3", 1), go("", 0)]),
        ]),
    );
    let id = stage.one().id;
    let told = stage.until(20, |stage| !stage.world.endless().is_empty());
    assert!(told.is_some_and(|ticks| ticks >= 5), "{told:?}");
    let endless = &stage.world.endless()[0];
    assert_eq!((endless.id, endless.mind), (id, MindId::new(0)));
    assert_eq!(endless.states, [0, 1, 2, 1, 2, 1, 2, 1, 2, 1]);
    assert_eq!(stage.world.state_of(id), Some(0));
    assert_eq!(stage.world.thoughts().memory[0][1], Fx::default());
}

/// Two teams on a field, with weapons, of which one thinks: an agent in alarm warns its team.
fn battle<N: Numbers>() -> World<N> {
    let settings = Settings { seed: 5, ..Settings::default() };
    let mut world = World::<N>::new(map(120, 80, &[[58, 0, 60, 30]]), settings).unwrap();
    let weapon =
        world.add_weapon(WeaponDef { range: 20.0, ..WeaponDef::preset("bow").unwrap() }).unwrap();
    let def = |team: u8| GroupDef {
        team,
        foes: 1 << (1 - team),
        weapon: Some(weapon),
        ..GroupDef::preset("horde").unwrap()
    };
    let mut scratch = Scratch::new();
    let spawn = |group: u16, x: f64| Order::Spawn {
        group: GroupId::new(group),
        area: rect(x, 10.0, x + 30.0, 70.0),
        count: 300,
    };
    let to =
        |group: u16, x: f64| Order::Move { group: GroupId::new(group), goal: disc(x, 40.0, 8.0) };
    let flee = StateTraits { destination: Destination::Away, speed: 1.5, ..StateTraits::default() };
    let charge = StateTraits {
        destination: Destination::Enemy,
        halts: Some(false),
        ..StateTraits::default()
    };
    let mut def_of_mind = MindDef::new(MachineDef::new(vec![
        StateDef {
            exit: vec![Output::Signal(0)],
            ..state(
                "march",
                vec![go("hit or enemies > 3", 1), go("since.alarm < 2 and chance < 0.3", 1)],
            )
        },
        decision("choose", vec![go("health < 0.5", 3), go("", 2)]),
        StateDef {
            update: vec![Output::AddCount(1.0)],
            ..state("charge", vec![go("count > 6", 3), go("enemy >= 30", 0)])
        },
        StateDef {
            enter: vec![Output::Forget, Output::SetCount(0.0)],
            ..state("flee", vec![go("timer > 3", 0)])
        },
    ]));
    def_of_mind.conducts[2] = charge;
    def_of_mind.conducts[3] = flee;
    def_of_mind.every = 4;
    let orders = [
        Order::Group { def: def(0) },
        Order::Group { def: def(1) },
        Order::Mind { def: def_of_mind },
        Order::Think { group: GroupId::new(0), mind: MindId::new(0) },
        spawn(0, 5.0),
        spawn(1, 85.0),
        to(0, 100.0),
        to(1, 20.0),
    ];
    tick(&mut world, &orders, &mut scratch);
    for outcome in world.outcomes() {
        assert!(!outcome.is_refused(), "{outcome:?}");
    }
    world
}

/// After every stage: that nothing is changed between the look and the decision.
#[derive(Default)]
struct Watch {
    before: Vec<(u32, u8, u16, [u32; 3])>,
    changed: usize,
    stages: usize,
}

impl Watch {
    fn thoughts<N: Numbers>(world: &World<N>) -> Vec<(u32, u8, u16, [u32; 3])> {
        let thoughts = world.thoughts();
        let all = world.tags().iter().filter(|tag| world.mind_of(tag.group).is_some());
        let mut all: Vec<_> = all
            .map(|tag| {
                let memory = thoughts.memory[tag.id as usize].map(|n| n.bits());
                (tag.id, thoughts.state[tag.id as usize], tag.group, memory)
            })
            .collect();
        all.sort_unstable();
        all
    }
}

impl Probe for Watch {
    fn ended<N: Numbers>(&mut self, stage: throng::tick::Stage, world: &World<N>, _: &Scratch<N>) {
        match stage {
            throng::tick::Stage::Orders => self.before = Self::thoughts(world),
            throng::tick::Stage::Decide => {
                self.changed += usize::from(self.before != Self::thoughts(world));
            }
            throng::tick::Stage::Reap => {}
            _ => {
                assert!(self.before == Self::thoughts(world), "changed in {}", stage.name());
                self.stages += 1;
            }
        }
    }
}

fn nobody_observes_a_half_changed_agent<N: Numbers>() {
    let mut world = battle::<N>();
    let (mut scratch, mut watch) = (Scratch::new(), Watch::default());
    for _ in 0..400 {
        tick_with::<N::Wide>(&mut world, &[], &mut scratch, &mut watch);
        state::validate(&world).unwrap();
    }
    assert!(watch.changed > 50 && watch.stages > 400, "{}", watch.changed);
    let counts = |state: u8| {
        let tags = world.tags().iter().filter(|tag| world.base_group(tag.group) == 0);
        tags.filter(|tag| world.thoughts().state[tag.id as usize] == state).count()
    };
    // No agent rests in a state of decision.
    assert_eq!(counts(1), 0);
    assert!(world.signalled(0, 0).is_some() && world.signalled(1, 0).is_none());
}

/// The digests of a run on some threads and lanes.
fn digests<L: Lane>(threads: usize) -> Vec<u64> {
    on_threads(threads, || {
        let (mut world, mut scratch) = (battle::<L::Num>(), Scratch::new());
        let step = |_| {
            tick_with::<L>(&mut world, &[], &mut scratch, &mut ());
            state::digest(&world)
        };
        (0..300).map(step).collect()
    })
}

#[test]
fn thoughts_are_the_same_on_all_threads_and_lanes() {
    let [float, fixed] =
        [digests::<<f32 as Numbers>::Wide>(1), digests::<<Fx as Numbers>::Wide>(1)];
    for threads in [2, 3, 8] {
        assert!(digests::<<f32 as Numbers>::Wide>(threads) == float, "{threads} threads");
    }
    assert!(digests::<<Fx as Numbers>::Wide>(4) == fixed);
    assert!(digests::<f32>(2) == float);
    assert!(digests::<Fx>(3) == fixed);
}

fn a_snapshot_holds_all_thoughts<N: Numbers>() {
    let (mut world, mut scratch) = (battle::<N>(), Scratch::new());
    for step in 0..200 {
        tick(&mut world, &[], &mut scratch);
        if step % 20 == 7 {
            let image = state::save(&world);
            let mut other = World::<N>::new(world.given_map().clone(), *world.settings()).unwrap();
            state::restore(&mut other, &image).unwrap();
            assert_eq!(state::digest(&other), state::digest(&world));
            let mut fresh = Scratch::new();
            let mut here = world.clone();
            for _ in 0..6 {
                tick(&mut other, &[], &mut fresh);
                tick(&mut here, &[], &mut scratch);
                assert_eq!(state::digest(&other), state::digest(&here), "after step {step}");
            }
        }
    }
}

/// What every agent of the group perceives by an input: its mind hands it on to itself.
fn perceived<N: Numbers>(input: &str) -> (World<N>, World<N>) {
    let mut world = battle::<N>();
    let mut scratch = Scratch::new();
    (0..160).for_each(|_| tick(&mut world, &[], &mut scratch));
    let input = INPUTS.iter().position(|name| *name == input).unwrap() as u16;
    let hands_on = TransitionDef { argument: Some(Argument::Input(input)), ..go("", 0) };
    let def = MindDef { sight: 25.0, near: 18.0, ..mind(vec![state("look", vec![hands_on])]) };
    let mind = world.add_mind(def).unwrap();
    let before = world.clone();
    tick(&mut world, &[Order::Think { group: GroupId::new(1), mind }], &mut scratch);
    (before, world)
}

/// Outputs of a fuzzy controller are what its inputs make of them, agent by agent.
fn controllers_feed_conditions<N: Numbers>() {
    let shoulders = |name: &str, range: [f64; 2], at: [f64; 2]| Variable {
        name: name.to_owned(),
        range,
        terms: vec![
            Term { name: "low".to_owned(), shape: fuzzy::Shape::LeftShoulder(at) },
            Term { name: "high".to_owned(), shape: fuzzy::Shape::RightShoulder(at) },
        ],
    };
    let courage = Controller {
        name: "courage".to_owned(),
        inputs: vec![
            shoulders("enemy", [0.0, 25.0], [5.0, 20.0]),
            shoulders("health", [0.0, 1.0], [0.2, 0.9]),
        ],
        outputs: vec![fuzzy::Output {
            variable: shoulders("courage", [0.0, 10.0], [3.0, 7.0]),
            default: None,
        }],
        rules: vec![
            Rule::new("if enemy is low or health is low then courage is low"),
            Rule::new("if enemy is high and health is high then courage is high"),
        ],
    };
    let compiled = courage.compile::<N>().unwrap();
    let control = Control { controller: courage, inputs: vec![2, 0] };
    let mut world = battle::<N>();
    let mut scratch = Scratch::new();
    (0..160).for_each(|_| tick(&mut world, &[], &mut scratch));
    let hands_on =
        TransitionDef { argument: Some(Argument::Input(FIRST_OUTPUT as u16)), ..go("", 0) };
    let def = MindDef {
        sight: 25.0,
        controllers: vec![control],
        ..mind(vec![state("look", vec![hands_on])])
    };
    let mind = world.add_mind(def).unwrap();
    let before = world.clone();
    tick(&mut world, &[Order::Think { group: GroupId::new(1), mind }], &mut scratch);
    let (mut looked, mut values) = (0, Vec::new());
    for (row, tag) in before.tags().iter().enumerate().filter(|(_, tag)| tag.group == 1) {
        if world.is_alive(before.id(row)) {
            let enemy = distances(&before, row, 0).into_iter().fold(25.0, f64::min);
            let health = before.health(before.id(row)).unwrap().to_f64() / 100.0;
            let [enemy, health] = [enemy, health].map(|number| [N::from_f64(number); 8]);
            let mut courage = [N::ZERO; 8];
            throng::kernel::fuzzy::evaluate(&compiled, 1, &[&enemy, &health], &mut [&mut courage]);
            let found = world.thoughts().memory[tag.id as usize][0].to_f64();
            assert!((found - courage[0].to_f64()).abs() < 1e-3, "{found} {courage:?}");
            looked += 1;
            values.push(found);
        }
    }
    values.sort_by(f64::total_cmp);
    values.dedup_by(|a, b| (*a - *b).abs() < 0.1);
    assert!(looked > 200 && values.len() > 5, "{looked}: {values:?}");
}

fn perceives<N: Numbers>(name: &str, tolerance: f64, naive: impl Fn(&World<N>, usize) -> f64) {
    let (before, after) = perceived::<N>(name);
    let (mut looked, mut values) = (0, Vec::new());
    for (row, tag) in before.tags().iter().enumerate().filter(|(_, tag)| tag.group == 1) {
        if after.is_alive(before.id(row)) {
            let found = after.thoughts().memory[tag.id as usize][0].to_f64();
            let expected = naive(&before, row);
            assert!(
                (found - expected).abs() <= tolerance,
                "{name} of {}: {found}, not {expected}",
                tag.id
            );
            looked += 1;
            values.push(found);
        }
    }
    values.sort_by(f64::total_cmp);
    values.dedup();
    assert!(looked > 50 && values.len() > 1, "{name}: {looked} agents, {} values", values.len());
}

/// Distances from an agent to all of a team, itself left out.
fn distances<N: Numbers>(world: &World<N>, row: usize, team: u8) -> Vec<f64> {
    let at = |row: usize| world.positions()[row].map(N::to_f64);
    let of_team = |&other: &usize| {
        let group = usize::from(world.tags()[other].group);
        other != row && world.groups()[group].def.team == team
    };
    let all = (0..world.len()).filter(of_team).map(|other| distance(at(row), at(other)));
    all.filter(|&far| far <= 25.0).collect()
}

fn agents_perceive_what_there_is<N: Numbers>() {
    let nearest = |all: Vec<f64>| all.into_iter().fold(25.0, f64::min);
    perceives::<N>("enemy", 1e-3, |world, row| nearest(distances(world, row, 0)));
    perceives::<N>("friend", 1e-3, |world, row| nearest(distances(world, row, 1)));
    let near = |all: Vec<f64>| all.into_iter().filter(|&far| far <= 18.0).count() as f64;
    perceives::<N>("enemies", 0.0, |world, row| near(distances(world, row, 0)));
    perceives::<N>("friends", 0.0, |world, row| near(distances(world, row, 1)));
    perceives::<N>("health", 1e-4, |world, row| {
        world.health(world.id(row)).unwrap().to_f64() / 100.0
    });
    perceives::<N>("target", 0.0, |world, row| {
        f64::from(u8::from(world.target(world.id(row)).is_some()))
    });
    perceives::<N>("speed", 1e-3, |world, row| {
        distance([0.0; 2], world.velocities()[row].map(N::to_f64))
    });
    perceives::<N>("goal", 1e-2, |world, row| {
        distance([20.0, 40.0], world.positions()[row].map(N::to_f64))
    });
    perceives::<N>("chance", 1.0, |_, _| 0.5);
}

fn who_has_shot_everything_is_unarmed_until_it_reloads<N: Numbers>() {
    let mut stage = Stage::<N>::new(map(60, 20, &[]));
    let bow = WeaponDef { ammunition: 3, cooldown: 0.5, damage: 0.0, ..WeaponDef::default() };
    let weapon = stage.world.add_weapon(bow).unwrap();
    let archer = GroupDef { foes: 2, weapon: Some(weapon), ..GroupDef::default() };
    let group = stage.group(archer, &[[10.5, 10.5]]);
    stage.group(GroupDef { team: 1, ..GroupDef::default() }, &[[40.5, 10.5]]);
    think(
        &mut stage,
        group,
        mind(vec![
            state(
                "shoot",
                vec![TransitionDef {
                    argument: Some(Argument::Input(7)),
                    ..go("ammunition < 1", 1)
                }],
            ),
            state(
                "empty",
                vec![TransitionDef { outputs: vec![Output::Reload], ..go("timer > 10", 0) }],
            ),
        ]),
    );
    let fired = |stage: &Stage<N>| stage.world.weapons()[0].tally.fired;
    let empty = stage.until(200, |stage| states(stage).contains(&1) && fired(stage) > 0);
    assert!(empty.is_some());
    (0..150).for_each(|_| stage.tick());
    assert_eq!((fired(&stage), states(&stage)[0]), (3, 1));
    assert!(stage.world.target(stage.bodies()[0].id).is_none());
    stage.until(1_000, |stage| fired(stage) == 6).expect("it reloads");
}

/// Orders to a group reach the variants of it that go by them, and no other agents.
#[test]
fn orders_reach_the_variants_that_heed_them() {
    let mut stage = Stage::<f32>::new(map(60, 60, &[]));
    let places: Vec<[f64; 2]> = (0..20).map(|i| [10.5 + f64::from(i), 30.5]).collect();
    let group = stage.group(GroupDef::default(), &places);
    let mut def = mind(vec![
        state("walk", vec![go("told", 1)]),
        state("run", vec![go("arrived", 2)]),
        state("home", Vec::new()),
        state("stand", Vec::new()),
    ]);
    def.machine.states[0].go.push(go("chance > 2", 3));
    def.conducts[1].speed = 2.0;
    def.conducts[2].destination = Destination::Go(disc(10.0, 10.0, 6.0));
    def.conducts[3].destination = Destination::Stand;
    think(&mut stage, group, def);
    let variants = [1, 2, 3].map(|state| {
        let world = &stage.world;
        let is = |at: &u16| world.mind_of(*at).is_some() && world.base_group(*at) == group.index();
        (0..world.groups().len() as u16).filter(is).nth(state).unwrap()
    });
    assert_eq!(stage.world.groups().len(), 4);
    stage.send(group, disc(50.0, 50.0, 6.0));
    let goes =
        |stage: &Stage<f32>, group: u16| stage.world.groups()[usize::from(group)].has_order();
    assert_eq!(variants.map(|v| goes(&stage, v)), [true, true, false]);
    assert_eq!(states(&stage), [1; 20]);
    let members =
        |stage: &Stage<f32>, group: u16| stage.world.groups()[usize::from(group)].members();
    assert_eq!((members(&stage, group.index()), members(&stage, variants[0])), (0, 20));
    stage.until(1_200, |stage| states(stage) == [2; 20]).expect("they have been there and go home");
    stage.until(1_200, |stage| stage.all_arrived()).expect("they are home");
    // New ones begin at the beginning, and all leave by one order.
    stage.order(Order::Spawn { group, area: rect(2.0, 40.0, 20.0, 58.0), count: 5 });
    assert_eq!(states(&stage).iter().filter(|&&state| state == 0).count(), 5);
    let all: Vec<_> = stage.bodies().iter().map(|body| body.id).collect();
    stage.order(Order::Assign { agents: all[..2].to_vec(), group });
    assert_eq!(states(&stage).iter().filter(|&&state| state == 0).count(), 7);
    stage.order(Order::Remove { group, area: None });
    assert!(stage.world.is_empty());
    state::validate(&stage.world).unwrap();
}

#[test]
fn who_goes_to_the_enemy_gets_there_and_who_flees_gets_away() {
    let run = |destination: Destination| {
        let mut stage = Stage::<Fx>::new(map(80, 40, &[]));
        let hunter = GroupDef { foes: 2, speed: 2.0, ..GroupDef::default() };
        let group = stage.group(hunter, &[[20.5, 20.5]]);
        stage.group(GroupDef { team: 1, ..GroupDef::default() }, &[[40.5, 20.5]]);
        let mut def = mind(vec![state("go", Vec::new())]);
        def.conducts[0].destination = destination;
        think(&mut stage, group, def);
        (0..200).for_each(|_| stage.tick());
        let bodies = stage.bodies();
        distance(bodies[0].pos, bodies[1].pos)
    };
    assert!(run(Destination::Enemy) < 2.0);
    // Out of sight it goes on to where it was heading.
    let away = run(Destination::Away);
    assert!((39.0..41.0).contains(&away), "{away}");
}
