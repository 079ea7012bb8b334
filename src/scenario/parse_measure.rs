//! `[[gate]]` and `[[area]]` of a scenario file: what is measured, and where.

use crate::scenario::def::{AreaEntry, GateEntry, MAX_MEASURES};
use crate::scenario::parse_name::{Taken, own_name};
use crate::scenario::parse_shape::{ground_of, numbers};
use crate::scenario::read::Table;

pub(super) const GATE: [&str; 3] = ["name", "from", "to"];
pub(super) const AREA: [&str; 5] = ["name", "rect", "disc", "polygon", "any"];

const A_GATE: &str = "a table, as in { name = \"door\", from = [10, 8], to = [10, 4] }";
const AN_AREA: &str = "a table, as in { name = \"hall\", rect = [0, 0, 10, 5] }";

pub(super) fn gates(top: &Table<'_>) -> Vec<GateEntry> {
    let tables = top.tables("gate", MAX_MEASURES, A_GATE, &GATE);
    let (mut gates, mut names) = (Vec::new(), Taken::default());
    for table in tables {
        let name = own_name(&table, "gate", &mut names);
        let end = |key: &str| {
            let node = table.needed(key, "an end of the line, as in [10, 4]")?;
            numbers(&node, "[x, y] in metres")
        };
        let (Some(from), Some(to)) = (end("from"), end("to")) else { continue };
        if from == to {
            table.bad_value("to", "is where the gate begins", "a line with a length");
        }
        gates.push(GateEntry { name, from, to, at: table.place("to") });
    }
    gates
}

pub(super) fn areas(top: &Table<'_>) -> Vec<AreaEntry> {
    let tables = top.tables("area", MAX_MEASURES, AN_AREA, &AREA);
    let (mut areas, mut names) = (Vec::new(), Taken::default());
    for table in tables {
        let name = own_name(&table, "area", &mut names);
        // An unknown key, as a point is here, has been reported.
        if table.get("point").is_none()
            && let Some(area) = ground_of(&table)
        {
            areas.push(AreaEntry { name, area });
        }
    }
    areas
}
