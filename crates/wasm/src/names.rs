//! Names of groups, companies and weapons: a scenario's, or given by the program.

use serde::Deserialize;
use wasm_bindgen::JsError;

use crate::{Result, wrong};

/// How an order names something: by its name or by its index.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Name {
    /// Its index, from 0.
    Index(u16),
    /// Its name.
    Word(String),
}

/// The names of what a simulation has, by index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) groups: Vec<String>,
    pub(crate) companies: Vec<String>,
    pub(crate) weapons: Vec<String>,
    pub(crate) teams: Vec<String>,
}

impl Names {
    /// The list of a kind.
    fn of(&self, kind: &str) -> &[String] {
        match kind {
            "company" => &self.companies,
            "weapon" => &self.weapons,
            "team" => &self.teams,
            _ => &self.groups,
        }
    }

    /// The index of a thing of a kind: `group`, `company`, `weapon` or `team`. Whether there is one of
    /// that index, the engine finds out.
    pub(crate) fn index(&self, kind: &str, name: &Name) -> Result<u16> {
        let word = match name {
            Name::Index(index) => return Ok(*index),
            Name::Word(word) => word,
        };
        self.find(kind, word).ok_or_else(|| self.unknown(kind, word))
    }

    /// The index of a name.
    pub(crate) fn find(&self, kind: &str, word: &str) -> Option<u16> {
        self.of(kind).iter().position(|known| known == word).map(|index| index as u16)
    }

    fn unknown(&self, kind: &str, word: &str) -> JsError {
        let known: Vec<String> = self.of(kind).iter().map(|name| format!("`{name}`")).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        wrong(format!("there is no {kind} `{word}`; known: {known}"))
    }
}
