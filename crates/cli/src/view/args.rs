//! Arguments of `throng view`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{ChangeArgs, CutArgs, KeyframeArgs, ThreadArgs};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng view crossing                         a live run: watch it, pause it, order agents about
  throng view crossing --agents 100000 --paused
  throng view out/crossing.throng              any tick of a replay, forwards and backwards

The page is served on this machine alone (127.0.0.1), at an address with a random token.
Ctrl-C ends the server, with exit code 130; a live run is recorded as `throng run` does, with all
orders that were given in the page, and the replay is whole then: `throng verify` takes it.

In the page, `?` lists all keys.

Exit codes: 1 the replay is cut or damaged, 2 bad use or bad input, 130 stopped by Ctrl-C.")]
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
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Write the replay of a live run here [default: out/NAME.view.throng]
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Write no replay; the page can still save one
    #[arg(long, conflicts_with = "record")]
    pub(crate) no_files: bool,
    #[command(flatten)]
    pub(crate) keyframes: KeyframeArgs,
    /// Most MiB of memory for states to seek from: the more, the faster is a seek
    #[arg(long, value_name = "MIB", default_value_t = 2048, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    pub(crate) memory: u32,
    #[command(flatten)]
    pub(crate) cut: CutArgs,
}
