//! `throng sweep`: many runs, one table.

mod journal;
mod leaves;
mod measures;
#[cfg(feature = "parquet")]
mod parquet;
mod plots;
mod pool;
mod runs;
mod statistics;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args as ClapArgs;

use crate::error::CliError;
use crate::output::Output;
use crate::progress::Progress;
use crate::run::{FOLDER, file_name};
use crate::summary::{plural, thousands};
use crate::sweep::journal::{Journal, Outcome, Rows, Shard};
use crate::sweep::runs::Sweep;
use crate::sweep::statistics::{Combination, Spread, combinations};
use crate::{output, say, signal};

/// Time from one table to the next while runs are under way, at least.
const TABLE: Duration = Duration::from_secs(2);

/// How many times as long as a table takes the runs go on before the next one.
const PATIENCE: u32 = 20;

/// Failed runs and combinations that are told at most; the table has all.
const TOLD: usize = 20;

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng sweep scenarios/sweeps/door.toml
  throng sweep scenarios/sweeps/door.toml --output door --workers 2
  throng sweep scenarios/sweeps/door.toml --output door --resume          after a kill
  throng sweep scenarios/sweeps/door.toml --output shards --shard 1/2     and 2/2 elsewhere

The folder gets `runs.csv`, a row for every run; `summary.csv`, means with 95 % intervals and
quantiles; a plot for every measure that varies; `runs.parquet` where that is built in. What has
ended is in `runs.jsonl` at once, and `--resume` goes on from there, with the journals of all shards
that are in the folder.

Exit codes: 0 fine, 1 runs have failed, 2 bad use or bad input, 130 stopped by Ctrl-C.")]
pub(crate) struct SweepArgs {
    /// A plan: scenarios, seeds, and the values that keys take in turn
    #[arg(value_name = "PLAN.toml")]
    plan: PathBuf,
    /// Write to this folder [default: out/NAME]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Runs at once [default: one a core, divided by the threads of a run]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    workers: Option<u32>,
    /// Threads of each run; the table is the same for any number
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Do one share of the runs, number I of N, as jobs of a cluster do
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    /// Go on with what is in the folder
    #[arg(long)]
    resume: bool,
    /// With `--resume`: run again what has failed
    #[arg(long, requires = "resume")]
    retry: bool,
    /// Say what would be typed for every run, and run nothing
    #[arg(long)]
    list: bool,
    /// No progress, no summary
    #[arg(long, short)]
    quiet: bool,
}

/// A share as typed: `I/N`.
fn shard(text: &str) -> Result<Shard, String> {
    let wrong = || format!("`{text}` is no share; a share is I/N with I from 1 to N, as in 1/4");
    let (number, of) = text.split_once('/').ok_or_else(wrong)?;
    let [number, of] = [number, of].map(|text| text.trim().parse().ok());
    let (number, of) = number.zip(of).ok_or_else(wrong)?;
    if !(1..=of).contains(&number) || of > 100_000 {
        return Err(wrong());
    }
    Ok(Shard { number, of })
}

/// Runs a sweep.
pub(crate) fn run(args: &SweepArgs) -> Result<bool, CliError> {
    let sweep = Sweep::read(&args.plan)?;
    let shard = args.shard.unwrap_or(Shard { number: 1, of: 1 });
    let mine = (0..sweep.len()).filter(|&run| shard.has(run));
    if args.list {
        let lines = mine.map(|run| format!("throng {}", sweep.typed(run).join(" ")));
        crate::say_as_it_is(&lines.collect::<Vec<_>>().join("\n"))?;
        return Ok(true);
    }
    measures::check(&sweep)?;
    let folder = args.output.clone();
    let folder = folder.unwrap_or_else(|| Path::new(FOLDER).join(file_name(&sweep.def.name)));
    output::make_folder(&folder)?;
    let about = (sweep.def.name.as_str(), sweep.digest, sweep.len());
    let (mut journal, mut rows) = Journal::open(&folder, shard, args.resume, about)?;
    if args.retry {
        rows.retain(|_, outcome| matches!(outcome, Outcome::Fine { .. }));
    }
    rows.retain(|&run, _| shard.has(run));
    let todo: Vec<u64> = mine.filter(|run| !rows.contains_key(run)).collect();
    let files = Files { folder: &folder, shard, sweep: &sweep };
    let kept = rows.len();
    let whole = work(args, &files, &todo, &mut journal, &mut rows)?;
    files.table(&rows)?;
    let failed = rows.values().filter(|outcome| matches!(outcome, Outcome::Failed(_))).count();
    let (names, combinations) = combinations(&sweep, &rows);
    if whole {
        files.summary(&names, &combinations)?;
    }
    if !args.quiet {
        say(&told(&files, &rows, kept, &names, &combinations))?;
    }
    Ok(failed == 0)
}

/// Does the runs that are to be done; whether all have ended.
fn work(
    args: &SweepArgs,
    files: &Files<'_>,
    todo: &[u64],
    journal: &mut Journal,
    rows: &mut Rows,
) -> Result<bool, CliError> {
    let program = measures::program()?;
    let threads = args.threads.to_string();
    let command = |run: u64| {
        let mut command = Command::new(&program);
        command.args(files.sweep.typed(run));
        command.args(["--threads", &threads, "--json", "-", "--no-files", "--quiet"]);
        command
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let workers = args.workers.map_or(cores / args.threads as usize, |workers| workers as usize);
    let workers = workers.clamp(1, todo.len().max(1));
    let mut progress = Progress::of("run", todo.len() as u64, args.quiet);
    let (mut written, mut took, mut done) = (Instant::now(), Duration::ZERO, 0);
    signal::heed();
    let whole = pool::work(todo, workers, &command, |ended| {
        let outcome = match &ended.result {
            Ok(json) => Outcome::of(json),
            Err(error) => Outcome::Failed(error.clone()),
        };
        journal.write(ended.run, &outcome, ended.seconds)?;
        rows.insert(ended.run, outcome);
        done += 1;
        progress.set(done, || format!("{} at once", plural(workers as u64, "run")));
        if written.elapsed() > TABLE.max(took * PATIENCE) {
            let began = Instant::now();
            files.table(rows)?;
            (took, written) = (began.elapsed(), Instant::now());
        }
        Ok(())
    })?;
    progress.finish();
    Ok(whole)
}

/// Where the files of a sweep go.
struct Files<'a> {
    folder: &'a Path,
    shard: Shard,
    sweep: &'a Sweep,
}

impl Files<'_> {
    fn path(&self, name: &str, ending: &str) -> PathBuf {
        self.folder.join(self.shard.file([name, ending]))
    }

    /// Writes the rows that there are.
    fn table(&self, rows: &Rows) -> Result<(), CliError> {
        let columns = table::columns(self.sweep, rows);
        Output::renew(&self.path("runs", ".csv"), table::csv(&columns))?;
        #[cfg(feature = "parquet")]
        {
            let path = self.path("runs", ".parquet");
            let bytes = parquet::bytes(&columns).map_err(CliError::picture(&path))?;
            Output::renew(&path, bytes)?;
        }
        Ok(())
    }

    /// Writes what the runs of each combination have in common, and the plots.
    fn summary(&self, names: &[String], combinations: &[Combination]) -> Result<(), CliError> {
        let wanted: Vec<String> = self.sweep.measures().collect();
        let text = statistics::csv(self.sweep, names, combinations);
        Output::renew(&self.path("summary", ".csv"), text)?;
        let plots = self.folder.join(self.shard.file(["plots", ""]));
        for (index, name) in names.iter().enumerate() {
            let mut values = combinations.iter().flat_map(|found| &found.values[index]);
            let first = values.next();
            let varies = values.any(|value| Some(value) != first);
            let is_plotted = if wanted.is_empty() { varies } else { wanted.contains(name) };
            if is_plotted {
                let image = plots::plot(self.sweep, name, index, combinations);
                let path = plots.join(format!("{}.png", name.replace('/', "_")));
                let bytes = crate::draw::picture::encode(&image, false);
                Output::renew(&path, bytes.map_err(CliError::picture(&path))?)?;
            }
        }
        Ok(())
    }
}

/// The text at the end.
fn told(
    files: &Files<'_>,
    rows: &Rows,
    kept: usize,
    names: &[String],
    combinations: &[Combination],
) -> String {
    let sweep = files.sweep;
    let failures = rows.iter().filter_map(|(run, outcome)| match outcome {
        Outcome::Failed(error) => Some((*run, error)),
        Outcome::Fine { .. } => None,
    });
    let failed = failures.clone().count();
    let done = plural(rows.len() as u64, "run");
    let mut text = format!("{}: {done} of {}", sweep.def.name, thousands(sweep.len()));
    if kept > 0 {
        text.push_str(&format!(", {} of them done before", thousands(kept as u64)));
    }
    if failed > 0 {
        text.push_str(&format!(", {} FAILED", thousands(failed as u64)));
    }
    text.push('\n');
    for (run, error) in failures.take(TOLD) {
        text.push_str(&format!("run {run} failed: {error}\n"));
        text.push_str(&format!("  throng {}\n", sweep.typed(run).join(" ")));
    }
    let mut indices = Vec::new();
    for name in sweep.measures() {
        match names.iter().position(|known| *known == name) {
            Some(index) => indices.push(index),
            None if names.is_empty() => {}
            None => text.push_str(&format!("note: no run has the measure `{name}`\n")),
        }
    }
    for combination in combinations.iter().take(if indices.is_empty() { 0 } else { TOLD }) {
        text.push_str(&means(sweep, combination, names, &indices));
    }
    if combinations.len() > TOLD && !indices.is_empty() {
        let more = thousands((combinations.len() - TOLD) as u64);
        text.push_str(&format!("and {more} more combinations\n"));
    }
    text.push_str(&format!("table: {}\n", files.path("runs", ".csv").display()));
    text
}

/// A combination: what varies, and the means of some measures, a line each.
fn means(sweep: &Sweep, combination: &Combination, names: &[String], indices: &[usize]) -> String {
    let run = sweep.run(combination.run);
    let mut parts = vec![run.scenario.to_string()];
    for (parameter, value) in sweep.def.parameters.iter().zip(run.values) {
        if parameter.values.len() > 1 {
            parts.push(format!("{} {value}", parameter.path));
        }
    }
    let mut text = format!("{}\n", parts.join(", "));
    let widest = indices.iter().map(|&index| names[index].len()).max().unwrap_or(0);
    for &index in indices {
        let Some(Spread { mean, half, .. }) = Spread::of(&combination.values[index]) else {
            continue;
        };
        let half = half.map_or(String::new(), |half| format!(" ± {half:.3}"));
        text.push_str(&format!("  {:widest$}  {mean:10.3}{half}\n", names[index]));
    }
    text
}
