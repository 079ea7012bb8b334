//! The program `throng`: what was typed becomes what will be done, and that is done.
//!
//! The engine is the crate `throng`; here is what reads arguments and the clock, writes files, prints
//! and draws. Other crates may use [`draw`], [`machine`], [`pathfinding`] and
//! [`summary`].

mod aim;
mod args;
mod bench;
mod check;
mod command;
mod compare;
mod diff;
pub mod draw;
mod error;
mod field;
mod fight;
mod file_args;
mod files;
mod foretell;
mod generate;
mod ground;
mod idle;
mod import;
mod kind;
mod load;
mod look;
pub mod machine;
mod manual;
mod measure;
mod measure_files;
mod mesh;
mod network;
mod note;
mod output;
mod path;
pub mod pathfinding;
mod polygons;
mod progress;
mod refusals;
mod replay;
mod rewind;
mod run;
pub mod shared;
mod sharing;
mod signal;
mod simulate;
mod strategies;
mod structures;
pub mod summary;
mod summary_text;
mod sweep;
mod terminal;
mod traffic;
mod verify;
mod view;
mod walkable;
mod watch;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use command::{Args, Command};
use error::CliError;
use terminal::{printable, wrapped};

/// Exit code when a check failed.
const FAILED: u8 = 1;
/// Exit code for bad use or bad input.
const BAD: u8 = 2;

/// Runs the program with the arguments that were typed, and gives its exit code.
pub fn main() -> ExitCode {
    if let Err(reason) = machine::check() {
        tell(&format!("throng cannot run on this machine: {reason}\n"));
        return ExitCode::from(BAD);
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        // Help and versions are no mistakes, and are written for a screen.
        Err(asked) if !asked.use_stderr() => asked.exit(),
        Err(error) => {
            tell(&args::misuse(&error));
            return ExitCode::from(BAD);
        }
    };
    signal::listen();
    let done = match args.command {
        Command::Run(args) => run::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Field(args) => field::run(&args),
        Command::Path(args) => path::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Mesh(args) => mesh::run(&args),
        Command::Network(args) => network::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Aim(args) => aim::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::View(args) => view::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Scenarios => check::list(),
        Command::Completions(args) => manual::complete(&args, Args::command()),
        Command::Man(args) => manual::page(&args, Args::command()),
    };
    match done {
        Ok(true) => signal::stopped().map_or(ExitCode::SUCCESS, ExitCode::from),
        Ok(false) => ExitCode::from(FAILED),
        Err(error) => {
            let code = error.code();
            tell(&error.report());
            ExitCode::from(code)
        }
    }
}

/// Writes to the error stream, fit for a terminal; a closed one is no reason to fail.
fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", wrapped(printable(text).trim_end()));
}

/// Writes to the output, fit for a terminal.
fn say(text: &str) -> Result<(), CliError> {
    say_as_it_is(&wrapped(printable(text).trim_end()))
}

/// Writes to the output; a closed one ends the program quietly.
fn say_as_it_is(text: &str) -> Result<(), CliError> {
    match writeln!(std::io::stdout(), "{}", text.trim_end()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(CliError::Output { source: error })
        }
        _ => Ok(()),
    }
}
