//! `[[structure]]` of a scenario file: walls with hit points.

use std::collections::BTreeMap;

use crate::scenario::def::{StructureEntry, TeamEntry};
use crate::scenario::parse_name::{Taken, indices, named, own_name};
use crate::scenario::parse_order::order_tick;
use crate::scenario::parse_shape::ground_of;
use crate::scenario::read::{Table, keys};
use crate::world::{MAX_STRUCTURES, StructureDef};

/// Keys of a structure beside those that the engine declares.
pub(super) const STRUCTURE: [&str; 6] = ["name", "tick", "rect", "disc", "polygon", "any"];

const A_STRUCTURE: &str = "a table, as in { name = \"gate\", health = 500, rect = [9, 4, 10, 6] }";

/// The structures in the order in which they are built: by tick, then as in the file.
pub(super) fn structures(top: &Table<'_>, teams: &[TeamEntry], ticks: u64) -> Vec<StructureEntry> {
    let known = keys::<StructureDef>(&STRUCTURE);
    let tables = top.tables("structure", MAX_STRUCTURES, A_STRUCTURE, &known);
    let teams: BTreeMap<&str, u16> = indices(teams.iter().map(|team| team.name.as_str()));
    let (mut structures, mut names) = (Vec::new(), Taken::default());
    for table in tables {
        let name = own_name(&table, "structure", &mut names);
        let tick = match table.get("tick") {
            Some(_) => order_tick(&table, ticks),
            None => Some(0),
        };
        let team = table.get("team").map(|node| named(&node, "team", &teams));
        let def = table.fields(StructureDef::default());
        let def = StructureDef { team: team.flatten().map(|team| team as u8), ..def };
        let (Some(tick), Some(area)) = (tick, ground_of(&table)) else { continue };
        structures.push(StructureEntry { name, tick, area, def });
    }
    structures.sort_by_key(|entry| entry.tick);
    structures
}
