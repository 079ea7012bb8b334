//! `throng verify`.

use std::path::Path;
use std::sync::Mutex;

use crate::summary::plural;
use throng::replay::{Difference, verify};

use crate::args::VerifyArgs;
use crate::error::CliError;
use crate::output::Output;
use crate::progress::Progress;
use crate::{load, say, tell};

/// Runs a replay again and compares.
pub(crate) fn run(args: &VerifyArgs) -> Result<bool, CliError> {
    let path = &args.replay;
    let refused = |source| CliError::Replay { path: path.clone(), source };
    let (replay, fault) = load::replay(path, args.cut.allow_cut)?;
    let ticks = replay.frames.len() as u64;
    let progress = Mutex::new(Progress::new(ticks, args.quiet));
    let tell_ticks = |ticks| {
        if let Ok(mut progress) = progress.try_lock() {
            progress.set(ticks, || "the same so far".into());
        }
    };
    let verdict = args.threads.pool()?.install(|| verify(&replay, tell_ticks)).map_err(refused)?;
    if let Ok(progress) = progress.into_inner() {
        progress.finish();
    }
    if let Some(difference) = verdict.difference {
        say(&describe(&difference))?;
        keep(&difference, path)?;
        return Ok(false);
    }
    let verified = format!(
        "{} of {} ({}), {} each; digest {:016x}",
        plural(ticks, "tick"),
        replay.header.label,
        replay.header.numeric.word(),
        plural(replay.header.columns.len() as u64, "column"),
        verdict.digest
    );
    say(&match &fault {
        Some(fault) => format!("{fault}\nthe same up to there: {verified}"),
        None if ticks == 0 => format!("nothing to verify: {verified}"),
        None => format!("the same: {verified}"),
    })?;
    Ok(fault.is_none() && ticks > 0)
}

fn describe(difference: &Difference) -> String {
    let columns = match difference.columns.split_first() {
        Some((first, [])) => format!("column {first}"),
        Some((first, rest)) => format!("column {first} (also {})", rest.join(", ")),
        None if difference.stage.is_some() => "by the trace alone".to_owned(),
        None => "in a column that the short digests do not tell".to_owned(),
    };
    let stage = difference.stage.as_ref().map_or_else(String::new, |(stage, column)| {
        format!("; in the trace, stage {}, column {column}", stage.name())
    });
    format!("different: first at tick {}, {columns}{stage}", difference.tick)
}

/// Writes the re-run beside the replay. Without it the difference still counts.
fn keep(difference: &Difference, path: &Path) -> Result<(), CliError> {
    let dump = path.with_extension(format!("tick-{}.throng", difference.tick));
    let saved = Output::open(&dump, "throng").and_then(|output| output.save(&difference.dump));
    if let Err(error) = saved {
        tell(&format!("there is no dump of the re-run\n{}", error.report()));
        return Ok(());
    }
    let (path, dump) = (path.display(), dump.display());
    say(&format!("the re-run up to that tick: {dump}\nthrong diff {path} {dump} says more"))
}
