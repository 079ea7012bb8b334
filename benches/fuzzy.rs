//! Fuzzy control, agents a second: on 8 lanes and one by one, in both numeric modes. Asserts that both
//! give the same bits and that the outputs make sense first.
//!
//! The time of an element is the time of an agent.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use throng::kernel::fuzzy::{Compiled, evaluate_lanes, reference};
use throng::lane::{Lane, Numbers};
use throng::math::{Fx, Num, hash3, unit_f64};
use throng::mind::fuzzy::{Controller, Output, Rule, Shape, Term, Variable};

/// Agents: 100,000 as a whole number of blocks.
const ROWS: usize = 100_000;

fn variable(name: &str, range: [f64; 2], terms: &[(&str, Shape)]) -> Variable {
    let term = |&(name, shape): &(&str, Shape)| Term { name: name.into(), shape };
    Variable { name: name.into(), range, terms: terms.iter().map(term).collect() }
}

/// How eagerly to fight: 9 rules, two inputs of three terms, an output of five.
fn nine() -> Controller {
    let distance = variable(
        "distance",
        [0.0, 100.0],
        &[
            ("near", Shape::LeftShoulder([10.0, 40.0])),
            ("middle", Shape::Triangle([10.0, 40.0, 70.0])),
            ("far", Shape::RightShoulder([40.0, 70.0])),
        ],
    );
    let health = variable(
        "health",
        [0.0, 1.0],
        &[
            ("low", Shape::LeftShoulder([0.2, 0.5])),
            ("fair", Shape::Trapezoid([0.2, 0.45, 0.55, 0.8])),
            ("full", Shape::RightShoulder([0.5, 0.8])),
        ],
    );
    let words = ["flee", "yield", "hold", "press", "charge"];
    let courage: Vec<_> = words
        .iter()
        .enumerate()
        .map(|(i, &word)| {
            let [a, b, c] = [i as f64 - 1.0, i as f64, i as f64 + 1.0].map(|x| x * 0.25);
            let shape = match i {
                0 => Shape::LeftShoulder([b, c]),
                4 => Shape::RightShoulder([a, b]),
                _ => Shape::Triangle([a, b, c]),
            };
            (word, shape)
        })
        .collect();
    let table = [
        ("near", ["flee", "hold", "charge"]),
        ("middle", ["flee", "press", "charge"]),
        ("far", ["yield", "hold", "press"]),
    ];
    let rules = table.iter().flat_map(|(distance, courage)| {
        ["low", "fair", "full"].iter().zip(courage).map(move |(health, courage)| {
            let when = format!("distance is {distance} and health is {health}");
            Rule::new(format!("if {when} then courage is {courage}"))
        })
    });
    Controller {
        name: "nine".into(),
        inputs: vec![distance, health],
        outputs: vec![Output {
            variable: variable("courage", [0.0, 1.0], &courage),
            default: None,
        }],
        rules: rules.collect(),
    }
}

/// The same with `or`, `not`, weights, and a second output.
fn mixed() -> Controller {
    let mut controller = nine();
    let haste =
        [("slow", Shape::Triangle([0.0, 1.0, 3.0])), ("fast", Shape::Triangle([2.0, 4.0, 6.0]))];
    controller
        .outputs
        .push(Output { variable: variable("haste", [0.0, 6.0], &haste), default: Some(1.5) });
    for (text, weight) in [
        ("if (distance is near or health is low) and not health is full then haste is fast", 1.0),
        ("if distance is far and (health is fair or health is full) then haste is slow", 0.5),
        ("if not (distance is middle and health is not low) then haste is slow", 0.25),
    ] {
        controller.rules.push(Rule { text: text.into(), weight });
    }
    controller
}

fn columns<N: Num>() -> [Vec<N>; 2] {
    [(0, 120.0), (1, 1.0)].map(|(axis, most)| {
        let number = |row: usize| N::from_f64(most * unit_f64(hash3(3, axis, row as u64)));
        (0..ROWS).map(number).collect()
    })
}

fn run<L: Lane>(compiled: &Compiled<L::Num>, inputs: &[Vec<L::Num>], outputs: &mut [Vec<L::Num>]) {
    let [a, b] = inputs else { unreachable!("two inputs") };
    match outputs {
        [one] => evaluate_lanes::<L>(compiled, ROWS, &[a, b], &mut [one]),
        [one, two] => evaluate_lanes::<L>(compiled, ROWS, &[a, b], &mut [one, two]),
        _ => unreachable!("one output or two"),
    }
}

fn bench<N: Numbers>(group: &mut BenchmarkGroup<'_, WallTime>, controller: &Controller) {
    let compiled = controller.compile::<N>().expect("the controller is right");
    let inputs = columns::<N>();
    let mut wide = vec![vec![N::ZERO; ROWS]; compiled.outputs()];
    let mut single = wide.clone();
    run::<N::Wide>(&compiled, &inputs, &mut wide);
    run::<N::Single>(&compiled, &inputs, &mut single);
    assert!(wide == single, "lanes change the answers");
    for row in (0..ROWS).step_by(997) {
        let numbers: Vec<f64> = inputs.iter().map(|column| column[row].to_f64()).collect();
        for (column, expected) in wide.iter().zip(reference(&compiled, &numbers)) {
            assert!((column[row].to_f64() - expected).abs() < 1e-5, "row {row}: {expected}");
        }
    }
    group.throughput(Throughput::Elements(ROWS as u64));
    let id = |lanes: &str| format!("{}/{}/{lanes}", controller.name, N::NUMERIC.word());
    group.bench_function(id("lanes"), |b| {
        b.iter(|| run::<N::Wide>(black_box(&compiled), &inputs, &mut wide));
    });
    group.bench_function(id("one lane"), |b| {
        b.iter(|| run::<N::Single>(black_box(&compiled), &inputs, &mut single));
    });
}

fn bench_fuzzy(c: &mut Criterion) {
    let mut group = c.benchmark_group("fuzzy");
    for controller in [nine(), Controller { name: "mixed".into(), ..mixed() }] {
        bench::<f32>(&mut group, &controller);
        bench::<Fx>(&mut group, &controller);
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = bench_fuzzy
}
criterion_main!(benches);
