//! `[[machine.state]]` of a scenario file.

use std::collections::BTreeMap;

use crate::data::definition::Limits;
use crate::mind::{
    Argument, Expression, MAX_OUTPUTS, MAX_TRANSITIONS, Output, StateDef, TransitionDef,
};
use crate::nav::navigator::Navigator;
use crate::scenario::def::GroupEntry;
use crate::scenario::def_mind::{OWN_GROUP, StateEntry};
use crate::scenario::error::Place;
use crate::scenario::parse_behaviour::{Names, behaviours};
use crate::scenario::parse_fuzzy::output_names;
use crate::scenario::parse_name::{Taken, indices, named, own_name};
use crate::scenario::parse_shape::area;
use crate::scenario::read::{Node, Table, quoted};
use crate::scenario::suggest::{meant, nearest};
use crate::world::limits::STATE_SPEED;
use crate::world::{Control, Destination, StateTraits, input_names};

pub(super) const STATE: [&str; 14] = [
    "name",
    "speed",
    "navigator",
    "behave",
    "hold",
    "halts",
    "hold_fire",
    "goal",
    "deaf",
    "decides",
    "enter",
    "exit",
    "update",
    "go",
];
pub(super) const GO: [&str; 4] = ["to", "when", "do", "argument"];

/// The words of `goal`.
pub(super) const ERRANDS: [&str; 4] = ["ordered", "stand", "enemy", "away"];

const NUMBER: Limits = Limits::from("a number", -32_000.0, 32_000.0);
const OUTPUTS: &str = "`signal NAME`, `count = NUMBER`, `count + NUMBER`, `count - NUMBER`, \
                       `forget`, `reload` or `leave`";

/// What states can name.
#[derive(Debug)]
pub(super) struct Known<'a> {
    pub(super) groups: Names<'a>,
    pub(super) signals: &'a [String],
    pub(super) controls: &'a [Control],
    /// The inputs of conditions, by their indices; no name where there is none.
    pub(super) inputs: Vec<String>,
}

impl<'a> Known<'a> {
    pub(super) fn new(
        groups: &'a [GroupEntry],
        signals: &'a [String],
        controls: &'a [Control],
    ) -> Self {
        let names = indices(groups.iter().map(|group| group.name.as_str()));
        let inputs = input_names(signals, &output_names(controls));
        Self { groups: names, signals, controls, inputs }
    }
}

/// The names of states, with their indices.
type States<'a> = BTreeMap<&'a str, u8>;

/// A state, how agents in it go about, and where all of that is written.
pub(super) fn state(
    node: &Node<'_>,
    states: &States<'_>,
    own_names: &mut Taken,
    known: &Known<'_>,
) -> Option<(StateDef, StateTraits, StateEntry)> {
    let table = node.table("a table `[[machine.state]]`", &STATE)?;
    let name = own_name(&table, "state", own_names);
    let decides = table.truth("decides", false);
    let list = |key| table.get(key).map_or(Vec::new(), |node| outputs(&node, known));
    let (enter, exit, update) = (list("enter"), list("exit"), list("update"));
    let go = table.get("go").map_or(Vec::new(), |node| transitions(&node, states, known));
    let (go, places) = go.into_iter().unzip();
    let at = table.place("name");
    let mut entry = StateEntry {
        speed: at.clone(),
        at,
        go: places,
        goal: None,
        place: None,
        behaviours: Vec::new(),
    };
    let state_traits = state_traits(&table, &mut entry, known);
    Some((StateDef { name, decides, enter, exit, update, go }, state_traits, entry))
}

/// How agents in a state go about.
fn state_traits(table: &Table<'_>, entry: &mut StateEntry, known: &Known<'_>) -> StateTraits {
    let plain = StateTraits::default();
    if let Some(node) = table.get("speed") {
        entry.speed = node.at;
    }
    if let Some(node) = table.get("behave") {
        entry.behaviours = behaviours(&node, OWN_GROUP, &known.groups);
    }
    let list = || entry.behaviours.iter().map(|entry| entry.behaviour.clone()).collect();
    let behaviours = table.get("behave").map(|_| list());
    let navigator = table.word("navigator", &Navigator::NAMES);
    let truth = |key| table.get(key).map(|_| table.truth(key, false));
    let (hold, halts, hold_fire) = (truth("hold"), truth("halts"), truth("hold_fire"));
    let destination = match table.get("goal") {
        None => plain.destination,
        Some(node) if node.is_text() => match table.word("goal", &ERRANDS) {
            Some("stand") => Destination::Stand,
            Some("enemy") => Destination::Enemy,
            Some("away") => Destination::Away,
            _ => Destination::Ordered,
        },
        Some(node) if node.member("place").is_some() => {
            let what = "the name of a place of the group, as in { place = \"market\" }";
            let table = node.table(what, &["place"]);
            let name = table.and_then(|table| table.text("place", what));
            entry.place = name.map(str::to_owned);
            plain.destination
        }
        Some(node) => {
            entry.goal = area(&node);
            entry
                .goal
                .as_ref()
                .map_or(plain.destination, |area| Destination::Go(area.shapes.clone()))
        }
    };
    StateTraits {
        speed: table.key(&STATE_SPEED),
        navigator: navigator.and_then(Navigator::from_name),
        behaviours,
        hold,
        halts,
        hold_fire,
        destination,
        deaf: table.truth("deaf", plain.deaf),
    }
}

/// A list of transitions, and where they are written.
pub(super) fn transitions(
    node: &Node<'_>,
    states: &States<'_>,
    known: &Known<'_>,
) -> Vec<(TransitionDef, Place)> {
    let what = format!(
        "an array of at most {MAX_TRANSITIONS} transitions, as in \
         [{{ to = \"flee\", when = \"health < 0.2\" }}]"
    );
    let entries = node.array(&what, MAX_TRANSITIONS).unwrap_or_default();
    let go = |node: &Node<'_>| Some((transition(node, states, known)?, node.at.clone()));
    entries.iter().filter_map(go).collect()
}

fn transition(node: &Node<'_>, states: &States<'_>, known: &Known<'_>) -> Option<TransitionDef> {
    let what = "a transition, as in { to = \"flee\", when = \"health < 0.2\" }";
    let table = node.table(what, &GO)?;
    let to = match table.get("to") {
        Some(node) => named(&node, "state", states),
        None => {
            table.missing("to", "the name of a state");
            None
        }
    };
    let when = match table.get("when") {
        Some(node) => condition(&node, &known.inputs)?,
        None => Expression::always(),
    };
    let outputs = table.get("do").map_or(Vec::new(), |node| outputs(&node, known));
    let argument = table.get("argument").and_then(|node| argument(&node, known));
    Some(TransitionDef { when, to: to?, argument, outputs })
}

/// A condition; what is wrong with it is reported at its place within the text.
pub(super) fn condition(node: &Node<'_>, inputs: &[String]) -> Option<Expression> {
    let text = node.text("a condition, as in \"enemy < 20 and not blocked\"")?;
    if text.trim().is_empty() {
        node.bad_value("is no condition", "a condition, or no `when` for always");
        return None;
    }
    match Expression::parse(text, inputs) {
        Ok(expression) => Some(expression),
        Err(error) => {
            let meant = || input_meant(&text[error.at.clone()], inputs);
            let meant = error.expected.starts_with("one of").then(meant);
            let expected = meant.map(|m| m.unwrap_or("the name of an input".to_owned()));
            let at = node.problems.part(&node.at, text, error.at);
            node.problems.problem(&at, error.wrong, expected.unwrap_or(error.expected));
            None
        }
    }
}

/// The input that a word means.
fn input_meant(word: &str, inputs: &[String]) -> Option<String> {
    let names = inputs.iter().map(String::as_str).filter(|name| !name.is_empty());
    meant('`', word, names)
}

fn argument(node: &Node<'_>, known: &Known<'_>) -> Option<Argument> {
    if !node.is_text() {
        return node.number(&NUMBER).map(Argument::Number);
    }
    let word = node.text("")?;
    let index = known.inputs.iter().position(|name| !name.is_empty() && name == word);
    if index.is_none() {
        let expected = input_meant(word, &known.inputs);
        let expected = expected.unwrap_or("a number, or the name of an input".to_owned());
        node.bad_value("is no input", expected);
    }
    index.map(|index| Argument::Input(index as u16))
}

/// A list of outputs.
fn outputs(node: &Node<'_>, known: &Known<'_>) -> Vec<Output> {
    let what = format!(
        "an array of at most {MAX_OUTPUTS} outputs, as in [\"signal alarm\", \"count + 1\"]"
    );
    let entries = node.array(&what, MAX_OUTPUTS).unwrap_or_default();
    entries.iter().filter_map(|node| output(node, known)).collect()
}

fn output(node: &Node<'_>, known: &Known<'_>) -> Option<Output> {
    let text = node.text(OUTPUTS)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let last = text.trim_end().len() - words.last().map_or(0, |word| word.len());
    let last = last..text.trim_end().len();
    match words[..] {
        ["forget"] => Some(Output::Forget),
        ["reload"] => Some(Output::Reload),
        ["leave"] => Some(Output::Leave),
        ["signal", name] => {
            let signal = known.signals.iter().position(|signal| signal == name);
            if signal.is_none() {
                let at = node.problems.part(&node.at, text, last);
                let names: Vec<&str> = known.signals.iter().map(String::as_str).collect();
                let expected = match nearest(name, names.iter().copied()) {
                    Some(meant) => format!("`{meant}`, if that is what you meant"),
                    None if names.is_empty() => "a name that `signals` lists".to_owned(),
                    None => format!("one of {}", quoted(&names)),
                };
                node.problems.problem(&at, format!("`{name}` is no signal"), expected);
            }
            signal.map(|signal| Output::Signal(signal as u8))
        }
        ["count", sign @ ("=" | "+" | "-"), number] => {
            let value = number.parse::<f64>().ok().filter(|number| number.abs() <= NUMBER.high);
            if value.is_none() {
                let at = node.problems.part(&node.at, text, last);
                let wrong = format!("`{number}` is no number from -32000 to 32000");
                node.problems.problem(&at, wrong, "a number of that range");
            }
            value.map(|value| match sign {
                "=" => Output::SetCount(value),
                "+" => Output::AddCount(value),
                _ => Output::AddCount(-value),
            })
        }
        _ => {
            let expected = meant('"', text.trim(), ["forget", "reload", "leave"])
                .unwrap_or_else(|| OUTPUTS.to_owned());
            node.bad_value("is no output", expected);
            None
        }
    }
}
