//! `throng bench`: how fast the engine is on this machine.
//!
//! Every figure is a median of [`ROUNDS`] and is told only when what was computed is right: crowds come to
//! the same digest with one thread and with all, and paths are as long as Dijkstra's.

mod crowd;
mod machine;
mod parts;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args as ClapArgs;
use serde::Serialize;
use throng::world::Avoidance;
use throng::{Fx, Numbers};

use crate::args::{ThreadArgs, pool};
use crate::error::CliError;
use crate::output::Json;
use crate::progress::Progress;
use crate::summary::{plural, thousands};
use crate::summary_text::tenths;
use crate::{say_as_it_is, tell};
use crowd::Timed;
use machine::Machine;
use parts::Part;

/// Times that everything is measured; an odd number.
const ROUNDS: usize = 5;

/// Sizes of crowds, as far as they are asked for.
const SIZES: [u32; 3] = [10_000, 100_000, 1_000_000];

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng bench --agents 2000                        a look, in some seconds
  throng bench --agents 2000 --threads 1 --json -   for a program

A million agents, the default, take a minute or two and 2 GB. The table is Markdown, to be pasted.
The digests are the same on every machine, for one version of throng. docs/performance.md says how
to read the rest.

Exit codes: 0 fine, 1 something computed was wrong, 2 bad use or bad input.")]
pub(crate) struct BenchArgs {
    /// Agents of the largest crowd
    #[arg(long, value_name = "N", default_value_t = 1_000_000, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(100..=4_000_000))]
    agents: u32,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Write the figures as JSON here; `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
struct Figures {
    throng: &'static str,
    machine: Machine,
    crowds: Vec<Crowd>,
    parts: Vec<Part>,
}

/// A crowd of one kind.
#[derive(Debug, Serialize)]
struct Crowd {
    agents: u32,
    numeric: &'static str,
    avoidance: &'static str,
    /// Nanoseconds for an agent and a tick with one thread, and with all.
    ns_one_thread: f64,
    ns_all_threads: f64,
    /// Ticks until the digest.
    ticks: u64,
    digest: String,
}

/// The median of an odd number of values.
fn median(mut values: [f64; ROUNDS]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[ROUNDS / 2]
}

/// The median of the seconds that some work takes.
fn seconds(mut work: impl FnMut()) -> f64 {
    median(std::array::from_fn(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    }))
}

/// Measures and tells.
pub(crate) fn run(args: &BenchArgs) -> Result<bool, CliError> {
    let json = Json::open(args.json.as_deref())?;
    let (one, all) = (pool(Some(1))?, args.threads.pool()?);
    let mut sizes: Vec<u32> = SIZES.into_iter().filter(|&size| size < args.agents).collect();
    sizes.push(args.agents);
    let mut progress = Progress::of("crowd", 4 * sizes.len() as u64, false);
    let machine = all.install(|| Machine::measured(&one));
    let (mut crowds, mut wrong) = (Vec::new(), Vec::new());
    for agents in sizes {
        for avoidance in [Avoidance::Separation, Avoidance::Orca] {
            for timed in [
                crowd::timed::<f32>(agents, avoidance, [&one, &all]),
                crowd::timed::<Fx>(agents, avoidance, [&one, &all]),
            ] {
                match timed {
                    Ok(timed) => crowds.push(timed.told(agents, avoidance)),
                    Err(why) => wrong.push(why),
                }
                let done = (crowds.len() + wrong.len()) as u64;
                progress.set(done, || format!("{} agents", thousands(u64::from(agents))));
            }
        }
    }
    progress.finish();
    let parts = one.install(|| {
        let mut parts = parts::fields();
        match parts::paths() {
            Ok(paths) => parts.extend(paths),
            Err(why) => wrong.push(why),
        }
        parts.extend(parts::intercepts::<f32>());
        parts.extend(parts::intercepts::<Fx>());
        parts
    });
    wrong.iter().for_each(|why| tell(why));
    let figures = Figures { throng: env!("CARGO_PKG_VERSION"), machine, crowds, parts };
    if !json.is_said() {
        say_as_it_is(&figures.text())?;
    }
    json.tell(&figures)?;
    Ok(wrong.is_empty())
}

impl Timed {
    fn told(self, agents: u32, avoidance: Avoidance) -> Crowd {
        let [one, all] = self.ns;
        Crowd {
            agents,
            numeric: self.numeric,
            avoidance: avoidance.name(),
            ns_one_thread: one,
            ns_all_threads: all,
            ticks: self.ticks,
            digest: format!("{:016x}", self.digest),
        }
    }
}

impl Figures {
    /// Tables in Markdown.
    fn text(&self) -> String {
        let Machine { processor, build, threads, triad_gb_s: [one, all] } = &self.machine;
        let many = plural(u64::from(*threads), "thread");
        let mut text = format!(
            "throng {} for {build}, {processor}, {many}\n\
             memory (triad) {one:.1} GB/s by one thread, {all:.1} by all\n\n\
             | agents | numbers | avoidance | ns, 1 thread | ns, {many} | ticks a second | digest |\n\
             |---|---|---|---|---|---|---|\n",
            self.throng
        );
        for crowd in &self.crowds {
            let Crowd { agents, numeric, avoidance, ns_one_thread, ns_all_threads, .. } = crowd;
            let rate = 1e9 / (ns_all_threads * f64::from(*agents));
            let agents = thousands(u64::from(*agents));
            let [one, all, rate] = [*ns_one_thread, *ns_all_threads, rate].map(tenths);
            text.push_str(&format!(
                "| {agents} | {numeric} | {avoidance} | {one} | {all} | {rate} | {} |\n",
                crowd.digest
            ));
        }
        text.push_str("\n| on one thread | |\n|---|---|\n");
        for part in &self.parts {
            let value =
                if part.value < 9.995 { format!("{:.2}", part.value) } else { tenths(part.value) };
            text.push_str(&format!("| {} | {value} {} |\n", part.what, part.unit));
        }
        text
    }
}

/// The word of a number type.
fn word<N: Numbers>() -> &'static str {
    N::NUMERIC.word()
}

#[cfg(test)]
mod tests {
    use super::{median, seconds};

    #[test]
    fn the_median_is_the_value_in_the_middle() {
        assert_eq!(median([5.0, 1.0, 4.0, 2.0, 3.0]), 3.0);
        let mut calls = 0;
        assert!(seconds(|| calls += 1) >= 0.0);
        assert_eq!(calls, 5);
    }
}
