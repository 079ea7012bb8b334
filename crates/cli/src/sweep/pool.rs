//! Runs in processes of their own, so many at once. What becomes of one costs no other.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::CliError;
use crate::signal;

/// Time from one look at the signals to the next.
const LOOK: Duration = Duration::from_millis(20);

/// Time in which a signal that ended a run reaches this process, too.
const SIGNAL: Duration = Duration::from_millis(200);

/// Exit codes of a run that a signal has ended.
const STOPPED: [i32; 3] = [129, 130, 143];

/// A run that has ended.
pub(crate) struct Ended {
    pub(crate) run: u64,
    /// What it wrote to its output, when all was fine; else what was wrong, in one line.
    pub(crate) result: Result<Vec<u8>, String>,
    pub(crate) seconds: f64,
}

/// Characters of an error that are kept at most.
const ERROR: usize = 600;

/// The processes that are under way, by worker, and the runs to come.
struct Shared<'a> {
    children: Vec<Option<Child>>,
    waiting: std::slice::Iter<'a, u64>,
    halted: bool,
}

/// Starts all runs, so many at once, and hands each to `take` when it has ended. Gives whether all
/// have: a signal ends them all.
pub(crate) fn work(
    runs: &[u64],
    workers: usize,
    command: &(impl Fn(u64) -> Command + Sync),
    mut take: impl FnMut(Ended) -> Result<(), CliError>,
) -> Result<bool, CliError> {
    let children = (0..workers).map(|_| None).collect();
    let shared = Mutex::new(Shared { children, waiting: runs.iter(), halted: false });
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for worker in 0..workers {
            let (shared, sender) = (&shared, sender.clone());
            scope.spawn(move || serve(worker, shared, command, &sender));
        }
        drop(sender);
        let taken = loop {
            if signal::stopped().is_some() {
                break Ok(false);
            }
            match receiver.recv_timeout(LOOK) {
                Ok(ended) => {
                    if let Err(error) = take(ended) {
                        break Err(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Ok(signal::stopped().is_none()),
            }
        };
        halt(&shared);
        taken
    })
}

/// Ends what is under way; nothing else begins.
fn halt(shared: &Mutex<Shared<'_>>) {
    let mut shared = lock(shared);
    shared.halted = true;
    for child in shared.children.iter_mut().flatten() {
        // A run that has ended meanwhile need not be killed.
        let _ = child.kill();
    }
}

fn lock<'a, 'b>(shared: &'a Mutex<Shared<'b>>) -> MutexGuard<'a, Shared<'b>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes one run after the other until there are no more.
fn serve(
    worker: usize,
    shared: &Mutex<Shared<'_>>,
    command: &impl Fn(u64) -> Command,
    sender: &Sender<Ended>,
) {
    loop {
        let (run, pipes, began) = {
            let mut shared = lock(shared);
            if shared.halted {
                return;
            }
            let Some(&run) = shared.waiting.next() else { return };
            let mut command = command(run);
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let pipes = command.spawn().map(|mut child| {
                let pipes = (child.stdout.take(), child.stderr.take());
                shared.children[worker] = Some(child);
                pipes
            });
            (run, pipes, Instant::now())
        };
        let result = match pipes {
            Err(error) => Err(format!("it cannot be started: {error}")),
            Ok((out, err)) => {
                let [out, err] = thread::scope(|scope| {
                    let err = scope.spawn(|| all_of(err));
                    [all_of(out), err.join().unwrap_or_default()]
                });
                let child = lock(shared).children[worker].take();
                let status = child.map(|mut child| child.wait());
                match status {
                    Some(Ok(status)) if status.success() => Ok(out),
                    Some(Ok(status)) => Err(failure(status, &err)),
                    _ => Err("its end is not known".to_owned()),
                }
                .inspect_err(|_| {
                    if let Some(Ok(status)) = status
                        && status.code().is_some_and(|code| STOPPED.contains(&code))
                    {
                        thread::sleep(SIGNAL);
                    }
                })
            }
        };
        // A run that was ended from here has no result.
        if lock(shared).halted || (result.is_err() && signal::stopped().is_some()) {
            return;
        }
        let seconds = began.elapsed().as_secs_f64();
        if sender.send(Ended { run, result, seconds }).is_err() {
            return;
        }
    }
}

/// All that comes out of a pipe.
fn all_of(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

/// The error of a run, in one line.
fn failure(status: ExitStatus, err: &[u8]) -> String {
    let said = String::from_utf8_lossy(err);
    let words: Vec<&str> = said.split_whitespace().collect();
    let said = words.join(" ");
    let said: String = said.strip_prefix("error: ").unwrap_or(&said).chars().take(ERROR).collect();
    if said.is_empty() { format!("ended by itself: {status}") } else { said }
}
