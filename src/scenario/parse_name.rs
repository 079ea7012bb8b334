//! Names, colours, and what keys name.

use std::collections::BTreeMap;

use crate::data::definition::Key;
use crate::data::number::thousands;
use crate::scenario::error::shorten;
use crate::scenario::read::{Node, Table, quoted};
use crate::scenario::suggest::nearest;

/// The name of a table.
pub(super) fn name_of(table: &Table<'_>) -> String {
    let node = table.needed("name", "a name of its own");
    node.map_or(String::new(), |node| group_name(&node))
}

/// The names of some tables, each with the number of the first that has it.
#[derive(Debug, Default)]
pub(super) struct Taken {
    names: BTreeMap<String, usize>,
    tables: usize,
}

/// The name of a table `[[what]]`, which no other of them has.
pub(super) fn own_name(table: &Table<'_>, what: &str, taken: &mut Taken) -> String {
    let name = name_of(table);
    let first = *taken.names.entry(name.clone()).or_insert(taken.tables);
    if first < taken.tables && !name.is_empty() {
        let wrong = format!("is already the name of {what}[{first}]");
        table.bad_value("name", &wrong, "a name of its own");
    }
    taken.tables += 1;
    name
}

/// Names with what their numbers stand for, the first of equal ones.
pub(super) fn indices<'a, T: From<u16>>(
    all: impl Iterator<Item = &'a str>,
) -> BTreeMap<&'a str, T> {
    let mut names = BTreeMap::new();
    for (name, index) in all.zip(0_u16..) {
        names.entry(name).or_insert_with(|| index.into());
    }
    names
}

/// The names of tables that have not been read yet, with their numbers, the first of equal ones.
pub(super) fn names_of<'a, T: TryFrom<usize>>(nodes: &[Node<'a>]) -> BTreeMap<&'a str, T> {
    let mut names = BTreeMap::new();
    for (i, node) in nodes.iter().enumerate() {
        if let (Some(name), Ok(number)) = (node.text_at("name"), i.try_into()) {
            names.entry(name).or_insert(number);
        }
    }
    names
}

pub(super) fn group_name(node: &Node<'_>) -> String {
    let expected = "a name of 1 to 64 characters";
    let Some(name) = node.text(expected) else { return String::new() };
    if name.is_empty() || name.chars().count() > 64 || name.chars().any(char::is_control) {
        node.bad_value("is not a name", expected);
        return String::new();
    }
    name.to_owned()
}

pub(super) fn color(node: &Node<'_>) -> Option<[u8; 3]> {
    let expected = "a colour as \"#rrggbb\" in hexadecimal, as in \"#d94f4f\"";
    let text = node.text("a colour as \"#rrggbb\"")?;
    let digits = text.strip_prefix('#').unwrap_or("");
    if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        node.bad_value("is not a colour", expected);
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    let [_, red, green, blue] = value.to_be_bytes();
    Some([red, green, blue])
}

/// The number of what a key names; `what` is a weapon, say.
pub(super) fn named<T: Copy>(node: &Node<'_>, what: &str, names: &BTreeMap<&str, T>) -> Option<T> {
    let name = node.text(&format!("the name of a {what}"))?;
    if let Some(&found) = names.get(name) {
        return Some(found);
    }
    let known = names.keys().copied().take(if node.problems.is_full() { 0 } else { names.len() });
    let expected = match nearest(name, known) {
        Some(meant) => format!("\"{meant}\", if that is what you meant"),
        None if names.is_empty() => format!("a `[[{what}]]` of that name"),
        None => {
            let some: Vec<&str> = names.keys().copied().take(8).collect();
            format!("one of {}{}", quoted(&some), if names.len() > 8 { ", …" } else { "" })
        }
    };
    node.bad_value(&format!("is not the name of a {what}"), shorten(&expected));
    None
}

/// The number of the group that a key names.
pub(super) fn group_of<T: Copy>(node: &Node<'_>, names: &BTreeMap<&str, T>) -> Option<T> {
    named(node, "group", names)
}

/// The number of the group that a key names, which must be there.
pub(super) fn needed_group<T: Copy>(
    table: &Table<'_>,
    key: &str,
    names: &BTreeMap<&str, T>,
) -> Option<T> {
    let node = table.needed(key, "the name of a group")?;
    group_of(&node, names)
}

/// A time in seconds as ticks, one at the least and `most` of them.
pub(super) fn ticks_of(table: &Table<'_>, key: &Key, [tick_rate, most]: [u32; 2]) -> u32 {
    let rate = f64::from(tick_rate);
    let ticks = (table.key(key) * rate + 0.5).floor().max(1.0);
    if ticks > f64::from(most) {
        let expected =
            format!("at most {} ticks, {} s", thousands(most.into()), f64::from(most) / rate);
        table.bad_value(key.name, &format!("is {ticks} ticks"), expected);
        return most;
    }
    ticks as u32
}
