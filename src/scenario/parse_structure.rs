//! `[[structure]]` of a scenario file: walls with hit points.

use std::collections::BTreeMap;

use crate::map::area::Shape;
use crate::scenario::def::{StructureEntry, TeamEntry};
use crate::scenario::error::Problems;
use crate::scenario::parse_measure::name_of;
use crate::scenario::parse_name::named;
use crate::scenario::parse_order::order_tick;
use crate::scenario::parse_shape::area_of;
use crate::scenario::parse_weapon::indices;
use crate::scenario::read::{Table, keys};
use crate::world::{MAX_STRUCTURES, StructureDef};

/// Keys of a structure beside those that the engine declares.
pub(super) const STRUCTURE: [&str; 6] = ["name", "tick", "rect", "disc", "polygon", "any"];

const A_STRUCTURE: &str = "a table, as in { name = \"gate\", health = 500, rect = [9, 4, 10, 6] }";

/// The structures in the order in which they are built: by tick, then as in the file.
pub(super) fn structures(
    top: &Table<'_>,
    teams: &[TeamEntry],
    ticks: u64,
    problems: &mut Problems<'_>,
) -> Vec<StructureEntry> {
    let Some(node) = top.get("structure") else { return Vec::new() };
    let entries = node.array("`[[structure]]` tables, at most 16,384", MAX_STRUCTURES, problems);
    let known = keys::<StructureDef>(&STRUCTURE);
    let teams: BTreeMap<&str, u16> = indices(teams.iter().map(|team| team.name.as_str()));
    let (mut structures, mut names) = (Vec::new(), BTreeMap::new());
    for (i, node) in entries.unwrap_or_default().iter().enumerate() {
        let Some(table) = node.table(A_STRUCTURE, &known, problems) else { continue };
        let name = name_of(&table, ["structure", "structures"], i, &mut names, problems);
        let tick = match table.get("tick") {
            Some(_) => order_tick(&table, ticks, problems),
            None => Some(0),
        };
        let team = table.get("team").map(|node| named(&node, "team", &teams, problems));
        let def = table.fields(StructureDef::default(), problems);
        let def = StructureDef { team: team.flatten().map(|team| team as u8), ..def };
        let (Some(tick), Some(area)) = (tick, area_of(&table, problems)) else { continue };
        for (shape, at) in area.shapes.iter().zip(&area.places) {
            if let Shape::Point { .. } = shape {
                let wrong = format!("{} covers no area", shape.label());
                problems.problem(at, wrong, "a rect, disc or polygon");
            }
        }
        structures.push(StructureEntry { name, tick, area, def });
    }
    structures.sort_by_key(|entry| entry.tick);
    structures
}
