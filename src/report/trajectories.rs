//! Trajectories: where every agent was at every frame, for the tools that analyse pedestrian data.
//!
//! `.txt` is the text format of the Pedestrian Dynamics Data Archive, which PedPy reads; `.csv` and
//! `.parquet` (with the feature `parquet`) have velocities and groups too. `docs/formats.md` says
//! what the files hold.

mod frame;
mod header;
#[cfg(feature = "parquet")]
mod parquet;
mod text;

use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::lane::Numbers;
use crate::report::roll::Roll;
use crate::report::trajectories::frame::Frame;
pub use crate::report::trajectories::header::{Format, Header};
use crate::report::trajectories::text::Text;
use crate::world::World;

/// Why trajectories cannot be written.
#[derive(Debug, Error)]
pub enum TrajectoryError {
    /// The file's name says no format.
    #[error("trajectories cannot be written to `{}`: its ending is no known format", .path.display())]
    Extension {
        /// The file.
        path: PathBuf,
    },
    /// The program lacks the feature.
    #[error("trajectories cannot be written to `{}`: built without Parquet", .path.display())]
    WithoutParquet {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be made or written.
    #[error("cannot write the trajectories")]
    Io(#[from] io::Error),
    /// Parquet refuses.
    #[cfg(feature = "parquet")]
    #[error("cannot write the trajectories")]
    Parquet(#[source] ::parquet::errors::ParquetError),
}

#[cfg(feature = "parquet")]
impl From<::parquet::errors::ParquetError> for TrajectoryError {
    fn from(error: ::parquet::errors::ParquetError) -> Self {
        use ::parquet::errors::ParquetError::External;
        match error {
            External(source) => match source.downcast() {
                Ok(source) => Self::Io(*source),
                Err(source) => Self::Parquet(External(source)),
            },
            error => Self::Parquet(error),
        }
    }
}

impl TrajectoryError {
    /// What to do about it, if that is known.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Extension { .. } => Some("name a file that ends in .txt, .csv or .parquet"),
            Self::WithoutParquet { .. } => Some(
                "name a file that ends in .csv or .txt, or build with `cargo build --release \
                 --features parquet`",
            ),
            _ => None,
        }
    }
}

impl Format {
    /// The format that a file's ending stands for, in capitals or not.
    ///
    /// # Errors
    /// An unknown ending, and `.parquet` without the feature `parquet`.
    pub fn of(path: &Path) -> Result<Self, TrajectoryError> {
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        match ending.to_str() {
            Some("txt") => Ok(Self::Text),
            Some("csv") => Ok(Self::Csv),
            #[cfg(feature = "parquet")]
            Some("parquet") => Ok(Self::Parquet),
            #[cfg(not(feature = "parquet"))]
            Some("parquet") => Err(TrajectoryError::WithoutParquet { path: path.to_owned() }),
            _ => Err(TrajectoryError::Extension { path: path.to_owned() }),
        }
    }
}

impl Header {
    /// Frames a second.
    pub fn frame_rate(&self) -> f64 {
        f64::from(self.tick_rate) / f64::from(self.every)
    }

    /// Ticks from one frame to the next when nothing is said: 10 frames a second, or as few more as
    /// whole ticks allow; every tick where there are fewer than 10 a second.
    pub fn usual_every(tick_rate: u32) -> u32 {
        (tick_rate / 10).max(1)
    }

    /// The name of a group.
    fn group(&self, index: usize) -> String {
        self.groups.get(index).cloned().unwrap_or_else(|| format!("group {index}"))
    }
}

/// Writes the trajectories of a run, frame by frame.
#[derive(Debug)]
pub struct Trajectories<W: Write + Send> {
    sink: Sink<W>,
    frame: Frame,
    roll: Roll,
    every: u64,
    y_up: bool,
    /// Worlds seen so far.
    seen: u64,
}

#[derive(Debug)]
enum Sink<W: Write + Send> {
    Text(Text<W>),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::Columns<W>>),
}

impl<W: Write + Send> Trajectories<W> {
    /// Starts trajectories that go to a writer.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn start(writer: W, format: Format, header: &Header) -> Result<Self, TrajectoryError> {
        let sink = match format {
            Format::Text | Format::Csv => Sink::Text(Text::start(writer, format, header)?),
            #[cfg(feature = "parquet")]
            Format::Parquet => Sink::Parquet(Box::new(parquet::Columns::start(writer, header)?)),
        };
        let (frame, roll) = (Frame::default(), Roll::default());
        let every = u64::from(header.every.max(1));
        Ok(Self { sink, frame, roll, every, y_up: header.y_up, seen: 0 })
    }

    /// Looks at a world; feed it after every tick. The first one is frame 0, and from then on every
    /// [`Header::every`]th is a frame.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn observe<N: Numbers>(&mut self, world: &World<N>) -> Result<(), TrajectoryError> {
        self.roll.enrol(world);
        let due = self.seen.is_multiple_of(self.every);
        if due {
            self.frame.load(world, self.seen / self.every, &self.roll, self.y_up);
            match &mut self.sink {
                Sink::Text(text) => text.write(&self.frame)?,
                #[cfg(feature = "parquet")]
                Sink::Parquet(columns) => columns.write(&self.frame)?,
            }
        }
        self.seen += 1;
        Ok(())
    }

    /// Ends the file; without it, a file is cut. Returns the writer.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn finish(self) -> Result<W, TrajectoryError> {
        match self.sink {
            Sink::Text(text) => Ok(text.finish()?),
            #[cfg(feature = "parquet")]
            Sink::Parquet(columns) => Ok(columns.finish()?),
        }
    }
}
