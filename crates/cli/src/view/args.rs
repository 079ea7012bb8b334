//! Arguments of `throng view`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{CutArgs, NumericArg};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng view crossing                         a live run: watch it, pause it, order agents about
  throng view crossing --agents 100000 --paused
  throng view out/crossing.throng              any tick of a replay, forwards and backwards

The page is served on this machine alone (127.0.0.1), at an address that nobody can guess.
Ctrl-C ends the server, with exit code 130; a live run is recorded as `throng run` does, with all
orders that were given in the page, and the replay is whole then: `throng verify` takes it.

In the page, `?` lists all keys.")]
pub(crate) struct ViewArgs {
    /// A scenario file, the name of a scenario that ships inside the program, or a replay
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// Port of the server; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,
    /// Open the page in the browser, also where standard output is no terminal
    #[arg(long, conflicts_with = "no_open")]
    pub(crate) open: bool,
    /// Do not open the page in the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Begin with the clock halted
    #[arg(long)]
    pub(crate) paused: bool,
    /// Agents at tick 0 in all; every spawn keeps its share
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) agents: Option<u64>,
    /// Ticks to run at most
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) ticks: Option<u64>,
    /// Seed of all randomness
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Number type of the simulation
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) numeric: Option<NumericArg>,
    /// Threads to use; the result is the same for any number [default: one a core]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: Option<u32>,
    /// Map file (`MovingAI`, .png or .tmx) in place of the scenario's map
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<String>,
    /// Write the replay of a live run here [default: out/NAME.view.throng]
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Write no replay; the page can still save one
    #[arg(long, conflicts_with = "record")]
    pub(crate) no_files: bool,
    /// Most MiB of keyframes in the replay of a live run; 0 for none
    #[arg(long, value_name = "MIB", default_value_t = 128, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=768))]
    pub(crate) keyframes: u32,
    /// Most MiB of memory for states to seek from: the more, the faster is a seek
    #[arg(long, value_name = "MIB", default_value_t = 1024, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    pub(crate) memory: u32,
    #[command(flatten)]
    pub(crate) cut: CutArgs,
}
