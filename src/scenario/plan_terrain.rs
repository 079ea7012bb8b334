//! Checks what the ground costs groups against the map.

use crate::map::{Map, Quickest};
use crate::scenario::def::GroupEntry;
use crate::scenario::error::Problems;
use crate::scenario::scenario_def::ScenarioDef;

/// Checks the terrain costs of all groups.
pub(super) fn check(def: &ScenarioDef, map: &Map, problems: &Problems<'_>) {
    let quickest = Quickest::new(map);
    let mut seen = [false; 256];
    map.letters().iter().for_each(|&letter| seen[usize::from(letter)] = true);
    for group in &def.groups {
        for (letter, at) in &group.terrain.letters {
            let in_legend = def.map.legend.get(*letter);
            let on_map = seen[usize::from(*letter)];
            // The tiles of a Tiled map may give a letter another cost than the legend does.
            let is_wall = if on_map { quickest.of(*letter) == 0 } else { in_legend == Some(0) };
            let letter = char::from(*letter);
            if in_legend.is_none() && !on_map {
                let wrong = format!("there is no ground `{letter}` on the map");
                problems.problem(at, wrong, "a letter of the map, or one that its `cost` names");
            } else if is_wall && group.def.terrain.get(letter as u8) != Some(0) {
                let wrong = format!("`{letter}` is a wall of the map, for everybody");
                let expected = format!(
                    "0, or a cost for `{letter}` in `[map] cost`, and 0 here for those who cannot \
                     go there"
                );
                problems.problem(at, wrong, expected);
            }
        }
        check_speed(def, group, quickest.factor(&group.def.terrain), map.cell_size(), problems);
    }
}

/// Checks that no agent goes farther than a cell in a tick on its quickest ground. On plain ground
/// none does.
fn check_speed(
    def: &ScenarioDef,
    group: &GroupEntry,
    quickest: f64,
    cell: f64,
    problems: &Problems<'_>,
) {
    let speed = group.def.speed * group.def.sprint * quickest;
    let rate = f64::from(def.settings.tick_rate);
    if quickest > 1.0 && speed / rate > cell {
        let step = speed / rate;
        let wrong = format!("a speed of {speed} m/s, on the quickest ground, is {step} m a tick");
        let expected = format!("at most one cell, {cell} m, a tick");
        problems.problem(&group.terrain.speed, wrong, expected);
    }
}
