//! Orders that make groups think and teams plan, for the small crowd of [`start`](super::orders::start).

use throng::map::area::Shape;
use throng::mind::fuzzy::{Controller, Rule, Term, Variable};
use throng::mind::{
    Argument, Commanded, Expression, MachineDef, Output, Place, StateDef, StepDef, StepKind,
    StrategiesDef, StrategyDef, TransitionDef, Wing, fuzzy,
};
use throng::nav::navigator::Navigator;
use throng::world::{
    Behaviour, BehaviourKind, Control, Destination, MindDef, Order, StateTraits, input_names,
    strategy_input_names,
};
use throng::{GroupId, MindId};

fn disc(centre: [f64; 2]) -> Vec<Shape> {
    vec![Shape::Disc { centre, radius: 2.0 }]
}

/// A mind with every kind of output and destination, which reads a controller; one without anything; and
/// strategies of both teams.
pub fn thinkers() -> Vec<(u8, Order)> {
    let plain = MindDef::new(MachineDef::new(vec![StateDef::new("idle")]));
    vec![
        (0, Order::Mind { def: guard() }),
        (0, Order::Think { group: GroupId::new(0), mind: MindId::new(0) }),
        (0, Order::Strategies { team: 0, def: plans() }),
        (1, Order::Mind { def: plain }),
        (0, Order::Think { group: GroupId::new(2), mind: MindId::new(1) }),
        (0, Order::Move { group: GroupId::new(0), goal: disc([20.0, 8.0]) }),
        (
            1,
            Order::Strategies {
                team: 1,
                def: StrategiesDef::new(
                    vec![StrategyDef::new(
                        "stand",
                        vec![StepDef::new(StepKind::Hold, vec![GroupId::new(1)])],
                    )],
                    &[GroupId::new(1)],
                ),
            },
        ),
    ]
}

fn guard() -> MindDef {
    let names = input_names(&["alarm".into(), "relief".into()], &["fury".into()]);
    let go = |when: &str, to: u8, argument, outputs: &[Output]| TransitionDef {
        when: Expression::parse(when, &names).expect("the inputs are known"),
        to,
        argument,
        outputs: outputs.to_vec(),
    };
    let always = |to| go("timer > -1", to, None, &[]);
    let walk = StateDef {
        enter: vec![Output::SetCount(2.0)],
        go: vec![
            go("fury > 0.6 and not arrived", 1, None, &[Output::Signal(0)]),
            go("hit or since.alarm < 1", 2, Some(Argument::Input(5)), &[]),
        ],
        ..StateDef::new("walk")
    };
    let rush = StateDef {
        update: vec![Output::AddCount(1.0)],
        go: vec![go("count > 4 or timer > 0.3", 2, Some(Argument::Number(3.5)), &[Output::Forget])],
        ..StateDef::new("rush")
    };
    let ponder = StateDef {
        decides: true,
        exit: vec![Output::Reload],
        go: vec![
            go("health < 0.2 and chance < 0.1", 3, None, &[Output::Leave]),
            go("argument > 2", 3, None, &[]),
            TransitionDef { when: Expression::always(), ..always(0) },
        ],
        ..StateDef::new("ponder")
    };
    let rest = StateDef { go: vec![go("timer > 0.2", 0, None, &[])], ..StateDef::new("rest") };
    let machine = MachineDef::new(vec![walk, rush, ponder, rest]);
    let wander = Behaviour::new(BehaviourKind::Wander { turn: 1.0, rate: 0.5 });
    let conducts = vec![
        StateTraits { navigator: Some(Navigator::Path), ..StateTraits::default() },
        StateTraits {
            destination: Destination::Enemy,
            speed: 1.5,
            halts: Some(false),
            ..StateTraits::default()
        },
        StateTraits {
            destination: Destination::Away,
            hold_fire: Some(true),
            deaf: true,
            ..StateTraits::default()
        },
        StateTraits {
            destination: Destination::Go(disc([4.0, 8.0])),
            behaviours: Some(vec![wander]),
            ..StateTraits::default()
        },
    ];
    let controllers = vec![Control { controller: temper(), inputs: vec![2, 0] }];
    MindDef { conducts, controllers, every: 2, sight: 12.0, near: 4.0, ..MindDef::new(machine) }
}

fn temper() -> Controller {
    let term = |name: &str, shape| Term { name: name.into(), shape };
    let variable = |name: &str, range, terms| Variable { name: name.into(), range, terms };
    let near = term("near", fuzzy::Shape::LeftShoulder([3.0, 9.0]));
    let far = term("far", fuzzy::Shape::RightShoulder([5.0, 11.0]));
    let hale = term("hale", fuzzy::Shape::Trapezoid([0.2, 0.5, 1.0, 1.0]));
    let calm = term("calm", fuzzy::Shape::Triangle([0.0, 0.2, 0.5]));
    let wild = term("wild", fuzzy::Shape::Triangle([0.4, 0.8, 1.0]));
    let fury = variable("fury", [0.0, 1.0], vec![calm, wild]);
    Controller {
        name: "temper".into(),
        inputs: vec![
            variable("enemy", [0.0, 12.0], vec![near, far]),
            variable("health", [0.0, 1.0], vec![hale]),
        ],
        outputs: vec![fuzzy::Output { variable: fury, default: Some(0.1) }],
        rules: vec![
            Rule::new("if enemy is near and health is hale then fury is wild"),
            Rule {
                weight: 0.5,
                ..Rule::new("if enemy is far or not health is hale then fury is calm")
            },
        ],
    }
}

fn plans() -> StrategiesDef {
    let names = strategy_input_names(&["alarm".into()], &["reds".into()]);
    let when = |text: &str| Expression::parse(text, &names).expect("the inputs are known");
    let step = |kind, place| StepDef { place, ..StepDef::new(kind, vec![GroupId::new(0)]) };
    let around = StepDef {
        side: Wing::Right,
        distance: 5.0,
        ..StepDef::new(StepKind::Flank, vec![GroupId::new(0)])
    };
    let gather = StepDef {
        until: Some(when("arrived > 0.5 or step > 0.3")),
        ..step(StepKind::Gather, Place::Area(disc([8.0, 4.0])))
    };
    let home = StepDef { state: Some("rest".into()), ..step(StepKind::Retreat, Place::Home) };
    let attack = StrategyDef {
        keep: Some(when("strength > 0.3 or since.alarm < 2")),
        ..StrategyDef::new("attack", vec![gather, around, step(StepKind::March, Place::Enemy)])
    };
    let recover = StrategyDef {
        priority: 7,
        begin: when("strength < 0.8 and rest > 1 and ratio < 3 and distance.reds < 9"),
        excludes: vec![0],
        ..StrategyDef::new("recover", vec![home])
    };
    StrategiesDef {
        review: 2,
        groups: vec![Commanded { group: GroupId::new(0), home: disc([3.0, 3.0]) }],
        strategies: vec![attack, recover],
    }
}
