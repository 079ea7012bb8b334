//! The journal of a sweep: a line for every run that has ended, written before the next one counts.
//!
//! A line that is cut, as a kill leaves it, is no line.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

use crate::error::CliError;
use crate::sweep::leaves::Leaves;
use crate::tell;

/// The beginning and the ending of names of journals.
const NAME: [&str; 2] = ["runs", ".jsonl"];

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The digest of the final state, and the measures in their order.
    Fine { digest: String, measures: Vec<(String, Number)> },
    /// The error, in one line.
    Failed(String),
}

/// Rows by the index of the run.
pub(crate) type Rows = BTreeMap<u64, Outcome>;

/// The first line of a journal.
#[derive(Debug, Deserialize, Serialize)]
struct Head {
    sweep: String,
    throng: String,
    /// Digest of the plan and of its scenarios, hexadecimal.
    plan: String,
    runs: u64,
}

/// A journal that is written.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

/// Which runs of a plan are done: all, or one share of several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shard {
    /// From 1.
    pub(crate) number: u64,
    pub(crate) of: u64,
}

impl Shard {
    /// Whether a run is one of the share.
    pub(crate) fn has(self, run: u64) -> bool {
        run % self.of == self.number - 1
    }

    /// A name of a file of the share: nothing is added for all.
    pub(crate) fn file(self, [name, ending]: [&str; 2]) -> String {
        match self {
            Self { of: 1, .. } => format!("{name}{ending}"),
            Self { number, of } => format!("{name}-{number}of{of}{ending}"),
        }
    }
}

impl Journal {
    /// Opens the journal of a share, and reads the rows of all journals in the folder. Without
    /// `resume` there must be none of its name.
    pub(crate) fn open(
        folder: &Path,
        shard: Shard,
        resume: bool,
        (name, digest, runs): (&str, u64, u64),
    ) -> Result<(Self, Rows), CliError> {
        let path = folder.join(shard.file(NAME));
        let failed = |error| CliError::write(&path)(error);
        if path.exists() && !resume {
            return Err(CliError::SweepThere { folder: folder.to_owned() });
        }
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(CliError::SweepUnderWay { path: path.clone() });
            }
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                return Err(failed(error));
            }
            _ => {}
        }
        let (plan, throng) = (format!("{digest:016x}"), env!("CARGO_PKG_VERSION").to_owned());
        let head = Head { sweep: name.to_owned(), throng, plan, runs };
        let mut rows = Rows::new();
        if resume {
            for other in journals(folder)? {
                let whole = read(&other, &head, &mut rows)?;
                if other == path {
                    // What a kill has cut would be glued to the next line.
                    file.set_len(whole).map_err(failed)?;
                }
            }
        }
        let mut journal = Self { path: path.clone(), file };
        if journal.file.metadata().map_err(CliError::write(&journal.path))?.len() == 0 {
            journal.line(&serde_json::to_string(&head).expect("a head has plain values"))?;
        }
        Ok((journal, rows))
    }

    /// Writes a row.
    pub(crate) fn write(
        &mut self,
        run: u64,
        outcome: &Outcome,
        seconds: f64,
    ) -> Result<(), CliError> {
        let mut row = Map::new();
        row.insert("run".to_owned(), run.into());
        row.insert("seconds".to_owned(), seconds.into());
        // Keys of a map are sorted; pairs keep the order of the measures.
        match outcome {
            Outcome::Fine { digest, measures } => {
                row.insert("digest".to_owned(), digest.as_str().into());
                let pairs = measures.iter().map(|(name, number)| {
                    Value::Array(vec![name.as_str().into(), Value::Number(number.clone())])
                });
                row.insert("measures".to_owned(), Value::Array(pairs.collect()));
            }
            Outcome::Failed(error) => {
                row.insert("error".to_owned(), error.as_str().into());
            }
        }
        self.line(&Value::Object(row).to_string())
    }

    /// Writes a line at once.
    fn line(&mut self, text: &str) -> Result<(), CliError> {
        let failed = CliError::write(&self.path);
        self.file.write_all(format!("{text}\n").as_bytes()).map_err(failed)
    }
}

/// The journals in a folder, by name.
fn journals(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let failed = |source| CliError::Read { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let Some(name) = name.to_str() else { continue };
        if name.starts_with(NAME[0]) && name.ends_with(NAME[1]) {
            found.push(folder.join(name));
        }
    }
    found.sort();
    Ok(found)
}

/// Adds the whole rows of a journal to the known ones; gives the bytes that are whole.
fn read(path: &Path, head: &Head, rows: &mut Rows) -> Result<u64, CliError> {
    let bytes =
        fs::read(path).map_err(|source| CliError::Read { path: path.to_owned(), source })?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut lines = bytes[..whole].split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return Ok(whole as u64) };
    let found: Option<Head> = serde_json::from_slice(first).ok();
    if found.is_none_or(|found| (&found.plan, &found.throng) != (&head.plan, &head.throng)) {
        return Err(CliError::OtherSweep { path: path.to_owned() });
    }
    let mut broken = 0;
    for line in lines {
        match row(line).filter(|(run, _)| *run < head.runs) {
            Some((run, outcome)) => _ = rows.entry(run).or_insert(outcome),
            None => broken += 1,
        }
    }
    if broken > 0 {
        tell(&format!("{}: {broken} damaged lines do not count", path.display()));
    }
    Ok(whole as u64)
}

/// A row as a line has it.
fn row(line: &[u8]) -> Option<(u64, Outcome)> {
    let value: Value = serde_json::from_slice(line).ok()?;
    let run = value["run"].as_u64()?;
    if let Some(error) = value["error"].as_str() {
        return Some((run, Outcome::Failed(error.to_owned())));
    }
    let pair = |pair: &Value| match (&pair[0], &pair[1]) {
        (Value::String(name), Value::Number(number)) => Some((name.clone(), number.clone())),
        _ => None,
    };
    let measures = value["measures"].as_array()?.iter().map(pair).collect::<Option<_>>()?;
    Some((run, Outcome::Fine { digest: value["digest"].as_str()?.to_owned(), measures }))
}

impl Outcome {
    /// From the summary of a run as JSON. Times and what else depends on the machine are left out.
    pub(crate) fn of(json: &[u8]) -> Self {
        let leaves: Leaves = match serde_json::from_slice(json) {
            Ok(leaves) => leaves,
            Err(error) => return Self::Failed(format!("its summary is no JSON: {error}")),
        };
        let Some(digest) = leaves.text("digest") else {
            return Self::Failed("its summary has no digest".to_owned());
        };
        let as_f64 = |path| leaves.number(path).and_then(Number::as_f64).unwrap_or(0.0);
        let end_s = Number::from_f64(as_f64("ticks") * as_f64("dt")).unwrap_or(0.into());
        let mut measures = vec![("end_s".to_owned(), end_s)];
        for (path, number) in &leaves.numbers {
            let name = match path.as_str() {
                // Parameters may be called so.
                "agents" => "agents_end",
                "ticks" => "end_tick",
                name => name,
            };
            if !is_of_machine(name) {
                measures.push((name.to_owned(), number.clone()));
            }
        }
        Self::Fine { digest: digest.to_owned(), measures }
    }
}

/// Whether a number of the summary tells of the machine or of the scenario's text alone.
fn is_of_machine(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or(name);
    ["threads", "dt", "wall_s", "ns_per_agent_tick", "tick_ms", "stages", "peak_rss_mb"]
        .contains(&first)
}
