//! The watchdog ends a process that has waited for another one for too long.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

/// How long processes wait for each other when nothing else is said, in seconds, and where it is said.
const PATIENCE: u64 = 600;
const VARIABLE: &str = "THRONG_MPI_PATIENCE";
/// Exit code of a process that has waited for too long.
const GIVEN_UP: i32 = 3;

/// Since when a process waits.
#[derive(Debug)]
pub(crate) struct Watchdog {
    began: Instant,
    /// Milliseconds after that; 0 when it does not wait.
    since: Arc<AtomicU64>,
}

impl Watchdog {
    /// Begins to watch; `process` is the number of this one.
    pub(crate) fn new(process: usize) -> Self {
        let since = Arc::new(AtomicU64::new(0));
        let (began, watched) = (Instant::now(), Arc::clone(&since));
        let told = std::env::var(VARIABLE).ok().and_then(|text| text.parse().ok());
        let patience = told.unwrap_or(PATIENCE).max(1);
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_millis(250));
                let since = watched.load(Relaxed);
                let now = began.elapsed().as_millis() as u64;
                if since > 0 && now > since + 1_000 * patience {
                    eprintln!(
                        "error: process {process} has waited for {patience} s for another one, and \
                         ends the run; {VARIABLE} says how many seconds it waits"
                    );
                    std::process::exit(GIVEN_UP);
                }
            }
        });
        Self { began, since }
    }

    /// Does what waits for others; gives how long it took.
    pub(crate) fn watch(&self, wait: impl FnOnce()) -> Duration {
        let from = self.began.elapsed();
        self.since.store((from.as_millis() as u64).max(1), Relaxed);
        wait();
        self.since.store(0, Relaxed);
        self.began.elapsed() - from
    }
}
