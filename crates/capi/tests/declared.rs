//! The definitions of C follow from the engine's declarations: `src/defs.rs` and `src/traffic_defs.rs` are
//! made here. With `THRONG_BLESS=1` they are written.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use throng::data::definition::{Definition, Field, Limits, Takes};
use throng::{Exit, ExitsDef, FollowDef, GroupDef, Settings, SourceDef, StructureDef, WeaponDef};

/// A definition: its names in Rust and in C, what it is, and fields beside those of the declaration.
struct Made {
    name: &'static str,
    engine: &'static str,
    maker: &'static str,
    what: &'static str,
    beside: &'static [(&'static str, &'static str, &'static str, &'static str)],
}

const GROUP: Made = Made {
    name: "ThrongGroupDef",
    engine: "GroupDef",
    maker: "group",
    what: "What the agents of a group are like. Lengths in metres, times in seconds.",
    beside: &[
        (
            "terrain",
            "*const ThrongTerrainCost",
            "ptr::null()",
            "What letters of the map cost them, where that is not what the map says.",
        ),
        ("terrain_count", "usize", "0", "How many letters there are."),
    ],
};
const WEAPON: Made = Made {
    name: "ThrongWeaponDef",
    engine: "WeaponDef",
    maker: "weapon",
    what: "What a group shoots with. Lengths in metres, times in seconds.",
    beside: &[],
};
const SETTINGS: Made = Made {
    name: "ThrongSettings",
    engine: "Settings",
    maker: "settings",
    what: "Settings of a simulation; they never change while it runs.",
    beside: &[
        ("seed", "u64", "1", "Seed of all randomness."),
        ("numeric", "u32", "0", "The number type: `THRONG_NUMERIC_F32` or `THRONG_NUMERIC_FIXED`."),
    ],
};

const SOURCE: Made = Made {
    name: "ThrongSourceDef",
    engine: "SourceDef",
    maker: "source",
    what: "How the agents of a source come. Times in seconds from tick 0.",
    beside: &[
        ("rate", "f64", "0.0", "Agents a second, where there are no `entries`."),
        ("batches", "u8", "0", "Whether `entries` are batches and not rates: 1 or 0."),
        ("entries", "*const ThrongInflow", "ptr::null()", "Rates or batches, by ascending time."),
        ("entry_count", "usize", "0", "How many entries there are."),
    ],
};
const EXIT: Made = Made {
    name: "ThrongExit",
    engine: "Exit",
    maker: "exit",
    what: "An exit.",
    beside: &[
        ("area", "*const ThrongShape", "ptr::null()", "Where it is."),
        ("area_count", "usize", "0", "How many shapes there are."),
    ],
};
const EXITS: Made = Made {
    name: "ThrongExitsDef",
    engine: "ExitsDef",
    maker: "exits",
    what: "How the agents of a group choose among exits.",
    beside: &[
        ("exits", "*const ThrongExit", "ptr::null()", "The exits, at least one."),
        ("exit_count", "usize", "0", "How many exits there are."),
    ],
};
const FOLLOW: Made = Made {
    name: "ThrongFollowDef",
    engine: "FollowDef",
    maker: "follow",
    what: "How the agents of a group follow others. Lengths in metres.",
    beside: &[
        (
            "leaders",
            "ThrongGroupId",
            "NO_GROUP",
            "Each follows one agent of this group, unless `has_agent`.",
        ),
        ("has_agent", "u8", "0", "Whether all follow `agent`: 1 or 0."),
        ("agent", "ThrongAgentId", "NOBODY", "The one that all follow."),
    ],
};
const STRUCTURE: Made = Made {
    name: "ThrongStructureDef",
    engine: "StructureDef",
    maker: "structure",
    what: "What a wall with hit points is like.",
    beside: &[],
};

/// The type of a field; what is no number goes as a whole one, so that no value is undefined.
fn kind(field: &Field, default: f64) -> &'static str {
    match field.takes {
        Takes::Number(_) => "f64",
        Takes::Truth => "u8",
        _ if default < 0.0 => "i32",
        Takes::Whole { high, .. } | Takes::Unsaid { high, .. } if high >> 32 > 0 => "u64",
        _ => "u32",
    }
}

/// What a field takes, for people.
fn takes(field: &Field, default: f64) -> String {
    match field.takes {
        Takes::Number(Limits { what, low, high, above }) => {
            let above = if above { "above " } else { "" };
            format!("{}, {above}{low} to {high}; default {default}", what.trim_end_matches(','))
        }
        Takes::Whole { what, low, high } => format!("{what}, {low} to {high}; default {default}"),
        Takes::Unsaid { low, high } => format!("{low} to {high}; default {default}"),
        Takes::Truth => format!("1 or 0; default {default}"),
        Takes::Word(words) => {
            let names = words.iter().map(|word| format!("`{}`", constant(field, word)));
            let names: Vec<String> = names.collect();
            format!("{}; default {}", names.join(", "), names[default as usize])
        }
        Takes::Letter(_) => format!("the byte of a letter of the map; default {default}"),
        Takes::Set { of, count } => format!("a bit for each of {count} {of}s; default {default}"),
        Takes::Name { of, .. } if default < 0.0 => {
            format!("index of a {of}, or -1; default {default}")
        }
        Takes::Name { of, most } => format!("index of a {of}, up to {most}; default {default}"),
    }
}

fn constant(field: &Field, word: &str) -> String {
    format!("THRONG_{}_{}", field.key, word.replace('-', "_")).to_uppercase()
}

/// Words in lines that are not too wide, each behind a `head`.
fn lines(text: &str, head: &str, to: &mut String) {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() + word.len() > 90 {
            writeln!(to, "{head}{line}").unwrap();
            line.clear();
        }
        write!(line, " {word}").unwrap();
    }
    writeln!(to, "{head}{line}").unwrap();
}

fn comment(text: &str, indent: &str, to: &mut String) {
    lines(text, &format!("{indent}///"), to);
}

fn constants<D: Definition>(to: &mut String) {
    for field in D::FIELDS {
        let Takes::Word(words) = field.takes else { continue };
        for (code, word) in words.iter().enumerate() {
            writeln!(to, "/// `{}`: {word}.", field.key).unwrap();
            writeln!(to, "pub const {}: u32 = {code};", constant(field, word)).unwrap();
        }
        to.push('\n');
    }
}

fn structure<D: Definition>(made: &Made, to: &mut String) {
    let Made { name, engine, maker, what, beside } = made;
    let defaults = D::default().numbers();
    comment(what, "", to);
    writeln!(to, "#[repr(C)]\n#[derive(Clone, Copy, Debug)]\npub struct {name} {{").unwrap();
    writeln!(to, "    /// Set by `throng_default_{maker}`.\n    pub size: u32,").unwrap();
    for (field, &default) in D::FIELDS.iter().zip(&defaults) {
        comment(field.meaning, "    ", to);
        comment(&format!("Takes {}.", takes(field, default)), "    ", to);
        writeln!(to, "    pub {}: {},", field.key, kind(field, default)).unwrap();
    }
    for (key, kind, _, meaning) in *beside {
        comment(meaning, "    ", to);
        writeln!(to, "    pub {key}: {kind},").unwrap();
    }
    writeln!(to, "}}\n\ndeclared! {{\n    {name} of {engine}, \"{maker}\":").unwrap();
    let keys: Vec<&str> = D::FIELDS.iter().map(|field| field.key).collect();
    lines(&format!("{};", keys.join(", ")), "   ", to);
    for (key, _, plain, _) in *beside {
        writeln!(to, "    {key} = {plain},").unwrap();
    }
    to.push_str("}\n");
}

/// A file of definitions is what the declarations give.
fn is_made(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name);
    if std::env::var_os("THRONG_BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let is_same = kept == text;
    assert!(is_same, "src/{name} is not what the declarations give: THRONG_BLESS=1 writes it");
}

const HEAD: &str = "//! Definitions as C has them. Made from the engine's declarations by \
                    `tests/declared.rs`: do not edit.\n\nuse std::ptr;\n\n";

#[test]
fn the_definitions_are_those_of_the_declarations() {
    let mut text = HEAD.to_owned();
    text.push_str(
        "use throng::{GroupDef, Settings, WeaponDef};\n\n\
         use crate::declared::{Declared, ThrongTerrainCost, declared};\n\n",
    );
    constants::<GroupDef>(&mut text);
    constants::<WeaponDef>(&mut text);
    structure::<GroupDef>(&GROUP, &mut text);
    text.push('\n');
    structure::<WeaponDef>(&WEAPON, &mut text);
    text.push('\n');
    structure::<Settings>(&SETTINGS, &mut text);
    is_made("defs.rs", &text);
}

#[test]
fn those_of_agents_that_come_and_go_are_too() {
    let mut text = HEAD.to_owned();
    text.push_str(
        "use throng::{Exit, ExitsDef, FollowDef, SourceDef, StructureDef};\n\n\
         use crate::declared::{Declared, ThrongInflow, declared};\n\
         use crate::ids::{NO_GROUP, NOBODY, ThrongAgentId, ThrongGroupId};\n\
         use crate::shape::ThrongShape;\n\n",
    );
    structure::<SourceDef>(&SOURCE, &mut text);
    text.push('\n');
    structure::<Exit>(&EXIT, &mut text);
    text.push('\n');
    structure::<ExitsDef>(&EXITS, &mut text);
    text.push('\n');
    structure::<FollowDef>(&FOLLOW, &mut text);
    text.push('\n');
    structure::<StructureDef>(&STRUCTURE, &mut text);
    is_made("traffic_defs.rs", &text);
}
