//! Types of the objects that the package takes and gives.

use std::fmt::Write;

use throng::data::definition::{Definition, Field, Takes};
use throng::{Exit, ExitsDef, GroupDef, Settings, SourceDef, StructureDef, WeaponDef};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// The interfaces of what the engine declares: groups, weapons, settings and so on. The build puts them
/// behind the other types; programs have no use for it.
#[wasm_bindgen(js_name = typeScript, skip_typescript)]
pub fn type_script() -> String {
    let mut text = String::new();
    interface::<GroupDef>("GroupDef", "What the agents of a group are like.", &mut text);
    interface::<WeaponDef>("WeaponDef", "What a weapon is like.", &mut text);
    interface::<Settings>("Settings", "What holds for the whole run.", &mut text);
    interface::<SourceDef>("SourceTimes", "Which agents of a source come.", &mut text);
    interface::<Exit>("ExitTraits", "What an exit is like.", &mut text);
    interface::<ExitsDef>("Choice", "How agents choose among exits.", &mut text);
    interface::<StructureDef>("StructureDef", "What a wall with hit points is like.", &mut text);
    text
}

fn interface<D: Definition>(name: &str, what: &str, text: &mut String) {
    let plain = D::default();
    let _ = writeln!(text, "/** {what} What is left out has its default. */");
    let _ = writeln!(text, "export interface {name} {{");
    for (field, plain) in D::FIELDS.iter().zip(plain.numbers()) {
        let meaning = field.meaning.trim();
        let _ = writeln!(text, "  /** {meaning} {}. */", range(field, plain));
        let _ = writeln!(text, "  {}?: {};", field.key, type_of(field));
    }
    text.push_str("}\n\n");
}

/// What a field takes and its default, in words.
fn range(field: &Field, plain: f64) -> String {
    let whole = |low: u64, high: u64| format!("A whole number, {low} to {high}; default {plain}");
    match field.takes {
        Takes::Number(limits) => {
            let above = if limits.above { "above " } else { "" };
            let (low, high) = (limits.low, limits.high);
            let what = limits.what.trim_end_matches(',');
            let (first, rest) = what.split_at(1);
            let first = first.to_uppercase();
            let plain = if plain.is_infinite() { "Infinity".to_owned() } else { plain.to_string() };
            format!("{first}{rest}, {above}{low} to {high}; default {plain}")
        }
        Takes::Whole { low, high, .. } | Takes::Unsaid { low, high } => whole(low, high),
        Takes::Letter(_) => whole(0, 255),
        Takes::Truth => format!("Default {}", plain != 0.0),
        Takes::Word(words) => format!("Default `{:?}`", words[plain as usize]),
        Takes::Set { of, count } => format!("Any of the {of}s 0 to {}; default: all", count - 1),
        Takes::Name { of, .. } => format!("Name or index of a {of}"),
    }
}

fn type_of(field: &Field) -> String {
    match field.takes {
        Takes::Number(_) | Takes::Whole { .. } | Takes::Letter(_) | Takes::Unsaid { .. } => {
            "number".to_owned()
        }
        Takes::Truth => "boolean".to_owned(),
        Takes::Word(words) => {
            words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" | ")
        }
        Takes::Set { .. } => "number[]".to_owned(),
        Takes::Name { .. } => "string | number | null".to_owned(),
    }
}
