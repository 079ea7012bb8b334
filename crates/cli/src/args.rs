//! Arguments of commands, and kinds of arguments that several commands take.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use rayon::{ThreadPool, ThreadPoolBuilder};
use throng::math::Numeric;
use throng::scenario::{Assignment, Overrides};

use crate::error::CliError;
use crate::file_args::FileArgs;
use crate::ground::{CostArgs, GroundArgs};
use crate::load::Changes;

/// Number types.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum NumericArg {
    /// Strict IEEE single precision: the fastest
    F32,
    /// Q16.16 fixed point: integers only
    Fixed,
}

impl From<NumericArg> for Numeric {
    fn from(arg: NumericArg) -> Self {
        match arg {
            NumericArg::F32 => Self::F32,
            NumericArg::Fixed => Self::Fixed,
        }
    }
}

/// What to change of a scenario.
#[derive(ClapArgs, Debug)]
pub(crate) struct ChangeArgs {
    /// Number of agents at tick 0; every spawn keeps its share
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    agents: Option<u64>,
    /// Most ticks to run
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    ticks: Option<u64>,
    /// Seed of all randomness
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Number type of the simulation
    #[arg(long, value_enum, value_name = "MODE")]
    numeric: Option<NumericArg>,
    /// Map file (MovingAI, .png, .tmx or .wkt) in place of the scenario's map
    #[arg(long, value_name = "FILE")]
    map: Option<String>,
    /// Any key of the scenario in place of the file's, by its path, as in `group.0.speed=1.2` or
    /// `group.visitors.radius=0.3`; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = assignment)]
    set: Vec<Assignment>,
}

impl ChangeArgs {
    pub(crate) fn changes(&self) -> Changes {
        let overrides = Overrides {
            agents: self.agents,
            ticks: self.ticks,
            seed: self.seed,
            numeric: self.numeric.map(Into::into),
            map: self.map.clone(),
        };
        Changes { overrides, set: self.set.clone() }
    }
}

/// An assignment as typed: a key and a value as TOML has it, or a plain word.
fn assignment(text: &str) -> Result<Assignment, String> {
    let wrong = || format!("`{text}` is no KEY=VALUE, as in group.0.speed=1.2");
    let (path, value) = text.split_once('=').ok_or_else(wrong)?;
    let (path, value) = (path.trim().to_owned(), value.trim());
    let is_letter = |c: char| c.is_alphanumeric() || "-_ ./".contains(c);
    let is_word = value.starts_with(char::is_alphabetic) && value.chars().all(is_letter);
    let quoted = is_word && !["true", "false", "inf", "nan"].contains(&value);
    let value = if quoted { format!("\"{value}\"") } else { value.to_owned() };
    Ok(Assignment { path, value })
}

/// How many threads compute.
#[derive(ClapArgs, Debug)]
pub(crate) struct ThreadArgs {
    /// Threads to use; the result is the same for any number [default: one a core]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

impl ThreadArgs {
    /// So many as were typed, or these.
    pub(crate) fn or(&self, threads: u32) -> u32 {
        self.threads.unwrap_or(threads)
    }

    pub(crate) fn pool(&self) -> Result<ThreadPool, CliError> {
        pool(self.threads)
    }
}

/// So many threads, or one for every core.
pub(crate) fn pool(threads: Option<u32>) -> Result<ThreadPool, CliError> {
    Ok(ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0) as usize).build()?)
}

/// How much of a replay are states to begin from.
#[derive(ClapArgs, Debug)]
pub(crate) struct KeyframeArgs {
    /// Most MiB of keyframes (states to seek from) in the replay; 0 for none
    #[arg(long, value_name = "MIB", default_value_t = 128, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=768))]
    keyframes: u32,
}

impl KeyframeArgs {
    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.keyframes) << 20
    }
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng run crossing                               the picture and the replay go to out/
  throng run scenarios/doors.toml --film doors.gif  only the film
  throng run million --agents 200000 --numeric fixed --threads 2 --no-files
  throng run scenarios/doors.toml --measure measures
  throng run doors --set group.visitors.speed=1.2 --set end.arrived=0.5 --ticks 300 --no-files

Files are written under their names with `.part` added, and renamed when they are whole. Ctrl-C
ends a run cleanly, with exit code 130: the summary, the picture and the replay are whole.

Exit codes: 0 fine, 1 `--rewind` or `--reload` found a difference, 2 bad use or bad input.")]
pub(crate) struct RunArgs {
    /// A scenario file, or the name of a scenario that ships inside the program
    #[arg(value_name = "FILE")]
    pub(crate) scenario: String,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Write the replay here
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) files: FileArgs,
    #[command(flatten)]
    pub(crate) keyframes: KeyframeArgs,
    /// Record the digests after every stage of every tick, too; slow
    #[arg(long)]
    pub(crate) trace: bool,
    /// Check instead: at every tick go back by K ticks and repeat them
    #[arg(long, value_name = "K", allow_negative_numbers = true, conflicts_with = "reload")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) rewind: Option<u32>,
    /// Check instead: at every tick load the state of K ticks ago into a new world and repeat them
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) reload: Option<u32>,
    /// Write no files but those that are named; by default, when none is named, the picture and the
    /// replay go to `out/`
    #[arg(long)]
    pub(crate) no_files: bool,
    /// No progress, no summary
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// What may be missing of a replay.
#[derive(ClapArgs, Debug)]
pub(crate) struct CutArgs {
    /// Accept a replay that was cut, as a killed run leaves it, at the end of a block; damage before
    /// that is still an error
    #[arg(long)]
    pub(crate) allow_cut: bool,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng verify out/crossing.throng
  throng verify out/crossing.throng --threads 1

When the re-run differs, the first differing tick and columns are named, and the re-run up to that
tick is written beside the replay, for `throng diff`.

Exit codes: 0 the same to the end, 1 it differs, has no tick, or is cut or damaged, 2 bad use or bad
input.")]
pub(crate) struct VerifyArgs {
    /// A replay, as `run --record` writes it
    #[arg(value_name = "REPLAY")]
    pub(crate) replay: PathBuf,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// No progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) cut: CutArgs,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng replay out/crossing.throng                                   what is there at the end
  throng replay out/crossing.throng --seek 2000 --picture later.png
  throng replay out/crossing.throng --trails --picture end.png        as the run drew its end
  throng replay out/crossing.throng --film crossing.gif --measure measures
  throng replay out/crossing.throng --from 10 --to 20 --trajectories later.csv --json -

From a keyframe any tick is reached at once. What tells of more than one tick is played from tick
`--from` to tick `--to`: films, trajectories, measures, heat maps, summaries, trails and the
places of the fallen. Played whole, they are byte for byte those that the run would have written.

Exit codes: 0 fine, 1 the replay is cut or damaged, 2 bad use or bad input.")]
pub(crate) struct ReplayArgs {
    /// A replay, as `run --record` writes it
    #[arg(value_name = "REPLAY")]
    pub(crate) replay: PathBuf,
    /// Ticks done where to end [default: the end]
    #[arg(long, visible_alias = "seek", value_name = "TICK", allow_negative_numbers = true)]
    pub(crate) to: Option<u64>,
    /// Ticks done where to begin to play [default: the beginning]
    #[arg(long, value_name = "TICK", allow_negative_numbers = true)]
    pub(crate) from: Option<u64>,
    #[command(flatten)]
    pub(crate) files: FileArgs,
    /// Play, so that the picture has the trails of all agents, and marks where agents fell
    #[arg(long, requires = "picture")]
    pub(crate) trails: bool,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// No progress, no summary
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) cut: CutArgs,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng diff a.throng b.throng

The first differing tick and columns come from the digests in the files. From the keyframes
before it both are run again: where this program comes to the same digests, stage, chunk and
values are named. A dump, as `verify` writes it, ends with the state itself.

Exit codes: 0 no difference, 1 a difference, also of lengths, or a file that is cut or damaged,
2 bad use or bad input.")]
pub(crate) struct DiffArgs {
    /// A replay or a dump
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// Another one
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    #[command(flatten)]
    pub(crate) cut: CutArgs,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng check scenarios/city.toml
  throng check scenarios/maps/gallery.map --cost R=0.5
  throng check hall.wkt --cell 0.2 --picture hall.png

Mistakes are told with line, column and what would be right. When there are none, the orders of all
ticks are given to agents that stay where they start, without running: refused orders, agents that
cannot reach their goal (those of sources too) or the agents that they follow, strategies that
cannot go as they say, goals too small for their group, and what has no effect are told.

Exit codes: 0 fine, 1 a `mistake` is told, 2 bad use or bad input.")]
pub(crate) struct CheckArgs {
    /// A scenario file, the name of a scenario that ships inside the program, or a map: `.map`, `.png`,
    /// `.tmx` or `.wkt`
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// Draw the map here (PNG), with the agents of tick 0
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
    /// Side of a cell of a map file in metres [default: 1]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub(crate) cell: Option<f64>,
    #[command(flatten)]
    pub(crate) cost: CostArgs,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng field scenarios/maps/valley.map --goal 256,256 --picture field.png
  throng field scenarios/maps/gallery.map --cost R=0.5 --goal 24.5,44.5 --picture field.png

Exit codes: 0 fine, 2 bad use or bad input.")]
pub(crate) struct FieldArgs {
    #[command(flatten)]
    pub(crate) ground: GroundArgs,
    /// Goal in metres from the upper left corner; may be given several times
    #[arg(long, value_name = "X,Y", required = true, value_parser = point)]
    pub(crate) goal: Vec<[f64; 2]>,
    /// Where to draw it (PNG)
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: PathBuf,
}

/// A point as typed: `X,Y`.
pub(crate) fn point(text: &str) -> Result<[f64; 2], String> {
    let wrong = || format!("`{text}` is no point; a point is X,Y in metres, as in 12.5,40");
    let (x, y) = text.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse().ok().filter(|v: &f64| v.is_finite());
    Ok([number(x).ok_or_else(wrong)?, number(y).ok_or_else(wrong)?])
}

/// What was typed wrongly. The words of the standard library for a text that is no number do not say what
/// would be right.
pub(crate) fn misuse(error: &clap::Error) -> String {
    let said = error.render().to_string();
    let said = said.replace("invalid digit found in string", "it is no whole number from 0 on");
    said.replace("invalid float literal", "it is no number")
}
