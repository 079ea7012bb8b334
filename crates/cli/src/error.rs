//! What the program says when something is wrong.

use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};

use crate::pathfinding::Refused;
use crate::summary::plural;
use gif::EncodingError;
use thiserror::Error;
use throng::graph::mesh::MeshFileError;
use throng::graph::network::NetworkError;
use throng::map::MapError;
use throng::map::area::AreaError;
use throng::replay::ReplayError;
use throng::report::trajectories::TrajectoryError;
use throng::scenario::{OverrideError, ScenarioDef, ScenarioError};
use throng::state::SnapshotError;
use throng::world::WorldError;

use crate::terminal::{WIDTH, excerpt};
use crate::{BAD, FAILED};

/// Problems of a scenario that are told at most; the rest are counted.
const SHOWN: usize = 20;

/// Anything that ends the program early.
#[derive(Debug, Error)]
pub(crate) enum CliError {
    #[error("cannot read `{}`", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("`{}` is {is}", path.display())]
    OtherKind { path: PathBuf, is: &'static str, takes: &'static str },
    #[error("cannot write `{}`", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot write `{}`: its name does not end in `.{ending}`", path.display())]
    Ending { path: PathBuf, ending: &'static str },
    #[error(
        "cannot write `{}`: its name does not end in `.gif`, `.png` or `.apng`",
        path.display()
    )]
    FilmEnding { path: PathBuf },
    #[error("cannot write `{}`: it is read, too", path.display())]
    Input { path: PathBuf },
    #[error("cannot write `{}`: it is two outputs at once", path.display())]
    Twice { path: PathBuf },
    #[error("cannot serve on port {port} of this machine")]
    Serve { port: u16, source: io::Error },
    #[error("cannot write to the standard output")]
    Output { source: io::Error },
    #[error("there is no file and no scenario of the name `{name}`")]
    NoSuchScenario { name: String, help: String },
    #[error("{}", .0.error)]
    Scenario(Box<InFile>),
    #[error("`{path}` is no map for this scenario: {why}")]
    TypedMap { path: String, why: String, expected: String },
    #[error("`--set {typed}` is no good: {why}")]
    Set { typed: String, why: String, expected: String },
    #[error("the scenario cannot be changed like that")]
    Override { source: OverrideError },
    #[error("`{}` is no good map", path.display())]
    Map { path: PathBuf, source: MapError },
    #[error("`{}` is no good map", path.display())]
    Letter { path: PathBuf, letter: char, source: MapError },
    #[error("the goal is no good")]
    Goal { source: AreaError },
    #[error("the replay `{}` fails", path.display())]
    Replay { path: PathBuf, source: ReplayError },
    #[error("`{}` has a sweep already", folder.display())]
    SweepThere { folder: PathBuf },
    #[error("`{}` is written by another sweep just now", path.display())]
    SweepUnderWay { path: PathBuf },
    #[error("`{}` is of another plan, other scenarios or another version", path.display())]
    OtherSweep { path: PathBuf },
    #[error("this program cannot be started again")]
    Program { source: io::Error },
    #[error("there is no tick {tick}: the replay goes from {first} to {end}")]
    NoSuchTick { tick: u64, first: u64, end: u64 },
    #[error("process {process} has other bits than process 0 after tick {tick}")]
    Differs { process: usize, tick: u64 },
    #[error("a snapshot of the run is refused")]
    Snapshot { source: SnapshotError },
    #[error("the world cannot be made")]
    World { source: WorldError },
    #[error("`{argument}` is no good: {value}")]
    Value { argument: &'static str, value: String, why: String },
    #[error("`{}` is no good mesh", path.display())]
    Mesh { path: PathBuf, source: MeshFileError },
    #[error("`{}` is no good polygon", path.display())]
    Polygons { path: PathBuf, why: String },
    #[error("`{}` is no good network", path.display())]
    Network { path: PathBuf, source: NetworkError },
    #[error("`{name}` cannot be used on `{}`", path.display())]
    Method { name: &'static str, path: PathBuf, source: Refused },
    #[error("`{}`, line {line}: {wrong}", path.display())]
    Rows { path: PathBuf, line: usize, wrong: String, expected: String },
    #[error("`{}`{place}: {wrong}", path.display())]
    // The place begins with a comma, or is nothing.
    Import { path: PathBuf, place: String, wrong: String, expected: String },
    #[error("the map of `{name}` is not made by rules")]
    NotGenerated { name: String },
    #[error("cannot encode `{}`: {why}", path.display())]
    Picture { path: PathBuf, why: String },
    #[error(transparent)]
    Trajectories(TrajectoryError),
    #[error("the threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// A scenario's error with its text, unless that is the text of something else, and what to add.
#[derive(Debug)]
pub(crate) struct InFile {
    error: ScenarioError,
    text: Option<String>,
    help: String,
}

impl CliError {
    /// A bad value of an argument, and why.
    pub(crate) fn value(
        argument: &'static str,
        value: impl ToString,
        why: impl Into<String>,
    ) -> Self {
        Self::Value { argument, value: value.to_string(), why: why.into() }
    }

    /// An error of a map with what was typed of its cells and its agents.
    pub(crate) fn ground(path: &Path, source: MapError) -> Self {
        match source {
            MapError::UnknownLetter { letter, .. } => {
                Self::Letter { path: path.to_owned(), letter, source }
            }
            MapError::CellSize { cell_size, .. } => {
                Self::value("--cell", cell_size, source.to_string())
            }
            MapError::Radius { radius, .. } => Self::value("--radius", radius, source.to_string()),
            source => Self::Map { path: path.to_owned(), source },
        }
    }

    /// An error of writing a file.
    pub(crate) fn write(path: &Path) -> impl Fn(io::Error) -> Self {
        |source| Self::Write { path: path.to_owned(), source }
    }

    /// An error of encoding a picture; `path` is its file.
    pub(crate) fn picture<E: ToString>(path: &Path) -> impl Fn(E) -> Self {
        |error| Self::Picture { path: path.to_owned(), why: error.to_string() }
    }

    /// An error of a film; `path` is its file.
    pub(crate) fn film(path: &Path) -> impl Fn(EncodingError) -> Self {
        |error| match error {
            EncodingError::Io(source) => Self::write(path)(source),
            error => Self::picture(path)(error),
        }
    }

    /// An error of trajectories; `path` is their file.
    pub(crate) fn trajectories(path: &Path) -> impl Fn(TrajectoryError) -> Self {
        |error| match error {
            TrajectoryError::Io(source) => Self::Write { path: path.to_owned(), source },
            error => Self::Trajectories(error),
        }
    }

    /// A scenario's error, to be shown in its text.
    pub(crate) fn scenario(error: ScenarioError, text: &str) -> Self {
        let text = ScenarioDef::is_like(text).then(|| text.to_owned());
        Self::Scenario(Box::new(InFile { error, text, help: String::new() }))
    }

    /// An error of a file that is no scenario, to be shown in its text.
    pub(crate) fn in_text(error: ScenarioError, text: &str) -> Self {
        let text = Some(text.to_owned());
        Self::Scenario(Box::new(InFile { error, text, help: String::new() }))
    }

    /// The same with something that helps.
    #[must_use]
    pub(crate) fn with_help(mut self, more: String) -> Self {
        if let Self::Scenario(file) = &mut self {
            file.help = more;
        }
        self
    }

    /// The exit code: a replay that is broken in its header fails like one that is broken later.
    pub(crate) fn code(&self) -> u8 {
        if self.is_broken() || matches!(self, Self::Differs { .. }) { FAILED } else { BAD }
    }

    fn is_broken(&self) -> bool {
        matches!(self, Self::Replay { source: ReplayError::Broken(_), .. })
    }

    /// All that there is to say: what is wrong and why, where in the file, and what would be right.
    pub(crate) fn report(&self) -> String {
        let mut text = "error: ".to_owned();
        match self {
            Self::Scenario(file) => text.push_str(&file.report()),
            error => {
                text.push_str(&error.to_string());
                // What an error says of its source need not be said again.
                let mut source = error.source();
                while let Some(error) = source {
                    let more = error.to_string();
                    if !text.contains(&more) {
                        text.push_str(&format!(": {more}"));
                    }
                    source = error.source();
                }
            }
        }
        let help = self.help();
        if !help.is_empty() {
            text.push_str(&format!("\n  {help}"));
        }
        text
    }

    /// What to do about it, or what would be right; empty where that is not known.
    pub(crate) fn help(&self) -> String {
        match self {
            Self::SweepThere { .. } => {
                "--resume goes on with it; --output names another folder".to_owned()
            }
            Self::OtherSweep { .. } => "--output names another folder".to_owned(),
            Self::NoSuchScenario { help, .. } => help.clone(),
            Self::OtherKind { takes, .. } => (*takes).to_owned(),
            _ if self.is_broken() => "nothing of it can be played: 0 ticks are whole".to_owned(),
            Self::Value { why, .. } | Self::Polygons { why, .. } => why.clone(),
            Self::Input { .. } | Self::Twice { .. } => "name another file".to_owned(),
            Self::NotGenerated { .. } => {
                "expected: a table `[map.generate]` with `width`, `height` and steps".to_owned()
            }
            Self::Rows { expected, .. } | Self::Import { expected, .. } => {
                format!("expected: {expected}")
            }
            Self::Letter { letter, .. } => {
                format!("--cost {letter}=1 says what it costs: 1 is plain ground, 0 a wall")
            }
            Self::TypedMap { expected, .. } | Self::Set { expected, .. }
                if !expected.is_empty() =>
            {
                format!("expected: {expected}")
            }
            Self::Scenario(file) => file.help.clone(),
            Self::Trajectories(error) => error.help().unwrap_or_default().to_owned(),
            _ => String::new(),
        }
    }
}

impl InFile {
    /// A line or some for every problem, each with the line of the file that it is in.
    fn report(&self) -> String {
        let ScenarioError { file: name, problems, more } = &self.error;
        let mut text = String::new();
        for problem in problems.iter().take(SHOWN) {
            text.push_str(&format!("{name}:{problem}\n"));
            let Some(file) = &self.text else { continue };
            let start = problem.span.start.min(file.len());
            let first = file.as_bytes()[..start].iter().rposition(|&byte| byte == b'\n');
            let first = first.map_or(0, |end| end + 1);
            let rest = file.get(first..).unwrap_or_default();
            let line = rest.split('\n').next().unwrap_or_default();
            let end = (problem.span.end.max(start) - first).min(line.len());
            let [line, marks] = excerpt(line, start - first..end, WIDTH - 10);
            text.push_str(&format!("{:>7} │ {line}\n        │ {marks}\n", problem.line));
        }
        let hidden = problems.len().saturating_sub(SHOWN) as u64 + more;
        if hidden > 0 {
            text.push_str(&format!("and {} more", plural(hidden, "problem")));
        }
        text.truncate(text.trim_end().len());
        text
    }
}
