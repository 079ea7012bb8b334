//! Values of JSON with the paths by which messages name them.

use serde_json::Value;

use crate::import::problem::{Problem, shown};

/// A value and its path.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) value: &'a Value,
    pub(super) path: String,
}

impl<'a> Node<'a> {
    /// The value of a file.
    pub(super) fn root(value: &'a Value) -> Self {
        Self { value, path: String::new() }
    }

    /// What is wrong with the value, which is shown.
    pub(super) fn wrong(&self, wrong: &str, expected: impl Into<String>) -> Problem {
        let value = shown(&self.value.to_string());
        Problem::at(self.path.as_str(), format!("{value} {wrong}"), expected)
    }

    /// The value of a key, unless it is missing or null.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        let path =
            if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Some(Self { value, path })
    }

    /// The value of a key.
    pub(super) fn need(&self, key: &str) -> Result<Self, Problem> {
        self.get(key).ok_or_else(|| {
            let place = if self.path.is_empty() { "the file" } else { &self.path };
            Problem::at(
                place,
                format!("there is no `{key}`"),
                "that key, as scenarios of Vadere have it",
            )
        })
    }

    /// The items of a list; none where the key is missing.
    pub(super) fn items(&self, key: &str) -> Result<Vec<Self>, Problem> {
        let Some(list) = self.get(key) else { return Ok(Vec::new()) };
        let Some(values) = list.value.as_array() else {
            return Err(list.wrong("is no list", "a list in []"));
        };
        let item = |(i, value)| Self { value, path: format!("{}[{i}]", list.path) };
        Ok(values.iter().enumerate().map(item).collect())
    }

    /// A number within bounds.
    pub(super) fn number(&self, [low, high]: [f64; 2], what: &str) -> Result<f64, Problem> {
        let number = self.value.as_f64().filter(|number| (low..=high).contains(number));
        number.ok_or_else(|| self.wrong(&format!("is no {what}"), format!("{low} to {high}")))
    }

    /// A whole number within bounds; Vadere writes some as `1.0`.
    pub(super) fn whole(&self, [low, high]: [i64; 2], what: &str) -> Result<i64, Problem> {
        let number = self.number([low as f64, high as f64], what)?;
        match number.fract() == 0.0 {
            true => Ok(number as i64),
            false => Err(self.wrong(&format!("is no {what}"), "a whole number")),
        }
    }

    pub(super) fn text(&self) -> Result<&'a str, Problem> {
        self.value.as_str().ok_or_else(|| self.wrong("is no text", "a text in \"\""))
    }

    /// The value of a key that is `true` or `false`, or what goes without it.
    pub(super) fn flag(&self, key: &str, otherwise: bool) -> Result<bool, Problem> {
        let Some(node) = self.get(key) else { return Ok(otherwise) };
        node.value.as_bool().ok_or_else(|| node.wrong("is neither true nor false", "one of both"))
    }
}
