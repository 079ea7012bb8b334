//! Kinds of files, told by what is in them: a file of another kind than a command reads is refused in a
//! line that says which command takes it.

use std::path::Path;

use throng::replay::MAGIC;

use crate::error::CliError;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Replay,
    /// Agents and a map.
    Scenario,
    /// A map by rules, without agents.
    Rules,
    /// A plan of a sweep.
    Sweep,
    /// A map of letters, a picture, or polygons as well-known text.
    Map,
    /// Starts and goals on a map.
    Rows,
}

impl Kind {
    /// The kind of a file; `None` where that is not clear.
    fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(MAGIC) {
            return Some(Self::Replay);
        }
        if bytes.starts_with(b"\x89PNG") {
            return Some(Self::Map);
        }
        let text = std::str::from_utf8(bytes).ok()?;
        let text = text.trim_start_matches('\u{FEFF}').trim_start();
        let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
        if begins(&["type octile", "POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION"]) {
            return Some(Self::Map);
        }
        if begins(&["version 1\n", "version 1.0\n", "version 1\r", "version 1.0\r"]) {
            return Some(Self::Rows);
        }
        let has = |key: &str| {
            text.lines().any(|line| {
                let rest = line.trim_start().strip_prefix(key);
                rest.is_some_and(|rest| rest.trim_start().starts_with(['=', ']', '.']))
            })
        };
        match [has("ticks"), has("[[group"), has("[map.generate"), has("seeds"), has("scenario")] {
            [_, _, _, true, true] => Some(Self::Sweep),
            [false, false, true, ..] => Some(Self::Rules),
            [true, true, ..] => Some(Self::Scenario),
            _ => None,
        }
    }

    /// What it is, and what takes it.
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::Replay => ["a replay", "`throng replay`, `verify` and `view` take it"],
            Self::Scenario => ["a scenario", "`throng run`, `check` and `view` take it"],
            Self::Rules => ["a map by rules, without agents", "`throng generate` takes it"],
            Self::Sweep => ["a plan of a sweep", "`throng sweep` takes it"],
            Self::Map => ["a map", "`throng check` takes it, and `--map` in place of a scenario's"],
            Self::Rows => ["a file of starts and goals", "`throng compare` takes it"],
        }
    }
}

/// Refuses a file that is clearly of another kind than `wanted`.
pub(crate) fn check(path: &Path, bytes: &[u8], wanted: &[Kind]) -> Result<(), CliError> {
    match Kind::of(bytes).filter(|kind| !wanted.contains(kind)) {
        None => Ok(()),
        Some(kind) => {
            let [is, takes] = kind.words();
            Err(CliError::OtherKind { path: path.to_owned(), is, takes })
        }
    }
}
