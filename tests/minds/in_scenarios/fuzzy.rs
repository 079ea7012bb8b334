//! Fuzzy controllers: what they turn into, and what is refused.

use throng::mind::fuzzy::{Output, Shape, Term, Variable};
use throng::scenario::ScenarioDef;
use throng::world::{FIRST_OUTPUT, INPUTS};

use crate::common::scenarios::refused;
use crate::in_scenarios::TOP;

/// A controller of two inputs and two outputs.
const NERVE: &str = r#"[[fuzzy]]
name = "nerve"
rules = [
    "if enemy is near and health is low then fear is high and haste is high",
    { rule = "if enemy is far then fear is low", weight = 0.5 },
]
[[fuzzy.input]]
name = "enemy"
range = [0, 40]
terms = { near = { left_shoulder = [5, 15] }, far = { right_shoulder = [5, 15] } }
[[fuzzy.input]]
name = "health"
range = [0, 1]
terms = { low = { trapezoid = [0, 0, 0.2, 0.5] } }
[[fuzzy.output]]
name = "fear"
range = [0, 1]
default = 0.25
terms = { low = { triangle = [0, 0.2, 0.4] }, high = { triangle = [0.5, 0.8, 1] } }
[[fuzzy.output]]
name = "haste"
range = [0, 2]
terms = { high = { triangle = [1, 1.5, 2] } }
"#;

/// A machine that reads what a condition names.
fn machine(when: &str) -> String {
    format!(
        "[[machine]]\nname = \"m\"\n[[machine.state]]\nname = \"a\"\n\
         go = [{{ to = \"a\", when = \"{when}\" }}]\n"
    )
}

fn parse(text: &str) -> ScenarioDef {
    ScenarioDef::parse(text, "fuzzy").unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn all_keys_are_read() {
    let second =
        NERVE.replace("nerve", "calm").replace("fear", "peace").replace("haste", "leisure");
    let def = parse(&format!("{TOP}{NERVE}{second}{}", machine("peace > 0.5 and fear < 0.5")));
    assert_eq!(def.controls.len(), 2);
    let nerve = &def.controls[0].controller;
    assert_eq!((&nerve.name[..], nerve.check()), ("nerve", Ok(())));
    let term = |name: &str, shape| Term { name: name.to_owned(), shape };
    let enemy = Variable {
        name: "enemy".to_owned(),
        range: [0.0, 40.0],
        // Terms come by name.
        terms: vec![
            term("far", Shape::RightShoulder([5.0, 15.0])),
            term("near", Shape::LeftShoulder([5.0, 15.0])),
        ],
    };
    let health = Variable {
        name: "health".to_owned(),
        range: [0.0, 1.0],
        terms: vec![term("low", Shape::Trapezoid([0.0, 0.0, 0.2, 0.5]))],
    };
    let fear = Variable {
        name: "fear".to_owned(),
        range: [0.0, 1.0],
        terms: vec![
            term("high", Shape::Triangle([0.5, 0.8, 1.0])),
            term("low", Shape::Triangle([0.0, 0.2, 0.4])),
        ],
    };
    let mut inputs = nerve.inputs.clone();
    inputs.iter_mut().for_each(|input| input.terms.sort_by(|a, b| a.name.cmp(&b.name)));
    assert_eq!(inputs, [enemy, health]);
    let mut output = nerve.outputs[0].clone();
    output.variable.terms.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(output, Output { variable: fear, default: Some(0.25) });
    assert_eq!(nerve.outputs[1].default, None);
    let weights: Vec<f64> = nerve.rules.iter().map(|rule| rule.weight).collect();
    assert_eq!(weights, [1.0, 0.5]);
    let fed: Vec<&str> =
        def.controls[0].inputs.iter().map(|&input| INPUTS[usize::from(input)]).collect();
    assert_eq!(fed, ["enemy", "health"]);
    // Machines read outputs by their place among all.
    let mind = &def.machines[0].mind;
    let first = FIRST_OUTPUT as u16;
    let read: Vec<u16> = mind.machine.states[0].go[0].when.inputs().collect();
    assert_eq!(read, [first + 2, first]);
    assert_eq!((mind.controllers.len(), mind.check()), (2, Ok(())));
}

/// Machines that read no output carry no controllers.
#[test]
fn who_reads_none_has_none() {
    let def = parse(&format!("{TOP}{NERVE}{}", machine("enemy < 5")));
    assert_eq!(def.machines[0].mind.controllers.len(), 0);
}

/// Text of the controller, its replacement, the key of the error, and words of its message.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

const CASES: &[Case] = &[
    (
        "name = \"nerve\"",
        "name = §\"a b\"§",
        ".name",
        "`a b` is no name for a controller",
        "letter",
    ),
    ("name = \"nerve\"", "name = \"nerve\"\n§names§ = 3", ".names", "no such key", "`name`, if"),
    ("range = [0, 40]", "range = §[0]§", ".input[0].range", "has 1 number, not 2", "[least, most]"),
    ("range = [0, 40]", "range = [0, §50000§]", ".input[0].range[1]", "is above 32000", "a number"),
    (
        "\"enemy\"\nrange = [0, 40]",
        "§\"enemy\"§\nrange = [40, 0]",
        ".input[0].name",
        "the range is from 40 to 0",
        "larger",
    ),
    (
        "name = \"enemy\"",
        "name = §\"enmy\"§",
        ".input[0].name",
        "`enmy` is nothing that",
        "`enemy`, if",
    ),
    (
        "name = \"enemy\"",
        "name = §\"zzz\"§",
        ".input[0].name",
        "`zzz` is nothing that",
        "one of health",
    ),
    (
        "name = \"health\"",
        "name = §\"enemy\"§",
        ".input[1].name",
        "two variables `enemy`",
        "its own",
    ),
    ("name = \"haste\"", "name = §\"fear\"§", ".output[1].name", "two variables `fear`", "its own"),
    (
        "left_shoulder = [5, 15]",
        "left_shoulder = §[5]§",
        ".input[0].terms.near.left_shoulder",
        "has 1 number, not 2",
        "[top, to]",
    ),
    (
        "{ left_shoulder = [5, 15] }",
        "§{ left_shoulder = [15, 5] }§",
        ".input[0].terms.near",
        "15 comes before 5",
        "do not decrease",
    ),
    (
        "{ left_shoulder = [5, 15] }",
        "§{ left_shoulder = [5, 50] }§",
        ".input[0].terms.near",
        "50 is not from 0 to 40",
        "range of `enemy`",
    ),
    (
        "{ left_shoulder = [5, 15] }",
        "{ left_shoulder = [5, 9], §sholder§ = 1 }",
        ".input[0].terms.near.sholder",
        "no such key",
        "one of",
    ),
    (
        "{ left_shoulder = [5, 15] }",
        "§{ }§",
        ".input[0].terms.near",
        "none of `triangle`",
        "exactly one",
    ),
    ("{ left_shoulder = [5, 15] }", "§5§", ".input[0].terms.near", "5 is a number", "a term"),
    (
        "{ low = { trapezoid = [0, 0, 0.2, 0.5] } }",
        "§5§",
        ".input[1].terms",
        "5 is a number",
        "a table of terms",
    ),
    (
        "{ high = { triangle = [1, 1.5, 2] } }",
        "{ a = { triangle = [0, 1, 2] }, b = { triangle = [0, 1, 2] }, high = §{ triangle = [0, 1, 2] }§ }",
        ".output[1].terms.high",
        "overlap from 0 to 2",
        "at most two terms",
    ),
    ("\"if enemy is near", "\"if enemy is §neer§", ".rules[0]", "`neer`", "near"),
    ("then fear is low\"", "then §feer§ is low\"", ".rules[1].rule", "`feer`", "fear"),
    ("weight = 0.5", "weight = §1.5§", ".rules[1].weight", "1.5 is above 1", "a weight"),
    (
        "{ rule = \"if enemy is far then fear is low\", weight = 0.5 }",
        "§{ weight = 0.5 }§",
        ".rules[1].rule",
        "missing",
        "a rule",
    ),
    (
        "{ rule = \"if enemy is far then fear is low\", weight = 0.5 }",
        "§5§",
        ".rules[1]",
        "5 is a number",
        "a rule",
    ),
    (
        " and haste is high",
        "",
        ".output[1].name",
        "no rule is about `haste`",
        "a rule that concludes it",
    ),
];

#[test]
fn every_mistake_has_its_place() {
    for &(old, new, key, wrong, expected) in CASES {
        assert!(NERVE.contains(old), "{old}");
        let mut text = NERVE.replacen(old, new, 1);
        if new.is_empty() {
            text = text.replace("\"haste\"", "§\"haste\"§");
        }
        refused(
            &format!("{TOP}{text}{}", machine("hit")),
            &format!("fuzzy[0]{key}"),
            wrong,
            expected,
        );
    }
    let text = NERVE.replace("haste", "speed").replace("\"speed\"", "§\"speed\"§");
    let text = format!("{TOP}{text}{}", machine("hit"));
    refused(&text, "fuzzy[0].output[1].name", "`speed` is what agents perceive", "no input");
    // A default out of range is told at the output, a name that rules cannot say at the term.
    let text = NERVE.replace("\"fear\"\nrange", "§\"fear\"§\nrange").replace("0.25", "9");
    let text = format!("{TOP}{text}{}", machine("hit"));
    refused(&text, "fuzzy[0].output[0].name", "the default is 9", "from 0 to 1");
    let text =
        NERVE.replace("near = { left_shoulder = [5, 15] }", "is = §{ left_shoulder = [5, 15] }§");
    let text = format!("{TOP}{text}{}", machine("hit"));
    refused(&text, "fuzzy[0].input[0].terms.is", "`is` is no name for a term", "a letter");
}

#[test]
fn names_are_of_one_thing() {
    let twice =
        NERVE.replace("\"nerve\"", "§\"nerve\"§").replace("fear", "a").replace("haste", "b");
    let text = format!("{TOP}{NERVE}{twice}{}", machine("hit"));
    refused(&text, "fuzzy[1].name", "is already the name of fuzzy[0]", "its own");
    let second = NERVE.replace("nerve", "other").replace("haste", "b");
    let second = second.replace("name = \"fear\"", "name = §\"fear\"§");
    let text = format!("{TOP}{NERVE}{second}{}", machine("hit"));
    refused(&text, "fuzzy[1].output[0].name", "`fear` is an output of `nerve` already", "its own");
    let text = format!("{TOP}{NERVE}{}", machine("§feer§ > 0.5"));
    let key = "machine[0].state[0].go[0].when";
    refused(&text, key, "found `feer`", "`fear`, if");
    let text = format!("{TOP}{NERVE}{}", machine("fear > §nerv§"));
    refused(&text, key, "found `nerv`", "the name of an input");
}

#[test]
fn there_are_not_too_many() {
    let part = |i: usize, last: &str| {
        NERVE
            .replace("nerve", &format!("n{i}"))
            .replace("name = \"fear\"", &format!("name = {last}\"fear{i}\"{last}"))
            .replace("fear is", &format!("fear{i} is"))
            .replace("haste", &format!("haste{i}"))
    };
    let some: String = (0..16).map(|i| part(i, "")).collect();
    parse(&format!("{TOP}{some}{}", machine("haste15 > 1")));
    let text = format!("{TOP}{some}{}{}", part(16, "§"), machine("hit"));
    refused(&text, "fuzzy[16].output[0].name", "too many outputs", "at most 32");
}
