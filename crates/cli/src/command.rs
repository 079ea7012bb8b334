//! What can be typed: the commands.

use clap::{Parser, Subcommand};

use crate::aim::AimArgs;
use crate::args::{CheckArgs, DiffArgs, FieldArgs, ReplayArgs, RunArgs, VerifyArgs};
use crate::bench::BenchArgs;
use crate::compare::CompareArgs;
use crate::generate::GenerateArgs;
use crate::import::ImportArgs;
use crate::manual::{CompletionsArgs, ManArgs};
use crate::mesh::MeshArgs;
use crate::network::NetworkArgs;
use crate::path::PathArgs;
use crate::sweep::SweepArgs;
use crate::view::ViewArgs;

/// Moves and navigates crowds of up to millions of agents, with the same bits on every machine.
#[derive(Debug, Parser)]
#[command(name = "throng", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "\
Begin with a scenario that ships inside the program:
  throng run crossing
  throng verify out/crossing.throng

Exit codes: 0 fine, 1 a check failed, 2 bad use or bad input, 130 stopped by Ctrl-C, 143 by
SIGTERM.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scenario; gives a summary, a picture and a replay
    Run(Box<RunArgs>),
    /// Run scenarios with many seeds and parameters: one table
    Sweep(SweepArgs),
    /// Show a run or a replay in a page of the browser
    View(Box<ViewArgs>),
    /// Run a replay again and compare every digest
    Verify(VerifyArgs),
    /// Go to any tick of a replay: tell how the run stands there, and draw it
    Replay(ReplayArgs),
    /// Compare two replays or dumps: the first tick, column and agent that differ, and both values
    Diff(DiffArgs),
    /// Check a scenario or a map without running it
    Check(CheckArgs),
    /// Draw the flow field of a map: distances as colour, directions as arrows
    Field(FieldArgs),
    /// Find a way on a map by any method, and draw it
    Path(Box<PathArgs>),
    /// Compare methods over the scenario files of movingai.com: lengths, work, time
    Compare(CompareArgs),
    /// Make a navigation mesh of a map, or look at one
    Mesh(MeshArgs),
    /// Make a network of paths over a map
    Network(NetworkArgs),
    /// Make a map by the rules of a file; gives a map file, heights and a picture
    Generate(GenerateArgs),
    /// Make a scenario of one of Vadere, or a map of a floor plan or a geometry
    Import(ImportArgs),
    /// Say where to aim so that a projectile hits a target that moves
    Aim(Box<AimArgs>),
    /// Measure how fast the engine is on this machine
    Bench(BenchArgs),
    /// List the scenarios that ship inside the program
    Scenarios,
    /// Write completions for a shell to the standard output
    Completions(CompletionsArgs),
    /// Write a manual page to the standard output
    Man(ManArgs),
}
