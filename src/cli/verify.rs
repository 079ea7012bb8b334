//! `throng verify`.

use std::fs;
use std::sync::Mutex;

use throng::replay::Replay;
use throng::replay::verify;
use throng::report::summary::thousands;

use crate::cli::args::VerifyArgs;
use crate::cli::error::CliError;
use crate::cli::load;
use crate::cli::progress::Progress;
use crate::cli::run::pool;
use crate::cli::say;
use crate::cli::tell;

/// Runs a replay again and compares.
pub(crate) fn run(args: &VerifyArgs) -> Result<bool, CliError> {
    let path = &args.replay;
    let refused = |source| CliError::Replay { path: path.clone(), source };
    let replay = Replay::read(&load::read(path)?).map_err(refused)?;
    if let Some(cut) = &replay.cut {
        let ticks = thousands(replay.frames.len() as u64);
        tell(&format!(
            "the replay is whole for {ticks} ticks, up to byte {}; behind it {}",
            cut.at, cut.reason
        ));
    }
    let progress = Mutex::new(Progress::new(replay.frames.len() as u64, args.quiet));
    let tell = |ticks| {
        if let Ok(mut progress) = progress.try_lock() {
            progress.set(ticks, || "the same so far".into());
        }
    };
    let verdict = pool(args.threads)?.install(|| verify(&replay, tell)).map_err(refused)?;
    if let Ok(progress) = progress.into_inner() {
        progress.finish();
    }
    let Some(difference) = verdict.difference else {
        let ticks = thousands(verdict.ticks);
        let columns = replay.header.columns.len();
        say(&format!(
            "the same: {ticks} ticks of {} ({}), {columns} columns each; digest {:016x}",
            replay.header.label,
            replay.header.numeric.word(),
            verdict.digest
        ))?;
        return Ok(true);
    };
    let dump = path.with_extension(format!("tick-{}.throng", difference.tick));
    fs::write(&dump, &difference.dump)
        .map_err(|source| CliError::Write { path: dump.clone(), source })?;
    let columns = match difference.columns.split_first() {
        None => "in a column that the short digests do not tell".to_owned(),
        Some((first, [])) => format!("column {first}"),
        Some((first, rest)) => format!("column {first} (also {})", rest.join(", ")),
    };
    say(&format!(
        "different: first at tick {}, {columns}\nthe re-run up to that tick: {}\n\
         throng diff {} {} says more",
        difference.tick,
        dump.display(),
        path.display(),
        dump.display()
    ))?;
    Ok(false)
}
