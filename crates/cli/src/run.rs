//! `throng run`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::draw::classes::Classes;
use crate::draw::picture;
use crate::draw::picture::{AreaKind, MarkedArea, PictureOptions};
use crate::walkable;
use throng::math::{Fx, Numeric};
use throng::replay::Rewind;
use throng::report::trajectories::Format;
use throng::scenario::{Overrides, Plan};

use crate::args::{ColourBy, RunArgs};
use crate::error::CliError;
use crate::output::{Json, Output};
use crate::simulate::{Ended, Streams, Wanted, caption, simulate};
use crate::{load, measure, rewind, say, signal, tell};

/// Where the picture and the replay go when nothing is said.
pub(crate) const FOLDER: &str = "out";

/// The files of a run, open: what cannot be written is refused before a long run rather than after it.
struct Files {
    picture: Option<Output>,
    json: Json,
    geometry: Option<Output>,
    streams: Streams,
    /// What will be written, in words.
    told: String,
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
        let mut told = String::new();
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
                told.push_str(&format!("{what}: {}\n", path.display()));
            }
        }
        if let Some(path) = &record {
            told.push_str(&format!("prove it: throng verify {}\n", path.display()));
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
    let overrides = Overrides {
        agents: args.agents,
        ticks: args.ticks,
        seed: args.seed,
        numeric: args.numeric.map(Into::into),
        map: args.map.clone(),
    };
    let (plan, map_name) = load::plan(&args.scenario, &overrides)?;
    let rewind = args.rewind.map(|depth| Rewind::new(depth as usize));
    let reload = args.reload.map(|depth| Rewind::reloading(depth as usize));
    if let Some(check) = rewind.or(reload) {
        signal::heed();
        return pool(args.threads)?.install(|| match plan.numeric {
            Numeric::F32 => rewind::run::<f32>(&plan, check, args.quiet),
            Numeric::Fixed => rewind::run::<Fx>(&plan, check, args.quiet),
        });
    }
    let Files { picture, json, geometry, streams, told } = Files::open(args, &plan.name)?;
    let (measures, measure_outputs) = args.measure.prepare(&plan)?.unzip();
    if let Some(output) = geometry {
        output.save(walkable::wkt(&plan.map))?;
    }
    let by_state = args.colour_by == ColourBy::State;
    let classes = if by_state { Classes::states(&plan) } else { Classes::groups(&plan) };
    let trails = picture.is_some();
    let (classes, map_name) = (&classes, &map_name[..]);
    let wanted = Wanted { args, trails, measures, classes, map_name };
    signal::heed();
    let ended = pool(args.threads)?.install(|| match plan.numeric {
        Numeric::F32 => simulate::<f32>(&plan, &wanted, streams),
        Numeric::Fixed => simulate::<Fx>(&plan, &wanted, streams),
    })?;
    if let Some(output) = picture {
        draw(&plan, classes, by_state, &ended, output)?;
    }
    if let (Some(measures), Some(outputs)) = (&ended.measures, measure_outputs) {
        measure::save(measures, &plan, outputs)?;
    }
    report(&ended, &told, json, args.quiet)?;
    Ok(true)
}

/// The name of a run as one of a file.
pub(crate) fn file_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' };
    name.chars().map(safe).collect()
}

/// The threads of a run.
pub(crate) fn pool(threads: Option<u32>) -> Result<rayon::ThreadPool, CliError> {
    let count = threads.unwrap_or(0) as usize;
    Ok(rayon::ThreadPoolBuilder::new().num_threads(count).build()?)
}

fn draw(
    plan: &Plan,
    classes: &Classes,
    by_state: bool,
    ended: &Ended,
    output: Output,
) -> Result<(), CliError> {
    let mut areas = Vec::new();
    // Armies start and aim everywhere.
    let groups = if ended.combat_overlay.is_some() { &[][..] } else { &plan.groups };
    for (&index, group) in classes.first.iter().zip(groups) {
        let mut mark = |shapes: &[throng::map::area::Shape], kind| {
            areas.extend(shapes.iter().cloned().map(|shape| MarkedArea {
                shape,
                group: index,
                kind,
            }));
        };
        mark(&group.starts, AreaKind::Start);
        mark(&group.goal, AreaKind::Goal);
    }
    let options = PictureOptions {
        names: &classes.names,
        head_counts: by_state,
        caption: &caption(&ended.summary),
        trails: ended.trails.as_ref(),
        combat_overlay: ended.combat_overlay.as_ref(),
        areas: &areas,
        letters: &plan.letters,
        ..PictureOptions::default()
    };
    let image = picture::draw(&ended.map, &ended.observer.crowd(), &options);
    output.picture(&image, false)
}

fn report(ended: &Ended, told: &str, json: Json, quiet: bool) -> Result<(), CliError> {
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
    text.push_str(told);
    if is_said {
        tell(&text);
        return Ok(());
    }
    say(&text)
}
