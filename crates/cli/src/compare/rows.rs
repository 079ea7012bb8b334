//! Published scenario files: rows of start, goal and shortest length.

use std::fs;
use std::path::{Path, PathBuf};

use throng::data::glimpse;
use throng::map::{Clearance, Map};

use crate::error::CliError;
use crate::kind::{self, Kind};
use crate::load;
use crate::summary::plural;

/// Most bytes of a scenario file: 64 MiB.
const MAX_FILE: u64 = 64 << 20;

/// A row of a scenario file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Its line, from 1.
    pub(super) line: usize,
    /// Padded indices of start and goal.
    pub(super) from: u32,
    pub(super) to: u32,
    /// The published length, and how far from it the same length may be after printing.
    pub(super) length: f64,
    pub(super) tolerance: f64,
}

/// A scenario file.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    /// Rows with a start or a goal that no agent can stand on.
    pub(super) skipped: usize,
}

/// A row as it stands in the file.
struct Raw {
    line: usize,
    map: String,
    size: [u32; 2],
    cells: [u32; 4],
    length: f64,
    tolerance: f64,
}

/// All scenario files among the paths and in the folders among them, in order.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = found.len();
            in_folder(path, &mut found)?;
            if found.len() == before {
                let why = "there is no .scen file in this folder";
                return Err(CliError::value("FILE.scen", path.display(), why));
            }
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn in_folder(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), CliError> {
    let failed = |source| CliError::Read { path: folder.to_owned(), source };
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    for path in entries {
        if path.is_dir() {
            in_folder(&path, found)?;
        } else if path.extension().is_some_and(|ending| ending == "scen") {
            found.push(path);
        }
    }
    Ok(())
}

/// The map that a scenario file names, beside it. The first row tells.
pub(super) fn map_of(path: &Path) -> Result<PathBuf, CliError> {
    let rows = raw(path)?;
    let Some(first) = rows.first() else {
        return Err(wrong(path, 1, "there is no row".to_owned(), "at least one row"));
    };
    let name = first.map.rsplit(['/', '\\']).next().unwrap_or_default();
    Ok(path.with_file_name(name))
}

/// The rows of a scenario file on its map.
pub(super) fn read(path: &Path, map: &Map, class: &Clearance) -> Result<Rows, CliError> {
    let (mut rows, mut skipped) = (Vec::new(), 0);
    for raw in raw(path)? {
        let size = [map.width(), map.height()];
        let [x, y, to_x, to_y] = raw.cells;
        if raw.size != size || x.max(to_x) >= size[0] || y.max(to_y) >= size[1] {
            let text = format!(
                "{x},{y} to {to_x},{to_y} on a map of {} by {} cells",
                raw.size[0], raw.size[1]
            );
            let expected = format!("cells of a map of {} by {} cells", size[0], size[1]);
            return Err(wrong(path, raw.line, text, &expected));
        }
        let (from, to) = (map.index(x, y), map.index(to_x, to_y));
        if class.passable(from) && class.passable(to) {
            let Raw { line, length, tolerance, .. } = raw;
            rows.push(Row { line, from, to, length, tolerance });
        } else {
            skipped += 1;
        }
    }
    Ok(Rows { rows, skipped })
}

fn wrong(path: &Path, line: usize, wrong: String, expected: &str) -> CliError {
    CliError::Rows { path: path.to_owned(), line, wrong, expected: expected.to_owned() }
}

fn raw(path: &Path) -> Result<Vec<Raw>, CliError> {
    const ROW: &str = "bucket, map, width, height, start x, y, goal x, y, length";
    let bytes = load::read(path, MAX_FILE)?;
    kind::check(path, &bytes, &[Kind::Rows])?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines().enumerate();
    let version = lines.next().map_or("", |(_, line)| line.trim());
    if version != "version 1" && version != "version 1.0" {
        let found = match version.strip_prefix("version ") {
            Some(number) => format!("`version {}`", glimpse(number.as_bytes())),
            None if bytes.is_empty() => "the file is empty".to_owned(),
            None => format!("`{}` is no version", glimpse(version.as_bytes())),
        };
        return Err(wrong(path, 1, found, "`version 1`"));
    }
    let mut rows = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let fail = |what: String| wrong(path, number + 1, what, ROW);
        if words.len() != 9 {
            return Err(fail(format!(
                "the line has {}, not 9",
                plural(words.len() as u64, "word")
            )));
        }
        let whole = |i: usize| {
            let word: Result<u32, _> = words[i].parse();
            word.map_err(|_| fail(format!("`{}` is no whole number", glimpse(words[i].as_bytes()))))
        };
        let length: f64 = words[8].parse().unwrap_or(f64::NAN);
        if !(0.0..1e9).contains(&length) {
            return Err(fail(format!("`{}` is no length", glimpse(words[8].as_bytes()))));
        }
        rows.push(Raw {
            line: number + 1,
            map: words[1].to_owned(),
            size: [whole(2)?, whole(3)?],
            cells: [whole(4)?, whole(5)?, whole(6)?, whole(7)?],
            length,
            tolerance: tolerance(words[8], length, version),
        });
    }
    Ok(rows)
}

/// Lengths were printed with 8 decimals, or with 2, or as single precision with 6 digits.
fn tolerance(word: &str, length: f64, version: &str) -> f64 {
    let decimals = word.split('.').nth(1).map_or(0, str::len);
    match (decimals, version) {
        (7.., _) => 1e-4,
        (_, "version 1") if length < 1000.0 => 0.0006,
        _ => 0.006,
    }
}
