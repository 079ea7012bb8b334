//! What is wrong with a scenario, where, and what would be right.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::Range;

/// Problems that a [`ScenarioError`] displays at most; the rest are counted.
const SHOWN: usize = 20;

/// Problems that a [`ScenarioError`] holds at most; the rest are counted.
const HELD: usize = 1000;

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
    /// The problems, at least one and at most 1,000.
    pub problems: Vec<Problem>,
    /// Number of problems beyond these.
    pub more: u64,
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
        let hidden = self.problems.len().saturating_sub(SHOWN) as u64 + self.more;
        if hidden > 0 {
            write!(out, "\n{}: and {hidden} more", self.file)?;
        }
        Ok(())
    }
}

impl std::error::Error for ScenarioError {}

/// Where something is written in a scenario file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// Bytes of the file.
    pub(super) span: Range<usize>,
    /// Path of the key.
    pub(super) key: String,
}

impl Place {
    /// The place of a key within this one.
    pub(super) fn key(&self, key: &str) -> String {
        if self.key.is_empty() { key.to_owned() } else { format!("{}.{key}", self.key) }
    }
}

/// Collects the problems of one file, from all that reads a part of it.
#[derive(Debug)]
pub(super) struct Problems<'a> {
    text: &'a str,
    list: RefCell<Vec<Problem>>,
    more: Cell<u64>,
}

impl<'a> Problems<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, list: RefCell::default(), more: Cell::new(0) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.borrow().is_empty()
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.list.borrow().len() as u64 + self.more.get()
    }

    /// The place of some bytes of a text that stands at a place, in quotes; the whole place where
    /// the text is not written as it reads.
    pub(super) fn part(&self, at: &Place, text: &str, bytes: Range<usize>) -> Place {
        let written = self.text_of(&at.span);
        let quotes = ["\"\"\"\n", "'''\n", "\"\"\"", "'''", "\"", "'"];
        let open = quotes.iter().find(|quotes| written.starts_with(**quotes));
        let open = open.map_or(0, |quotes| quotes.len());
        if !written[open..].starts_with(text) {
            return at.clone();
        }
        let start = at.span.start + open;
        Place { span: start + bytes.start..start + bytes.end, key: at.key.clone() }
    }

    /// Whether further problems are only counted, so that their words need not be found.
    pub(super) fn is_full(&self) -> bool {
        self.list.borrow().len() == HELD
    }

    /// The text of a span as written.
    pub(super) fn text_of(&self, span: &Range<usize>) -> &'a str {
        self.text.get(span.clone()).unwrap_or("")
    }

    /// The text of a span, cut to a readable length and to one line.
    pub(super) fn found(&self, span: &Range<usize>) -> String {
        shorten(self.text_of(span))
    }

    /// A value that is wrong: `wrong` follows the value, as in `is not above 0`.
    pub(super) fn bad_value(&self, at: &Place, wrong: &str, expected: impl Into<String>) {
        let found = self.found(&at.span);
        let wrong = format!("{found} {wrong}");
        self.push(at.span.clone(), at.key.clone(), found, wrong, expected.into());
    }

    /// Something wrong that the value alone does not show.
    pub(super) fn problem(
        &self,
        at: &Place,
        wrong: impl Into<String>,
        expected: impl Into<String>,
    ) {
        let found = self.found(&at.span);
        self.push(at.span.clone(), at.key.clone(), found, wrong.into(), expected.into());
    }

    /// A key that should be there and is not; points at the start of the table.
    pub(super) fn missing(&self, table: &Place, key: &str, expected: impl Into<String>) {
        let path = table.key(key);
        self.push(table.span.clone(), path, String::new(), "missing".to_owned(), expected.into());
    }

    fn push(
        &self,
        span: Range<usize>,
        key: String,
        found: String,
        wrong: String,
        expected: String,
    ) {
        if self.is_full() {
            self.more.set(self.more.get() + 1);
            return;
        }
        self.list.borrow_mut().push(Problem {
            line: 0,
            column: 0,
            span,
            key,
            found,
            wrong,
            expected,
        });
    }

    /// Ends the collection: `Err` when there are problems.
    pub(super) fn finish(self, file: &str) -> Result<(), ScenarioError> {
        let mut problems = self.list.into_inner();
        if problems.is_empty() {
            return Ok(());
        }
        problems.sort_by_key(|problem| problem.span.start);
        let (mut line, mut start, mut counted) = (1, 0, 0);
        for problem in &mut problems {
            let at = problem.span.start.min(self.text.len());
            for (i, byte) in self.text.as_bytes()[counted..at].iter().enumerate() {
                if *byte == b'\n' {
                    line += 1;
                    start = counted + i + 1;
                }
            }
            counted = at;
            problem.line = line;
            problem.column = characters(&self.text.as_bytes()[start..at]) + 1;
        }
        Err(ScenarioError { file: file.to_owned(), problems, more: self.more.get() })
    }
}

/// The error of one problem that ends the reading.
pub(super) fn refusal(
    text: &str,
    file: &str,
    span: Range<usize>,
    wrong: String,
    expected: &str,
) -> ScenarioError {
    let problems = Problems::new(text);
    problems.problem(&Place { span, key: String::new() }, wrong, expected);
    problems.finish(file).expect_err("a problem was reported")
}

/// Characters of a piece of UTF-8: the bytes that do not continue one.
fn characters(text: &[u8]) -> u32 {
    text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
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
    use super::{Place, Problems, shorten};

    #[test]
    fn columns_count_characters() {
        let text = "a = 1\nname = \"é\" x\n";
        let problems = Problems::new(text);
        for at in [10_000, text.find('x').unwrap(), 6, 0] {
            problems.problem(&Place { span: at..at, key: String::new() }, "", "");
        }
        let error = problems.finish("f").unwrap_err();
        let places: Vec<(u32, u32)> = error.problems.iter().map(|p| (p.line, p.column)).collect();
        assert_eq!(places, [(1, 1), (2, 1), (2, 12), (3, 1)]);
    }

    #[test]
    fn a_flood_of_problems_is_counted() {
        let problems = Problems::new("");
        for _ in 0..1_234 {
            problems.problem(&Place::default(), "bad", "good");
        }
        let error = problems.finish("f").unwrap_err();
        assert_eq!((error.problems.len(), error.more), (1000, 234));
        assert!(error.to_string().ends_with("f: and 1214 more"));
        assert_eq!(error.to_string().lines().next(), Some("f:1:1: bad; expected good"));
    }

    #[test]
    fn long_values_are_cut() {
        assert_eq!(shorten("1.5"), "1.5");
        assert_eq!(shorten("a\nb"), "a…");
        assert_eq!(shorten(&"é".repeat(50)), format!("{}…", "é".repeat(40)));
    }
}
