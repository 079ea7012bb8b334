//! What the program says when something is wrong.

use std::io;
use std::path::{Path, PathBuf};

use crate::pathfinding::Refused;
use gif::EncodingError;
use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
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

use crate::{BAD, FAILED};

/// Anything that ends the program early.
#[derive(Debug, Error)]
pub(crate) enum CliError {
    #[error("cannot read `{}`", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write `{}`", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot write `{}`: its name does not end in `.{ending}`", path.display())]
    Ending { path: PathBuf, ending: &'static str },
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
    #[error("the scenario cannot be changed like that")]
    Override { source: OverrideError },
    #[error("`{}` is no good map", path.display())]
    Map { path: PathBuf, source: MapError },
    #[error("the goal is no good")]
    Goal { source: AreaError },
    #[error("the replay `{}` fails", path.display())]
    Replay { path: PathBuf, source: ReplayError },
    #[error("there is no tick {tick}: the replay goes from {first} to {end}")]
    NoSuchTick { tick: u64, first: u64, end: u64 },
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
    #[error("the map of `{name}` is not made by rules")]
    NotGenerated { name: String },
    #[error("cannot encode `{}`: {why}", path.display())]
    Picture { path: PathBuf, why: String },
    #[error(transparent)]
    Trajectories(TrajectoryError),
    #[error("the threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// A scenario's error with its text, unless that is the text of something else.
#[derive(Debug)]
pub(crate) struct InFile {
    error: ScenarioError,
    text: Option<NamedSource<String>>,
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
        let text =
            ScenarioDef::is_like(text).then(|| NamedSource::new(&error.file, text.to_owned()));
        Self::Scenario(Box::new(InFile { error, text }))
    }
}

impl CliError {
    /// The exit code: a replay that is broken in its header fails like one that is broken later.
    pub(crate) fn code(&self) -> u8 {
        if self.is_broken() { FAILED } else { BAD }
    }

    fn is_broken(&self) -> bool {
        matches!(self, Self::Replay { source: ReplayError::Broken(_), .. })
    }
}

impl Diagnostic for CliError {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        match self {
            Self::NoSuchScenario { help, .. } => Some(Box::new(help)),
            _ if self.is_broken() => {
                Some(Box::new("nothing of it can be played: 0 ticks are whole"))
            }
            Self::Value { why, .. } | Self::Polygons { why, .. } => Some(Box::new(why)),
            Self::Input { .. } | Self::Twice { .. } => Some(Box::new("name another file")),
            Self::NotGenerated { .. } => Some(Box::new(
                "expected: a table `[map.generate]` with `width`, `height` and steps",
            )),
            Self::Rows { expected, .. } => Some(Box::new(format!("expected: {expected}"))),
            Self::Scenario(file) => {
                let expected = &file.error.first().expected;
                (!expected.is_empty()).then(|| Box::new(format!("expected: {expected}")) as Box<_>)
            }
            Self::Trajectories(error) => error.help().map(|help| Box::new(help) as Box<_>),
            _ => None,
        }
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        match self {
            Self::Scenario(file) => file.text.as_ref().map(|text| text as &dyn SourceCode),
            _ => None,
        }
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let Self::Scenario(file) = self else { return None };
        file.text.as_ref()?;
        Some(Box::new(file.error.problems.iter().map(|problem| {
            let length = problem.span.len().max(1);
            LabeledSpan::new(Some(problem.wrong.clone()), problem.span.start, length)
        })))
    }
}
