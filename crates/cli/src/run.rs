//! `throng run`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::walkable;
use throng::math::{Fx, Numeric};
use throng::replay::Rewind;
use throng::report::trajectories::{Format, Header};
use throng::scenario::Plan;

use crate::args::RunArgs;
use crate::error::CliError;
use crate::look::Look;
use crate::output::{Json, Output};
use crate::simulate::{Ended, Streams, Wanted, caption, simulate};
use crate::summary::spawned;
use crate::{ground, load, measure, rewind, say, signal, tell};

/// Bytes from which a file is announced before it is written.
const LARGE: u64 = 100_000_000;

/// Bytes from which the size of a file that was written is told.
const TOLD: u64 = 10_000_000;

/// Where the picture and the replay go when nothing is said.
pub(crate) const FOLDER: &str = "out";

/// The files of a run, open: what cannot be written is refused before a long run rather than after it.
struct Files {
    picture: Option<Output>,
    json: Json,
    geometry: Option<Output>,
    streams: Streams,
    /// What will be written: what it is, and where.
    told: Vec<(&'static str, PathBuf)>,
}

impl Files {
    fn open(args: &RunArgs, name: &str) -> Result<Self, CliError> {
        let RunArgs { record, picture, film, json, trajectories, geometry, no_files, .. } = args;
        let (mut record, mut picture, folder) =
            (record.clone(), picture.clone(), &args.measure.measure);
        let named = [&record, &picture, film, json, trajectories, geometry, folder];
        if !no_files && named.iter().all(|file| file.is_none()) {
            let folder = Path::new(FOLDER);
            fs::create_dir_all(folder).map_err(CliError::write(folder))?;
            let name = file_name(name);
            record = Some(folder.join(format!("{name}.throng")));
            picture = Some(folder.join(format!("{name}.png")));
        }
        let mut told = Vec::new();
        for (what, path) in [
            ("picture", &picture),
            ("film", film),
            ("replay", &record),
            ("json", json),
            ("measures", folder),
            ("trajectories", trajectories),
            ("geometry", geometry),
        ] {
            if let Some(path) = path.as_ref().filter(|path| *path != Path::new("-")) {
                told.push((what, path.clone()));
            }
        }
        let open = |path: &Option<PathBuf>, ending| Output::named(path.as_deref(), ending);
        let trajectories = trajectories.as_deref().map(Output::at).transpose()?;
        let (record, film) = (open(&record, "throng")?, open(film, "gif")?);
        Ok(Self {
            picture: open(&picture, "png")?,
            json: Json::open(json.as_deref())?,
            geometry: open(geometry, "wkt")?,
            streams: Streams { record, film, trajectories },
            told,
        })
    }
}

/// Runs a scenario.
pub(crate) fn run(args: &RunArgs) -> Result<bool, CliError> {
    if let Some(path) = &args.trajectories {
        Format::of(path).map_err(CliError::trajectories(path))?;
    }
    let (plan, map_name) = load::plan(&args.scenario, &args.changes.changes())?;
    let rewind = args.rewind.map(|depth| Rewind::new(depth as usize));
    let reload = args.reload.map(|depth| Rewind::reloading(depth as usize));
    if let Some(check) = rewind.or(reload) {
        signal::heed();
        return args.threads.pool()?.install(|| match plan.numeric {
            Numeric::F32 => rewind::run::<f32>(&plan, check, args.quiet),
            Numeric::Fixed => rewind::run::<Fx>(&plan, check, args.quiet),
        });
    }
    let Files { picture, json, geometry, streams, told } = Files::open(args, &plan.name)?;
    let (measures, measure_outputs) = args.measure.prepare(&plan)?.unzip();
    if let Some(output) = geometry {
        output.save(walkable::wkt(&plan.map))?;
    }
    announce(&plan, args);
    let scene = plan.scene();
    let look = Look::new(&scene, args.colours.colour_by);
    let (trails, map_name) = (picture.is_some(), &map_name[..]);
    let wanted = Wanted { args, trails, measures, look: &look, map_name };
    signal::heed();
    let ended = args.threads.pool()?.install(|| match plan.numeric {
        Numeric::F32 => simulate::<f32>(&plan, &wanted, streams),
        Numeric::Fixed => simulate::<Fx>(&plan, &wanted, streams),
    })?;
    if let Some(output) = picture {
        let caption = caption(&ended.summary);
        let overlay = ended.combat_overlay.as_ref();
        let crowd = ended.observer.crowd();
        let image = look.draw(&ended.map, &crowd, &caption, ended.trails.as_ref(), overlay);
        output.picture(&image, false)?;
    }
    if let (Some(measures), Some(outputs)) = (&ended.measures, measure_outputs) {
        measure::save(measures, &plan.name, &scene, outputs)?;
    }
    report(&ended, &told, json, args.quiet)?;
    Ok(true)
}

/// The name of a run as one of a file.
pub(crate) fn file_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' };
    name.chars().map(safe).collect()
}

/// Tells of trajectories that may get large before they are written.
fn announce(plan: &Plan, args: &RunArgs) {
    let Some(path) = &args.trajectories else { return };
    let agents: u64 = plan.orders.iter().map(|(_, order)| spawned(order)).sum();
    let rate = plan.settings.tick_rate;
    let every = args.trajectories_every.unwrap_or_else(|| Header::usual_every(rate));
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

/// What was written, with the sizes of files that are large.
fn written(told: &[(&'static str, PathBuf)]) -> String {
    let mut text = String::new();
    for (what, path) in told {
        let size =
            fs::metadata(path).ok().filter(|data| data.is_file()).map_or(0, |data| data.len());
        let size = if size >= TOLD { format!(" ({})", ground::size(size)) } else { String::new() };
        text.push_str(&format!("{what}: {}{size}\n", path.display()));
    }
    if let Some((_, path)) = told.iter().find(|(what, _)| *what == "replay") {
        text.push_str(&format!("prove it: throng verify {}\n", path.display()));
    }
    text
}

fn report(
    ended: &Ended,
    told: &[(&'static str, PathBuf)],
    json: Json,
    quiet: bool,
) -> Result<(), CliError> {
    let is_said = json.is_said();
    json.tell(&ended.summary)?;
    if quiet {
        return Ok(());
    }
    let mut text = ended.summary.to_text();
    if let Some(measures) = &ended.measures {
        text.push_str(&format!("\n{measures}"));
    }
    text.push_str(&format!("\nended: {}\n", ended.why));
    for refused in &ended.refused {
        text.push_str(&format!("note: {refused}\n"));
    }
    text.push_str(&written(told));
    if is_said {
        tell(&text);
        return Ok(());
    }
    say(&text)
}
