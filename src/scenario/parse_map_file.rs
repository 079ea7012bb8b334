//! `colors` and `tiled` of `[map]`: how map files that have no letters are read.

use crate::map::Colours;
use crate::map::Legend;
use crate::map::MapError;
use crate::map::TiledRules;
use crate::scenario::error::Problems;
use crate::scenario::parse_terrain::letter_cost;
use crate::scenario::read::Table;

pub(super) const TILED: [&str; 4] = ["layer", "property", "empty", "other"];

/// Colours of a picture at most.
const MAX_COLOURS: usize = 10_000;

/// Which letters the colours of a picture stand for.
pub(super) fn colours(table: &Table<'_>, legend: &Legend, problems: &mut Problems<'_>) -> Colours {
    let Some(node) = table.get("colors") else { return Colours::default() };
    let mut colours = Colours::empty();
    let what = "a table of colours, as in { \"#202020\" = \"@\", \"128-255\" = \".\" }";
    let Some(entries) = node.any_table(what, problems) else { return colours };
    let count = entries.each().count();
    if count == 0 || count > MAX_COLOURS {
        problems.bad_value(&node.at, &format!("has {count} colours"), "1 to 10,000 colours");
        return colours;
    }
    for (key, node) in entries.each() {
        let expected = "a letter that `cost` names, or one of `.`, `G`, `S`, `@`, `O`, `T`, `W`";
        let Some(text) = node.text(expected, problems) else { continue };
        let &[letter] = text.as_bytes() else {
            problems.bad_value(&node.at, "is not one letter", expected);
            continue;
        };
        if legend.get(letter).is_none() {
            problems.bad_value(&node.at, "is not a letter of the map", expected);
            continue;
        }
        if let Err(MapError::ColourName { wrong, .. }) = colours.set(key, char::from(letter)) {
            let expected = "`#rrggbb`, `#rrggbbaa` or a range of greys as `0-127`";
            problems.problem(&node.at, format!("`{key}` {wrong}"), expected);
        }
    }
    colours
}

/// What counts in a Tiled map.
pub(super) fn tiled(table: &Table<'_>, problems: &mut Problems<'_>) -> TiledRules {
    let mut rules = TiledRules::default();
    let Some(node) = table.get("tiled") else { return rules };
    let what = "a table, as in { layer = \"ground\", empty = 1.0 }";
    let Some(table) = node.table(what, &TILED, problems) else { return rules };
    rules.layer = table.text("layer", "the name of a tile layer", problems).map(str::to_owned);
    if let Some(node) = table.get("property") {
        let what = "the name of a property of tiles";
        let name = node.text(what, problems).unwrap_or("cost");
        if name.trim().is_empty() || name == "letter" {
            problems.bad_value(&node.at, "is no name for costs", "another name, as \"cost\"");
        }
        name.clone_into(&mut rules.property);
    }
    if let Some(node) = table.get("empty") {
        rules.empty = letter_cost(&node, problems).unwrap_or(rules.empty);
    }
    rules.other = table.get("other").and_then(|node| letter_cost(&node, problems));
    rules
}
