//! `throng compare`.

mod outcome;
mod rows;
mod write;

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::pathfinding::{Method, Prepared, Query, Scratch, Way};
use clap::Args as ClapArgs;
use rayon::prelude::*;
use throng::map::{Clearance, Legend, Map};

use crate::args::pool;
use crate::compare::outcome::{Asked, Outcome};
use crate::compare::rows::{Row, Rows};
use crate::error::CliError;
use crate::output::{Json, Output};
use crate::path::methods;
use crate::progress::Progress;
use crate::{ground, load, output, say};

/// Rows of a file that are timed at most; they lie evenly in it.
const TIMED: usize = 200;

/// Methods that are compared by default: not methods that do not know the way, nor the flow field, of
/// which each row would need its own, nor methods that are slow to prepare where walls have very many
/// corners.
const DEFAULT: &str = "dijkstra,astar-octile,astar-euclid,landmarks,jump,greedy,portals,split,\
                       path,mesh,relaxed,exact";

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng compare dao/arena.map.scen
  throng compare dao/arena.map.scen --navigators jump,exact,trace --limit 100 --plot plot.png
  throng compare movingai --navigators dijkstra,astar-octile,astar-euclid,landmarks,jump

Reads the scenario files of movingai.com; the map lies beside the file. Rows whose start or goal is
no ground are skipped. `octile` compares with the length in the file (straight and diagonal steps),
`shortest` with the shortest way at any angle, mean and largest of the ways found. Dijkstra's
search, A*, landmarks, jump points and split searches promise the file's length, the exact search
that nothing is shorter.

Compared unless told otherwise: dijkstra, astar-octile, astar-euclid, landmarks, jump, greedy,
portals, split, path, mesh, relaxed and exact.

Every row is asked on all threads for its length, and up to 200 of a file again, on one thread, for
the time, of which the median is told.

Exit codes: 0 fine, 1 a promise was not kept in some row, 2 bad use or bad input.")]
pub(crate) struct CompareArgs {
    /// Scenario files, or folders of them
    #[arg(value_name = "FILE.scen", required = true)]
    files: Vec<PathBuf>,
    /// Methods to compare [default: the twelve that always find a way and are quick to prepare]
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', default_value = DEFAULT)]
    #[arg(hide_default_value = true)]
    #[arg(value_parser = methods())]
    navigators: Vec<Method>,
    /// Most rows of each file to try, spread evenly over it [default: all]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Write everything as JSON here; `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a line for every file and method here (CSV)
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    /// Plot lengths and times here (PNG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Threads for lengths; times are always measured on one [default: one a core]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// Compares and tells.
pub(crate) fn run(args: &CompareArgs) -> Result<bool, CliError> {
    let (many, one) = (pool(args.threads)?, pool(Some(1))?);
    let files = rows::files(&args.files)?;
    files.iter().for_each(|path| output::note_input(path));
    File::try_all(&files, &many)?;
    let json = Json::open(args.json.as_deref())?;
    let says = !json.is_said();
    let csv = Output::named(args.csv.as_deref(), "csv")?;
    let plot = Output::named(args.plot.as_deref(), "png")?;
    if says {
        say(&write::header())?;
    }
    let mut progress =
        Progress::of("step", (files.len() * args.navigators.len()) as u64, args.quiet);
    let mut outcomes = Vec::new();
    let mut skipped = Vec::new();
    for (at, path) in files.iter().enumerate() {
        let file = File::read(path, args.limit)?;
        let name = ground::name(path);
        let best = file.shortest(path, &many)?;
        if says {
            progress.suspend(|| say(&name))?;
        }
        for (i, &method) in args.navigators.iter().enumerate() {
            let done = (at * args.navigators.len() + i) as u64;
            progress.set(done, || format!("{name} {}", method.name()));
            let outcome = file.ask(path, method, &best, &many, &one)?;
            if says {
                progress.suspend(|| say(&write::line(&outcome)))?;
            }
            outcomes.push(outcome);
        }
        skipped.push((name, file.rows.rows.len(), file.rows.skipped));
    }
    progress.finish();
    let totals: Vec<Outcome> = args
        .navigators
        .iter()
        .map(|&method| Outcome::total(method, outcomes.iter().filter(|one| one.method == method)))
        .collect();
    let fine = totals.iter().all(|total| total.missed == 0);
    json.tell(&write::json(&outcomes, &totals, &skipped))?;
    if let Some(output) = csv {
        output.save(write::csv(&outcomes))?;
    }
    if let Some(output) = plot {
        write::plot(output, &totals)?;
    }
    if says {
        let files = [("plot", &args.plot), ("csv", &args.csv)];
        let files: Vec<_> =
            files.into_iter().filter_map(|(what, path)| Some((what, path.as_deref()?))).collect();
        say(&write::summary(&outcomes, &totals, &skipped, &files))?;
    }
    Ok(fine)
}

/// A scenario file with its map.
struct File {
    map: Map,
    class: Clearance,
    rows: Rows,
}

impl File {
    /// Reads all files for once, so that what is wrong with one is told before any answer; the first
    /// error of the first such file.
    fn try_all(files: &[PathBuf], many: &rayon::ThreadPool) -> Result<(), CliError> {
        let tried: Vec<Result<(), CliError>> = many
            .install(|| files.par_iter().map(|path| Self::read(path, None).map(drop)).collect());
        tried.into_iter().collect()
    }

    fn read(path: &Path, limit: Option<u32>) -> Result<Self, CliError> {
        let map_path = rows::map_of(path)?;
        let refused = |source| CliError::Map { path: map_path.clone(), source };
        let map = Map::parse_movingai(&load::map_file(&map_path)?, &Legend::default(), 1.0)
            .map_err(refused)?;
        let class = map.try_class(0.0).map_err(refused)?;
        let mut rows = rows::read(path, &map, &class)?;
        if let Some(limit) = limit {
            rows.rows = evenly(&rows.rows, limit as usize).copied().collect();
        }
        Ok(Self { map, class, rows })
    }

    fn prepare(&self, path: &Path, method: Method) -> Result<Prepared<'_>, CliError> {
        let refused =
            |source| CliError::Method { name: method.name(), path: path.to_owned(), source };
        Prepared::new(method, &self.map, &self.class, 0.0).map_err(refused)
    }

    /// Lengths of the shortest ways at any angle; `None` where there is none.
    fn shortest(
        &self,
        path: &Path,
        many: &rayon::ThreadPool,
    ) -> Result<Vec<Option<f64>>, CliError> {
        let exact = self.prepare(path, Method::Exact)?;
        let found = many.install(|| {
            let rows = self.rows.rows.par_iter();
            let ask = |memory: &mut (Scratch, Way), row: &Row| {
                exact.find(&query(row), &mut memory.0, &mut memory.1);
                memory.1.found.then_some(memory.1.length)
            };
            rows.map_init(Default::default, ask).collect()
        });
        Ok(found)
    }

    /// Asks every row, on many threads for the length and some on one for the time.
    fn ask(
        &self,
        path: &Path,
        method: Method,
        best: &[Option<f64>],
        many: &rayon::ThreadPool,
        one: &rayon::ThreadPool,
    ) -> Result<Outcome, CliError> {
        let (prepared, took) = one.install(|| {
            let began = Instant::now();
            let prepared = self.prepare(path, method);
            (prepared, began.elapsed())
        });
        let prepared = prepared?;
        let answers: Vec<Asked> = many.install(|| {
            let rows = self.rows.rows.par_iter().zip(best);
            let ask = |memory: &mut (Scratch, Way), (row, best): (&Row, &Option<f64>)| {
                prepared.find(&query(row), &mut memory.0, &mut memory.1);
                Asked::new(&memory.1, row, *best)
            };
            rows.map_init(Default::default, ask).collect()
        });
        let (mut scratch, mut way) = (Scratch::default(), Way::default());
        let timed: Vec<[f64; 2]> = one.install(|| {
            let time = |row: &Row| {
                let began = Instant::now();
                prepared.find(&query(row), &mut scratch, &mut way);
                [row.length, began.elapsed().as_secs_f64() * 1e6]
            };
            evenly(&self.rows.rows, TIMED).map(time).collect()
        });
        let mut outcome = Outcome::of(method, &answers);
        outcome.file = ground::name(path);
        outcome.timed = timed;
        outcome.prepared_ms = took.as_secs_f64() * 1e3;
        outcome.bytes = prepared.bytes() + scratch.bytes();
        Ok(outcome)
    }
}

fn query(row: &Row) -> Query {
    Query { from: row.from, to: row.to, leader: row.from, seed: 1, most_steps: 100_000 }
}

/// At most so many of a list, evenly over all of it.
fn evenly<T>(list: &[T], most: usize) -> impl Iterator<Item = &T> {
    let count = list.len().min(most);
    (0..count).map(move |i| &list[i * list.len() / count])
}
