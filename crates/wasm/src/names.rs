//! Names of groups, companies, weapons and other things: a scenario's, or given by the program.

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
    pub(crate) sources: Vec<String>,
    pub(crate) sinks: Vec<String>,
    pub(crate) doors: Vec<String>,
    pub(crate) structures: Vec<String>,
}

impl Names {
    /// The list of a kind.
    fn of(&self, kind: &str) -> &[String] {
        match kind {
            "company" => &self.companies,
            "weapon" => &self.weapons,
            "team" => &self.teams,
            "source" => &self.sources,
            "sink" => &self.sinks,
            "door" => &self.doors,
            "structure" => &self.structures,
            _ => &self.groups,
        }
    }

    /// The name of a thing of a kind; empty where it has none.
    pub(crate) fn at(&self, kind: &str, index: usize) -> &str {
        self.of(kind).get(index).map_or("", String::as_str)
    }

    /// Refuses a name that a thing of a kind has already.
    pub(crate) fn is_new(&self, kind: &str, name: &str) -> Result<()> {
        match self.find(kind, name) {
            Some(_) => Err(wrong(format!("there is a {kind} `{name}` already"))),
            None => Ok(()),
        }
    }

    /// A thing of a kind has been added, and has this index. Those that a scenario adds later come behind.
    pub(crate) fn add(&mut self, kind: &str, index: u16, name: String) {
        let list = match kind {
            "source" => &mut self.sources,
            "sink" => &mut self.sinks,
            "door" => &mut self.doors,
            _ => &mut self.structures,
        };
        let index = usize::from(index);
        list.resize(list.len().max(index), String::new());
        list.insert(index, name);
    }

    /// The index of a thing of a kind: `group`, `company`, `weapon`, `team`, `source`, `sink`, `door` or
    /// `structure`. Whether there is one of that index, the engine finds out.
    pub(crate) fn index(&self, kind: &str, name: &Name) -> Result<u16> {
        let word = match name {
            Name::Index(index) => return Ok(*index),
            Name::Word(word) => word,
        };
        self.find(kind, word).ok_or_else(|| self.unknown(kind, word))
    }

    /// The index of a name.
    pub(crate) fn find(&self, kind: &str, word: &str) -> Option<u16> {
        let known = self.of(kind).iter().position(|known| known == word && !word.is_empty());
        known.map(|index| index as u16)
    }

    fn unknown(&self, kind: &str, word: &str) -> JsError {
        let known: Vec<String> = self.of(kind).iter().map(|name| format!("`{name}`")).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        wrong(format!("there is no {kind} `{word}`; known: {known}"))
    }
}
