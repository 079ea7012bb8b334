//! `[[group]]` and `[[order]]` of a scenario file.

use std::collections::BTreeMap;

use crate::map::area::Shape;
use crate::scenario::def::AreaDef;
use crate::scenario::def::CompanyEntry;
use crate::scenario::def::GroupEntry;
use crate::scenario::def::MAX_AGENTS;
use crate::scenario::def::MAX_GROUPS;
use crate::scenario::def::MAX_TICKS;
use crate::scenario::def::OppositeDef;
use crate::scenario::def::OrderEntry;
use crate::scenario::def::OrderEntryKind;
use crate::scenario::def::OrderTarget;
use crate::scenario::def::SpawnDef;
use crate::scenario::error::Place;
use crate::scenario::error::Problems;
use crate::scenario::error::shorten;
use crate::scenario::parse_behaviour::behaviours;
use crate::scenario::parse_company::formation;
use crate::scenario::parse_shape::AREAS;
use crate::scenario::parse_shape::area;
use crate::scenario::parse_shape::area_of;
use crate::scenario::parse_shape::one_of;
use crate::scenario::parse_shape::point;
use crate::scenario::parse_traits::GROUP;
use crate::scenario::parse_traits::traits;
use crate::scenario::read::Node;
use crate::scenario::read::Table;
use crate::scenario::read::quoted;
use crate::scenario::suggest::nearest;

pub(super) const ORDER: [&str; 13] = [
    "tick",
    "move",
    "stop",
    "behave",
    "spawn",
    "remove",
    "form",
    "goal",
    "opposite",
    "behaviours",
    "area",
    "count",
    "formation",
];
const VERBS: [&str; 6] = ["move", "stop", "behave", "spawn", "remove", "form"];
const WITH: [&str; 6] = ["goal", "opposite", "behaviours", "area", "count", "formation"];

/// Orders that a scenario has at most.
const MAX_ORDERS: usize = 1_000_000;

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
    problems: &mut Problems<'_>,
) -> Vec<GroupEntry> {
    let Some(node) = top.get("group") else {
        top.missing("group", "at least one `[[group]]`", problems);
        return Vec::new();
    };
    let entries = node.array("`[[group]]` tables, at most 65,535", MAX_GROUPS, problems);
    let mut groups = Vec::new();
    let mut names = BTreeMap::new();
    let mut behave = Vec::new();
    for (i, node) in entries.unwrap_or_default().iter().enumerate() {
        let Some(table) = node.table("a table `[[group]]`", &GROUP, problems) else { continue };
        let name = name_of(&table, problems);
        let color = table.get("color").and_then(|node| color(&node, problems));
        let color = color.unwrap_or(COLORS[i % COLORS.len()]);
        let def = traits(&table, problems);
        if let Some(first) = names.insert(name.clone(), i)
            && !name.is_empty()
        {
            let at = table.get("name").map_or(table.at.clone(), |node| node.at);
            let wrong = format!("is already the name of group[{first}]");
            problems.bad_value(&at, &wrong, "a name of its own");
        }
        // Faster, an agent could be carried through a wall.
        if def.speed * def.sprint / tick_rate > cell {
            let at = table.get("speed").map_or(table.at.clone(), |node| node.at);
            let speed = def.speed * def.sprint;
            let step = speed / tick_rate;
            let enough = (speed / cell).ceil();
            let wrong = format!("a speed of {speed} m/s is {step} m a tick");
            let expected = if enough <= 1000.0 {
                format!("at most one cell, {cell} m, a tick: tick_rate = {enough}, say")
            } else {
                format!("at most one cell, {cell} m, a tick")
            };
            problems.problem(&at, wrong, expected);
        }
        let goal = table.get("goal").and_then(|node| area(&node, problems));
        let opposite = opposite(&table, goal.is_some(), problems);
        let spawns = table.get("spawn").map_or(Vec::new(), |node| spawns(&node, problems));
        behave.extend(table.get("behave").map(|node| (groups.len(), node)));
        let at = table.get("radius").map_or(table.at, |node| node.at);
        let behaviours = Vec::new();
        groups.push(GroupEntry { name, color, def, behaviours, spawns, goal, opposite, at });
    }
    // They may name groups that come later.
    let names = indices(&groups);
    let mut list = |(group, node): &(usize, Node<'_>)| {
        (*group, behaviours(node, *group as u16, &names, problems))
    };
    let lists: Vec<_> = behave.iter().map(&mut list).collect();
    for (group, list) in lists {
        groups[group].behaviours = list;
    }
    groups
}

/// `opposite`: the point through which everybody goes to the other side.
fn opposite(table: &Table<'_>, has_goal: bool, problems: &mut Problems<'_>) -> Option<OppositeDef> {
    let node = table.get("opposite")?;
    if has_goal {
        let wrong = "`goal` and `opposite` contradict each other";
        problems.problem(&node.at, wrong, "exactly one of them");
    }
    let centre = point(&node, problems)?;
    Some(OppositeDef { centre, at: node.at })
}

pub(super) fn name_of(table: &Table<'_>, problems: &mut Problems<'_>) -> String {
    match table.get("name") {
        Some(node) => group_name(&node, problems),
        None => {
            table.missing("name", "a name, which orders refer to", problems);
            String::new()
        }
    }
}

pub(super) fn group_name(node: &Node<'_>, problems: &mut Problems<'_>) -> String {
    let expected = "a name of 1 to 64 characters";
    let Some(name) = node.text(expected, problems) else { return String::new() };
    if name.is_empty() || name.chars().count() > 64 || name.chars().any(char::is_control) {
        problems.bad_value(&node.at, "is not a name", expected);
        return String::new();
    }
    name.to_owned()
}

fn color(node: &Node<'_>, problems: &mut Problems<'_>) -> Option<[u8; 3]> {
    let expected = "a colour as \"#rrggbb\" in hexadecimal, as in \"#d94f4f\"";
    let text = node.text("a colour as \"#rrggbb\"", problems)?;
    let digits = text.strip_prefix('#').unwrap_or("");
    if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        problems.bad_value(&node.at, "is not a colour", expected);
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    let [_, red, green, blue] = value.to_be_bytes();
    Some([red, green, blue])
}

/// `spawn` of a group: one table or an array of them.
fn spawns(node: &Node<'_>, problems: &mut Problems<'_>) -> Vec<SpawnDef> {
    if node.value.is_table() {
        return spawn_entry(node, problems).into_iter().collect();
    }
    let what = "an array, as in [{ rect = [0, 0, 20, 10], count = 100 }]";
    let entries = node.array(what, MAX_ORDERS, problems).unwrap_or_default();
    entries.iter().filter_map(|entry| spawn_entry(entry, problems)).collect()
}

fn spawn_entry(node: &Node<'_>, problems: &mut Problems<'_>) -> Option<SpawnDef> {
    let known: Vec<&str> = AREAS.iter().copied().chain(["count"]).collect();
    let what = "a table, as in { rect = [0, 0, 20, 10], count = 100 }";
    let table = node.table(what, &known, problems)?;
    let area = area_of(&table, problems);
    spawn_of(&table, area, problems)
}

/// A spawn of `count` agents in an area; on points there is one at each.
fn spawn_of(
    table: &Table<'_>,
    area: Option<AreaDef>,
    problems: &mut Problems<'_>,
) -> Option<SpawnDef> {
    let range = [1, MAX_AGENTS];
    let node = table.get("count");
    let count = match &node {
        Some(node) => Some(node.whole("a number of agents", range, problems)?),
        None => None,
    };
    let area = area?;
    let points = area.shapes.iter().filter(|s| matches!(s, Shape::Point { .. })).count();
    let at = node.map_or(table.at.clone(), |node| node.at);
    let count = match (count, points) {
        (Some(count), 0) => count,
        (None, 0) => {
            table.missing("count", "a number of agents from 1 to 16777216", problems);
            return None;
        }
        (count, _) if points == area.shapes.len() => {
            if count.is_some_and(|count| count != points as u64) {
                let expected = format!("{points}: one agent stands at each point");
                problems.bad_value(&at, "is not the number of points", expected);
            }
            points as u64
        }
        _ => {
            let expected = "points alone, one agent at each, or shapes with an area alone";
            problems.problem(&table.at, "points are mixed with other shapes", expected);
            return None;
        }
    };
    Some(SpawnDef { area, count, at })
}

/// The names of groups, with their indices.
fn indices(groups: &[GroupEntry]) -> BTreeMap<&str, u16> {
    let mut names = BTreeMap::new();
    for (i, group) in groups.iter().enumerate() {
        names.entry(group.name.as_str()).or_insert(i as u16);
    }
    names
}

pub(super) fn orders(
    top: &Table<'_>,
    groups: &[GroupEntry],
    companies: &[CompanyEntry],
    ticks: u64,
    problems: &mut Problems<'_>,
) -> Vec<OrderEntry> {
    let Some(node) = top.get("order") else { return Vec::new() };
    let entries = node.array("`[[order]]` tables, at most 1,000,000", MAX_ORDERS, problems);
    let group_names = indices(groups);
    let mut names = BTreeMap::new();
    for (i, group) in groups.iter().enumerate() {
        names.entry(group.name.as_str()).or_insert(i);
    }
    // Companies count on behind the groups: one name space.
    let first = groups.len();
    for (i, company) in companies.iter().enumerate() {
        names.entry(company.name.as_str()).or_insert(first + i);
    }
    let mut orders = Vec::new();
    for node in entries.unwrap_or_default() {
        let Some(table) = node.table("a table `[[order]]`", &ORDER, problems) else { continue };
        let tick = order_tick(&table, ticks, problems);
        let Some(verb) = one_of(&table, &VERBS, problems) else { continue };
        let named = table.get(verb).and_then(|node| group_of(&node, &names, problems));
        let target = named.map(|named| match named.checked_sub(first) {
            Some(company) => OrderTarget::Company(company as u16),
            None => OrderTarget::Group(named as u16),
        });
        if let Some(target) = target {
            check_target(&table, verb, target, problems);
        }
        let kind = match (verb, target) {
            ("behave", Some(OrderTarget::Group(group))) => {
                behave(&table, group, &group_names, problems)
            }
            ("behave", _) => None,
            _ => order_kind(&table, verb, problems),
        };
        if let (Some(tick), Some(target), Some(kind)) = (tick, target, kind) {
            orders.push(OrderEntry { tick, target, kind });
        }
    }
    orders
}

fn order_tick(table: &Table<'_>, ticks: u64, problems: &mut Problems<'_>) -> Option<u64> {
    let Some(node) = table.get("tick") else {
        table.missing("tick", "the tick at which the order is carried out", problems);
        return None;
    };
    let tick = node.whole("a tick", [0, MAX_TICKS], problems)?;
    if tick >= ticks {
        let wrong = format!("is beyond the run, whose last tick is {}", ticks - 1);
        problems.bad_value(&node.at, &wrong, format!("a tick from 0 to {}", ticks - 1));
        return None;
    }
    Some(tick)
}

/// Reports what groups, or companies, cannot be ordered to do.
fn check_target(table: &Table<'_>, verb: &str, target: OrderTarget, problems: &mut Problems<'_>) {
    let (wrong, expected) = match (target, verb) {
        (OrderTarget::Company(_), "spawn" | "remove" | "behave") => {
            ("is a company", "the name of one of its groups")
        }
        (OrderTarget::Group(_), "form") => ("is a group", "the name of a company"),
        (OrderTarget::Company(_), _) if table.get("opposite").is_some() => {
            ("is a company, which takes no `opposite`", "a `goal`, or the name of a group")
        }
        _ => return,
    };
    if let Some(node) = table.get(verb) {
        problems.bad_value(&node.at, wrong, expected);
    }
}

/// How the group of an order is to behave.
fn behave(
    table: &Table<'_>,
    group: u16,
    names: &BTreeMap<&str, u16>,
    problems: &mut Problems<'_>,
) -> Option<OrderEntryKind> {
    takes_alone(table, "behave", &["behaviours"], problems);
    let Some(node) = table.get("behaviours") else {
        table.missing("behaviours", "an array of behaviours, [] for none", problems);
        return None;
    };
    Some(OrderEntryKind::Behave(behaviours(&node, group, names, problems)))
}

/// Reports keys that a verb does not take.
fn takes_alone(table: &Table<'_>, verb: &str, takes: &[&str], problems: &mut Problems<'_>) {
    for key in table.present(&WITH) {
        if !takes.contains(&key) {
            let at = table.get(key).map_or(Place::default(), |node| node.at);
            let wrong = format!("`{verb}` takes no `{key}`");
            let expected = match takes {
                [] => format!("`tick` and `{verb}` alone"),
                _ => format!("{} beside `tick` and `{verb}`", quoted(takes)),
            };
            problems.problem(&at, wrong, expected);
        }
    }
}

/// The number of what a key names.
pub(super) fn group_of<T: Copy>(
    node: &Node<'_>,
    names: &BTreeMap<&str, T>,
    problems: &mut Problems<'_>,
) -> Option<T> {
    let name = node.text("the name of a group", problems)?;
    if let Some(&found) = names.get(name) {
        return Some(found);
    }
    let known = names.keys().copied().take(if problems.is_full() { 0 } else { names.len() });
    let expected = match nearest(name, known) {
        Some(meant) => format!("\"{meant}\", if that is what you meant"),
        None => {
            let some: Vec<&str> = names.keys().copied().take(8).collect();
            format!("one of {}{}", quoted(&some), if names.len() > 8 { ", …" } else { "" })
        }
    };
    problems.bad_value(&node.at, "is not the name of a group", shorten(&expected));
    None
}

fn order_kind(
    table: &Table<'_>,
    verb: &str,
    problems: &mut Problems<'_>,
) -> Option<OrderEntryKind> {
    let takes: &[&str] = match verb {
        "move" => &["goal", "opposite"],
        "stop" => &[],
        "spawn" => &["area", "count"],
        "form" => &["formation"],
        _ => &["area"],
    };
    takes_alone(table, verb, takes, problems);
    let area_at = |key: &str, needed: bool, problems: &mut Problems<'_>| match table.get(key) {
        Some(node) => area(&node, problems),
        None => {
            if needed {
                let expected = "an area, as in { rect = [0, 0, 10, 5] }";
                table.missing(key, expected, problems);
            }
            None
        }
    };
    match verb {
        "move" => {
            let has_goal = table.get("goal").is_some();
            if let Some(opposite) = opposite(table, has_goal, problems) {
                return Some(OrderEntryKind::Opposite(opposite));
            }
            Some(OrderEntryKind::Move(area_at("goal", true, problems)?))
        }
        "stop" => Some(OrderEntryKind::Stop),
        "form" => {
            if table.get("formation").is_none() {
                table.missing("formation", "a formation, as in \"wedge\"", problems);
            }
            formation(table, problems).map(OrderEntryKind::Form)
        }
        "spawn" => {
            let area = area_at("area", true, problems);
            Some(OrderEntryKind::Spawn(spawn_of(table, area, problems)?))
        }
        _ => {
            let area = area_at("area", false, problems);
            let whole = table.get("area").is_none();
            (whole || area.is_some()).then_some(OrderEntryKind::Remove(area))
        }
    }
}
