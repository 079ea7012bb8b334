//! `throng run`.

use std::path::{Path, PathBuf};

use throng::math::{Fx, Numeric};
use throng::replay::Rewind;
use throng::report::trajectories::Header;
use throng::scenario::Plan;

use crate::args::{RunArgs, pool};
use crate::error::CliError;
use crate::files::{Files, written_file};
use crate::look::Look;
use crate::output::Output;
use crate::sharing::Sharing;
use crate::simulate::{Outcomes, Recording, simulate};
use crate::summary::spawned;
use crate::watch::Wanted;
use crate::{ground, load, rewind, signal, tell};

/// Bytes from which a file is announced before it is written.
const LARGE: u64 = 100_000_000;

/// Where the picture and the replay go when nothing is said.
pub(crate) const FOLDER: &str = "out";

/// Runs a scenario.
pub(crate) fn run(args: &RunArgs) -> Result<bool, CliError> {
    let (plan, map_name) = load::plan(&args.scenario, &args.changes.changes())?;
    let rewind = args.rewind.map(|depth| Rewind::new(depth as usize));
    let reload = args.reload.map(|depth| Rewind::reloading(depth as usize));
    if let Some(check) = rewind.or(reload) {
        let option = if args.rewind.is_some() { "--rewind" } else { "--reload" };
        if args.files.any() || args.record.is_some() {
            let why = "it checks, and writes no files: leave out the options that name some";
            return Err(CliError::value(option, args.rewind.or(args.reload).unwrap_or(0), why));
        }
        signal::heed();
        return args.threads.pool()?.install(|| match plan.numeric {
            Numeric::F32 => rewind::run::<f32>(&plan, check, args.quiet),
            Numeric::Fixed => rewind::run::<Fx>(&plan, check, args.quiet),
        });
    }
    run_plan(args, &plan, &map_name, args.threads.or(0), None)?;
    Ok(true)
}

/// Runs a plan on so many threads, and maybe shares the work with other processes.
pub(crate) fn run_plan(
    args: &RunArgs,
    plan: &Plan,
    map_name: &str,
    threads: u32,
    sharing: Option<&Sharing<'_>>,
) -> Result<(), CliError> {
    args.files.looks.check(&plan.map)?;
    let [picture, record] = named(args, &plan.name)?;
    let first = sharing.map_or(Ok(0), Sharing::first)?;
    let tick_rate = plan.settings.tick_rate;
    let (mut files, measures) = Files::open(&args.files, picture.as_deref(), tick_rate)?;
    let recording = Recording {
        output: Output::named(record.as_deref(), "throng")?,
        keyframe_bytes: args.keyframes.bytes(),
        trace: args.trace,
    };
    let streams = files.begin(&plan.map)?;
    announce(plan, args);
    let mut scene = plan.scene.clone();
    map_name.clone_into(&mut scene.map);
    let look = Look::new(&scene, &args.files.looks);
    let wanted = Wanted {
        name: &plan.name,
        map_name,
        map: &plan.map,
        tick_rate,
        first,
        ticks: plan.ticks.saturating_sub(first),
        picture: picture.is_some(),
        trails: picture.is_some(),
        measures,
        files: &args.files,
        look: &look,
    };
    signal::heed();
    let simulate = match plan.numeric {
        Numeric::F32 => simulate::<f32>,
        Numeric::Fixed => simulate::<Fx>,
    };
    let pool = pool(Some(threads))?;
    let Outcomes { ended, refused, why } =
        pool.install(|| simulate(plan, wanted, streams, recording, sharing, args.quiet))?;
    let mut notes = format!("\nended: {why}\n");
    for refused in &refused {
        notes.push_str(&format!("note: {refused}\n"));
    }
    let last = record.map_or(String::new(), |path| {
        let written = written_file("replay", &path);
        format!("{written}prove it: throng verify {}\n", path.display())
    });
    files.finish(&ended, &look, [&notes, &last], args.quiet)
}

/// Where the picture and the replay go: both to a folder when no file is named at all.
fn named(args: &RunArgs, name: &str) -> Result<[Option<PathBuf>; 2], CliError> {
    if args.no_files || args.record.is_some() || args.files.any() {
        return Ok([args.files.picture.clone(), args.record.clone()]);
    }
    let (folder, name) = (Path::new(FOLDER), file_name(name));
    Ok(["png", "throng"].map(|ending| Some(folder.join(format!("{name}.{ending}")))))
}

/// The name of a run as one of a file.
pub(crate) fn file_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' };
    name.chars().map(safe).collect()
}

/// Tells of trajectories that may get large before they are written.
fn announce(plan: &Plan, args: &RunArgs) {
    let Some(path) = &args.files.trajectories else { return };
    let agents: u64 = plan.orders.iter().map(|(_, order)| spawned(order)).sum();
    let rate = plan.settings.tick_rate;
    let every = args.files.trajectories_every.unwrap_or_else(|| Header::usual_every(rate));
    let rows = agents.saturating_mul(plan.ticks.div_ceil(u64::from(every.max(1))));
    let bytes = match path.extension().and_then(|ending| ending.to_str()) {
        Some("csv") => 50,
        Some("parquet") => 13,
        _ => 26,
    };
    let size = rows.saturating_mul(bytes);
    if size >= LARGE && !args.quiet {
        let (size, path) = (ground::size(size), path.display());
        let seconds = plan.ticks / u64::from(rate);
        tell(&format!(
            "note: {path} gets up to {size} if the run takes all of its {seconds} s; \
             --trajectories-every writes fewer frames, --ticks ends it earlier"
        ));
    }
}
