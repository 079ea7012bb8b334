//! Keys of a scenario that get another value than the file's, by their paths.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::scenario::error::{Place, Problem, Problems};
use crate::scenario::suggest::nearest;

/// Names of array entries that a message lists at most.
const LISTED: usize = 8;
/// The part of a path that names all entries of an array.
const EVERY: &str = "*";

/// A key of a scenario and its value in place of the file's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Path of the key, as in `settings.crowding_ticks` or `group.0.speed`. An entry of an array is named
    /// by its index from 0 or by its `name`: `group.visitors.speed`; `*` names all of them. A part with a
    /// dot in it stands in double quotes.
    pub path: String,
    /// The value as TOML.
    pub value: String,
}

/// A scenario's text with assignments behind it, each from a line of its own on, so that their values
/// have places as the values of the file have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedText {
    /// The text of the file, then `path = value` for every assignment.
    pub text: String,
    /// Bytes of the text that are the file's.
    file: usize,
    /// Where each assignment stands: its path and its value.
    places: Vec<[Range<usize>; 2]>,
}

impl AssignedText {
    /// A file's text and what is assigned; of two values of one key the later one holds.
    pub fn new(text: &str, assignments: &[Assignment]) -> Self {
        let (mut all, mut places) = (text.to_owned(), Vec::new());
        for Assignment { path, value } in assignments {
            if !all.is_empty() && !all.ends_with('\n') {
                all.push('\n');
            }
            let start = all.len();
            let value_start = start + path.len() + 3;
            all.push_str(&format!("{path} = {value}\n"));
            places.push([start..start + path.len(), value_start..value_start + value.len()]);
        }
        Self { text: all, file: text.len(), places }
    }

    /// The assignment that a problem is about; `None` when it is about the file.
    pub fn assignment_of(&self, problem: &Problem) -> Option<usize> {
        let start = problem.span.start;
        self.places.iter().position(|[path, value]| (path.start..=value.end).contains(&start))
    }

    /// The file's own text.
    pub(super) fn file_text(&self) -> &str {
        &self.text[..self.file]
    }

    /// Puts the values into the tables of the file.
    pub(super) fn assign<'a>(&'a self, top: &mut DeTable<'a>, problems: &Problems<'_>) {
        for [path, value] in &self.places {
            let at = |key: &str| Place { span: path.clone(), key: key.to_owned() };
            let place = Place { span: value.clone(), key: self.text[path.clone()].to_owned() };
            let parts = match parts(&self.text[path.clone()]) {
                Ok(parts) => parts,
                Err(why) => {
                    problems.problem(&at(""), why, "a path, as in `group.0.speed`");
                    continue;
                }
            };
            match DeValue::parse(&self.text[value.clone()]) {
                Ok(parsed) => {
                    let parsed = moved(parsed, value.start);
                    if let Err((wrong, expected)) = set(top, &parts, path, parsed) {
                        problems.problem(&at(&place.key), wrong, expected);
                    }
                }
                Err(_) => problems.bad_value(&place, "is no value", "a value as TOML has it"),
            }
        }
    }
}

/// The parts of a path; of `a[0].b` as of `a.0.b`.
fn parts(path: &str) -> Result<Vec<String>, String> {
    let (mut parts, mut part, mut is_quoted) = (Vec::new(), String::new(), false);
    for letter in path.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '.' | '[' if !is_quoted => parts.push(std::mem::take(&mut part)),
            ']' if !is_quoted => {}
            letter => part.push(letter),
        }
    }
    parts.push(part);
    if is_quoted {
        return Err("a quotation mark is not closed".to_owned());
    }
    if parts.iter().any(|part| part.trim().is_empty()) {
        return Err("a part of the path is empty".to_owned());
    }
    Ok(parts.iter().map(|part| part.trim().to_owned()).collect())
}

/// A value whose places count from another byte on.
fn moved<'a>(value: Spanned<DeValue<'a>>, by: usize) -> Spanned<DeValue<'a>> {
    let span = value.span();
    let value = match value.into_inner() {
        DeValue::Array(array) => {
            let mut shifted = DeArray::new();
            array.into_iter().for_each(|entry| shifted.push(moved(entry, by)));
            DeValue::Array(shifted)
        }
        DeValue::Table(table) => {
            let mut shifted = DeTable::new();
            for (key, value) in table {
                let span = key.span().start + by..key.span().end + by;
                shifted.insert(Spanned::new(span, key.into_inner()), moved(value, by));
            }
            DeValue::Table(shifted)
        }
        plain => plain,
    };
    Spanned::new(span.start + by..span.end + by, value)
}

/// Sets a key below a table; tables that are not there are made. Else what is wrong, and what would
/// be right.
fn set<'a>(
    table: &mut DeTable<'a>,
    parts: &[String],
    path: &Range<usize>,
    value: Spanned<DeValue<'a>>,
) -> Result<(), (String, String)> {
    let [first, rest @ ..] = parts else { return Ok(()) };
    let key = Spanned::new(path.clone(), first.clone().into());
    if rest.is_empty() {
        // The place of a key is that of its first mention, so an older one goes.
        table.remove(first.as_str());
        table.insert(key, value);
        return Ok(());
    }
    if !table.contains_key(first.as_str()) {
        let made = Spanned::new(path.clone(), DeValue::Table(DeTable::new()));
        table.insert(key, made);
    }
    let found = table.get_mut(first.as_str()).expect("it is there or was made");
    below(found, first, rest, path, value)
}

/// Sets what `parts` name below a value.
fn below<'a>(
    found: &mut Spanned<DeValue<'a>>,
    name: &str,
    parts: &[String],
    path: &Range<usize>,
    value: Spanned<DeValue<'a>>,
) -> Result<(), (String, String)> {
    let [first, rest @ ..] = parts else {
        *found = value;
        return Ok(());
    };
    match found.get_mut() {
        DeValue::Table(table) => set(table, parts, path, value),
        DeValue::Array(array) if first == EVERY && !array.is_empty() => {
            for found in array.iter_mut() {
                below(found, first, rest, path, value.clone())?;
            }
            Ok(())
        }
        DeValue::Array(array) => {
            let index = entry(array, name, first)?;
            let found = array.get_mut(index).expect("an index of an entry");
            below(found, first, rest, path, value)
        }
        _ => Err((format!("`{name}` has no keys, so no `{first}`"), "a shorter path".to_owned())),
    }
}

/// The index of an entry that a part of a path names.
fn entry(array: &DeArray<'_>, name: &str, part: &str) -> Result<usize, (String, String)> {
    let named =
        |entry: &Spanned<DeValue<'_>>| match entry.get_ref().as_table()?.get("name")?.get_ref() {
            DeValue::String(name) => Some(name.to_string()),
            _ => None,
        };
    let names: Vec<Option<String>> = array.iter().map(named).collect();
    if let Some(index) = names.iter().position(|name| name.as_deref() == Some(part)) {
        return Ok(index);
    }
    if let Some(index) = part.parse().ok().filter(|&index: &usize| index < array.len()) {
        return Ok(index);
    }
    let names: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
    let expected = match (nearest(part, names.iter().copied()), array.len()) {
        (Some(meant), _) => format!("`{meant}`, if that is what you meant"),
        (None, 0) => "an array with entries".to_owned(),
        (None, entries) => {
            let indices =
                if entries == 1 { "0".to_owned() } else { format!("0 to {}", entries - 1) };
            let listed: Vec<&str> = names.iter().copied().take(LISTED).collect();
            let or = if listed.is_empty() { String::new() } else { ", or ".to_owned() };
            format!("{indices}{or}{}", listed.join(", "))
        }
    };
    Err((format!("`{name}` has no entry `{part}`"), expected))
}

#[cfg(test)]
mod tests {
    use super::{AssignedText, Assignment, parts};
    use crate::scenario::ScenarioDef;

    const TEXT: &str = "ticks = 400\n[map]\nsize = [40, 20]\n[[group]]\nname = \"walkers\"\n\
        spawn = [{ rect = [1, 1, 15, 19], count = 100 }]\ngoal = { disc = [32, 10, 6] }\n\
        [[group]]\nname = \"north.door\"\nspawn = { rect = [1, 1, 15, 19], count = 5 }";

    fn assigned(pairs: &[(&str, &str)]) -> AssignedText {
        let assignment = |&(path, value): &(&str, &str)| Assignment {
            path: path.to_owned(),
            value: value.to_owned(),
        };
        AssignedText::new(TEXT, &pairs.iter().map(assignment).collect::<Vec<_>>())
    }

    #[test]
    fn keys_are_changed_and_added_wherever_they_are() {
        let text = assigned(&[
            ("ticks", "77"),
            ("group.0.speed", "1.25"),
            ("group[1].speed", "2.0"),
            ("group.walkers.radius", "0.4"),
            ("group.\"north.door\".radius", "0.6"),
            ("group.0.spawn.0.count", "7"),
            ("settings.crowding_ticks", "31"),
            ("end", "{ arrived = 0.5 }"),
            ("map.walls", "[{ rect = [19, 0, 21, 8] }]"),
            ("ticks", "78"),
        ]);
        let def = ScenarioDef::parse_assigned(&text, "f").unwrap();
        assert_eq!((def.ticks, def.settings.crowding_ticks), (78, 31));
        assert_eq!(def.end.arrived, Some(0.5));
        let [walkers, others] = &def.groups[..] else { panic!("two groups") };
        assert_eq!((walkers.def.speed, walkers.def.radius), (1.25, 0.4));
        assert_eq!((others.def.speed, others.def.radius), (2.0, 0.6));
        assert_eq!((walkers.spawns[0].count, def.map.paint.len()), (7, 1));
    }

    #[test]
    fn a_star_names_all_entries() {
        let text = assigned(&[("group.*.speed", "2.5"), ("group.0.speed", "0.5")]);
        let def = ScenarioDef::parse_assigned(&text, "f").unwrap();
        assert_eq!(def.groups.iter().map(|g| g.def.speed).collect::<Vec<_>>(), [0.5, 2.5]);
    }

    #[test]
    fn what_is_not_assigned_stays() {
        let plain = ScenarioDef::parse(TEXT, "f").unwrap();
        let same = ScenarioDef::parse_assigned(&assigned(&[]), "f").unwrap();
        assert_eq!(format!("{plain:?}"), format!("{same:?}"));
    }

    #[test]
    fn problems_name_the_assignment() {
        for (path, value, words) in [
            ("group.0.speed", "-3", "-3 is below 0.01"),
            ("group.0.sped", "1.0", "there is no such key"),
            ("group.walker.speed", "1.0", "`group` has no entry `walker`; expected `walkers`, if"),
            ("group.7.speed", "1.0", "expected 0 to 1, or walkers, north.door"),
            ("group.*.speed", "-3", "-3 is below 0.01"),
            ("group.*.spawn.7.count", "3", "`spawn` has no entry `7`"),
            ("settings.*.x", "3", "there is no such key"),
            ("ticks.x", "1", "`ticks` has no keys, so no `x`"),
            ("group..speed", "1.0", "a part of the path is empty"),
            ("group.\"x", "1.0", "a quotation mark is not closed"),
            ("ticks", "1 2", "1 2 is no value"),
            ("ticks", "", "is no value"),
            ("end", "{ arived = 0.5 }", "there is no such key"),
        ] {
            let text = assigned(&[("group.0.color", "\"#e69f00\""), (path, value)]);
            let error = ScenarioDef::parse_assigned(&text, "f").unwrap_err();
            assert!(error.to_string().contains(words), "{path}: {error}");
            assert_eq!(text.assignment_of(error.first()), Some(1), "{error}");
        }
        let text = AssignedText::new(
            "ticks = -1\n[map]\nsize = [9, 9]\n[[group]]\nspawn = { disc = [4, 4, 2], count = 1 }",
            &[],
        );
        let error = ScenarioDef::parse_assigned(&text, "f").unwrap_err();
        assert_eq!((text.assignment_of(error.first()), error.first().line), (None, 1));
    }

    #[test]
    fn paths_have_parts() {
        assert_eq!(parts("a.0.b").unwrap(), parts("a[0].b").unwrap());
        assert_eq!(parts("a.\"b.c\".d").unwrap(), ["a", "b.c", "d"]);
    }
}
