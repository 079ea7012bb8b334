//! Names, colours, and what keys name.

use std::collections::BTreeMap;

use crate::scenario::error::{Problems, shorten};
use crate::scenario::read::{Node, Table, quoted};
use crate::scenario::suggest::nearest;

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

pub(super) fn color(node: &Node<'_>, problems: &mut Problems<'_>) -> Option<[u8; 3]> {
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

/// The number of what a key names; `what` is a weapon, say.
pub(super) fn named<T: Copy>(
    node: &Node<'_>,
    what: &str,
    names: &BTreeMap<&str, T>,
    problems: &mut Problems<'_>,
) -> Option<T> {
    let name = node.text(&format!("the name of a {what}"), problems)?;
    if let Some(&found) = names.get(name) {
        return Some(found);
    }
    let known = names.keys().copied().take(if problems.is_full() { 0 } else { names.len() });
    let expected = match nearest(name, known) {
        Some(meant) => format!("\"{meant}\", if that is what you meant"),
        None if names.is_empty() => format!("a `[[{what}]]` of that name"),
        None => {
            let some: Vec<&str> = names.keys().copied().take(8).collect();
            format!("one of {}{}", quoted(&some), if names.len() > 8 { ", …" } else { "" })
        }
    };
    problems.bad_value(&node.at, &format!("is not the name of a {what}"), shorten(&expected));
    None
}

/// The number of the group that a key names.
pub(super) fn group_of<T: Copy>(
    node: &Node<'_>,
    names: &BTreeMap<&str, T>,
    problems: &mut Problems<'_>,
) -> Option<T> {
    named(node, "group", names, problems)
}
