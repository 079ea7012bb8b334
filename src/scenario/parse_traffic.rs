//! `[[source]]` and `[[sink]]` of a scenario file, and what agents of one group do not share.

use std::collections::BTreeMap;

use crate::data::GroupId;
use crate::data::definition::{Definition, Limits};
use crate::map::placement::{MAX_RADIUS, MIN_RADIUS};
use crate::scenario::def::{ExitsEntry, GroupEntry, SinkEntry, SourceEntry};
use crate::scenario::parse_name::{Taken, group_of, indices, needed_group, own_name};
use crate::scenario::parse_shape::{AREAS, area_of, numbers_within, one_of};
use crate::scenario::read::{Node, Table, keys};
use crate::world::{
    Distribution, Exit, ExitsDef, GroupDef, Inflow, MAX_COMERS, MAX_ENTRIES, MAX_EXITS, MAX_RATE,
    MAX_SINKS, MAX_SOURCES, MAX_TIME, MAX_WAIT, RESPONSES, SourceDef, Spread, VaryDef,
};

/// Keys of a source beside those that the engine declares.
pub(super) const SOURCE: [&str; 9] =
    ["name", "group", "rate", "batches", "rect", "disc", "point", "polygon", "any"];
pub(super) const SINK: [&str; 7] = ["name", "groups", "rect", "disc", "point", "polygon", "any"];
/// What the agents of a group can differ in.
pub(super) const VARY: [&str; 5] = ["speed", "wait", "radius", "response", "patience"];
/// Kinds of distributions.
pub(super) const SPREADS: [&str; 4] = ["constant", "uniform", "normal", "lognormal"];
/// Keys of a distribution.
pub(super) const DISTRIBUTION: [&str; 6] =
    ["constant", "uniform", "normal", "lognormal", "min", "max"];

const A_SOURCE: &str =
    "a table, as in { name = \"gate\", group = \"visitors\", rect = [0, 0, 2, 9], rate = 1.5 }";
const A_SINK: &str = "a table, as in { name = \"exit\", rect = [0, 0, 2, 9] }";
const A_TABLE: &str = "an array of times and numbers, as in [[0, 1.5], [60, 0]]";
const A_DISTRIBUTION: &str =
    "a number or a distribution, as in { normal = [1.34, 0.26], min = 0.6, max = 2.0 }";
const NUMBER: Limits = Limits::from("a number", -1.0e6, 1.0e6);
const TIME: Limits = Limits::from("a time in seconds", 0.0, MAX_TIME);
const RATE: Limits = Limits::from("a number of agents a second", 0.0, MAX_RATE);

/// The groups by name.
fn names(groups: &[GroupEntry]) -> BTreeMap<&str, GroupId> {
    indices(groups.iter().map(|group| group.name.as_str()))
}

pub(super) fn sources(top: &Table<'_>, groups: &[GroupEntry]) -> Vec<SourceEntry> {
    let (known, by_name) = (keys::<SourceDef>(&SOURCE), names(groups));
    let tables = top.tables("source", MAX_SOURCES, A_SOURCE, &known);
    let (mut sources, mut taken) = (Vec::new(), Taken::default());
    for table in tables {
        let name = own_name(&table, "source", &mut taken);
        let group = needed_group(&table, "group", &by_name);
        let area = area_of(&table);
        let def = table.fields(SourceDef::default());
        let inflow = inflow(&table);
        if let Some(node) = table.get("poisson")
            && def.poisson
            && matches!(inflow, Some(Inflow::Batches(_)))
        {
            node.bad_value("goes with no `batches`", "a `rate`, or no `poisson`");
        }
        if let (Some(group), Some(area), Some(inflow)) = (group, area, inflow) {
            sources.push(SourceEntry { name, group, area, def: SourceDef { inflow, ..def } });
        }
    }
    sources
}

/// `rate` or `batches` of a source.
fn inflow(table: &Table<'_>) -> Option<Inflow> {
    let kind = one_of(table, &["rate", "batches"])?;
    let node = table.get(kind)?;
    if kind == "rate" && !node.is_array() {
        return node.number(&RATE).map(Inflow::rate);
    }
    let entries = node.array(A_TABLE, MAX_ENTRIES)?;
    if entries.is_empty() {
        node.bad_value("is empty", A_TABLE);
        return None;
    }
    let mut list: Vec<[f64; 2]> = Vec::new();
    for entry in &entries {
        let parts = entry.array("[seconds, number]", 2)?;
        let [time, number] = &parts[..] else {
            entry.bad_value("is not a pair", "[seconds, number]");
            return None;
        };
        let at = time.number(&TIME)?;
        if list.last().is_some_and(|last| last[0] >= at) {
            time.bad_value("does not come after the time before", "ascending times");
            return None;
        }
        let number = if kind == "rate" {
            number.number(&RATE)?
        } else {
            number.whole("a number of agents", [0, u64::from(MAX_COMERS)])? as f64
        };
        list.push([at, number]);
    }
    Some(if kind == "rate" { Inflow::Rates(list) } else { Inflow::Batches(list) })
}

pub(super) fn sinks(top: &Table<'_>, groups: &[GroupEntry]) -> Vec<SinkEntry> {
    let tables = top.tables("sink", MAX_SINKS, A_SINK, &SINK);
    let by_name = names(groups);
    let (mut sinks, mut taken) = (Vec::new(), Taken::default());
    for table in tables {
        let name = own_name(&table, "sink", &mut taken);
        let area = area_of(&table);
        let groups = table.get("groups").map_or(Some(Vec::new()), |node| {
            let what = "an array of names of groups, as in [\"visitors\"]";
            let list = node.array(what, groups.len().max(1))?;
            list.iter().map(|node| group_of(node, &by_name)).collect()
        });
        if let (Some(area), Some(groups)) = (area, groups) {
            sinks.push(SinkEntry { name, area, groups });
        }
    }
    sinks
}

/// `vary` of a group with these traits.
pub(super) fn vary(table: &Table<'_>, def: &GroupDef) -> VaryDef {
    let Some(node) = table.get("vary") else { return VaryDef::default() };
    let what = "a table, as in { speed = { normal = [1.34, 0.26] } }";
    let Some(vary) = node.table(what, &VARY) else { return VaryDef::default() };
    let read = |key: &'static str, least: f64, most: f64| {
        let node = vary.get(key)?;
        let distribution = distribution(&node)?;
        if let Err(error) = distribution.check(key, least, most) {
            node.problem(error.to_string(), A_DISTRIBUTION);
            return None;
        }
        Some(distribution)
    };
    VaryDef {
        speed: read("speed", def.speed / 64.0, def.speed * 2.0),
        wait: read("wait", 0.0, MAX_WAIT),
        radius: read("radius", MIN_RADIUS, (2.0 * def.radius).min(MAX_RADIUS)),
        response: read("response", RESPONSES[0], RESPONSES[1]),
        patience: read("patience", 0.0, MAX_WAIT),
    }
}

/// A number, or a table that says how numbers lie.
fn distribution(node: &Node<'_>) -> Option<Distribution> {
    if node.value.is_integer() || node.value.is_float() {
        return node.number(&NUMBER).map(Distribution::constant);
    }
    let table = node.table(A_DISTRIBUTION, &DISTRIBUTION)?;
    let kind = one_of(&table, &SPREADS)?;
    let value = table.get(kind)?;
    let spread = if kind == "constant" {
        Spread::Constant(value.number(&NUMBER)?)
    } else {
        let what = if kind == "uniform" { "[low, high]" } else { "[mean, deviation]" };
        let [a, b] = numbers_within(&value, what, &NUMBER)?;
        match kind {
            "uniform" => Spread::Uniform { low: a, high: b },
            "normal" => Spread::Normal { mean: a, deviation: b },
            _ => Spread::LogNormal { mean: a, deviation: b },
        }
    };
    let whole = Distribution::from(spread);
    let bound = |key, plain: f64| match table.get(key) {
        Some(node) => node.number(&NUMBER),
        None => Some(plain),
    };
    let (min, max) = (bound("min", whole.min)?, bound("max", whole.max)?);
    Some(whole.within(min, max))
}

/// `exits` and `choice` of a group.
pub(super) fn exits(table: &Table<'_>) -> Option<ExitsEntry> {
    let choice = table.get("choice");
    let Some(node) = table.get("exits") else {
        if let Some(choice) = choice {
            let expected = "`exits` to choose among";
            choice.problem("there is nothing to choose", expected);
        }
        return None;
    };
    let what = "an array of exits, as in [{ rect = [0, 0, 2, 9], flow = 3 }]";
    let entries = node.array(what, MAX_EXITS)?;
    if entries.is_empty() {
        node.bad_value("is empty", what);
    }
    let known = keys::<Exit>(&AREAS);
    let (mut list, mut areas) = (Vec::new(), Vec::new());
    for node in &entries {
        let table = node.table("a table, as in { rect = [0, 0, 2, 9] }", &known)?;
        let exit = table.fields(Exit::default());
        let area = area_of(&table)?;
        list.push(Exit { area: area.shapes.clone(), ..exit });
        areas.push(area);
    }
    let known: Vec<&str> = ExitsDef::keys().map(|field| field.key).collect();
    let choice = choice.and_then(|node| node.table("a table", &known));
    let plain = ExitsDef::default();
    let def = choice.map_or(plain.clone(), |table| table.fields(plain));
    Some(ExitsEntry { def: ExitsDef { exits: list, ..def }, areas })
}
