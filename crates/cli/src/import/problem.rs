//! Problems of files that are imported.

use std::path::Path;

use crate::error::CliError;

/// Most characters of a value that are shown.
const SHOWN: usize = 60;

/// A problem: its place, what is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// A line, a path of JSON, or nothing for the whole file.
    pub(super) place: String,
    pub(super) wrong: String,
    pub(super) expected: String,
}

impl Problem {
    /// Of the whole file.
    pub(super) fn whole(wrong: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::at("", wrong, expected)
    }

    pub(super) fn at(
        place: impl Into<String>,
        wrong: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self { place: place.into(), wrong: wrong.into(), expected: expected.into() }
    }

    /// The same as an error of a file.
    pub(super) fn of(self, path: &Path) -> CliError {
        let Self { mut place, wrong, expected } = self;
        if !place.is_empty() {
            place.insert_str(0, ", ");
        }
        CliError::Import { path: path.to_owned(), place, wrong, expected }
    }
}

/// The beginning of a value, for messages.
pub(super) fn shown(text: &str) -> String {
    let short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}
