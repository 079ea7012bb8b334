//! What follows from declared definitions: their tables in `docs/scenario.md`, and that keys refuse what
//! they do not take.

use super::{SPAWN, section};
use crate::data::definition::{Definition, Field, Letters, Limits, Takes};
use crate::generate::{Cave, Connect, LayRoads, Noise, Placing, Ramp, Rooms, Walker};
use crate::scenario::ScenarioDef;
use crate::scenario::read::{expected, expected_whole, quoted};
use crate::world::{
    Exit, ExitsDef, FollowDef, GroupDef, Settings, SourceDef, StructureDef, WeaponDef,
};

/// The definitions, each with its section and a scenario whose last table takes its keys.
const TABLES: [(&str, Lister, &str); 8] = [
    ("`[[group]]`", list::<GroupDef>, ""),
    ("`[[weapon]]`", list::<WeaponDef>, "[[weapon]]\nname = \"w\"\n"),
    ("`[settings]`", list::<Settings>, "[settings]\n"),
    ("`[[source]]`", list::<SourceDef>, SOURCE),
    ("`[[structure]]`", list::<StructureDef>, STRUCTURE),
    ("`[[group]]`", list::<Exit>, "[[group.exits]]\npoint = [5, 5]\n"),
    ("`[[group]]`", list::<ExitsDef>, "exits = [{ point = [5, 5] }]\n[group.choice]\n"),
    ("`[[group]]`", list::<FollowDef>, FOLLOWERS),
];

/// A source that lacks nothing.
const SOURCE: &str = "[[source]]\nname = \"s\"\ngroup = \"a\"\npoint = [5, 5]\nrate = 1\n";

/// A group that follows another one.
const FOLLOWERS: &str = "[[group]]\nname = \"b\"\n[group.follow]\ngroup = \"a\"\n";

/// A structure that lacks nothing.
const STRUCTURE: &str = "[[structure]]\nname = \"s\"\nrect = [5, 5, 6, 6]\n";

type Lister = fn() -> Vec<(&'static Field, f64)>;

/// The keys of a definition with their defaults.
fn list<D: Definition>() -> Vec<(&'static Field, f64)> {
    let all = D::FIELDS.iter().zip(D::default().numbers());
    all.filter(|(field, _)| !matches!(field.takes, Takes::Unsaid { .. })).collect()
}

/// A number with a comma at every thousand.
fn grouped(number: f64) -> String {
    let text = format!("{number}");
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let digits: Vec<&str> =
        whole.as_bytes().rchunks(3).rev().map(|part| std::str::from_utf8(part).unwrap()).collect();
    digits.join(",") + rest
}

/// The row of a field: key, type, range, default and meaning.
fn row((field, default): &(&Field, f64)) -> String {
    let or = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
        let (last, others) = words.split_last().unwrap();
        format!("{} or {last}", others.join(", "))
    };
    let range = |low: f64, high: f64| format!("{} to {}", grouped(low), grouped(high));
    let (kind, range, default) = match field.takes {
        Takes::Number(Limits { what, low, high, above }) => {
            let unit = what.split_once(" in ").map_or(String::new(), |(_, unit)| {
                format!(", {}", unit.replace("metres", "m").replace("seconds", "s"))
            });
            let range = format!("{}{}", if above { "above " } else { "" }, range(low, high));
            let default =
                if default.is_finite() { format!("{default:?}") } else { "none".to_owned() };
            (format!("number{unit}"), range, default)
        }
        Takes::Whole { low, high, .. } => {
            ("whole number".to_owned(), range(low as f64, high as f64), grouped(*default))
        }
        Takes::Truth => {
            ("`true` or `false`".to_owned(), String::new(), format!("`{}`", *default == 1.0))
        }
        Takes::Word(words) => {
            let word = words.get(*default as usize).filter(|_| *default >= 0.0);
            let default = word.map_or("none".to_owned(), |word| format!("`\"{word}\"`"));
            (or(words), String::new(), default)
        }
        Takes::Letter(letters) => {
            let range = match letters {
                Letters::All => "",
                Letters::Open => "no wall",
                Letters::Walls => "a wall",
            };
            let letter = || format!("`{}`", char::from(*default as u8));
            let default = if *default < 0.0 { "none".to_owned() } else { letter() };
            ("letter".to_owned(), range.to_owned(), default)
        }
        Takes::Set { of, count } => {
            assert_eq!(*default, f64::from(u32::MAX), "all, as the table says");
            (format!("array of {of}s"), format!("0 to {} each", count - 1), "all".to_owned())
        }
        Takes::Name { of, .. } => (format!("name of a {of}"), String::new(), "none".to_owned()),
        Takes::Unsaid { .. } => unreachable!("no key"),
    };
    let meaning = field.meaning.trim().trim_end_matches('.');
    let mut letters = meaning.chars();
    let first = letters.next().unwrap().to_lowercase();
    let meaning: String = first.chain(letters).collect();
    let range = if range.is_empty() { range } else { format!(" {range}") };
    format!("| `{}` | {kind} |{range} | {default} | {meaning} |\n", field.key)
}

#[test]
fn the_tables_are_those_of_the_declarations() {
    let table = |(heading, fields, _): (_, Lister, _)| {
        let rows: String = fields().iter().map(row).collect();
        (!section(heading).contains(&rows))
            .then(|| format!("{heading} of docs/scenario.md should say:\n{rows}"))
    };
    let wrong: Vec<String> = TABLES.into_iter().filter_map(table).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_rows_of_steps_are_those_of_the_declarations() {
    let steps: [(&str, Lister); 8] = [
        ("| `noise` ", list::<Noise>),
        ("| `ramp` ", list::<Ramp>),
        ("| `cave` ", list::<Cave>),
        ("| `rooms` ", list::<Rooms>),
        ("| `places`, `scatter` ", list::<Placing>),
        ("| `roads` ", list::<LayRoads>),
        ("| `connect` ", list::<Connect>),
        ("", list::<Walker>),
    ];
    let body = section("`[map.generate]`");
    let rows = steps.iter().flat_map(|(kinds, fields)| {
        fields().iter().map(|field| format!("{kinds}{}", row(field))).collect::<Vec<_>>()
    });
    let wrong: String = rows.filter(|row| !body.contains(&format!("\n{row}"))).collect();
    assert!(wrong.is_empty(), "docs/scenario.md should say:\n{wrong}");
}

/// Values that a key refuses, each with what is wrong and what would be right.
fn refused(field: &Field) -> Vec<(String, String, String)> {
    let text = || "\"?\"".to_owned();
    match field.takes {
        Takes::Number(limits) => {
            let Limits { low, high, above, .. } = limits;
            let below = if above { format!("not above {low}") } else { format!("below {low}") };
            let wrong = [
                (format!("{}", low - 1.0), below),
                (format!("{}", high + 1.0), format!("above {high}")),
                ("nan".to_owned(), "not a finite number".to_owned()),
                (text(), "a text".to_owned()),
            ];
            wrong.map(|(value, wrong)| (value, wrong, expected(&limits))).to_vec()
        }
        Takes::Whole { what, low, high } => {
            let wrong = [
                ("-1".to_owned(), format!("below {low}")),
                (format!("{}", high + 1), format!("above {high}")),
                (format!("{low}.5"), "not a whole number".to_owned()),
                (text(), "a text".to_owned()),
            ];
            wrong.map(|(value, wrong)| (value, wrong, expected_whole(what, [low, high]))).to_vec()
        }
        Takes::Truth => {
            vec![("1".to_owned(), "a number".to_owned(), "true or false".to_owned())]
        }
        Takes::Word(words) => {
            let one = format!("one of {}", quoted(words));
            let meant = format!("\"{}\", if that is what you meant", words[0]);
            vec![
                (text(), format!("no {}", field.key), one.clone()),
                ("1".to_owned(), "a number".to_owned(), format!("{one}, a text in quotes")),
                (format!("\"{}x\"", words[0]), format!("no {}", field.key), meant),
            ]
        }
        Takes::Set { of, .. } => {
            let array = format!("an array of {of}s, as in [0, 2]");
            vec![("1".to_owned(), "a number".to_owned(), array)]
        }
        Takes::Name { of, .. } => {
            let name = format!("the name of a {of}, a text in quotes");
            vec![("1".to_owned(), "a number".to_owned(), name)]
        }
        Takes::Letter(_) => {
            let letter = "a letter of the map, as in \".\"".to_owned();
            vec![("\"..\"".to_owned(), "not one letter".to_owned(), letter)]
        }
        Takes::Unsaid { .. } => unreachable!("no key"),
    }
}

#[test]
fn every_key_refuses_what_it_does_not_take() {
    for (heading, fields, table) in TABLES {
        for (field, _) in fields() {
            let key = field.key;
            let mut cases: Vec<(String, usize, String, String)> = refused(field)
                .into_iter()
                .map(|(value, wrong, expected)| {
                    (
                        format!("{key} = {value}"),
                        key.len() + 4,
                        format!("{value} is {wrong}"),
                        expected,
                    )
                })
                .collect();
            let meant = format!("`{key}`, if that is what you meant");
            cases.push((format!("{key}x = 1"), 1, "there is no such key".to_owned(), meant));
            for (line, column, wrong, expected) in cases {
                let text = format!("ticks = 1\n[map]\nsize = [9, 9]\n{SPAWN}{table}{line}\n");
                let error = ScenarioDef::parse(&text, "bad.toml").expect_err(&line);
                let first = error.first();
                assert!(first.key.ends_with(key) || column == 1, "{heading}: {error}");
                let at = (first.line as usize, first.column as usize);
                assert_eq!(at, (text.lines().count(), column), "{line}: {error}");
                let found = (&first.wrong, &first.expected);
                assert_eq!(found, (&wrong, &expected), "{line}");
            }
        }
    }
}
