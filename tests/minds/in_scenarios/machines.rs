//! The minds and traits of states that a machine turns into.

use throng::GroupId;
use throng::map::area::Shape;
use throng::mind::{Argument, MachineDef, Output, StateDef, TransitionDef};
use throng::nav::navigator::Navigator;
use throng::scenario::ScenarioDef;
use throng::world::{
    Behaviour, BehaviourKind, Destination, FIRST_SIGNAL, INPUTS, MindDef, Order, StateTraits,
    input_names,
};

use crate::common::scenarios::plan;
use crate::in_scenarios::TOP;

/// Everything that a machine can say.
const FULL: &str = r#"
[[machine]]
name = "m"
start = "rest"
every = 0.26
sight = 40
near = 8
chain = 3
always = [
    { to = "flee", when = "health < 0.2", argument = 7.5 },
    { to = "rest", when = "since.alarm <= 2" },
]
[[machine.state]]
name = "patrol"
speed = 0.5
navigator = "straight"
behave = [{ kind = "cohesion", range = 5 }, { kind = "flee", from = "blue" }]
hold = true
halts = false
hold_fire = true
goal = { disc = [5, 12, 2] }
deaf = true
enter = ["signal all-clear", "count = 3"]
exit = ["forget", "reload", "count + 1.5"]
update = ["count - 1"]
go = [
    { to = "choose", when = "enemy < sight_of or timer > 2", do = ["signal alarm"], argument = "health" },
]
[[machine.state]]
name = "choose"
decides = true
go = [{ to = "patrol", when = "count > 0" }, { to = "gone" }]
[[machine.state]]
name = "flee"
goal = "away"
[[machine.state]]
name = "gone"
goal = "stand"
enter = ["leave"]
[[machine.state]]
name = "rest"
go = [{ to = "patrol", when = "chance < 0.5" }]
"#;

/// The minds, and groups with their minds, of the orders of tick 0.
fn minds(text: &str) -> (Vec<MindDef>, Vec<[u16; 2]>) {
    let plan = plan(text).unwrap_or_else(|e| panic!("{e}"));
    let (mut minds, mut thinks) = (Vec::new(), Vec::new());
    let mut groups = 0;
    for order in plan.orders_at(0) {
        match order {
            Order::Group { .. } => groups += 1,
            Order::Mind { def } => minds.push(def.clone()),
            Order::Think { group, mind } => {
                assert_eq!(
                    groups,
                    plan.scene.groups.len(),
                    "all groups come before variants of them"
                );
                thinks.push([group.index(), mind.index()]);
            }
            _ => {}
        }
    }
    assert!(minds.iter().all(|mind| mind.check().is_ok()));
    (minds, thinks)
}

#[test]
fn all_keys_are_read() {
    let text = FULL.replace("enemy < sight_of", "enemy < 12 and not blocked");
    let (minds, thinks) = minds(&format!("{TOP}{text}"));
    assert_eq!((minds.len(), &thinks[..]), (1, &[[0, 0]][..]));
    let mind = &minds[0];
    // 0.26 s are 5.2 ticks of the usual 20 a second.
    assert_eq!((mind.every, mind.sight, mind.near), (5, 40.0, 8.0));
    let names = input_names(&["alarm".to_owned(), "all-clear".to_owned()], &[]);
    let when = |text| throng::mind::Expression::parse(text, &names).unwrap();
    let go = |to, text| TransitionDef { when: when(text), to, argument: None, outputs: Vec::new() };
    let anyway = |to| TransitionDef { when: Default::default(), ..go(to, "hit") };
    let flee = TransitionDef { argument: Some(Argument::Number(7.5)), ..go(2, "health < 0.2") };
    let rest = go(4, "since.alarm <= 2");
    let health = Some(Argument::Input(INPUTS.iter().position(|n| *n == "health").unwrap() as u16));
    let patrol = StateDef {
        enter: vec![Output::Signal(1), Output::SetCount(3.0)],
        exit: vec![Output::Forget, Output::Reload, Output::AddCount(1.5)],
        update: vec![Output::AddCount(-1.0)],
        go: vec![
            flee.clone(),
            rest.clone(),
            TransitionDef {
                outputs: vec![Output::Signal(0)],
                argument: health,
                ..go(1, "enemy < 12 and not blocked or timer > 2")
            },
        ],
        ..StateDef::new("patrol")
    };
    let choose = StateDef {
        decides: true,
        go: vec![go(0, "count > 0"), anyway(3)],
        ..StateDef::new("choose")
    };
    // Transitions of `always` are in every state that does not decide, but for those to itself.
    let fleeing = StateDef { go: vec![rest.clone()], ..StateDef::new("flee") };
    let gone = StateDef {
        enter: vec![Output::Leave],
        go: vec![flee.clone(), rest],
        ..StateDef::new("gone")
    };
    let resting = StateDef { go: vec![flee, go(0, "chance < 0.5")], ..StateDef::new("rest") };
    let states = vec![patrol, choose, fleeing, gone, resting];
    assert_eq!(mind.machine, MachineDef { states, start: 4, chain: 3 });
    let plain = StateTraits::default();
    let variant_set_of = |with| BehaviourKind::Cohesion { with, range: 5.0 };
    let disc = Shape::Disc { centre: [5.0, 12.0], radius: 2.0 };
    let patrol = StateTraits {
        speed: 0.5,
        navigator: Some(Navigator::Straight),
        behaviours: Some(vec![
            Behaviour::new(variant_set_of(GroupId::new(0))),
            Behaviour::new(BehaviourKind::Flee {
                from: throng::world::Mark::Group(GroupId::new(1)),
                range: 10.0,
            }),
        ]),
        hold: Some(true),
        halts: Some(false),
        hold_fire: Some(true),
        destination: Destination::Go(vec![disc]),
        deaf: true,
    };
    let flee = StateTraits { destination: Destination::Away, ..plain.clone() };
    let gone = StateTraits { destination: Destination::Stand, ..plain.clone() };
    assert_eq!(mind.conducts, [patrol, plain.clone(), flee, gone, plain]);
    assert_eq!(names[FIRST_SIGNAL], "since.alarm");
}

/// Groups share a mind, unless its states behave towards the group itself.
#[test]
fn groups_share_minds() {
    let second = TOP.replace("name = \"blue\",", "name = \"blue\", machine = \"m\",");
    let machine = |behave: &str| {
        format!("{second}[[machine]]\nname = \"m\"\nstate = [{{ name = \"a\"{behave} }}]\n")
    };
    let (shared, thinks) = minds(&machine(""));
    assert_eq!((shared.len(), &thinks[..]), (1, &[[0, 0], [1, 0]][..]));
    let plain = MindDef::new(MachineDef::new(vec![StateDef::new("a")]));
    assert_eq!(shared[0], MindDef { every: 10, ..plain });
    let behave = ", behave = [{ kind = \"alignment\" }, { kind = \"seek\", to = \"blue\" }]";
    let (own, thinks) = minds(&machine(behave));
    assert_eq!((own.len(), &thinks[..]), (2, &[[0, 0], [1, 1]][..]));
    for (group, mind) in own.iter().enumerate() {
        let kinds = mind.conducts[0].behaviours.as_ref().unwrap();
        let about: Vec<_> = kinds.iter().map(|behaviour| behaviour.kind.group()).collect();
        assert_eq!(about, [group as u16, 1].map(|group| Some(GroupId::new(group))));
    }
}

/// A machine sends agents to what each group calls a place.
#[test]
fn groups_have_places_of_their_own() {
    let red =
        "machine = \"m\", places = { inn = { disc = [5, 9, 2] }, mill = { point = [9, 3] } },";
    let blue =
        "machine = \"m\", places = { mill = { point = [9, 3] }, inn = { rect = [1, 1, 4, 3] } },";
    let top = TOP.replace("machine = \"m\",", red);
    let top = top.replace("name = \"blue\",", &format!("name = \"blue\", {blue}"));
    let states = "{ name = \"a\", goal = { place = \"inn\" }, go = [{ to = \"b\" }] }, \
                  { name = \"b\", goal = { place = \"mill\" } }";
    let (own, thinks) = minds(&format!("{top}[[machine]]\nname = \"m\"\nstate = [{states}]\n"));
    assert_eq!((own.len(), &thinks[..]), (2, &[[0, 0], [1, 1]][..]));
    let errands = |mind: &MindDef| -> Vec<Destination> {
        mind.conducts.iter().map(|state_traits| state_traits.destination.clone()).collect()
    };
    let go = |shape| Destination::Go(vec![shape]);
    let mill = go(Shape::Point { at: [9.0, 3.0] });
    let disc = Shape::Disc { centre: [5.0, 9.0], radius: 2.0 };
    assert_eq!(errands(&own[0]), [go(disc), mill.clone()]);
    let rect = Shape::Rect { min: [1.0, 1.0], max: [4.0, 3.0] };
    assert_eq!(errands(&own[1]), [go(rect), mill]);
}

/// A look takes at least a tick, and rates are rounded to the nearest.
#[test]
fn looks_are_whole_ticks() {
    for (rate, every, ticks) in [(20, "0.001", 1), (30, "0.25", 8), (60, "1", 60)] {
        let text = format!(
            "tick_rate = {rate}\n{TOP}[[machine]]\nname = \"m\"\nevery = {every}\n\
             state = [{{ name = \"a\" }}]\n"
        );
        assert_eq!(minds(&text).0[0].every, ticks, "{every} s at {rate}/s");
    }
}

/// A condition may be written over several lines.
#[test]
fn conditions_may_be_long() {
    let text = format!(
        "{TOP}[[machine]]\nname = \"m\"\n[[machine.state]]\nname = \"a\"\n[[machine.state.go]]\n\
         to = \"a\"\nwhen = \"\"\"\nenemy < 5\n  and health > 0.5\"\"\"\n"
    );
    let def = ScenarioDef::parse(&text, "long").unwrap_or_else(|e| panic!("{e}"));
    let go = &def.machines[0].mind.machine.states[0].go[0];
    let names = input_names(&[], &[]);
    assert_eq!(go.when.text(&names), "(enemy < 5 and health > 0.5)");
}
