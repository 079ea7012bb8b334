//! `[[group]]` of a scenario file.

use crate::scenario::parse_name::{Taken, color, indices, named, own_name};
use std::collections::BTreeMap;

use crate::data::GroupId;
use crate::map::area::Shape;
use crate::scenario::def::{AreaDef, GroupEntry, MAX_AGENTS, MAX_GROUPS, OppositeDef, SpawnDef};
use crate::scenario::parse_behaviour::behaviours;
use crate::scenario::parse_follow::follow;
use crate::scenario::parse_shape::{AREAS, area, area_of, point};
use crate::scenario::parse_terrain::letters;
use crate::scenario::parse_traffic::{exits, vary};
use crate::scenario::parse_weapon::Armoury;
use crate::scenario::read::{Node, Table, keys};
use crate::world::GroupDef;

/// Keys of a group beside its traits.
pub(super) const GROUP: [&str; 15] = [
    "name", "color", "preset", "machine", "places", "cost", "behave", "spawn", "goal", "opposite",
    "exits", "choice", "leave", "vary", "follow",
];

/// Spawns, or orders, that a scenario has at most.
pub(super) const MAX_ORDERS: usize = 1_000_000;

/// Colours of groups that name none, chosen to differ for most eyes (Okabe and Ito 2008).
const COLORS: [[u8; 3]; 7] = [
    [0xD5, 0x5E, 0x00],
    [0x00, 0x72, 0xB2],
    [0x00, 0x9E, 0x73],
    [0xE6, 0x9F, 0x00],
    [0xCC, 0x79, 0xA7],
    [0x56, 0xB4, 0xE9],
    [0xF0, 0xE4, 0x42],
];

pub(super) fn groups(
    top: &Table<'_>,
    tick_rate: f64,
    cell: f64,
    armoury: &Armoury<'_>,
    machines: &BTreeMap<&str, u16>,
) -> Vec<GroupEntry> {
    let Some(node) = top.needed("group", "at least one `[[group]]`") else {
        return Vec::new();
    };
    let entries = node.array("`[[group]]` tables, at most 65,535", MAX_GROUPS);
    let known = keys::<GroupDef>(&GROUP);
    let mut groups = Vec::new();
    let mut names = Taken::default();
    let (mut behave, mut follows) = (Vec::new(), Vec::new());
    for (i, node) in entries.unwrap_or_default().iter().enumerate() {
        let Some(table) = node.table("a table `[[group]]`", &known) else { continue };
        let name = own_name(&table, "group", &mut names);
        let color = table.get("color").and_then(|node| color(&node));
        let preset = table.word("preset", &GroupDef::PRESETS);
        let plain = preset.and_then(GroupDef::preset).unwrap_or_default();
        let mut def = armoury.arm(&table, table.fields(plain));
        let terrain = letters(&table, &mut def.terrain);
        let color = color.or(armoury.color(&def)).unwrap_or(COLORS[i % COLORS.len()]);
        let vary = vary(&table, &def);
        def = GroupDef { radius: vary.widest(&def), ..vary.traits(&def) };
        // Faster, an agent could be carried through a wall.
        if def.speed * def.sprint / tick_rate > cell {
            let at = table.place("speed");
            let speed = def.speed * def.sprint;
            let step = speed / tick_rate;
            let enough = (speed / cell).ceil();
            let wrong = format!("a speed of {speed} m/s is {step} m a tick");
            let expected = if enough <= 1000.0 {
                format!("at most one cell, {cell} m, a tick: tick_rate = {enough}, say")
            } else {
                format!("at most one cell, {cell} m, a tick")
            };
            top.problems.problem(&at, wrong, expected);
        }
        let goal = table.get("goal").and_then(|node| area(&node));
        let opposite = opposite(&table, goal.is_some());
        let exits = exits(&table);
        alone(&table, "exits", &["goal", "opposite", "machine"]);
        let leave = table.truth("leave", false);
        if let Some(node) =
            table.get("leave").filter(|_| leave && goal.is_none() && exits.is_none())
        {
            let wrong = "there is nowhere to leave";
            node.problem(wrong, "a `goal` or `exits`, or a `[[sink]]` in its stead");
        }
        let spawns = table.get("spawn").map_or(Vec::new(), |node| spawns(&node));
        behave.extend(table.get("behave").map(|node| (groups.len(), node)));
        follows.extend(table.get("follow").map(|node| (groups.len(), node)));
        alone(&table, "follow", &["goal", "opposite", "exits", "machine"]);
        let mind = table.get("machine");
        let machine = mind.as_ref().and_then(|node| named(node, "machine", machines));
        let machine_at = mind.map_or(table.at.clone(), |node| node.at);
        let places = table.get("places").map_or(Vec::new(), |node| places(&node));
        let at = table.place("radius");
        let behaviours = Vec::new();
        groups.push(GroupEntry {
            name,
            color,
            def,
            machine,
            places,
            behaviours,
            spawns,
            goal,
            opposite,
            exits,
            follow: None,
            leave,
            vary,
            at,
            machine_at,
            terrain,
        });
    }
    // They may name groups that come later.
    let names = indices(groups.iter().map(|group| group.name.as_str()));
    let mut list = |(group, node): &(usize, Node<'_>)| {
        (*group, behaviours(node, GroupId::new(*group as u16), &names))
    };
    let lists: Vec<_> = behave.iter().map(&mut list).collect();
    let mut whom = |(group, node): &(usize, Node<'_>)| {
        (*group, follow(node, Some(GroupId::new(*group as u16)), &names))
    };
    let whom: Vec<_> = follows.iter().map(&mut whom).collect();
    whom.into_iter().for_each(|(group, def)| groups[group].follow = def);
    for (group, list) in lists {
        groups[group].behaviours = list;
    }
    groups
}

/// Reports what a group that has a key cannot have.
fn alone(table: &Table<'_>, key: &str, others: &[&str]) {
    let Some(node) = table.get(key) else { return };
    if let Some(other) = table.present(others).first() {
        let wrong = format!("`{key}` and `{other}` contradict each other");
        node.problem(wrong, "exactly one of them");
    }
}

/// `places`: areas with names.
fn places(node: &Node<'_>) -> Vec<(String, AreaDef)> {
    let what = "a table of places, as in { market = { disc = [40, 30, 5] } }";
    let Some(table) = node.any_table(what) else { return Vec::new() };
    let named = |(name, node): (&str, Node<'_>)| Some((name.to_owned(), area(&node)?));
    table.each().filter_map(named).collect()
}

/// `opposite`: the point through which all agents go to the other side.
pub(super) fn opposite(table: &Table<'_>, has_goal: bool) -> Option<OppositeDef> {
    let node = table.get("opposite")?;
    if has_goal {
        let wrong = "`goal` and `opposite` contradict each other";
        node.problem(wrong, "exactly one of them");
    }
    let centre = point(&node)?;
    Some(OppositeDef { centre, at: node.at })
}

/// `spawn` of a group: one table or an array of them.
fn spawns(node: &Node<'_>) -> Vec<SpawnDef> {
    if node.value.is_table() {
        return spawn_entry(node).into_iter().collect();
    }
    let what = "an array, as in [{ rect = [0, 0, 20, 10], count = 100 }]";
    let entries = node.array(what, MAX_ORDERS).unwrap_or_default();
    entries.iter().filter_map(spawn_entry).collect()
}

fn spawn_entry(node: &Node<'_>) -> Option<SpawnDef> {
    let known: Vec<&str> = AREAS.iter().copied().chain(["count"]).collect();
    let what = "a table, as in { rect = [0, 0, 20, 10], count = 100 }";
    let table = node.table(what, &known)?;
    let area = area_of(&table);
    spawn_of(&table, area)
}

/// A spawn of `count` agents in an area; on points there is one at each.
pub(super) fn spawn_of(table: &Table<'_>, area: Option<AreaDef>) -> Option<SpawnDef> {
    let range = [1, MAX_AGENTS];
    let node = table.get("count");
    let count = match &node {
        Some(node) => Some(node.whole("a number of agents", range)?),
        None => None,
    };
    let area = area?;
    let points = area.shapes.iter().filter(|s| matches!(s, Shape::Point { .. })).count();
    let at = node.map_or(table.at.clone(), |node| node.at);
    let count = match (count, points) {
        (Some(count), 0) => count,
        (None, 0) => {
            table.missing("count", "a number of agents from 1 to 16777216");
            return None;
        }
        (count, _) if points == area.shapes.len() => {
            if count.is_some_and(|count| count != points as u64) {
                let expected = format!("{points}: one agent stands at each point");
                table.problems.bad_value(&at, "is not the number of points", expected);
            }
            points as u64
        }
        _ => {
            let expected = "points alone, one agent at each, or shapes with an area alone";
            table.problem("points are mixed with other shapes", expected);
            return None;
        }
    };
    Some(SpawnDef { area, count, at })
}
