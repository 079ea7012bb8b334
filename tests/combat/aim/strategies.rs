//! Strategies in a world: a scripted battle switches as it is declared, for all threads and after
//! save and restore; groups go around the right side; what cannot be done is told and passed over;
//! and a snapshot with a damaged plan does no harm.

use throng::lane::Numbers;
use throng::math::Fx;
use throng::mind::{
    Expression, MachineDef, Place, StateDef, StepDef, StepKind, StrategiesDef, StrategyDef, Wing,
};
use throng::report::timeline::Timeline;
use throng::scenario::{Plan, ScenarioDef};
use throng::tick::{Scratch, tick};
use throng::world::{
    GroupDef, MindDef, Order, Outcome, PlanChange, Refusal, World, strategy_input_names,
};
use throng::{GroupId, MindId, state};

use crate::aim::{open, side};
use crate::common::crowd::on_threads;
use crate::common::stage::{Stage, map, rect};

in_both!(a_scripted_battle_switches_as_declared, a_plan_goes_on_after_restore);

const SCRIPT: &str = r#"
ticks = 2400
map = { size = [170, 90] }

[[weapon]]
name = "gun"
range = 30
cooldown = 0.5
speed = 200
gravity = 0
spread = 0.02
damage = 20

[[team]]
name = "red"
review = 0.5

[[team.strategy]]
name = "muster"
priority = 5
when = "time < 8"
plan = [{ step = "gather", at = { disc = [30, 45, 12] } }]

[[team.strategy]]
name = "advance"
priority = 10
when = "time >= 4"
groups = ["foot"]
plan = [
    { step = "hold", until = "step >= 2" },
    { step = "march", to = "enemy", renew = 1 },
]

[[team.strategy]]
name = "flank"
priority = 10
when = "engaged.foot > 0"
while = "strength > 0"
groups = ["riders"]
plan = [{ step = "flank", side = "left", distance = 25, until = "timer > 12" }, { step = "hold" }]

[[team.strategy]]
name = "flee"
priority = 30
when = "strength < 0.5"
while = "strength < 0.9"
excludes = ["flank"]
plan = [{ step = "retreat", to = "home" }]

[[team]]
name = "blue"

[[group]]
name = "foot"
team = "red"
weapon = "gun"
spawn = { rect = [5, 20, 25, 60], count = 60 }

[[group]]
name = "riders"
team = "red"
weapon = "gun"
speed = 3
spawn = { rect = [5, 65, 25, 85], count = 20 }

[[group]]
name = "line"
team = "blue"
weapon = "gun"
health = 300
spawn = { rect = [90, 25, 100, 65], count = 60 }
"#;

fn script() -> Plan {
    let def = ScenarioDef::parse(SCRIPT, "script").unwrap_or_else(|e| panic!("{e}"));
    let ground = def.load_map(&|_| unreachable!()).unwrap();
    Plan::new(&def, ground).unwrap_or_else(|e| panic!("{e}"))
}

fn start<N: Numbers>(plan: &Plan) -> World<N> {
    World::new(plan.map.clone(), plan.settings).unwrap()
}

fn step<N: Numbers>(plan: &Plan, world: &mut World<N>, scratch: &mut Scratch<N>) {
    let orders: Vec<Order> = plan.orders_at(world.tick_count()).cloned().collect();
    tick(world, &orders, scratch);
    assert!(world.outcomes().iter().all(|outcome| !outcome.is_refused()));
}

/// The switches that are declared, decided anew from what is to be seen of a world.
#[derive(Default)]
struct Referee {
    /// Muster, advance, flank, flee: the tick in which each began.
    runs: [Option<u64>; 4],
    /// The tick in which the step of each began, and which one that is.
    steps: [(u64, usize); 4],
    told: Vec<(u64, &'static str, String)>,
}

const NAMES: [&str; 4] = ["muster", "advance", "flank", "flee"];
const FIRST: [&str; 4] = ["gather", "hold", "flank", "retreat"];

impl Referee {
    fn tell(&mut self, tick: u64, index: usize, what: &str) {
        self.told.push((tick, NAMES[index], what.to_owned()));
    }

    /// Looks at the world before a tick that reviews, which sees the agents as they are now.
    fn look<N: Numbers>(&mut self, world: &World<N>) {
        let now = world.tick_count();
        if !now.is_multiple_of(10) {
            return;
        }
        let time = now as f64 / 20.0;
        let red = || world.groups().iter().take(2);
        let living: u32 = red().map(|group| group.members()).sum();
        let fallen: u32 = red().map(|group| group.fallen()).sum();
        let strength =
            if living + fallen == 0 { 1.0 } else { f64::from(living) / f64::from(living + fallen) };
        let foot = (0..world.len()).filter(|&row| world.tags()[row].group == 0);
        let engaged = foot.map(|row| world.id(row)).any(|id| world.target(id).is_some());
        let [muster, advance, flank, flee] = self.runs.map(|began| began.is_some());
        let flees = if flee { strength < 0.9 } else { strength < 0.5 };
        let advances = !flees && time >= 4.0;
        let flanks = !flees && if flank { strength > 0.0 } else { engaged };
        let musters = !flees && !advances && !flanks && time < 8.0;
        let goals = [musters, advances, flanks, flees];
        let was = [muster, advance, flank, flee];
        for index in (0..4).filter(|&i| was[i] && !goals[i]) {
            self.runs[index] = None;
            self.tell(now, index, "ends");
        }
        for index in (0..4).filter(|&i| goals[i]) {
            if !was[index] {
                self.runs[index] = Some(now);
                self.steps[index] = (now, 0);
                self.tell(now, index, "begins");
                self.tell(now, index, &format!("step 0 {}", FIRST[index]));
                if index == 0 || index == 3 {
                    self.tell(now, index, "done");
                }
                continue;
            }
            let (since, at) = self.steps[index];
            let next = match index {
                1 if at == 0 && now - since >= 40 => "march",
                2 if at == 0 && now - self.runs[2].unwrap() > 240 => "hold",
                _ => continue,
            };
            self.steps[index] = (now, 1);
            self.tell(now, index, &format!("step 1 {next}"));
            self.tell(now, index, "done");
        }
    }
}

/// Fights for so many ticks, and says what was told of strategies, and of what was decided anew.
fn fight<N: Numbers>(ticks: u64) -> (Timeline, Referee, u64) {
    let plan = script();
    let (mut world, mut scratch) = (start::<N>(&plan), Scratch::new());
    let (mut timeline, mut referee) = (Timeline::default(), Referee::default());
    for _ in 0..ticks {
        referee.look(&world);
        step(&plan, &mut world, &mut scratch);
        timeline.observe(&world);
    }
    state::validate(&world).unwrap();
    (timeline, referee, state::digest(&world))
}

/// The entries of a timeline, without turns, which depend on where agents are.
fn told(timeline: &Timeline) -> Vec<(u64, &str, String)> {
    let entries = timeline.entries.iter().filter(|entry| entry.what != "turns");
    let words = |entry: &throng::report::timeline::Entry| match (entry.step, &entry.detail) {
        (Some(step), Some(kind)) => format!("{} {step} {kind}", entry.what),
        _ => entry.what.to_owned(),
    };
    entries.map(|entry| (entry.tick, entry.strategy.as_str(), words(entry))).collect()
}

fn a_scripted_battle_switches_as_declared<N: Numbers>() {
    let (timeline, referee, _) = fight::<N>(1_600);
    assert_eq!(told(&timeline), referee.told);
    let begun: Vec<&str> = referee.told.iter().filter(|t| t.2 == "begins").map(|t| t.1).collect();
    assert_eq!(begun, ["muster", "advance", "flank", "flee"], "{timeline}");
    assert!(referee.told.iter().any(|t| t.2 == "step 1 march"), "{timeline}");
}

#[test]
fn plans_are_the_same_for_all_threads() {
    let one = on_threads(1, || fight::<f32>(900));
    assert!(one.0.entries.len() > 8, "{}", one.0);
    for threads in [2, 3, 8] {
        let (timeline, _, digest) = on_threads(threads, || fight::<f32>(900));
        assert_eq!((&timeline, digest), (&one.0, one.2), "{threads} threads");
    }
}

fn a_plan_goes_on_after_restore<N: Numbers>() {
    let plan = script();
    let (mut world, mut scratch) = (start::<N>(&plan), Scratch::new());
    for _ in 0..110 {
        step(&plan, &mut world, &mut scratch);
    }
    // In the middle of a step that takes time.
    let held = world.strategies().find(|s| s.def.name == "advance").unwrap().course;
    assert!(held.is_running && held.step == 0 && !held.is_done);
    let saved = state::save(&world);
    let mut on = |mut world: World<N>| {
        let mut timeline = Timeline::default();
        let digests: Vec<u64> = (0..700)
            .map(|_| {
                step(&plan, &mut world, &mut scratch);
                timeline.observe(&world);
                state::digest(&world)
            })
            .collect();
        (digests, timeline)
    };
    let mut other = start::<N>(&plan);
    state::restore(&mut other, &saved).unwrap();
    assert_eq!(state::save(&other), saved);
    assert_eq!(on(other), on(world));
}

#[test]
fn a_damaged_plan_is_refused_or_does_no_harm() {
    let plan = script();
    let (mut world, mut scratch) = (start::<f32>(&plan), Scratch::new());
    for _ in 0..110 {
        step(&plan, &mut world, &mut scratch);
    }
    let digest = state::digest(&world);
    let def = StrategiesDef::clone(
        match plan.orders.iter().find(|(_, order)| matches!(order, Order::Strategies { .. })) {
            Some((_, Order::Strategies { def, .. })) => def,
            _ => panic!("there are strategies"),
        },
    );
    let mut bytes = Vec::new();
    Order::Strategies { team: 0, def }.write(&mut bytes);
    // Without the order's kind and team.
    let bytes = bytes.len() - 2;
    let columns = [
        ("strategies.course", 39 * 8, 4, 1),
        ("strategies.team", 9 * 8, 1, 1),
        ("strategies.def", 8, bytes, 3),
    ];
    for (column, bits, rows, every) in columns {
        let [mut taken, mut refused] = [0; 2];
        for at in (0..rows * bits).step_by(every) {
            let mut other = world.clone();
            if state::plant(&mut other, column, at / bits, at % bits).is_err() {
                refused += 1;
                continue;
            }
            taken += 1;
            assert_ne!(state::digest(&other), digest, "{column}, bit {at}");
            for _ in 0..12 {
                tick(&mut other, &[], &mut scratch);
            }
        }
        assert!(taken > 0 && refused > 0, "{column}: {taken} taken, {refused} refused");
    }
}

/// A world of two teams of unarmed groups, one of which has strategies.
fn manoeuvre<N: Numbers>(strategies: Vec<StrategyDef>) -> Stage<N> {
    let mut stage = Stage::new(open(160, 120));
    let square = |x: f64, y: f64| {
        (0..25).map(|i| [x + f64::from(i % 5), y + f64::from(i / 5)]).collect::<Vec<_>>()
    };
    stage.group(GroupDef { speed: 4.0, ..side(0, 2, None) }, &square(28.0, 58.0));
    stage.group(side(1, 1, None), &square(108.0, 58.0));
    let def = StrategiesDef { review: 5, ..StrategiesDef::new(strategies, &[GroupId::new(0)]) };
    let outcome = stage.order(Order::Strategies { team: 0, def });
    assert_eq!(outcome, Outcome::Done { agents: 0 });
    stage
}

fn until(text: &str) -> Option<Expression> {
    Some(Expression::parse(text, &strategy_input_names(&[], &[])).unwrap())
}

/// The middle of a group.
fn middle<N: Numbers>(world: &World<N>, group: u16) -> [f64; 2] {
    let rows = world.tags().iter().zip(world.positions()).filter(|(tag, _)| tag.group == group);
    let all: Vec<[f64; 2]> = rows.map(|(_, pos)| pos.map(N::to_f64)).collect();
    [0, 1].map(|axis| all.iter().map(|pos| pos[axis]).sum::<f64>() / all.len() as f64)
}

fn goes_around<N: Numbers>(side: Wing, expected: f64) {
    let flank =
        StepDef { side, distance: 40.0, ..StepDef::new(StepKind::Flank, vec![GroupId::new(0)]) };
    let mut stage = manoeuvre::<N>(vec![StrategyDef::new("around", vec![flank])]);
    let mut turned = None;
    for _ in 0..1_200 {
        stage.tick();
        let turns = |what: &PlanChange| *what == PlanChange::Turns { step: 0 };
        if stage.world.plan_events().iter().any(|event| turns(&event.what)) {
            assert_eq!(turned.replace(middle(&stage.world, 0)), None, "it turns twice");
        }
    }
    let [x, y] = turned.expect("it turns on the foe");
    assert!((x - 110.0).abs() < 8.0 && (y - expected).abs() < 8.0, "{side:?}: ({x}, {y})");
    let [x, y] = middle(&stage.world, 0);
    assert!((x - 110.0).abs() < 6.0 && (y - 60.0).abs() < 8.0, "{side:?}: then ({x}, {y})");
}

#[test]
fn a_flank_goes_around_the_side_that_it_names() {
    // The foe is to the right, and y grows downwards: up is to the left.
    goes_around::<f32>(Wing::Left, 20.0);
    goes_around::<f32>(Wing::Right, 100.0);
    goes_around::<Fx>(Wing::Left, 20.0);
}

#[test]
fn steps_lead_to_where_they_say() {
    let march =
        StepDef { place: Place::Enemy, ..StepDef::new(StepKind::March, vec![GroupId::new(0)]) };
    let away = StepDef { distance: 20.0, ..StepDef::new(StepKind::Retreat, vec![GroupId::new(0)]) };
    let area = StepDef { place: Place::Area(rect(60.0, 10.0, 80.0, 30.0)), ..march.clone() };
    let gather = StepDef::new(StepKind::Gather, vec![GroupId::new(0)]);
    let cases = [
        (march, [110.0, 60.0]),
        (away, [10.0, 60.0]),
        (area, [70.0, 20.0]),
        (gather, [30.0, 60.0]),
        (StepDef::new(StepKind::Hold, vec![GroupId::new(0)]), [30.0, 60.0]),
    ];
    for (step, [x, y]) in cases {
        let kind = step.kind;
        let step = StepDef { until: until("step > 3"), ..step };
        let stop = StepDef::new(StepKind::Hold, vec![GroupId::new(0)]);
        let mut stage = manoeuvre::<f32>(vec![StrategyDef::new("go", vec![step, stop])]);
        let before = middle(&stage.world, 0);
        stage.until(60, |_| false);
        let course = stage.world.strategies().next().unwrap().course;
        assert_eq!((course.step, course.is_done, course.begins), (0, false, 1), "{kind:?}");
        // It is on the way there, and stands after three seconds.
        let apart = |from: [f64; 2]| {
            let [dx, dy] = [x - from[0], y - from[1]];
            (dx * dx + dy * dy).sqrt()
        };
        let moving = apart(before) > 2.0;
        let nearer = apart(before) - apart(middle(&stage.world, 0));
        assert_eq!(nearer > 5.0, moving, "{kind:?}: {nearer} m nearer");
        stage.until(60, |_| false);
        let stands = middle(&stage.world, 0);
        stage.until(40, |_| false);
        assert!(crate::aim::apart(stands, middle(&stage.world, 0)) < 1.0, "{kind:?} goes on");
        assert!(stage.world.strategies().next().unwrap().course.is_done);
    }
}

#[test]
fn what_cannot_be_done_is_told_and_passed_over() {
    // A chamber without a door, and no foe at all.
    let ground =
        map(60, 40, &[[30, 10, 45, 11], [30, 20, 45, 21], [30, 10, 31, 21], [44, 10, 45, 21]]);
    let mut stage = Stage::<f32>::new(ground);
    stage.group(side(0, 2, None), &[[5.0, 5.0], [6.0, 5.0]]);
    let timed = |step: StepDef| StepDef { until: until("step > 100"), ..step };
    let chamber = Place::Area(rect(33.0, 13.0, 40.0, 18.0));
    let wall = Place::Area(rect(30.0, 10.0, 40.0, 10.5));
    let steps = vec![
        timed(StepDef { place: chamber, ..StepDef::new(StepKind::March, vec![GroupId::new(0)]) }),
        timed(StepDef { place: wall, ..StepDef::new(StepKind::March, vec![GroupId::new(0)]) }),
        timed(StepDef::new(StepKind::Flank, vec![GroupId::new(0)])),
        timed(StepDef::new(StepKind::Hold, vec![GroupId::new(0)])),
    ];
    let def = StrategiesDef {
        review: 5,
        ..StrategiesDef::new(vec![StrategyDef::new("go", steps)], &[GroupId::new(0)])
    };
    stage.until(3, |_| false);
    stage.order(Order::Strategies { team: 0, def });
    stage.until(10, |stage| !stage.world.plan_events().is_empty()).expect("a review");
    let events: Vec<&PlanChange> = stage.world.plan_events().iter().map(|e| &e.what).collect();
    let step = |step, kind| PlanChange::Step { step, kind };
    let [first, second, third] = [2, 4, 6].map(|i| match events[i] {
        PlanChange::Refused { step, group, why } if *group == GroupId::new(0) => {
            (*step, why.clone())
        }
        other => panic!("{other:?}"),
    });
    assert_eq!(first, (0, Refusal::Unreachable));
    assert!(matches!(second, (1, Refusal::NoSuchPlace(_))), "{second:?}");
    assert_eq!(third, (2, Refusal::NoSuchPlace("there is no foe".to_owned())));
    let begun = [0, 1, 3, 5, 7].map(|i| events[i].clone());
    let expected =
        [PlanChange::Begins, step(0, "march"), step(1, "march"), step(2, "flank"), step(3, "hold")];
    assert_eq!((begun, events.len()), (expected, 8));
    assert_eq!(stage.world.strategies().next().unwrap().course.step, 3);
}

#[test]
fn a_team_commands_its_own_groups_alone() {
    let mut stage = Stage::<f32>::new(open(40, 40));
    stage.group(side(0, 2, None), &[[5.0, 5.0]]);
    stage.group(side(1, 1, None), &[[25.0, 5.0]]);
    let mut order = |team: u8, groups: &[u16]| {
        let groups: Vec<GroupId> = groups.iter().copied().map(GroupId::new).collect();
        let hold = StrategyDef::new("hold", vec![StepDef::new(StepKind::Hold, groups.clone())]);
        let def = StrategiesDef::new(vec![hold], &groups);
        stage.order(Order::Strategies { team, def })
    };
    assert_eq!(order(0, &[0]), Outcome::Done { agents: 0 });
    let refused = |outcome| match outcome {
        Outcome::Refused(Refusal::NoSuchKind(why)) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(order(0, &[1])), "group 1 is of team 1, not of team 0");
    assert_eq!(refused(order(0, &[7])), "there is no group 7");
    assert_eq!(refused(order(32, &[0])), "there is no team 32: there are 32");
    // A refusal leaves the strategies that there are; new ones take their place.
    let mut names = |def: StrategiesDef| {
        stage.order(Order::Strategies { team: 0, def });
        stage.world.strategies().map(|s| s.def.name.clone()).collect::<Vec<_>>()
    };
    let named = |name: &str| {
        StrategyDef::new(name, vec![StepDef::new(StepKind::Hold, vec![GroupId::new(0)])])
    };
    assert_eq!(
        names(StrategiesDef::new(vec![named("a"), named("a")], &[GroupId::new(0)])),
        ["hold"]
    );
    assert_eq!(
        names(StrategiesDef::new(vec![named("a"), named("b")], &[GroupId::new(0)])),
        ["a", "b"]
    );
    assert_eq!(names(StrategiesDef::new(vec![], &[])), Vec::<String>::new());
}

#[test]
fn steps_send_agents_to_states() {
    let sent = |state: Option<&str>| {
        let mut stage = Stage::<f32>::new(open(60, 40));
        let places: Vec<[f64; 2]> =
            (0..20).map(|i| [5.0 + f64::from(i % 5), 5.0 + f64::from(i / 5)]).collect();
        stage.group(side(0, 2, None), &places);
        let machine = MachineDef::new(["idle", "march", "charge"].map(StateDef::new).to_vec());
        let def = MindDef { every: 4, ..MindDef::new(machine) };
        stage.order(Order::Mind { def });
        stage.order(Order::Think { group: GroupId::new(0), mind: MindId::new(0) });
        let place = Place::Area(rect(40.0, 10.0, 50.0, 20.0));
        let state = state.map(str::to_owned);
        let step = StepDef { place, state, ..StepDef::new(StepKind::March, vec![GroupId::new(0)]) };
        let wait = StepDef {
            until: until("time >= 1"),
            ..StepDef::new(StepKind::Hold, vec![GroupId::new(0)])
        };
        let plan = StrategyDef::new("go", vec![wait, step]);
        let def = StrategiesDef { review: 1, ..StrategiesDef::new(vec![plan], &[GroupId::new(0)]) };
        stage.order(Order::Strategies { team: 0, def });
        let mut refused = Vec::new();
        let mut states = Vec::new();
        for _ in 0..40 {
            stage.tick();
            let world = &stage.world;
            refused.extend(world.plan_events().iter().filter_map(|event| match &event.what {
                PlanChange::Refused { why, .. } => Some((world.tick_count(), why.to_string())),
                _ => None,
            }));
            let is_in = |row: usize, state| world.state_of(world.id(row)) == Some(state);
            states.push([0, 1, 2].map(|state| (0..20).filter(|&row| is_in(row, state)).count()));
        }
        (states, refused)
    };
    let (states, refused) = sent(None);
    assert_eq!((states[10], states[39], refused.len()), ([20, 0, 0], [0, 20, 0], 0));
    let (states, refused) = sent(Some("charge"));
    assert_eq!((states[10], states[39], refused.len()), ([20, 0, 0], [0, 0, 20], 0));
    // They look in turn, so not all of them obey at once.
    assert!(states.iter().any(|[idle, _, charge]| *idle > 0 && *charge > 0), "{states:?}");
    let (states, refused) = sent(Some("dance"));
    let why = "the machine of group 0 has no state `dance`".to_owned();
    assert_eq!((states[39], refused), ([20, 0, 0], vec![(21, why)]));
}
