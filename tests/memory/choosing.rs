//! A tick in which many agents think and choose targets allocates nothing once everything has been
//! seen.

use crate::common::crowd::{blocks, on_threads};
use crate::count;
use throng::lane::Numbers;
use throng::math::{hash3, unit_f64};
use throng::mind::fuzzy::{Controller, Output, Rule, Shape, Term, Variable};
use throng::mind::{Expression, MachineDef, StateDef, TransitionDef};
use throng::tick::{Scratch, tick};
use throng::world::{
    Choice, Control, Destination, GroupDef, MindDef, Order, Settings, StateTraits, WeaponDef,
    World, input_names,
};
use throng::{GroupId, MindId};

const RUNS: usize = 4;
const TICKS: usize = 120;
/// Ticks until every agent has fired its first shot, which is its last, and that has ended.
const WARM_UP: usize = 80;

/// To and fro between two states, by all that takes a look at others and by a fuzzy controller.
fn mind() -> MindDef {
    let term = |name: &str, shape| Term { name: name.to_owned(), shape };
    let shoulders = |name: &str, range: [f64; 2]| Variable {
        name: name.to_owned(),
        range,
        terms: vec![
            term("low", Shape::LeftShoulder(range)),
            term("high", Shape::RightShoulder(range)),
        ],
    };
    let rules = ["if enemy is low then rage is high", "if enemy is high then rage is low"];
    let controller = Controller {
        name: "rage".to_owned(),
        inputs: vec![shoulders("enemy", [0.0, 30.0])],
        outputs: vec![Output { variable: shoulders("rage", [0.0, 1.0]), default: None }],
        rules: rules.map(Rule::new).to_vec(),
    };
    let names = input_names(&[], &["rage".to_owned()]);
    let go = |text: &str, to| TransitionDef {
        when: Expression::parse(text, &names).unwrap(),
        to,
        argument: None,
        outputs: Vec::new(),
    };
    let calm = vec![go("rage > 0.2 and (friends > 1 or enemies > 1) and chance < 0.5", 1)];
    let calm = StateDef { go: calm, ..StateDef::new("calm") };
    let angry = vec![go("friend < 25 and timer > 0.3 and chance < 0.5", 0)];
    let angry = StateDef { go: angry, ..StateDef::new("angry") };
    let mut def = MindDef::new(MachineDef::new(vec![calm, angry]));
    def.conducts[1] =
        StateTraits { speed: 1.5, destination: Destination::Enemy, ..StateTraits::default() };
    MindDef { every: 3, controllers: vec![Control { controller, inputs: vec![2] }], ..def }
}

/// Four sides that choose anew all the time.
fn world<N: Numbers>() -> World<N> {
    let mut world = World::new(blocks(90, 90, 1.0, 3), Settings::default()).unwrap();
    for (team, choice) in [(0, Choice::Nearest), (1, Choice::Weakest), (2, Choice::Threat)] {
        let weapon = WeaponDef {
            choice,
            sticky: false,
            sight: team == 0,
            retarget: 0.2,
            cooldown: 3_600.0,
            lifetime: 1.0,
            ..WeaponDef::default()
        };
        let weapon = Some(world.add_weapon(weapon).unwrap());
        let foes = 0b111 & !(1 << team);
        let def = GroupDef { team, foes, weapon, halts: false, ..GroupDef::default() };
        let group = world.add_group(def).unwrap();
        let random = |i, axis| 90.0 * unit_f64(hash3(i, axis, u64::from(team)));
        let places = (0..4_000).map(|i| [random(i, 0), random(i, 1)]);
        let open = |at: &[f64; 2]| world.is_open(at.map(N::from_f64));
        let places: Vec<_> = places.filter(open).take(1_500).collect();
        world.spawn(group, &places).unwrap();
    }
    world
}

fn allocations<N: Numbers>() -> Vec<usize> {
    let (mut world, mut scratch) = (world::<N>(), Scratch::new());
    let think =
        (0..3).map(|group| Order::Think { group: GroupId::new(group), mind: MindId::new(0) });
    let orders: Vec<_> = std::iter::once(Order::Mind { def: mind() }).chain(think).collect();
    let mut counted = |at| {
        let orders = if at == 0 { &orders[..] } else { &[] };
        count(|| tick(&mut world, orders, &mut scratch))
    };
    let counts = (0..TICKS).map(&mut counted).collect();
    let states = |state: u8| world.thoughts().state.iter().filter(|&&s| s == state).count();
    assert!(states(0) > 200 && states(1) > 200, "{} and {}", states(0), states(1));
    assert!((0..world.len()).any(|row| world.target(world.id(row)).is_some()));
    counts
}

pub(crate) fn nothing_is_allocated<N: Numbers>(threads: usize) {
    let runs: Vec<_> = (0..RUNS).map(|_| on_threads(threads, allocations::<N>)).collect();
    let least: Vec<_> =
        (0..TICKS).map(|at| runs.iter().map(|run| run[at]).min().unwrap()).collect();
    let dirty = (WARM_UP..TICKS).find(|&at| least[at] > 0);
    assert_eq!(dirty, None, "{threads} threads: that tick allocates");
    assert!(least[0] > 20, "{}", least[0]);
}
