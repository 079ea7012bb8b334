//! `throng view`: a run in a page, live or from a replay.
//!
//! Threads that serve connections ([`server`]) put questions ([`ask`]) to the one that owns the worlds
//! ([`theatre`]); it answers between two ticks. The page itself is in `page/`.

mod address;
mod areas;
mod args;
mod arrows;
mod ask;
mod clock;
mod frame;
mod ground;
mod heat;
mod http;
mod keys;
mod names;
mod orders;
mod packed;
mod page;
mod pictures;
mod reel;
mod route;
mod script;
mod server;
mod tape;
mod theatre;
mod timer;
mod ways;
mod who;

use std::fs;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use throng::lane::Numbers;
use throng::math::{Fx, Numeric};
use throng::replay::{MAGIC, MAX_FILE, RecordOptions, Recorder};
use throng::world::World;

pub(crate) use args::ViewArgs;
use ask::Question;
use reel::Reel;
use script::Script;
use server::Server;
use tape::Tape;
use theatre::Theatre;

use crate::error::CliError;
use crate::output::Output;
use crate::run::{FOLDER, file_name};
use crate::{load, say, signal, tell};

/// Questions that wait, at most; each is of a connection of its own.
const QUESTIONS: usize = 64;

/// Serves a run.
pub(crate) fn run(args: &ViewArgs) -> Result<bool, CliError> {
    let (script, numeric, is_whole) = script(args)?;
    let record = record_path(args, &script)?;
    let record = Output::named(record.as_deref(), "throng")?;
    let written = record.as_ref().map(|output| output.path().to_owned());
    let failed = |source| CliError::Serve { port: args.port, source };
    let server = Server::bind(args.port).map_err(failed)?;
    let url = server.url();
    let (ask, questions) = sync_channel(QUESTIONS);
    say(&format!("{url}\nCtrl-C ends it"))?;
    signal::heed();
    let load = server.start(ask);
    if args.open || (!args.no_open && std::io::stdout().is_terminal()) {
        open(&url);
    }
    args.threads.pool()?.install(move || match numeric {
        Numeric::F32 => serve::<f32>(script, args, record, questions),
        Numeric::Fixed => serve::<Fx>(script, args, record, questions),
    })?;
    load.settle();
    if let Some(path) = written {
        let path = path.display();
        tell(&format!("replay: {path}\nprove it: throng verify {path}"));
    }
    Ok(is_whole)
}

/// The script that is shown: a replay or a run of a scenario; its number type, and whether it is whole.
fn script(args: &ViewArgs) -> Result<(Script, Numeric, bool), CliError> {
    let path = Path::new(&args.file);
    if is_replay(path) {
        if args.changes.changes() != load::Changes::default() || args.record.is_some() {
            let why =
                "--agents, --ticks, --seed, --numeric, --map, --set and --record are for scenarios";
            return Err(CliError::value("FILE", &args.file, why));
        }
        let file = Arc::new(load::read(path, MAX_FILE)?);
        let (replay, fault) = load::replay(path, args.cut.allow_cut)?;
        let (numeric, name) = (replay.header.numeric, args.file.clone());
        let replay = Script::Replay { replay: Box::new(replay), file, name };
        return Ok((replay, numeric, fault.is_none()));
    }
    let (plan, _) = load::plan(&args.file, &args.changes.changes())?;
    let numeric = plan.numeric;
    Ok((Script::live(plan), numeric, true))
}

fn is_replay(path: &Path) -> bool {
    let mut first = [0; MAGIC.len()];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut first));
    read.is_ok() && first == *MAGIC
}

/// Where a live run is recorded.
fn record_path(args: &ViewArgs, script: &Script) -> Result<Option<PathBuf>, CliError> {
    let Script::Live { plan, .. } = script else { return Ok(None) };
    if args.record.is_some() || args.no_files {
        return Ok(args.record.clone());
    }
    Ok(Some(Path::new(FOLDER).join(format!("{}.view.throng", file_name(&plan.name)))))
}

/// Shows a run until a signal ends it.
fn serve<N: Numbers>(
    script: Script,
    args: &ViewArgs,
    record: Option<Output>,
    questions: Receiver<Question>,
) -> Result<(), CliError> {
    let known = match &script {
        Script::Live { plan, .. } => Some((plan.name.clone(), plan.scene.clone())),
        Script::Replay { .. } => None,
    };
    let recorder = |world: &World<N>| {
        let Some((label, scene)) = known else { return Ok(None) };
        let options = RecordOptions {
            label,
            scene,
            keyframe_bytes: args.keyframes.bytes(),
            ..RecordOptions::default()
        };
        let refused = |source| CliError::Replay { path: args.file.clone().into(), source };
        Recorder::start(world, options, Tape::new(record)).map(Some).map_err(refused)
    };
    let reel = Reel::<N>::new(script, (args.memory as usize) << 20, recorder)?;
    Theatre::new(reel, args.paused).run(&questions)
}

/// Opens the page in the user's browser; where there is none, the address has been said.
fn open(url: &str) {
    let (program, before): (_, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    let command = command.args(before).arg(url).stdin(Stdio::null());
    if let Err(error) = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
        tell(&format!("the browser cannot be opened by `{program}`: {error}"));
    }
}
