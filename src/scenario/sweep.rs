//! Plans of sweeps: scenarios, seeds, and the values that keys of the scenarios take in turn.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::data::definition::Limits;
use crate::math::each::Each;
use crate::scenario::error::{Place, Problem, Problems, ScenarioError};
use crate::scenario::parse::{check_text, decoded, stem, syntax};
use crate::scenario::read::{Node, Table, whole_value};

/// Runs of a sweep at most.
pub const MAX_RUNS: u64 = 1_000_000;

const TOP: [&str; 6] = ["name", "description", "scenario", "seeds", "parameters", "measures"];
const RANGE: [&str; 4] = ["from", "to", "step", "count"];

const SEEDS: &str = "seeds, as in [1, 2, 3] or { from = 1, count = 20 }";
const VALUES: &str = "values, as in [0.8, 1.2], or { from = 1.0, to = 2.0, step = 0.25 }";
const A_NUMBER: Limits = Limits::from("a number", -1e15, 1e15);

/// A plan of a sweep: every scenario with every combination of values with every seed is one run.
///
/// `docs/sweeps.md` lists the keys.
#[derive(Clone, Debug)]
pub struct SweepDef {
    /// Name of the file, for messages.
    pub file: String,
    /// The text that was read.
    pub text: String,
    /// `name`; the file's name without its ending when there is none.
    pub name: String,
    /// `scenario`: paths from the plan's folder, or names of scenarios that ship.
    pub scenarios: Vec<SweepValue>,
    /// `seeds`.
    pub seeds: Vec<u64>,
    /// `[parameters]`, in the order of the file.
    pub parameters: Vec<SweepParameter>,
    /// `measures`: names of the measures to be summed up and plotted; empty for all that vary.
    pub measures: Vec<SweepValue>,
}

/// A key of the scenarios, and the values that it takes in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepParameter {
    /// Path of the key, as [`Assignment`](crate::scenario::Assignment) has it.
    pub path: String,
    /// The values; those of a range have its place.
    pub values: Vec<SweepValue>,
}

/// A value, and where the plan has it.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepValue {
    /// The value as TOML.
    pub toml: String,
    /// The number, when it is one.
    pub number: Option<f64>,
    /// Where it is written, in bytes of the plan.
    pub span: Range<usize>,
    /// The text without quotes, when it is one.
    text: Option<String>,
}

impl fmt::Display for SweepValue {
    /// A text without its quotes, all else as TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.as_deref().unwrap_or(&self.toml))
    }
}

impl SweepDef {
    /// Reads the bytes of a plan. `file` names it in messages; nothing is opened.
    ///
    /// # Errors
    /// Everything that the text alone shows to be wrong.
    pub fn from_bytes(bytes: &[u8], file: &str) -> Result<Self, ScenarioError> {
        let text = decoded(bytes, file)?;
        if !text.trim().is_empty() {
            check_text(text, file)?;
        }
        let document = DeTable::parse(text).map_err(|error| syntax(text, file, &error))?;
        let problems = Problems::new(text);
        let start = Place { span: 0..0, key: String::new() };
        let table = Table::new(start, document.get_ref(), &TOP, &problems);
        let name = table.text("name", "the sweep's name");
        table.text("description", "what the sweep shows");
        let name = name.map_or(stem(file), str::trim).to_owned();
        let (file, text) = (file.to_owned(), text.to_owned());
        let def = Self {
            name,
            scenarios: scenarios(&table),
            seeds: seeds(&table),
            parameters: parameters(&table),
            measures: measures(&table),
            file,
            text,
        };
        if problems.is_empty() && def.runs().is_none_or(|runs| runs > MAX_RUNS) {
            let at = Place { span: 0..0, key: String::new() };
            problems.problem(&at, "the plan has more than 1,000,000 runs", "fewer values or seeds");
        }
        problems.finish(&def.file)?;
        Ok(def)
    }

    /// How many runs it has; `None` beyond 64 bits.
    pub fn runs(&self) -> Option<u64> {
        let counts = self.parameters.iter().map(|parameter| parameter.values.len());
        let counts = counts.chain([self.scenarios.len(), self.seeds.len()]);
        counts.map(|count| count as u64).try_fold(1, u64::checked_mul)
    }

    /// What is wrong with a value, as an error of the plan.
    pub fn refused(
        &self,
        value: &SweepValue,
        key: &str,
        wrong: &str,
        expected: &str,
    ) -> ScenarioError {
        let problems = Problems::new(&self.text);
        let at = Place { span: value.span.clone(), key: key.to_owned() };
        problems.problem(&at, wrong, expected);
        problems.finish(&self.file).expect_err("a problem was reported")
    }

    /// A scenario's problem with a value, as an error of the plan.
    pub fn refused_as(&self, value: &SweepValue, path: &str, problem: &Problem) -> ScenarioError {
        let Problem { wrong, expected, .. } = problem;
        self.refused(value, &format!("parameters.{path}"), wrong, expected)
    }
}

fn scenarios(table: &Table<'_>) -> Vec<SweepValue> {
    let what = "a scenario, its path from this file's folder or its name";
    let Some(node) = table.get("scenario") else {
        table.missing("scenario", what);
        return Vec::new();
    };
    let nodes = if node.is_array() {
        node.array(what, MAX_RUNS as usize).unwrap_or_default()
    } else {
        vec![node.clone()]
    };
    none_twice(&nodes);
    if nodes.is_empty() {
        node.bad_value("has no entry", what);
    }
    let mut texts = Vec::new();
    for node in &nodes {
        if node.text(what).is_some() {
            texts.push(value(node));
        }
    }
    texts
}

fn measures(table: &Table<'_>) -> Vec<SweepValue> {
    let what = "names of measures";
    let Some(node) = table.get("measures") else { return Vec::new() };
    let nodes = node.array(what, 1_000).unwrap_or_default();
    none_twice(&nodes);
    let mut names = Vec::new();
    for node in &nodes {
        if node.text(what).is_some() {
            names.push(value(node));
        }
    }
    names
}

fn seeds(table: &Table<'_>) -> Vec<u64> {
    let Some(node) = table.get("seeds") else {
        table.missing("seeds", SEEDS);
        return Vec::new();
    };
    let nodes = if node.is_array() {
        node.array(SEEDS, MAX_RUNS as usize).unwrap_or_default()
    } else {
        let Some(range) = node.table(SEEDS, &["from", "to", "count"]) else {
            return Vec::new();
        };
        let from = range.whole("from", "a seed", [0, u64::MAX], 1);
        let count = match range.get("to") {
            Some(to) => {
                let to = to.whole("the last seed", [from, u64::MAX]).unwrap_or(from);
                (to - from).saturating_add(1)
            }
            None => range.whole("count", "how many seeds", [1, MAX_RUNS], 0),
        };
        if count == 0 || range.present(&["to", "count"]).len() == 2 || count > MAX_RUNS {
            node.bad_value("is no range", "`from`, and `to` or `count`");
            return Vec::new();
        }
        return (0..count).map_while(|k| from.checked_add(k)).collect();
    };
    none_twice(&nodes);
    if nodes.is_empty() {
        node.bad_value("has no entry", SEEDS);
    }
    nodes.iter().filter_map(|node| node.whole("a seed", [0, u64::MAX])).collect()
}

/// The parameters by the places where they are written.
fn parameters(table: &Table<'_>) -> Vec<SweepParameter> {
    let Some(node) = table.get("parameters") else { return Vec::new() };
    let mut leaves = Vec::new();
    gather(&node, "", &mut leaves);
    leaves.sort_by_key(|(_, node)| node.at.span.start);
    let mut parameters = Vec::new();
    for (path, node) in leaves {
        if path == "seed" {
            node.problem("`seeds` says the seeds", "`seeds` beside `[parameters]`");
            continue;
        }
        let values = values(&node);
        parameters.push(SweepParameter { path, values });
    }
    parameters
}

/// Collects what stands below a table of parameters: `group.0.speed` may be one key or tables in tables.
fn gather<'a>(node: &Node<'a>, path: &str, leaves: &mut Vec<(String, Node<'a>)>) {
    let Some(table) = node.any_table("a table of parameters") else { return };
    for (key, node) in table.each() {
        let path = match path {
            "" => key.to_owned(),
            path if key.contains(['.', '[']) => format!("{path}.\"{key}\""),
            path => format!("{path}.{key}"),
        };
        let is_range = node.keys().iter().any(|key| RANGE.contains(key));
        if matches!(node.value, DeValue::Table(_)) && !is_range {
            gather(&node, &path, leaves);
        } else {
            leaves.push((path, node));
        }
    }
}

/// The values of a parameter: a list, a range, or one.
fn values(node: &Node<'_>) -> Vec<SweepValue> {
    if matches!(node.value, DeValue::Table(_)) {
        return range(node);
    }
    if !node.is_array() {
        return vec![value(node)];
    }
    let nodes = node.array(VALUES, MAX_RUNS as usize).unwrap_or_default();
    none_twice(&nodes);
    if nodes.is_empty() {
        node.bad_value("has no entry", VALUES);
    }
    nodes.iter().map(value).collect()
}

/// Reports entries that are there twice.
fn none_twice(nodes: &[Node<'_>]) {
    let mut seen = BTreeSet::new();
    for node in nodes {
        if !seen.insert(node.written()) {
            node.bad_value("is there twice", "each value once");
        }
    }
}

fn value(node: &Node<'_>) -> SweepValue {
    let toml = node.written().trim().to_owned();
    let (number, text) = match node.value {
        DeValue::Integer(whole) => (whole_value(whole).map(|n| n as f64), None),
        DeValue::Float(float) => (float.as_str().parse().ok(), None),
        DeValue::String(text) => (None, Some(text.to_string())),
        _ => (None, None),
    };
    // Digits as programs read them: TOML has `1_000` and `0x10`.
    let toml = match (number, node.value) {
        (Some(_), DeValue::Integer(whole)) => whole_value(whole).map_or(toml, |n| n.to_string()),
        (Some(number), _) if f64::is_finite(number) => format!("{number:?}"),
        _ => toml,
    };
    SweepValue { toml, number, span: node.at.span.clone(), text }
}

/// The values of a range, both ends among them where the steps meet the last one.
fn range(node: &Node<'_>) -> Vec<SweepValue> {
    let Some(table) = node.table(VALUES, &RANGE) else { return Vec::new() };
    let bad = |wrong: &str| {
        node.bad_value(wrong, VALUES);
        Vec::new()
    };
    if table.present(&RANGE[..2]).len() < 2 || table.present(&RANGE[2..]).len() != 1 {
        return bad("is no range of `from`, `to` and one of `step` and `count`");
    }
    let is_whole = |key| table.get(key).is_some_and(|n| matches!(n.value, DeValue::Integer(_)));
    let [from, to] = [RANGE[0], RANGE[1]].each(|key| table.number(key, &A_NUMBER, 0.0));
    let most = MAX_RUNS as f64;
    let (step, steps) = if table.get("step").is_some() {
        let limits = Limits::above("a step", 0.0, 1e15);
        let step = table.number("step", &limits, 1.0);
        (step, ((to - from) / step + 1e-9).floor())
    } else {
        let count = table.whole("count", "how many values", [2, MAX_RUNS], 2);
        let steps = (count - 1) as f64;
        ((to - from) / steps, steps)
    };
    if to <= from || steps >= most {
        let wrong = if to <= from { "does not rise" } else { "has more than 1,000,000 values" };
        node.bad_value(wrong, VALUES);
        return Vec::new();
    }
    let whole = is_whole("from") && (is_whole("step") || step.fract() == 0.0);
    let value = |k: u64| {
        let number = from + k as f64 * step;
        // Sums of tenths end in digits that were not typed.
        let number = format!("{number:.12e}").parse().unwrap_or(number);
        let toml = if whole { format!("{number:.0}") } else { format!("{number:?}") };
        SweepValue { toml, number: Some(number), span: node.at.span.clone(), text: None }
    };
    (0..=steps as u64).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::SweepDef;

    const PLAN: &str = "scenario = [\"doors\", \"a.toml\"]\nseeds = { from = 5, count = 3 }\n\
        measures = [\"end_s\"]\n[parameters]\nnumeric = [\"f32\", \"fixed\"]\n\
        group.0.speed = { from = 1.0, to = 1.6, step = 0.1 }\nagents = [1_000, 0x10]\n\
        ticks = 60\n\"group.\\\"a.b\\\".radius\" = { from = 1, to = 9, count = 5 }\n";

    fn plan(text: &str) -> Result<SweepDef, String> {
        SweepDef::from_bytes(text.as_bytes(), "p.toml").map_err(|error| error.to_string())
    }

    #[test]
    fn a_plan_is_read_in_the_order_of_the_file() {
        let def = plan(PLAN).unwrap();
        assert_eq!((def.name.as_str(), &def.seeds[..]), ("p", &[5, 6, 7][..]));
        assert_eq!(def.runs(), Some(2 * 3 * 2 * 7 * 2 * 5));
        let cells = |i: usize| {
            let cells = def.parameters[i].values.iter().map(ToString::to_string);
            (def.parameters[i].path.as_str(), cells.collect::<Vec<_>>().join(" "))
        };
        assert_eq!(cells(0), ("numeric", "f32 fixed".into()));
        assert_eq!(cells(1), ("group.0.speed", "1.0 1.1 1.2 1.3 1.4 1.5 1.6".into()));
        assert_eq!(cells(2), ("agents", "1000 16".into()));
        assert_eq!(cells(3), ("ticks", "60".into()));
        assert_eq!(cells(4), ("group.\"a.b\".radius", "1 3 5 7 9".into()));
        assert_eq!(def.parameters[0].values[1].toml, "\"fixed\"");
    }

    #[test]
    fn mistakes_have_file_line_and_value() {
        let start = "scenario = \"doors\"\nseeds = [1]\n";
        for (text, words) in [
            ("seeds = [1]", "p.toml:1:1: key `scenario`: missing"),
            ("scenario = \"doors\"", "key `seeds`: missing; expected seeds, as in [1, 2, 3]"),
            ("scenario = 3\nseeds = [1]", "p.toml:1:12: key `scenario`: 3 is a number"),
            ("scenario = []\nseeds = [1]", "[] has no entry"),
            ("scenario = \"doors\"\nseeds = [1, -2]", "p.toml:2:13: key `seeds[1]`: -2 is below 0"),
            ("scenario = \"doors\"\nseeds = [4, 4]", "4 is there twice"),
            ("scenario = \"doors\"\nseeds = { from = 4 }", "is no range"),
            ("scenario = \"doors\"\nseeds = { from = 4, to = 1 }", "1 is below 4"),
            ("{start}sedes = 1", "p.toml:3:1: key `sedes`: there is no such key; expected `seeds`"),
            ("{start}[parameters]\nagents = []", "p.toml:4:10: key `parameters.agents`: [] has no"),
            ("{start}[parameters]\nagents = [7, 7]", "7 is there twice"),
            ("{start}[parameters]\nseed = [7]", "`seeds` says the seeds"),
            ("{start}[parameters]\na = { from = 1, to = 2 }", "is no range of `from`"),
            ("{start}[parameters]\na = { from = 3, to = 2, step = 1 }", "does not rise"),
            ("{start}[parameters]\na = { from = 1, to = 2, step = 0 }", "0 is not above 0"),
            ("{start}[parameters]\na = { from = 1, to = 2, step = 1e-9 }", "1,000,000 values"),
            ("{start}[parameters]\na = { from = 1, to = 9, stop = 1 }", "`parameters.a.stop`"),
            (
                "{start}[parameters]\na.b = { from = 0, to = 99999, step = 1 }\nc = { from = 0, \
                to = 99, count = 100 }",
                "more than 1,000,000 runs",
            ),
            ("{start}measures = [\"a\", \"a\"]", "key `measures[1]`: \"a\" is there twice"),
            ("{start}measures = [1]", "key `measures[0]`: 1 is a number"),
            ("{start}x = ", "p.toml:3:"),
        ] {
            let error = plan(&text.replace("{start}", start)).unwrap_err();
            assert!(error.contains(words), "{text}: `{words}` is not in: {error}");
        }
    }
}
