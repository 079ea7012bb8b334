//! Signals that end the program: exit code 128 and the number of the signal, whatever was under way.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize};
use std::time::Duration;
use std::{process, thread};

use signal_hook::{consts, flag};

use crate::{output, tell};

/// Signals that end the program.
const SIGNALS: &[i32] = &[
    consts::SIGINT,
    consts::SIGTERM,
    #[cfg(unix)]
    consts::SIGHUP,
];

/// Time from one look at the signals to the next.
const LOOK: Duration = Duration::from_millis(20);

/// Whether the work looks at [`stopped`] and ends by itself.
static HEEDED: AtomicBool = AtomicBool::new(false);
/// The exit code of the first signal that is heeded; 0 before.
static STOPPED: AtomicU8 = AtomicU8::new(0);

/// Begins to listen. A signal ends the program at once and leaves nothing unfinished; the first one
/// during work that heeds it ends that work.
pub(crate) fn listen() {
    let caught = Arc::new(AtomicUsize::new(0));
    for &signal in SIGNALS {
        let code = 128 + signal as usize;
        if let Err(error) = flag::register_usize(signal, Arc::clone(&caught), code) {
            tell(&format!("signal {signal} will end the program at once: {error}"));
        }
    }
    thread::spawn(move || {
        loop {
            thread::sleep(LOOK);
            let code = caught.swap(0, Relaxed) as u8;
            if code == 0 {
                continue;
            }
            let first = STOPPED.load(Relaxed) == 0;
            if !first || !HEEDED.load(Relaxed) {
                output::abandon();
                process::exit(i32::from(code));
            }
            STOPPED.store(code, Relaxed);
        }
    });
}

/// Says that the work to come looks at [`stopped`].
pub(crate) fn heed() {
    HEEDED.store(true, Relaxed);
}

/// The exit code of a signal to which the work should end.
pub(crate) fn stopped() -> Option<u8> {
    Some(STOPPED.load(Relaxed)).filter(|code| *code != 0)
}

/// The name of what stopped the work.
pub(crate) fn name(code: u8) -> &'static str {
    match i32::from(code) - 128 {
        consts::SIGINT => "Ctrl-C",
        consts::SIGTERM => "SIGTERM",
        _ => "the end of the terminal",
    }
}
