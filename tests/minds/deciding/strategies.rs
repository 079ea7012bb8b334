//! Strategies: which run, checked against a table and against a naive choice; which steps begin
//! together; and every mistake refused.

use std::collections::BTreeSet;

use throng::GroupId;
use throng::map::area::Shape;
use throng::math::{Num, hash3};
use throng::mind::{
    Commanded, Expression, Place, StepDef, StepKind, Strategies, StrategiesDef, StrategyDef,
    StrategyError,
};

in_both!(an_army_decides_as_its_table_says);

const INPUTS: [&str; 4] = ["a", "b", "c", "d"];

fn when(text: &str) -> Expression {
    Expression::parse(text, &INPUTS).unwrap()
}

/// Groups by their indices.
fn ids(groups: &[u16]) -> Vec<GroupId> {
    groups.iter().copied().map(GroupId::new).collect()
}

fn hold(groups: &[u16]) -> StepDef {
    StepDef::new(StepKind::Hold, ids(groups))
}

/// A strategy of some groups.
fn strategy(name: &str, priority: u16, begin: &str, keep: Option<&str>, of: &[u16]) -> StrategyDef {
    let keep = keep.map(when);
    StrategyDef { priority, begin: when(begin), keep, ..StrategyDef::new(name, vec![hold(of)]) }
}

/// Indices as bits.
fn bits(set: &[usize]) -> u64 {
    set.iter().fold(0, |bits, index| bits | 1 << index)
}

/// An army of three groups, 0, 1 and 2.
fn army() -> StrategiesDef {
    let advance = strategy("advance", 10, "a > 1", None, &[0, 1]);
    let flank = strategy("flank", 20, "b", Some("b > 0.2"), &[2]);
    let retreat = strategy("retreat", 50, "c < 0.4", Some("c < 0.6"), &[0, 1, 2]);
    let scout = StrategyDef { excludes: vec![1], ..strategy("scout", 20, "d", None, &[1]) };
    StrategiesDef::new(vec![advance, flank, retreat, scout], &ids(&[0, 1, 2]))
}

fn an_army_decides_as_its_table_says<N: Num>() {
    let strategies = Strategies::<N>::new(&army(), INPUTS.len()).unwrap();
    let (advance, flank, retreat, scout) = (0, 1, 2, 3);
    // Strategies that run, the inputs a, b, c, d, and strategies that run from then on.
    let table: [(&[usize], [f64; 4], &[usize]); 14] = [
        (&[], [0.0, 0.0, 1.0, 0.0], &[]),
        (&[], [2.0, 0.0, 1.0, 0.0], &[advance]),
        // They command different groups.
        (&[advance], [2.0, 1.0, 1.0, 0.0], &[advance, flank]),
        // It begins above a half, and goes on down to a fifth.
        (&[], [0.0, 0.4, 1.0, 0.0], &[]),
        (&[flank], [0.0, 0.4, 1.0, 0.0], &[flank]),
        (&[flank], [0.0, 0.2, 1.0, 0.0], &[]),
        // The more urgent one takes all groups, and gives them back.
        (&[advance, flank], [2.0, 1.0, 0.3, 0.0], &[retreat]),
        (&[retreat], [2.0, 1.0, 0.5, 0.0], &[retreat]),
        (&[retreat], [2.0, 1.0, 0.6, 0.0], &[advance, flank]),
        (&[advance, flank], [2.0, 1.0, 0.5, 0.0], &[advance, flank]),
        // Of two that are as urgent and exclude each other, the first one in the list runs, even
        // if the other has begun.
        (&[], [0.0, 1.0, 1.0, 1.0], &[flank]),
        (&[scout], [0.0, 1.0, 1.0, 1.0], &[flank]),
        (&[scout], [0.0, 0.0, 1.0, 1.0], &[scout]),
        // It commands a group of a less urgent one.
        (&[advance], [2.0, 0.0, 1.0, 1.0], &[scout]),
    ];
    for (row, (running, inputs, expected)) in table.into_iter().enumerate() {
        let value = |_, input: u16| N::from_f64(inputs[usize::from(input)]);
        let taken = strategies.review(bits(running), value);
        assert_eq!(taken, bits(expected), "row {row}: {running:?} {inputs:?}");
    }
}

/// Conditions by strategy: whether it would begin, and whether it would go on.
type Holds = Vec<[bool; 2]>;

/// The same choice made one strategy at a time with sets of groups and names.
fn naive(def: &StrategiesDef, running: u64, holds: &Holds) -> (u64, [u32; 3]) {
    let mut order: Vec<usize> = (0..def.strategies.len()).collect();
    order.sort_by_key(|&i| (1_000 - i64::from(def.strategies[i].priority), i));
    let (mut taken, mut busy) = (BTreeSet::new(), BTreeSet::new());
    let mut outcomes = [0; 3];
    for index in order {
        let strategy = &def.strategies[index];
        let groups: BTreeSet<GroupId> =
            strategy.steps.iter().flat_map(|step| step.groups.clone()).collect();
        let excluded = taken.iter().any(|&other: &usize| {
            let by = |a: usize, b: usize| def.strategies[a].excludes.contains(&(b as u8));
            by(index, other) || by(other, index)
        });
        if !holds[index][usize::from(running >> index & 1 != 0)] {
            continue;
        }
        if excluded {
            outcomes[0] += 1;
        } else if !groups.is_disjoint(&busy) {
            outcomes[1] += 1;
        } else {
            outcomes[2] += 1;
            busy.extend(groups);
            taken.insert(index);
        }
    }
    (taken.into_iter().fold(0, |bits, index| bits | 1 << index), outcomes)
}

#[test]
fn any_strategies_are_chosen_as_one_by_one() {
    let mut outcomes = [0_u32; 3];
    let mut changes = 0;
    for case in 0..4_000_u64 {
        let random = |what: u64, index: u64, below: u64| hash3(case, what, index) % below;
        let count = 1 + random(0, 0, 7);
        let strategies = (0..count).map(|index| {
            let steps = (0..1 + random(1, index, 2)).map(|step| {
                let first = random(2 + step, index, 9) as u16;
                hold(&if random(4 + step, index, 4) == 0 { vec![first, 9] } else { vec![first] })
            });
            let other = random(6, index, count);
            let excludes = random(7, index, 3) == 0 && other != index;
            StrategyDef {
                priority: random(8, index, 4) as u16,
                begin: when("a"),
                keep: Some(when("b")),
                excludes: if excludes { vec![other as u8] } else { Vec::new() },
                ..StrategyDef::new(index.to_string(), steps.collect())
            }
        });
        let all: Vec<u16> = (0..10).collect();
        let def = StrategiesDef::new(strategies.collect(), &ids(&all));
        let compiled = Strategies::<f32>::new(&def, INPUTS.len()).unwrap();
        let mut running = 0;
        for time in 0..4 {
            let hold = |index: u64, what: u64| random(10 + 2 * time + what, index, 3) > 0;
            let holds: Holds = (0..count).map(|i| [hold(i, 0), hold(i, 1)]).collect();
            let value = |strategy: usize, input: u16| {
                f32::from(u8::from(holds[strategy][usize::from(input)]))
            };
            let (expected, counted) = naive(&def, running, &holds);
            let taken = compiled.review(running, value);
            assert_eq!(taken, expected, "case {case}, time {time}: {def:?}");
            outcomes.iter_mut().zip(counted).for_each(|(sum, count)| *sum += count);
            changes += u32::from(taken != running);
            running = taken;
        }
    }
    assert!(
        outcomes.iter().all(|&count| count > 1_000) && changes > 4_000,
        "{outcomes:?} {changes}"
    );
}

#[test]
fn what_never_runs_is_known() {
    let never = |strategies: &[StrategyDef]| {
        StrategiesDef::new(strategies.to_vec(), &ids(&[0, 1, 2])).never_runs()
    };
    let always = |name, priority, of: &[u16]| StrategyDef {
        priority,
        ..StrategyDef::new(name, vec![hold(of)])
    };
    let (stand, press) = (always("stand", 5, &[0, 1]), strategy("press", 3, "a", None, &[1, 2]));
    assert_eq!(never(&[press.clone(), stand.clone()]), Some((0, 1)));
    // A higher priority, other groups, or a stand that ends: all of these leave it room.
    assert_eq!(never(&[StrategyDef { priority: 6, ..press.clone() }, stand.clone()]), None);
    assert_eq!(never(&[strategy("press", 3, "a", None, &[2]), stand.clone()]), None);
    let ends = StrategyDef { keep: Some(when("b")), ..stand.clone() };
    assert_eq!(never(&[press.clone(), ends]), None);
    // Of equal priorities the first one counts.
    let equal = StrategyDef { priority: 5, ..press.clone() };
    assert_eq!(never(&[equal.clone(), stand.clone()]), None);
    assert_eq!(never(&[stand.clone(), equal]), Some((1, 0)));
    // A strategy that takes the stand's place at times leaves `press` room as well.
    let alarm = strategy("alarm", 9, "c", None, &[0]);
    assert_eq!(never(&[press.clone(), stand.clone(), alarm.clone()]), None);
    // `watch` always runs in the stand's place, so that now the stand never runs.
    let watch = always("watch", 10, &[0]);
    assert_eq!(never(&[press, stand, alarm, watch]), Some((1, 3)));
}

#[test]
fn what_is_said_never_to_run_never_does() {
    let mut said = 0;
    for case in 0..2_000_u64 {
        let random = |what: u64, index: u64, below: u64| hash3(case, what, index) % below;
        let count = 2 + random(0, 0, 4);
        let strategies = (0..count).map(|index| {
            let of = [random(1, index, 4) as u16, 4 + random(2, index, 2) as u16];
            let begin = if random(3, index, 2) == 0 { Expression::always() } else { when("a") };
            let keep = (random(4, index, 4) == 0).then(|| when("b"));
            let priority = random(5, index, 4) as u16;
            let steps = vec![hold(&of[..1 + random(6, index, 2) as usize])];
            StrategyDef { priority, begin, keep, ..StrategyDef::new(index.to_string(), steps) }
        });
        let def = StrategiesDef::new(strategies.collect(), &ids(&[0, 1, 2, 3, 4, 5]));
        let Some((never, by)) = def.never_runs() else { continue };
        said += 1;
        assert!(!def.are_compatible(never, by) && never != by);
        let compiled = Strategies::<f32>::new(&def, INPUTS.len()).unwrap();
        // Whatever runs, and whatever holds.
        for running in 0..1_u64 << count {
            for holds in 0..1_u64 << (2 * count) {
                let value = |strategy: usize, input: u16| {
                    (holds >> (2 * strategy + usize::from(input)) & 1) as f32
                };
                assert_eq!(compiled.review(running, value) >> never & 1, 0, "case {case}: {def:?}");
            }
        }
    }
    assert!(said > 500, "{said}");
}

#[test]
fn steps_without_an_end_begin_together_with_the_next() {
    let timed = |groups: &[u16]| StepDef { until: Some(when("a")), ..hold(groups) };
    let steps = vec![hold(&[0]), timed(&[1]), timed(&[0, 1]), hold(&[2]), hold(&[1])];
    let def = StrategyDef::new("plan", steps);
    let stretches: Vec<_> = (0..7).map(|first| def.stretch(first)).collect();
    assert_eq!(stretches, [0..2, 1..2, 2..3, 3..5, 4..5, 5..5, 5..5]);
    // Group, step that it is at, and the steps that are in force for it.
    for (group, current, expected) in
        [(0, 1, vec![0]), (0, 2, vec![2]), (1, 1, vec![1]), (1, 4, vec![4]), (2, 2, vec![])]
    {
        let force: Vec<usize> =
            (0..5).filter(|&s| def.is_in_force(s, current, GroupId::new(group))).collect();
        assert_eq!(force, expected, "group {group} at step {current}");
    }
    assert_eq!(def.groups(), ids(&[0, 1, 2]));
    let compiled =
        Strategies::<f32>::new(&StrategiesDef::new(vec![def], &ids(&[0, 1, 2])), 4).unwrap();
    let done = |step, a| compiled.is_done(0, step, |_| a);
    assert_eq!([done(0, 0.0), done(1, 0.0), done(1, 1.0), done(4, 0.0)], [true, false, true, true]);
}

/// Why an army is refused once it is changed.
fn refused(change: impl FnOnce(&mut StrategiesDef)) -> String {
    let mut def = army();
    change(&mut def);
    def.check(INPUTS.len()).unwrap_err().to_string()
}

#[test]
fn what_makes_no_sense_is_refused() {
    assert_eq!(army().check(INPUTS.len()), Ok(()));
    let step = |def: &mut StrategiesDef, step: StepDef| def.strategies[0].steps = vec![step];
    let march = |place| StepDef { place, ..StepDef::new(StepKind::March, vec![GroupId::new(0)]) };
    let cases: Vec<(String, &str)> = vec![
        (refused(|def| def.review = 0), "0 ticks from review to review: there may be 1 to 100000"),
        (
            refused(|def| def.strategies[1].name = "advance".into()),
            "two strategies are called `advance`: 0 and 1",
        ),
        (
            refused(|def| def.strategies[1].excludes = vec![1]),
            "strategy `flank` excludes strategy 1, which is none beside it",
        ),
        (
            refused(|def| def.strategies[1].excludes = vec![4]),
            "strategy `flank` excludes strategy 4, which is none beside it",
        ),
        (
            refused(|def| def.strategies[1].priority = 1_001),
            "strategy `flank`: its priority is above 1,000",
        ),
        (refused(|def| def.strategies[1].steps.clear()), "0 steps of a plan: there may be 1 to 64"),
        (refused(|def| step(def, hold(&[]))), "0 groups of a step: there may be 1 to 256"),
        (
            refused(|def| step(def, hold(&[3]))),
            "step 0 of strategy `advance` names group 3, which is not under command",
        ),
        (
            refused(|def| step(def, hold(&[1, 1]))),
            "step 0 of strategy `advance` names group 1, which is in it before",
        ),
        (
            refused(|def| def.groups.push(Commanded { group: GroupId::new(0), home: vec![] })),
            "the list of groups names group 0, which is in it before",
        ),
        (
            refused(|def| step(def, march(Place::Own))),
            "step 0 of strategy `advance`, march: it cannot be at such a place",
        ),
        (
            refused(|def| step(def, march(Place::Home))),
            "step 0 of strategy `advance`, march: group 0 has no home",
        ),
        (
            refused(|def| step(def, march(Place::Area(vec![])))),
            "step 0 of strategy `advance`, march: its area has no shape",
        ),
        (
            refused(|def| step(def, StepDef { distance: 0.5, ..march(Place::Enemy) })),
            "step 0 of strategy `advance`, march: distance is 0.5, but must lie in 1 ..= 1000",
        ),
        (
            refused(|def| step(def, StepDef { renew: f64::NAN, ..march(Place::Enemy) })),
            "step 0 of strategy `advance`, march: renew is NaN, but must lie in 0.5 ..= 3600",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    let flat = Shape::Disc { centre: [f64::NAN, 0.0], radius: 1.0 };
    assert!(refused(|def| step(def, march(Place::Area(vec![flat.clone()])))).contains("march"));
    assert!(refused(|def| def.groups[0].home = vec![flat]).contains("nowhere"));
    let many = |count: u64| {
        let one = |i: u64| StrategyDef::new(i.to_string(), vec![hold(&[0])]);
        StrategiesDef::new((0..count).map(one).collect(), &ids(&[0])).check(0)
    };
    assert_eq!(many(64), Ok(()));
    assert!(matches!(many(65), Err(StrategyError::Count { count: 65, .. })));
    // Conditions over inputs that there are not.
    assert!(matches!(army().check(3), Err(StrategyError::Unsound { .. })));
}
