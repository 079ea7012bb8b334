//! How a long job shows that it is alive.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use crate::summary::thousands;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::tell;
use crate::terminal::printable;

/// A progress bar on a terminal; a line now and then elsewhere; nothing when quiet.
pub(crate) struct Progress {
    bar: ProgressBar,
    lines: bool,
    /// The name of what is counted.
    unit: &'static str,
    total: u64,
    began: Instant,
    next_line: Duration,
}

/// Time between two lines where there is no terminal.
const LINE: Duration = Duration::from_secs(5);

impl Progress {
    /// Counts ticks.
    pub(crate) fn new(total: u64, quiet: bool) -> Self {
        Self::of("tick", total, quiet)
    }

    /// Counts something.
    pub(crate) fn of(unit: &'static str, total: u64, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = if quiet || !terminal {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(15)
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let style = ProgressStyle::with_template(&format!(
            "{{bar:32.cyan/blue}} {unit} {{human_pos}}/{{human_len}}  {{msg}}  {{eta}} left",
        ));
        if let Ok(style) = style {
            bar.set_style(style.progress_chars("━╸ "));
        }
        Self {
            bar,
            lines: !quiet && !terminal,
            unit,
            total,
            began: Instant::now(),
            next_line: LINE,
        }
    }

    /// Says that so many ticks are done; the text is made only when it is shown.
    pub(crate) fn set(&mut self, done: u64, text: impl Fn() -> String) {
        self.bar.set_position(done);
        let elapsed = self.began.elapsed();
        if !self.bar.is_hidden() && (done.is_multiple_of(8) || done == self.total) {
            self.bar.set_message(printable(&text()));
        }
        if self.lines && elapsed >= self.next_line {
            self.next_line = elapsed + LINE;
            let (done, total) = (thousands(done), thousands(self.total));
            tell(&format!("{} {done} of {total}  {}", self.unit, text()));
        }
    }

    /// Does something that writes to the terminal.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
