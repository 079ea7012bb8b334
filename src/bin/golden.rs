//! Plays the golden runs and compares them with `scenarios/golden.txt`, tick by tick: the check
//! that a build, or a machine, gives the same bits as all others.
//!
//! ```text
//! cargo run --release -p throng --features golden --bin golden -- \
//!     [--lanes 8,1] [--threads 1,2,3,4,8,32] [--trace] [SCENARIO...]
//! ```
//!
//! Without names it plays all. With `--trace` it also lists the digest of every tick, as the first
//! lanes and threads give it: of two builds that disagree, `diff` finds the tick. It exits with 1
//! when a run differs from its golden one, and with 2 on bad use. `.ci/builds`
//! runs it on every instruction set that the machine has or can emulate.
#![expect(clippy::print_stdout, reason = "a program says what it found")]

#[path = "../../tests/common/generated.rs"]
mod generated;
#[path = "../../tests/common/golden.rs"]
mod golden;

use std::fmt::Display;
use std::process::ExitCode;

use golden::{Played, golden, on_threads, play};
use throng::{Fx, Numbers};

/// What must come out, one line a scenario and numeric mode; written by `tests/state/determinism.rs`.
const GOLDEN: &str = include_str!("../../scenarios/golden.txt");

/// The same of maps made by rules; written by `tests/maps/generated`.
const GENERATED: &str = include_str!("../../scenarios/generated.txt");

/// What to play.
struct Args {
    lanes: Vec<usize>,
    threads: Vec<usize>,
    trace: bool,
    names: Vec<String>,
}

fn main() -> ExitCode {
    let args = match read_args(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::from(2);
        }
    };
    let (mut lines, mut wrong) = (0, 0);
    for line in GOLDEN.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split_whitespace().next().expect("a golden line names a scenario");
        if args.names.is_empty() || args.names.iter().any(|wanted| wanted == name) {
            wrong += compare(&args, line);
            lines += 1;
        }
    }
    if args.names.is_empty() {
        for &threads in &args.threads {
            wrong += on_threads(threads, || maps(threads));
        }
    }
    let runs = lines * args.lanes.len() * args.threads.len();
    println!(
        "{lines} golden lines, lanes {}, threads {}: {runs} runs, {wrong} differ",
        list(&args.lanes),
        list(&args.threads)
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Makes the golden maps on the threads of this pool; gives how many differ.
fn maps(threads: usize) -> usize {
    let goldens = GENERATED.lines().filter(|line| !line.starts_with('#'));
    let made = generated::goldens();
    assert_eq!(goldens.clone().count(), made.len(), "a line for each map");
    let mut wrong = 0;
    for (golden, (name, recipe)) in goldens.zip(made) {
        let line = generated::line(name, &recipe);
        if line != golden {
            wrong += 1;
            println!(
                "map by {name}, threads {threads}: DIFFERS\n  golden {golden}\n  here   {line}"
            );
        }
    }
    println!("maps made by rules, threads {threads}: {wrong} differ");
    wrong
}

/// Plays a golden line in all ways that are asked for; gives how many differ.
fn compare(args: &Args, line: &str) -> usize {
    let mut words = line.split_whitespace();
    let (name, numeric) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let plan = golden(name);
    let mut first: Option<(String, Vec<u64>)> = None;
    let mut wrong = 0;
    for &lanes in &args.lanes {
        for &threads in &args.threads {
            let played = on_threads(threads, || match (numeric, lanes) {
                ("f32", 8) => play::<<f32 as Numbers>::Wide>(&plan),
                ("f32", _) => play::<<f32 as Numbers>::Single>(&plan),
                (_, 8) => play::<<Fx as Numbers>::Wide>(&plan),
                _ => play::<<Fx as Numbers>::Single>(&plan),
            });
            let way = format!("lanes {lanes}, threads {threads}");
            if played.line != line {
                wrong += 1;
                println!("{name} in {numeric}, {way}: {}", difference(&played, line, &first));
            }
            first.get_or_insert((way, played.digests));
        }
    }
    if let (true, Some((_, digests))) = (args.trace, &first) {
        for (tick, digest) in digests.iter().enumerate() {
            println!("tick {tick} of {name} in {numeric} {digest:016x}");
        }
    }
    wrong
}

/// How a run differs from its golden line and, if it can be told, at which tick it leaves the first.
fn difference(played: &Played, line: &str, first: &Option<(String, Vec<u64>)>) -> String {
    let Some((way, digests)) = first else {
        return format!("DIFFERS\n  golden {line}\n  here   {}", played.line);
    };
    match played.digests.iter().zip(digests).position(|(a, b)| a != b) {
        Some(tick) => format!("DIFFERS, first at tick {tick} from {way}"),
        None => format!("DIFFERS as with {way}"),
    }
}

/// Reads the command line.
fn read_args(mut words: impl Iterator<Item = String>) -> Result<Args, String> {
    let (lanes, threads) = (vec![8, 1], vec![1, 2, 3, 4, 8, 32]);
    let mut args = Args { lanes, threads, trace: false, names: Vec::new() };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--lanes" => args.lanes = numbers(&word, words.next())?,
            "--threads" => args.threads = numbers(&word, words.next())?,
            "--trace" => args.trace = true,
            name if throng::scenario::builtin(name).is_some() => args.names.push(word),
            _ => return Err(format!("{word} is no option and no shipped scenario")),
        }
    }
    match args.lanes.iter().find(|lanes| ![1, 8].contains(lanes)) {
        Some(lanes) => Err(format!("--lanes {lanes}: there are 8 or 1")),
        None => Ok(args),
    }
}

/// Numbers above 0 with commas between them.
fn numbers(option: &str, word: Option<String>) -> Result<Vec<usize>, String> {
    let word = word.ok_or_else(|| format!("{option} needs numbers, as in {option} 1,8"))?;
    let number = |part: &str| part.parse().ok().filter(|&number| number > 0);
    let all: Option<Vec<usize>> = word.split(',').map(number).collect();
    all.ok_or_else(|| format!("{option} {word}: not numbers above 0 with commas between them"))
}

/// Items with commas between them.
fn list(items: &[impl Display]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
