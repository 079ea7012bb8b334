//! `[[fuzzy]]` of a scenario file.

use std::collections::BTreeMap;

use crate::data::definition::Limits;
use crate::mind::fuzzy::{
    Controller, FuzzyError, MAX_INPUTS, MAX_NUMBER, MAX_OUTPUTS, MAX_RULES, Output, Part, Rule,
    Shape, Term, Variable,
};
use crate::scenario::error::{Place, Problems};
use crate::scenario::parse_name::{Taken, name_of, own_name};
use crate::scenario::parse_shape::{numbers_within, one_of};
use crate::scenario::read::{Node, Table};
use crate::scenario::suggest::meant;
use crate::world::{Control, INPUTS, MAX_FED};

pub(super) const FUZZY: [&str; 4] = ["name", "input", "output", "rules"];
pub(super) const INPUT: [&str; 3] = ["name", "range", "terms"];
pub(super) const OUTPUT: [&str; 4] = ["name", "range", "terms", "default"];
pub(super) const RULE: [&str; 2] = ["rule", "weight"];

/// The kinds of terms.
pub(super) const SHAPES: [&str; 4] = ["triangle", "trapezoid", "left_shoulder", "right_shoulder"];

const NUMBER: Limits = Limits::from("a number", -MAX_NUMBER, MAX_NUMBER);
const WEIGHT: Limits = Limits::from("a weight", 0.0, 1.0);

/// Where the parts of a controller are written.
#[derive(Debug, Default)]
struct Places {
    controller: Place,
    /// Each with its terms.
    inputs: Vec<(Place, Vec<Place>)>,
    outputs: Vec<(Place, Vec<Place>)>,
    /// Each with its text.
    rules: Vec<(Place, String)>,
}

/// The controllers, each with the inputs that it takes, as indices of what agents perceive.
pub(super) fn controllers(top: &Table<'_>) -> Vec<Control> {
    let Some(node) = top.get("fuzzy") else { return Vec::new() };
    let entries = node.array("`[[fuzzy]]` tables, at most 32", MAX_FED);
    let mut controls: Vec<Control> = Vec::new();
    let mut names = Taken::default();
    // What outputs are called, and where.
    let mut outputs: BTreeMap<String, String> = BTreeMap::new();
    for node in entries.unwrap_or_default() {
        let before = top.problems.count();
        let Some(table) = node.table("a table `[[fuzzy]]`", &FUZZY) else { continue };
        let mut places = Places::default();
        let controller = controller(&table, &mut names, &mut places);
        let inputs = inputs(&controller, &places, top.problems);
        if top.problems.count() == before {
            for error in controller.problems() {
                report(&error, &places, top.problems);
            }
        }
        let all = controller.outputs.iter().zip(&places.outputs);
        for (output, (at, _)) in all {
            let name = &output.variable.name;
            if INPUTS.contains(&name.as_str()) {
                let expected = "a name that no input of conditions has";
                top.problems.problem(at, format!("`{name}` is what agents perceive"), expected);
            }
            let owner = outputs.insert(name.clone(), controller.name.clone());
            if let Some(owner) = owner.filter(|owner| *owner != controller.name) {
                let wrong = format!("`{name}` is an output of `{owner}` already");
                top.problems.problem(at, wrong, "a name of its own");
            }
            if outputs.len() == MAX_FED + 1 {
                let wrong = "all controllers together have too many outputs";
                top.problems.problem(at, wrong, "at most 32");
            }
        }
        controls.push(Control { controller, inputs });
    }
    controls
}

/// The names of all outputs, in the order of the file.
pub(super) fn output_names(controls: &[Control]) -> Vec<String> {
    let outputs = controls.iter().flat_map(|control| &control.controller.outputs);
    outputs.map(|output| output.variable.name.clone()).take(MAX_FED).collect()
}

/// Which of the things that agents perceive the inputs are.
fn inputs(controller: &Controller, places: &Places, problems: &Problems<'_>) -> Vec<u16> {
    let mut inputs = Vec::new();
    for (input, (at, _)) in controller.inputs.iter().zip(&places.inputs) {
        let name = &input.name;
        match INPUTS.iter().position(|known| known == name) {
            Some(index) => inputs.push(index as u16),
            None if name.is_empty() => {}
            None => {
                let expected = meant('`', name, INPUTS)
                    .unwrap_or_else(|| format!("one of {}", INPUTS.join(", ")));
                problems.problem(at, format!("`{name}` is nothing that agents perceive"), expected);
            }
        }
    }
    inputs
}

/// Reports what is wrong with a controller, at its place.
fn report(error: &FuzzyError, places: &Places, problems: &Problems<'_>) {
    let of = |list: &[(Place, Vec<Place>)], i: usize| list.get(i).map(|(at, _)| at.clone());
    let term = |list: &[(Place, Vec<Place>)], i: usize, term: usize| {
        list.get(i).and_then(|(_, terms)| terms.get(term).cloned())
    };
    let place = match &error.part {
        Part::Controller => None,
        Part::Input(i) => of(&places.inputs, *i),
        Part::InputTerm(i, of_input) => term(&places.inputs, *i, *of_input),
        Part::Output(i) => of(&places.outputs, *i),
        Part::OutputTerm(i, of_output) => term(&places.outputs, *i, *of_output),
        Part::Rule(i) => places.rules.get(*i).map(|(at, _)| at.clone()),
        Part::Text { rule, bytes } => {
            let rule = places.rules.get(*rule);
            rule.map(|(at, text)| problems.part(at, text, bytes.clone()))
        }
    };
    let at = place.unwrap_or_else(|| places.controller.clone());
    problems.problem(&at, &error.wrong, &error.expected);
}

fn controller(table: &Table<'_>, names: &mut Taken, places: &mut Places) -> Controller {
    let name = own_name(table, "fuzzy", names);
    places.controller = table.place("name");
    let list = |key: &str, what: &str, most: usize| {
        let node = table.needed(key, what);
        node.and_then(|node| node.array(what, most)).unwrap_or_default()
    };
    let input_nodes = list("input", "`[[fuzzy.input]]` tables, 1 to 8", MAX_INPUTS);
    let output_nodes = list("output", "`[[fuzzy.output]]` tables, 1 to 4", MAX_OUTPUTS);
    let what = "an array of 1 to 64 rules, as in [\"if enemy is near then fear is high\"]";
    let rule_nodes = list("rules", what, MAX_RULES);
    let mut inputs = Vec::new();
    for node in &input_nodes {
        let Some(table) = node.table("a table `[[fuzzy.input]]`", &INPUT) else {
            continue;
        };
        inputs.push(variable(&table, &mut places.inputs));
    }
    let mut outputs = Vec::new();
    for node in &output_nodes {
        let Some(table) = node.table("a table `[[fuzzy.output]]`", &OUTPUT) else {
            continue;
        };
        let default = table.get("default").and_then(|node| node.number(&NUMBER));
        let variable = variable(&table, &mut places.outputs);
        outputs.push(Output { variable, default });
    }
    let rules = rule_nodes.iter().filter_map(|node| rule(node, &mut places.rules));
    let rules = rules.collect();
    Controller { name, inputs, outputs, rules }
}

/// A variable, whose place and whose terms' places are appended.
fn variable(table: &Table<'_>, places: &mut Vec<(Place, Vec<Place>)>) -> Variable {
    let name = name_of(table);
    let at = table.place("name");
    let range = numbers::<2>(table, "range", "[least, most]").unwrap_or([0.0, 1.0]);
    let (mut terms, mut term_places) = (Vec::new(), Vec::new());
    let what = "a table of terms, as in { near = { left_shoulder = [5, 15] } }";
    let all = table.needed("terms", what).and_then(|node| node.any_table(what));
    for (name, node) in all.iter().flat_map(Table::each) {
        let Some(shape) = shape(&node) else { continue };
        terms.push(Term { name: name.to_owned(), shape });
        term_places.push(node.at);
    }
    places.push((at, term_places));
    Variable { name, range, terms }
}

fn shape(node: &Node<'_>) -> Option<Shape> {
    let table = node.table("a term, as in { triangle = [0, 1, 2] }", &SHAPES)?;
    let kind = one_of(&table, &SHAPES)?;
    match kind {
        "triangle" => numbers(&table, kind, "[from, top, to]").map(Shape::Triangle),
        "trapezoid" => numbers(&table, kind, "[from, top, top, to]").map(Shape::Trapezoid),
        "left_shoulder" => numbers(&table, kind, "[top, to]").map(Shape::LeftShoulder),
        _ => numbers(&table, kind, "[from, top]").map(Shape::RightShoulder),
    }
}

/// The numbers of a key, which must be there.
fn numbers<const N: usize>(table: &Table<'_>, key: &str, what: &str) -> Option<[f64; N]> {
    let node = table.needed(key, what)?;
    numbers_within(&node, what, &NUMBER)
}

/// A rule: its text, or a table with its weight.
fn rule(node: &Node<'_>, places: &mut Vec<(Place, String)>) -> Option<Rule> {
    let what = "a rule, as in \"if enemy is near then fear is high\"";
    if node.is_text() {
        let text = node.text(what)?;
        places.push((node.at.clone(), text.to_owned()));
        return Some(Rule::new(text));
    }
    let table = node.table(what, &RULE)?;
    let weight = table.number("weight", &WEIGHT, 1.0);
    let node = table.needed("rule", what)?;
    let text = node.text(what)?;
    places.push((node.at, text.to_owned()));
    Some(Rule { weight, ..Rule::new(text) })
}
