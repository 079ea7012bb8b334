//! Which files of a run or of a replay are wanted, as typed.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use crate::draw::film::{FilmKind, LONG_SIDE};
use crate::look::LookArgs;
use crate::measure::MeasureArgs;

/// What is written of a run.
#[derive(ClapArgs, Debug)]
pub(crate) struct FileArgs {
    /// Write the summary as JSON here; `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Draw the end here (PNG)
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
    /// Draw a film here: an animated GIF, or an animated PNG (`.png`, `.apng`)
    #[arg(long, value_name = "FILE")]
    pub(crate) film: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) films: FilmArgs,
    /// Draw heat maps into this folder: density, speed, first arrival, usage, level of
    /// service
    #[arg(long, value_name = "DIR")]
    pub(crate) heat: Option<PathBuf>,
    /// Side of a square of heat maps in metres [default: 0.5, more on large maps]
    #[arg(long, value_name = "METRES", requires = "heat", value_parser = side)]
    pub(crate) heat_side: Option<f64>,
    #[command(flatten)]
    pub(crate) looks: LookArgs,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// Write trajectories here: `.txt` for PedPy, `.csv`, or `.parquet` where built in
    #[arg(long, value_name = "FILE")]
    pub(crate) trajectories: Option<PathBuf>,
    /// Ticks from one frame of the trajectories to the next [default: 10 frames a second]
    #[arg(long, value_name = "K", requires = "trajectories", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) trajectories_every: Option<u32>,
    /// Write the walkable area here, as well-known text (WKT)
    #[arg(long, value_name = "FILE")]
    pub(crate) geometry: Option<PathBuf>,
    /// In trajectories and the walkable area, y goes up from the lower edge of the map, not down from the
    /// upper one
    #[arg(long)]
    pub(crate) y_up: bool,
}

/// How films look.
#[derive(Clone, Copy, ClapArgs, Debug)]
pub(crate) struct FilmArgs {
    /// Simulated seconds in a second of the film [default: what makes 240 frames in all]
    #[arg(long, value_name = "TIMES", requires = "film", value_parser = times)]
    pub(crate) film_speed: Option<f64>,
    /// Pixels of the longer side of the film, at most
    #[arg(long, value_name = "PIXELS", requires = "film", default_value_t = LONG_SIDE)]
    #[arg(value_parser = clap::value_parser!(u32).range(100..=4096), allow_negative_numbers = true)]
    pub(crate) film_size: u32,
}

/// A speed of a film as typed.
fn times(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is no speed; a speed is a number above 0, as in 8");
    text.trim().parse().ok().filter(|s: &f64| s.is_finite() && *s > 0.0).ok_or_else(wrong)
}

/// A side of a square as typed.
fn side(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is no side of a square; a side is 0.1 to 1000 metres");
    text.trim().parse().ok().filter(|s: &f64| (0.1..=1000.0).contains(s)).ok_or_else(wrong)
}

/// The kind of a film by the ending of its file.
pub(crate) fn film_kind(path: &Path) -> FilmKind {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    if ending == "png" || ending == "apng" { FilmKind::Png } else { FilmKind::Gif }
}

impl FileArgs {
    /// Whether any file is named.
    pub(crate) fn any(&self) -> bool {
        self.picture.is_some() || self.geometry.is_some() || self.of_stretch()
    }

    /// Whether a file is named that tells of more than the end.
    pub(crate) fn of_stretch(&self) -> bool {
        let Self { film, json, trajectories, measure, heat, .. } = self;
        [film, json, trajectories, &measure.measure, heat].iter().any(|file| file.is_some())
    }
}
