//! Text to [`ScenarioDef`]: the file as a whole, `[end]` and `[settings]`.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::data::definition::Limits;
use crate::data::number::plural;
use crate::data::toml_tree;
use crate::math::Numeric;
use crate::scenario::assign::AssignedText;
use crate::scenario::def::{EndDef, MAX_AGENTS, MAX_GROUPS, MAX_TEXT, MAX_TICKS, TeamEntry};
use crate::scenario::error::{Place, Problems, ScenarioError, refusal};
use crate::scenario::parse_company::companies;
use crate::scenario::parse_door::doors;
use crate::scenario::parse_fuzzy::controllers;
use crate::scenario::parse_group::groups;
use crate::scenario::parse_machine::{check, machine_names, machines, signals};
use crate::scenario::parse_map::map;
use crate::scenario::parse_measure::{areas, gates};
use crate::scenario::parse_order::{Named, orders};
use crate::scenario::parse_plan_step::{every_state, told};
use crate::scenario::parse_state::Known;
use crate::scenario::parse_strategy::strategies;
use crate::scenario::parse_structure::structures;
use crate::scenario::parse_traffic::{sinks, sources};
use crate::scenario::parse_weapon::{Armoury, teams, weapons};
use crate::scenario::read::{Table, keys, quoted};
use crate::scenario::scenario_def::ScenarioDef;
use crate::scenario::suggest::meant;
use crate::world::{MAX_FIELD_CACHE, Settings};

pub(super) const TOP: [&str; 24] = [
    "name",
    "description",
    "seed",
    "numeric",
    "tick_rate",
    "dt",
    "ticks",
    "end",
    "map",
    "settings",
    "weapon",
    "team",
    "signals",
    "fuzzy",
    "machine",
    "group",
    "company",
    "order",
    "source",
    "sink",
    "door",
    "structure",
    "gate",
    "area",
];
/// Keys of a file that is nothing but a map.
const GROUND: [&str; 4] = ["name", "description", "seed", "map"];
pub(super) const END: [&str; 3] = ["arrived", "beaten", "left"];
/// Keys of the settings beside those that the engine declares.
pub(super) const SETTINGS: [&str; 1] = ["field_cache_mb"];

const SHARE: Limits = Limits::above("a share of the agents", 0.0, 1.0);
const DT: Limits = Limits::from("the seconds of a tick", 0.001, 1.0);

impl ScenarioDef {
    /// Reads a scenario. `file` names it in messages; nothing is opened.
    ///
    /// # Errors
    /// Everything that the text alone shows to be wrong; see [`ScenarioError`].
    pub fn parse(text: &str, file: &str) -> Result<Self, ScenarioError> {
        read(&as_it_is(text, file)?, file, scenario)
    }

    /// Reads a scenario with values in place of the file's. Its `text` is all of the text, and lines of
    /// problems count in it: [`AssignedText::assignment_of`] tells which are about an assignment.
    ///
    /// # Errors
    /// As [`ScenarioDef::parse`], and paths that lead nowhere.
    pub fn parse_assigned(text: &AssignedText, file: &str) -> Result<Self, ScenarioError> {
        read(text, file, scenario)
    }

    /// The same for the sake of the map alone: a text with neither `ticks` nor a `[[group]]` may have
    /// `name`, `description`, `seed` and `[map]`, and nothing else. Its scenario is empty.
    ///
    /// # Errors
    /// As [`ScenarioDef::parse`].
    pub fn parse_ground(text: &str, file: &str) -> Result<Self, ScenarioError> {
        read(&as_it_is(text, file)?, file, |table| {
            if table.present(&["ticks", "group"]).is_empty() {
                ground(table)
            } else {
                scenario(table)
            }
        })
    }

    /// Whether a text has a line that begins with a key or a table of a scenario; else it is something
    /// else, of which nothing should be shown.
    pub fn is_like(text: &str) -> bool {
        text.lines().any(|line| {
            let line = line.trim_start().trim_start_matches('[').trim_start();
            let ends = |rest: &str| rest.trim_start().starts_with(['=', ']', '.']);
            TOP.iter().any(|key| line.strip_prefix(key).is_some_and(ends))
        })
    }

    /// [`ScenarioDef::parse`] of a file's bytes.
    ///
    /// # Errors
    /// The same, and bytes that are not UTF-8 text.
    pub fn from_bytes(bytes: &[u8], file: &str) -> Result<Self, ScenarioError> {
        Self::parse(decoded(bytes, file)?, file)
    }

    /// [`ScenarioDef::parse_ground`] of a file's bytes.
    ///
    /// # Errors
    /// The same, and bytes that are not UTF-8 text.
    pub fn ground_from_bytes(bytes: &[u8], file: &str) -> Result<Self, ScenarioError> {
        Self::parse_ground(decoded(bytes, file)?, file)
    }
}

/// The text of a file's bytes.
///
/// # Errors
/// Bytes that are not UTF-8 text.
pub fn decoded<'a>(bytes: &'a [u8], file: &str) -> Result<&'a str, ScenarioError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{FEFF}').unwrap_or(text)),
        Err(error) => {
            let valid = error.valid_up_to();
            let text = std::str::from_utf8(&bytes[..valid]).unwrap_or("");
            let wrong = format!("byte {valid} of the file, {:#04x}, is not text", bytes[valid]);
            Err(refusal(text, file, valid..valid, wrong, "a TOML file in UTF-8"))
        }
    }
}

/// A text without assignments, which is copied once it is known to be one that can be read.
fn as_it_is(text: &str, file: &str) -> Result<AssignedText, ScenarioError> {
    check_text(text, file)?;
    Ok(AssignedText::new(text, &[]))
}

/// Reads a text whose tables `make` understands.
fn read(
    assigned: &AssignedText,
    file: &str,
    make: impl FnOnce(&Table<'_>) -> ScenarioDef,
) -> Result<ScenarioDef, ScenarioError> {
    let text = assigned.text.as_str();
    check_text(text, file)?;
    let own = assigned.file_text();
    let parsed = DeTable::parse(own).map_err(|error| syntax(own, file, &error))?;
    let (problems, mut document) = (Problems::new(text), parsed.into_inner());
    assigned.assign(&mut document, &problems);
    let start = Place { span: 0..0, key: String::new() };
    let table = Table::new(start, &document, &TOP, &problems);
    let mut def = make(&table);
    problems.finish(file)?;
    file.clone_into(&mut def.file);
    text.clone_into(&mut def.text);
    if def.name.is_empty() {
        stem(file).clone_into(&mut def.name);
    }
    Ok(def)
}

/// The name of a file without its folders and its ending.
pub(super) fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.strip_suffix(".toml").unwrap_or(name)
}

/// Refuses a text that is too long, empty or no text, or would take too much memory.
pub(super) fn check_text(text: &str, file: &str) -> Result<(), ScenarioError> {
    if text.len() > MAX_TEXT {
        let wrong = format!("the file has {} bytes", text.len());
        return Err(refusal(text, file, 0..0, wrong, "at most 8,388,608 bytes"));
    }
    if text.trim().is_empty() {
        let expected = "at least `ticks`, a `[map]` and a `[[group]]` with a `spawn`";
        return Err(refusal(text, file, 0..0, "the file is empty".to_owned(), expected));
    }
    let control = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    if let Some((at, found)) = text.char_indices().find(|&(_, c)| control(c)) {
        let wrong = format!("byte {at} of the file, {:#04x}, is not text", u32::from(found));
        return Err(refusal(text, file, at..at, wrong, "a TOML file in UTF-8"));
    }
    if toml_tree::bytes(text) > toml_tree::MAX {
        let wrong = "the file has too many tables, each part of a dotted key among them".to_owned();
        return Err(refusal(text, file, 0..0, wrong, "at most 524,288 tables"));
    }
    Ok(())
}

/// A text that is not TOML.
pub(super) fn syntax(text: &str, file: &str, error: &toml::de::Error) -> ScenarioError {
    let span = error.span().unwrap_or(text.len()..text.len());
    if let Some((key, first)) = twice(text, &span) {
        let line = 1 + text.as_bytes()[..first].iter().filter(|&&byte| byte == b'\n').count();
        let problems = Problems::new(text);
        let wrong = format!("it is there twice, the first time in line {line}");
        let expected = match text[..first].ends_with("[[") {
            true => format!("`[[{key}]]` for every one of them"),
            false => "every key once in a table".to_owned(),
        };
        problems.problem(&Place { span, key }, wrong, expected);
        return problems.finish(file).expect_err("a problem was reported");
    }
    let wrong = error.message().replace('\n', "; ");
    let wrong = if span.start >= text.trim_end().len() {
        format!("the file ends too early: {wrong}")
    } else {
        wrong
    };
    refusal(text, file, span, wrong, "")
}

/// The path of the key at a span, and where its table has it before, if it has. It is found by reading
/// the text with another key in its place.
fn twice(text: &str, span: &Range<usize>) -> Option<(String, usize)> {
    const OTHER: &str = "another-key-than-any";
    let name = text.get(span.clone())?.trim_matches(['"', '\'']);
    let other = format!("{}{OTHER}{}", text.get(..span.start)?, text.get(span.end..)?);
    let document = DeTable::parse(&other).ok()?;
    find(document.get_ref(), "", &mut |table| {
        table.get_key_value(OTHER)?;
        let (key, _) = table.get_key_value(name)?;
        Some((name.to_owned(), key.span().start))
    })
}

/// What is found in a table or in one below it, with its path before the first part.
fn find(
    table: &DeTable<'_>,
    path: &str,
    found: &mut impl FnMut(&DeTable<'_>) -> Option<(String, usize)>,
) -> Option<(String, usize)> {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    if let Some((key, at)) = found(table) {
        return Some((below(&key), at));
    }
    table.iter().find_map(|(key, value)| match value.get_ref() {
        DeValue::Table(table) => find(table, &below(key.get_ref()), found),
        DeValue::Array(list) => (0..).zip(list.iter()).find_map(|(i, value): (usize, _)| {
            let table = value.get_ref().as_table()?;
            find(table, &format!("{}[{i}]", below(key.get_ref())), found)
        }),
        _ => None,
    })
}

fn scenario(table: &Table<'_>) -> ScenarioDef {
    let tick_rate = tick_rate(table);
    // Where the end is not known, no order is beyond it.
    let ticks = match table.get("ticks") {
        Some(node) => node.whole("the ticks of the run", [1, MAX_TICKS]).unwrap_or(MAX_TICKS),
        None => {
            table.missing("ticks", "the tick at which the run ends, as in 3000");
            MAX_TICKS
        }
    };
    let map = map(table);
    let (weapons, mut teams) = (weapons(table), teams(table));
    let armoury = Armoury::new(&weapons, &teams);
    let (signals, machine_names) = (signals(table), machine_names(table));
    let rate = f64::from(tick_rate);
    let groups = groups(table, rate, map.cell, &armoury, &machine_names);
    let companies = companies(table, &groups);
    let controls = controllers(table);
    let known = Known::new(&groups, &signals, &controls);
    let machines = machines(table, &known, tick_rate);
    let before = table.problems.count();
    strategies(table, &mut teams, (&groups, &machines, &signals), tick_rate);
    let told = if table.problems.count() == before {
        told(&teams, &groups, &machines)
    } else {
        every_state(&machines)
    };
    check(&machines, &told, &groups, &companies, [rate, map.cell], table.problems);
    let structures = structures(table, &teams, ticks);
    let named = Named::new(&groups, &companies, &weapons, &structures);
    let mut orders = orders(table, &named, ticks);
    let doors = doors(table, [u64::from(tick_rate), ticks], &mut orders);
    let (sources, sinks) = (sources(table, &groups), sinks(table, &groups));
    let words = |key: &str, what: &str| table.text(key, what).unwrap_or("").trim().to_owned();
    let def = ScenarioDef {
        file: String::new(),
        text: String::new(),
        name: words("name", "the scenario's name"),
        description: words("description", "what the scenario shows"),
        numeric: numeric(table),
        ticks,
        end: end(table, &teams),
        settings: settings(table, tick_rate),
        map,
        weapons,
        teams,
        signals,
        controls,
        machines,
        groups,
        companies,
        orders,
        sources,
        sinks,
        structures,
        doors,
        gates: gates(table),
        areas: areas(table),
    };
    if table.problems.is_empty() {
        check_agents(&def, table.problems);
    }
    def
}

/// A scenario that is nothing but a map.
fn ground(table: &Table<'_>) -> ScenarioDef {
    for key in table.present(&TOP).into_iter().filter(|key| !GROUND.contains(key)) {
        if let Some(node) = table.get(key) {
            let wrong = format!("without `ticks` and a `[[group]]` there is no use for `{key}`");
            node.problem(wrong, format!("{} alone", quoted(&GROUND)));
        }
    }
    let words = |key: &str, what: &str| table.text(key, what).unwrap_or("").trim().to_owned();
    ScenarioDef {
        name: words("name", "the map's name"),
        description: words("description", "what the map shows"),
        ticks: 1,
        settings: Settings { seed: seed(table), ..Settings::default() },
        map: map(table),
        ..ScenarioDef::default()
    }
}

fn seed(table: &Table<'_>) -> u64 {
    table.whole("seed", "the seed of everything random", [0, u64::MAX], 1)
}

fn check_agents(def: &ScenarioDef, problems: &Problems<'_>) {
    let place = Place { span: 0..0, key: "group".to_owned() };
    let agents = def.agents_in_all();
    if def.groups.len() > MAX_GROUPS {
        let wrong = format!("there are {} groups", def.groups.len());
        problems.problem(&place, wrong, "at most 65,535");
    }
    if agents == 0 && def.sources.is_empty() {
        let expected = "a `spawn` in at least one group, or a `[[source]]`";
        problems.problem(&place, "no group has agents", expected);
    }
    if agents > MAX_AGENTS {
        let wrong = format!("all spawns together have {agents} agents");
        problems.problem(&place, wrong, "at most 16,777,216");
    }
}

fn numeric(table: &Table<'_>) -> Numeric {
    let Some(node) = table.get("numeric") else { return Numeric::default() };
    let Some(word) = node.text("`f32` or `fixed`") else { return Numeric::default() };
    Numeric::from_word(word).unwrap_or_else(|| {
        let words = ["f32", "fixed"];
        let expected =
            meant('"', word, words).unwrap_or_else(|| format!("one of {}", quoted(&words)));
        node.bad_value("is not a number type", expected);
        Numeric::default()
    })
}

/// Ticks per second, from `tick_rate`, `dt` or both.
fn tick_rate(table: &Table<'_>) -> u32 {
    let plain = Settings::default().tick_rate;
    let rate = table.get("tick_rate");
    let rate = rate.and_then(|node| node.whole("ticks per second", [1, 1000]));
    let Some(node) = table.get("dt") else { return rate.map_or(plain, |rate| rate as u32) };
    let Some(dt) = node.number(&DT) else { return plain };
    let from_dt = (1.0 / dt + 0.5).floor();
    if (1.0 / dt - from_dt).abs() > 1.0e-6 {
        let wrong = format!("is {} ticks a second, not a whole number of them", 1.0 / dt);
        let expected = format!("tick_rate = {from_dt} in place of dt, or 1 / a whole number");
        node.bad_value(&wrong, expected);
    } else if rate.is_some_and(|rate| rate as f64 != from_dt) {
        let wrong =
            format!("is {} a second and contradicts `tick_rate`", plural(from_dt as u64, "tick"));
        node.bad_value(&wrong, "only one of `dt` and `tick_rate`");
    }
    from_dt as u32
}

fn end(table: &Table<'_>, teams: &[TeamEntry]) -> EndDef {
    let Some(node) = table.get("end") else { return EndDef::default() };
    let Some(end) = node.table("a table, as in { arrived = 0.99 }", &END) else {
        return EndDef::default();
    };
    if let Some(node) = end.get("beaten").filter(|_| teams.iter().all(|team| team.foes == 0)) {
        let wrong = "there are no two teams that fight each other";
        node.problem(wrong, "two `[[team]]` tables that are no allies");
    }
    let share = |key| end.get(key).and_then(|node| node.number(&SHARE));
    EndDef { arrived: share(END[0]), beaten: share(END[1]), left: share(END[2]) }
}

/// `[settings]`, with the ticks per second and the seed.
fn settings(table: &Table<'_>, tick_rate: u32) -> Settings {
    let plain = Settings { tick_rate, seed: seed(table), ..Settings::default() };
    let Some(node) = table.get("settings") else { return plain };
    let known = keys::<Settings>(&SETTINGS);
    let Some(table) = node.table("a table of settings", &known) else { return plain };
    let what = "the MiB that flow fields may keep";
    let (most, megabytes) = (MAX_FIELD_CACHE >> 20, plain.field_cache_bytes >> 20);
    let megabytes = table.whole(SETTINGS[0], what, [1, most], megabytes);
    Settings { field_cache_bytes: megabytes << 20, ..table.fields(plain) }
}
