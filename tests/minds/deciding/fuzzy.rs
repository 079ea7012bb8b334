//! Fuzzy control against its definition, and lanes against one lane.

use crate::deciding::fuzzy_cases::Random;
use crate::deciding::fuzzy_oracle::{Plan, Tree, expected, union};
use throng::kernel::fuzzy;
use throng::kernel::fuzzy::evaluate_lanes;
use throng::lane::{Lane, Numbers};
use throng::math::{Fx, Num, Numeric};
use throng::mind::fuzzy::{Controller, Output, Rule, Shape, Term, Variable};

in_both!(
    lanes_give_the_bits_of_one_lane,
    opposites_end_where_sides_do,
    the_largest_controller_is_right
);

/// Columns of inputs, padded to whole blocks with what would show.
fn columns<N: Num>(random: &mut Random, controller: &Controller, rows: usize) -> Vec<Vec<N>> {
    let column = |input: &Variable| {
        let mut column: Vec<N> = (0..rows).map(|_| N::from_f64(random.input(input))).collect();
        column.resize(rows.next_multiple_of(8), N::from_f64(7.5));
        column
    };
    controller.inputs.iter().map(column).collect()
}

/// Evaluates rows; outputs have a block more, which must stay as it is.
fn run<L: Lane>(controller: &Controller, rows: usize, inputs: &[Vec<L::Num>]) -> Vec<Vec<L::Num>> {
    let compiled = controller.compile::<L::Num>().unwrap();
    assert_eq!(compiled.inputs(), controller.inputs.len());
    let padded = rows.next_multiple_of(8);
    let mark = L::Num::from_f64(-123.0);
    let mut outputs = vec![vec![mark; padded + 8]; compiled.outputs()];
    let inputs: Vec<&[L::Num]> = inputs.iter().map(Vec::as_slice).collect();
    let mut slices: Vec<&mut [L::Num]> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
    evaluate_lanes::<L>(&compiled, rows, &inputs, &mut slices);
    for output in &mut outputs {
        assert!(output[padded..].iter().all(|&number| number == mark), "written past the end");
        output.truncate(rows);
    }
    outputs
}

/// How far an output may be from the exact one.
fn bound<N: Num>(range: [f64; 2]) -> f64 {
    let (width, size) = (range[1] - range[0], range[0].abs().max(range[1].abs()));
    match N::NUMERIC {
        Numeric::F32 => 1e-6 * width + size / 8_388_608.0,
        Numeric::Fixed => 1e-12 * width + 0.500_001 * N::STEP,
    }
}

/// Counts and worst errors of the comparisons.
#[derive(Debug, Default)]
struct Tally {
    /// Outputs where rules fired.
    fired: usize,
    /// Outputs at their default.
    defaults: usize,
    /// Outputs too near to both to tell.
    between: usize,
    /// Outputs that differ by more than the bound.
    wrong: usize,
    /// Worst error as a share of the bound.
    worst: f64,
    /// Worst error as a share of the range.
    share: f64,
}

/// Compares rows with the oracle, whose controller may be another one.
fn compare<N: Numbers>(
    random: &mut Random,
    (controller, plans): (&Controller, &[Plan]),
    evaluated: &Controller,
    tally: &mut Tally,
) {
    let rows = 24;
    let inputs = columns::<N>(random, controller, rows);
    let outputs = run::<N::Wide>(evaluated, rows, &inputs);
    let compiled = evaluated.compile::<N>().unwrap();
    for row in 0..rows {
        let numbers: Vec<f64> = inputs.iter().map(|column| column[row].to_f64()).collect();
        let expected = expected::<N>(controller, plans, &numbers);
        let reference = fuzzy::reference(&compiled, &numbers);
        for (i, output) in controller.outputs.iter().enumerate() {
            let active = expected.active[i];
            if active > 0.0 && active < 1e-6 {
                tally.between += 1;
                continue;
            }
            *if active > 0.0 { &mut tally.fired } else { &mut tally.defaults } += 1;
            let range = output.variable.range;
            let error = (outputs[i][row].to_f64() - expected.outputs[i]).abs();
            let by_reference = (reference[i] - expected.outputs[i]).abs();
            tally.worst = tally.worst.max(error / bound::<N>(range));
            tally.share = tally.share.max(error / (range[1] - range[0]));
            let legal = error <= bound::<N>(range) && by_reference <= bound::<N>(range);
            tally.wrong += usize::from(!legal);
        }
    }
}

fn against_the_oracle<N: Numbers>(cases: u64) {
    let mut all = Tally::default();
    for case in 0..cases {
        let mut random = Random(case, 0);
        let (controller, plans) = random.controller();
        let mut tally = Tally::default();
        compare::<N>(&mut random, (&controller, &plans), &controller, &mut tally);
        assert!(tally.wrong == 0, "case {case}: {tally:?}\n{controller:#?}");
        all.fired += tally.fired;
        all.defaults += tally.defaults;
        all.between += tally.between;
        all.worst = all.worst.max(tally.worst);
        all.share = all.share.max(tally.share);
    }
    eprintln!("{}: {all:?}", N::NUMERIC.word());
    let cases = cases as usize;
    assert!(all.fired > 20 * cases && all.defaults > cases, "{all:?}");
    assert!(all.between < all.fired / 50, "{all:?}");
}

fn cases() -> u64 {
    if std::env::var_os("THRONG_ALL").is_some_and(|value| value == "1") {
        1_000_000
    } else {
        10_000
    }
}

#[test]
fn outputs_are_the_exact_centres_in_single_precision() {
    against_the_oracle::<f32>(cases());
}

#[test]
fn outputs_are_the_exact_centres_in_fixed_point() {
    against_the_oracle::<Fx>(cases());
}

/// The bits of columns.
fn bits<N: Num>(columns: &[Vec<N>]) -> Vec<Vec<u32>> {
    columns.iter().map(|column| column.iter().map(|number| number.bits()).collect()).collect()
}

fn lanes_give_the_bits_of_one_lane<N: Numbers>() {
    for case in 0..40 {
        let mut random = Random(case, 0);
        let (controller, _) = random.controller();
        for rows in 0..=26 {
            let inputs = columns::<N>(&mut random, &controller, rows);
            let wide = run::<N::Wide>(&controller, rows, &inputs);
            let single = run::<N::Single>(&controller, rows, &inputs);
            assert_eq!(bits(&wide), bits(&single), "case {case}, {rows} rows");
            for (output, column) in controller.outputs.iter().zip(&wide) {
                let [least, most] = output.variable.range.map(|end| N::from_f64(end).to_f64());
                let inside = |number: &N| (least..=most).contains(&number.to_f64());
                assert!(column.iter().all(inside), "an output leaves its range");
            }
        }
    }
}

pub(crate) fn term(name: &str, shape: Shape) -> Term {
    Term { name: name.to_owned(), shape }
}

/// How much to tip, from 0 to 25 %, by food and service from 0 to 10.
pub(crate) fn tipping() -> Controller {
    let quality = |name: &str| Variable {
        name: name.to_owned(),
        range: [0.0, 10.0],
        terms: vec![
            term("poor", Shape::LeftShoulder([0.0, 5.0])),
            term("average", Shape::Triangle([0.0, 5.0, 10.0])),
            term("good", Shape::RightShoulder([5.0, 10.0])),
        ],
    };
    let tip = Variable {
        name: "tip".to_owned(),
        range: [0.0, 25.0],
        terms: vec![
            term("low", Shape::Triangle([0.0, 0.0, 13.0])),
            term("medium", Shape::Triangle([0.0, 13.0, 25.0])),
            term("high", Shape::Triangle([13.0, 25.0, 25.0])),
        ],
    };
    Controller {
        name: "tipping".to_owned(),
        inputs: vec![quality("food"), quality("service")],
        outputs: vec![Output { variable: tip, default: None }],
        rules: vec![
            Rule::new("if food is poor or service is poor then tip is low"),
            Rule::new("if service is average then tip is medium"),
            Rule::new("if service is good or food is good then tip is high"),
        ],
    }
}

/// Evaluates single rows of a controller with one output.
fn rows<const I: usize>(controller: &Controller, table: &[[f64; I]]) -> Vec<f64> {
    let column = |i: usize| {
        let mut column: Vec<f32> = table.iter().map(|row| row[i] as f32).collect();
        column.resize(table.len().next_multiple_of(8), 0.0);
        column
    };
    let inputs: Vec<_> = (0..I).map(column).collect();
    run::<<f32 as Numbers>::Wide>(controller, table.len(), &inputs)[0]
        .iter()
        .map(|&number| f64::from(number))
        .collect()
}

/// Centres worked out by hand: of a cut triangle with a vertical side, and of two that overlap.
#[test]
fn tips_are_those_of_the_textbook() {
    let table = [[0.0, 0.0], [10.0, 10.0], [2.5, 10.0], [6.5, 9.8], [5.0, 5.0]];
    let found = rows(&tipping(), &table);
    let low = 13.0 / 3.0;
    let high = 25.0 - 4.0;
    // Low cut at ½: ½ · 13² · (1 − ⅛) / 3 over 13 · (½ − ⅛). High in full. They do not overlap.
    let half = [13.0 * 0.375, 13.0 * 13.0 * 0.875 / 6.0];
    let both = (half[1] + 6.0 * high) / (half[0] + 6.0);
    // Medium at 0.04 and high at 0.96, which overlap between 13 and 25 up to 0.04.
    let medium = 0.04 * 25.0 * (1.0 - 0.02);
    let medium_moment = 0.5 * (625.0 * 0.04 - 25.0 * 12.0 * 0.0016 - 25.0 * 0.000_064 / 3.0);
    let high_area = 12.0 * (0.96 - 0.4608);
    let top = |t: f64| 0.5 * (625.0 * t - 169.0 * t - 156.0 * t * t - 48.0 * t * t * t);
    let shared = 0.04 * 12.0 * (1.0 - 0.04);
    let shared_top = |t: f64| {
        0.5 * (625.0 * t - 300.0 * t * t + 48.0 * t * t * t
            - 169.0 * t
            - 156.0 * t * t
            - 48.0 * t * t * t)
    };
    let last = (medium_moment + top(0.96) - shared_top(0.04)) / (medium + high_area - shared);
    // Medium alone.
    let middle = (0.0 + 13.0 + 25.0) / 3.0;
    for (found, expected) in found.iter().zip([low, high, both, last, middle]) {
        assert!((found - expected).abs() < 1e-5, "{found} for {expected}");
    }
    // Another program, which samples the area at whole percents, gives 19.8476 here.
    assert!((found[3] - 19.8476).abs() < 0.05, "{}", found[3]);
}

/// At the corners of terms values are exactly 0 and 1, also where numbers are not binary ones.
#[test]
fn what_does_not_fire_leaves_the_default() {
    let mut controller = tipping();
    controller.inputs[0].terms[2] = term("good", Shape::RightShoulder([0.1, 0.7]));
    controller.inputs[1].terms[1] = term("average", Shape::Trapezoid([0.3, 0.3, 0.9, 0.9]));
    controller.outputs[0].default = Some(17.5);
    controller.rules = vec![
        Rule::new("if not food is good then tip is low"),
        Rule::new("if food is good and service is average then tip is high"),
    ];
    let below = f64::from(0.3_f32.next_down());
    let above = f64::from(0.9_f32.next_up());
    let table =
        [[0.7, 0.0], [0.7, below], [0.7, 0.3], [0.7, 0.9], [0.7, above], [0.1, 0.5], [0.0, 0.0]];
    let found = rows(&controller, &table);
    let (low, high) = (13.0 / 3.0, 21.0);
    for (found, expected) in found.iter().zip([17.5, 17.5, high, high, 17.5, low, low]) {
        assert!((found - expected).abs() < 1e-5, "{found} for {expected}: {found:?}");
    }
}

/// At the top of a side its opposite is worth nothing at all, however wide it is: 1/41 · 41 is less than
/// 1 in `f32`, and 1/49 · 49 in `f64`.
fn opposites_end_where_sides_do<N: Numbers>() {
    let mut rounded = 0;
    for width in 1..250 {
        let width = f64::from(width);
        rounded += usize::from(match N::NUMERIC {
            Numeric::F32 => (1.0 / width as f32) * (width as f32) < 1.0,
            Numeric::Fixed => (1.0 / width) * width < 1.0,
        });
        let mut controller = tipping();
        controller.inputs[0].range[1] = 250.0;
        controller.inputs[0].terms[2].shape = Shape::RightShoulder([0.0, width]);
        controller.rules = vec![Rule::new("if food is not good then tip is low")];
        let column = vec![N::from_f64(width); 8];
        let found = run::<N::Wide>(&controller, 1, &[column.clone(), column]);
        assert_eq!(found[0][0].to_f64(), 12.5, "a side {width} wide");
    }
    assert!(rounded > 5, "{rounded} widths are rounded");
}

/// The largest controller there may be, its rules as deep as they may be: brackets open to the right,
/// so that as many values as can be wait for others.
fn largest() -> (Controller, Vec<Plan>) {
    let mut controller = tipping();
    let peak = |t: f64| Shape::Triangle([t, t + 0.5, t + 2.0]);
    let terms: Vec<_> = (0..9).map(|t| term(&format!("t{t}"), peak(f64::from(t)))).collect();
    let range = [0.0, 10.0];
    let input = |i| Variable { name: format!("in{i}"), range, terms: terms.clone() };
    controller.inputs = (0..8).map(input).collect();
    let mut output = controller.outputs[0].clone();
    output.variable.range = range;
    let step = |t: f64| Shape::Trapezoid([t, t + 0.5, t + 0.75, t + 1.5]);
    output.variable.terms = (0..9).map(|t| term(&format!("t{t}"), step(f64::from(t)))).collect();
    output.variable.terms[8].shape = Shape::RightShoulder([8.0, 9.0]);
    let named = |i| {
        let mut output = output.clone();
        output.variable.name = format!("out{i}");
        output
    };
    controller.outputs = (0..4).map(named).collect();
    let mut random = Random(1, 0);
    let plan = |i: usize| {
        let mut leaf = || {
            let (input, term) = (random.below(8), random.below(9));
            if random.below(2) == 0 { Tree::Is(input, term) } else { Tree::IsNot(input, term) }
        };
        let mut tree = Tree::Not(Box::new(leaf()));
        for k in 0..14 {
            let (a, b) = (Box::new(leaf()), Box::new(tree));
            tree = if k % 2 == 0 { Tree::Or(a, b) } else { Tree::And(a, b) };
        }
        Plan { tree, conclusions: vec![[i % 4, i / 4 % 9]], weight: 1.0 }
    };
    let plans: Vec<_> = (0..64).map(plan).collect();
    controller.rules = plans.iter().map(|plan| plan.rule(&controller)).collect();
    (controller, plans)
}

fn the_largest_controller_is_right<N: Numbers>() {
    let (controller, plans) = largest();
    let (mut random, mut tally) = (Random(2, 0), Tally::default());
    for _ in 0..20 {
        let own = (&controller, &plans[..]);
        compare::<N>(&mut random, own, &controller, &mut tally);
    }
    assert!(tally.wrong == 0 && tally.fired > 1_500, "{tally:?}");
}

/// Every clause of every rule may be a reason for the same term.
#[test]
fn many_reasons_count() {
    let mut controller = tipping();
    let poor = vec!["food is poor"; 31].join(" or ");
    let rule = Rule::new(format!("if {poor} or service is good then tip is low and tip is low"));
    controller.rules = vec![rule; 64];
    controller.rules[63].text = "if food is good then tip is high".into();
    let found = rows(&controller, &[[0.0, 5.0], [10.0, 10.0], [10.0, 0.0], [5.0, 5.0]]);
    // Low alone, low and high, high alone, neither.
    let both = (13.0 / 3.0 * 6.5 + 21.0 * 6.0) / 12.5;
    for (found, expected) in found.iter().zip([13.0 / 3.0, both, 21.0, 12.5]) {
        assert!((found - expected).abs() < 1e-5, "{found} for {expected}");
    }
}

/// `not` binds more tightly than `and`, and that more tightly than `or`.
#[test]
fn words_bind_as_they_should() {
    let with = |text: &str| {
        let mut controller = tipping();
        controller.rules = vec![
            Rule::new(format!("if {text} then tip is low")),
            Rule { text: "if service is good then tip is high".into(), weight: 0.5 },
        ];
        let table: Vec<[f64; 2]> =
            (0..121).map(|i| [f64::from(i % 11), f64::from(i / 11)]).collect();
        rows(&controller, &table)
    };
    let plain = with("not food is poor and service is poor or service is average and food is good");
    let same =
        "((not food is poor) and service is poor) or (service is average and (food is good))";
    let same_again = "food is not poor and service is poor or food is good and service is average";
    assert_eq!(plain, with(same));
    assert_eq!(plain, with(same_again));
    for other in [
        "not (food is poor and service is poor or service is average and food is good)",
        "not food is poor and (service is poor or service is average) and food is good",
        "not (food is poor and service is poor) or service is average and food is good",
    ] {
        assert_ne!(plain, with(other), "{other}");
    }
}

/// A side whose numbers are rounded to the end of the range is no side: what is beyond belongs.
#[test]
fn sides_may_round_to_the_end_of_the_range() {
    let mut controller = tipping();
    let low = Shape::Trapezoid([1e-6, 2e-6, 0.004, 0.006]);
    let high = Shape::Trapezoid([0.004, 0.006, 0.019_998, 0.019_999]);
    controller.inputs.truncate(1);
    controller.inputs[0].range = [0.0, 0.02];
    controller.inputs[0].terms = vec![term("little", low), term("much", high)];
    controller.rules = vec![
        Rule::new("if food is little then tip is low"),
        Rule::new("if food is much then tip is high"),
    ];
    let column = [-0.5, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0].map(Fx::from_f64).to_vec();
    let found = &run::<<Fx as Numbers>::Wide>(&controller, 3, &[column])[0];
    assert_eq!(found[..2], [Fx::from_f64(13.0 / 3.0); 2]);
    // 0.019998 and 0.019999 are 0.02 in fixed point.
    assert_eq!(found[2], Fx::from_f64(21.0));
}

/// A comparison that finds nothing wrong with a wrong controller would be none.
#[test]
fn a_changed_controller_is_found() {
    let (mut found, mut changed) = ([0; 3], [0; 3]);
    for case in 0..300 {
        let mut random = Random(case, 1 << 32);
        let (controller, plans) = random.controller();
        for kind in 0..3 {
            let mut other = controller.clone();
            let [least, most] = other.outputs[0].variable.range;
            match kind {
                0 => other.rules[0].weight *= 0.99,
                1 => other.outputs[0].default = Some(least + 0.77 * (most - least)),
                _ => {
                    let Some((start, end)) = other.rules[0].text.split_once(") and (") else {
                        continue;
                    };
                    other.rules[0].text = format!("{start}) or ({end}");
                }
            }
            if other.check().is_err() {
                continue;
            }
            changed[kind] += 1;
            let mut tally = Tally::default();
            compare::<f32>(&mut random, (&controller, &plans), &other, &mut tally);
            found[kind] += usize::from(tally.wrong > 0);
        }
    }
    let enough = found.iter().zip(changed).all(|(&found, changed)| 8 * found > changed);
    assert!(enough, "of {changed:?} changes {found:?} were found");
}

/// The oracle itself, on areas that are known.
#[test]
fn the_oracle_knows_areas() {
    let triangle = [0.0, 1.0, 1.0, 2.0];
    assert_eq!(union(&[(triangle, 1.0)]), [1.0, 1.0]);
    let [area, moment] = union(&[(triangle, 1.0), ([1.0, 2.0, 2.0, 3.0], 1.0)]);
    assert!((area - 1.75).abs() < 1e-12 && (moment / area - 1.5).abs() < 1e-12);
    let [area, _] = union(&[([0.0, 0.0, 4.0, 4.0], 0.25), (triangle, 1.0)]);
    assert!((area - (1.0 + 0.75 * 0.75)).abs() < 1e-12, "{area}");
}
