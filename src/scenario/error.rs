//! What is wrong with a scenario, where, and what would be right.

use std::fmt;
use std::ops::Range;

/// Problems that a [`ScenarioError`] lists at most; the rest are counted.
const SHOWN: usize = 20;

/// One thing that is wrong with a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line of the offending text, from 1.
    pub line: u32,
    /// Column of the offending text in characters, from 1.
    pub column: u32,
    /// The offending text, in bytes of the file, for a caller that draws it.
    pub span: Range<usize>,
    /// Path of the key, as in `group[0].spawn[1].rect`; empty when the file is not TOML at all.
    pub key: String,
    /// The value found, as written and cut to a readable length; empty when it is missing.
    pub found: String,
    /// What is wrong, with the value, as in `-3 is not above 0`.
    pub wrong: String,
    /// What would be right, as in `a speed in m/s, above 0 and at most 500`.
    pub expected: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: ", self.line, self.column)?;
        if !self.key.is_empty() {
            write!(out, "key `{}`: ", self.key)?;
        }
        write!(out, "{}", self.wrong)?;
        if !self.expected.is_empty() {
            write!(out, "; expected {}", self.expected)?;
        }
        Ok(())
    }
}

/// Everything that is wrong with a scenario, in the order of the file.
///
/// Displays one problem a line, each as ``file:line:column: key `path`: what is wrong; expected
/// what would be right``.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// Name of the file, as the caller gave it.
    pub file: String,
    /// The problems, at least one.
    pub problems: Vec<Problem>,
}

impl ScenarioError {
    /// The problem that comes first in the file.
    pub fn first(&self) -> &Problem {
        &self.problems[0]
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().take(SHOWN).enumerate() {
            let line_end = if i == 0 { "" } else { "\n" };
            write!(out, "{line_end}{}:{problem}", self.file)?;
        }
        if self.problems.len() > SHOWN {
            write!(out, "\n{}: and {} more", self.file, self.problems.len() - SHOWN)?;
        }
        Ok(())
    }
}

impl std::error::Error for ScenarioError {}

/// Where something is written in a scenario file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Bytes of the file.
    pub span: Range<usize>,
    /// Path of the key.
    pub key: String,
}

impl Place {
    /// The place of a key within this one.
    pub(super) fn key(&self, key: &str) -> String {
        if self.key.is_empty() { key.to_owned() } else { format!("{}.{key}", self.key) }
    }
}

/// Collects the problems of one file.
#[derive(Debug)]
pub(super) struct Problems<'a> {
    text: &'a str,
    list: Vec<Problem>,
}

impl<'a> Problems<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, list: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The text of a span, cut to a readable length and to one line.
    pub(super) fn found(&self, span: &Range<usize>) -> String {
        shorten(self.text.get(span.clone()).unwrap_or(""))
    }

    /// A value that is wrong: `wrong` follows the value, as in `is not above 0`.
    pub(super) fn bad_value(&mut self, at: &Place, wrong: &str, expected: impl Into<String>) {
        let found = self.found(&at.span);
        let wrong = format!("{found} {wrong}");
        self.push(at.span.clone(), at.key.clone(), found, wrong, expected.into());
    }

    /// Something wrong that the value alone does not show.
    pub(super) fn problem(
        &mut self,
        at: &Place,
        wrong: impl Into<String>,
        expected: impl Into<String>,
    ) {
        let found = self.found(&at.span);
        self.push(at.span.clone(), at.key.clone(), found, wrong.into(), expected.into());
    }

    /// A key that should be there and is not; points at the start of the table.
    pub(super) fn missing(&mut self, table: &Place, key: &str, expected: impl Into<String>) {
        let path = table.key(key);
        self.push(table.span.clone(), path, String::new(), "missing".to_owned(), expected.into());
    }

    fn push(
        &mut self,
        span: Range<usize>,
        key: String,
        found: String,
        wrong: String,
        expected: String,
    ) {
        let (line, column) = line_column(self.text, span.start);
        self.list.push(Problem { line, column, span, key, found, wrong, expected });
    }

    /// Ends the collection: `Err` when there are problems.
    pub(super) fn finish(mut self, file: &str) -> Result<(), ScenarioError> {
        if self.list.is_empty() {
            return Ok(());
        }
        self.list.sort_by_key(|p| p.span.start);
        Err(ScenarioError { file: file.to_owned(), problems: self.list })
    }
}

/// Line and column in characters, both from 1, of a byte of a text.
fn line_column(text: &str, byte: usize) -> (u32, u32) {
    let bytes = &text.as_bytes()[..byte.min(text.len())];
    let line = bytes.iter().filter(|&&b| b == b'\n').count() + 1;
    let start = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    // A byte that continues a character is not one of its own.
    let column = bytes[start..].iter().filter(|&&b| b & 0xC0 != 0x80).count() + 1;
    (line as u32, column as u32)
}

/// A text in one line of at most 40 characters.
pub(super) fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    let cut = line.len() < text.trim_end().len();
    let short: String = line.chars().take(40).collect();
    if cut || short.len() < line.len() { format!("{short}…") } else { short }
}

#[cfg(test)]
mod tests {
    use super::{line_column, shorten};

    #[test]
    fn columns_count_characters() {
        let text = "a = 1\nname = \"é\" x\n";
        assert_eq!(line_column(text, 0), (1, 1));
        assert_eq!(line_column(text, 6), (2, 1));
        assert_eq!(line_column(text, text.find('x').unwrap()), (2, 12));
        assert_eq!(line_column(text, 10_000), (3, 1));
    }

    #[test]
    fn long_values_are_cut() {
        assert_eq!(shorten("1.5"), "1.5");
        assert_eq!(shorten("a\nb"), "a…");
        assert_eq!(shorten(&"é".repeat(50)), format!("{}…", "é".repeat(40)));
    }
}
