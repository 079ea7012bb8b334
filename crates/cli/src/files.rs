//! The files that come of a run or of a replay: opened before the work, written during it and at its end.

use std::fs;
use std::path::{Path, PathBuf};

use throng::map::Map;
use throng::report::heat::Heat;
use throng::report::measure::Options;
use throng::report::trajectories::Format;

use crate::draw::heat_picture;
use crate::error::CliError;
use crate::file_args::FileArgs;
use crate::look::{Look, caption_of};
use crate::measure::Outputs;
use crate::output::{self, Json, Output};
use crate::summary::Summary;
use crate::watch::{Ended, Streams};
use crate::{ground, measure, say, tell, walkable};

/// Bytes from which the size of a file that was written is told.
const TOLD: u64 = 10_000_000;

/// A heat map.
#[derive(Clone, Copy)]
enum HeatKind {
    Value(Heat),
    /// The level of service of the density.
    Service,
}

impl HeatKind {
    /// The name, as of a file.
    fn name(self) -> &'static str {
        match self {
            Self::Value(heat) => heat.name(),
            Self::Service => "service",
        }
    }
}

/// The files, open: what cannot be written is refused before a long run rather than after it.
pub(crate) struct Files {
    pub(crate) picture: Option<Output>,
    json: Json,
    geometry: Option<Output>,
    y_up: bool,
    measures: Option<Outputs>,
    heat: Vec<(HeatKind, Output)>,
    streams: Streams,
    /// What will be written: what it is, and where.
    told: Vec<(&'static str, PathBuf)>,
}

impl Files {
    /// Opens what is wanted, `picture` and `record` as they are given; also how to measure.
    pub(crate) fn open(
        args: &FileArgs,
        picture: Option<&Path>,
        tick_rate: u32,
    ) -> Result<(Self, Option<Options>), CliError> {
        if let Some(path) = &args.trajectories {
            Format::of(path).map_err(CliError::trajectories(path))?;
        }
        let named = |path: &Option<PathBuf>, ending| Output::named(path.as_deref(), ending);
        let (measures, outputs) = args.measure.prepare(tick_rate)?.unzip();
        let trajectories = args.trajectories.as_deref().map(Output::at).transpose()?;
        let mut told = Vec::new();
        for (what, path) in [
            ("picture", picture),
            ("film", args.film.as_deref()),
            ("json", args.json.as_deref()),
            ("measures", args.measure.measure.as_deref()),
            ("heat maps", args.heat.as_deref()),
            ("trajectories", args.trajectories.as_deref()),
            ("geometry", args.geometry.as_deref()),
        ] {
            if let Some(path) = path.filter(|path| *path != Path::new("-")) {
                told.push((what, path.to_owned()));
            }
        }
        let files = Self {
            picture: Output::named(picture, "png")?,
            json: Json::open(args.json.as_deref())?,
            geometry: named(&args.geometry, "wkt")?,
            y_up: args.y_up,
            measures: outputs,
            heat: heat(args)?,
            streams: Streams { film: film(args)?, trajectories },
            told,
        };
        Ok((files, measures))
    }

    /// Writes what the map alone says, and gives what is written on the way.
    pub(crate) fn begin(&mut self, map: &Map) -> Result<Streams, CliError> {
        if let Some(output) = self.geometry.take() {
            output.save(walkable::wkt(map, self.y_up))?;
        }
        Ok(std::mem::replace(&mut self.streams, Streams { film: None, trajectories: None }))
    }

    /// Writes the rest, and says what came of it all: `notes` behind the summary, `last` at the end.
    pub(crate) fn finish(
        self,
        ended: &Ended,
        look: &Look<'_>,
        [notes, last]: [&str; 2],
        quiet: bool,
    ) -> Result<(), CliError> {
        if let Some(output) = self.picture {
            let caption = caption(&ended.summary);
            let (trails, overlay) = (ended.trails.as_ref(), ended.combat_overlay.as_ref());
            let crowd = ended.observer.crowd();
            let image = look.draw(&ended.map, &crowd, &caption, trails, overlay, &ended.fixtures);
            output.picture(&image, false)?;
        }
        if let (Some(measures), Some(outputs)) = (&ended.measures, self.measures) {
            measure::save(measures, &ended.summary.scenario, look.scene, outputs)?;
        }
        for (kind, output) in self.heat {
            let Some(heat) = &ended.heat else { continue };
            let (map, letters, crop) = (&ended.map, &look.scene.letters, look.crop());
            let name = &ended.summary.scenario;
            let image = match kind {
                HeatKind::Value(kind) => {
                    let title = format!("{name}: {}", kind.label());
                    heat_picture::draw(map, heat, kind, &title, letters, crop)
                }
                HeatKind::Service => {
                    let title = format!("{name}: level of service (Fruin) of the mean density");
                    heat_picture::draw_service(map, heat, &title, letters, crop)
                }
            };
            output.picture(&image, false)?;
        }
        let is_said = self.json.is_said();
        self.json.tell(&ended.summary)?;
        if quiet {
            return Ok(());
        }
        let mut text = ended.summary.to_text();
        if let Some(measures) = &ended.measures {
            text.push_str(&format!("\n{measures}"));
        }
        text.push_str(notes);
        text.push_str(&written(&self.told));
        text.push_str(last);
        if is_said {
            tell(&text);
            return Ok(());
        }
        say(&text)
    }
}

/// The film's file.
fn film(args: &FileArgs) -> Result<Option<Output>, CliError> {
    let Some(path) = &args.film else { return Ok(None) };
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    let known = ["png", "apng"].into_iter().find(|known| ending == *known);
    let output = Output::open(path, known.unwrap_or("gif"));
    output.map(Some).map_err(|error| match error {
        CliError::Ending { path, .. } => CliError::FilmEnding { path },
        error => error,
    })
}

/// The files of the heat maps.
fn heat(args: &FileArgs) -> Result<Vec<(HeatKind, Output)>, CliError> {
    let Some(folder) = &args.heat else { return Ok(Vec::new()) };
    output::make_folder(folder)?;
    let open =
        |kind: HeatKind| Ok((kind, Output::at(&folder.join(format!("heat-{}.png", kind.name())))?));
    Heat::ALL.map(HeatKind::Value).into_iter().chain([HeatKind::Service]).map(open).collect()
}

/// The line below a picture.
fn caption(summary: &Summary) -> String {
    let counts = [summary.agents_ever(), summary.arrived];
    caption_of(&summary.scenario, summary.battle.as_ref(), counts, summary.simulated_s())
}

/// What was written, with the sizes of files that are large.
fn written(told: &[(&'static str, PathBuf)]) -> String {
    let mut text = String::new();
    for (what, path) in told {
        text.push_str(&written_file(what, path));
    }
    text
}

/// The line about a file that was written, with its size if it is large.
pub(crate) fn written_file(what: &str, path: &Path) -> String {
    let size = fs::metadata(path).ok().filter(|data| data.is_file()).map_or(0, |data| data.len());
    let size = if size >= TOLD { format!(" ({})", ground::size(size)) } else { String::new() };
    format!("{what}: {}{size}\n", path.display())
}
