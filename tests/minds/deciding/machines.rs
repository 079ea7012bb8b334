//! State machines by their tables: Moore's and Mealy's examples, order of outputs, and every error.

use throng::math::{Fx, Num};
use throng::mind::{
    Argument, Expression, Machine, MachineDef, MachineError, Output, StateDef, TransitionDef,
    Verdict,
};

const INPUTS: [&str; 3] = ["a", "b", "c"];

fn when(text: &str) -> Expression {
    if text.is_empty() { Expression::always() } else { Expression::parse(text, &INPUTS).unwrap() }
}

fn go(text: &str, to: u8, outputs: &[u8]) -> TransitionDef {
    let outputs = outputs.iter().map(|&signal| Output::Signal(signal)).collect();
    TransitionDef { when: when(text), to, argument: None, outputs }
}

fn state(name: &str, go: Vec<TransitionDef>) -> StateDef {
    StateDef { go, ..StateDef::new(name) }
}

fn decision(name: &str, go: Vec<TransitionDef>) -> StateDef {
    StateDef { decides: true, ..state(name, go) }
}

/// The states and the signals of a run over values of the input `a`.
fn run<N: Num>(def: &MachineDef, inputs: &[u8]) -> (Vec<u8>, Vec<Vec<u8>>) {
    let machine = Machine::<N>::new(def).unwrap();
    let mut at = def.start;
    let (mut states, mut signals) = (Vec::new(), Vec::new());
    for &input in inputs {
        let outputs = match machine.update(at, |_, _| N::from_f64(f64::from(input))) {
            Verdict::Stay => machine.update_outputs(at).to_vec(),
            Verdict::Go(to) => {
                at = to.state;
                to.outputs
            }
            Verdict::Endless(way) => panic!("{way:?}"),
        };
        let signal = |output: &Output| match output {
            Output::Signal(signal) => *signal,
            other => panic!("{other:?}"),
        };
        states.push(at);
        signals.push(outputs.iter().map(signal).collect());
    }
    (states, signals)
}

/// Moore: what counts is the state. The last three inputs were 1, 0, 1 in state 3 alone.
#[test]
fn a_moore_machine_finds_a_sequence() {
    let def = MachineDef::new(vec![
        state("none", vec![go("a", 1, &[])]),
        state("one", vec![go("not a", 2, &[])]),
        state("one zero", vec![go("a", 3, &[]), go("", 0, &[])]),
        state("found", vec![go("a", 1, &[]), go("", 2, &[])]),
    ]);
    let table: [(&[u8], &[u8]); 4] = [
        (&[1, 0, 1, 0, 1, 1, 0, 0, 1], &[1, 2, 3, 2, 3, 1, 2, 0, 1]),
        (&[0, 0, 1, 1, 0, 1, 1], &[0, 0, 1, 1, 2, 3, 1]),
        (&[1, 1, 1], &[1, 1, 1]),
        (&[0], &[0]),
    ];
    for (inputs, states) in table {
        assert_eq!(run::<f32>(&def, inputs).0, states);
        assert_eq!(run::<Fx>(&def, inputs).0, states);
        for (i, state) in states.iter().enumerate() {
            let found = i >= 2 && inputs[i - 2..=i] == [1, 0, 1];
            assert_eq!(*state == 3, found, "{inputs:?} at {i}");
        }
    }
}

/// Mealy: what counts is put out on the way. The same sequence with a state less, and a drink for
/// 30 from coins of 10 and 20.
#[test]
fn mealy_machines_put_out_on_the_way() {
    let found = MachineDef::new(vec![
        state("none", vec![go("a", 1, &[])]),
        state("one", vec![go("not a", 2, &[])]),
        state("one zero", vec![go("a", 1, &[7]), go("", 0, &[])]),
    ]);
    let inputs = [1, 0, 1, 0, 1, 1, 0, 0, 1];
    for signals in [run::<f32>(&found, &inputs).1, run::<Fx>(&found, &inputs).1] {
        let times: Vec<usize> = (0..9).filter(|&i| signals[i] == [7]).collect();
        assert_eq!(times, [2, 4]);
        assert!(signals.iter().all(|s| s.is_empty() || *s == [7]));
    }
    // 0 gives the drink, 1 gives change of 10.
    let sells = MachineDef::new(vec![
        state("0", vec![go("a >= 20", 2, &[]), go("a >= 10", 1, &[])]),
        state("10", vec![go("a >= 20", 0, &[0]), go("a >= 10", 2, &[])]),
        state("20", vec![go("a >= 20", 0, &[0, 1]), go("a >= 10", 0, &[0])]),
    ]);
    let (states, signals) = run::<f32>(&sells, &[10, 0, 20, 20, 20, 10, 10, 10]);
    assert_eq!(states, [1, 1, 0, 2, 0, 1, 2, 0]);
    let expected: [&[u8]; 8] = [&[], &[], &[0], &[], &[0, 1], &[], &[], &[0]];
    assert_eq!(signals, expected);
}

#[test]
fn outputs_come_as_exit_way_entry_and_staying_has_its_own() {
    let signals = |all: &[u8]| all.iter().map(|&signal| Output::Signal(signal)).collect();
    let with = |state: StateDef, first: u8| StateDef {
        enter: signals(&[first]),
        exit: signals(&[first + 1]),
        update: signals(&[first + 2]),
        ..state
    };
    let def = MachineDef::new(vec![
        with(state("here", vec![go("a >= 2", 0, &[9]), go("a", 1, &[10])]), 0),
        with(decision("between", vec![go("", 2, &[11])]), 3),
        with(state("there", Vec::new()), 6),
    ]);
    let (states, all) = run::<f32>(&def, &[0, 2, 1, 0]);
    assert_eq!(states, [0, 0, 2, 2]);
    // Staying; round to itself; through the decision; staying there.
    let expected: [&[u8]; 4] = [&[2], &[9], &[1, 10, 3, 4, 11, 6], &[8]];
    assert_eq!(all, expected);
}

#[test]
fn arguments_are_numbers_or_inputs_of_that_moment() {
    let hands = |argument, to| TransitionDef { argument: Some(argument), ..go("", to, &[]) };
    let def = MachineDef::new(vec![
        state("from", vec![hands(Argument::Input(1), 1)]),
        decision(
            "on",
            vec![
                TransitionDef { argument: Some(Argument::Input(2)), ..go("c > 3", 2, &[]) },
                hands(Argument::Number(-1.5), 2),
            ],
        ),
        state("to", Vec::new()),
    ]);
    let machine = Machine::<f32>::new(&def).unwrap();
    for (b, expected) in [(5.0, 5.0), (2.0, -1.5)] {
        // Input 2 is what was handed on.
        let input = |index: u16, link: throng::mind::Link<f32>| match (index, link.taken) {
            (1, _) => b,
            (2, 1) => link.argument,
            other => panic!("{other:?}"),
        };
        let Verdict::Go(to) = machine.update(0, input) else { panic!("it goes") };
        assert_eq!((to.state, to.argument), (2, expected));
    }
}

#[test]
fn every_error_of_a_machine_names_the_state() {
    let check = |def: &MachineDef| def.check(3, 4, &[]).unwrap_err().to_string();
    let plain = || MachineDef::new(vec![state("a", vec![go("a", 1, &[])]), state("b", Vec::new())]);
    let with = |change: &dyn Fn(&mut MachineDef)| {
        let mut def = plain();
        change(&mut def);
        check(&def)
    };
    assert_eq!(plain().check(3, 4, &[]), Ok(()));
    type Change<'a> = &'a dyn Fn(&mut MachineDef);
    let table: [(Change<'_>, &str); 13] = [
        (&|def| def.states.clear(), "a machine has 1 to 64 states, not 0"),
        (&|def| def.chain = 0, "a chain has 1 to 32 transitions, not 0"),
        (&|def| def.start = 2, "there is no state 2 to begin in"),
        (&|def| def.states[1].name = "a".to_owned(), "two states are called `a`: 0 and 1"),
        (
            &|def| def.states[0].go[0].to = 5,
            "transition 0 of state `a` leads to state 5, which there is not",
        ),
        (&|def| def.states[0].go.clear(), "state `b` cannot be reached from the start"),
        (
            &|def| def.states[0].go = vec![go("", 1, &[]), go("a", 0, &[])],
            "transition 1 of state `a` is never taken: the one before always is",
        ),
        (
            &|def| def.states[1] = decision("b", vec![go("a", 0, &[])]),
            "state `b` decides, so its last transition must be without condition",
        ),
        (
            &|def| def.states[1] = decision("b", vec![go("", 1, &[])]),
            "these states lead to each other without end: b -> b",
        ),
        (
            &|def| def.states[1].enter = vec![Output::Leave; 17],
            "state `b` has 17 outputs; it may have 16",
        ),
        (
            &|def| def.states[0].go = vec![go("a", 1, &[]); 33],
            "state `a` has 33 transitions; it may have 32",
        ),
        (
            &|def| def.states[1].exit = vec![Output::Signal(4)],
            "state `b`: an output names no signal, or a number beyond 32000",
        ),
        (
            &|def| def.states[0].go[0].argument = Some(Argument::Input(3)),
            "state `a`: a transition's condition or argument cannot be evaluated",
        ),
    ];
    for (change, message) in table {
        assert_eq!(with(change), message);
    }
    // States that others send to are reached.
    let mut def = plain();
    def.states[0].go.clear();
    assert_eq!(def.check(3, 4, &[1]), Ok(()));
    let ring = MachineDef::new(vec![
        state("calm", vec![go("a", 1, &[])]),
        decision("x", vec![go("", 2, &[])]),
        decision("y", vec![go("", 3, &[])]),
        decision("z", vec![go("", 1, &[])]),
    ]);
    assert_eq!(check(&ring), "these states lead to each other without end: x -> y -> z -> x");
    // One that may end is no error, but is told when it does not.
    let mut ring = ring;
    ring.states[2].go.insert(0, go("b", 0, &[]));
    let machine = Machine::<f32>::new(&ring).unwrap();
    let verdict = machine.update(0, |input, _| [1.0, 0.0, 0.0][usize::from(input)]);
    assert_eq!(verdict, Verdict::Endless(vec![0, 1, 2, 3, 1, 2, 3, 1, 2, 3]));
    assert!(matches!(machine.update(0, |_, _| 1.0), Verdict::Go(to) if to.state == 0));
    let error: MachineError = MachineDef::new(Vec::new()).check(0, 0, &[]).unwrap_err();
    assert_eq!(error, MachineError::States(0));
}
