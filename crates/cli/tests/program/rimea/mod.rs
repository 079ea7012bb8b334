//! The tests of the RiMEA guideline (version 4.1.1; test 12 as in 3.0), in both number types. Every test
//! is a scenario of `scenarios/rimea`. The table of docs/rimea.md quotes what comes out; its last three
//! columns are written anew by
//!
//! ```console
//! THRONG_BLESS=1 cargo test --release -p throng-cli --test program rimea
//! ```

mod alone;
mod choices;
mod crowds;
mod study;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::{env, fs};

use throng::lane::Numbers;
use throng::math::Fx;

use crate::documents::{cells, root, text};
use crate::pedestrians::run::{Run, Walker};

const DOCUMENT: &str = "docs/rimea.md";

/// One writer at a time.
static WRITING: Mutex<()> = Mutex::new(());

/// What the guideline has to say of a result.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Verdict {
    Passes,
    /// It asks for a description and sets no bound.
    Documented,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::Passes => "passes",
            Verdict::Documented => "documented",
        }
    }
}

/// A result, in words, and whether it is what the guideline asks for.
struct Measured {
    says: String,
    is_fine: bool,
}

/// A row of the table with its last three cells written anew.
fn row(old: &str, measured: &[Measured; 2], verdict: Verdict) -> String {
    let mut row = cells(old);
    let [float, fixed] = measured.each_ref().map(|measured| measured.says.clone());
    for (cell, new) in row.iter_mut().rev().zip([verdict.word().to_owned(), fixed, float]) {
        *cell = new;
    }
    format!("| {} |", row.join(" | "))
}

/// Compares a test's row of the document with what came out, and the outcome with the verdict.
fn judge(test: &str, verdict: Verdict, measured: &[Measured; 2]) {
    for Measured { says, is_fine } in measured {
        assert!(is_fine, "test {test}: {says}");
    }
    let _writing = WRITING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let document = text(DOCUMENT);
    let is_row = |line: &&str| line.starts_with(&format!("| {test} "));
    let old = document.lines().find(is_row).unwrap_or_else(|| panic!("no row for test {test}"));
    let new = row(old, measured, verdict);
    if env::var_os("THRONG_BLESS").is_some_and(|value| value == "1") {
        fs::write(root().join(DOCUMENT), document.replace(old, &new)).unwrap();
    } else {
        assert_eq!(old, new, "{DOCUMENT} does not say so; THRONG_BLESS=1 writes the row anew");
    }
}

/// Plays a scenario until all people have left, or to its end, in one number type.
fn play<N: Numbers>(name: &str, mut each: impl FnMut(&Run<N>)) {
    play_edited(name, str::to_owned, &mut each);
}

/// The same with another text.
fn play_edited<N: Numbers>(
    name: &str,
    edit: impl Fn(&str) -> String,
    mut each: impl FnMut(&Run<N>),
) {
    let mut run = Run::<N>::edited(&format!("rimea/{name}"), 1, edit);
    for _ in 0..run.ticks() {
        run.step();
        each(&run);
        if run.walkers.is_empty() {
            break;
        }
    }
}

/// When something was first true of each agent, in seconds, by id.
#[derive(Default)]
struct Firsts(BTreeMap<u32, f64>);

impl Firsts {
    fn see<N: Numbers>(&mut self, run: &Run<N>, holds: impl Fn(&Walker) -> bool) {
        for walker in run.walkers.iter().filter(|walker| holds(walker)) {
            self.0.entry(walker.id).or_insert(run.time());
        }
    }

    /// Agents a second between the first and the last.
    fn flow(&self) -> f64 {
        let first = self.0.values().copied().fold(f64::INFINITY, f64::min);
        let last = self.0.values().copied().fold(0.0, f64::max);
        (self.0.len() - 1) as f64 / (last - first)
    }
}

/// Whether a point is in a rectangle.
fn is_in([x, y]: [f64; 2], [x0, y0, x1, y1]: [f64; 4]) -> bool {
    (x0..x1).contains(&x) && (y0..y1).contains(&y)
}

#[test]
fn a_row_that_does_not_say_what_came_out_is_seen() {
    let of = |says: &str| Measured { says: says.to_owned(), is_fine: true };
    let old = "| 1 | asks | [here](x) | 3 s | 4 s | passes |";
    assert_eq!(row(old, &[of("3 s"), of("4 s")], Verdict::Passes), old);
    let other = row(old, &[of("3 s"), of("5 s")], Verdict::Documented);
    assert_eq!(other, "| 1 | asks | [here](x) | 3 s | 5 s | documented |");
}
