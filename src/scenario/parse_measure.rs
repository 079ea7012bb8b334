//! `[[gate]]` and `[[area]]` of a scenario file: what is measured, and where.

use std::collections::BTreeMap;

use crate::map::area::Shape;
use crate::scenario::def::{AreaEntry, GateEntry, MAX_MEASURES};
use crate::scenario::error::Problems;
use crate::scenario::parse_name::group_name;
use crate::scenario::parse_shape::{area_of, numbers};
use crate::scenario::read::Table;

pub(super) const GATE: [&str; 3] = ["name", "from", "to"];
pub(super) const AREA: [&str; 5] = ["name", "rect", "disc", "polygon", "any"];

const A_GATE: &str = "a table, as in { name = \"door\", from = [10, 8], to = [10, 4] }";
const AN_AREA: &str = "a table, as in { name = \"hall\", rect = [0, 0, 10, 5] }";

pub(super) fn gates(top: &Table<'_>, problems: &mut Problems<'_>) -> Vec<GateEntry> {
    let Some(node) = top.get("gate") else { return Vec::new() };
    let entries = node.array("`[[gate]]` tables, at most 100", MAX_MEASURES, problems);
    let (mut gates, mut names) = (Vec::new(), BTreeMap::new());
    for (i, node) in entries.unwrap_or_default().iter().enumerate() {
        let Some(table) = node.table(A_GATE, &GATE, problems) else { continue };
        let name = name_of(&table, ["gate", "gates"], i, &mut names, problems);
        let mut end = |key: &str| {
            let Some(node) = table.get(key) else {
                table.missing(key, "an end of the line, as in [10, 4]", problems);
                return None;
            };
            numbers(&node, "[x, y] in metres", problems)
        };
        let (Some(from), Some(to)) = (end("from"), end("to")) else { continue };
        let at = table.get("to").map_or(table.at.clone(), |node| node.at);
        if from == to {
            problems.bad_value(&at, "is where the gate begins", "a line with a length");
        }
        gates.push(GateEntry { name, from, to, at });
    }
    gates
}

pub(super) fn areas(top: &Table<'_>, problems: &mut Problems<'_>) -> Vec<AreaEntry> {
    let Some(node) = top.get("area") else { return Vec::new() };
    let entries = node.array("`[[area]]` tables, at most 100", MAX_MEASURES, problems);
    let (mut areas, mut names) = (Vec::new(), BTreeMap::new());
    for (i, node) in entries.unwrap_or_default().iter().enumerate() {
        let Some(table) = node.table(AN_AREA, &AREA, problems) else { continue };
        let name = name_of(&table, ["area", "areas"], i, &mut names, problems);
        // An unknown key, as a point is here, has been reported.
        if table.get("point").is_some() {
            continue;
        }
        let Some(area) = area_of(&table, problems) else { continue };
        for (shape, at) in area.shapes.iter().zip(&area.places) {
            if let Shape::Point { .. } = shape {
                let wrong = format!("{} covers no area", shape.label());
                problems.problem(at, wrong, "a rect, disc or polygon");
            }
        }
        areas.push(AreaEntry { name, area });
    }
    areas
}

/// The name of a table, which no other of its kind has.
pub(super) fn name_of(
    table: &Table<'_>,
    [one, many]: [&str; 2],
    index: usize,
    names: &mut BTreeMap<String, usize>,
    problems: &mut Problems<'_>,
) -> String {
    let Some(node) = table.get("name") else {
        table.missing("name", format!("a name, unique among the {many}"), problems);
        return String::new();
    };
    let name = group_name(&node, problems);
    if let Some(first) = names.insert(name.clone(), index)
        && !name.is_empty()
    {
        let wrong = format!("is already the name of {one}[{first}]");
        problems.bad_value(&node.at, &wrong, "a name of its own");
    }
    name
}
