//! Names of measures, looked for before the first run.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, io};

use throng::scenario;

use crate::error::CliError;
use crate::sweep::journal::Outcome;
use crate::sweep::runs::Sweep;

/// Measures that a run may have later than after its first tick, with 0 for every index.
const LATER: [&str; 11] = [
    "full_goals.0.room",
    "full_goals.0.agents",
    "routes.waited",
    "routes.longest_s",
    "routes.waiting",
    "timeline.entries.0.tick",
    "timeline.entries.0.time_s",
    "timeline.entries.0.team",
    "timeline.entries.0.step",
    "timeline.more",
    "structures.structures.0.fell_s",
];

/// The program that does the runs: this one.
pub(crate) fn program() -> Result<PathBuf, CliError> {
    env::current_exe().map_err(|source| CliError::Program { source })
}

/// Refuses names of measures that no run has. Ticks are run, one each, until all names are known: with
/// the first values, then with the others.
pub(crate) fn check(sweep: &Sweep) -> Result<(), CliError> {
    let mut unknown: Vec<(usize, String)> = sweep.measures().enumerate().collect();
    unknown.retain(|(_, name)| !is_later(name));
    let mut known = Vec::new();
    for run in sweep.samples() {
        if unknown.is_empty() {
            return Ok(());
        }
        for name in names(sweep, run)? {
            unknown.retain(|(_, wanted)| *wanted != name);
            if !known.contains(&name) {
                known.push(name);
            }
        }
    }
    // Where no run can be begun, the runs will say why.
    let Some((index, name)) = unknown.first().filter(|_| !known.is_empty()) else { return Ok(()) };
    let expected = match scenario::nearest(name, known.iter().map(String::as_str)) {
        Some(meant) => format!("\"{meant}\", if that is what you meant"),
        None => format!("one of {}", known.join(", ")),
    };
    let (key, wrong) =
        (format!("measures[{index}]"), format!("\"{name}\" is no measure of these runs"));
    Err(sweep.refused(&sweep.def.measures[*index], &key, &wrong, &expected))
}

/// Whether a name may be one of a measure that comes later.
fn is_later(name: &str) -> bool {
    let is_index = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = name.split('.').map(|part| if is_index(part) { "0" } else { part });
    LATER.contains(&parts.collect::<Vec<_>>().join(".").as_str())
}

/// The measures of a run after its first tick; none if it fails.
fn names(sweep: &Sweep, run: u64) -> Result<Vec<String>, CliError> {
    let failed = |source: io::Error| CliError::Program { source };
    let mut command = Command::new(program()?);
    command.args(sweep.typed(run).iter().filter(|typed| !typed.starts_with("--ticks=")));
    command.args(["--ticks=1", "--threads=1", "--json", "-", "--no-files", "--quiet"]);
    let done = command.stdin(Stdio::null()).stderr(Stdio::null()).output().map_err(failed)?;
    Ok(match Outcome::of(&done.stdout) {
        Outcome::Fine { measures, .. } => measures.into_iter().map(|(name, _)| name).collect(),
        Outcome::Failed(_) => Vec::new(),
    })
}
